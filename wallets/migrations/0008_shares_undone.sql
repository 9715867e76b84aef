-- What undoing a settled hand would move, by the account's purpose and owner. Winnings come from
-- the seat, then from cash; what is gone is owed, so that no player falls below zero. A jackpot that
-- the hand has won goes back with it, as winnings in cash do. Losses go to cash, where a player who
-- has left finds them. Bonus money is looked for where its grant has gone, and lost bonus money goes
-- back there. What the house has swept away meanwhile comes from its adjustments, and so does what
-- the hand left in a pot for later ones, whose winner has it; what it won of theirs goes there. Where
-- that pot was shared instead, the last hand that left it takes the shares back.
CREATE OR REPLACE FUNCTION ledger_reversal(hand bigint)
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
                    AND t.kind IN ('stake', 'unstake', 'settle', 'carry', 'jackpot_award')
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
