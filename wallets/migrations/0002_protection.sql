-- Player protection inside the money's own transaction: limits, account states, cool-off and
-- reality checks. A player without any of them pays for no more than one row.

INSERT INTO wallets_housepolicy (
    id, unverified_may_play, dormant_after_days, gaming_day_starts, time_zone
) VALUES (1, true, 365, '06:00', 'UTC');

-- A limit that nobody remembered to switch on would not be one.
CREATE FUNCTION ledger_is_limited() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE public.wallets_playerlimits SET is_limited = true
        WHERE player_id = NEW.player_id AND NOT is_limited;
    RETURN NULL;
END $$;

CREATE TRIGGER spend_limit_counts AFTER INSERT ON wallets_spendlimit
    FOR EACH ROW EXECUTE FUNCTION ledger_is_limited();
CREATE TRIGGER time_limit_counts AFTER INSERT ON wallets_timelimit
    FOR EACH ROW EXECUTE FUNCTION ledger_is_limited();

CREATE FUNCTION ledger_reality_is_limited() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.is_limited := NEW.is_limited OR NEW.reality_check_s IS NOT NULL;
    RETURN NEW;
END $$;

CREATE TRIGGER reality_check_counts BEFORE INSERT OR UPDATE OF reality_check_s, is_limited
    ON wallets_playerlimits
    FOR EACH ROW EXECUTE FUNCTION ledger_reality_is_limited();

-- Play is seen once a minute at most. After a quarter of an hour without any, the session that
-- was is put on record and another begins.
CREATE FUNCTION ledger_play_seen(who bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    l wallets_playerlimits;
    now_at timestamptz := clock_timestamp();
BEGIN
    SELECT * INTO l FROM wallets_playerlimits WHERE player_id = who FOR NO KEY UPDATE;
    IF l.playing_last > now_at - interval '15 minutes' THEN
        UPDATE wallets_playerlimits SET playing_last = now_at WHERE player_id = who;
        RETURN;
    END IF;
    IF l.playing_last IS NOT NULL THEN
        INSERT INTO wallets_playsession (player_id, started_at, ended_at)
            VALUES (who, l.playing_from, l.playing_last);
    END IF;
    UPDATE wallets_playerlimits
        SET playing_from = now_at, playing_last = now_at, reality_from = now_at
        WHERE player_id = who;
END $$;

-- What play took from a player's chips since then, fees for time included, less what it and its
-- jackpots gave, and what he staked. His seats are read backwards from now, so it costs what he
-- played in the window, not his history.
CREATE FUNCTION ledger_spent(
    who bigint, currency text, since timestamptz, OUT lost bigint, OUT staked bigint
)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account record;
    l record;
BEGIN
    lost := 0;
    staked := 0;
    FOR account IN
        SELECT a.id, a.purpose = 'seat' AS is_seat FROM wallets_account a
            WHERE a.player_id = who AND a.purpose IN ('seat', 'cash', 'receivable')
                AND a.currency_id = currency
    LOOP
        FOR l IN
            SELECT g.amount_minor AS amount, t.kind, t.created_at
                FROM wallets_leg g JOIN wallets_transfer t ON t.id = g.transfer_id
                WHERE g.account_id = account.id ORDER BY g.id DESC
        LOOP
            EXIT WHEN l.created_at < since;
            -- A reversal takes and gives by cash too, for players who have left the table, and a
            -- jackpot that it takes back was paid to cash.
            IF l.kind IN ('reversal', 'jackpot_award') OR account.is_seat AND l.kind IN (
                'stake', 'unstake', 'settle', 'void', 'carry', 'time_collection'
            )
            THEN
                lost := lost - l.amount;
            END IF;
            IF account.is_seat
                AND (l.kind IN ('stake', 'unstake') OR l.kind = 'settle' AND l.amount < 0)
            THEN
                staked := staked - l.amount;
            END IF;
        END LOOP;
    END LOOP;
END $$;

-- Seconds of play since then, of sessions that ended and of the one that runs.
CREATE FUNCTION ledger_played_s(who bigint, since timestamptz) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
RETURN (
    SELECT coalesce(sum(extract(epoch FROM s.ended_at - greatest(s.started_at, since))), 0)::bigint
        FROM (
            SELECT started_at, ended_at FROM wallets_playsession
                WHERE player_id = who AND ended_at > since
            UNION ALL
            SELECT playing_from, playing_last FROM wallets_playerlimits
                WHERE player_id = who AND playing_last > since
        ) AS s
);

-- Until when a player is kept from play by himself or the house; infinity: until it is lifted.
CREATE FUNCTION ledger_kept_out(l wallets_playerlimits) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN CASE
    WHEN l.self_excluded THEN 'infinity'::timestamptz
    ELSE greatest(l.excluded_until, l.cool_off_until)
END;

CREATE FUNCTION ledger_state_bars(state text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
RETURN CASE state
    WHEN 'verified' THEN false
    WHEN 'new' THEN NOT coalesce((SELECT unverified_may_play FROM wallets_housepolicy), true)
    ELSE true
END;

-- The limits of one who has some. asked: what leaves his chips, or at a buy-in comes to them;
-- before a hand among players, zero.
CREATE FUNCTION ledger_play_check(
    l wallets_playerlimits, kind text, currency text, asked bigint
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    who bigint := l.player_id;
    now_at timestamptz := clock_timestamp();
    most record;
    used bigint;
    chips bigint := 0;
BEGIN
    FOR most IN
        SELECT t.window_days,
                CASE WHEN t.next_from <= now_at THEN t.next_s ELSE t.most_s END AS s
            FROM wallets_timelimit t WHERE t.player_id = who ORDER BY t.window_days
    LOOP
        CONTINUE WHEN most.s IS NULL;
        used := ledger_played_s(who, now_at - make_interval(days => most.window_days));
        IF used >= most.s THEN
            PERFORM ledger_refuse(
                'LG024',
                format('player %s has played %s s in %s days', who, used, most.window_days),
                jsonb_build_object(
                    'player', who, 'used', used, 'most', most.s, 'window_days', most.window_days
                )
            );
        END IF;
    END LOOP;
    IF kind <> 'buy_in' AND l.reality_check_s IS NOT NULL
        AND l.reality_from + make_interval(secs => l.reality_check_s) <= now_at
    THEN
        PERFORM ledger_refuse(
            'LG025',
            format('player %s has not acknowledged how long he has played', who),
            jsonb_build_object('player', who, 'since', l.reality_from)
        );
    END IF;
    IF kind = 'buy_in' THEN
        SELECT coalesce(sum(a.balance_minor), 0) INTO chips FROM wallets_account a
            WHERE a.player_id = who AND a.purpose = 'seat' AND a.currency_id = currency;
    END IF;
    FOR most IN
        SELECT s.kind, s.window_days,
                CASE WHEN s.next_from <= now_at THEN s.next_minor ELSE s.most_minor END AS minor
            FROM wallets_spendlimit s
            WHERE s.player_id = who AND s.currency_id = currency
            ORDER BY s.window_days, s.kind
    LOOP
        CONTINUE WHEN most.minor IS NULL;
        SELECT CASE most.kind WHEN 'loss' THEN s.lost ELSE s.staked END INTO used
            FROM ledger_spent(who, currency, now_at - make_interval(days => most.window_days)) s;
        -- All that is brought to a table may be lost there before anybody may refuse a call.
        IF (CASE
            WHEN asked = 0 THEN used >= most.minor
            WHEN kind = 'buy_in' AND most.kind = 'loss' THEN used + chips + asked > most.minor
            WHEN kind = 'buy_in' THEN used >= most.minor
            ELSE used + asked > most.minor
        END) THEN
            PERFORM ledger_refuse(
                'LG023',
                format('%s of %s used of the %s limit of player %s', used, most.minor, most.kind, who),
                jsonb_build_object(
                    'player', who, 'kind', most.kind, 'asked', asked, 'used', used,
                    'most', most.minor, 'window_days', most.window_days
                )
            );
        END IF;
    END LOOP;
END $$;

-- What a player has paid in since then; a withdrawal gives no room back, a void does.
CREATE FUNCTION ledger_paid_in(who bigint, currency text, since timestamptz) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
RETURN (
    SELECT coalesce(sum(l.amount_minor), 0)::bigint
        FROM wallets_account a
        JOIN wallets_leg l ON l.account_id = a.id
        JOIN wallets_transfer t ON t.id = l.transfer_id
        WHERE a.player_id = who
            AND a.currency_id = currency
            AND a.table_id IS NULL
            AND l.amount_minor > 0
            AND t.kind = 'deposit'
            AND t.phase IN ('single', 'pending')
            AND t.created_at > since
            AND NOT EXISTS (
                SELECT FROM wallets_transfer r WHERE r.resolves_id = t.id AND r.phase = 'void'
            )
);

-- The limits row is locked, so two deposits cannot both find room under one limit, nor two stakes.
-- A bet of bonus money alone is play as well, of which nothing is the player's own.
CREATE FUNCTION ledger_limits_check(kind text, accounts bigint[], amounts bigint[])
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    who bigint;
    limits wallets_playerlimits;
    spent record;
    paid_in record;
    most record;
    used numeric;
BEGIN
    FOR who IN
        SELECT DISTINCT player_id FROM wallets_account
            WHERE id = ANY (accounts) AND player_id IS NOT NULL ORDER BY player_id
    LOOP
        SELECT * INTO limits FROM wallets_playerlimits
            WHERE player_id = who FOR NO KEY UPDATE;
        IF limits.self_excluded OR limits.excluded_until > clock_timestamp()
            OR limits.cool_off_until > clock_timestamp()
        THEN
            PERFORM ledger_refuse(
                'LG013',
                format('player %s is excluded from play', who),
                jsonb_build_object(
                    'player', who, 'until', nullif(ledger_kept_out(limits), 'infinity')
                )
            );
        END IF;
        IF limits.state <> 'verified' AND ledger_state_bars(limits.state) THEN
            PERFORM ledger_refuse(
                'LG022',
                format('the account of player %s is %s', who, limits.state),
                jsonb_build_object('player', who, 'state', limits.state)
            );
        END IF;
        CONTINUE WHEN kind IN ('deposit', 'exchange', 'operator_in');
        IF limits.playing_last IS NULL
            OR limits.playing_last < clock_timestamp() - interval '1 minute'
        THEN
            PERFORM ledger_play_seen(who);
            SELECT * INTO limits FROM wallets_playerlimits WHERE player_id = who;
        END IF;
        IF limits.is_limited THEN
            FOR spent IN
                SELECT a.currency_id AS currency,
                        coalesce(sum(abs(x.amount)) FILTER (WHERE a.purpose = 'seat'), 0)::bigint
                            AS asked
                    FROM unnest(accounts, amounts) AS x (account, amount)
                    JOIN wallets_account a ON a.id = x.account
                    WHERE a.player_id = who AND a.purpose IN ('seat', 'bonus')
                    GROUP BY a.currency_id
            LOOP
                PERFORM ledger_play_check(limits, kind, spent.currency, spent.asked);
            END LOOP;
        END IF;
    END LOOP;
    IF kind <> 'deposit' THEN
        RETURN;
    END IF;

    FOR paid_in IN
        SELECT a.player_id, a.currency_id, sum(l.amount) AS amount
            FROM unnest(accounts, amounts) AS l (account, amount)
            JOIN wallets_account a ON a.id = l.account
            WHERE a.player_id IS NOT NULL AND l.amount > 0
            GROUP BY a.player_id, a.currency_id
    LOOP
        FOR most IN
            SELECT window_days,
                    CASE WHEN next_from <= clock_timestamp() THEN next_minor ELSE most_minor END
                        AS minor
                FROM wallets_depositlimit
                WHERE player_id = paid_in.player_id AND currency_id = paid_in.currency_id
                ORDER BY window_days
        LOOP
            used := ledger_paid_in(
                paid_in.player_id, paid_in.currency_id,
                clock_timestamp() - make_interval(days => most.window_days)
            );
            IF used + paid_in.amount > most.minor THEN
                PERFORM ledger_refuse(
                    'LG014',
                    format('deposit of %s would pass the limit of %s in %s days',
                        paid_in.amount, most.minor, most.window_days),
                    jsonb_build_object(
                        'player', paid_in.player_id, 'asked', paid_in.amount, 'used', used,
                        'most', most.minor, 'window_days', most.window_days
                    )
                );
            END IF;
        END LOOP;
    END LOOP;
END $$;

-- Who of these players may not be dealt in now, and by which rule.
CREATE FUNCTION ledger_barred(players bigint[]) RETURNS TABLE (player bigint, code text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    l wallets_playerlimits;
BEGIN
    FOR l IN SELECT * FROM wallets_playerlimits WHERE player_id = ANY (players) LOOP
        player := l.player_id;
        code := NULL;
        IF ledger_kept_out(l) > clock_timestamp() THEN
            code := 'LG013';
        ELSIF ledger_state_bars(l.state) THEN
            code := 'LG022';
        ELSIF l.is_limited THEN
            BEGIN
                PERFORM ledger_play_check(l, 'hand', c.currency, 0) FROM (
                    SELECT DISTINCT currency_id AS currency FROM wallets_spendlimit
                        WHERE player_id = l.player_id
                    UNION SELECT 'none'
                ) AS c;
            EXCEPTION WHEN SQLSTATE 'LG023' OR SQLSTATE 'LG024' OR SQLSTATE 'LG025' THEN
                code := SQLSTATE;
            END;
        END IF;
        IF code IS NOT NULL THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END $$;
