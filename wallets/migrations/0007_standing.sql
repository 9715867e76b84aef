-- The run of play that lasts: since when and how long, null and 0 if none does; and the rule that
-- keeps the player from the next round, null if he may play.
CREATE FUNCTION ledger_session(
    who bigint, OUT since timestamptz, OUT elapsed_s integer, OUT barred text
)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT l.playing_from INTO since FROM wallets_playerlimits l
        -- as in ledger_play_seen()
        WHERE l.player_id = who AND l.playing_last >= clock_timestamp() - interval '15 minutes';
    elapsed_s := coalesce(floor(extract(epoch FROM clock_timestamp() - since)), 0);
    SELECT b.code INTO barred FROM ledger_barred(ARRAY[who]) b;
END $$;

-- What a player is told after every hand, all as of one moment: his money in a currency, the chips
-- of one seat (its account, null if he has none), and the run of play with what it has cost him.
CREATE FUNCTION ledger_standing(
    who bigint, currency text, seat bigint,
    OUT cash_minor bigint, OUT bonus_minor bigint, OUT chips_minor bigint, OUT since timestamptz,
    OUT elapsed_s integer, OUT net_minor bigint, OUT barred text
)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
BEGIN
    SELECT coalesce(sum(a.balance_minor) FILTER (WHERE a.purpose = 'cash'), 0),
            coalesce(sum(a.balance_minor) FILTER (WHERE a.purpose = 'bonus'), 0),
            coalesce(sum(a.balance_minor) FILTER (WHERE a.id = seat), 0)
        INTO cash_minor, bonus_minor, chips_minor
        FROM wallets_account a WHERE a.player_id = who AND a.currency_id = currency;
    SELECT s.since, s.elapsed_s, s.barred INTO since, elapsed_s, barred FROM ledger_session(who) s;
    net_minor := 0;
    IF since IS NOT NULL THEN
        net_minor := -(ledger_spent(who, currency, since)).lost;
    END IF;
END $$;

REVOKE ALL ON FUNCTION ledger_session, ledger_standing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_session, ledger_standing TO app;
