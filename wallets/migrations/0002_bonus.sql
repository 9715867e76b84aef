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
-- back. False: it had ended, or the outcome is not due. What a running round still returns is
-- taken by the next call for the same player.
CREATE FUNCTION ledger_bonus_end(grant_id bigint, outcome text, actor bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    g wallets_bonusgrant;
    bonus bigint;
    target bigint;
    left_over bigint;
BEGIN
    SELECT * INTO g FROM wallets_bonusgrant b WHERE b.id = grant_id;
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

-- Bonus money that came back after its grant had ended goes where the rest of it went: to the
-- player who has won it, else to the house.
CREATE FUNCTION ledger_bonus_stray(bonus bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    a record;
    ended text;
    target bigint;
BEGIN
    SELECT currency_id, player_id INTO a FROM wallets_account
        WHERE id = bonus AND purpose = 'bonus';
    SELECT g.status INTO ended FROM wallets_bonusgrant g
        WHERE g.player_id = a.player_id AND g.currency_id = a.currency_id
        ORDER BY g.id DESC LIMIT 1;
    IF ended IS NULL OR ended = 'active' THEN
        RETURN;
    END IF;
    target := CASE ended
        WHEN 'won' THEN ledger_account_open('cash', a.currency_id, a.player_id, NULL)
        ELSE ledger_account_open('adjustments', a.currency_id, NULL, NULL)
    END;
    PERFORM FROM wallets_account WHERE id IN (bonus, target) ORDER BY id FOR NO KEY UPDATE;
    PERFORM ledger_post(
        format('bonus:stray:%s', l.last_leg_id),
        CASE ended WHEN 'won' THEN 'bonus_won' ELSE 'bonus_expired' END,
        jsonb_build_array(
            jsonb_build_array(bonus, -l.balance_minor), jsonb_build_array(target, l.balance_minor)
        ), '{}', NULL
    )
        FROM wallets_account l WHERE l.id = bonus AND l.balance_minor > 0;
END $$;
