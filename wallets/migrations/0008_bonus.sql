-- Bonus money: given with a condition, played with at house-banked games only, beside the
-- player's own. A bet is split between the two as the grant says, what it returns is split in the
-- same way, a void restores each part.

CREATE UNIQUE INDEX bonus_grant_active ON wallets_bonusgrant (player_id, currency_id)
    WHERE status = 'active';

CREATE FUNCTION ledger_grant_guard() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'active' OR NEW.status = 'active'
        OR (OLD.id, OLD.player_id, OLD.currency_id, OLD.amount_minor, OLD.wager_minor,
                OLD.most_bet_minor, OLD.funds, OLD.granted_at, OLD.expires_at, OLD.granted_by)
            IS DISTINCT FROM (NEW.id, NEW.player_id, NEW.currency_id, NEW.amount_minor,
                NEW.wager_minor, NEW.most_bet_minor, NEW.funds, NEW.granted_at, NEW.expires_at,
                NEW.granted_by)
    THEN
        PERFORM public.ledger_refuse(
            'LG034',
            format('grant %s ends once and keeps its terms', OLD.id),
            jsonb_build_object('grant', OLD.id)
        );
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER grant_guard BEFORE UPDATE ON wallets_bonusgrant
    FOR EACH ROW EXECUTE FUNCTION ledger_grant_guard();
CREATE TRIGGER grant_final BEFORE DELETE OR TRUNCATE ON wallets_bonusgrant
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();
CREATE TRIGGER progress_final BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_bonusprogress
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_are_final();

-- As before, and bonus money leaves only by play or by the end of its grant.
CREATE OR REPLACE FUNCTION ledger_leg_check() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    t record;
    a record;
BEGIN
    SELECT leg_count, xact_id, hand_id, resolves_id, kind INTO t
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
        IF a.purpose = 'bonus' AND t.kind NOT IN (
            'stake', 'bonus_won', 'bonus_expired', 'bonus_forfeited', 'adjustment', 'reversal'
        ) THEN
            PERFORM public.ledger_refuse(
                'LG033',
                format('account %s holds bonus money: it is played with, not moved', NEW.account_id),
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

-- A bet partly with bonus money. packed as for ledger_stake, and `bonus`: the player's account of
-- it. A bet taken back returns what was used last first.
CREATE FUNCTION ledger_stake_split(packed jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    seat bigint := (packed ->> 'seat')::bigint;
    bonus bigint := (packed ->> 'bonus')::bigint;
    in_play bigint := (packed ->> 'in_play')::bigint;
    amount bigint := (packed ->> 'amount')::bigint;
    player bigint := (packed ->> 'player')::bigint;
    hand bigint := (packed ->> 'hand')::bigint;
    g wallets_bonusgrant;
    written record;
    chips bigint;
    fund bigint;
    at_stake bigint;
    part bigint;
BEGIN
    PERFORM FROM wallets_playerlimits WHERE player_id = player FOR NO KEY UPDATE;
    PERFORM FROM wallets_account WHERE id IN (seat, bonus, in_play) ORDER BY id FOR NO KEY UPDATE;
    SELECT sum(s.balance_minor) FILTER (WHERE s.id = seat),
            sum(s.balance_minor) FILTER (WHERE s.id = bonus)
        INTO chips, fund
        FROM wallets_account s
        JOIN wallets_account i ON i.id = in_play AND i.currency_id = s.currency_id
        WHERE s.player_id = player
            AND (s.id = seat AND s.purpose = 'seat' OR s.id = bonus AND s.purpose = 'bonus');
    IF chips IS NULL OR fund IS NULL THEN
        PERFORM ledger_refuse(
            'LG006',
            format('player %s has no seat account %s or no bonus account %s', player, seat, bonus),
            jsonb_build_object('account', CASE WHEN chips IS NULL THEN seat ELSE bonus END)
        );
    END IF;
    SELECT t.id, t.hand_id, -sum(l.amount_minor) AS moved INTO written
        FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
        WHERE t.key = packed ->> 'key' AND l.account_id IN (seat, bonus)
        GROUP BY t.id;
    IF FOUND THEN
        IF written.moved <> amount OR written.hand_id IS DISTINCT FROM hand THEN
            PERFORM ledger_refuse(
                'LG005',
                format('key %s was used with another amount', packed ->> 'key'),
                jsonb_build_object(
                    'key', packed ->> 'key', 'field', 'amount_minor', 'transfer', written.id
                )
            );
        END IF;
        RETURN written.id;
    END IF;

    SELECT * INTO g FROM wallets_bonusgrant b
        WHERE b.player_id = player AND b.status = 'active' AND b.expires_at > clock_timestamp()
            AND b.currency_id = (SELECT currency_id FROM wallets_account WHERE id = in_play);
    IF amount > 0 THEN
        fund := CASE WHEN g.id IS NULL THEN 0 ELSE fund END;
        part := CASE g.funds
            WHEN 'bonus_first' THEN least(amount, fund)
            ELSE least(greatest(amount - chips, 0), fund)
        END;
        SELECT -coalesce(sum(s.amount_minor), 0) INTO at_stake FROM ledger_stakes(hand) s
            WHERE s.account_id IN (seat, bonus);
        IF part > 0 AND at_stake + amount > g.most_bet_minor THEN
            PERFORM ledger_refuse(
                'LG032',
                format('%s is staked with bonus money, %s at most', at_stake + amount,
                    g.most_bet_minor),
                jsonb_build_object(
                    'player', player, 'asked', at_stake + amount, 'most', g.most_bet_minor
                )
            );
        END IF;
    ELSE
        SELECT -coalesce(sum(s.amount_minor) FILTER (WHERE s.account_id = bonus), 0),
                -coalesce(sum(s.amount_minor) FILTER (WHERE s.account_id = seat), 0)
            INTO fund, chips FROM ledger_stakes(hand) s;
        part := -CASE WHEN g.funds = 'bonus_first' THEN greatest(-amount - chips, 0)
            ELSE least(-amount, fund) END;
    END IF;
    RETURN (ledger_post(
        packed ->> 'key',
        CASE WHEN amount > 0 THEN 'stake' ELSE 'unstake' END,
        (SELECT jsonb_agg(jsonb_build_array(l.account, l.amount)) FROM (VALUES
            (seat, part - amount), (bonus, -part), (in_play, amount)
        ) AS l (account, amount) WHERE l.amount <> 0),
        jsonb_build_object('hand', hand, 'table', packed -> 'table'),
        player
    )).transfer_id;
END $$;

-- As before; packed may also name the player's bonus account (`bonus`).
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
    IF packed ? 'bonus' THEN
        RETURN ledger_stake_split(packed);
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

-- What goes back to a seat, split as the stakes were; the odd unit is the player's own.
CREATE FUNCTION ledger_returned_split(hand bigint, returned jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    s record;
    back bigint;
    part bigint;
BEGIN
    FOR s IN
        SELECT c.id AS seat, b.account_id AS bonus, -b.amount_minor AS of_bonus,
                -coalesce(own.amount_minor, 0) AS of_own
            FROM ledger_stakes(hand) b
            JOIN wallets_account a ON a.id = b.account_id AND a.purpose = 'bonus'
            JOIN wallets_transfer t ON t.hand_id = hand AND t.kind = 'stake'
            JOIN wallets_leg l ON l.transfer_id = t.id AND l.account_id = a.id
            JOIN wallets_leg i ON i.transfer_id = t.id
            JOIN wallets_account p ON p.id = i.account_id AND p.purpose = 'in_play'
            JOIN wallets_account c ON c.player_id = a.player_id AND c.purpose = 'seat'
                AND c.table_id = p.table_id AND c.currency_id = a.currency_id
            LEFT JOIN ledger_stakes(hand) own ON own.account_id = c.id
            GROUP BY 1, 2, 3, 4
    LOOP
        back := (returned ->> s.seat::text)::bigint;
        part := div(back::numeric * s.of_bonus, s.of_bonus + s.of_own);
        CONTINUE WHEN coalesce(part, 0) = 0;
        returned := returned || jsonb_build_object(
            s.seat::text, back - part, s.bonus::text, part
        );
    END LOOP;
    RETURN returned;
END $$;

-- Count what a settled round's players staked towards their grants.
CREATE FUNCTION ledger_wagered(hand bigint, weight_bp bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
    INSERT INTO wallets_bonusprogress (grant_id, hand_id, counted_minor)
        SELECT g.id, ledger_wagered.hand, -sum(s.amount_minor) * ledger_wagered.weight_bp / 10000
            FROM ledger_stakes(ledger_wagered.hand) s
            JOIN wallets_account a ON a.id = s.account_id
            JOIN wallets_bonusgrant g ON g.player_id = a.player_id
                AND g.currency_id = a.currency_id AND g.status = 'active'
            WHERE a.purpose IN ('seat', 'bonus')
            GROUP BY g.id HAVING sum(s.amount_minor) < 0;
END;

-- As before; bonus money comes back as it was staked, and the round counts towards its grant.
CREATE OR REPLACE FUNCTION ledger_round_pay(
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
    returned := ledger_returned_split(hand, returned);
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
    IF NOT replayed THEN
        PERFORM ledger_wagered(hand, coalesce((reference ->> 'weight_bp')::bigint, 10000));
    END IF;
END $$;

-- As before; what was staked of a bonus goes back to it, the round counts no more towards a grant,
-- and a hand that moved nothing is undone by moving nothing.
CREATE OR REPLACE FUNCTION ledger_reversal(hand bigint)
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
        SELECT CASE WHEN k.purpose = 'bonus' AND k.net < 0 THEN 'bonus' ELSE 'cash' END,
                k.currency_id, k.player_id, NULL,
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

CREATE OR REPLACE FUNCTION ledger_reverse(
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
    replayed := false;
    IF legs IS NOT NULL THEN
        p := ledger_post(key, 'reversal', legs, reference, actor);
        transfer_id := p.transfer_id;
        replayed := p.replayed;
    END IF;
    INSERT INTO wallets_bonusprogress (grant_id, hand_id, counted_minor)
        SELECT b.grant_id, hand, -sum(b.counted_minor)
            FROM wallets_bonusprogress b WHERE b.hand_id = hand
            GROUP BY b.grant_id HAVING sum(b.counted_minor) <> 0;
END $$;


-- Give a bonus, once per key. terms: {amount, wager, most_bet, funds, expires_at, reason}.
CREATE FUNCTION ledger_bonus_grant(
    key text, player bigint, currency text, terms jsonb, actor bigint
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    amount bigint := (terms ->> 'amount')::bigint;
    bonus bigint := ledger_account_open('bonus', currency, player, NULL);
    house bigint := ledger_account_open('adjustments', currency, NULL, NULL);
    p record;
    grant_id bigint;
BEGIN
    p := ledger_post(
        key, 'bonus_grant',
        jsonb_build_array(jsonb_build_array(house, -amount), jsonb_build_array(bonus, amount)),
        jsonb_build_object('reason', coalesce(terms ->> 'reason', '')), actor
    );
    IF p.replayed THEN
        RETURN (SELECT g.id FROM wallets_bonusgrant g WHERE g.transfer_id = p.transfer_id);
    END IF;
    INSERT INTO wallets_bonusgrant AS g (
        player_id, currency_id, amount_minor, wager_minor, most_bet_minor, funds, expires_at,
        granted_by, status, transfer_id
    ) VALUES (
        player, currency, amount, (terms ->> 'wager')::bigint, (terms ->> 'most_bet')::bigint,
        terms ->> 'funds', (terms ->> 'expires_at')::timestamptz, actor, 'active', p.transfer_id
    ) ON CONFLICT DO NOTHING RETURNING g.id INTO grant_id;
    IF grant_id IS NULL THEN
        PERFORM ledger_refuse(
            'LG035',
            format('player %s has an active bonus in %s', player, currency),
            jsonb_build_object('player', player, 'currency', currency)
        );
    END IF;
    RETURN grant_id;
END $$;

-- End a grant, once: 'won' makes what is left the player's own, 'expired' and 'forfeited' take it
-- back. False: it had ended, or the outcome is not due. What a running round still returns is
-- taken by the next call for the same player.
CREATE FUNCTION ledger_bonus_end(grant_id bigint, outcome text, actor bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    g wallets_bonusgrant;
    bonus bigint;
    target bigint;
    left_over bigint;
BEGIN
    SELECT * INTO g FROM wallets_bonusgrant b WHERE b.id = grant_id;
    bonus := ledger_account_open('bonus', g.currency_id, g.player_id, NULL);
    target := CASE outcome
        WHEN 'won' THEN ledger_account_open('cash', g.currency_id, g.player_id, NULL)
        ELSE ledger_account_open('adjustments', g.currency_id, NULL, NULL)
    END;
    PERFORM FROM wallets_account a WHERE a.id IN (bonus, target) ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE wallets_bonusgrant b SET status = outcome, ended_at = clock_timestamp()
        WHERE b.id = grant_id AND b.status = 'active' AND CASE outcome
            WHEN 'won' THEN b.wager_minor <= (
                SELECT coalesce(sum(r.counted_minor), 0) FROM wallets_bonusprogress r
                    WHERE r.grant_id = b.id
            )
            WHEN 'expired' THEN b.expires_at <= clock_timestamp()
            ELSE true
        END;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    SELECT a.balance_minor INTO left_over FROM wallets_account a WHERE a.id = bonus;
    IF left_over > 0 THEN
        PERFORM ledger_post(
            format('bonus:%s:end', grant_id), 'bonus_' || outcome,
            jsonb_build_array(
                jsonb_build_array(bonus, -left_over), jsonb_build_array(target, left_over)
            ), '{}', actor
        );
    END IF;
    RETURN true;
END $$;

-- Bonus money that came back after its grant had ended.
CREATE FUNCTION ledger_bonus_stray(bonus bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    a record;
    house bigint;
BEGIN
    SELECT currency_id, player_id, last_leg_id INTO a FROM wallets_account WHERE id = bonus;
    house := ledger_account_open('adjustments', a.currency_id, NULL, NULL);
    PERFORM FROM wallets_account WHERE id IN (bonus, house) ORDER BY id FOR NO KEY UPDATE;
    PERFORM ledger_post(
        format('bonus:stray:%s', l.last_leg_id), 'bonus_expired',
        jsonb_build_array(
            jsonb_build_array(bonus, -l.balance_minor), jsonb_build_array(house, l.balance_minor)
        ), '{}', NULL
    )
        FROM wallets_account l
        WHERE l.id = bonus AND l.balance_minor > 0 AND NOT EXISTS (
            SELECT FROM wallets_bonusgrant g
                WHERE g.player_id = a.player_id AND g.currency_id = a.currency_id
                    AND g.status = 'active'
        );
END $$;

REVOKE ALL ON wallets_bonusgrant, wallets_bonusprogress FROM PUBLIC, app;
GRANT SELECT ON wallets_bonusgrant, wallets_bonusprogress TO app;
REVOKE ALL ON FUNCTION
    ledger_grant_guard, ledger_stake_split, ledger_returned_split, ledger_wagered,
    ledger_bonus_grant, ledger_bonus_end, ledger_bonus_stray
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_bonus_grant, ledger_bonus_end, ledger_bonus_stray TO app;
