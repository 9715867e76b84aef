-- What a reconciliation found stays as it was found; cases are followed up, never removed.
CREATE TRIGGER reconciliation_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_reconciliation
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER cash_case_final BEFORE DELETE OR TRUNCATE ON wallets_cashcase
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

REVOKE ALL ON wallets_reconciliation, wallets_cashthreshold, wallets_cashcase FROM PUBLIC, app;
GRANT SELECT, INSERT ON wallets_reconciliation TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON wallets_cashthreshold TO app;
GRANT SELECT, INSERT, UPDATE (total_minor, status, note, closed_by_id, closed_at)
    ON wallets_cashcase TO app;
