CREATE OR REPLACE PACKAGE BODY shards AS

  FUNCTION lease_end RETURN TIMESTAMP IS
    l_seconds setting.lease_seconds%TYPE;
  BEGIN
    SELECT s.lease_seconds INTO l_seconds FROM setting s;
    RETURN source.utc_now + NUMTODSINTERVAL(l_seconds, 'SECOND');
  END lease_end;

  PROCEDURE compare_token(p_shard IN VARCHAR2, p_token IN NUMBER, p_known IN NUMBER, p_held IN NUMBER) IS
  BEGIN
    IF p_known = 0 THEN
      RAISE_APPLICATION_ERROR(-20801, 'shard "' || p_shard || '" is unknown; call ATTACH first');
    END IF;
    IF p_held IS NULL OR p_token IS NULL OR p_held <> p_token THEN
      RAISE_APPLICATION_ERROR(
        -20802, 'the lease of shard "' || p_shard || '" was given to another ATTACH: token ' || p_token || ' is stale'
      );
    END IF;
  END compare_token;

  PROCEDURE look_at_token(p_shard IN VARCHAR2, p_token IN NUMBER) IS
    l_known NUMBER;
    l_held NUMBER;
  BEGIN
    SELECT COUNT(*), MAX(s.token) INTO l_known, l_held FROM shard s WHERE s.shard = p_shard;
    compare_token(p_shard, p_token, l_known, l_held);
  END look_at_token;

  PROCEDURE check_token(p_shard IN VARCHAR2, p_token IN NUMBER) IS
    l_known NUMBER := 0;
    l_held NUMBER;
  BEGIN
    FOR r IN (SELECT s.token FROM shard s WHERE s.shard = p_shard FOR UPDATE) LOOP
      l_known := 1;
      l_held := r.token;
    END LOOP;
    compare_token(p_shard, p_token, l_known, l_held);
  END check_token;

  PROCEDURE check_free(p_shard IN VARCHAR2, p_holder IN VARCHAR2, p_force IN NUMBER) IS
  BEGIN
    IF NVL(p_force, 0) <> 0 THEN
      RETURN;
    END IF;
    FOR r IN (
      SELECT s.holder, s.lease_until
      FROM shard s
      WHERE s.shard = p_shard AND s.holder <> p_holder AND s.lease_until > source.utc_now
    ) LOOP
      RAISE_APPLICATION_ERROR(
        -20803, 'shard "' || p_shard || '" is held by "' || r.holder || '" until '
        || TO_CHAR(r.lease_until, 'YYYY-MM-DD HH24:MI:SS') || ' UTC'
      );
    END LOOP;
  END check_free;

  -- NULL starts at the end; anything else must be continued without a hole.
  FUNCTION checked_start(p_shard IN VARCHAR2, p_applied IN NUMBER) RETURN NUMBER IS
    l_last NUMBER;
    l_first NUMBER;
  BEGIN
    SELECT s.last_portion, NVL((SELECT MIN(p.portion_id) FROM portion p), s.last_portion + 1) INTO l_last, l_first
    FROM source_state s;
    IF p_applied > l_last THEN
      RAISE_APPLICATION_ERROR(
        -20805, 'SOURCE_CHANGED: shard "' || p_shard || '" has applied portion ' || p_applied || ', the last one here is ' || l_last
      );
    END IF;
    IF p_applied + 1 < l_first THEN
      RAISE_APPLICATION_ERROR(
        -20804, 'PORTIONS_GONE: shard "' || p_shard || '" needs portion ' || (p_applied + 1) || ', the first one held is ' || l_first
      );
    END IF;
    RETURN NVL(p_applied, l_last);
  END checked_start;

  PROCEDURE attach(
    p_shard IN VARCHAR2, p_holder IN VARCHAR2, p_applied IN NUMBER, p_force IN NUMBER,
    p_token OUT NUMBER, p_first_portion OUT NUMBER, p_applied_now OUT NUMBER
  ) IS
    l_applied NUMBER;
    l_token NUMBER;
    l_lease_until TIMESTAMP(6);
  BEGIN
    IF p_shard IS NULL OR p_holder IS NULL THEN
      RAISE_APPLICATION_ERROR(-20801, 'ATTACH needs the name of the shard and of its holder');
    END IF;
    source.lock_state;
    check_free(p_shard, p_holder, p_force);
    l_applied := checked_start(p_shard, p_applied);
    l_token := token_seq.NEXTVAL;
    l_lease_until := lease_end;
    DELETE FROM request WHERE shard = p_shard;
    MERGE INTO shard s
    USING (
      SELECT
        p_shard AS shard, p_holder AS holder, l_token AS token, l_lease_until AS lease_until, l_applied AS acked_portion,
        source.utc_now AS acked_at, source.current_scn AS acked_scn
      FROM dual
    ) n
    ON (s.shard = n.shard)
    WHEN MATCHED THEN UPDATE SET
      holder = n.holder, token = n.token, lease_until = n.lease_until, acked_portion = n.acked_portion,
      acked_at = n.acked_at, acked_scn = n.acked_scn
    WHEN NOT MATCHED THEN INSERT (shard, holder, token, lease_until, acked_portion, acked_at, acked_scn)
    VALUES (n.shard, n.holder, n.token, n.lease_until, n.acked_portion, n.acked_at, n.acked_scn);
    p_token := l_token;
    p_first_portion := l_applied + 1;
    p_applied_now := l_applied;
  END attach;

  PROCEDURE ack(p_shard IN VARCHAR2, p_portion IN NUMBER) IS
    l_last NUMBER;
    l_lease_until TIMESTAMP(6) := lease_end;
  BEGIN
    SELECT s.last_portion INTO l_last FROM source_state s;
    IF p_portion IS NULL OR p_portion < 0 OR p_portion > l_last THEN
      RAISE_APPLICATION_ERROR(
        -20808, 'portion ' || NVL(TO_CHAR(p_portion), 'NULL') || ' was never published; the last one is ' || l_last
      );
    END IF;
    UPDATE shard
    SET acked_portion = p_portion, acked_at = source.utc_now, acked_scn = source.current_scn
    WHERE shard = p_shard AND acked_portion < p_portion;
    UPDATE shard SET lease_until = l_lease_until WHERE shard = p_shard;
  END ack;

  PROCEDURE detach(p_shard IN VARCHAR2) IS
  BEGIN
    UPDATE shard SET holder = NULL, token = NULL, lease_until = NULL WHERE shard = p_shard;
  END detach;

  PROCEDURE drop_shard(p_shard IN VARCHAR2) IS
  BEGIN
    DELETE FROM shard WHERE shard = p_shard;
    registry.forget_unwanted;
  END drop_shard;

END shards;
/
