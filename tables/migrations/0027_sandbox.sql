-- Scripted hands and set clocks, for play money and in a sandbox alone.

CREATE FUNCTION tables_require_sandbox(p_table bigint) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT core_sandbox_is_open() OR NOT EXISTS (
        SELECT FROM tables_table t JOIN wallets_account a
            ON a.id = (t.accounts ->> 'in_play')::bigint
            WHERE t.id = p_table AND t.currency = 'XTS' AND a.currency_id = 'XTS')
    THEN
        RAISE EXCEPTION 'table %: only play money of a sandbox is dealt by a script', p_table
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END $$;

CREATE FUNCTION tables_script_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tables_require_sandbox(NEW.table_id);
    RETURN NEW;
END $$;
CREATE TRIGGER tables_script_guard BEFORE INSERT OR UPDATE ON tables_deckscript
    FOR EACH ROW EXECUTE FUNCTION tables_script_guard();
CREATE TRIGGER tables_cut_script_guard BEFORE INSERT OR UPDATE ON tables_cut
    FOR EACH ROW WHEN (NEW.mode = 'scripted') EXECUTE FUNCTION tables_script_guard();
-- How a deck was cut is said once.
CREATE FUNCTION tables_cut_mode_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'cut %: it was scripted, and stays so', OLD.id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER tables_cut_mode_stands BEFORE UPDATE ON tables_cut
    FOR EACH ROW WHEN (OLD.mode = 'scripted' AND NEW.mode <> 'scripted')
    EXECUTE FUNCTION tables_cut_mode_stands();

-- As tables_extend, whoever's clock runs, at a table of a sandbox alone.
CREATE FUNCTION tables_clock_set(p_table bigint, p_base bigint, p_events text, p_left_ms integer)
RETURNS TABLE (at_seq bigint, turn text, written_at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM tables_require_sandbox(p_table);
    RETURN QUERY SELECT * FROM tables_extend(p_table, p_base, p_events, p_left_ms, NULL);
END $$;

REVOKE ALL ON tables_deckscript FROM PUBLIC, app;
GRANT SELECT, INSERT ON tables_deckscript TO app;
GRANT UPDATE (status, hand_id, fault, dealt_at) ON tables_deckscript TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
