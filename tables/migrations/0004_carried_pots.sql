-- A hand may use several decks: dice are committed as they are needed.
DROP FUNCTION tables_lock(bigint);
DROP FUNCTION tables_read(bigint);

CREATE FUNCTION tables_read(p_table bigint) RETURNS TABLE (
    seq bigint, state text, turn_id bigint, turn text, deadline timestamptz, finished boolean,
    status text, hand_id bigint, hand_number bigint, definition jsonb, options jsonb, seats jsonb,
    decks jsonb, is_past boolean, in_play_account bigint, timing jsonb, away integer[])
LANGUAGE sql VOLATILE AS $$
    SELECT t.seq, t.state, t.turn_id, t.turn, t.deadline, t.finished, t.status::text, t.hand_id,
        t.hand_number, h.definition, h.options, h.seats,
        jsonb_build_array(h.deck_id) || h.more_decks,
        coalesce(clock_timestamp() > t.deadline, false), (t.accounts ->> 'in_play')::bigint,
        t.timing, ARRAY(SELECT s.number::integer FROM tables_seat s
            WHERE s.table_id = t.id AND s.status <> 'playing')
    FROM tables_table t LEFT JOIN tables_hand h ON h.id = t.hand_id
    WHERE t.id = p_table
$$;

-- Locks the table's row and then, in a second statement, reads it with its hand: a join in the
-- locking statement would return the hand as it stood before the wait.
CREATE FUNCTION tables_lock(p_table bigint) RETURNS TABLE (
    seq bigint, state text, turn_id bigint, turn text, deadline timestamptz, finished boolean,
    status text, hand_id bigint, hand_number bigint, definition jsonb, options jsonb, seats jsonb,
    decks jsonb, is_past boolean, in_play_account bigint, timing jsonb, away integer[])
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM 1 FROM tables_table t WHERE t.id = p_table FOR UPDATE;
    RETURN QUERY SELECT * FROM tables_read(p_table);
END $$;
