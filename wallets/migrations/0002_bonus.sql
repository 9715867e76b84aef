-- Bonus money: given with a condition, played with at house-banked games only, beside the
-- player's own. A bet is split between the two as the grant says, what it returns is split in the
-- same way, a void restores each part.

CREATE UNIQUE INDEX bonus_grant_active ON wallets_bonusgrant (player_id, currency_id)
    WHERE status = 'active';

CREATE FUNCTION ledger_grant_guard() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'active' OR NEW.status = 'active'
        OR (OLD.id, OLD.player_id, OLD.currency_id, OLD.amount_minor, OLD.wager_minor,
                OLD.most_bet_minor, OLD.funds, OLD.granted_at, OLD.expires_at, OLD.granted_by)
            IS DISTINCT FROM (NEW.id, NEW.player_id, NEW.currency_id, NEW.amount_minor,
                NEW.wager_minor, NEW.most_bet_minor, NEW.funds, NEW.granted_at, NEW.expires_at,
                NEW.granted_by)
    THEN
        PERFORM public.ledger_refuse(
            'LG034',
            format('grant %s ends once and keeps its terms', OLD.id),
            jsonb_build_object('grant', OLD.id)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER grant_guard BEFORE UPDATE ON wallets_bonusgrant
    FOR EACH ROW EXECUTE FUNCTION ledger_grant_guard();

-- Give a bonus, once per key. terms: {amount, wager, most_bet, funds, expires_at, reason}.
CREATE FUNCTION ledger_bonus_grant(
    key text, player bigint, currency text, terms jsonb, actor bigint
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    amount bigint := (terms ->> 'amount')::bigint;
    bonus bigint := ledger_account_open('bonus', currency, player, NULL);
    house bigint := ledger_account_open('adjustments', currency, NULL, NULL);
    p record;
    grant_id bigint;
BEGIN
    p := ledger_post(
        key, 'bonus_grant',
        jsonb_build_array(jsonb_build_array(house, -amount), jsonb_build_array(bonus, amount)),
        jsonb_build_object('reason', coalesce(terms ->> 'reason', '')), actor
    );
    IF p.replayed THEN
        RETURN (SELECT g.id FROM wallets_bonusgrant g WHERE g.transfer_id = p.transfer_id);
    END IF;
    INSERT INTO wallets_bonusgrant AS g (
        player_id, currency_id, amount_minor, wager_minor, most_bet_minor, funds, expires_at,
        granted_by, status, transfer_id
    ) VALUES (
        player, currency, amount, (terms ->> 'wager')::bigint, (terms ->> 'most_bet')::bigint,
        terms ->> 'funds', (terms ->> 'expires_at')::timestamptz, actor, 'active', p.transfer_id
    ) ON CONFLICT DO NOTHING RETURNING g.id INTO grant_id;
    IF grant_id IS NULL THEN
        PERFORM ledger_refuse(
            'LG035',
            format('player %s has an active bonus in %s', player, currency),
            jsonb_build_object('player', player, 'currency', currency)
        );
    END IF;
    RETURN grant_id;
END $$;

-- End a grant, once: 'won' makes what is left the player's own, 'expired' and 'forfeited' take it
-- back. False: it had ended, or the outcome is not due. The grant's row is locked before accounts:
-- a round that gives its money back has it locked until it is done.
CREATE FUNCTION ledger_bonus_end(grant_id bigint, outcome text, actor bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    g wallets_bonusgrant;
    bonus bigint;
    target bigint;
    left_over bigint;
BEGIN
    SELECT * INTO g FROM wallets_bonusgrant b WHERE b.id = grant_id FOR NO KEY UPDATE;
    bonus := ledger_account_open('bonus', g.currency_id, g.player_id, NULL);
    target := CASE outcome
        WHEN 'won' THEN ledger_account_open('cash', g.currency_id, g.player_id, NULL)
        ELSE ledger_account_open('adjustments', g.currency_id, NULL, NULL)
    END;
    PERFORM FROM wallets_account a WHERE a.id IN (bonus, target) ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE wallets_bonusgrant b SET status = outcome, ended_at = clock_timestamp()
        WHERE b.id = grant_id AND b.status = 'active' AND CASE outcome
            WHEN 'won' THEN b.wager_minor <= (
                SELECT coalesce(sum(r.counted_minor), 0) FROM wallets_bonusprogress r
                    WHERE r.grant_id = b.id
            )
            WHEN 'expired' THEN b.expires_at <= clock_timestamp()
            ELSE true
        END;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    SELECT a.balance_minor INTO left_over FROM wallets_account a WHERE a.id = bonus;
    IF left_over > 0 THEN
        PERFORM ledger_post(
            format('bonus:%s:end', grant_id), 'bonus_' || outcome,
            jsonb_build_array(
                jsonb_build_array(bonus, -left_over), jsonb_build_array(target, left_over)
            ), '{}', actor
        );
    END IF;
    RETURN true;
END $$;
