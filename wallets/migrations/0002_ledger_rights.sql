-- The role `app` reads the ledger and calls its functions; it writes neither balances nor
-- transfers nor legs. Whatever default privileges a database has are taken back first.
REVOKE ALL ON wallets_account, wallets_transfer, wallets_leg, wallets_currency,
    wallets_playerlimits, wallets_depositlimit FROM PUBLIC, app;
GRANT SELECT ON wallets_account, wallets_transfer, wallets_leg TO app;
GRANT SELECT, INSERT, UPDATE (name) ON wallets_currency TO app;
GRANT SELECT, INSERT, UPDATE ON wallets_playerlimits, wallets_depositlimit TO app;

REVOKE ALL ON FUNCTION
    ledger_refuse, ledger_rows_are_final, ledger_content, ledger_before_seal,
    ledger_transfer_stamp, ledger_leg_check, ledger_leg_apply, ledger_account_guard,
    ledger_resolution_legs, ledger_transfer_check, ledger_account_open, ledger_limits_check,
    ledger_difference, ledger_write, ledger_post, ledger_hold, ledger_release, ledger_settle,
    ledger_stake, ledger_stakes, ledger_round_pay, ledger_round_void, ledger_reversal,
    ledger_reverse, ledger_cash_out, ledger_pend, ledger_resolve
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    ledger_content, ledger_account_open, ledger_post, ledger_hold, ledger_release,
    ledger_settle, ledger_stake, ledger_stakes, ledger_round_pay, ledger_round_void,
    ledger_reversal, ledger_reverse, ledger_cash_out, ledger_pend, ledger_resolve
    TO app;
