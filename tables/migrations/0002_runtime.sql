-- The run-time's writes: one round trip, one transaction, one sequence number.

CREATE FUNCTION tables_turn(p_turn text, p_turn_id bigint, p_deadline timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$
    -- p_turn is a JSON object without these two: they are known only here.
    SELECT '{"turn_id":' || p_turn_id || ',"deadline":'
        || coalesce('"' || to_char(p_deadline AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')
        || CASE WHEN p_turn = '{}' THEN '}' ELSE ',' || substr(p_turn, 2) END
$$;

-- Writes one event row and, unless p_state is null, the hand's new state ('' clears it).
--   p_base      the sequence number the caller decided upon; 0 rows match if another came first
--   p_turn_mode 'keep': the window stays; 'open': p_turn opens, p_deadline_ms from now (null: no
--               limit); 'none': nobody is asked any more
--   p_on_time   the write counts only while the running window is open, grace included
--   p_stake     array of stakes packed by wallets for ledger_stake(), or null
--   p_result    the hand is over with this result
-- code: 0 written, 1 replay of the same action, 2 stale base, 3 late.
CREATE FUNCTION tables_act(
    p_table bigint, p_base bigint, p_action uuid, p_events text, p_private bytea,
    p_private_seats text, p_state text, p_turn_mode text, p_turn text, p_deadline_ms integer,
    p_on_time boolean, p_grace_ms integer, p_stake text, p_result text, p_view text
) RETURNS TABLE (code integer, at_seq bigint, turn text, turn_id bigint, written_at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := clock_timestamp();
    v_deadline timestamptz := v_now + p_deadline_ms * interval '1 millisecond';
    v_hand bigint;
    v_turn text;
    v_turn_id bigint;
BEGIN
    written_at := v_now;
    UPDATE tables_table AS t SET
        seq = p_base + 1,
        state = CASE p_state WHEN '' THEN NULL ELSE coalesce(p_state, t.state) END,
        turn_id = CASE p_turn_mode WHEN 'open' THEN p_base + 1 ELSE t.turn_id END,
        turn = CASE p_turn_mode
            WHEN 'open' THEN tables_turn(p_turn, p_base + 1, v_deadline)
            WHEN 'none' THEN NULL ELSE t.turn END,
        deadline = CASE p_turn_mode
            WHEN 'open' THEN v_deadline WHEN 'none' THEN NULL ELSE t.deadline END,
        finished = t.finished OR p_result IS NOT NULL,
        -- The writer enqueues the settlement itself; the clock looks again when the lease is out.
        claimed = CASE WHEN p_result IS NOT NULL THEN 'settle:' || t.hand_id ELSE t.claimed END,
        claimed_at = CASE WHEN p_result IS NOT NULL THEN v_now ELSE t.claimed_at END
    WHERE t.id = p_table AND t.seq = p_base
        AND (p_action IS NULL OR NOT EXISTS (
            SELECT FROM tables_event e WHERE e.table_id = p_table AND e.action_id = p_action))
        AND (NOT p_on_time OR t.deadline IS NULL
            OR v_now <= t.deadline + p_grace_ms * interval '1 millisecond')
    RETURNING t.hand_id, t.turn, t.turn_id INTO v_hand, v_turn, v_turn_id;
    IF NOT FOUND THEN
        SELECT e.seq INTO at_seq FROM tables_event e
            WHERE e.table_id = p_table AND e.action_id = p_action;
        IF FOUND THEN
            code := 1;
        ELSE
            SELECT t.seq, t.turn_id INTO at_seq, turn_id FROM tables_table t WHERE t.id = p_table;
            code := CASE WHEN at_seq = p_base THEN 3 ELSE 2 END;
        END IF;
        RETURN NEXT;
        RETURN;
    END IF;
    IF p_stake IS NOT NULL THEN
        PERFORM ledger_stake(stake) FROM jsonb_array_elements(p_stake::jsonb) AS stake;
    END IF;
    INSERT INTO tables_event
        (table_id, seq, hand_id, action_id, events, turn, private, private_seats, at)
    VALUES (p_table, p_base + 1, v_hand, p_action, p_events,
        CASE p_turn_mode WHEN 'open' THEN v_turn END, p_private, p_private_seats::jsonb, v_now);
    IF p_result IS NOT NULL THEN
        UPDATE tables_hand SET status = 'finished', result = p_result::jsonb,
            final_view = p_view::jsonb
            WHERE id = v_hand AND status = 'open';
    END IF;
    code := 0;
    at_seq := p_base + 1;
    turn := CASE p_turn_mode WHEN 'open' THEN v_turn END;
    turn_id := v_turn_id;
    RETURN NEXT;
END $$;

-- Locks the table's row and then, in a second statement, reads it with its hand: a join in the
-- locking statement would return the hand as it stood before the wait.
CREATE FUNCTION tables_lock(p_table bigint) RETURNS TABLE (
    seq bigint, state text, turn_id bigint, turn text, deadline timestamptz, finished boolean,
    status text, hand_id bigint, hand_number bigint, definition jsonb, options jsonb, seats jsonb,
    deck_id bigint, is_past boolean, in_play_account bigint, timing jsonb, away integer[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM 1 FROM tables_table t WHERE t.id = p_table FOR UPDATE;
    RETURN QUERY SELECT * FROM tables_read(p_table);
END $$;

CREATE FUNCTION tables_read(p_table bigint) RETURNS TABLE (
    seq bigint, state text, turn_id bigint, turn text, deadline timestamptz, finished boolean,
    status text, hand_id bigint, hand_number bigint, definition jsonb, options jsonb, seats jsonb,
    deck_id bigint, is_past boolean, in_play_account bigint, timing jsonb, away integer[])
LANGUAGE sql VOLATILE AS $$
    SELECT t.seq, t.state, t.turn_id, t.turn, t.deadline, t.finished, t.status::text, t.hand_id,
        t.hand_number, h.definition, h.options, h.seats, h.deck_id,
        coalesce(clock_timestamp() > t.deadline, false), (t.accounts ->> 'in_play')::bigint,
        t.timing, ARRAY(SELECT s.number::integer FROM tables_seat s
            WHERE s.table_id = t.id AND s.status <> 'playing')
    FROM tables_table t LEFT JOIN tables_hand h ON h.id = t.hand_id
    WHERE t.id = p_table
$$;

-- A new state without the next seq would let two processes believe different hands.
CREATE FUNCTION tables_state_moves_with_seq() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq NOT IN (OLD.seq, OLD.seq + 1) OR
        (NEW.seq = OLD.seq AND (NEW.state IS DISTINCT FROM OLD.state
            OR NEW.turn IS DISTINCT FROM OLD.turn)) THEN
        RAISE EXCEPTION 'table %: state may change only with seq + 1', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_state_moves_with_seq BEFORE UPDATE ON tables_table
    FOR EACH ROW EXECUTE FUNCTION tables_state_moves_with_seq();

CREATE FUNCTION tables_history_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is history and cannot be changed', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER tables_event_stands BEFORE UPDATE OR DELETE ON tables_event
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();
CREATE TRIGGER tables_event_not_truncated BEFORE TRUNCATE ON tables_event
    FOR EACH STATEMENT EXECUTE FUNCTION tables_history_stands();

-- A pulse says that its kind of process is alive. The first one after a silence first moves the
-- deadlines that were running when it began: the house's own silence costs nobody a decision.
-- Returns how many tables were moved (0 as a rule).
CREATE FUNCTION tables_pulse(p_kind text, p_silence_ms integer, p_extra_ms integer)
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_moved integer;
BEGIN
    v_moved := tables_judge_silence(p_kind, p_silence_ms, p_extra_ms);
    UPDATE tables_pulse SET at = clock_timestamp() WHERE kind = p_kind;
    RETURN v_moved;
END $$;

-- A silence is judged from the last pulse of its own kind. What another kind's judgement has given
-- back since then does not count twice; deadlines that passed before that one's silence began were
-- not moved by it, and are now; so are those that passed after its end, however shortly.
CREATE FUNCTION tables_judge_silence(
    p_kind text, p_silence_ms integer, p_extra_ms integer
) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_silence interval := p_silence_ms * interval '1 millisecond';
    v_pulse timestamptz;
    v_began timestamptz;
    v_known timestamptz;
    v_since timestamptz;
    v_now timestamptz;
    v_by interval;
    v_moved integer := 0;
    v_table record;
    v_deadline timestamptz;
    v_turn text;
BEGIN
    SELECT at INTO v_pulse FROM tables_pulse WHERE kind = p_kind FOR UPDATE;
    SELECT max(ended) INTO v_known FROM tables_clocksheld WHERE ended > v_pulse;
    -- As far as judgements that follow on each other have given back.
    v_since := v_pulse;
    WHILE v_since IS NOT NULL LOOP
        v_began := v_since;
        SELECT max(ended) INTO v_since FROM tables_clocksheld
            WHERE began <= v_began AND ended > v_began;
    END LOOP;
    v_now := clock_timestamp();
    IF v_pulse IS NULL OR v_now - v_pulse <= v_silence
        OR v_now - v_began <= v_silence AND NOT EXISTS (
            SELECT FROM tables_table
                WHERE deadline >= v_began AND deadline <= v_now AND turn IS NOT NULL)
    THEN
        RETURN 0;
    END IF;
    INSERT INTO tables_clocksheld (kind, began, ended, tables) VALUES (p_kind, v_began, v_now, 0)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    FOR v_table IN
        SELECT id, seq, turn, turn_id, deadline, hand_id FROM tables_table
        WHERE deadline >= v_began AND turn IS NOT NULL ORDER BY id FOR UPDATE
    LOOP
        -- What was moved by then lies behind the end of that judgement.
        v_since := CASE WHEN v_table.deadline >= v_known THEN v_known ELSE v_began END;
        CONTINUE WHEN v_now - v_since <= v_silence AND v_table.deadline > v_now;
        v_by := v_now - v_since + p_extra_ms * interval '1 millisecond';
        v_deadline := v_table.deadline + v_by;
        v_turn := tables_turn(
            (v_table.turn::jsonb - 'turn_id' - 'deadline')::text, v_table.turn_id, v_deadline);
        UPDATE tables_table SET deadline = v_deadline, turn = v_turn, seq = v_table.seq + 1,
            claimed = '' WHERE id = v_table.id;
        INSERT INTO tables_event (table_id, seq, hand_id, events, turn, private_seats, at)
        VALUES (v_table.id, v_table.seq + 1, v_table.hand_id,
            '[{"type":"clocks_held","public":{"by_ms":'
                || floor(extract(epoch FROM v_by) * 1000)::bigint || '}}]',
            v_turn, '[]', v_now);
        v_moved := v_moved + 1;
    END LOOP;
    UPDATE tables_clocksheld SET tables = v_moved WHERE kind = p_kind AND began = v_began;
    RETURN v_moved;
END $$;

-- What is due now, claimed for p_lease_ms: turns whose time is up (only when both kinds of
-- process were alive after the deadline), finished hands, hands to deal.
CREATE FUNCTION tables_claim_due(p_grace_ms integer, p_lease_ms integer)
RETURNS TABLE (table_id bigint, work text, number bigint, again boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_alive timestamptz;
    v_now timestamptz := clock_timestamp();
BEGIN
    SELECT min(p.at) INTO v_alive FROM tables_pulse p;
    RETURN QUERY
    WITH due AS (
        SELECT t.id, w.work, w.number, w.work || ':' || w.number AS mark, t.claimed AS former
        FROM tables_table t CROSS JOIN LATERAL (
            SELECT 'settle' AS work, t.hand_id AS number WHERE t.finished
            UNION ALL
            SELECT 'expire', t.turn_id WHERE NOT t.finished AND t.turn IS NOT NULL
                AND t.deadline + p_grace_ms * interval '1 millisecond' < v_now
                AND t.deadline < v_alive
            UNION ALL
            SELECT 'deal', t.hand_number + 1 WHERE t.hand_id IS NULL
                AND t.next_deal_at <= v_now AND t.status = 'open'
        ) AS w
        WHERE (t.deadline < v_now OR t.finished OR t.next_deal_at <= v_now)
            AND (t.claimed <> w.work || ':' || w.number
                OR t.claimed_at < v_now - p_lease_ms * interval '1 millisecond')
        ORDER BY t.id FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE tables_table AS t SET claimed = due.mark, claimed_at = v_now
    FROM due WHERE t.id = due.id
    RETURNING t.id, due.work, due.number, due.former = due.mark;
END $$;

INSERT INTO tables_pulse (kind, at) VALUES ('web', clock_timestamp()), ('clock', clock_timestamp());

ALTER TABLE tables_table SET (fillfactor = 50);

GRANT SELECT, INSERT, UPDATE ON tables_table, tables_hand, tables_deck TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON tables_seat TO app;
GRANT SELECT, INSERT ON tables_event, tables_handsecret TO app;
GRANT SELECT, UPDATE ON tables_pulse TO app;
GRANT SELECT, INSERT, UPDATE ON tables_clocksheld TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
