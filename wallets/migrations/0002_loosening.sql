-- A player's protection is loosened a day later or by two persons, whoever writes; an exclusion
-- and a pause are never shortened.

-- Whether two persons agreed to that for the player, in this very moment.
CREATE FUNCTION ledger_agreed(deed text, who bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
RETURN EXISTS (
    SELECT FROM core_approval a
        WHERE a.kind = deed AND a.status = 'executed' AND a.approved_by_id <> a.asked_by_id
            AND (a.payload ->> 'player')::bigint = who
            AND a.executed_at > clock_timestamp() - interval '1 minute'
);

-- The three kinds of limit differ in the names of their figures alone. The application's clock
-- may be a minute from ours.
CREATE FUNCTION ledger_limit_loosens() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    now_at timestamptz := clock_timestamp();
    unit text := CASE WHEN to_jsonb(NEW) ? 'most_s' THEN 's' ELSE 'minor' END;
    was jsonb := to_jsonb(OLD);
    is_now jsonb := to_jsonb(NEW);
    in_force numeric;
    before numeric;
BEGIN
    -- No figure is no limit.
    in_force := coalesce((is_now ->> (
        CASE WHEN NEW.next_from <= now_at THEN 'next_' ELSE 'most_' END || unit
    ))::numeric, 'Infinity');
    before := coalesce((was ->> (
        CASE WHEN OLD.next_from <= now_at THEN 'next_' ELSE 'most_' END || unit
    ))::numeric, 'Infinity');
    IF (NEW.player_id, NEW.window_days) IS DISTINCT FROM (OLD.player_id, OLD.window_days)
        OR is_now ->> 'currency_id' IS DISTINCT FROM was ->> 'currency_id'
        OR is_now ->> 'kind' IS DISTINCT FROM was ->> 'kind'
        OR (
            in_force > before
            OR NEW.next_from > now_at AND NEW.next_from < now_at + interval '23 hours 59 minutes'
                AND (NEW.next_from IS DISTINCT FROM OLD.next_from
                    OR is_now -> ('next_' || unit) IS DISTINCT FROM was -> ('next_' || unit))
        ) AND NOT ledger_agreed('limit.override', NEW.player_id)
    THEN
        PERFORM ledger_refuse(
            'LG037',
            format('the limit of player %s is loosened a day later, or by two persons',
                NEW.player_id),
            jsonb_build_object('player', NEW.player_id)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER deposit_limit_loosens BEFORE UPDATE ON wallets_depositlimit
    FOR EACH ROW EXECUTE FUNCTION ledger_limit_loosens();
CREATE TRIGGER spend_limit_loosens BEFORE UPDATE ON wallets_spendlimit
    FOR EACH ROW EXECUTE FUNCTION ledger_limit_loosens();
CREATE TRIGGER time_limit_loosens BEFORE UPDATE ON wallets_timelimit
    FOR EACH ROW EXECUTE FUNCTION ledger_limit_loosens();

CREATE FUNCTION ledger_protection_holds() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF OLD.excluded_until > clock_timestamp()
            AND coalesce(NEW.excluded_until, '-infinity') < OLD.excluded_until
        OR OLD.cool_off_until > clock_timestamp()
            AND coalesce(NEW.cool_off_until, '-infinity') < OLD.cool_off_until
        OR OLD.state IN ('suspended', 'closed') AND NEW.state IN ('new', 'verified')
            AND NOT ledger_agreed('wallet.unblock', NEW.player_id)
    THEN
        PERFORM ledger_refuse(
            'LG037',
            format('the protection of player %s is not taken back before its time',
                NEW.player_id),
            jsonb_build_object('player', NEW.player_id)
        );
    END IF;
    RETURN NEW;
END $$;

-- Only for the columns it is about: play touches this row at every bet.
CREATE TRIGGER protection_holds
    BEFORE UPDATE OF excluded_until, cool_off_until, state ON wallets_playerlimits
    FOR EACH ROW EXECUTE FUNCTION ledger_protection_holds();
