CREATE OR REPLACE PACKAGE BODY admission AS

  FUNCTION is_candidate(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN BOOLEAN IS
    l_found NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_found FROM candidate_table_v t WHERE t.owner = p_owner AND t.table_name = p_table;
    RETURN l_found > 0;
  END is_candidate;

  FUNCTION refusal(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2 DEFAULT 'AUTO') RETURN VARCHAR2 IS
  BEGIN
    IF NOT is_candidate(p_owner, p_table) THEN
      RETURN 'the table does not exist, or belongs to Oracle or to orapull itself';
    END IF;
    FOR r IN (
      SELECT f.finding
      FROM finding_v f
      WHERE
        f.owner = p_owner
        AND f.table_name = p_table
        AND f.severity = 'REFUSED'
        AND (f.applies_to = 'ANY' OR p_identity <> 'ROWID')
      ORDER BY f.finding_rank, f.finding
      FETCH FIRST 1 ROW ONLY
    ) LOOP
      RETURN r.finding;
    END LOOP;
    RETURN NULL;
  END refusal;

  FUNCTION preflight(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2 IS
    l_lines VARCHAR2(32000);
  BEGIN
    IF NOT is_candidate(p_owner, p_table) THEN
      RETURN 'REFUSED: ' || refusal(p_owner, p_table);
    END IF;
    FOR r IN (
      SELECT f.severity, f.finding
      FROM finding_v f
      WHERE f.owner = p_owner AND f.table_name = p_table
      ORDER BY f.finding_rank, f.finding
      FETCH FIRST 50 ROWS ONLY
    ) LOOP
      l_lines := l_lines || CASE WHEN l_lines IS NOT NULL THEN CHR(10) END || r.severity || ': ' || r.finding;
    END LOOP;
    RETURN SUBSTRB(l_lines, 1, 4000);
  END preflight;

  PROCEDURE check_admitted(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2) IS
    l_reason VARCHAR2(4000) := refusal(p_owner, p_table, p_identity);
  BEGIN
    IF l_reason IS NOT NULL THEN
      RAISE_APPLICATION_ERROR(-20806, 'table "' || p_owner || '"."' || p_table || '": ' || l_reason);
    END IF;
  END check_admitted;

  FUNCTION is_index_organized(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2 IS
    l_is_iot VARCHAR2(1);
  BEGIN
    SELECT NVL(MAX(CASE WHEN t.iot_type = 'IOT' THEN 'Y' END), 'N') INTO l_is_iot
    FROM dba_tables t
    WHERE t.owner = p_owner AND t.table_name = p_table;
    RETURN l_is_iot;
  END is_index_organized;

  -- The constraint that identifies the rows of a table that is registered anew; NULL: their ROWID does.
  FUNCTION chosen_key(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2) RETURN VARCHAR2 IS
    l_key VARCHAR2(128);
  BEGIN
    IF p_identity = 'ROWID' THEN
      IF is_index_organized(p_owner, p_table) = 'Y' THEN
        RAISE_APPLICATION_ERROR(
          -20806, 'table "' || p_owner || '"."' || p_table || '": its rows have no ROWID (index-organized); register it with identity KEY'
        );
      END IF;
      RETURN NULL;
    END IF;
    SELECT MAX(k.constraint_name) INTO l_key
    FROM key_column_v k
    WHERE k.owner = p_owner AND k.table_name = p_table AND k.key_rank = 1;
    IF l_key IS NULL AND p_identity = 'KEY' THEN
      RAISE_APPLICATION_ERROR(
        -20806, 'table "' || p_owner || '"."' || p_table || '": no primary key, and no unique key over NOT NULL columns, of at most 8 '
        || 'columns of types NUMBER, VARCHAR2, CHAR, DATE, TIMESTAMP, RAW; register it with identity ROWID'
      );
    END IF;
    RETURN l_key;
  END chosen_key;

  -- The constraint whose columns are those that the table was registered with; NULL when there is none any more.
  FUNCTION registered_key(p_table_id IN NUMBER) RETURN VARCHAR2 IS
    l_key VARCHAR2(128);
  BEGIN
    SELECT MIN(c.constraint_name) INTO l_key
    FROM (
      SELECT k.constraint_name
      FROM source_table t
      JOIN key_column_v k ON k.owner = t.owner AND k.table_name = t.table_name
      LEFT JOIN source_column s
        ON s.table_id = t.table_id AND s.column_name = k.column_name AND s.key_position = k.position
      WHERE t.table_id = p_table_id
      GROUP BY k.constraint_name, t.key_count
      HAVING COUNT(*) = t.key_count AND COUNT(s.column_name) = t.key_count
    ) c;
    RETURN l_key;
  END registered_key;

END admission;
/
