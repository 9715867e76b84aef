-- One approval, one deed: by the deed's key, which is unique already. A partial index for it, or
-- for pending transfers, has its condition prepared anew by every posting.
CREATE OR REPLACE FUNCTION ledger_approval_check(t wallets_transfer) RETURNS void
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
