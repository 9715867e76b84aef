-- Each step of a cut is read in one statement and written in another; docs/fairness.md 1.

-- A running cut with its decks and commitments, its row locked: the one that waits for the table's
-- next deal, or p_cut. What stands with it is read after the wait for the lock.
CREATE FUNCTION tables_cut_lock(p_table bigint, p_cut bigint) RETURNS TABLE (
    id bigint, number bigint, hand_id bigint, purpose text, kind text, contents jsonb,
    takes_seeds boolean, attempt integer, expected jsonb, status text, due timestamptz,
    is_over boolean, listed_ms bigint, commitments jsonb, list_signature text, decks jsonb,
    given jsonb, at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id bigint;
BEGIN
    IF p_cut IS NULL THEN
        SELECT c.id INTO v_id FROM tables_cut c
            WHERE c.table_id = p_table AND c.hand_id IS NULL AND c.status = 'open' FOR UPDATE;
    ELSE
        SELECT c.id INTO v_id FROM tables_cut c
            WHERE c.id = p_cut AND c.table_id = p_table AND c.status IN ('open', 'listed')
            FOR UPDATE;
    END IF;
    RETURN QUERY SELECT c.id, c.number, c.hand_id, c.purpose::text, c.kind::text, c.contents,
        c.takes_seeds, c.attempt::integer, c.expected, c.status::text, c.due,
        coalesce(c.claimed_due = c.due, false), c.listed_ms, c.commitments,
        c.list_signature::text,
        (SELECT jsonb_agg(jsonb_build_array(d.id, d.number, d.root, d.signature) ORDER BY d.number)
            FROM tables_deck d WHERE d.cut_id = c.id),
        (SELECT coalesce(jsonb_agg(jsonb_build_array(s.id, s.player_id, s.commitment,
                encode(s.sealed, 'hex'), s.opened_ms) ORDER BY s.id), '[]'::jsonb)
            FROM tables_seedcommitment s WHERE s.cut_id = c.id),
        clock_timestamp()
    FROM tables_cut c WHERE c.id = v_id;
END $$;

-- What the table's next cut follows; its row is locked by the caller. deck_ids: those of the decks
-- to be committed, null for the next deal while its decks wait already.
CREATE FUNCTION tables_cuts_ahead(p_table bigint, p_decks integer, p_is_deal boolean) RETURNS TABLE (
    waiting_kind text, waiting_contents jsonb, last_cut bigint, last_deck bigint, last_root text,
    deck_ids bigint[])
LANGUAGE sql VOLATILE AS $$
    SELECT w.kind, w.contents,
        coalesce((SELECT max(c.number) FROM tables_cut c WHERE c.table_id = p_table), 0),
        coalesce(d.number, 0), d.root,
        CASE WHEN w.id IS NULL OR NOT p_is_deal THEN
            ARRAY(SELECT nextval('tables_deck_id_seq') FROM generate_series(1, p_decks)) END
    FROM (SELECT) AS one
        LEFT JOIN (SELECT id, kind, contents FROM tables_cut
            WHERE table_id = p_table AND hand_id IS NULL AND status = 'open') AS w ON true
        LEFT JOIN (SELECT number, root FROM tables_deck
            WHERE table_id = p_table ORDER BY number DESC LIMIT 1) AS d ON true
$$;

-- p_decks: arrays of id, number, root, previous, signature and the sealed order in hexadecimal.
CREATE FUNCTION tables_cut_publish(
    p_table bigint, p_number bigint, p_hand bigint, p_purpose text, p_kind text, p_contents jsonb,
    p_takes_seeds boolean, p_expected jsonb, p_attempt integer, p_window_ms integer, p_decks jsonb,
    p_facts jsonb
) RETURNS TABLE (id bigint, due timestamptz, at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    at := clock_timestamp();
    due := at + p_window_ms * interval '1 millisecond';
    INSERT INTO tables_cut (table_id, number, hand_id, purpose, kind, contents, takes_seeds,
        attempt, expected, status, due, published_at, list_signature, seeds, opened_ms, mode,
        reason, joined, end_signature)
    VALUES (p_table, p_number, p_hand, p_purpose, p_kind, p_contents, p_takes_seeds, p_attempt,
        p_expected, 'open', tables_cut_publish.due, now(), '', '[]', '[]', '', '', '', '')
    RETURNING tables_cut.id INTO tables_cut_publish.id;
    INSERT INTO tables_deck (id, table_id, cut_id, number, kind, root, previous, signature,
        status, committed_at)
    SELECT (d ->> 0)::bigint, p_table, tables_cut_publish.id, (d ->> 1)::bigint, p_kind, d ->> 2,
        d ->> 3, d ->> 4, 'committed', now()
    FROM jsonb_array_elements(p_decks) AS d;
    INSERT INTO tables_handsecret (deck_id, sealed)
    SELECT (d ->> 0)::bigint, decode(d ->> 5, 'hex') FROM jsonb_array_elements(p_decks) AS d;
    PERFORM log_append('cut.published', 'table:' || p_table, NULL, p_facts);
    RETURN NEXT;
END $$;

CREATE FUNCTION tables_cut_list(
    p_cut bigint, p_hand bigint, p_listed_ms bigint, p_commitments jsonb, p_signature text,
    p_due timestamptz, p_facts jsonb
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table bigint;
BEGIN
    UPDATE tables_cut AS c SET hand_id = p_hand, status = 'listed', listed_ms = p_listed_ms,
        commitments = p_commitments, list_signature = p_signature, due = p_due
    WHERE c.id = p_cut RETURNING c.table_id INTO STRICT v_table;
    PERFORM log_append('cut.listed', 'table:' || v_table, NULL, p_facts);
END $$;

-- p_dealt: the deck that is dealt, null of a void cut; the hand that waits for it has it from here
-- on. p_withheld: the commitments that were not opened, whose players are barred for a while.
-- p_next: how many decks the next deal is committed to at once, of which it tells what is ahead.
CREATE FUNCTION tables_cut_end(
    p_cut bigint, p_hand bigint, p_mode text, p_reason text, p_seeds jsonb, p_opened jsonb,
    p_root bigint, p_joined text, p_ended_ms bigint, p_signature text, p_dealt bigint,
    p_dealing jsonb, p_withheld bigint[], p_facts jsonb, p_next integer
) RETURNS TABLE (
    waiting_kind text, waiting_contents jsonb, last_cut bigint, last_deck bigint, last_root text,
    deck_ids bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_cut tables_cut%ROWTYPE;
BEGIN
    UPDATE tables_cut AS c SET hand_id = p_hand, mode = p_mode, reason = p_reason,
        status = CASE WHEN p_dealt IS NULL THEN 'void' ELSE 'dealt' END, seeds = p_seeds,
        opened_ms = p_opened, root_number = p_root, joined = p_joined, ended_ms = p_ended_ms,
        end_signature = p_signature, due = NULL
    WHERE c.id = p_cut RETURNING c.* INTO STRICT v_cut;
    UPDATE tables_deck AS d SET
        status = CASE WHEN p_dealt IS NULL THEN 'void' WHEN d.id = p_dealt THEN 'dealt'
            ELSE 'opened' END,
        dealing = CASE WHEN d.id = p_dealt THEN p_dealing END
    WHERE d.cut_id = p_cut;
    IF p_dealt IS NOT NULL AND v_cut.purpose = 'deal' THEN
        UPDATE tables_hand AS h SET deck_id = p_dealt WHERE h.id = p_hand;
    ELSIF p_dealt IS NOT NULL AND v_cut.purpose = 'dice' THEN
        UPDATE tables_hand AS h SET more_decks = h.more_decks || to_jsonb(p_dealt)
            WHERE h.id = p_hand;
    END IF;
    IF p_withheld <> '{}' THEN
        UPDATE tables_seedcommitment AS s SET withheld_at = clock_timestamp()
            WHERE s.id = ANY (p_withheld);
    END IF;
    PERFORM log_append('cut.ended', 'table:' || v_cut.table_id, NULL, p_facts);
    IF p_next > 0 THEN
        RETURN QUERY SELECT * FROM tables_cuts_ahead(v_cut.table_id, p_next, true);
    END IF;
END $$;

-- What a client's commitment or seed is judged by, read without a lock: nobody's cut waits for
-- a client that is refused. What is written after takes the lock and looks again.
CREATE FUNCTION tables_seed_look(
    p_table bigint, p_number bigint, p_player bigint, p_commitment text
) RETURNS TABLE (
    cut_id bigint, status text, is_over boolean, takes_seeds boolean, expected jsonb,
    is_listed boolean, root text, mine text, mine_at_ms bigint, mine_signature text,
    opened_ms bigint, opened_signature text, is_taken boolean, is_seated boolean,
    withheld_at timestamptz, at timestamptz)
LANGUAGE sql VOLATILE AS $$
    SELECT c.id, c.status, coalesce(clock_timestamp() > c.due, false), c.takes_seeds, c.expected,
        c.commitments IS NOT NULL,
        (SELECT d.root FROM tables_deck d WHERE d.cut_id = c.id ORDER BY d.number DESC LIMIT 1),
        s.commitment, s.at_ms, s.signature, s.opened_ms, s.opened_signature,
        EXISTS (SELECT FROM tables_seedcommitment o
            WHERE o.cut_id = c.id AND o.commitment = p_commitment),
        EXISTS (SELECT FROM tables_seat t WHERE t.table_id = p_table AND t.player_id = p_player),
        (SELECT max(w.withheld_at) FROM tables_seedcommitment w
            WHERE w.player_id = p_player AND w.withheld_at IS NOT NULL),
        clock_timestamp()
    FROM tables_cut c
        LEFT JOIN tables_seedcommitment s ON s.cut_id = c.id AND s.player_id = p_player
    WHERE c.table_id = p_table AND c.number = p_number
$$;

-- outcome: 'taken', 'again' (the player or the commitment is there already), or the cut's status
-- when nothing is taken any more. is_last: nobody else is waited for.
CREATE FUNCTION tables_seed_commit(
    p_cut bigint, p_player bigint, p_commitment text, p_at_ms bigint, p_signature text
) RETURNS TABLE (outcome text, is_last boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_cut tables_cut%ROWTYPE;
BEGIN
    SELECT c.* INTO STRICT v_cut FROM tables_cut c WHERE c.id = p_cut FOR UPDATE;
    is_last := false;
    IF v_cut.status <> 'open' OR clock_timestamp() > v_cut.due THEN
        outcome := v_cut.status;
    ELSE
        INSERT INTO tables_seedcommitment
            (cut_id, player_id, commitment, at_ms, signature, opened_signature)
        VALUES (p_cut, p_player, p_commitment, p_at_ms, p_signature, '') ON CONFLICT DO NOTHING;
        outcome := CASE WHEN FOUND THEN 'taken' ELSE 'again' END;
        is_last := outcome = 'taken' AND jsonb_array_length(v_cut.expected) =
            (SELECT count(*) FROM tables_seedcommitment s WHERE s.cut_id = p_cut);
    END IF;
    RETURN NEXT;
END $$;

CREATE FUNCTION tables_seed_open(
    p_cut bigint, p_player bigint, p_sealed bytea, p_at_ms bigint, p_signature text
) RETURNS TABLE (outcome text, is_last boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_cut tables_cut%ROWTYPE;
BEGIN
    SELECT c.* INTO STRICT v_cut FROM tables_cut c WHERE c.id = p_cut FOR UPDATE;
    is_last := false;
    IF v_cut.status <> 'listed' OR clock_timestamp() > v_cut.due THEN
        outcome := v_cut.status;
    ELSE
        UPDATE tables_seedcommitment AS s
        SET sealed = p_sealed, opened_ms = p_at_ms, opened_signature = p_signature
        WHERE s.cut_id = p_cut AND s.player_id = p_player AND s.opened_ms IS NULL;
        outcome := CASE WHEN FOUND THEN 'taken' ELSE 'again' END;
        is_last := outcome = 'taken' AND NOT EXISTS (SELECT FROM tables_seedcommitment s
            WHERE s.cut_id = p_cut AND s.opened_ms IS NULL);
    END IF;
    RETURN NEXT;
END $$;
