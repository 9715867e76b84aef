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
    targets bigint[];
    w record;
BEGIN
    IF packed ? 'exposure' THEN
        SELECT b.id INTO bank FROM wallets_account i
            JOIN wallets_account b ON b.table_id = i.table_id AND b.purpose = 'bank'
                AND b.currency_id = i.currency_id
            WHERE i.id = in_play;
    END IF;
    IF packed ? 'exposure' OR packed ? 'bonus' THEN
        PERFORM FROM wallets_playerlimits WHERE player_id = player FOR NO KEY UPDATE;
        IF packed ? 'bonus' THEN
            targets := ledger_bonus_targets(
                (packed ->> 'hand')::bigint, player,
                (SELECT currency_id FROM wallets_account WHERE id = in_play)
            );
        END IF;
        PERFORM FROM wallets_account
            WHERE id IN (seat, in_play, bank, (packed ->> 'bonus')::bigint)
                OR id = ANY (targets)
            ORDER BY id FOR NO KEY UPDATE;
    END IF;
    IF packed ? 'exposure' THEN
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
    targets bigint[] := ledger_bonus_targets(hand);
    in_ledger bigint;
    legs jsonb;
    p record;
BEGIN
    IF targets IS NOT NULL THEN
        PERFORM FROM wallets_account a
            WHERE a.id IN (in_play, bank) OR a.id = ANY (targets)
                OR a.id IN (SELECT e::bigint FROM jsonb_object_keys(returned) AS e)
                OR a.id IN (SELECT s.account_id FROM ledger_stakes(hand) s)
            ORDER BY a.id FOR NO KEY UPDATE;
    END IF;
    SELECT coalesce(sum(s.amount_minor), 0) INTO in_ledger
        FROM ledger_stakes(hand) s WHERE s.account_id = in_play;
    IF staked <> in_ledger THEN
        PERFORM ledger_refuse(
            'LG020',
            format('round %s has %s staked, not %s', hand, in_ledger, staked),
            jsonb_build_object('hand', hand, 'staked', in_ledger, 'asked', staked)
        );
    END IF;
    SELECT jsonb_agg(jsonb_build_array(l.account, l.amount)) INTO legs
        FROM (
            SELECT u.account, sum(u.amount)::bigint AS amount FROM (
                SELECT e.key::bigint AS account, e.value::bigint AS amount
                    FROM jsonb_each_text(returned) AS e
                UNION ALL SELECT v.account, v.amount
                    FROM ledger_bonus_returns(hand, in_play, returned) b
                    CROSS JOIN LATERAL (VALUES (b.seat, -b.part), (b.bonus, b.part))
                        AS v (account, amount)
                    WHERE targets IS NOT NULL
                UNION ALL SELECT in_play, -staked
                UNION ALL SELECT bank, staked - coalesce((
                    SELECT sum(e.value::bigint) FROM jsonb_each_text(returned) AS e
                ), 0)
            ) AS u
            GROUP BY u.account
        ) AS l
        WHERE l.amount <> 0;
    replayed := false;
    IF legs IS NULL THEN
        RETURN;
    END IF;
    p := ledger_post(key, 'settle', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
    IF replayed THEN
        RETURN;
    END IF;
    IF targets IS NOT NULL THEN
        INSERT INTO wallets_bonuspart (grant_id, transfer_id, hand_id, amount_minor)
            SELECT b.grant_id, p.transfer_id, hand, b.part
                FROM ledger_bonus_returns(hand, in_play, returned) b WHERE b.part > 0;
        PERFORM ledger_bonus_follows(p.transfer_id, reference);
    END IF;
    PERFORM ledger_wagered(hand, coalesce((reference ->> 'weight_bp')::bigint, 10000));
END $$;

-- Void a round: every seat gets its stake back, and so does bonus money. Under the settlement's own
-- key, so that a round is settled or voided, never both.
CREATE FUNCTION ledger_round_void(
    key text, reference jsonb, actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    hand bigint := (reference ->> 'hand')::bigint;
    targets bigint[] := ledger_bonus_targets(hand);
    legs jsonb;
    p record;
BEGIN
    IF targets IS NOT NULL THEN
        PERFORM FROM wallets_account a
            WHERE a.id = ANY (targets)
                OR a.id IN (SELECT s.account_id FROM ledger_stakes(hand) s)
            ORDER BY a.id FOR NO KEY UPDATE;
    END IF;
    SELECT jsonb_agg(jsonb_build_array(s.account_id, -s.amount_minor)) INTO legs
        FROM ledger_stakes(hand) s;
    replayed := false;
    IF legs IS NULL THEN
        RETURN;
    END IF;
    p := ledger_post(key, 'void', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
    IF targets IS NOT NULL AND NOT replayed THEN
        INSERT INTO wallets_bonuspart (grant_id, transfer_id, hand_id, amount_minor)
            SELECT s.grant_id, p.transfer_id, hand, s.amount FROM ledger_bonus_stakes(hand) s;
        PERFORM ledger_bonus_follows(p.transfer_id, reference);
    END IF;
END $$;
