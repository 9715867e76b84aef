-- Corrections of the books: by two persons, and linked to what they correct.

-- An adjustment or a reversal carries the approval that was used up for it, and does what that
-- says. The approval's own triggers see to it that two persons stand behind it. One approval, one
-- deed: by the deed's key, which is unique already; a partial index for it has its condition
-- prepared anew by every posting.
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
-- the seat, then from cash; what is gone is owed, so that no player falls below zero. Losses go
-- to cash, where a player who has left finds them, and what was lost of a bonus back to it. What
-- the house has swept away meanwhile comes from its adjustments.
CREATE FUNCTION ledger_reversal(hand bigint)
RETURNS TABLE (purpose text, currency text, player bigint, tbl bigint, amount bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    WITH moved AS (
        SELECT l.account_id, sum(l.amount_minor)::bigint AS net
            FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
            WHERE t.hand_id = ledger_reversal.hand AND t.kind IN ('stake', 'unstake', 'settle')
            GROUP BY l.account_id HAVING sum(l.amount_minor) <> 0
    ), known AS (
        SELECT a.purpose, a.currency_id, a.player_id, a.table_id, m.net,
                CASE
                    WHEN m.net < 0 THEN 0
                    WHEN a.may_go_negative THEN m.net
                    WHEN a.held_by IS NOT NULL THEN 0
                    ELSE least(m.net, a.balance_minor)
                END AS here,
                coalesce(c.balance_minor, 0) AS cash
            FROM moved m
            JOIN wallets_account a ON a.id = m.account_id
            LEFT JOIN wallets_account c ON c.purpose = 'cash' AND c.player_id = a.player_id
                AND c.currency_id = a.currency_id
    ), parts AS (
        SELECT k.purpose, k.currency_id, k.player_id, k.table_id, -k.here AS amount FROM known k
        UNION ALL
        SELECT CASE WHEN k.purpose = 'bonus' AND k.net < 0 THEN 'bonus' ELSE 'cash' END,
                k.currency_id, k.player_id, NULL,
                CASE WHEN k.net < 0 THEN -k.net ELSE -least(k.net - k.here, k.cash) END
            FROM known k WHERE k.player_id IS NOT NULL
        UNION ALL
        SELECT 'receivable', k.currency_id, k.player_id, NULL,
                -greatest(k.net - k.here - k.cash, 0)
            FROM known k WHERE k.player_id IS NOT NULL
        UNION ALL
        SELECT k.purpose, k.currency_id, NULL, k.table_id, -k.net
            FROM known k WHERE k.player_id IS NULL AND k.net < 0
        UNION ALL
        SELECT 'adjustments', k.currency_id, NULL, NULL, -greatest(k.net - k.here, 0)
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
    PERFORM FROM wallets_account a
        WHERE a.id IN (
            SELECT c.id
                FROM wallets_transfer t
                JOIN wallets_leg l ON l.transfer_id = t.id
                JOIN wallets_account b ON b.id = l.account_id
                JOIN wallets_account c ON c.id = b.id
                    OR c.player_id = b.player_id AND c.purpose IN ('cash', 'receivable')
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
    INSERT INTO wallets_bonusprogress (grant_id, hand_id, counted_minor)
        SELECT b.grant_id, hand, -sum(b.counted_minor)
            FROM wallets_bonusprogress b WHERE b.hand_id = hand
            GROUP BY b.grant_id HAVING sum(b.counted_minor) <> 0;
END $$;
