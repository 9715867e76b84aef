-- Money of one currency for money of another: one transfer, each currency balancing by itself
-- through the house's exchange accounts, at a rate that two persons agreed to before.

CREATE TRIGGER rate_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_exchangerate
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

CREATE FUNCTION ledger_rate_is_agreed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF 'XTS' IN (NEW.gives_id, NEW.gets_id) THEN
        PERFORM ledger_refuse(
            'LG040', 'play money is not exchanged', jsonb_build_object('currency', 'XTS')
        );
    END IF;
    PERFORM FROM core_approval a
        WHERE a.id = NEW.approval_id AND a.kind = 'exchange.rate' AND a.status = 'executed'
            AND a.approved_by_id <> a.asked_by_id
            AND a.payload @> jsonb_build_object(
                'gives', NEW.gives_id, 'gets', NEW.gets_id, 'gives_minor', NEW.gives_minor,
                'gets_minor', NEW.gets_minor, 'middle_minor', NEW.middle_minor,
                'source', NEW.source
            )
            AND NEW.until_at <= NEW.from_at
                + (a.payload ->> 'valid_for_s')::bigint * interval '1 second';
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG026', 'the rate is not what two persons agreed to',
            jsonb_build_object('key', format('rate of approval %s', NEW.approval_id))
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER rate_is_agreed BEFORE INSERT ON wallets_exchangerate
    FOR EACH ROW EXECUTE FUNCTION ledger_rate_is_agreed();

-- The legs of so much given at a rate, by purpose. A part of a minor unit stays with the house.
CREATE FUNCTION ledger_exchange_legs(r wallets_exchangerate, given bigint)
RETURNS TABLE (purpose text, currency text, is_players boolean, amount bigint)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    SELECT l.column1::text, l.column2::text, l.column3, l.column4::bigint FROM (VALUES
        ('cash', r.gives_id, true, -given::numeric),
        ('exchange', r.gives_id, false, given::numeric),
        ('exchange', r.gets_id, false, -div(given::numeric * r.middle_minor, r.gives_minor)),
        ('cash', r.gets_id, true, div(given::numeric * r.gets_minor, r.gives_minor)),
        ('spread', r.gets_id, false, div(given::numeric * r.middle_minor, r.gives_minor)
            - div(given::numeric * r.gets_minor, r.gives_minor))
    ) AS l WHERE l.column4 <> 0;
END;

-- Whether a transfer is an exchange at the rate that it names, in the time of that rate.
CREATE FUNCTION ledger_is_at_rate(t wallets_transfer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
RETURN EXISTS (
    SELECT FROM wallets_exchangerate r
        JOIN wallets_leg g ON g.transfer_id = t.id AND g.amount_minor < 0
        JOIN wallets_account c ON c.id = g.account_id AND c.purpose = 'cash'
            AND c.currency_id = r.gives_id
        WHERE r.approval_id = t.approval_id
            AND t.created_at >= r.from_at AND t.created_at < r.until_at
            AND NOT EXISTS (
                SELECT FROM (
                    SELECT a.purpose::text, l.currency::text, a.player_id, l.amount_minor
                        FROM wallets_leg l JOIN wallets_account a ON a.id = l.account_id
                        WHERE l.transfer_id = t.id
                ) AS written (purpose, currency, player, amount)
                FULL JOIN (
                    SELECT e.purpose, e.currency, CASE WHEN e.is_players THEN c.player_id END,
                            e.amount
                        FROM ledger_exchange_legs(r, -g.amount_minor) e
                ) AS agreed (purpose, currency, player, amount)
                    ON written.purpose = agreed.purpose AND written.currency = agreed.currency
                        AND written.amount = agreed.amount
                        AND written.player IS NOT DISTINCT FROM agreed.player
                WHERE written.purpose IS NULL OR agreed.purpose IS NULL
            )
);

-- Exchange so much of a player's cash at a rate, once per key.
CREATE FUNCTION ledger_exchange(
    key text, player bigint, rate bigint, given bigint, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    r wallets_exchangerate;
    unlimited text;
    p record;
BEGIN
    SELECT * INTO r FROM wallets_exchangerate e WHERE e.id = rate;
    IF NOT FOUND OR div(given::numeric * r.gets_minor, r.gives_minor) < 1 THEN
        PERFORM ledger_refuse(
            CASE WHEN FOUND THEN 'LG017' ELSE 'LG038' END,
            format('nothing to be had for %s at rate %s', given, rate),
            jsonb_build_object('key', key, 'rate', rate)
        );
    END IF;
    -- What play may cost in one currency is not lost in another that has no such limit.
    SELECT l.kind INTO unlimited FROM wallets_spendlimit l
        WHERE l.player_id = player AND l.currency_id = r.gives_id AND NOT EXISTS (
            SELECT FROM wallets_spendlimit o
                WHERE o.player_id = player AND o.currency_id = r.gets_id AND o.kind = l.kind
        )
        ORDER BY l.kind LIMIT 1;
    IF FOUND THEN
        PERFORM ledger_refuse(
            'LG039',
            format('player %s has a %s limit in %s and none in %s', player, unlimited, r.gives_id,
                r.gets_id),
            jsonb_build_object('player', player, 'kind', unlimited, 'currency', r.gets_id)
        );
    END IF;
    p := ledger_post(
        key, 'exchange',
        (SELECT jsonb_agg(jsonb_build_array(
            ledger_account_open(
                l.purpose, l.currency, CASE WHEN l.is_players THEN player END, NULL
            ), l.amount
        )) FROM ledger_exchange_legs(r, given) l),
        jsonb_build_object('approval', r.approval_id), actor
    );
    transfer_id := p.transfer_id;
    replayed := p.replayed;
    -- At the end of the transaction it would be refused too, but its caller is gone by then.
    IF NOT replayed THEN
        PERFORM FROM wallets_transfer t WHERE t.id = p.transfer_id AND ledger_is_at_rate(t);
        IF NOT FOUND THEN
            PERFORM ledger_refuse(
                'LG038',
                format('rate %s is not in force', rate),
                jsonb_build_object('key', key, 'rate', rate)
            );
        END IF;
    END IF;
END $$;
