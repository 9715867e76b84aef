-- Bonus money at stake. Each leg on a bonus account by play is told apart by grant, so that what
-- comes back knows whose it is: a grant that runs gets it, one that has ended passes it on at once
-- to where the rest of it went. Locks: player's limits, grants, accounts, each by id.

-- Where a grant's money goes now.
CREATE FUNCTION ledger_bonus_target(grant_id bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    SELECT a.id FROM wallets_bonusgrant g
        JOIN wallets_account a ON a.player_id = g.player_id AND a.currency_id = g.currency_id
            AND a.purpose = CASE g.status WHEN 'active' THEN 'bonus' ELSE 'cash' END
        WHERE g.id = ledger_bonus_target.grant_id AND g.status IN ('active', 'won')
    UNION ALL
    SELECT a.id FROM wallets_bonusgrant g
        JOIN wallets_account a ON a.player_id IS NULL AND a.table_id IS NULL
            AND a.currency_id = g.currency_id AND a.purpose = 'adjustments'
        WHERE g.id = ledger_bonus_target.grant_id AND g.status NOT IN ('active', 'won');
END;

-- Lock against their end the grants that have money in a round, and the one that its player may bet
-- with, and say where their money goes; NULL when there is none. The caller locks these accounts
-- with its own.
CREATE FUNCTION ledger_bonus_targets(
    hand bigint, player bigint DEFAULT NULL, currency text DEFAULT NULL
) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    grants bigint[];
BEGIN
    SELECT array_agg(f.id) INTO grants FROM (
        SELECT p.grant_id FROM wallets_bonuspart p WHERE p.hand_id = hand
        UNION
        SELECT g.id FROM wallets_bonusgrant g
            WHERE g.player_id = player AND g.currency_id = currency AND g.status = 'active'
    ) AS f (id);
    IF grants IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM wallets_bonusgrant g WHERE g.id = ANY (grants) ORDER BY g.id FOR SHARE;
    RETURN (SELECT array_agg(ledger_bonus_target(g)) FROM unnest(grants) AS g);
END $$;

-- What each grant has at stake in a round.
CREATE FUNCTION ledger_bonus_stakes(hand bigint)
RETURNS TABLE (grant_id bigint, player bigint, currency text, amount bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    SELECT g.id, g.player_id, g.currency_id, -sum(p.amount_minor)::bigint
        FROM wallets_bonuspart p
        JOIN wallets_transfer t ON t.id = p.transfer_id AND t.kind IN ('stake', 'unstake')
        JOIN wallets_bonusgrant g ON g.id = p.grant_id
        WHERE p.hand_id = ledger_bonus_stakes.hand
        GROUP BY g.id HAVING sum(p.amount_minor) <> 0;
END;

-- The parts of what a round returns that are bonus money: as it was staked. The odd unit is the
-- player's own.
CREATE FUNCTION ledger_bonus_returns(hand bigint, in_play bigint, returned jsonb)
RETURNS TABLE (grant_id bigint, seat bigint, bonus bigint, part bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    SELECT s.grant_id, c.id, b.id, div(
            coalesce((ledger_bonus_returns.returned ->> c.id::text)::numeric, 0) * s.amount,
            sum(s.amount) OVER (PARTITION BY c.id) - coalesce(own.amount_minor, 0)
        )::bigint
        FROM ledger_bonus_stakes(ledger_bonus_returns.hand) s
        JOIN wallets_account i ON i.id = ledger_bonus_returns.in_play
            AND i.currency_id = s.currency
        JOIN wallets_account b ON b.player_id = s.player AND b.purpose = 'bonus'
            AND b.currency_id = s.currency
        JOIN wallets_account c ON c.player_id = s.player AND c.purpose = 'seat'
            AND c.currency_id = s.currency AND c.table_id = i.table_id
        LEFT JOIN ledger_stakes(ledger_bonus_returns.hand) own ON own.account_id = c.id;
END;

-- Of what a transfer gave back to grants, let the parts of those that have ended go where the rest
-- of them went: to the player who has won it, else to the house. The caller holds all locks.
CREATE FUNCTION ledger_bonus_follows(cause bigint, reference jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM ledger_post(
        format('bonus:%s:after:%s', g.id, cause), 'bonus_' || g.status,
        jsonb_build_array(
            jsonb_build_array(b.id, -p.amount_minor),
            jsonb_build_array(ledger_bonus_target(g.id), p.amount_minor)
        ),
        jsonb_build_object('hand', reference -> 'hand', 'table', reference -> 'table'), NULL
    )
        FROM wallets_bonuspart p
        JOIN wallets_bonusgrant g ON g.id = p.grant_id AND g.status <> 'active'
        JOIN wallets_account b ON b.player_id = g.player_id AND b.purpose = 'bonus'
            AND b.currency_id = g.currency_id
        WHERE p.transfer_id = cause AND p.amount_minor > 0;
END $$;

-- A bet partly with bonus money. packed as for ledger_stake, whose locks it needs. A bet is made by
-- the rule of the grant that runs. A bet taken back returns what was used last first: of several
-- grants the newest, by the rule of that.
CREATE FUNCTION ledger_stake_split(packed jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    seat bigint := (packed ->> 'seat')::bigint;
    bonus bigint := (packed ->> 'bonus')::bigint;
    in_play bigint := (packed ->> 'in_play')::bigint;
    amount bigint := (packed ->> 'amount')::bigint;
    player bigint := (packed ->> 'player')::bigint;
    hand bigint := (packed ->> 'hand')::bigint;
    reference jsonb := jsonb_build_object('hand', hand, 'table', packed -> 'table');
    g wallets_bonusgrant;
    written record;
    chips bigint;
    fund bigint;
    at_stake bigint;
    part bigint;
    posted bigint;
BEGIN
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

    IF amount > 0 THEN
        SELECT * INTO g FROM wallets_bonusgrant b
            WHERE b.player_id = player AND b.status = 'active' AND b.expires_at > clock_timestamp()
                AND b.currency_id = (SELECT currency_id FROM wallets_account WHERE id = in_play);
        part := CASE
            WHEN g.id IS NULL THEN 0
            WHEN g.funds = 'bonus_first' THEN least(amount, fund)
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
        IF -amount > fund + chips THEN
            PERFORM ledger_refuse(
                'LG020',
                format('player %s has %s staked in round %s, not %s', player, fund + chips, hand,
                    -amount),
                jsonb_build_object('hand', hand, 'staked', fund + chips, 'asked', -amount)
            );
        END IF;
        SELECT b.* INTO g FROM ledger_bonus_stakes(hand) s
            JOIN wallets_bonusgrant b ON b.id = s.grant_id
            WHERE s.player = player ORDER BY b.id DESC LIMIT 1;
        part := -CASE WHEN g.funds = 'bonus_first' THEN greatest(-amount - chips, 0)
            ELSE least(-amount, fund) END;
    END IF;
    posted := (ledger_post(
        packed ->> 'key',
        CASE WHEN amount > 0 THEN 'stake' ELSE 'unstake' END,
        (SELECT jsonb_agg(jsonb_build_array(l.account, l.amount)) FROM (VALUES
            (seat, part - amount), (bonus, -part), (in_play, amount)
        ) AS l (account, amount) WHERE l.amount <> 0),
        reference, player
    )).transfer_id;
    IF part > 0 THEN
        INSERT INTO wallets_bonuspart (grant_id, transfer_id, hand_id, amount_minor)
            VALUES (g.id, posted, hand, -part);
    ELSIF part < 0 THEN
        INSERT INTO wallets_bonuspart (grant_id, transfer_id, hand_id, amount_minor)
            SELECT r.grant_id, posted, hand, r.back FROM (
                SELECT s.grant_id, least(s.amount, -part - coalesce(sum(s.amount) OVER (
                    ORDER BY s.grant_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ), 0)) AS back
                    FROM ledger_bonus_stakes(hand) s WHERE s.player = player
            ) AS r
                WHERE r.back > 0;
        PERFORM ledger_bonus_follows(posted, reference);
    END IF;
    RETURN posted;
END $$;

-- Count what a settled round's players staked towards their grants that run: bets that were made
-- before a grant count nothing towards it, nor does a round that is settled after its time. A part
-- of a unit does not count.
CREATE FUNCTION ledger_wagered(hand bigint, weight_bp bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    INSERT INTO wallets_bonusprogress (grant_id, hand_id, counted_minor)
        SELECT g.id, ledger_wagered.hand,
                div(-sum(l.amount_minor) * ledger_wagered.weight_bp, 10000)::bigint
            FROM wallets_transfer t
            JOIN wallets_leg l ON l.transfer_id = t.id
            JOIN wallets_account a ON a.id = l.account_id AND a.purpose IN ('seat', 'bonus')
            JOIN wallets_bonusgrant g ON g.player_id = a.player_id
                AND g.currency_id = a.currency_id AND g.status = 'active'
                AND g.expires_at > clock_timestamp() AND g.transfer_id < t.id
            WHERE t.hand_id = ledger_wagered.hand AND t.kind IN ('stake', 'unstake')
            GROUP BY g.id HAVING sum(l.amount_minor) < 0;
END;
