-- A version of the paytables is frozen when approval is asked for, and a round keeps its version.

CREATE FUNCTION tables_paytable_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        -- Only what the house itself ships comes approved; a person's begins as a draft.
        IF NOT (NEW.status = 'draft'
            OR NEW.status = 'approved' AND NEW.author_id IS NULL AND NEW.approved_by_id IS NULL)
        THEN
            RAISE EXCEPTION 'a version of the paytables begins as a draft'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.status NOT IN ('draft', 'priced') AND
        (NEW.game, NEW.name, NEW.version, NEW.content, NEW.content_hash, NEW.prices, NEW.author_id)
        IS DISTINCT FROM
        (OLD.game, OLD.name, OLD.version, OLD.content, OLD.content_hash, OLD.prices, OLD.author_id)
    THEN
        RAISE EXCEPTION 'version % of the paytables is % and does not change', OLD.id, OLD.status
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
        ('draft', 'priced'), ('priced', 'draft'), ('priced', 'asked'), ('asked', 'priced'),
        ('asked', 'approved'), ('asked', 'refused')
    ) OR NEW.status = 'approved' AND OLD.status = 'asked' AND NEW.approved_by_id IS NULL THEN
        RAISE EXCEPTION 'version % of the paytables cannot go from % to %',
            OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.status = 'priced' AND NEW.prices IS NULL THEN
        RAISE EXCEPTION 'version % of the paytables has no prices', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_paytable_stands BEFORE INSERT OR UPDATE ON tables_paytable
    FOR EACH ROW EXECUTE FUNCTION tables_paytable_stands();
CREATE TRIGGER tables_paytable_kept BEFORE DELETE ON tables_paytable
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();
CREATE TRIGGER tables_paytable_not_truncated BEFORE TRUNCATE ON tables_paytable
    FOR EACH STATEMENT EXECUTE FUNCTION tables_history_stands();

CREATE FUNCTION tables_paytable_is_approved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tables_paytable WHERE id = NEW.paytable_id AND status = 'approved';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'version % of the paytables is not approved', NEW.paytable_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_table_paytable BEFORE INSERT OR UPDATE OF paytable_id ON tables_table
    FOR EACH ROW WHEN (NEW.paytable_id IS NOT NULL)
    EXECUTE FUNCTION tables_paytable_is_approved();
CREATE TRIGGER tables_hand_paytable BEFORE INSERT ON tables_hand
    FOR EACH ROW WHEN (NEW.paytable_id IS NOT NULL)
    EXECUTE FUNCTION tables_paytable_is_approved();

CREATE FUNCTION tables_hand_keeps_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'hand % ends by the rules it began with', OLD.id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER tables_hand_keeps_rules BEFORE UPDATE OF options, definition, paytable_id
    ON tables_hand FOR EACH ROW WHEN (
        OLD.paytable_id IS NOT NULL AND (
            OLD.paytable_id IS DISTINCT FROM NEW.paytable_id
            OR OLD.options IS DISTINCT FROM NEW.options
            OR OLD.definition IS DISTINCT FROM NEW.definition))
    EXECUTE FUNCTION tables_hand_keeps_rules();

GRANT SELECT, INSERT, UPDATE ON tables_paytable TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
