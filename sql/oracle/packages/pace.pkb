CREATE OR REPLACE PACKAGE BODY pace AS

  c_seam_seconds CONSTANT NUMBER(3) := 60;
  -- When no log tells how fast SCNs come.
  c_seam_scn     CONSTANT NUMBER(9) := 10000;
  -- So many scans are looked at. One that took less than a hundredth of the time it may says nothing, but lets others be forgotten; so does one
  -- that read less than a hundredth of the redo it may, which took the time that LogMiner needs for any range, unless it took very long.
  c_measured     CONSTANT NUMBER(3) := 10;

  FUNCTION redo_between(p_lo IN NUMBER, p_hi IN NUMBER) RETURN NUMBER IS
    l_written NUMBER;
    l_bytes   NUMBER;
  BEGIN
    l_written := GREATEST(NVL(logs.flushed_scn, 0), p_hi) + 1;
    SELECT NVL(SUM(q.bytes * (LEAST(q.end_scn, p_hi + 1) - GREATEST(q.first_scn, p_lo)) / (q.end_scn - q.first_scn)), 0) INTO l_bytes
    FROM (SELECT l.first_scn, LEAST(l.next_scn, l_written) AS end_scn, l.bytes FROM redo_log_v l) q
    WHERE q.end_scn > q.first_scn AND q.end_scn > p_lo AND q.first_scn <= p_hi;
    RETURN ROUND(l_bytes);
  END redo_between;

  FUNCTION bytes_in_time RETURN NUMBER IS
    l_seconds NUMBER;
    l_bytes   NUMBER;
    l_rate    NUMBER;
  BEGIN
    SELECT scan_max_seconds, scan_max_bytes INTO l_seconds, l_bytes FROM setting;
    -- A clock that was set forward is no reason to read next to nothing from now on.
    SELECT MIN(q.redo_bytes / LEAST(q.seconds, l_seconds)) INTO l_rate
    FROM (
      SELECT s.redo_bytes, s.seconds, ROW_NUMBER() OVER (ORDER BY s.ended_at DESC) AS n
      FROM scan_status_v s
      WHERE s.status IN ('SCANNED', 'PUBLISHED')
    ) q
    WHERE q.n <= c_measured AND q.seconds > l_seconds / 100
      AND (q.redo_bytes >= l_bytes / 100 OR q.seconds > l_seconds / 10);
    RETURN l_rate * l_seconds / 4;
  END bytes_in_time;

  FUNCTION end_in_time(p_lo IN NUMBER, p_hi IN NUMBER) RETURN NUMBER IS
    l_limit NUMBER := bytes_in_time;
    l_bytes NUMBER;
    l_min   NUMBER;
  BEGIN
    IF l_limit IS NULL THEN
      RETURN p_hi;
    END IF;
    l_bytes := redo_between(p_lo + 1, p_hi);
    IF l_bytes <= l_limit THEN
      RETURN p_hi;
    END IF;
    SELECT GREATEST(scan_min_scn, 2) INTO l_min FROM setting;
    RETURN LEAST(p_hi, p_lo + GREATEST(FLOOR((p_hi - p_lo) * l_limit / l_bytes), l_min));
  END end_in_time;

  FUNCTION seam(p_scn IN NUMBER) RETURN NUMBER IS
    l_now     TIMESTAMP(6);
    l_written NUMBER;
    l_seam    NUMBER;
  BEGIN
    SELECT MAX(seam_scn) INTO l_seam FROM setting;
    IF l_seam IS NOT NULL THEN
      RETURN l_seam;
    END IF;
    -- Times of logs are those of the server.
    l_now := CAST(SYSTIMESTAMP AS TIMESTAMP);
    l_written := GREATEST(NVL(logs.flushed_scn, 0), p_scn) + 1;
    SELECT CEIL(MAX(q.scns * c_seam_seconds / GREATEST(q.seconds, 1))) INTO l_seam
    FROM (
      SELECT
        a.scns,
        EXTRACT(DAY FROM a.took) * 86400 + EXTRACT(HOUR FROM a.took) * 3600 + EXTRACT(MINUTE FROM a.took) * 60
        + EXTRACT(SECOND FROM a.took) AS seconds
      FROM (
        SELECT
          LEAST(l.next_scn, l_written) - l.first_scn AS scns,
          NVL(CAST(l.next_time AS TIMESTAMP), l_now) - CAST(l.first_time AS TIMESTAMP) AS took
        FROM redo_log_v l
        WHERE l.first_scn <= p_scn AND l.next_scn > p_scn
      ) a
    ) q;
    RETURN NVL(l_seam, c_seam_scn);
  END seam;

END pace;
/
