-- Give a bonus, once per key; to nobody who is kept from play by himself or the house. terms:
-- {amount, wager, most_bet, funds, expires_at, reason}.
CREATE OR REPLACE FUNCTION ledger_bonus_grant(
    key text, player bigint, currency text, terms jsonb, actor bigint
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    amount bigint := (terms ->> 'amount')::bigint;
    bonus bigint := ledger_account_open('bonus', currency, player, NULL);
    house bigint := ledger_account_open('adjustments', currency, NULL, NULL);
    l wallets_playerlimits;
    p record;
    grant_id bigint;
BEGIN
    SELECT * INTO l FROM wallets_playerlimits b WHERE b.player_id = player FOR NO KEY UPDATE;
    p := ledger_post(
        key, 'bonus_grant',
        jsonb_build_array(jsonb_build_array(house, -amount), jsonb_build_array(bonus, amount)),
        jsonb_build_object('reason', coalesce(terms ->> 'reason', '')), actor
    );
    IF p.replayed THEN
        RETURN (SELECT g.id FROM wallets_bonusgrant g WHERE g.transfer_id = p.transfer_id);
    END IF;
    IF ledger_kept_out(l) > clock_timestamp() THEN
        PERFORM ledger_refuse(
            'LG013',
            format('player %s is excluded from play', player),
            jsonb_build_object('player', player, 'until', nullif(ledger_kept_out(l), 'infinity'))
        );
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
