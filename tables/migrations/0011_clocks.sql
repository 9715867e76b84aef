-- The same turn with another deadline, told as one frame.
--   p_left_ms  from now; null: no deadline, the clock is frozen
--   p_clock    which clock runs now; it stands in the turn. null: the same as before
-- Empty when another write came first or nobody is asked.
CREATE FUNCTION tables_extend(
    p_table bigint, p_base bigint, p_events text, p_left_ms integer, p_clock text
) RETURNS TABLE (at_seq bigint, turn text, written_at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := clock_timestamp();
    v_deadline timestamptz := v_now + p_left_ms * interval '1 millisecond';
    v_hand bigint;
    v_turn text;
BEGIN
    UPDATE tables_table AS t SET
        seq = p_base + 1,
        deadline = v_deadline,
        turn = tables_turn(
            (t.turn::jsonb - 'turn_id' - 'deadline'
                || jsonb_strip_nulls(jsonb_build_object('clock', p_clock)))::text,
            t.turn_id, v_deadline),
        claimed = ''
    WHERE t.id = p_table AND t.seq = p_base AND t.turn IS NOT NULL
    RETURNING t.hand_id, t.turn INTO v_hand, v_turn;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO tables_event (table_id, seq, hand_id, events, turn, private_seats, at)
    VALUES (p_table, p_base + 1, v_hand, p_events, v_turn, '[]', v_now);
    at_seq := p_base + 1;
    turn := v_turn;
    written_at := v_now;
    RETURN NEXT;
END $$;

-- When a seat began to sit out, by the one clock, whoever made it so.
CREATE FUNCTION tables_seat_sits_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'sitting_out' THEN
        NEW.sat_out_at := NULL;
        NEW.orbits_away := 0;
    ELSIF TG_OP = 'INSERT' OR OLD.status <> 'sitting_out' THEN
        NEW.sat_out_at := clock_timestamp();
        NEW.orbits_away := 0;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_seat_sits_out BEFORE INSERT OR UPDATE OF status ON tables_seat
    FOR EACH ROW EXECUTE FUNCTION tables_seat_sits_out();

-- Never waits for a seat that is being changed: it is seen again a moment later.
CREATE FUNCTION tables_seats_seen(p_tables bigint[], p_players bigint[]) RETURNS void
LANGUAGE sql VOLATILE AS $$
    UPDATE tables_seat SET seen_at = clock_timestamp() WHERE id IN (
        SELECT s.id FROM tables_seat s JOIN unnest(p_tables, p_players) AS held (table_id, player_id)
            ON s.table_id = held.table_id AND s.player_id = held.player_id
        FOR UPDATE OF s SKIP LOCKED)
$$;

CREATE FUNCTION tables_away_too_long() RETURNS TABLE (table_id bigint, player_id bigint)
LANGUAGE sql VOLATILE AS $$
    SELECT s.table_id, s.player_id
    FROM tables_seat s JOIN tables_table t ON t.id = s.table_id
    WHERE s.status = 'sitting_out' AND (
        (coalesce((t.timing ->> 'away_s')::numeric, 0) > 0 AND s.sat_out_at
            < clock_timestamp() - (t.timing ->> 'away_s')::numeric * interval '1 second')
        OR (coalesce((t.timing ->> 'away_orbits')::numeric, 0) > 0
            AND s.orbits_away >= (t.timing ->> 'away_orbits')::numeric))
        AND NOT EXISTS (SELECT FROM tables_hand h WHERE h.id = t.hand_id
            AND h.seats -> s.number::text ->> 'player' = s.player_id::text)
    ORDER BY s.id
$$;

GRANT SELECT, INSERT, UPDATE ON tables_clockday TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
