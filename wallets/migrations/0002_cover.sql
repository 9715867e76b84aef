-- What a table's bank must hold for the round in play: the most that the bets accepted so far can
-- cost. Written with the stake itself, in the same transaction; let go when the round is paid or
-- voided. Only functions of the ledger see it.
CREATE TABLE wallets_cover (
    account_id bigint PRIMARY KEY REFERENCES wallets_account,
    hand_id bigint NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor >= 0)
);
CREATE INDEX wallets_cover_hand ON wallets_cover (hand_id);

-- The caller holds the bank's row.
CREATE FUNCTION ledger_cover(bank bigint, hand bigint, exposure bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    held bigint;
    covered bigint;
BEGIN
    SELECT a.balance_minor, c.amount_minor INTO held, covered
        FROM wallets_account a
        LEFT JOIN wallets_cover c ON c.account_id = a.id AND c.hand_id = hand
        WHERE a.id = bank AND a.purpose = 'bank';
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG006', 'the table has no bank', jsonb_build_object('account', bank)
        );
    END IF;
    IF exposure > held AND exposure > coalesce(covered, 0) THEN
        PERFORM ledger_refuse(
            'LG030',
            format('bank %s holds %s, the round could cost %s', bank, held, exposure),
            jsonb_build_object('account', bank, 'balance', held, 'exposure', exposure)
        );
    END IF;
    INSERT INTO wallets_cover AS c (account_id, hand_id, amount_minor)
        VALUES (bank, hand, exposure)
        ON CONFLICT (account_id) DO UPDATE SET hand_id = hand, amount_minor = exposure;
END $$;

-- The round is paid or voided: its transfer comes before its legs, so they find the bank free.
CREATE FUNCTION ledger_cover_let_go() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM wallets_cover WHERE hand_id = NEW.hand_id;
    RETURN NULL;
END $$;

CREATE TRIGGER transfer_lets_cover_go AFTER INSERT ON wallets_transfer
    FOR EACH ROW WHEN (NEW.kind IN ('settle', 'void') AND NEW.hand_id IS NOT NULL)
    EXECUTE FUNCTION ledger_cover_let_go();

-- Whoever else takes from a bank leaves there what the round in play may need.
CREATE FUNCTION ledger_bank_covers() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    needed bigint;
BEGIN
    SELECT amount_minor INTO needed FROM wallets_cover
        WHERE account_id = NEW.id AND amount_minor > NEW.balance_minor;
    IF FOUND THEN
        PERFORM ledger_refuse(
            'LG031',
            format('bank %s must hold %s for the round in play', NEW.id, needed),
            jsonb_build_object(
                'account', NEW.id, 'balance', OLD.balance_minor, 'exposure', needed
            )
        );
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER account_bank_covers AFTER UPDATE OF balance_minor ON wallets_account
    FOR EACH ROW WHEN (OLD.purpose = 'bank' AND NEW.balance_minor < OLD.balance_minor)
    EXECUTE FUNCTION ledger_bank_covers();
