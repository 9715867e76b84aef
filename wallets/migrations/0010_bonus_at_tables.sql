-- Bonus money at the tables: how much of a game's stakes counts towards a bonus, and what the
-- first rounds with it asked of the functions of 0008.

REVOKE ALL ON wallets_bonusweight FROM PUBLIC, app;
GRANT SELECT, INSERT, UPDATE ON wallets_bonusweight TO app;

-- As before; a bonus account is locked in its turn, not after the bank.
CREATE OR REPLACE FUNCTION ledger_stake(packed jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    seat bigint := (packed ->> 'seat')::bigint;
    in_play bigint := (packed ->> 'in_play')::bigint;
    amount bigint := (packed ->> 'amount')::bigint;
    player bigint := (packed ->> 'player')::bigint;
    bank bigint;
    w record;
BEGIN
    IF packed ? 'exposure' THEN
        SELECT b.id INTO bank FROM wallets_account i
            JOIN wallets_account b ON b.table_id = i.table_id AND b.purpose = 'bank'
                AND b.currency_id = i.currency_id
            WHERE i.id = in_play;
        PERFORM FROM wallets_playerlimits WHERE player_id = player FOR NO KEY UPDATE;
        PERFORM FROM wallets_account
            WHERE id IN (seat, in_play, bank, (packed ->> 'bonus')::bigint)
            ORDER BY id FOR NO KEY UPDATE;
        PERFORM ledger_cover(
            bank, (packed ->> 'hand')::bigint, (packed ->> 'exposure')::bigint
        );
    END IF;
    IF amount = 0 THEN
        RETURN NULL;
    END IF;
    IF packed ? 'bonus' THEN
        RETURN ledger_stake_split(packed);
    END IF;
    PERFORM FROM wallets_account
        WHERE id = seat AND purpose = 'seat' AND player_id = player;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG006',
            format('player %s has no seat account %s', player, seat),
            jsonb_build_object('account', seat)
        );
    END IF;
    w := ledger_write(
        packed ->> 'key',
        CASE WHEN amount > 0 THEN 'stake' ELSE 'unstake' END,
        'single', NULL, NULL,
        CASE WHEN seat < in_play THEN ARRAY[seat, in_play] ELSE ARRAY[in_play, seat] END,
        CASE WHEN seat < in_play THEN ARRAY[-amount, amount] ELSE ARRAY[amount, -amount] END,
        ARRAY[NULL, NULL]::text[],
        (packed ->> 'hand')::bigint, (packed ->> 'table')::bigint, NULL, '', player
    );
    RETURN w.transfer_id;
END $$;

-- As before; a bet taken back after its grant has ended follows the rule by which it was made.
CREATE OR REPLACE FUNCTION ledger_stake_split(packed jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    seat bigint := (packed ->> 'seat')::bigint;
    bonus bigint := (packed ->> 'bonus')::bigint;
    in_play bigint := (packed ->> 'in_play')::bigint;
    amount bigint := (packed ->> 'amount')::bigint;
    player bigint := (packed ->> 'player')::bigint;
    hand bigint := (packed ->> 'hand')::bigint;
    g wallets_bonusgrant;
    written record;
    chips bigint;
    fund bigint;
    at_stake bigint;
    part bigint;
BEGIN
    PERFORM FROM wallets_playerlimits WHERE player_id = player FOR NO KEY UPDATE;
    PERFORM FROM wallets_account WHERE id IN (seat, bonus, in_play) ORDER BY id FOR NO KEY UPDATE;
    SELECT sum(s.balance_minor) FILTER (WHERE s.id = seat),
            sum(s.balance_minor) FILTER (WHERE s.id = bonus)
        INTO chips, fund
        FROM wallets_account s
        JOIN wallets_account i ON i.id = in_play AND i.currency_id = s.currency_id
        WHERE s.player_id = player
            AND (s.id = seat AND s.purpose = 'seat' OR s.id = bonus AND s.purpose = 'bonus');
    IF chips IS NULL OR fund IS NULL THEN
        PERFORM ledger_refuse(
            'LG006',
            format('player %s has no seat account %s or no bonus account %s', player, seat, bonus),
            jsonb_build_object('account', CASE WHEN chips IS NULL THEN seat ELSE bonus END)
        );
    END IF;
    SELECT t.id, t.hand_id, -sum(l.amount_minor) AS moved INTO written
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.key = packed ->> 'key' AND l.account_id IN (seat, bonus)
        GROUP BY t.id;
    IF FOUND THEN
        IF written.moved <> amount OR written.hand_id IS DISTINCT FROM hand THEN
            PERFORM ledger_refuse(
                'LG005',
                format('key %s was used with another amount', packed ->> 'key'),
                jsonb_build_object(
                    'key', packed ->> 'key', 'field', 'amount_minor', 'transfer', written.id
                )
            );
        END IF;
        RETURN written.id;
    END IF;

    -- The last one: there is none after an active grant, and none before it is still at stake.
    SELECT * INTO g FROM wallets_bonusgrant b
        WHERE b.player_id = player
            AND b.currency_id = (SELECT currency_id FROM wallets_account WHERE id = in_play)
        ORDER BY b.id DESC LIMIT 1;
    IF amount > 0 THEN
        fund := CASE
            WHEN g.status = 'active' AND g.expires_at > clock_timestamp() THEN fund ELSE 0
        END;
        part := CASE g.funds
            WHEN 'bonus_first' THEN least(amount, fund)
            ELSE least(greatest(amount - chips, 0), fund)
        END;
        SELECT -coalesce(sum(s.amount_minor), 0) INTO at_stake FROM ledger_stakes(hand) s
            WHERE s.account_id IN (seat, bonus);
        IF part > 0 AND at_stake + amount > g.most_bet_minor THEN
            PERFORM ledger_refuse(
                'LG032',
                format('%s is staked with bonus money, %s at most', at_stake + amount,
                    g.most_bet_minor),
                jsonb_build_object(
                    'player', player, 'asked', at_stake + amount, 'most', g.most_bet_minor
                )
            );
        END IF;
    ELSE
        SELECT -coalesce(sum(s.amount_minor) FILTER (WHERE s.account_id = bonus), 0),
                -coalesce(sum(s.amount_minor) FILTER (WHERE s.account_id = seat), 0)
            INTO fund, chips FROM ledger_stakes(hand) s;
        part := -CASE WHEN g.funds = 'bonus_first' THEN greatest(-amount - chips, 0)
            ELSE least(-amount, fund) END;
    END IF;
    RETURN (ledger_post(
        packed ->> 'key',
        CASE WHEN amount > 0 THEN 'stake' ELSE 'unstake' END,
        (SELECT jsonb_agg(jsonb_build_array(l.account, l.amount)) FROM (VALUES
            (seat, part - amount), (bonus, -part), (in_play, amount)
        ) AS l (account, amount) WHERE l.amount <> 0),
        jsonb_build_object('hand', hand, 'table', packed -> 'table'),
        player
    )).transfer_id;
END $$;

-- Bonus money that came back after its grant had ended goes where the rest of it went: to the
-- player who has won it, else to the house.
CREATE OR REPLACE FUNCTION ledger_bonus_stray(bonus bigint) RETURNS void
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

-- As before; a bet of bonus money alone is play as well, of which nothing is the player's own.
CREATE OR REPLACE FUNCTION ledger_limits_check(kind text, accounts bigint[], amounts bigint[])
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
        CONTINUE WHEN kind = 'deposit';
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
