-- What a cut and its seeds may become, the clock that ends their windows, and who may write them.

-- Decks that were committed before cuts were kept wait for nothing any more.
UPDATE tables_deck SET status = 'void' WHERE status = 'committed';

-- A hand that waits for its cut has no deck yet.
CREATE OR REPLACE FUNCTION tables_read(p_table bigint) RETURNS TABLE (
    seq bigint, state text, turn_id bigint, turn text, deadline timestamptz, finished boolean,
    status text, hand_id bigint, hand_number bigint, definition jsonb, options jsonb, seats jsonb,
    decks jsonb, is_past boolean, in_play_account bigint, timing jsonb, away integer[])
LANGUAGE sql VOLATILE AS $$
    SELECT t.seq, t.state, t.turn_id, t.turn, t.deadline, t.finished, t.status::text, t.hand_id,
        t.hand_number, h.definition, h.options, h.seats,
        CASE WHEN h.deck_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(h.deck_id) END
            || h.more_decks,
        coalesce(clock_timestamp() > t.deadline, false), (t.accounts ->> 'in_play')::bigint,
        t.timing, ARRAY(SELECT s.number::integer FROM tables_seat s
            WHERE s.table_id = t.id AND s.status <> 'playing')
    FROM tables_table t LEFT JOIN tables_hand h ON h.id = t.hand_id
    WHERE t.id = p_table
$$;

CREATE FUNCTION tables_cut_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.table_id, NEW.number, NEW.purpose, NEW.kind, NEW.contents, NEW.takes_seeds, NEW.attempt)
        IS DISTINCT FROM
       (OLD.table_id, OLD.number, OLD.purpose, OLD.kind, OLD.contents, OLD.takes_seeds, OLD.attempt)
        OR OLD.status IN ('dealt', 'void')
        OR (OLD.status, NEW.status) NOT IN (('open', 'open'), ('open', 'listed'),
            ('open', 'dealt'), ('open', 'void'), ('listed', 'listed'), ('listed', 'dealt'),
            ('listed', 'void'))
        OR OLD.status = 'listed' AND (NEW.hand_id, NEW.commitments, NEW.listed_ms)
            IS DISTINCT FROM (OLD.hand_id, OLD.commitments, OLD.listed_ms)
    THEN
        RAISE EXCEPTION 'cut % is % and cannot be changed so', OLD.id, OLD.status
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_cut_stands BEFORE UPDATE ON tables_cut
    FOR EACH ROW EXECUTE FUNCTION tables_cut_stands();
CREATE TRIGGER tables_cut_kept BEFORE DELETE ON tables_cut
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();

CREATE FUNCTION tables_deck_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.table_id, NEW.cut_id, NEW.number, NEW.kind, NEW.root, NEW.previous, NEW.signature)
        IS DISTINCT FROM
       (OLD.table_id, OLD.cut_id, OLD.number, OLD.kind, OLD.root, OLD.previous, OLD.signature)
        OR OLD.status <> 'committed' AND
            (NEW.status, NEW.dealing) IS DISTINCT FROM (OLD.status, OLD.dealing)
    THEN
        RAISE EXCEPTION 'deck % is committed and cannot be changed', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_deck_stands BEFORE UPDATE ON tables_deck
    FOR EACH ROW EXECUTE FUNCTION tables_deck_stands();
CREATE TRIGGER tables_deck_kept BEFORE DELETE ON tables_deck
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();

-- A commitment stays what it was; its seed is opened once. Only the wrapping may change after.
CREATE FUNCTION tables_commitment_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.cut_id, NEW.player_id, NEW.commitment, NEW.at_ms, NEW.signature) IS DISTINCT FROM
       (OLD.cut_id, OLD.player_id, OLD.commitment, OLD.at_ms, OLD.signature)
        OR OLD.opened_ms IS NOT NULL AND
            (NEW.opened_ms, NEW.opened_signature, NEW.sealed IS NULL) IS DISTINCT FROM
            (OLD.opened_ms, OLD.opened_signature, OLD.sealed IS NULL)
    THEN
        RAISE EXCEPTION 'commitment % cannot be changed', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_commitment_stands BEFORE UPDATE ON tables_seedcommitment
    FOR EACH ROW EXECUTE FUNCTION tables_commitment_stands();
CREATE TRIGGER tables_commitment_kept BEFORE DELETE ON tables_seedcommitment
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();

-- History stands, but the ciphertext of its private part may be wrapped in a newer key.
CREATE FUNCTION tables_event_rewrapped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(NEW) - 'private') IS DISTINCT FROM (to_jsonb(OLD) - 'private')
        OR NEW.private IS NULL OR OLD.private IS NULL
    THEN
        RAISE EXCEPTION '% is history and cannot be changed', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER tables_event_stands ON tables_event;
CREATE TRIGGER tables_event_stands BEFORE DELETE ON tables_event
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();
CREATE TRIGGER tables_event_rewrapped BEFORE UPDATE ON tables_event
    FOR EACH ROW EXECUTE FUNCTION tables_event_rewrapped();

-- Windows of cuts that are over, claimed for p_lease_ms: like a turn's, only when both kinds of
-- process were alive after their end.
CREATE FUNCTION tables_claim_cuts(p_lease_ms integer)
RETURNS TABLE (table_id bigint, cut_id bigint, again boolean)
LANGUAGE sql VOLATILE AS $$
    WITH over AS (
        SELECT c.id, c.due, c.claimed_due IS NOT DISTINCT FROM c.due AS again
        FROM tables_cut c
        WHERE c.due < clock_timestamp() AND c.due < (SELECT min(p.at) FROM tables_pulse p)
            AND (c.claimed_due IS DISTINCT FROM c.due
                OR c.claimed_at < clock_timestamp() - p_lease_ms * interval '1 millisecond')
        ORDER BY c.id FOR UPDATE SKIP LOCKED
    )
    UPDATE tables_cut AS c SET claimed_due = over.due, claimed_at = clock_timestamp()
    FROM over WHERE c.id = over.id
    RETURNING c.table_id, c.id, over.again
$$;

-- The house's own silence keeps no seed out: windows that were running when it began move too.
CREATE FUNCTION tables_cuts_held() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_known timestamptz;
BEGIN
    SELECT max(ended) INTO v_known FROM tables_clocksheld
        WHERE ended > NEW.began AND id <> NEW.id;
    UPDATE tables_cut SET due = due + interval '1 second'
            + (NEW.ended - CASE WHEN due >= v_known THEN v_known ELSE NEW.began END)
        WHERE due >= NEW.began;
    RETURN NULL;
END $$;
CREATE TRIGGER tables_cuts_held AFTER INSERT ON tables_clocksheld
    FOR EACH ROW EXECUTE FUNCTION tables_cuts_held();

GRANT SELECT, INSERT, UPDATE ON tables_cut, tables_seedcommitment TO app;
GRANT UPDATE (sealed) ON tables_handsecret TO app;
GRANT UPDATE (private) ON tables_event TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
