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
    -- What a player of a sandbox helps himself to; ledger_leg_check() says whether it is that.
    WHEN 'play_money' THEN purpose = CASE WHEN is_credit THEN 'cash' ELSE 'cage' END
    -- From and to a wallet that somebody else keeps, in two phases alone: asked for, answered.
    WHEN 'operator_in' THEN CASE
        WHEN phase = 'pending' THEN purpose = CASE
            WHEN is_credit THEN 'pending' ELSE 'operator'
        END
        WHEN phase = 'single' THEN false
        WHEN is_credit THEN purpose IN ('cash', 'operator')
        ELSE purpose = 'pending'
    END
    WHEN 'operator_out' THEN CASE
        WHEN phase = 'pending' THEN purpose = CASE WHEN is_credit THEN 'pending' ELSE 'cash' END
        WHEN phase = 'single' THEN false
        WHEN is_credit THEN purpose IN ('cash', 'operator')
        ELSE purpose = 'pending'
    END
    WHEN 'float' THEN purpose IN ('cage', 'bank')
    WHEN 'sweep' THEN CASE
        WHEN is_credit THEN purpose = 'revenue' ELSE purpose IN ('rake', 'drop', 'bank')
    END
    WHEN 'time_collection' THEN NOT is_of_a_hand AND purpose = CASE
        WHEN is_credit THEN 'rake' ELSE 'seat'
    END
    -- From the chips before a player, between hands, or from a dealer's box over the counter.
    WHEN 'tip' THEN NOT is_of_a_hand AND CASE
        WHEN is_credit THEN purpose = 'tips' ELSE purpose IN ('seat', 'cage')
    END
    WHEN 'tips_paid' THEN purpose = CASE WHEN is_credit THEN 'cage' ELSE 'tips' END
    WHEN 'jackpot_seed' THEN purpose = CASE WHEN is_credit THEN 'jackpot' ELSE 'cage' END
    WHEN 'jackpot_award' THEN is_of_a_hand AND purpose = CASE
        WHEN is_credit THEN 'cash' ELSE 'jackpot'
    END
    -- At a rate that two persons agreed to; ledger_is_at_rate() says whether it is that.
    WHEN 'exchange' THEN purpose IN ('cash', 'exchange') OR is_credit AND purpose = 'spread'
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
