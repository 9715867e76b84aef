-- Each step of a cut is read in one statement and written in another; a cut ends and the next one
-- begins in one. The log has the receipts too: docs/fairness.md 1.

-- A running cut with its decks and commitments, its row locked: the one that waits for the table's
-- next deal, or p_cut; null if there is none. What stands with it is read after the wait for the
-- lock. If it may be cut for a deal now, what the deal after it follows is told too. p_whole: the
-- table's row is locked before, and told with the hand in play, as far as a deal asks for them.
-- Each as one JSON object: to send thirty columns takes as long as all of the reading.
CREATE FUNCTION tables_cut_lock(
    p_table bigint, p_cut bigint, p_whole boolean,
    OUT of_table text, OUT of_hand text, OUT cut text, OUT ahead text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_cut tables_cut%ROWTYPE;
    v_hand bigint;
    v_count integer;
    v_decks json;
    v_given json;
BEGIN
    IF p_whole THEN
        SELECT own.hand_id, CASE WHEN own.certified THEN 1 ELSE own.decks_per_hand END,
            json_build_object('id', own.id, 'game', own.game,
                'options', own.options, 'timing', own.timing, 'currency', own.currency,
                'max_seats', own.max_seats, 'decks_per_hand', own.decks_per_hand,
                'reveal_ms', own.reveal_ms, 'certified', own.certified, 'status', own.status,
                'positions', own.positions, 'carry', own.carry, 'mix', own.mix,
                'next_first', own.next_first, 'paytable_id', own.paytable_id, 'seq', own.seq,
                'state', own.state, 'hand_id', own.hand_id, 'accounts', own.accounts)
            INTO v_hand, v_count, of_table FROM tables_table own WHERE own.id = p_table FOR UPDATE;
        SELECT json_build_object('id', hand.id, 'table_id', hand.table_id, 'number', hand.number,
                'game', hand.game, 'definition', hand.definition, 'options', hand.options,
                'paytable_id', hand.paytable_id, 'seats', hand.seats, 'button', hand.button,
                'carry', hand.carry)
            INTO of_hand FROM tables_hand hand WHERE hand.id = v_hand;
    END IF;
    IF p_cut IS NULL THEN
        SELECT c.* INTO v_cut FROM tables_cut c
            WHERE c.table_id = p_table AND c.hand_id IS NULL AND c.status = 'open' FOR UPDATE;
    ELSE
        -- By its key alone: a plan by the table's number would walk all its cuts.
        SELECT c.* INTO v_cut FROM tables_cut c WHERE c.id = p_cut FOR UPDATE;
    END IF;
    IF v_cut.id IS NULL OR v_cut.table_id <> p_table OR v_cut.status NOT IN ('open', 'listed') THEN
        RETURN;
    END IF;
    SELECT (SELECT json_agg(json_build_array(d.id, d.number, d.root, d.signature) ORDER BY d.number)
            FROM tables_deck d WHERE d.cut_id = v_cut.id),
        (SELECT json_agg(json_build_array(s.id, s.player_id, s.commitment,
                encode(s.sealed, 'hex'), s.opened_ms) ORDER BY s.id)
            FROM tables_seedcommitment s WHERE s.cut_id = v_cut.id)
        INTO v_decks, v_given;
    cut := json_build_object('id', v_cut.id, 'number', v_cut.number, 'hand_id', v_cut.hand_id,
        'purpose', v_cut.purpose, 'kind', v_cut.kind, 'contents', v_cut.contents,
        'takes_seeds', v_cut.takes_seeds, 'attempt', v_cut.attempt, 'expected', v_cut.expected,
        'status', v_cut.status, 'due', (extract(epoch FROM v_cut.due) * 1000000)::bigint,
        'is_over', coalesce(v_cut.claimed_due = v_cut.due, false), 'listed_ms', v_cut.listed_ms,
        'commitments', v_cut.commitments, 'list_signature', v_cut.list_signature,
        'decks', v_decks, 'given', coalesce(v_given, '[]'),
        'at', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    IF v_cut.purpose = 'deal' AND (v_cut.status = 'listed' OR v_given IS NULL) THEN
        IF v_count IS NULL THEN
            SELECT CASE WHEN own.certified THEN 1 ELSE own.decks_per_hand END
                INTO v_count FROM tables_table own WHERE own.id = p_table;
        END IF;
        ahead := tables_cuts_ahead(p_table, v_count, true, v_cut.id);
    END IF;
END $$;

-- What the table's next cut follows; its row is locked by the caller. A JSON array: kind and
-- contents of the cut that waits for the next deal, the numbers of the last cut and of the last
-- deck, that one's root, and the ids of the decks to be committed, null for the next deal while its
-- decks wait already. p_but: a cut that waits no more.
CREATE FUNCTION tables_cuts_ahead(
    p_table bigint, p_decks integer, p_is_deal boolean, p_but bigint
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT json_build_array(w.kind, w.contents, coalesce(c.number, 0),
            coalesce(d.number, 0), d.root, CASE WHEN w.kind IS NULL OR NOT p_is_deal THEN
                ARRAY(SELECT nextval('tables_deck_id_seq') FROM generate_series(1, p_decks)) END)
        FROM (SELECT) AS one
            LEFT JOIN tables_cut w ON w.table_id = p_table AND w.hand_id IS NULL
                AND w.status = 'open' AND w.id IS DISTINCT FROM p_but
            LEFT JOIN LATERAL (SELECT l.number FROM tables_cut l WHERE l.table_id = p_table
                ORDER BY l.number DESC LIMIT 1) AS c ON true
            LEFT JOIN LATERAL (SELECT l.number, l.root FROM tables_deck l
                WHERE l.table_id = p_table ORDER BY l.number DESC LIMIT 1) AS d ON true);
END $$;

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
    PERFORM log_append('cut.listed', 'table:' || v_table, NULL, p_facts || jsonb_build_object(
        'receipts', (SELECT jsonb_agg(jsonb_build_array(s.at_ms, s.signature) ORDER BY s.id)
            FROM tables_seedcommitment s WHERE s.cut_id = p_cut)));
END $$;

-- p_dealt: the deck that is dealt, null of a void cut; the hand that waits for it has it from here
-- on. p_withheld: the commitments that were not opened, whose players are barred for a while.
-- p_next: the cut of the next deal, published with this one's end: number, kind, contents,
-- takes_seeds, decks and facts as of tables_cut_publish; null if none is.
CREATE FUNCTION tables_cut_end(
    p_cut bigint, p_hand bigint, p_mode text, p_reason text, p_seeds jsonb, p_opened jsonb,
    p_root bigint, p_joined text, p_ended_ms bigint, p_signature text, p_dealt bigint,
    p_dealing jsonb, p_withheld bigint[], p_facts jsonb, p_next jsonb
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table bigint;
    v_purpose text;
    v_listed_ms bigint;
    v_facts jsonb := p_facts;
BEGIN
    UPDATE tables_cut AS c SET hand_id = p_hand, mode = p_mode, reason = p_reason,
        status = CASE WHEN p_dealt IS NULL THEN 'void' ELSE 'dealt' END, seeds = p_seeds,
        opened_ms = p_opened, root_number = p_root, joined = p_joined, ended_ms = p_ended_ms,
        end_signature = p_signature, due = NULL
    WHERE c.id = p_cut RETURNING c.table_id, c.purpose, c.listed_ms
        INTO STRICT v_table, v_purpose, v_listed_ms;
    UPDATE tables_deck AS d SET
        status = CASE WHEN p_dealt IS NULL THEN 'void' WHEN d.id = p_dealt THEN 'dealt'
            ELSE 'opened' END,
        dealing = CASE WHEN d.id = p_dealt THEN p_dealing END
    WHERE d.cut_id = p_cut;
    IF p_dealt IS NOT NULL AND v_purpose = 'deal' THEN
        UPDATE tables_hand AS h SET deck_id = p_dealt WHERE h.id = p_hand;
    ELSIF p_dealt IS NOT NULL AND v_purpose = 'dice' THEN
        UPDATE tables_hand AS h SET more_decks = h.more_decks || to_jsonb(p_dealt)
            WHERE h.id = p_hand;
    END IF;
    IF p_withheld <> '{}' THEN
        UPDATE tables_seedcommitment AS s SET withheld_at = clock_timestamp()
            WHERE s.id = ANY (p_withheld);
    END IF;
    IF v_listed_ms IS NOT NULL THEN
        v_facts := v_facts || jsonb_build_object('opened', (SELECT
            jsonb_agg(jsonb_build_array(s.opened_ms, s.opened_signature) ORDER BY s.id)
            FROM tables_seedcommitment s WHERE s.cut_id = p_cut));
    ELSIF p_dealt IS NULL THEN  -- void before its list: what had been promised all the same
        v_facts := v_facts || jsonb_build_object('receipts', (SELECT coalesce(
            jsonb_agg(jsonb_build_array(s.commitment, s.at_ms, s.signature) ORDER BY s.id), '[]')
            FROM tables_seedcommitment s WHERE s.cut_id = p_cut));
    END IF;
    PERFORM log_append('cut.ended', 'table:' || v_table, NULL, v_facts);
    IF p_next IS NOT NULL THEN
        PERFORM tables_cut_publish(v_table, (p_next ->> 'number')::bigint, NULL, 'deal',
            p_next ->> 'kind', p_next -> 'contents', (p_next ->> 'takes_seeds')::boolean, NULL, 0,
            NULL, p_next -> 'decks', p_next -> 'facts');
    END IF;
END $$;

-- What a client's commitment or seed is judged by, read without a lock: nobody's cut waits for
-- a client that is refused. What is written after takes the lock and looks again. A JSON array, its
-- instants in microseconds since 1970. PL/pgSQL, for it is planned once for all its calls.
CREATE FUNCTION tables_seed_look(
    p_table bigint, p_number bigint, p_player bigint, p_commitment text
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT json_build_array(c.id, c.status,
            coalesce(clock_timestamp() > c.due, false), c.takes_seeds, c.expected,
            c.commitments IS NOT NULL,
            (SELECT d.root FROM tables_deck d WHERE d.cut_id = c.id ORDER BY d.number DESC LIMIT 1),
            s.commitment, s.at_ms, s.signature, s.opened_ms, s.opened_signature,
            EXISTS (SELECT FROM tables_seedcommitment o
                WHERE o.cut_id = c.id AND o.commitment = p_commitment),
            EXISTS (SELECT FROM tables_seat p
                WHERE p.table_id = p_table AND p.player_id = p_player),
            (SELECT (extract(epoch FROM max(w.withheld_at)) * 1000000)::bigint
                FROM tables_seedcommitment w
                WHERE w.player_id = p_player AND w.withheld_at IS NOT NULL),
            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
        FROM tables_cut c
            -- LIMIT has the cut found first: a plan made of few seeds would look at all of them.
            LEFT JOIN LATERAL (SELECT g.* FROM tables_seedcommitment g
                WHERE g.cut_id = c.id AND g.player_id = p_player LIMIT 1) AS s ON true
        WHERE c.table_id = p_table AND c.number = p_number);
END $$;

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

-- Seeds, commitments and signatures are random: to compress them takes time and saves no room.
ALTER TABLE tables_cut SET (toast_tuple_target = 8160);
ALTER TABLE core_logentry SET (toast_tuple_target = 8160);
