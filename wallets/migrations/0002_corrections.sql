-- Corrections of the books: by two persons, and linked to what they correct.

-- An adjustment, a reversal or tips that are paid out carry the approval that was used up for it,
-- and do what that says. The approval's own triggers see to it that two persons stand behind it.
-- One approval, one deed: by the deed's key, which is unique already; a partial index for it has
-- its condition prepared anew by every posting.
CREATE FUNCTION ledger_approval_check(t wallets_transfer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM core_approval a
        WHERE a.id = t.approval_id AND a.status = 'executed'
            AND a.approved_by_id <> a.asked_by_id
            AND CASE t.kind
                WHEN 'reversal' THEN a.kind = 'hand.void'
                    AND t.key = format('hand:%s:reverse', t.hand_id)
                    AND (a.payload ->> 'hand')::bigint = t.hand_id
                WHEN 'tips_paid' THEN a.kind = 'tips.payout'
                    AND t.key = format('approval:%s:tips', a.id)
                    AND t.leg_count = 2 AND EXISTS (
                    SELECT FROM wallets_leg l JOIN wallets_account p ON p.id = l.account_id
                        WHERE l.transfer_id = t.id AND p.purpose = 'tips'
                            AND l.currency = a.payload ->> 'currency'
                            AND l.amount_minor = -(a.payload ->> 'amount_minor')::bigint
                )
                ELSE a.kind = 'wallet.adjustment'
                    AND t.key = format('approval:%s:adjustment', a.id) AND EXISTS (
                    SELECT FROM wallets_leg l
                        WHERE l.transfer_id = t.id
                            AND l.account_id = (a.payload ->> 'account')::bigint
                            AND l.amount_minor = (a.payload ->> 'amount_minor')::bigint
                )
            END;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG026',
            format('transfer %s is not what two persons agreed to', t.key),
            jsonb_build_object('key', t.key)
        );
    END IF;
END $$;

-- What undoing a settled hand would move, by the account's purpose and owner. Winnings come from
-- the seat, then from cash; what is gone is owed, so that no player falls below zero. A jackpot that
-- the hand has won goes back with it, as winnings in cash do. Losses go to cash, where a player who
-- has left finds them. Bonus money is looked for where its grant has gone, and lost bonus money goes
-- back there. What the house has swept away meanwhile comes from its adjustments, and so does what
-- the hand left in a pot for later ones, whose winner has it; what it won of theirs goes there.
CREATE FUNCTION ledger_reversal(hand bigint)
RETURNS TABLE (purpose text, currency text, player bigint, tbl bigint, amount bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    WITH moved AS (
        SELECT m.account_id, sum(m.amount)::bigint AS net FROM (
            SELECT l.account_id, l.amount_minor
                FROM wallets_transfer t
                JOIN wallets_leg l ON l.transfer_id = t.id
                JOIN wallets_account a ON a.id = l.account_id AND a.purpose <> 'bonus'
                WHERE t.hand_id = ledger_reversal.hand
                    AND t.kind IN ('stake', 'unstake', 'settle', 'jackpot_award')
            UNION ALL
            SELECT ledger_bonus_target(p.grant_id), p.amount_minor
                FROM wallets_bonuspart p
                JOIN wallets_transfer t ON t.id = p.transfer_id
                WHERE p.hand_id = ledger_reversal.hand AND t.kind IN ('stake', 'unstake', 'settle')
        ) AS m (account_id, amount)
            GROUP BY m.account_id HAVING sum(m.amount) <> 0
    ), known AS (
        SELECT a.purpose, a.currency_id, a.player_id, a.table_id, m.net,
                CASE
                    WHEN m.net < 0 OR a.purpose IN ('cash', 'in_play') THEN 0
                    WHEN a.may_go_negative THEN m.net
                    WHEN a.held_by IS NOT NULL THEN 0
                    ELSE least(m.net, a.balance_minor)
                END AS here
            FROM moved m JOIN wallets_account a ON a.id = m.account_id
    ), players AS (
        SELECT k.currency_id, k.player_id,
                sum(greatest(k.net - k.here, 0)) AS owed,
                -coalesce(sum(k.net) FILTER (WHERE k.net < 0 AND k.purpose <> 'bonus'), 0) AS back,
                (
                    SELECT coalesce(sum(c.balance_minor), 0) FROM wallets_account c
                        WHERE c.player_id = k.player_id AND c.currency_id = k.currency_id
                            AND c.purpose = 'cash'
                ) AS cash
            FROM known k WHERE k.player_id IS NOT NULL
            GROUP BY k.currency_id, k.player_id
    ), parts AS (
        SELECT k.purpose, k.currency_id, k.player_id, k.table_id, -k.here AS amount FROM known k
        UNION ALL
        SELECT k.purpose, k.currency_id, k.player_id, k.table_id, -k.net
            FROM known k
            WHERE k.net < 0 AND k.purpose <> 'in_play'
                AND (k.player_id IS NULL OR k.purpose = 'bonus')
        UNION ALL
        SELECT 'cash', p.currency_id, p.player_id, NULL, p.back - least(p.owed, p.cash + p.back)
            FROM players p
        UNION ALL
        SELECT 'receivable', p.currency_id, p.player_id, NULL,
                -greatest(p.owed - p.cash - p.back, 0)
            FROM players p
        UNION ALL
        SELECT 'adjustments', k.currency_id, NULL, NULL,
                CASE k.purpose WHEN 'in_play' THEN -k.net ELSE -greatest(k.net - k.here, 0) END
            FROM known k WHERE k.player_id IS NULL
    )
    SELECT p.purpose, p.currency_id, p.player_id, p.table_id, sum(p.amount)::bigint
        FROM parts p
        GROUP BY p.purpose, p.currency_id, p.player_id, p.table_id
        HAVING sum(p.amount) <> 0
        ORDER BY p.player_id NULLS LAST, p.purpose;
END;

-- Undo a settled hand, once; it counts no more towards a bonus, and a hand that moved nothing is
-- undone by moving nothing. reference: {hand, table, approval, reason}.
CREATE FUNCTION ledger_reverse(
    key text, reference jsonb, actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    hand bigint := (reference ->> 'hand')::bigint;
    legs jsonb;
    p record;
BEGIN
    PERFORM FROM wallets_transfer t WHERE t.hand_id = hand AND t.kind = 'settle';
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG021',
            format('hand %s is not settled', hand),
            jsonb_build_object('hand', hand)
        );
    END IF;
    PERFORM ledger_bonus_targets(hand);
    PERFORM FROM wallets_account a
        WHERE a.id IN (
            SELECT c.id
                FROM wallets_transfer t
                JOIN wallets_leg l ON l.transfer_id = t.id
                JOIN wallets_account b ON b.id = l.account_id
                JOIN wallets_account c ON c.id = b.id
                    OR c.player_id = b.player_id AND c.purpose IN ('cash', 'receivable')
                    OR c.player_id IS NULL AND c.currency_id = b.currency_id
                        AND c.purpose = 'adjustments'
                WHERE t.hand_id = hand
        )
        ORDER BY a.id FOR NO KEY UPDATE;
    SELECT jsonb_agg(jsonb_build_array(l.account_id, l.amount_minor)) INTO legs
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.key = ledger_reverse.key;
    IF legs IS NULL THEN
        SELECT jsonb_agg(jsonb_build_array(
            ledger_account_open(r.purpose, r.currency, r.player, r.tbl), r.amount
        )) INTO legs FROM ledger_reversal(hand) r;
    END IF;
    replayed := false;
    IF legs IS NOT NULL THEN
        p := ledger_post(key, 'reversal', legs, reference, actor);
        transfer_id := p.transfer_id;
        replayed := p.replayed;
    END IF;
    IF replayed THEN
        RETURN;
    END IF;
    INSERT INTO wallets_bonuspart (grant_id, transfer_id, hand_id, amount_minor)
        SELECT g.id, l.transfer_id, hand, l.amount_minor
            FROM wallets_leg l
            JOIN wallets_account a ON a.id = l.account_id AND a.purpose = 'bonus'
            JOIN wallets_bonusgrant g ON g.player_id = a.player_id
                AND g.currency_id = a.currency_id AND g.status = 'active'
            WHERE l.transfer_id = ledger_reverse.transfer_id;
    INSERT INTO wallets_bonusprogress (grant_id, hand_id, counted_minor)
        SELECT b.grant_id, hand, -sum(b.counted_minor)
            FROM wallets_bonusprogress b WHERE b.hand_id = hand
            GROUP BY b.grant_id HAVING sum(b.counted_minor) <> 0;
END $$;
