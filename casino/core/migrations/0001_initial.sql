-- The sealed log, approvals that only move forward, and what the role `app` may do.

-- What an entry's hash covers: one JSON array, so no field can spill into its neighbour.
CREATE FUNCTION log_content(
    entry_id bigint, at timestamptz, actor_id bigint, kind text, subject text, facts jsonb
) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN jsonb_build_array(
    'log-1', entry_id, (extract(epoch FROM at) * 1000000)::bigint, actor_id, kind, subject, facts
)::text;

CREATE FUNCTION log_entry_stamp() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.at := clock_timestamp();
    NEW.content_hash := sha256(convert_to(
        log_content(NEW.id, NEW.at, NEW.actor_id, NEW.kind, NEW.subject, NEW.facts), 'UTF8'
    ));
    RETURN NEW;
END $$;

CREATE FUNCTION rows_are_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '% refused: rows of % are never changed or removed', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'CR001';
END $$;

CREATE TRIGGER log_entry_stamp BEFORE INSERT ON core_logentry
    FOR EACH ROW EXECUTE FUNCTION log_entry_stamp();
CREATE TRIGGER log_entry_final BEFORE UPDATE OR DELETE OR TRUNCATE ON core_logentry
    FOR EACH STATEMENT EXECUTE FUNCTION rows_are_final();
CREATE TRIGGER log_seal_final BEFORE UPDATE OR DELETE OR TRUNCATE ON core_logseal
    FOR EACH STATEMENT EXECUTE FUNCTION rows_are_final();

-- The only way in. The shared lock is held to the end of the writer's transaction and is taken
-- before the id: once a sealer has had the lock to itself, no smaller id can appear any more.
CREATE FUNCTION log_append(kind text, subject text, actor_id bigint, facts jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry_id bigint;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1129467733, 1);
    INSERT INTO core_logentry (at, actor_id, kind, subject, facts, content_hash)
        VALUES (now(), log_append.actor_id, log_append.kind, log_append.subject,
                log_append.facts, '')
        RETURNING id INTO entry_id;
    RETURN entry_id;
END $$;

-- A seal must follow the last one without a gap; whoever computed it from an older head is late.
CREATE FUNCTION log_seal_append(
    seal_id bigint, from_id bigint, to_id bigint, entries bigint, root bytea,
    previous_hash bytea, seal_hash bytea, public_key bytea, signature bytea, sealed_at timestamptz
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    last core_logseal%ROWTYPE;
BEGIN
    PERFORM pg_advisory_xact_lock(1129467733, 2);
    SELECT * INTO last FROM core_logseal ORDER BY id DESC LIMIT 1;
    IF log_seal_append.seal_id <> coalesce(last.id, 0) + 1
        OR log_seal_append.from_id <> coalesce(last.to_id, 0) + 1
        OR log_seal_append.to_id < log_seal_append.from_id
        OR log_seal_append.previous_hash
            <> coalesce(last.seal_hash, decode(repeat('00', 32), 'hex'))
    THEN
        RAISE EXCEPTION 'seal % does not follow seal %', log_seal_append.seal_id,
            coalesce(last.id, 0) USING ERRCODE = 'CR002';
    END IF;
    INSERT INTO core_logseal (
        id, from_id, to_id, entries, root, previous_hash, seal_hash, public_key, signature,
        sealed_at
    ) VALUES (
        log_seal_append.seal_id, log_seal_append.from_id, log_seal_append.to_id,
        log_seal_append.entries, log_seal_append.root, log_seal_append.previous_hash,
        log_seal_append.seal_hash, log_seal_append.public_key, log_seal_append.signature,
        log_seal_append.sealed_at
    );
END $$;

CREATE FUNCTION approval_moves_forward() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'asked' OR NEW.approved_by_id IS NOT NULL THEN
            RAISE EXCEPTION 'an approval begins as asked' USING ERRCODE = 'CR003';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.kind, NEW.subject, NEW.payload, NEW.reason, NEW.asked_by_id, NEW.asked_at,
            NEW.expires_at)
        IS DISTINCT FROM (OLD.id, OLD.kind, OLD.subject, OLD.payload, OLD.reason,
            OLD.asked_by_id, OLD.asked_at, OLD.expires_at)
    THEN
        RAISE EXCEPTION 'what was asked cannot be changed' USING ERRCODE = 'CR003';
    END IF;
    IF (OLD.status, NEW.status) NOT IN (
        ('asked', 'approved'), ('asked', 'rejected'), ('asked', 'expired'),
        ('approved', 'executed'), ('approved', 'expired')
    ) THEN
        RAISE EXCEPTION 'an approval does not go from % to %', OLD.status, NEW.status
            USING ERRCODE = 'CR003';
    END IF;
    IF NEW.approved_by_id IS DISTINCT FROM OLD.approved_by_id AND NEW.status <> 'approved' THEN
        RAISE EXCEPTION 'only approving names the approver' USING ERRCODE = 'CR003';
    END IF;
    IF NEW.status IN ('approved', 'executed') AND clock_timestamp() > OLD.expires_at THEN
        RAISE EXCEPTION 'the approval has expired' USING ERRCODE = 'CR003';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER approval_moves_forward BEFORE INSERT OR UPDATE ON core_approval
    FOR EACH ROW EXECUTE FUNCTION approval_moves_forward();
CREATE TRIGGER approval_final BEFORE DELETE OR TRUNCATE ON core_approval
    FOR EACH STATEMENT EXECUTE FUNCTION rows_are_final();

-- A ticket lives half a minute; losing it in a crash costs a client one more request.
ALTER TABLE core_ticket SET UNLOGGED;

REVOKE ALL ON FUNCTION log_append(text, text, bigint, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION log_seal_append(
    bigint, bigint, bigint, bigint, bytea, bytea, bytea, bytea, bytea, timestamptz
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log_append(text, text, bigint, jsonb) TO app;
GRANT EXECUTE ON FUNCTION log_seal_append(
    bigint, bigint, bigint, bigint, bytea, bytea, bytea, bytea, bytea, timestamptz
) TO app;

GRANT SELECT ON core_logentry, core_logseal TO app;
GRANT SELECT, INSERT, UPDATE ON core_user, core_device TO app;
GRANT SELECT, INSERT, DELETE ON core_user_groups, core_user_user_permissions TO app;
GRANT SELECT, INSERT, UPDATE (last_used_at, revoked_at) ON core_token TO app;
GRANT SELECT, INSERT,
    UPDATE (status, approved_by_id, rejected_by_id, decided_at, decision_note, executed_at)
    ON core_approval TO app;
GRANT SELECT, INSERT, DELETE ON core_ticket TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON core_signinfailure, core_idempotencykey TO app;
