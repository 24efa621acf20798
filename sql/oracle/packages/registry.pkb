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

  -- What decides how redo of the table is read. 32K strings are stored and logged as LOBs.
  PROCEDURE write_reading(p_table_id IN NUMBER) IS
  BEGIN
    MERGE INTO source_table t
    USING (
      SELECT
        p.table_id,
        COUNT(p.key_position) AS key_count,
        MAX(p.is_lob) AS has_lob,
        MAX(CASE p.key_position WHEN 1 THEN p.path END) AS k1_path,
        MAX(CASE p.key_position WHEN 2 THEN p.path END) AS k2_path,
        MAX(CASE p.key_position WHEN 3 THEN p.path END) AS k3_path,
        MAX(CASE p.key_position WHEN 4 THEN p.path END) AS k4_path,
        MAX(CASE p.key_position WHEN 5 THEN p.path END) AS k5_path,
        MAX(CASE p.key_position WHEN 6 THEN p.path END) AS k6_path,
        MAX(CASE p.key_position WHEN 7 THEN p.path END) AS k7_path,
        MAX(CASE p.key_position WHEN 8 THEN p.path END) AS k8_path
      FROM (
        SELECT
          c.table_id,
          c.key_position,
          o.owner || '.' || o.table_name || '.' || c.column_name AS path,
          CASE
            WHEN c.data_type IN ('CLOB', 'NCLOB', 'BLOB', 'XMLTYPE', 'JSON', 'VECTOR', 'LONG', 'LONG RAW') THEN 'Y'
            WHEN c.data_type IN ('VARCHAR2', 'NVARCHAR2') AND c.data_length > 4000 THEN 'Y'
            WHEN c.data_type = 'RAW' AND c.data_length > 2000 THEN 'Y'
            ELSE 'N'
          END AS is_lob
        FROM source_column c
        JOIN source_table o ON o.table_id = c.table_id
        WHERE c.table_id = p_table_id
      ) p
      GROUP BY p.table_id
    ) n
    ON (t.table_id = n.table_id)
    WHEN MATCHED THEN UPDATE SET
      key_count = n.key_count, has_lob = n.has_lob, k1_path = n.k1_path, k2_path = n.k2_path, k3_path = n.k3_path,
      k4_path = n.k4_path, k5_path = n.k5_path, k6_path = n.k6_path, k7_path = n.k7_path, k8_path = n.k8_path;
  END write_reading;

  -- Object numbers that are not noted yet, of all registered tables: of segments and of their LOB segments.
  PROCEDURE note_objects IS
  BEGIN
    INSERT INTO source_object (object_id, table_id, object_kind)
    SELECT o.object_id, t.table_id, 'TABLE'
    FROM source_table t
    JOIN dba_objects o ON o.owner = t.owner AND o.object_name = t.table_name
    WHERE
      o.object_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION')
      AND NOT EXISTS (SELECT 1 FROM source_object k WHERE k.object_id = o.object_id);
    INSERT INTO source_object (object_id, table_id, object_kind)
    SELECT o.object_id, t.table_id, 'LOB'
    FROM source_table t
    JOIN dba_lobs l ON l.owner = t.owner AND l.table_name = t.table_name
    JOIN dba_objects o ON o.owner = l.owner AND o.object_name = l.segment_name
    WHERE
      o.object_type IN ('LOB', 'LOB PARTITION', 'LOB SUBPARTITION')
      AND NOT EXISTS (SELECT 1 FROM source_object k WHERE k.object_id = o.object_id);
  END note_objects;

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
      note_objects;
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
    SET wait_scn = source.current_scn
    WHERE state = 'WAIT_TX' AND wait_scn IS NULL;
  END settle;

  PROCEDURE suspect(p_table_id IN NUMBER, p_note IN VARCHAR2) IS
    l_scn NUMBER := source.current_scn;
  BEGIN
    MERGE INTO suspicion s
    USING (SELECT p_table_id AS table_id, l_scn AS seen_scn, SUBSTR(p_note, 1, 400) AS note FROM dual) n
    ON (s.table_id = n.table_id AND s.seen_scn = n.seen_scn)
    WHEN NOT MATCHED THEN INSERT (table_id, seen_scn, note) VALUES (n.table_id, n.seen_scn, n.note);
  END suspect;

  PROCEDURE watch_recreated IS
  BEGIN
    FOR r IN (
      SELECT t.table_id, t.owner, t.table_name
      FROM source_table t
      JOIN dba_objects o ON o.owner = t.owner AND o.object_name = t.table_name AND o.object_type = 'TABLE'
      WHERE NOT EXISTS (SELECT 1 FROM source_object k WHERE k.object_id = o.object_id)
    ) LOOP
      suspect(r.table_id, 'the table was created anew');
      source.note('WARNING', 'TABLE RECREATED', 'table "' || r.owner || '"."' || r.table_name || '" was created anew');
    END LOOP;
  END watch_recreated;

  -- Data files say only that something in them was changed without redo, so every table in them is suspected. After RESETLOGS the
  -- SCN may be less than the one before.
  PROCEDURE watch_unlogged IS
  BEGIN
    FOR r IN (
      SELECT t.table_id, t.owner, t.table_name, u.unlogged_scn
      FROM source_table t
      JOIN unlogged_v u ON u.owner = t.owner AND u.table_name = t.table_name
      WHERE u.unlogged_scn <> NVL(t.unlogged_scn, 0)
    ) LOOP
      suspect(r.table_id, 'a change without redo in a data file of the table, at SCN ' || r.unlogged_scn);
      source.note(
        'WARNING', 'UNLOGGED CHANGE', 'SCN ' || r.unlogged_scn || ' changed a data file of table "' || r.owner || '"."'
        || r.table_name || '" without redo (NOLOGGING or UNRECOVERABLE); ALTER DATABASE FORCE LOGGING prevents that'
      );
      UPDATE source_table SET unlogged_scn = r.unlogged_scn WHERE table_id = r.table_id;
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
        suspect(r.table_id, 'changes may be missing: ' || r.state_detail);
        source.note('INFO', 'TABLE MENDED', 'table "' || r.owner || '"."' || r.table_name || '" waits for open transactions');
      END IF;
    END LOOP;
  END watch_refusals;

  PROCEDURE watch IS
  BEGIN
    watch_recreated;
    note_objects;
    watch_unlogged;
    watch_refusals;
  END watch;

END registry;
/
