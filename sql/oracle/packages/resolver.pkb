CREATE OR REPLACE PACKAGE BODY resolver AS

  FUNCTION quoted(p_name IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    IF p_name IS NULL OR p_name LIKE '%"%' THEN
      RAISE_APPLICATION_ERROR(-20806, 'not a name: ' || p_name);
    END IF;
    RETURN '"' || p_name || '"';
  END quoted;

  FUNCTION full_name(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    RETURN quoted(p_owner) || '.' || quoted(p_table);
  END full_name;

  -- The decimal sign of the session is looked at, because a number may have more digits than a format can say.
  -- CAST to CHAR, because a CHAR column is compared without its padding only with another CHAR; so many bytes hold every
  -- value of the column, whether its length counts bytes or characters.
  FUNCTION key_value(p_text IN VARCHAR2, p_data_type IN VARCHAR2, p_bytes IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN p_data_type = 'NUMBER' THEN 'TO_NUMBER(REPLACE(' || p_text || ', ''.'', SUBSTR(TO_CHAR(0.5), 1, 1)))'
      WHEN p_data_type = 'CHAR' THEN 'CAST(' || p_text || ' AS CHAR(' || p_bytes || '))'
      WHEN p_data_type = 'RAW' THEN 'HEXTORAW(' || p_text || ')'
      WHEN p_data_type = 'DATE' THEN 'TO_DATE(' || p_text || ', ''YYYY-MM-DD HH24:MI:SS'')'
      WHEN p_data_type LIKE 'TIMESTAMP%' THEN 'TO_TIMESTAMP(' || p_text || ', ''YYYY-MM-DD HH24:MI:SS.FF9'')'
      ELSE p_text
    END;
  END key_value;

  FUNCTION key_text(p_column IN VARCHAR2, p_data_type IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN p_data_type = 'NUMBER' THEN 'TO_CHAR(' || p_column || ', ''TM9'', ''NLS_NUMERIC_CHARACTERS=''''.,'''''')'
      WHEN p_data_type = 'RAW' THEN 'RAWTOHEX(' || p_column || ')'
      WHEN p_data_type = 'DATE' THEN 'TO_CHAR(' || p_column || ', ''YYYY-MM-DD HH24:MI:SS'')'
      WHEN p_data_type LIKE 'TIMESTAMP%' THEN 'TO_CHAR(' || p_column || ', ''YYYY-MM-DD HH24:MI:SS.FF9'')'
      ELSE p_column
    END;
  END key_text;

  -- ', t."A", t."B"': what the view shows of the table.
  FUNCTION column_list(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN CLOB IS
    l_list CLOB;
  BEGIN
    FOR r IN (
      SELECT c.column_name
      FROM dba_tab_cols c
      WHERE c.owner = p_owner AND c.table_name = p_table AND c.hidden_column = 'NO'
      ORDER BY c.column_id
    ) LOOP
      l_list := l_list || ', t.' || quoted(r.column_name);
    END LOOP;
    RETURN l_list;
  END column_list;

  -- 'k."A" = value of q.k1 AND ...'
  FUNCTION key_match(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2, p_alias IN VARCHAR2, p_pointer IN VARCHAR2)
    RETURN VARCHAR2
  IS
    l_match VARCHAR2(8000);
  BEGIN
    FOR r IN (
      SELECT
        k.position,
        k.column_name,
        c.data_type,
        c.data_length
      FROM key_column_v k
      JOIN dba_tab_cols c ON c.owner = k.owner AND c.table_name = k.table_name AND c.column_name = k.column_name
      WHERE k.owner = p_owner AND k.table_name = p_table AND k.constraint_name = p_key
      ORDER BY k.position
    ) LOOP
      l_match := l_match || CASE WHEN r.position > 1 THEN ' AND ' END || p_alias || '.' || quoted(r.column_name) || ' = '
        || key_value(p_pointer || '.k' || r.position, r.data_type, r.data_length);
    END LOOP;
    RETURN l_match;
  END key_match;

  -- The pointer's own ROWID, if it can be read.
  FUNCTION live_rowid(p_table_id IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN 'CASE WHEN SUBSTR(q.row_id, 1, 6) IN (SELECT s.rowid_prefix FROM live_segment_v s WHERE s.table_id = '
      || p_table_id || ') THEN q.row_id END';
  END live_rowid;

  -- Rows t by the ROWID that a pointer resolves to.
  FUNCTION pull_by_rowid(
    p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2
  ) RETURN CLOB
  IS
    c_name CONSTANT VARCHAR2(300) := full_name(p_owner, p_table);
    l_rowid VARCHAR2(16000) := live_rowid(p_table_id);
  BEGIN
    IF p_key IS NOT NULL THEN
      l_rowid := 'NVL((SELECT ROWIDTOCHAR(k.ROWID) FROM ' || c_name || ' k WHERE '
        || key_match(p_owner, p_table, p_key, 'k', 'q') || '), ' || l_rowid || ')';
    END IF;
    RETURN 'CREATE OR REPLACE VIEW pull_' || p_table_id
      || ' AS SELECT /*+ LEADING(p t) USE_NL(t) */ p.p$slot, p.p$portion, p.p$ptr, p.p$prev, ROWIDTOCHAR(t.ROWID) AS p$rowid'
      || column_list(p_owner, p_table)
      || ' FROM (SELECT /*+ NO_MERGE */ q.p$slot, q.p$portion, q.p$ptr, q.p$prev, ' || l_rowid || ' AS rid'
      || ' FROM pointer_v q WHERE q.table_id = ' || p_table_id || ' AND q.kind = ''R'') p'
      || ' JOIN ' || c_name || ' t ON t.ROWID = CHARTOROWID(p.rid)';
  END pull_by_rowid;

  -- Rows t of an index-organized table, which have no ROWID that redo could tell.
  FUNCTION pull_by_key(p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2) RETURN CLOB IS
  BEGIN
    RETURN 'CREATE OR REPLACE VIEW pull_' || p_table_id
      || ' AS SELECT /*+ LEADING(q t) USE_NL(t) */ q.p$slot, q.p$portion, q.p$ptr, q.p$prev, CAST(NULL AS VARCHAR2(18)) AS p$rowid'
      || column_list(p_owner, p_table)
      || ' FROM pointer_v q JOIN ' || full_name(p_owner, p_table) || ' t ON ' || key_match(p_owner, p_table, p_key, 't', 'q')
      || ' WHERE q.table_id = ' || p_table_id || ' AND q.kind = ''R''';
  END pull_by_key;

  FUNCTION load_by_rowid(p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN CLOB IS
  BEGIN
    RETURN 'CREATE OR REPLACE VIEW load_' || p_table_id
      || ' AS SELECT /*+ LEADING(r t) USE_NL(t) ROWID(t) */ r.plan_id AS p$plan, r.chunk AS p$chunk, ROWIDTOCHAR(t.ROWID) AS p$rowid'
      || column_list(p_owner, p_table)
      || ' FROM (SELECT /*+ NO_MERGE */ g.plan_id, g.chunk, g.low_rowid, g.high_rowid FROM load_range g'
      || ' JOIN load_plan n ON n.plan_id = g.plan_id WHERE n.table_id = ' || p_table_id || ') r'
      || ' JOIN ' || full_name(p_owner, p_table)
      || ' t ON t.ROWID >= CHARTOROWID(r.low_rowid) AND t.ROWID < CHARTOROWID(r.high_rowid)';
  END load_by_rowid;

  -- An open end is the least or greatest key of this moment, so that the index is read between two values.
  FUNCTION load_by_key(p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2) RETURN CLOB IS
    c_name CONSTANT VARCHAR2(300) := full_name(p_owner, p_table);
    l_text CLOB;
  BEGIN
    FOR r IN (
      SELECT
        k.column_name,
        c.data_type,
        c.data_length
      FROM key_column_v k
      JOIN dba_tab_cols c ON c.owner = k.owner AND c.table_name = k.table_name AND c.column_name = k.column_name
      WHERE k.owner = p_owner AND k.table_name = p_table AND k.constraint_name = p_key AND k.position = 1
    ) LOOP
      l_text := 'CREATE OR REPLACE VIEW load_' || p_table_id
        || ' AS SELECT /*+ LEADING(r t) USE_NL(t) */ r.plan_id AS p$plan, r.chunk AS p$chunk, CAST(NULL AS VARCHAR2(18)) AS p$rowid'
        || column_list(p_owner, p_table)
        || ' FROM (SELECT /*+ NO_MERGE */ g.plan_id, g.chunk,'
        || ' NVL(' || key_value('g.low_key', r.data_type, r.data_length)
        || ', (SELECT MIN(a.' || quoted(r.column_name) || ') FROM ' || c_name || ' a)) AS low,'
        || ' NVL(' || key_value('g.high_key', r.data_type, r.data_length)
        || ', (SELECT MAX(z.' || quoted(r.column_name) || ') FROM ' || c_name || ' z)) AS high,'
        || ' g.high_key FROM load_range g'
        || ' JOIN load_plan n ON n.plan_id = g.plan_id WHERE n.table_id = ' || p_table_id || ') r'
        || ' JOIN ' || c_name || ' t ON t.' || quoted(r.column_name) || ' BETWEEN r.low AND r.high'
        || ' AND (r.high_key IS NULL OR t.' || quoted(r.column_name) || ' < r.high)';
    END LOOP;
    RETURN l_text;
  END load_by_key;

  PROCEDURE grant_view(p_view IN VARCHAR2) IS
    l_role setting.shard_role%TYPE;
  BEGIN
    SELECT s.shard_role INTO l_role FROM setting s;
    EXECUTE IMMEDIATE 'GRANT SELECT ON ' || p_view || ' TO ' || l_role;
  END grant_view;

  PROCEDURE comment_on_view(p_view IN VARCHAR2, p_text IN VARCHAR2) IS
  BEGIN
    EXECUTE IMMEDIATE 'COMMENT ON TABLE ' || p_view || ' IS ''' || REPLACE(p_text, '''', '''''') || '''';
  END comment_on_view;

  PROCEDURE create_views(
    p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2, p_is_iot IN VARCHAR2
  ) IS
  BEGIN
    IF p_is_iot = 'Y' THEN
      EXECUTE IMMEDIATE pull_by_key(p_table_id, p_owner, p_table, p_key);
      EXECUTE IMMEDIATE load_by_key(p_table_id, p_owner, p_table, p_key);
    ELSE
      EXECUTE IMMEDIATE pull_by_rowid(p_table_id, p_owner, p_table, p_key);
      EXECUTE IMMEDIATE load_by_rowid(p_table_id, p_owner, p_table);
    END IF;
    grant_view('pull_' || p_table_id);
    grant_view('load_' || p_table_id);
    comment_on_view('pull_' || p_table_id, 'Rows of ' || full_name(p_owner, p_table) || ' that R pointers point to, as they are now');
    comment_on_view('load_' || p_table_id, 'Rows of ' || full_name(p_owner, p_table) || ' by the ranges of a plan (PLAN_V)');
  END create_views;

  PROCEDURE drop_view(p_view IN VARCHAR2) IS
    no_view EXCEPTION;
    PRAGMA EXCEPTION_INIT(no_view, -942);
  BEGIN
    EXECUTE IMMEDIATE 'DROP VIEW ' || p_view;
  EXCEPTION
    WHEN no_view THEN
      NULL;
  END drop_view;

  PROCEDURE drop_views(p_table_id IN NUMBER) IS
  BEGIN
    drop_view('pull_' || p_table_id);
    drop_view('load_' || p_table_id);
    DELETE FROM forgotten WHERE table_id = p_table_id;
  END drop_views;

END resolver;
/
