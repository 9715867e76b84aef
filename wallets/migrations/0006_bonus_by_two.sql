-- A bonus that is not staked once before it is the player's is a gift: two persons agree to it,
-- whoever writes. Its transfer bears the approval's key, so one approval gives one bonus.
CREATE FUNCTION ledger_grant_agreed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM core_approval a JOIN wallets_transfer t
            ON t.key = format('approval:%s:bonus', a.id)
        WHERE t.id = NEW.transfer_id AND a.kind = 'wallet.bonus' AND a.status = 'executed'
            AND a.approved_by_id <> a.asked_by_id
            AND (a.payload ->> 'player')::bigint = NEW.player_id
            AND a.payload ->> 'currency' = NEW.currency_id
            AND (a.payload -> 'terms' ->> 'amount')::bigint = NEW.amount_minor
            AND (a.payload -> 'terms' ->> 'wager')::bigint = NEW.wager_minor;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG042',
            format('a bonus of %s with %s to stake is given by two', NEW.amount_minor,
                NEW.wager_minor),
            jsonb_build_object('amount', NEW.amount_minor, 'wager', NEW.wager_minor)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER grant_agreed BEFORE INSERT ON wallets_bonusgrant
    FOR EACH ROW WHEN (NEW.wager_minor < NEW.amount_minor)
    EXECUTE FUNCTION ledger_grant_agreed();
