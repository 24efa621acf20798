CREATE OR REPLACE PACKAGE BODY releases AS

  -- The latest portion that every shard surely has; without a shard all of them.
  FUNCTION releasable RETURN NUMBER IS
    l_portion NUMBER;
  BEGIN
    SELECT NVL(MIN(LEAST(s.acked_portion, NVL(m.sure_portion, 0))), MAX(t.last_portion)) INTO l_portion
    FROM source_state t
    LEFT JOIN shard s ON 1 = 1
    LEFT JOIN release_mark m ON m.shard = s.shard;
    RETURN l_portion;
  END releasable;

  FUNCTION is_due RETURN BOOLEAN IS
    l_oldest NUMBER;
    l_moving NUMBER;
  BEGIN
    SELECT MIN(p.portion_id) INTO l_oldest FROM portion p;
    SELECT COUNT(*) INTO l_moving
    FROM source_state t
    CROSS JOIN shard s
    LEFT JOIN release_mark m ON m.shard = s.shard
    WHERE m.shard IS NULL OR NVL(m.token, -1) <> NVL(s.token, -1)
      OR m.mark_scn <= t.mined_scn AND s.acked_portion > m.sure_portion;
    RETURN l_oldest IS NOT NULL AND (l_moving > 0 OR l_oldest <= releasable);
  END is_due;

  -- What was waited for and is passed is sure now, and the latest ack is waited for next.
  PROCEDURE move_marks IS
    l_mined NUMBER;
  BEGIN
    SELECT t.mined_scn INTO l_mined FROM source_state t;
    MERGE INTO release_mark m
    USING (SELECT s.shard, s.token, s.acked_portion, s.acked_scn FROM shard s) s
    ON (m.shard = s.shard)
    WHEN MATCHED THEN UPDATE SET
      token = s.token,
      sure_portion = CASE
        WHEN NVL(m.token, -1) <> NVL(s.token, -1) THEN 0
        WHEN m.mark_scn <= l_mined THEN m.mark_portion
        ELSE m.sure_portion
      END,
      mark_portion = CASE
        WHEN NVL(m.token, -1) <> NVL(s.token, -1) OR m.mark_scn <= l_mined THEN s.acked_portion
        ELSE m.mark_portion
      END,
      mark_scn = CASE
        WHEN NVL(m.token, -1) <> NVL(s.token, -1) OR m.mark_scn <= l_mined THEN s.acked_scn
        ELSE m.mark_scn
      END
    WHEN NOT MATCHED THEN INSERT (shard, token, sure_portion, mark_portion, mark_scn)
      VALUES (s.shard, s.token, 0, s.acked_portion, s.acked_scn);
  END move_marks;

  -- A rebuild needs the scan of a held portion, and rule W the last one that was published.
  PROCEDURE forget_scans IS
    l_before NUMBER;
  BEGIN
    SELECT LEAST(t.published_scan - 1000, NVL((SELECT MIN(p.scan_id) FROM portion p WHERE p.scan_id > 0), t.published_scan))
    INTO l_before
    FROM source_state t;
    DELETE FROM scan_log
    WHERE scan_id IN (
      SELECT s.scan_id FROM scan s WHERE s.scan_id < l_before AND s.purpose = 'MINE' AND s.status = 'PUBLISHED'
    );
    DELETE FROM scan WHERE scan_id < l_before AND purpose = 'MINE' AND status = 'PUBLISHED';
  END forget_scans;

  PROCEDURE release_portions IS
    l_up_to NUMBER;
  BEGIN
    source.lock_state;
    move_marks;
    l_up_to := releasable;
    DELETE FROM portion WHERE portion_id <= l_up_to;
    rebuilds.forget_released;
    miner.heal;
    forget_scans;
    source.move_resume;
    rebuilds.show_state;
  END release_portions;

END releases;
/
