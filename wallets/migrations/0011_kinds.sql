-- What a kind of transfer is for: which accounts it takes from and which it gives to. So nobody
-- who may post can correct a balance under another name, pay in past a deposit limit, or empty a
-- jackpot; what an approval is needed for goes by no other way.
CREATE FUNCTION ledger_kind_moves(
    kind text, phase text, is_of_a_hand boolean, purpose text, is_credit boolean
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE kind
    WHEN 'stake' THEN is_of_a_hand AND CASE
        WHEN is_credit THEN purpose = 'in_play' ELSE purpose IN ('seat', 'bonus')
    END
    WHEN 'settle' THEN is_of_a_hand AND CASE
        WHEN is_credit
            THEN purpose IN ('seat', 'bonus', 'in_play', 'bank', 'rake', 'drop', 'jackpot')
        ELSE purpose IN ('seat', 'in_play', 'bank', 'jackpot')
    END
    WHEN 'unstake' THEN is_of_a_hand AND CASE
        WHEN is_credit THEN purpose IN ('seat', 'bonus') ELSE purpose = 'in_play'
    END
    WHEN 'void' THEN is_of_a_hand AND CASE
        WHEN is_credit THEN purpose IN ('seat', 'bonus') ELSE purpose = 'in_play'
    END
    WHEN 'carry' THEN is_of_a_hand AND purpose = CASE
        WHEN is_credit THEN 'seat' ELSE 'in_play'
    END
    WHEN 'buy_in' THEN purpose = CASE WHEN is_credit THEN 'seat' ELSE 'cash' END
    WHEN 'cash_out' THEN purpose = CASE WHEN is_credit THEN 'cash' ELSE 'seat' END
    WHEN 'deposit' THEN CASE
        WHEN phase = 'single' THEN purpose = CASE WHEN is_credit THEN 'cash' ELSE 'cage' END
        WHEN phase = 'pending' THEN purpose = CASE WHEN is_credit THEN 'pending' ELSE 'cage' END
        WHEN is_credit THEN purpose IN ('cash', 'cage')
        ELSE purpose = 'pending'
    END
    WHEN 'withdrawal' THEN CASE
        WHEN phase = 'single' THEN purpose = CASE WHEN is_credit THEN 'cage' ELSE 'cash' END
        WHEN phase = 'pending' THEN purpose = CASE WHEN is_credit THEN 'pending' ELSE 'cash' END
        WHEN is_credit THEN purpose IN ('cash', 'cage')
        ELSE purpose = 'pending'
    END
    WHEN 'float' THEN purpose IN ('cage', 'bank')
    WHEN 'sweep' THEN CASE
        WHEN is_credit THEN purpose = 'revenue' ELSE purpose IN ('rake', 'drop', 'bank')
    END
    WHEN 'repayment' THEN purpose = CASE WHEN is_credit THEN 'receivable' ELSE 'cash' END
    WHEN 'bonus_grant' THEN purpose = CASE WHEN is_credit THEN 'bonus' ELSE 'adjustments' END
    WHEN 'bonus_won' THEN purpose = CASE WHEN is_credit THEN 'cash' ELSE 'bonus' END
    WHEN 'bonus_expired' THEN purpose = CASE WHEN is_credit THEN 'adjustments' ELSE 'bonus' END
    WHEN 'bonus_forfeited' THEN purpose = CASE WHEN is_credit THEN 'adjustments' ELSE 'bonus' END
    -- What two persons agreed to; ledger_approval_check() says whether it is that.
    WHEN 'adjustment' THEN true
    WHEN 'reversal' THEN true
    ELSE false
END;

-- As before, and a kind moves only what it is for; which covers what bonus money may do.
CREATE OR REPLACE FUNCTION ledger_leg_check() RETURNS trigger
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

REVOKE ALL ON FUNCTION ledger_kind_moves FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_kind_moves TO app;
