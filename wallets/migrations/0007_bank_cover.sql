-- What a table's bank must hold for the round in play: the most that the bets accepted so far can
-- cost. Written with the stake itself, in the same transaction; let go when the round is paid or
-- voided. Only functions of the ledger see it.
CREATE TABLE wallets_cover (
    account_id bigint PRIMARY KEY REFERENCES wallets_account,
    hand_id bigint NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor >= 0)
);
CREATE INDEX wallets_cover_hand ON wallets_cover (hand_id);
REVOKE ALL ON wallets_cover FROM PUBLIC, app;
GRANT SELECT ON wallets_cover TO app;

-- A banked bet. packed may say what the table's bank must hold from now on (`exposure`). A bet that
-- raises this beyond the bank is refused; one that lowers it never is.
CREATE OR REPLACE FUNCTION ledger_stake(packed jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    seat bigint := (packed ->> 'seat')::bigint;
    in_play bigint := (packed ->> 'in_play')::bigint;
    amount bigint := (packed ->> 'amount')::bigint;
    player bigint := (packed ->> 'player')::bigint;
    bank bigint;
    w record;
BEGIN
    IF packed ? 'exposure' THEN
        SELECT b.id INTO bank FROM wallets_account i
            JOIN wallets_account b ON b.table_id = i.table_id AND b.purpose = 'bank'
                AND b.currency_id = i.currency_id
            WHERE i.id = in_play;
        PERFORM FROM wallets_playerlimits WHERE player_id = player FOR NO KEY UPDATE;
        PERFORM FROM wallets_account
            WHERE id IN (seat, in_play, bank)
            ORDER BY id FOR NO KEY UPDATE;
        PERFORM ledger_cover(
            bank, (packed ->> 'hand')::bigint, (packed ->> 'exposure')::bigint
        );
    END IF;
    IF amount = 0 THEN
        RETURN NULL;
    END IF;
    PERFORM FROM wallets_account
        WHERE id = seat AND purpose = 'seat' AND player_id = player;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG006',
            format('player %s has no seat account %s', player, seat),
            jsonb_build_object('account', seat)
        );
    END IF;
    w := ledger_write(
        packed ->> 'key',
        CASE WHEN amount > 0 THEN 'stake' ELSE 'unstake' END,
        'single', NULL, NULL,
        CASE WHEN seat < in_play THEN ARRAY[seat, in_play] ELSE ARRAY[in_play, seat] END,
        CASE WHEN seat < in_play THEN ARRAY[-amount, amount] ELSE ARRAY[amount, -amount] END,
        ARRAY[NULL, NULL]::text[],
        (packed ->> 'hand')::bigint, (packed ->> 'table')::bigint, NULL, '', player
    );
    RETURN w.transfer_id;
END $$;

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

REVOKE ALL ON FUNCTION ledger_cover, ledger_cover_let_go, ledger_bank_covers FROM PUBLIC;
