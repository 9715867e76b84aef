-- Verdicts are history.
CREATE TRIGGER tables_interruption_stands BEFORE UPDATE OR DELETE ON tables_interruption
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();
CREATE TRIGGER tables_interruption_not_truncated BEFORE TRUNCATE ON tables_interruption
    FOR EACH STATEMENT EXECUTE FUNCTION tables_history_stands();

-- Every hand whose clock was held by a silence of the house goes on from what is stored.
CREATE FUNCTION tables_silence_ruled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tables_interruption (table_id, hand_id, code, verdict, detail, at)
    SELECT e.table_id, e.hand_id, 'house_silent', 'restored', NEW.kind, NEW.ended
    FROM tables_table t JOIN tables_event e ON e.table_id = t.id AND e.seq = t.seq
    WHERE t.turn IS NOT NULL AND e.at = NEW.ended AND e.hand_id IS NOT NULL
        AND e.events LIKE '[{"type":"clocks_held"%';
    RETURN NULL;
END $$;
CREATE TRIGGER tables_silence_ruled AFTER UPDATE OF tables ON tables_clocksheld
    FOR EACH ROW WHEN (NEW.tables > 0) EXECUTE FUNCTION tables_silence_ruled();

GRANT SELECT, INSERT ON tables_interruption TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
