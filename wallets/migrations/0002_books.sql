-- What the database refuses of accounts, transfers and legs, whoever writes. The trigger
-- functions name their schema instead of setting a search path: that would cost each posting as
-- much as two of its index look-ups.

-- Balances move with every posting: room on the page keeps those updates off the indexes.
ALTER TABLE wallets_account SET (fillfactor = 50);
ALTER TABLE wallets_playerlimits SET (fillfactor = 70);

-- What a transfer's hash covers: one JSON array, so no field can spill into its neighbour.
-- legs: 'account:amount' joined by commas, in order of position.
CREATE FUNCTION ledger_content(
    key text, kind text, phase text, resolves bigint, hand bigint, tbl bigint, approval bigint,
    actor bigint, reason text, intent jsonb, legs text
) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(
    'transfer-1', key, kind, phase, resolves, hand, tbl, approval, actor, reason, intent, legs
)::text, 'UTF8'));

-- The lock that every writer of the sealed log holds to the end of its transaction (log_append
-- takes the same), here before the id is drawn: once a sealer has had it to itself, no smaller
-- transfer id can appear any more.
CREATE FUNCTION ledger_before_seal() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1129467733, 1);
    RETURN NULL;
END $$;

CREATE TRIGGER transfer_before_seal BEFORE INSERT ON wallets_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_before_seal();

-- The transaction is stored, not read from xmin: under a savepoint xmin is the savepoint's.
CREATE FUNCTION ledger_transfer_stamp() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.xact_id := pg_current_xact_id()::text::bigint;
    NEW.created_at := clock_timestamp();
    IF NEW.leg_count < 2 OR NEW.key = '' OR NEW.kind = ''
        OR (NEW.phase IN ('post', 'void')) <> (NEW.resolves_id IS NOT NULL)
        OR (NEW.phase = 'pending') <> (NEW.intent IS NOT NULL)
        OR NEW.phase NOT IN ('single', 'pending', 'post', 'void')
    THEN
        PERFORM public.ledger_refuse(
            'LG017',
            format('transfer %s is malformed', NEW.key),
            jsonb_build_object('key', NEW.key)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER transfer_stamp BEFORE INSERT ON wallets_transfer
    FOR EACH ROW EXECUTE FUNCTION ledger_transfer_stamp();

-- A leg belongs to a transfer of this very transaction, fits into its leg count (so that nothing
-- can follow once the sum was checked), finds its money on the account, pays no debt back beyond
-- nothing, and moves only what the transfer's kind is for: see 0002_kinds.sql.
CREATE FUNCTION ledger_leg_check() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    t record;
    a record;
BEGIN
    SELECT leg_count, xact_id, hand_id, resolves_id, kind, phase INTO t
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

    IF t.kind = 'play_money'
        AND (a.currency_id <> 'XTS' OR NOT public.core_sandbox_is_open())
    THEN
        PERFORM public.ledger_refuse(
            'LG040',
            format('%s is not play money of a sandbox', a.currency_id),
            jsonb_build_object('currency', a.currency_id)
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
    IF NOT public.ledger_kind_moves(
        t.kind, t.phase, t.hand_id IS NOT NULL, a.purpose, NEW.amount_minor > 0
    ) THEN
        PERFORM public.ledger_refuse(
            CASE WHEN a.purpose = 'bonus' THEN 'LG033' ELSE 'LG036' END,
            format('a transfer of kind %s does not move %s on a %s account', t.kind,
                NEW.amount_minor, a.purpose),
            jsonb_build_object('account', NEW.account_id, 'kind', t.kind, 'purpose', a.purpose)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER leg_check BEFORE INSERT ON wallets_leg
    FOR EACH ROW EXECUTE FUNCTION ledger_leg_check();

-- After, not before: a row that ON CONFLICT DO NOTHING drops has fired its BEFORE triggers.
CREATE FUNCTION ledger_leg_apply() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE public.wallets_account
        SET balance_minor = NEW.balance_after_minor, last_leg_id = NEW.id
        WHERE id = NEW.account_id;
    RETURN NULL;
END $$;

CREATE TRIGGER leg_apply AFTER INSERT ON wallets_leg
    FOR EACH ROW EXECUTE FUNCTION ledger_leg_apply();

-- A balance moves only with a leg that it has not had yet, and by exactly that leg's amount.
CREATE FUNCTION ledger_account_guard() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.balance_minor <> 0 OR NEW.last_leg_id IS NOT NULL OR NEW.held_by IS NOT NULL THEN
            PERFORM public.ledger_refuse(
                'LG009', 'an account opens empty', jsonb_build_object('account', NEW.id)
            );
        END IF;
        IF NOT (CASE
            WHEN NEW.purpose IN ('cash', 'bonus', 'pending', 'receivable')
                THEN NEW.player_id IS NOT NULL AND NEW.table_id IS NULL
            WHEN NEW.purpose = 'seat'
                THEN NEW.player_id IS NOT NULL AND NEW.table_id IS NOT NULL
            WHEN NEW.purpose IN ('in_play', 'bank', 'rake', 'drop', 'jackpot')
                THEN NEW.player_id IS NULL AND NEW.table_id IS NOT NULL
            WHEN NEW.purpose IN (
                'cage', 'revenue', 'adjustments', 'exchange', 'spread', 'operator', 'tips'
            )
                THEN NEW.player_id IS NULL AND NEW.table_id IS NULL
            ELSE false
        END) OR NEW.may_go_negative
            AND NEW.purpose NOT IN
                ('cage', 'bank', 'adjustments', 'receivable', 'exchange', 'operator')
        THEN
            PERFORM public.ledger_refuse(
                'LG010',
                format('no account of purpose %s has that owner or may go negative', NEW.purpose),
                jsonb_build_object('account', NEW.id)
            );
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.balance_minor, NEW.last_leg_id) IS DISTINCT FROM (OLD.balance_minor, OLD.last_leg_id)
    THEN
        PERFORM FROM public.wallets_leg
            WHERE id = NEW.last_leg_id
                AND id > coalesce(OLD.last_leg_id, 0)
                AND account_id = NEW.id
                AND amount_minor = NEW.balance_minor - OLD.balance_minor
                AND balance_after_minor = NEW.balance_minor;
        IF NOT FOUND THEN
            PERFORM public.ledger_refuse(
                'LG009',
                format('the balance of account %s moves only with a leg', NEW.id),
                jsonb_build_object('account', NEW.id)
            );
        END IF;
    END IF;
    IF (NEW.id, NEW.purpose, NEW.currency_id, NEW.player_id, NEW.table_id, NEW.may_go_negative,
            NEW.opened_at)
        IS DISTINCT FROM (OLD.id, OLD.purpose, OLD.currency_id, OLD.player_id, OLD.table_id,
            OLD.may_go_negative, OLD.opened_at)
        OR NEW.held_by <> OLD.held_by
        OR NEW.held_by IS NOT NULL AND NEW.purpose <> 'seat'
    THEN
        PERFORM public.ledger_refuse(
            'LG010',
            format('account %s keeps its owner, purpose, currency and hold', OLD.id),
            jsonb_build_object('account', OLD.id)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER account_guard BEFORE INSERT OR UPDATE ON wallets_account
    FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();

-- Deferred to the end of the transaction, or earlier if the writer asks; either way all legs are
-- there when it passes, and ledger_leg_check lets no further one in.
CREATE FUNCTION ledger_transfer_check() RETURNS trigger
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
    IF NEW.kind IN ('adjustment', 'reversal', 'tips_paid') THEN
        PERFORM public.ledger_approval_check(NEW);
    END IF;
    IF NEW.kind = 'exchange' AND NOT public.ledger_is_at_rate(NEW) THEN
        PERFORM public.ledger_refuse(
            'LG038',
            format('transfer %s is not at a rate that is in force', NEW.key),
            jsonb_build_object('key', NEW.key, 'rate', NEW.approval_id)
        );
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER transfer_check AFTER INSERT ON wallets_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_check();
