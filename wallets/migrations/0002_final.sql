-- What is written once and stays. Every refusal of the ledger has its own SQLSTATE in class LG
-- (wallets/ledger.py names them) and its facts as a JSON object in DETAIL.

CREATE FUNCTION ledger_refuse(state text, message text, facts jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%', message USING ERRCODE = state, DETAIL = facts::text;
END $$;

CREATE FUNCTION ledger_rows_are_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM ledger_refuse(
        'LG001',
        format('%s refused: rows of %s are never changed or removed', TG_OP, TG_TABLE_NAME),
        jsonb_build_object('operation', TG_OP, 'rows', TG_TABLE_NAME)
    );
END $$;

CREATE TRIGGER transfer_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER leg_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_leg
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER account_final BEFORE DELETE OR TRUNCATE ON wallets_account
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER currency_final BEFORE DELETE OR TRUNCATE ON wallets_currency
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

-- Amounts are counted in minor units: another exponent would restate every one of them.
CREATE TRIGGER currency_fixed BEFORE UPDATE OF code, exponent ON wallets_currency
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

-- A player's limits and what was changed about them.
CREATE TRIGGER limit_change_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_limitchange
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER play_session_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_playsession
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER deposit_limit_final BEFORE DELETE OR TRUNCATE ON wallets_depositlimit
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER spend_limit_final BEFORE DELETE OR TRUNCATE ON wallets_spendlimit
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER time_limit_final BEFORE DELETE OR TRUNCATE ON wallets_timelimit
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER player_limits_final BEFORE DELETE OR TRUNCATE ON wallets_playerlimits
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

-- What a reconciliation found stays as it was found; cases are followed up, never removed.
CREATE TRIGGER reconciliation_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_reconciliation
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER cash_case_final BEFORE DELETE OR TRUNCATE ON wallets_cashcase
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

-- Grants end, what counted towards them is counted back.
CREATE TRIGGER grant_final BEFORE DELETE OR TRUNCATE ON wallets_bonusgrant
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER progress_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_bonusprogress
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER part_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_bonuspart
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

-- What a payment provider said, and how it compared.
CREATE TRIGGER payment_file_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_paymentfile
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER payment_line_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_paymentline
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
