-- The only ways in for the application are here and in the files that follow. Each runs with the
-- owner's rights, takes its locks in the order of the house (player's limits, then accounts by id)
-- and is one round trip. A transfer's key is written before any of these locks: whoever comes
-- second with it waits for the first to end, and then gets the first one's answer.

-- The account of that owner, purpose and currency; opened if there is none yet.
CREATE FUNCTION ledger_account_open(
    purpose text, currency text, player bigint, tbl bigint
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    account bigint;
BEGIN
    SELECT id INTO account FROM wallets_account a
        WHERE a.purpose = ledger_account_open.purpose
            AND a.currency_id = ledger_account_open.currency
            AND a.player_id IS NOT DISTINCT FROM ledger_account_open.player
            AND a.table_id IS NOT DISTINCT FROM ledger_account_open.tbl;
    IF FOUND THEN
        RETURN account;
    END IF;
    PERFORM FROM wallets_currency WHERE code = ledger_account_open.currency;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG019',
            format('there is no currency %s', ledger_account_open.currency),
            jsonb_build_object('currency', ledger_account_open.currency)
        );
    END IF;
    IF ledger_account_open.player IS NOT NULL THEN
        INSERT INTO wallets_playerlimits (player_id, self_excluded, changed_at)
            VALUES (ledger_account_open.player, false, clock_timestamp())
            ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO wallets_account (
        purpose, currency_id, player_id, table_id, may_go_negative, balance_minor
    ) VALUES (
        ledger_account_open.purpose, ledger_account_open.currency, ledger_account_open.player,
        ledger_account_open.tbl,
        ledger_account_open.purpose IN
            ('cage', 'bank', 'adjustments', 'receivable', 'exchange', 'operator'), 0
    ) ON CONFLICT DO NOTHING RETURNING id INTO account;
    IF NOT FOUND THEN
        SELECT id INTO account FROM wallets_account a
            WHERE a.purpose = ledger_account_open.purpose
                AND a.currency_id = ledger_account_open.currency
                AND a.player_id IS NOT DISTINCT FROM ledger_account_open.player
                AND a.table_id IS NOT DISTINCT FROM ledger_account_open.tbl;
    END IF;
    RETURN account;
END $$;

-- The first field in which a repeated transfer differs from the one written under its key.
CREATE FUNCTION ledger_difference(
    t wallets_transfer, kind text, phase text, resolves bigint, intent jsonb,
    accounts bigint[], amounts bigint[], currencies text[], hand bigint, tbl bigint,
    approval bigint, reason text, actor bigint
) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    written record;
BEGIN
    SELECT array_agg(l.account_id ORDER BY l.account_id) AS accounts,
            array_agg(l.amount_minor ORDER BY l.account_id) AS amounts,
            array_agg(l.currency ORDER BY l.account_id) AS currencies
        INTO written
        FROM wallets_leg l WHERE l.transfer_id = t.id;
    RETURN CASE
        WHEN t.kind <> kind THEN 'kind'
        WHEN t.phase <> phase THEN 'phase'
        WHEN t.resolves_id IS DISTINCT FROM resolves THEN 'resolves'
        WHEN written.accounts <> accounts THEN 'account'
        WHEN written.amounts <> amounts THEN 'amount_minor'
        WHEN EXISTS (
            SELECT FROM unnest(written.currencies, currencies) AS c (kept_in, asked)
                WHERE asked <> kept_in
        ) THEN 'currency'
        WHEN t.hand_id IS DISTINCT FROM hand THEN 'hand'
        WHEN t.table_id IS DISTINCT FROM tbl THEN 'table'
        WHEN t.approval_id IS DISTINCT FROM approval THEN 'approval'
        WHEN t.actor_id IS DISTINCT FROM actor THEN 'actor'
        WHEN t.reason <> reason THEN 'reason'
        WHEN t.intent IS DISTINCT FROM intent THEN 'intent'
    END;
END $$;

-- What every posting function ends in. accounts: ascending; the other two arrays follow it.
-- A currency may be left NULL: then it is the account's.
CREATE FUNCTION ledger_write(
    key text, kind text, phase text, resolves bigint, intent jsonb,
    accounts bigint[], amounts bigint[], currencies text[], hand bigint, tbl bigint,
    approval bigint, reason text, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    n integer := coalesce(cardinality(accounts), 0);
    content text := '';
    written wallets_transfer;
    field text;
    locked record;
    total numeric := 0;
BEGIN
    IF n < 2 THEN
        PERFORM ledger_refuse(
            'LG017', 'a transfer has two or more legs', jsonb_build_object('key', key)
        );
    END IF;
    FOR i IN 1..n LOOP
        IF amounts[i] = 0 OR accounts[i] = accounts[i - 1] THEN
            PERFORM ledger_refuse(
                'LG017',
                format('account %s is named twice, or its leg moves nothing', accounts[i]),
                jsonb_build_object('key', key, 'account', accounts[i])
            );
        END IF;
        content := concat(
            content, CASE WHEN i > 1 THEN ',' END, accounts[i], ':', amounts[i]
        );
        total := total + amounts[i];
    END LOOP;

    INSERT INTO wallets_transfer AS t (
        key, kind, phase, resolves_id, intent, hand_id, table_id, approval_id, reason, actor_id,
        leg_count, content_hash, xact_id
    ) VALUES (
        key, kind, phase, resolves, intent, hand, tbl, approval, reason, actor, n,
        ledger_content(
            key, kind, phase, resolves, hand, tbl, approval, actor, reason, intent, content
        ),
        0
    ) ON CONFLICT ON CONSTRAINT wallets_transfer_key_key DO NOTHING RETURNING t.id INTO transfer_id;
    replayed := transfer_id IS NULL;
    IF replayed THEN
        SELECT * INTO written FROM wallets_transfer t WHERE t.key = ledger_write.key;
        field := ledger_difference(
            written, kind, phase, resolves, intent, accounts, amounts, currencies, hand, tbl,
            approval, reason, actor
        );
        IF field IS NOT NULL THEN
            PERFORM ledger_refuse(
                'LG005',
                format('key %s was used with another %s', key, field),
                jsonb_build_object('key', key, 'field', field, 'transfer', written.id)
            );
        END IF;
        transfer_id := written.id;
        RETURN;
    END IF;

    IF kind IN ('deposit', 'buy_in', 'stake', 'exchange', 'operator_in') AND resolves IS NULL THEN
        PERFORM ledger_limits_check(kind, accounts, amounts);
    END IF;
    SELECT count(*) AS n, array_agg(a.currency_id ORDER BY a.id) AS currencies,
            array_agg(a.id ORDER BY a.id) AS ids,
            min(a.currency_id) = max(a.currency_id) AS one_currency
        INTO locked
        FROM (
            SELECT id, currency_id FROM wallets_account
                WHERE id = ANY (accounts) ORDER BY id FOR NO KEY UPDATE
        ) AS a;
    IF locked.n <> n THEN
        FOR i IN 1..n LOOP
            IF accounts[i] IS DISTINCT FROM locked.ids[i] THEN
                PERFORM ledger_refuse(
                    'LG006',
                    format('there is no account %s', accounts[i]),
                    jsonb_build_object('account', accounts[i])
                );
            END IF;
        END LOOP;
    END IF;
    IF NOT locked.one_currency THEN
        SELECT max(abs(s.total)) INTO total FROM (
            SELECT sum(l.amount) AS total
                FROM unnest(amounts, locked.currencies) AS l (amount, currency)
                GROUP BY l.currency
        ) AS s;
    END IF;
    IF total <> 0 THEN
        PERFORM ledger_refuse(
            'LG002',
            format('transfer %s does not sum to zero', key),
            jsonb_build_object('key', key)
        );
    END IF;

    INSERT INTO wallets_leg (
        transfer_id, position, account_id, currency, amount_minor, balance_after_minor
    )
        SELECT ledger_write.transfer_id, l.i, l.account, coalesce(l.asked, l.kept_in), l.amount, 0
            FROM unnest(accounts, amounts, currencies, locked.currencies)
                WITH ORDINALITY AS l (account, amount, asked, kept_in, i);
END $$;

-- Post legs [[account, amount, currency or null], ...] once per key.
-- reference: {hand, table, approval, reason}, each of them optional.
CREATE FUNCTION ledger_post(
    key text, kind text, legs jsonb, reference jsonb, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    l record;
    w record;
BEGIN
    SELECT array_agg((e ->> 0)::bigint ORDER BY (e ->> 0)::bigint) AS accounts,
            array_agg((e ->> 1)::bigint ORDER BY (e ->> 0)::bigint) AS amounts,
            array_agg(e ->> 2 ORDER BY (e ->> 0)::bigint) AS currencies
        INTO l FROM jsonb_array_elements(legs) AS e;
    w := ledger_write(
        key, kind, 'single', NULL, NULL, l.accounts, l.amounts, l.currencies,
        (reference ->> 'hand')::bigint, (reference ->> 'table')::bigint,
        (reference ->> 'approval')::bigint, coalesce(reference ->> 'reason', ''), actor
    );
    transfer_id := w.transfer_id;
    replayed := w.replayed;
END $$;

-- All of a seat's chips back to its player's cash. A seat without chips: nothing is written.
CREATE FUNCTION ledger_cash_out(
    key text, player bigint, seat bigint, actor bigint,
    OUT transfer_id bigint, OUT amount bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    s record;
    cash bigint;
    p record;
BEGIN
    SELECT a.currency_id, a.table_id INTO s FROM wallets_account a
        WHERE a.id = seat AND a.purpose = 'seat' AND a.player_id = player;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG006',
            format('player %s has no seat account %s', player, seat),
            jsonb_build_object('account', seat)
        );
    END IF;
    cash := ledger_account_open('cash', s.currency_id, player, NULL);
    PERFORM FROM wallets_account a WHERE a.id IN (seat, cash) ORDER BY a.id FOR NO KEY UPDATE;
    SELECT -l.amount_minor INTO amount
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.key = ledger_cash_out.key AND l.account_id = seat AND t.kind = 'cash_out';
    IF NOT FOUND THEN
        SELECT a.balance_minor INTO amount FROM wallets_account a WHERE a.id = seat;
    END IF;
    IF amount = 0 THEN
        RETURN;
    END IF;
    p := ledger_post(
        key, 'cash_out', jsonb_build_array(
            jsonb_build_array(seat, -amount), jsonb_build_array(cash, amount)
        ), jsonb_build_object('table', s.table_id), actor
    );
    transfer_id := p.transfer_id;
END $$;
