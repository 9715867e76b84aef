-- As before; a round that is settled after a grant's time is up counts no more towards it.
CREATE OR REPLACE FUNCTION ledger_wagered(hand bigint, weight_bp bigint) RETURNS void
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
