-- Transfers in two phases: pending, then posted, in part if asked, or voided, once. An expired one
-- can only be voided.

-- An intent is a list of legs, or, when it expires, an object that holds them.
CREATE FUNCTION ledger_intent_legs(intent jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
RETURN CASE jsonb_typeof(intent) WHEN 'array' THEN intent ELSE intent -> 'legs' END;

CREATE FUNCTION ledger_expires_at(t wallets_transfer) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN CASE jsonb_typeof(t.intent)
    WHEN 'object' THEN t.created_at + make_interval(secs => (t.intent ->> 'ttl_s')::bigint)
END;

-- A resolution undoes its pending transfer leg by leg, or carries out its intent; no other. Of an
-- intent with one target a part may be posted: the rest goes back where it came from.
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

-- First of two phases: legs move the money into `pending` accounts, intent says where it goes when
-- posted. Whatever the legs put there the intent takes out, so posting cannot fail for want of it.
-- reference: as for ledger_post, and `ttl_s`, after which the transfer can only be voided.
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
