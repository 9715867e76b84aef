-- A silence is judged from the last pulse of its own kind. What another kind's judgement has given
-- back since then does not count twice; deadlines that passed before that one's silence began were
-- not moved by it, and are now; so are those that passed after its end, however shortly.
CREATE OR REPLACE FUNCTION tables_judge_silence(
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

-- Windows for seeds move alike.
CREATE OR REPLACE FUNCTION tables_cuts_held() RETURNS trigger LANGUAGE plpgsql AS $$
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
