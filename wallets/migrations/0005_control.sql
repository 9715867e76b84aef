-- Two persons for what corrects the books; pending transfers that expire or are posted in part;
-- nobody pays back more than he owes.

-- An adjustment or a reversal carries the approval that was used up for it, and does what that
-- says. The approval's own triggers see to it that two persons stand behind it.
CREATE FUNCTION ledger_approval_check(t wallets_transfer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM core_approval a
        WHERE a.id = t.approval_id AND a.status = 'executed'
            AND a.approved_by_id <> a.asked_by_id
            AND CASE t.kind
                WHEN 'reversal' THEN a.kind = 'hand.void'
                    AND (a.payload ->> 'hand')::bigint = t.hand_id
                ELSE a.kind = 'wallet.adjustment' AND EXISTS (
                    SELECT FROM wallets_leg l
                        WHERE l.transfer_id = t.id
                            AND l.account_id = (a.payload ->> 'account')::bigint
                            AND l.amount_minor = (a.payload ->> 'amount_minor')::bigint
                )
            END;
    IF NOT FOUND THEN
        PERFORM ledger_refuse(
            'LG026',
            format('transfer %s is not what two persons agreed to', t.key),
            jsonb_build_object('key', t.key)
        );
    END IF;
END $$;

-- An intent is a list of legs, or, when it expires, an object that holds them.
CREATE FUNCTION ledger_intent_legs(intent jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
RETURN CASE jsonb_typeof(intent) WHEN 'array' THEN intent ELSE intent -> 'legs' END;

CREATE FUNCTION ledger_expires_at(t wallets_transfer) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN CASE jsonb_typeof(t.intent)
    WHEN 'object' THEN t.created_at + make_interval(secs => (t.intent ->> 'ttl_s')::bigint)
END;

-- A resolution undoes its pending transfer leg by leg, or carries out its intent; no other. Of
-- an intent with one target a part may be posted: the rest goes back where it came from.
DROP FUNCTION ledger_resolution_legs(bigint, text);
CREATE FUNCTION ledger_resolution_legs(
    pending_id bigint, phase text, amount bigint DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    legs text;
BEGIN
    IF phase = 'void' THEN
        SELECT string_agg(account_id || ':' || -amount_minor, ',' ORDER BY account_id) INTO legs
            FROM wallets_leg JOIN wallets_transfer t ON t.id = transfer_id
            WHERE t.id = pending_id AND t.phase = 'pending';
    ELSIF amount IS NULL THEN
        SELECT string_agg(
            (e ->> 0)::bigint || ':' || (e ->> 1)::bigint, ',' ORDER BY (e ->> 0)::bigint
        ) INTO legs
            FROM wallets_transfer, jsonb_array_elements(ledger_intent_legs(intent)) AS e
            WHERE id = pending_id;
    ELSE
        SELECT string_agg(p.account || ':' || p.moved, ',' ORDER BY p.account) INTO legs
            FROM (
                SELECT l.account, sum(l.moved)::bigint AS moved, count(*) OVER () AS accounts
                    FROM (
                        SELECT (e ->> 0)::bigint AS account,
                                CASE WHEN (e ->> 1)::bigint > 0 THEN amount
                                    ELSE (e ->> 1)::bigint END AS moved
                            FROM wallets_transfer t,
                                jsonb_array_elements(ledger_intent_legs(t.intent)) AS e
                            WHERE t.id = pending_id AND t.phase = 'pending' AND t.leg_count = 2
                                AND jsonb_array_length(ledger_intent_legs(t.intent)) = 2
                        UNION ALL
                        SELECT l.account_id, -l.amount_minor - amount
                            FROM wallets_leg l JOIN wallets_transfer t ON t.id = l.transfer_id
                            WHERE l.transfer_id = pending_id AND t.leg_count = 2
                                AND l.amount_minor < 0 AND -l.amount_minor > amount
                                AND amount > 0
                    ) AS l
                    GROUP BY l.account
            ) AS p
            WHERE p.accounts = 3;
    END IF;
    RETURN legs;
END $$;

-- What a resolution posts of an intent with one target; NULL when it has several.
CREATE FUNCTION ledger_partial_amount(transfer bigint, pending_id bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
RETURN (
    SELECT min(l.amount_minor) FROM wallets_transfer t
        CROSS JOIN LATERAL jsonb_array_elements(ledger_intent_legs(t.intent)) AS e
        JOIN wallets_leg l ON l.transfer_id = transfer AND l.account_id = (e ->> 0)::bigint
        WHERE t.id = pending_id AND (e ->> 1)::bigint > 0
        HAVING count(*) = 1
);

CREATE OR REPLACE FUNCTION ledger_transfer_check() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    found record;
    balanced boolean;
BEGIN
    SELECT count(*) AS legs,
            sum(l.amount_minor) AS total,
            min(l.currency) = max(l.currency) AS one_currency,
            min(a.player_id) < max(a.player_id) AS several_players,
            string_agg(l.account_id || ':' || l.amount_minor, ',' ORDER BY l.position) AS content
        INTO found
        FROM public.wallets_leg l JOIN public.wallets_account a ON a.id = l.account_id
        WHERE l.transfer_id = NEW.id;
    balanced := found.total = 0;
    IF NOT found.one_currency THEN
        SELECT bool_and(total = 0) INTO balanced FROM (
            SELECT sum(amount_minor) AS total FROM public.wallets_leg
                WHERE transfer_id = NEW.id GROUP BY currency
        ) AS sums;
    END IF;
    IF found.legs <> NEW.leg_count OR balanced IS NOT TRUE THEN
        PERFORM public.ledger_refuse(
            'LG002',
            format('transfer %s does not sum to zero over its %s legs', NEW.key, NEW.leg_count),
            jsonb_build_object('key', NEW.key)
        );
    END IF;
    IF found.several_players AND NEW.hand_id IS NULL THEN
        PERFORM public.ledger_refuse(
            'LG016',
            format('transfer %s moves money between players outside a hand', NEW.key),
            jsonb_build_object('key', NEW.key)
        );
    END IF;
    IF NEW.content_hash <> public.ledger_content(
        NEW.key, NEW.kind, NEW.phase, NEW.resolves_id, NEW.hand_id, NEW.table_id,
        NEW.approval_id, NEW.actor_id, NEW.reason, NEW.intent, found.content
    ) THEN
        PERFORM public.ledger_refuse(
            'LG002',
            format('transfer %s is not what its hash says', NEW.key),
            jsonb_build_object('key', NEW.key)
        );
    END IF;
    IF NEW.resolves_id IS NOT NULL
        AND found.content IS DISTINCT FROM public.ledger_resolution_legs(NEW.resolves_id, NEW.phase)
        AND found.content IS DISTINCT FROM public.ledger_resolution_legs(
            NEW.resolves_id, NEW.phase, public.ledger_partial_amount(NEW.id, NEW.resolves_id)
        )
    THEN
        PERFORM public.ledger_refuse(
            'LG002',
            format('transfer %s does not carry out transfer %s', NEW.key, NEW.resolves_id),
            jsonb_build_object('key', NEW.key)
        );
    END IF;
    IF NEW.kind IN ('adjustment', 'reversal') THEN
        PERFORM public.ledger_approval_check(NEW);
    END IF;
    RETURN NULL;
END $$;

-- As before, and a debt is never paid back beyond nothing.
CREATE OR REPLACE FUNCTION ledger_leg_check() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    t record;
    a record;
BEGIN
    SELECT leg_count, xact_id, hand_id, resolves_id INTO t
        FROM public.wallets_transfer WHERE id = NEW.transfer_id;
    IF NOT FOUND
        OR t.xact_id <> pg_current_xact_id()::text::bigint
        OR NEW.position NOT BETWEEN 1 AND t.leg_count
        OR NEW.amount_minor = 0
    THEN
        PERFORM public.ledger_refuse(
            'LG008',
            format('leg %s does not belong to transfer %s', NEW.position, NEW.transfer_id),
            jsonb_build_object('transfer', NEW.transfer_id, 'position', NEW.position)
        );
    END IF;

    SELECT currency_id, balance_minor, held_by, purpose, may_go_negative INTO a
        FROM public.wallets_account WHERE id = NEW.account_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM public.ledger_refuse(
            'LG006',
            format('there is no account %s', NEW.account_id),
            jsonb_build_object('account', NEW.account_id)
        );
    END IF;
    NEW.currency := coalesce(NEW.currency, a.currency_id);
    IF NEW.currency <> a.currency_id THEN
        PERFORM public.ledger_refuse(
            'LG007',
            format('account %s is kept in %s', NEW.account_id, a.currency_id),
            jsonb_build_object(
                'account', NEW.account_id, 'kept_in', a.currency_id, 'asked', NEW.currency
            )
        );
    END IF;

    NEW.balance_after_minor := a.balance_minor + NEW.amount_minor;
    IF NEW.amount_minor < 0 THEN
        IF a.held_by IS NOT NULL AND a.held_by IS DISTINCT FROM t.hand_id THEN
            PERFORM public.ledger_refuse(
                'LG004',
                format('account %s is held by hand %s', NEW.account_id, a.held_by),
                jsonb_build_object('account', NEW.account_id, 'hand', a.held_by)
            );
        END IF;
        IF a.purpose = 'pending' AND t.resolves_id IS NULL THEN
            PERFORM public.ledger_refuse(
                'LG018',
                format('account %s waits for its transfers to be resolved', NEW.account_id),
                jsonb_build_object('account', NEW.account_id)
            );
        END IF;
        IF NEW.balance_after_minor < 0 AND NOT a.may_go_negative THEN
            PERFORM public.ledger_refuse(
                'LG003',
                format('account %s has %s, asked for %s',
                    NEW.account_id, a.balance_minor, -NEW.amount_minor),
                jsonb_build_object(
                    'account', NEW.account_id, 'balance', a.balance_minor,
                    'asked', -NEW.amount_minor
                )
            );
        END IF;
    ELSIF a.purpose = 'receivable' AND NEW.balance_after_minor > 0 THEN
        PERFORM public.ledger_refuse(
            'LG028',
            format('account %s owes %s, not %s',
                NEW.account_id, -a.balance_minor, NEW.amount_minor),
            jsonb_build_object(
                'account', NEW.account_id, 'owed', -a.balance_minor, 'asked', NEW.amount_minor
            )
        );
    END IF;
    RETURN NEW;
END $$;

-- As before; reference may also hold `ttl_s`, after which the transfer can only be voided.
CREATE OR REPLACE FUNCTION ledger_pend(
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
        key, kind, 'pending', NULL,
        CASE
            WHEN reference ->> 'ttl_s' IS NULL THEN intent
            ELSE jsonb_build_object('legs', intent, 'ttl_s', (reference ->> 'ttl_s')::bigint)
        END,
        l.accounts, l.amounts, l.currencies,
        (reference ->> 'hand')::bigint, (reference ->> 'table')::bigint,
        (reference ->> 'approval')::bigint, coalesce(reference ->> 'reason', ''), actor
    );
    transfer_id := w.transfer_id;
    replayed := w.replayed;
END $$;

-- Second phase, once: outcome 'post' or 'void'. amount: a part of what would be posted; NULL: all.
DROP FUNCTION ledger_resolve(text, bigint, text, bigint);
CREATE FUNCTION ledger_resolve(
    key text, pending_id bigint, outcome text, actor bigint, amount bigint,
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
    IF outcome = 'post' AND other.key IS NULL AND ledger_expires_at(pending) < clock_timestamp() THEN
        PERFORM ledger_refuse(
            'LG027',
            format('transfer %s has expired', pending_id),
            jsonb_build_object('transfer', pending_id)
        );
    END IF;
    SELECT array_agg(split_part(e, ':', 1)::bigint ORDER BY i) AS accounts,
            array_agg(split_part(e, ':', 2)::bigint ORDER BY i) AS amounts,
            array_agg(NULL::text) AS currencies
        INTO l
        FROM string_to_table(ledger_resolution_legs(pending_id, outcome, amount), ',')
            WITH ORDINALITY AS s (e, i);
    IF l.accounts IS NULL THEN
        PERFORM ledger_refuse(
            'LG017',
            format('transfer %s cannot be posted in part by %s', pending_id, amount),
            jsonb_build_object('key', key)
        );
    END IF;
    w := ledger_write(
        key, pending.kind, outcome, pending_id, NULL, l.accounts, l.amounts, l.currencies,
        pending.hand_id, pending.table_id, pending.approval_id, '', actor
    );
    transfer_id := w.transfer_id;
    replayed := w.replayed;
END $$;

REVOKE ALL ON FUNCTION
    ledger_approval_check, ledger_intent_legs, ledger_expires_at, ledger_resolution_legs,
    ledger_partial_amount, ledger_resolve
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_intent_legs, ledger_expires_at, ledger_resolve TO app;
REVOKE ALL ON wallets_controlband FROM PUBLIC, app;
GRANT SELECT, INSERT, UPDATE, DELETE ON wallets_controlband TO app;
