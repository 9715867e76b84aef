-- The only ways in for the application. Each runs with the owner's rights, takes its locks in
-- the order of the house (player's limits, then accounts by id) and is one round trip.
-- A transfer's key is written before any of these locks: whoever comes second with it waits
-- for the first to end, and then gets the first one's answer.

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
        ledger_account_open.purpose IN ('cage', 'bank', 'adjustments', 'receivable'), 0
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

-- Player protection, inside the money's own transaction: the limits row is locked, so two
-- deposits cannot both find room under one limit.
CREATE FUNCTION ledger_limits_check(kind text, accounts bigint[], amounts bigint[])
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    who bigint;
    limits wallets_playerlimits;
    paid_in record;
    most record;
    used numeric;
BEGIN
    FOR who IN
        SELECT DISTINCT player_id FROM wallets_account
            WHERE id = ANY (accounts) AND player_id IS NOT NULL ORDER BY player_id
    LOOP
        SELECT * INTO limits FROM wallets_playerlimits
            WHERE player_id = who FOR NO KEY UPDATE;
        IF limits.self_excluded OR limits.excluded_until > clock_timestamp() THEN
            PERFORM ledger_refuse(
                'LG013',
                format('player %s is excluded from play', who),
                jsonb_build_object('player', who, 'until', limits.excluded_until)
            );
        END IF;
    END LOOP;
    IF kind <> 'deposit' THEN
        RETURN;
    END IF;

    FOR paid_in IN
        SELECT a.player_id, a.currency_id, sum(l.amount) AS amount
            FROM unnest(accounts, amounts) AS l (account, amount)
            JOIN wallets_account a ON a.id = l.account
            WHERE a.player_id IS NOT NULL AND l.amount > 0
            GROUP BY a.player_id, a.currency_id
    LOOP
        FOR most IN
            SELECT window_days,
                    CASE WHEN next_from <= clock_timestamp() THEN next_minor ELSE most_minor END
                        AS minor
                FROM wallets_depositlimit
                WHERE player_id = paid_in.player_id AND currency_id = paid_in.currency_id
                ORDER BY window_days
        LOOP
            SELECT coalesce(sum(l.amount_minor), 0) INTO used
                FROM wallets_account a
                JOIN wallets_leg l ON l.account_id = a.id
                JOIN wallets_transfer t ON t.id = l.transfer_id
                WHERE a.player_id = paid_in.player_id
                    AND a.currency_id = paid_in.currency_id
                    AND a.table_id IS NULL
                    AND l.amount_minor > 0
                    AND t.kind = 'deposit'
                    AND t.phase IN ('single', 'pending')
                    AND t.created_at > clock_timestamp() - make_interval(days => most.window_days)
                    AND NOT EXISTS (
                        SELECT FROM wallets_transfer r
                            WHERE r.resolves_id = t.id AND r.phase = 'void'
                    );
            IF used + paid_in.amount > most.minor THEN
                PERFORM ledger_refuse(
                    'LG014',
                    format('deposit of %s would pass the limit of %s in %s days',
                        paid_in.amount, most.minor, most.window_days),
                    jsonb_build_object(
                        'player', paid_in.player_id, 'asked', paid_in.amount, 'used', used,
                        'most', most.minor, 'window_days', most.window_days
                    )
                );
            END IF;
        END LOOP;
    END LOOP;
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

    IF kind IN ('deposit', 'buy_in', 'stake') AND resolves IS NULL THEN
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

-- Hold the seats of a hand: until it is released only that hand takes from them.
CREATE FUNCTION ledger_hold(hand bigint, accounts bigint[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    a record;
    held integer := 0;
BEGIN
    FOR a IN
        SELECT id, purpose, held_by FROM wallets_account
            WHERE id = ANY (accounts) ORDER BY id FOR NO KEY UPDATE
    LOOP
        IF a.held_by <> hand THEN
            PERFORM ledger_refuse(
                'LG004',
                format('account %s is held by hand %s', a.id, a.held_by),
                jsonb_build_object('account', a.id, 'hand', a.held_by)
            );
        END IF;
        IF a.purpose = 'seat' THEN
            held := held + 1;
        END IF;
    END LOOP;
    IF held <> cardinality(accounts) THEN
        SELECT min(asked) AS id INTO a FROM unnest(accounts) AS asked
            WHERE NOT EXISTS (
                SELECT FROM wallets_account WHERE id = asked AND purpose = 'seat'
            );
        PERFORM ledger_refuse(
            'LG006',
            format('there is no seat account %s', a.id),
            jsonb_build_object('account', a.id)
        );
    END IF;
    UPDATE wallets_account SET held_by = hand WHERE id = ANY (accounts) AND held_by IS NULL;
    RETURN held;
END $$;

CREATE FUNCTION ledger_release(hand bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    released integer;
BEGIN
    PERFORM FROM wallets_account WHERE held_by = hand ORDER BY id FOR NO KEY UPDATE;
    UPDATE wallets_account SET held_by = NULL WHERE held_by = hand;
    GET DIAGNOSTICS released = ROW_COUNT;
    RETURN released;
END $$;

-- Pay a hand out and release its seats. The seats must be held by it: a voided hand, which has
-- released them, cannot be paid any more. No legs: nobody won or lost anything.
CREATE FUNCTION ledger_settle(
    key text, kind text, legs jsonb, reference jsonb, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    hand bigint := (reference ->> 'hand')::bigint;
    p record;
    unheld bigint;
BEGIN
    -- Also the seats that have no leg: the release below must not lock them out of order.
    PERFORM FROM wallets_account a
        WHERE a.held_by = hand
            OR a.id IN (SELECT (e ->> 0)::bigint FROM jsonb_array_elements(legs) AS e)
        ORDER BY a.id FOR NO KEY UPDATE;
    replayed := false;
    IF jsonb_array_length(legs) > 0 THEN
        p := ledger_post(key, kind, legs, reference, actor);
        transfer_id := p.transfer_id;
        replayed := p.replayed;
    END IF;
    IF NOT replayed AND transfer_id IS NOT NULL THEN
        SELECT min(a.id) INTO unheld
            FROM jsonb_array_elements(legs) AS e
            JOIN wallets_account a ON a.id = (e ->> 0)::bigint
            WHERE a.purpose = 'seat' AND a.held_by IS DISTINCT FROM hand;
        IF unheld IS NOT NULL THEN
            PERFORM ledger_refuse(
                'LG012',
                format('account %s is not held by hand %s', unheld, hand),
                jsonb_build_object('account', unheld, 'hand', hand)
            );
        END IF;
    END IF;
    PERFORM ledger_release(hand);
END $$;

-- A bet against the house. packed: {key, hand, table, player, seat, in_play, amount}; a negative
-- amount returns what was staked; zero moves nothing. For calls from within another function.
CREATE FUNCTION ledger_stake(packed jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    seat bigint := (packed ->> 'seat')::bigint;
    in_play bigint := (packed ->> 'in_play')::bigint;
    amount bigint := (packed ->> 'amount')::bigint;
    player bigint := (packed ->> 'player')::bigint;
    w record;
BEGIN
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

-- What is staked in a round now, per account: seats negative, in-play positive.
CREATE FUNCTION ledger_stakes(hand bigint)
RETURNS TABLE (account_id bigint, amount_minor bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    SELECT l.account_id, sum(l.amount_minor)::bigint
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.hand_id = ledger_stakes.hand AND t.kind IN ('stake', 'unstake')
        GROUP BY l.account_id HAVING sum(l.amount_minor) <> 0;
END;

-- Settle a round: every stake leaves in-play, `returned` ({seat: amount}) goes to the seats and
-- the bank takes or gives the rest. reference: as for ledger_post.
CREATE FUNCTION ledger_round_pay(
    key text, in_play bigint, bank bigint, staked bigint, returned jsonb, reference jsonb,
    actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    hand bigint := (reference ->> 'hand')::bigint;
    in_ledger bigint;
    legs jsonb;
    p record;
BEGIN
    SELECT coalesce(sum(s.amount_minor), 0) INTO in_ledger
        FROM ledger_stakes(hand) s WHERE s.account_id = in_play;
    IF staked <> in_ledger THEN
        PERFORM ledger_refuse(
            'LG020',
            format('round %s has %s staked, not %s', hand, in_ledger, staked),
            jsonb_build_object('hand', hand, 'staked', in_ledger, 'asked', staked)
        );
    END IF;
    SELECT jsonb_agg(jsonb_build_array(l.account, l.amount)) INTO legs
        FROM (
            SELECT e.key::bigint AS account, e.value::bigint AS amount
                FROM jsonb_each_text(returned) AS e
            UNION ALL SELECT in_play, -staked
            UNION ALL SELECT bank, staked - coalesce((
                SELECT sum(e.value::bigint) FROM jsonb_each_text(returned) AS e
            ), 0)
        ) AS l
        WHERE l.amount <> 0;
    replayed := false;
    IF legs IS NULL THEN
        RETURN;
    END IF;
    p := ledger_post(key, 'settle', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
END $$;

-- Void a round: every seat gets its stake back. Under the settlement's own key, so that a round
-- is settled or voided, never both.
CREATE FUNCTION ledger_round_void(
    key text, reference jsonb, actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    legs jsonb;
    p record;
BEGIN
    SELECT jsonb_agg(jsonb_build_array(s.account_id, -s.amount_minor)) INTO legs
        FROM ledger_stakes((reference ->> 'hand')::bigint) s;
    replayed := false;
    IF legs IS NULL THEN
        RETURN;
    END IF;
    p := ledger_post(key, 'void', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
END $$;

-- What undoing a settled hand would move, by the account's purpose and owner. Winnings come from
-- the seat, then from cash; what is gone is owed, so that no player falls below zero. Losses go
-- to cash, where a player who has left finds them. What the house has swept away meanwhile
-- comes from its adjustments.
CREATE FUNCTION ledger_reversal(hand bigint)
RETURNS TABLE (purpose text, currency text, player bigint, tbl bigint, amount bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    WITH moved AS (
        SELECT l.account_id, sum(l.amount_minor)::bigint AS net
            FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
            WHERE t.hand_id = ledger_reversal.hand AND t.kind IN ('stake', 'unstake', 'settle')
            GROUP BY l.account_id HAVING sum(l.amount_minor) <> 0
    ), known AS (
        SELECT a.purpose, a.currency_id, a.player_id, a.table_id, m.net,
                CASE
                    WHEN m.net < 0 THEN 0
                    WHEN a.may_go_negative THEN m.net
                    WHEN a.held_by IS NOT NULL THEN 0
                    ELSE least(m.net, a.balance_minor)
                END AS here,
                coalesce(c.balance_minor, 0) AS cash
            FROM moved m
            JOIN wallets_account a ON a.id = m.account_id
            LEFT JOIN wallets_account c ON c.purpose = 'cash' AND c.player_id = a.player_id
                AND c.currency_id = a.currency_id
    ), parts AS (
        SELECT k.purpose, k.currency_id, k.player_id, k.table_id, -k.here AS amount FROM known k
        UNION ALL
        SELECT 'cash', k.currency_id, k.player_id, NULL,
                CASE WHEN k.net < 0 THEN -k.net ELSE -least(k.net - k.here, k.cash) END
            FROM known k WHERE k.player_id IS NOT NULL
        UNION ALL
        SELECT 'receivable', k.currency_id, k.player_id, NULL,
                -greatest(k.net - k.here - k.cash, 0)
            FROM known k WHERE k.player_id IS NOT NULL
        UNION ALL
        SELECT k.purpose, k.currency_id, NULL, k.table_id, -k.net
            FROM known k WHERE k.player_id IS NULL AND k.net < 0
        UNION ALL
        SELECT 'adjustments', k.currency_id, NULL, NULL, -greatest(k.net - k.here, 0)
            FROM known k WHERE k.player_id IS NULL
    )
    SELECT p.purpose, p.currency_id, p.player_id, p.table_id, sum(p.amount)::bigint
        FROM parts p
        GROUP BY p.purpose, p.currency_id, p.player_id, p.table_id
        HAVING sum(p.amount) <> 0
        ORDER BY p.player_id NULLS LAST, p.purpose;
END;

-- Undo a settled hand, once. reference: {hand, table, approval, reason}.
CREATE FUNCTION ledger_reverse(
    key text, reference jsonb, actor bigint, OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    hand bigint := (reference ->> 'hand')::bigint;
    legs jsonb;
    p record;
BEGIN
    PERFORM FROM wallets_transfer t WHERE t.hand_id = hand AND t.kind = 'settle';
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG021',
            format('hand %s is not settled', hand),
            jsonb_build_object('hand', hand)
        );
    END IF;
    PERFORM FROM wallets_account a
        WHERE a.id IN (
            SELECT c.id
                FROM wallets_transfer t
                JOIN wallets_leg l ON l.transfer_id = t.id
                JOIN wallets_account b ON b.id = l.account_id
                JOIN wallets_account c ON c.id = b.id
                    OR c.player_id = b.player_id AND c.purpose IN ('cash', 'receivable')
                WHERE t.hand_id = hand
        )
        ORDER BY a.id FOR NO KEY UPDATE;
    SELECT jsonb_agg(jsonb_build_array(l.account_id, l.amount_minor)) INTO legs
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.key = ledger_reverse.key;
    IF legs IS NULL THEN
        SELECT jsonb_agg(jsonb_build_array(
            ledger_account_open(r.purpose, r.currency, r.player, r.tbl), r.amount
        )) INTO legs FROM ledger_reversal(hand) r;
    END IF;
    p := ledger_post(key, 'reversal', legs, reference, actor);
    transfer_id := p.transfer_id;
    replayed := p.replayed;
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

-- First of two phases: legs move the money into `pending` accounts, intent says where it goes
-- when posted. Whatever the legs put there the intent takes out, so posting cannot fail for
-- want of it.
CREATE FUNCTION ledger_pend(
    key text, kind text, legs jsonb, intent jsonb, reference jsonb, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    l record;
    w record;
BEGIN
    PERFORM FROM (
        SELECT (e ->> 0)::bigint AS account, (e ->> 1)::bigint AS amount
            FROM jsonb_array_elements(legs) AS e WHERE (e ->> 1)::bigint > 0
        EXCEPT
        SELECT (e ->> 0)::bigint, -(e ->> 1)::bigint
            FROM jsonb_array_elements(intent) AS e
            JOIN wallets_account a ON a.id = (e ->> 0)::bigint
            WHERE a.purpose = 'pending'
    ) AS unclaimed;
    IF FOUND OR (SELECT sum((e ->> 1)::bigint) FROM jsonb_array_elements(intent) AS e) <> 0
        OR (SELECT count(*) FROM jsonb_array_elements(intent) AS e WHERE (e ->> 1)::bigint < 0)
            <> (SELECT count(*) FROM jsonb_array_elements(legs) AS e WHERE (e ->> 1)::bigint > 0)
    THEN
        PERFORM ledger_refuse(
            'LG002',
            format('the intent of transfer %s does not take out what its legs put in', key),
            jsonb_build_object('key', key)
        );
    END IF;
    SELECT array_agg((e ->> 0)::bigint ORDER BY (e ->> 0)::bigint) AS accounts,
            array_agg((e ->> 1)::bigint ORDER BY (e ->> 0)::bigint) AS amounts,
            array_agg(e ->> 2 ORDER BY (e ->> 0)::bigint) AS currencies
        INTO l FROM jsonb_array_elements(legs) AS e;
    w := ledger_write(
        key, kind, 'pending', NULL, intent, l.accounts, l.amounts, l.currencies,
        (reference ->> 'hand')::bigint, (reference ->> 'table')::bigint,
        (reference ->> 'approval')::bigint, coalesce(reference ->> 'reason', ''), actor
    );
    transfer_id := w.transfer_id;
    replayed := w.replayed;
END $$;

-- Second phase: outcome 'post' or 'void', once.
CREATE FUNCTION ledger_resolve(
    key text, pending_id bigint, outcome text, actor bigint,
    OUT transfer_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    pending wallets_transfer;
    other record;
    l record;
    w record;
BEGIN
    -- The row lock makes two resolutions of one transfer wait for each other.
    SELECT * INTO pending FROM wallets_transfer t
        WHERE t.id = pending_id AND t.phase = 'pending' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG015',
            format('transfer %s is not a pending one', pending_id),
            jsonb_build_object('transfer', pending_id)
        );
    END IF;
    SELECT t.key, t.phase INTO other FROM wallets_transfer t WHERE t.resolves_id = pending_id;
    IF FOUND AND other.key <> key THEN
        PERFORM ledger_refuse(
            'LG011',
            format('transfer %s was resolved already: %s', pending_id, other.phase),
            jsonb_build_object('transfer', pending_id, 'outcome', other.phase)
        );
    END IF;
    SELECT array_agg(split_part(e, ':', 1)::bigint ORDER BY i) AS accounts,
            array_agg(split_part(e, ':', 2)::bigint ORDER BY i) AS amounts,
            array_agg(NULL::text) AS currencies
        INTO l
        FROM string_to_table(ledger_resolution_legs(pending_id, outcome), ',')
            WITH ORDINALITY AS s (e, i);
    w := ledger_write(
        key, pending.kind, outcome, pending_id, NULL, l.accounts, l.amounts, l.currencies,
        pending.hand_id, pending.table_id, pending.approval_id, '', actor
    );
    transfer_id := w.transfer_id;
    replayed := w.replayed;
END $$;
