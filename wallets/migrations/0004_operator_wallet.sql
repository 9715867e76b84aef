-- A call to an operator's wallet and its pending transfer end together, once, the same way.

CREATE FUNCTION operator_call_guard() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    pending record;
    way text := NULL;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT t.kind, t.phase, t.resolves_id, max(l.amount_minor) AS amount,
                max(l.currency) AS currency, max(a.player_id) AS player
            INTO pending
            FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
                JOIN wallets_account a ON a.id = l.account_id
            WHERE t.id = NEW.transfer_id GROUP BY t.id;
        IF NEW.status <> 'asked' OR pending.phase IS DISTINCT FROM 'pending'
            OR pending.kind <> 'operator_' || NEW.way OR pending.amount <> NEW.amount_minor
            OR pending.currency <> NEW.currency_id OR pending.player <> NEW.player_id
        THEN
            PERFORM ledger_refuse(
                'LG041', 'the call is not what its transfer sets aside',
                jsonb_build_object('call', NEW.id)
            );
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.status <> OLD.status THEN
        SELECT r.phase INTO way FROM wallets_transfer r WHERE r.resolves_id = NEW.transfer_id;
        IF OLD.status IN ('done', 'refused', 'undone')
            OR NEW.status = 'undoing' AND (OLD.status <> 'asked' OR OLD.way <> 'in')
            OR NEW.status = 'undone' AND OLD.status <> 'undoing'
            OR NEW.status = 'done' AND OLD.status <> 'asked'
            OR NEW.status = 'refused' AND OLD.status <> 'asked'
            OR NEW.status = 'asked'
            OR way IS DISTINCT FROM (CASE
                WHEN NEW.status = 'done' THEN 'post'
                WHEN NEW.status IN ('refused', 'undone') THEN 'void'
            END)
        THEN
            PERFORM ledger_refuse(
                'LG041',
                format('a call that is %s does not become %s', OLD.status, NEW.status),
                jsonb_build_object('call', NEW.id)
            );
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER operator_call_guard BEFORE INSERT OR UPDATE ON wallets_operatorcall
    FOR EACH ROW EXECUTE FUNCTION operator_call_guard();

-- Nobody but the call resolves its transfer: an answer that comes late finds it as it was left.
CREATE FUNCTION operator_call_resolved() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM wallets_operatorcall c
        WHERE c.transfer_id = NEW.resolves_id AND NEW.phase <> CASE
            WHEN c.status = 'done' THEN 'post'
            WHEN c.status IN ('refused', 'undone') THEN 'void'
            ELSE ''
        END;
    IF FOUND THEN
        PERFORM ledger_refuse(
            'LG041', 'the transfer of a call ends with the call',
            jsonb_build_object('transfer', NEW.resolves_id)
        );
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER operator_call_resolved AFTER INSERT ON wallets_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.resolves_id IS NOT NULL AND NEW.kind IN ('operator_in', 'operator_out'))
    EXECUTE FUNCTION operator_call_resolved();

REVOKE ALL ON wallets_operatorplayer, wallets_operatorcall FROM PUBLIC, app;
GRANT SELECT, INSERT ON wallets_operatorplayer, wallets_operatorcall TO app;
GRANT UPDATE (status, attempts, next_at, problem, ended_at) ON wallets_operatorcall TO app;
