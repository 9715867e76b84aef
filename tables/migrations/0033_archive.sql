-- Events of hands that are over leave the table that play writes to, one compact row a hand; and
-- the way from a player to his hands.

-- Compressed, but beside the rest of its row: one page is read for a hand, not one for each of its
-- events.
ALTER TABLE tables_handarchive ALTER COLUMN events SET STORAGE MAIN;
ALTER TABLE tables_handarchive ALTER COLUMN private SET STORAGE MAIN;

-- The rows of packed hands as they were, to the byte.
CREATE FUNCTION tables_events_packed(p_hands bigint[]) RETURNS TABLE (
    id bigint, table_id bigint, seq bigint, hand_id bigint, action_id uuid, events text, turn text,
    private bytea, private_seats jsonb, at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT (one.facts ->> 0)::bigint, a.table_id, (one.facts ->> 1)::bigint, a.hand_id,
        (one.facts ->> 2)::uuid, one.facts ->> 3, one.facts ->> 4, a.private[one.nth],
        (one.facts -> 5)::jsonb,
        timestamptz 'epoch' + (one.facts ->> 6)::bigint * interval '1 microsecond'
    FROM tables_handarchive a
        CROSS JOIN LATERAL json_array_elements(a.events::json) WITH ORDINALITY AS one (facts, nth)
    WHERE a.hand_id = ANY(p_hands)
$$;

-- The events of hands, wherever they lie. What is told of a hand after it was packed lies apart.
CREATE FUNCTION tables_events_of(p_hands bigint[]) RETURNS TABLE (
    id bigint, table_id bigint, seq bigint, hand_id bigint, action_id uuid, events text, turn text,
    private bytea, private_seats jsonb, at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT e.id, e.table_id, e.seq, e.hand_id, e.action_id, e.events, e.turn, e.private,
        e.private_seats, e.at
    FROM tables_event e WHERE e.hand_id = ANY(p_hands)
    UNION ALL SELECT * FROM tables_events_packed(p_hands)
$$;

-- An event goes only where the same stands in the archive, whoever takes it away.
CREATE FUNCTION tables_event_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT g.id, g.table_id, g.seq, g.hand_id, g.action_id, g.events, g.turn, g.private,
            g.private_seats, g.at
        FROM gone g
        EXCEPT SELECT * FROM tables_events_packed(
            ARRAY(SELECT DISTINCT g.hand_id FROM gone g WHERE g.hand_id IS NOT NULL)))
    THEN
        RAISE EXCEPTION '% is history and cannot be changed', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER tables_event_stands ON tables_event;
CREATE TRIGGER tables_event_moved AFTER DELETE ON tables_event
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tables_event_moved();

-- Pack those of p_hands that ended before p_before, are paid or void, sealed, and not the newest of
-- their table, whose events the house still looks at. A seal that came an hour later covers all
-- that a hand has left in log and ledger. Returns the hands packed.
CREATE FUNCTION tables_hands_pack(p_hands bigint[], p_before timestamptz) RETURNS SETOF bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH sealed AS (
        SELECT l.at FROM core_logentry l
        WHERE l.id <= (SELECT max(s.to_id) FROM core_logseal s) ORDER BY l.id DESC LIMIT 1
    ), fit AS (
        SELECT h.id FROM tables_hand h JOIN tables_table t ON t.id = h.table_id
        WHERE h.id = ANY(p_hands) AND h.status IN ('settled', 'voided')
            AND h.settled_at < p_before AND h.number < t.hand_number
            AND h.settled_at < (SELECT at - interval '1 hour' FROM sealed)
            AND NOT EXISTS (SELECT FROM tables_handarchive a WHERE a.hand_id = h.id)
    ), moved AS (
        DELETE FROM tables_event e USING fit WHERE e.hand_id = fit.id RETURNING e.*
    )
    INSERT INTO tables_handarchive
            (hand_id, table_id, rows, first_seq, last_seq, events, private, packed_at)
        SELECT hand_id, table_id, count(*), min(seq), max(seq),
            json_agg(json_build_array(id, seq, action_id, events, turn, private_seats,
                (extract(epoch FROM at) * 1000000)::bigint) ORDER BY seq)::text,
            array_agg(private ORDER BY seq), clock_timestamp()
        FROM moved GROUP BY hand_id, table_id
    RETURNING hand_id
$$;
REVOKE ALL ON FUNCTION tables_hands_pack(bigint[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tables_hands_pack(bigint[], timestamptz) TO app;

-- Hands whose events still lie one by one, in the order of their ids, after p_after.
CREATE FUNCTION tables_hands_unpacked(p_after bigint, p_most integer) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
    WITH RECURSIVE next AS (
        (SELECT e.hand_id, 1 AS nth FROM tables_event e
            WHERE e.hand_id > p_after ORDER BY e.hand_id LIMIT 1)
        UNION ALL
        SELECT (SELECT e.hand_id FROM tables_event e
            WHERE e.hand_id > next.hand_id ORDER BY e.hand_id LIMIT 1), next.nth + 1
        FROM next WHERE next.hand_id IS NOT NULL AND next.nth < p_most
    )
    SELECT hand_id FROM next WHERE hand_id IS NOT NULL
$$;

-- Only the ciphertexts may be wrapped anew: as many as there were, none where none was.
CREATE FUNCTION tables_archive_rewrapped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(NEW) - 'private') IS DISTINCT FROM (to_jsonb(OLD) - 'private')
        OR ARRAY(SELECT one IS NULL FROM unnest(NEW.private) AS one)
            <> ARRAY(SELECT one IS NULL FROM unnest(OLD.private) AS one)
    THEN
        RAISE EXCEPTION '% is history and cannot be changed', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_handarchive_stands BEFORE DELETE ON tables_handarchive
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();
CREATE TRIGGER tables_handarchive_rewrapped BEFORE UPDATE ON tables_handarchive
    FOR EACH ROW EXECUTE FUNCTION tables_archive_rewrapped();
CREATE TRIGGER tables_handarchive_not_truncated BEFORE TRUNCATE ON tables_handarchive
    FOR EACH STATEMENT EXECUTE FUNCTION tables_history_stands();

CREATE FUNCTION tables_hand_dealt() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO tables_dealt (player_id, hand_id)
        SELECT DISTINCT (seat.facts ->> 'player')::bigint, NEW.id
        FROM jsonb_each(NEW.seats) AS seat (number, facts)
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER tables_hand_dealt AFTER INSERT OR UPDATE OF seats ON tables_hand
    FOR EACH ROW EXECUTE FUNCTION tables_hand_dealt();

-- After rows were brought in under their own numbers: new ones begin behind them.
CREATE FUNCTION tables_ids_taken() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['core_user', 'tables_paytable', 'tables_table', 'tables_hand',
        'tables_event', 'tables_cut', 'tables_deck', 'tables_seedcommitment']
    LOOP
        EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, ''id''), greatest('
            'nextval(pg_get_serial_sequence(%L, ''id'')), (SELECT max(id) FROM %I)))',
            name, name, name);
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION tables_ids_taken() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tables_ids_taken() TO app;

GRANT SELECT, UPDATE (private) ON tables_handarchive TO app;
GRANT SELECT ON tables_dealt TO app;
GRANT DELETE ON tables_origin TO app;
