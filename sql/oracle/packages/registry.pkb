CREATE OR REPLACE PACKAGE BODY registry AS

  PROCEDURE check_identity(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2, p_registered IN VARCHAR2) IS
  BEGIN
    IF p_identity <> 'AUTO' AND p_identity <> p_registered THEN
      RAISE_APPLICATION_ERROR(
        -20810, 'table "' || p_owner || '"."' || p_table || '" is registered with identity ' || p_registered
      );
    END IF;
  END check_identity;

  -- Whether the table has other columns than PULL_n.
  FUNCTION is_altered(p_table_id IN NUMBER) RETURN BOOLEAN IS
    l_different NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_different
    FROM (
      SELECT c.column_id AS position, c.column_name, c.data_type, c.data_length
      FROM source_table t
      JOIN dba_tab_cols c ON c.owner = t.owner AND c.table_name = t.table_name AND c.hidden_column = 'NO'
      WHERE t.table_id = p_table_id
    ) d
    FULL JOIN (SELECT s.position, s.column_name, s.data_type, s.data_length FROM source_column s WHERE s.table_id = p_table_id) n
      ON n.position = d.position
    WHERE
      d.position IS NULL
      OR n.position IS NULL
      OR n.column_name <> d.column_name
      OR n.data_type <> d.data_type
      OR n.data_length <> d.data_length;
    RETURN l_different > 0;
  END is_altered;

  PROCEDURE renew_views(p_table_id IN NUMBER) IS
    r source_table%ROWTYPE;
    l_key VARCHAR2(128);
  BEGIN
    SELECT * INTO r FROM source_table t WHERE t.table_id = p_table_id;
    admission.check_admitted(r.owner, r.table_name, r.identity);
    l_key := admission.registered_key(p_table_id);
    IF r.identity = 'KEY' AND l_key IS NULL THEN
      RAISE_APPLICATION_ERROR(
        -20806, 'table "' || r.owner || '"."' || r.table_name
        || '": its key is not the one it was registered with; drop the table on every shard and add it again'
      );
    END IF;
    resolver.create_views(p_table_id, r.owner, r.table_name, l_key, r.is_iot);
  END renew_views;

  FUNCTION prepare(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2) RETURN NUMBER IS
    l_table_id NUMBER;
    l_key VARCHAR2(128);
  BEGIN
    IF p_identity IS NULL OR p_identity NOT IN ('AUTO', 'KEY', 'ROWID') THEN
      RAISE_APPLICATION_ERROR(
        -20806, 'table "' || p_owner || '"."' || p_table || '": identity "' || p_identity || '" is none of AUTO, KEY, ROWID'
      );
    END IF;
    FOR r IN (SELECT t.table_id, t.identity FROM source_table t WHERE t.owner = p_owner AND t.table_name = p_table) LOOP
      check_identity(p_owner, p_table, p_identity, r.identity);
      admission.check_admitted(p_owner, p_table, r.identity);
      IF is_altered(r.table_id) THEN
        renew_views(r.table_id);
      END IF;
      RETURN NULL;
    END LOOP;
    admission.check_admitted(p_owner, p_table, p_identity);
    l_key := admission.chosen_key(p_owner, p_table, p_identity);
    l_table_id := table_seq.NEXTVAL;
    resolver.create_views(l_table_id, p_owner, p_table, l_key, admission.is_index_organized(p_owner, p_table));
    RETURN l_table_id;
  END prepare;

  -- Columns as the table has them now, with the places in the given key.
  PROCEDURE write_columns(p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2) IS
  BEGIN
    DELETE FROM source_column WHERE table_id = p_table_id;
    INSERT INTO source_column (table_id, position, column_name, data_type, data_length, data_scale, key_position)
    SELECT p_table_id, c.column_id, c.column_name, c.data_type, c.data_length, c.data_scale, k.position
    FROM dba_tab_cols c
    LEFT JOIN key_column_v k
      ON k.owner = c.owner AND k.table_name = c.table_name AND k.column_name = c.column_name AND k.constraint_name = p_key
    WHERE c.owner = p_owner AND c.table_name = p_table AND c.hidden_column = 'NO';
  END write_columns;

  PROCEDURE renew_paths IS
  BEGIN
    MERGE INTO source_table t
    USING (
      SELECT p.table_id, p.k1_path, p.k2_path, p.k3_path, p.k4_path, p.k5_path, p.k6_path, p.k7_path, p.k8_path
      FROM key_path_v p
      JOIN source_table o ON o.table_id = p.table_id
      WHERE NVL(o.k1_path, '-') <> NVL(p.k1_path, '-')
    ) n
    ON (t.table_id = n.table_id)
    WHEN MATCHED THEN UPDATE SET
      k1_path = n.k1_path, k2_path = n.k2_path, k3_path = n.k3_path, k4_path = n.k4_path,
      k5_path = n.k5_path, k6_path = n.k6_path, k7_path = n.k7_path, k8_path = n.k8_path;
  END renew_paths;

  -- What decides how redo of the table is read. 32K strings are stored and logged as LOBs.
  PROCEDURE write_reading(p_table_id IN NUMBER) IS
    l_key_count NUMBER;
    l_has_lob   VARCHAR2(1);
  BEGIN
    SELECT
      COUNT(c.key_position),
      MAX(CASE
        WHEN c.data_type IN ('CLOB', 'NCLOB', 'BLOB', 'XMLTYPE', 'JSON', 'VECTOR', 'LONG', 'LONG RAW') THEN 'Y'
        WHEN c.data_type IN ('VARCHAR2', 'NVARCHAR2') AND c.data_length > 4000 THEN 'Y'
        WHEN c.data_type = 'RAW' AND c.data_length > 2000 THEN 'Y'
        ELSE 'N'
      END)
    INTO l_key_count, l_has_lob
    FROM source_column c
    WHERE c.table_id = p_table_id;
    UPDATE source_table SET key_count = l_key_count, has_lob = l_has_lob, k1_path = NULL WHERE table_id = p_table_id;
    renew_paths;
  END write_reading;

  -- Objects that are not noted yet, of all registered tables.
  PROCEDURE note_objects IS
  BEGIN
    INSERT INTO source_object (object_id, table_id, object_kind)
    SELECT o.object_id, o.table_id, o.object_kind
    FROM registered_object_v o
    WHERE NOT EXISTS (SELECT 1 FROM source_object k WHERE k.object_id = o.object_id);
  END note_objects;

  -- Only tables and indexes have segments that EXCHANGE PARTITION could swap with one of ours.
  FUNCTION newest_object RETURN NUMBER IS
    l_number NUMBER;
  BEGIN
    SELECT MAX(o.data_object_id) INTO l_number
    FROM dba_objects o
    WHERE o.object_type LIKE 'TABLE%' OR o.object_type LIKE 'INDEX%';
    RETURN l_number;
  END newest_object;

  -- Numbers of the segments of a table that is not loaded yet: what became of them before does not matter.
  PROCEDURE note_segments(p_table_id IN NUMBER) IS
    l_since  NUMBER := source.current_scn;
    l_newest NUMBER := newest_object;
  BEGIN
    note_objects;
    MERGE INTO source_object k
    USING (SELECT o.object_id, o.data_object_id FROM registered_object_v o WHERE o.table_id = p_table_id) n
    ON (k.object_id = n.object_id)
    WHEN MATCHED THEN UPDATE SET data_object_id = n.data_object_id;
    UPDATE source_table SET looked_scn = l_since, newest_object = l_newest WHERE table_id = p_table_id;
  END note_segments;

  PROCEDURE note_columns(p_table_id IN NUMBER) IS
    r source_table%ROWTYPE;
  BEGIN
    IF NOT is_altered(p_table_id) THEN
      RETURN;
    END IF;
    SELECT * INTO r FROM source_table t WHERE t.table_id = p_table_id;
    write_columns(p_table_id, r.owner, r.table_name, admission.registered_key(p_table_id));
    write_reading(p_table_id);
  END note_columns;

  FUNCTION register(
    p_shard IN VARCHAR2, p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2
  ) RETURN NUMBER
  IS
    l_table_id NUMBER;
    l_identity VARCHAR2(5);
    l_key VARCHAR2(128);
  BEGIN
    source.lock_state;
    SELECT MAX(t.table_id), MAX(t.identity) INTO l_table_id, l_identity
    FROM source_table t
    WHERE t.owner = p_owner AND t.table_name = p_table;
    IF l_table_id IS NULL AND p_table_id IS NULL THEN
      -- Its number is forgotten, and its views may be dropped at any moment.
      RAISE_APPLICATION_ERROR(
        -20811, 'table "' || p_owner || '"."' || p_table || '" was dropped by the last shard that had it just now; register it again'
      );
    ELSIF l_table_id IS NULL THEN
      l_table_id := p_table_id;
      l_key := admission.chosen_key(p_owner, p_table, p_identity);
      INSERT INTO source_table (table_id, owner, table_name, identity, key_count, is_iot, state, registered_at)
      VALUES (
        l_table_id, p_owner, p_table, CASE WHEN l_key IS NULL THEN 'ROWID' ELSE 'KEY' END, 0,
        admission.is_index_organized(p_owner, p_table), 'WAIT_TX', source.utc_now
      );
      write_columns(l_table_id, p_owner, p_table, l_key);
      write_reading(l_table_id);
      UPDATE source_table t
      SET unlogged_scn = (SELECT MAX(u.unlogged_scn) FROM unlogged_v u WHERE u.owner = t.owner AND u.table_name = t.table_name)
      WHERE t.table_id = l_table_id;
      note_segments(l_table_id);
    ELSE
      check_identity(p_owner, p_table, p_identity, l_identity);
      note_columns(l_table_id);
      -- Another shard was faster: the views that were made for this one are not wanted.
      IF p_table_id IS NOT NULL THEN
        INSERT INTO forgotten (table_id) VALUES (p_table_id);
      END IF;
    END IF;
    MERGE INTO subscription s
    USING (SELECT p_shard AS shard, l_table_id AS table_id FROM dual) n
    ON (s.shard = n.shard AND s.table_id = n.table_id)
    WHEN NOT MATCHED THEN INSERT (shard, table_id) VALUES (n.shard, n.table_id);
    RETURN l_table_id;
  END register;

  PROCEDURE check_subscription(p_shard IN VARCHAR2, p_table_id IN NUMBER) IS
    l_found NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_found FROM subscription s WHERE s.shard = p_shard AND s.table_id = p_table_id;
    IF l_found = 0 THEN
      RAISE_APPLICATION_ERROR(
        -20807, 'shard "' || p_shard || '" has registered no table with number ' || NVL(TO_CHAR(p_table_id), 'NULL')
      );
    END IF;
  END check_subscription;

  PROCEDURE forget_unwanted IS
  BEGIN
    INSERT INTO forgotten (table_id)
    SELECT t.table_id
    FROM source_table t
    WHERE NOT EXISTS (SELECT 1 FROM subscription s WHERE s.table_id = t.table_id);
    DELETE FROM source_table WHERE table_id IN (SELECT f.table_id FROM forgotten f);
  END forget_unwanted;

  PROCEDURE unsubscribe(p_shard IN VARCHAR2, p_table_id IN NUMBER) IS
  BEGIN
    DELETE FROM request WHERE shard = p_shard AND table_id = p_table_id;
    DELETE FROM subscription WHERE shard = p_shard AND table_id = p_table_id;
    forget_unwanted;
  END unsubscribe;

  PROCEDURE settle IS
  BEGIN
    IF source.all_answer THEN
      UPDATE source_table t
      SET state = 'READY', state_detail = NULL
      WHERE
        t.state = 'WAIT_TX'
        AND t.wait_scn IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM gv$transaction x WHERE NVL(x.start_scn, 0) <= t.wait_scn)
        AND NOT EXISTS (SELECT 1 FROM dba_2pc_pending p WHERE p.state IN ('collecting', 'prepared'));
    END IF;
    UPDATE source_table
    SET wait_scn = source.current_scn, registered_scn = NVL(registered_scn, source.current_scn)
    WHERE state = 'WAIT_TX' AND wait_scn IS NULL;
  END settle;

  -- p_seen_scn: an SCN of now, and p_since_scn, p_explained_by as in SUSPICION. Of two at the same SCN that remains which less explains.
  PROCEDURE suspect(
    p_table_id IN NUMBER, p_note IN VARCHAR2, p_seen_scn IN NUMBER, p_since_scn IN NUMBER, p_explained_by IN VARCHAR2
  ) IS
  BEGIN
    MERGE INTO suspicion s
    USING (
      SELECT
        p_table_id AS table_id, p_seen_scn AS seen_scn, SUBSTRB(p_note, 1, 400) AS note, p_since_scn AS since_scn,
        p_explained_by AS explained_by
      FROM dual
    ) n
    ON (s.table_id = n.table_id AND s.seen_scn = n.seen_scn)
    WHEN MATCHED THEN UPDATE SET explained_by = CASE
      WHEN s.explained_by = n.explained_by THEN s.explained_by
      WHEN s.explained_by IS NOT NULL AND n.explained_by IS NOT NULL THEN 'U'
    END
    WHEN NOT MATCHED THEN INSERT (table_id, seen_scn, note, since_scn, explained_by)
      VALUES (n.table_id, n.seen_scn, n.note, n.since_scn, n.explained_by);
  END suspect;

  PROCEDURE watch_recreated IS
  BEGIN
    FOR r IN (
      SELECT t.table_id, t.owner, t.table_name, o.object_id
      FROM source_table t
      JOIN registered_object_v o ON o.table_id = t.table_id AND o.object_type = 'TABLE'
      WHERE NOT EXISTS (SELECT 1 FROM source_object k WHERE k.object_id = o.object_id AND k.table_id = t.table_id)
    ) LOOP
      suspect(r.table_id, 'the table was created anew', source.current_scn, NULL, NULL);
      source.note('WARNING', 'TABLE RECREATED', 'table "' || r.owner || '"."' || r.table_name || '" was created anew');
      -- It may be another registered table that was renamed.
      UPDATE source_object SET table_id = r.table_id WHERE object_id = r.object_id;
    END LOOP;
  END watch_recreated;

  -- Whether redo tells of it is known when it is mined up to here (OPEN_SUSPICION_V).
  PROCEDURE watch_segments IS
    l_since  NUMBER := source.current_scn;
    l_newest NUMBER := newest_object;
    l_seen   NUMBER;
  BEGIN
    FOR r IN (SELECT c.table_id, c.object_id, c.data_object_id, c.looked_scn, c.is_new, c.is_first FROM changed_segment_v c) LOOP
      IF l_seen IS NULL THEN
        l_seen := source.current_scn;
      END IF;
      -- A partition that was created since, with rows that were too, can be exchanged only by DDL that names this table.
      IF r.is_new = 'N' OR r.is_first = 'N' THEN
        suspect(
          r.table_id, 'a segment of the table was exchanged, moved or emptied, and no redo of the table tells why', l_seen, r.looked_scn,
          CASE r.is_new WHEN 'Y' THEN 'TDU' ELSE 'U' END
        );
      END IF;
      UPDATE source_object SET data_object_id = r.data_object_id WHERE object_id = r.object_id;
    END LOOP;
    -- Not what the dictionary has by now: that is for the next look.
    UPDATE source_object SET data_object_id = object_id WHERE data_object_id IS NULL;
    UPDATE source_table SET looked_scn = l_since, newest_object = l_newest WHERE NVL(looked_scn, 0) < l_since;
  END watch_segments;

  -- Data files say only that something in them was changed without redo, so every table in them is suspected. An SCN that is less than
  -- the one before is another change only after RESETLOGS, when the one before is still to come, or when it is behind the last look; else the
  -- table has left the file with the greater one.
  PROCEDURE watch_unlogged IS
    l_now NUMBER := source.current_scn;
  BEGIN
    FOR r IN (
      SELECT
        t.table_id, t.owner, t.table_name, u.unlogged_scn,
        CASE
          WHEN u.unlogged_scn > NVL(t.unlogged_scn, 0) OR t.unlogged_scn > l_now OR u.unlogged_scn > t.looked_scn THEN 'Y'
          ELSE 'N'
        END AS is_change
      FROM source_table t
      JOIN unlogged_v u ON u.owner = t.owner AND u.table_name = t.table_name
      WHERE u.unlogged_scn <> NVL(t.unlogged_scn, 0)
    ) LOOP
      UPDATE source_table SET unlogged_scn = r.unlogged_scn WHERE table_id = r.table_id;
      CONTINUE WHEN r.is_change = 'N';
      suspect(
        r.table_id, 'a change without redo in a data file of the table, at SCN ' || r.unlogged_scn, source.current_scn, NULL, NULL
      );
      source.note(
        'WARNING', 'UNLOGGED CHANGE', 'SCN ' || r.unlogged_scn || ' changed a data file of table "' || r.owner || '"."'
        || r.table_name || '" without redo (NOLOGGING or UNRECOVERABLE); ALTER DATABASE FORCE LOGGING prevents that'
      );
    END LOOP;
  END watch_unlogged;

  -- Why a registered table could not be registered now; NULL when it could.
  FUNCTION trouble(p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2) RETURN VARCHAR2 IS
    l_reason VARCHAR2(4000) := admission.refusal(p_owner, p_table, p_identity);
  BEGIN
    IF l_reason IS NULL AND p_identity = 'KEY' AND admission.registered_key(p_table_id) IS NULL THEN
      RETURN 'the key it was registered with is not an enabled, validated key any more';
    END IF;
    RETURN l_reason;
  END trouble;

  PROCEDURE watch_refusals IS
    l_reason VARCHAR2(4000);
  BEGIN
    FOR r IN (SELECT t.table_id, t.owner, t.table_name, t.identity, t.state, t.state_detail FROM source_table t) LOOP
      l_reason := trouble(r.table_id, r.owner, r.table_name, r.identity);
      IF l_reason IS NOT NULL AND (r.state <> 'REFUSED' OR r.state_detail <> l_reason) THEN
        UPDATE source_table SET state = 'REFUSED', state_detail = l_reason WHERE table_id = r.table_id;
        source.note('ERROR', 'TABLE REFUSED', 'table "' || r.owner || '"."' || r.table_name || '": ' || l_reason);
      ELSIF l_reason IS NULL AND r.state = 'REFUSED' THEN
        UPDATE source_table SET state = 'WAIT_TX', state_detail = NULL, wait_scn = NULL WHERE table_id = r.table_id;
        suspect(r.table_id, 'changes may be missing: ' || r.state_detail, source.current_scn, NULL, NULL);
        source.note('INFO', 'TABLE MENDED', 'table "' || r.owner || '"."' || r.table_name || '" waits for open transactions');
      END IF;
    END LOOP;
  END watch_refusals;

  PROCEDURE watch IS
  BEGIN
    watch_recreated;
    note_objects;
    watch_unlogged;
    watch_segments;
    renew_paths;
    watch_refusals;
  END watch;

END registry;
/
