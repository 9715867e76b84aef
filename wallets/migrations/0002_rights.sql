-- The role `app` reads the ledger and calls its functions; it writes neither balances nor
-- transfers nor legs. Whatever default privileges a database has are taken back first.

REVOKE ALL ON wallets_account, wallets_transfer, wallets_leg, wallets_cover, wallets_currency,
    wallets_playerlimits, wallets_depositlimit, wallets_spendlimit, wallets_timelimit,
    wallets_limitchange, wallets_playsession, wallets_housepolicy, wallets_controlband,
    wallets_reconciliation, wallets_cashthreshold, wallets_cashcase, wallets_bonusgrant,
    wallets_bonusprogress, wallets_bonuspart, wallets_bonusweight,
    wallets_exchangerate, wallets_paymentfile, wallets_paymentline
    FROM PUBLIC, app;
GRANT SELECT ON wallets_account, wallets_transfer, wallets_leg, wallets_cover,
    wallets_playsession, wallets_bonusgrant, wallets_bonusprogress, wallets_bonuspart TO app;
GRANT SELECT, INSERT ON wallets_limitchange, wallets_reconciliation, wallets_exchangerate,
    wallets_paymentfile, wallets_paymentline TO app;
GRANT SELECT, INSERT, UPDATE ON wallets_playerlimits, wallets_depositlimit, wallets_spendlimit,
    wallets_timelimit, wallets_bonusweight TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON wallets_controlband, wallets_cashthreshold TO app;
GRANT SELECT, UPDATE ON wallets_housepolicy TO app;
GRANT SELECT, INSERT, UPDATE (name) ON wallets_currency TO app;
GRANT SELECT, INSERT, UPDATE (total_minor, facts, status, note, closed_by_id, closed_at)
    ON wallets_cashcase TO app;

-- Nobody calls what is not named below.
DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN
        SELECT p.oid FROM pg_proc p
            WHERE p.pronamespace = 'public'::regnamespace AND starts_with(p.proname, 'ledger_')
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION
    ledger_content, ledger_kind_moves, ledger_account_open, ledger_post, ledger_cash_out,
    ledger_pend, ledger_resolve, ledger_intent_legs, ledger_expires_at, ledger_hold,
    ledger_release, ledger_settle, ledger_stake, ledger_stakes, ledger_round_pay,
    ledger_round_void, ledger_reversal, ledger_reverse, ledger_spent, ledger_played_s,
    ledger_paid_in, ledger_barred, ledger_bonus_grant, ledger_bonus_end, ledger_exchange,
    ledger_exchange_legs, ledger_is_at_rate
    TO app;
