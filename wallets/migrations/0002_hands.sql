-- Hands among players: seats are held, paid and released.

-- Hold the seats of a hand: until it is released only that hand takes from them.
CREATE FUNCTION ledger_hold(hand bigint, accounts bigint[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    a record;
    who bigint;
    held integer := 0;
BEGIN
    -- Playing is seen here, for hands among players post nothing while they run.
    FOR who IN
        SELECT l.player_id FROM wallets_playerlimits l
            WHERE l.player_id IN (
                    SELECT s.player_id FROM wallets_account s WHERE s.id = ANY (accounts)
                )
                AND (l.playing_last IS NULL
                    OR l.playing_last < clock_timestamp() - interval '1 minute')
            ORDER BY l.player_id
    LOOP
        PERFORM ledger_play_seen(who);
    END LOOP;
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
