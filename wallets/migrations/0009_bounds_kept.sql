-- A bet partly with bonus money. packed as for ledger_stake, whose locks it needs. A bet is made by
-- the rule of the grant that runs. A bet taken back returns what was used last first: of several
-- grants the newest, by the rule of that. The most that a grant lets stake bounds the whole round in
-- which its money plays, whoever's the money of this bet is.
CREATE OR REPLACE FUNCTION ledger_stake_split(packed jsonb) RETURNS bigint
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
    most bigint;
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
        SELECT min(b.most_bet_minor) INTO most FROM wallets_bonusgrant b
            WHERE b.id = g.id AND part > 0 OR b.id IN (
                SELECT s.grant_id FROM ledger_bonus_stakes(hand) s WHERE s.player = player
            );
        IF at_stake + amount > most THEN
            PERFORM ledger_refuse(
                'LG032',
                format('%s is staked with bonus money, %s at most', at_stake + amount, most),
                jsonb_build_object('player', player, 'asked', at_stake + amount, 'most', most)
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

-- Exchange so much of a player's cash at a rate, once per key.
CREATE OR REPLACE FUNCTION ledger_exchange(
    key text, player bigint, rate bigint, given bigint, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    r wallets_exchangerate;
    unlimited text;
    p record;
BEGIN
    SELECT * INTO r FROM wallets_exchangerate e WHERE e.id = rate;
    IF NOT FOUND OR div(given::numeric * r.gets_minor, r.gives_minor) < 1 THEN
        PERFORM ledger_refuse(
            CASE WHEN FOUND THEN 'LG017' ELSE 'LG038' END,
            format('nothing to be had for %s at rate %s', given, rate),
            jsonb_build_object('key', key, 'rate', rate)
        );
    END IF;
    p := ledger_post(
        key, 'exchange',
        (SELECT jsonb_agg(jsonb_build_array(
            ledger_account_open(
                l.purpose, l.currency, CASE WHEN l.is_players THEN player END, NULL
            ), l.amount
        )) FROM ledger_exchange_legs(r, given) l),
        jsonb_build_object('approval', r.approval_id), actor
    );
    transfer_id := p.transfer_id;
    replayed := p.replayed;
    IF replayed THEN
        RETURN;
    END IF;
    -- At the end of the transaction it would be refused too, but its caller is gone by then.
    PERFORM FROM wallets_transfer t WHERE t.id = p.transfer_id AND ledger_is_at_rate(t);
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG038',
            format('rate %s is not in force', rate),
            jsonb_build_object('key', key, 'rate', rate)
        );
    END IF;
    -- What play may cost in one currency is not lost in another that has no such limit. Posting has
    -- locked the limits. The row of one that has ended stays, and is none.
    WITH in_force AS (
        SELECT l.kind, l.currency_id FROM wallets_spendlimit l
            WHERE l.player_id = player AND CASE
                WHEN l.next_from <= clock_timestamp() THEN l.next_minor ELSE l.most_minor
            END IS NOT NULL
    )
    SELECT f.kind INTO unlimited FROM in_force f
        WHERE f.currency_id = r.gives_id AND NOT EXISTS (
            SELECT FROM in_force o WHERE o.currency_id = r.gets_id AND o.kind = f.kind
        )
        ORDER BY f.kind LIMIT 1;
    IF FOUND THEN
        PERFORM ledger_refuse(
            'LG039',
            format('player %s has a %s limit in %s and none in %s', player, unlimited, r.gives_id,
                r.gets_id),
            jsonb_build_object('player', player, 'kind', unlimited, 'currency', r.gets_id)
        );
    END IF;
END $$;
