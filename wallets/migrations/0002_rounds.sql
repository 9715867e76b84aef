-- Rounds against the house: bets, what they return, voids.

-- What is staked in a round now, per account: seats negative, in-play positive.
CREATE FUNCTION ledger_stakes(hand bigint)
RETURNS TABLE (account_id bigint, amount_minor bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    SELECT l.account_id, sum(l.amount_minor)::bigint
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.hand_id = ledger_stakes.hand AND t.kind IN ('stake', 'unstake')
        GROUP BY l.account_id HAVING sum(l.amount_minor) <> 0;
END;

-- A bet against the house. packed: {key, hand, table, player, seat, in_play, amount}; a negative
-- amount returns what was staked; zero moves nothing. `exposure` says what the table's bank must
-- hold from now on: a bet that raises this beyond the bank is refused, one that lowers it never.
-- `bonus` names the player's account of bonus money, if the bet may use it. For calls from within
-- another function.
CREATE FUNCTION ledger_stake(packed jsonb) RETURNS bigint
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

-- A bet partly with bonus money. packed as for ledger_stake. A bet taken back returns what was used
-- last first, by the rule by which it was made even if its grant has ended meanwhile.
CREATE FUNCTION ledger_stake_split(packed jsonb) RETURNS bigint
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

-- What goes back to a seat, split as the stakes were; the odd unit is the player's own.
CREATE FUNCTION ledger_returned_split(hand bigint, returned jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    s record;
    back bigint;
    part bigint;
BEGIN
    FOR s IN
        SELECT c.id AS seat, b.account_id AS bonus, -b.amount_minor AS of_bonus,
                -coalesce(own.amount_minor, 0) AS of_own
            FROM ledger_stakes(hand) b
            JOIN wallets_account a ON a.id = b.account_id AND a.purpose = 'bonus'
            JOIN wallets_transfer t ON t.hand_id = hand AND t.kind = 'stake'
            JOIN wallets_leg l ON l.transfer_id = t.id AND l.account_id = a.id
            JOIN wallets_leg i ON i.transfer_id = t.id
            JOIN wallets_account p ON p.id = i.account_id AND p.purpose = 'in_play'
            JOIN wallets_account c ON c.player_id = a.player_id AND c.purpose = 'seat'
                AND c.table_id = p.table_id AND c.currency_id = a.currency_id
            LEFT JOIN ledger_stakes(hand) own ON own.account_id = c.id
            GROUP BY 1, 2, 3, 4
    LOOP
        back := (returned ->> s.seat::text)::bigint;
        part := div(back::numeric * s.of_bonus, s.of_bonus + s.of_own);
        CONTINUE WHEN coalesce(part, 0) = 0;
        returned := returned || jsonb_build_object(
            s.seat::text, back - part, s.bonus::text, part
        );
    END LOOP;
    RETURN returned;
END $$;

-- Count what a settled round's players staked towards their grants, of which the time is not up.
CREATE FUNCTION ledger_wagered(hand bigint, weight_bp bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    INSERT INTO wallets_bonusprogress (grant_id, hand_id, counted_minor)
        SELECT g.id, ledger_wagered.hand, -sum(s.amount_minor) * ledger_wagered.weight_bp / 10000
            FROM ledger_stakes(ledger_wagered.hand) s
            JOIN wallets_account a ON a.id = s.account_id
            JOIN wallets_bonusgrant g ON g.player_id = a.player_id
                AND g.currency_id = a.currency_id AND g.status = 'active'
                AND g.expires_at > clock_timestamp()
            WHERE a.purpose IN ('seat', 'bonus')
            GROUP BY g.id HAVING sum(s.amount_minor) < 0;
END;

-- Settle a round: every stake leaves in-play, `returned` ({seat: amount}) goes to the seats, or as
-- it was staked to bonus money, and the bank takes or gives the rest. The round counts towards its
-- players' grants. reference: as for ledger_post, and `weight_bp`: how much of a stake counts.
CREATE FUNCTION ledger_round_pay(
    key text, in_play bigint, bank bigint, staked bigint, returned jsonb, reference jsonb,
    actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    hand bigint := (reference ->> 'hand')::bigint;
    in_ledger bigint;
    legs jsonb;
    p record;
BEGIN
    SELECT coalesce(sum(s.amount_minor), 0) INTO in_ledger
        FROM ledger_stakes(hand) s WHERE s.account_id = in_play;
    IF staked <> in_ledger THEN
        PERFORM ledger_refuse(
            'LG020',
            format('round %s has %s staked, not %s', hand, in_ledger, staked),
            jsonb_build_object('hand', hand, 'staked', in_ledger, 'asked', staked)
        );
    END IF;
    returned := ledger_returned_split(hand, returned);
    SELECT jsonb_agg(jsonb_build_array(l.account, l.amount)) INTO legs
        FROM (
            SELECT e.key::bigint AS account, e.value::bigint AS amount
                FROM jsonb_each_text(returned) AS e
            UNION ALL SELECT in_play, -staked
            UNION ALL SELECT bank, staked - coalesce((
                SELECT sum(e.value::bigint) FROM jsonb_each_text(returned) AS e
            ), 0)
        ) AS l
        WHERE l.amount <> 0;
    replayed := false;
    IF legs IS NULL THEN
        RETURN;
    END IF;
    p := ledger_post(key, 'settle', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
    IF NOT replayed THEN
        PERFORM ledger_wagered(hand, coalesce((reference ->> 'weight_bp')::bigint, 10000));
    END IF;
END $$;

-- Void a round: every seat gets its stake back. Under the settlement's own key, so that a round
-- is settled or voided, never both.
CREATE FUNCTION ledger_round_void(
    key text, reference jsonb, actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    legs jsonb;
    p record;
BEGIN
    SELECT jsonb_agg(jsonb_build_array(s.account_id, -s.amount_minor)) INTO legs
        FROM ledger_stakes((reference ->> 'hand')::bigint) s;
    replayed := false;
    IF legs IS NULL THEN
        RETURN;
    END IF;
    p := ledger_post(key, 'void', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
END $$;
