CREATE OR REPLACE PACKAGE BODY loads AS

  c_digits CONSTANT VARCHAR2(64) := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  -- Ten bits of file number, or none in a bigfile tablespace, and the rest of 32 bits for the block.
  c_file_blocks CONSTANT NUMBER := 4194304;
  c_last_block CONSTANT NUMBER := 4294967295;
  c_last_row CONSTANT NUMBER := 65535;
  -- What the dictionary says for the relative file number in a bigfile tablespace.
  c_bigfile CONSTANT NUMBER := 1024;

  FUNCTION base64(p_number IN NUMBER, p_digits IN PLS_INTEGER) RETURN VARCHAR2 IS
    l_rest NUMBER := p_number;
    l_text VARCHAR2(18);
  BEGIN
    FOR i IN 1 .. p_digits LOOP
      l_text := SUBSTR(c_digits, MOD(l_rest, 64) + 1, 1) || l_text;
      l_rest := FLOOR(l_rest / 64);
    END LOOP;
    RETURN l_text;
  END base64;

  FUNCTION rowid_at(p_data_object IN NUMBER, p_block IN NUMBER, p_row IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN base64(p_data_object, 6) || base64(FLOOR(p_block / c_file_blocks), 3) || base64(MOD(p_block, c_file_blocks), 6)
      || base64(p_row, 3);
  END rowid_at;

  -- A cut lies where so many of the table's blocks, counted through all extents, are before it.
  PROCEDURE plan_extents(p_plan_id IN NUMBER, p_table_id IN NUMBER, p_chunks IN NUMBER) IS
  BEGIN
    INSERT INTO load_range (plan_id, chunk, low_rowid, high_rowid)
    WITH extent AS (
      SELECT
        s.data_object_id,
        CASE e.relative_fno WHEN c_bigfile THEN e.block_id ELSE e.relative_fno * c_file_blocks + e.block_id END AS first_block,
        e.blocks
      FROM source_table t
      JOIN dba_objects s ON s.owner = t.owner AND s.object_name = t.table_name
      JOIN dba_extents e
        ON e.owner = t.owner AND e.segment_name = t.table_name AND e.segment_type = s.object_type
        AND NVL(e.partition_name, '-') = NVL(s.subobject_name, '-')
      WHERE t.table_id = p_table_id
    ), placed AS (
      SELECT
        x.data_object_id,
        x.first_block,
        SUM(x.blocks) OVER (ORDER BY x.data_object_id, x.first_block) - x.blocks AS blocks_before,
        x.blocks,
        SUM(x.blocks) OVER () AS total
      FROM extent x
    ), cut (n) AS (
      SELECT 1 FROM dual
      UNION ALL
      SELECT c.n + 1 FROM cut c WHERE c.n + 1 < p_chunks
    ), bound AS (
      SELECT v.data_object_id, 0 AS low_block FROM live_segment_v v WHERE v.table_id = p_table_id
      UNION
      SELECT p.data_object_id, p.first_block + FLOOR(p.total * c.n / p_chunks) - p.blocks_before
      FROM placed p
      JOIN cut c
        ON p.blocks_before <= FLOOR(p.total * c.n / p_chunks)
        AND p.blocks_before + p.blocks > FLOOR(p.total * c.n / p_chunks)
      WHERE c.n < p_chunks
    )
    SELECT
      p_plan_id,
      ROW_NUMBER() OVER (ORDER BY b.data_object_id, b.low_block),
      loads.rowid_at(b.data_object_id, b.low_block, 0),
      NVL(
        LEAD(loads.rowid_at(b.data_object_id, b.low_block, 0)) OVER (PARTITION BY b.data_object_id ORDER BY b.low_block),
        loads.rowid_at(b.data_object_id, c_last_block, c_last_row)
      )
    FROM bound b;
  END plan_extents;

  -- The table is read in the order of its key, to find where so many of its rows are before a cut.
  PROCEDURE plan_keys(p_plan_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_table_id IN NUMBER, p_chunks IN NUMBER) IS
    l_column VARCHAR2(200);
    l_type VARCHAR2(128);
  BEGIN
    SELECT MAX(c.column_name), MAX(c.data_type) INTO l_column, l_type
    FROM source_column c
    WHERE c.table_id = p_table_id AND c.key_position = 1;
    l_column := resolver.quoted(l_column);
    EXECUTE IMMEDIATE 'INSERT INTO load_range (plan_id, chunk, low_key, high_key)'
      || ' SELECT :plan_id, ROW_NUMBER() OVER (ORDER BY b.low),'
      || ' CASE WHEN ROW_NUMBER() OVER (ORDER BY b.low) > 1 THEN ' || resolver.key_text('b.low', l_type) || ' END,'
      || ' ' || resolver.key_text('LEAD(b.low) OVER (ORDER BY b.low)', l_type)
      || ' FROM (SELECT DISTINCT MIN(r.k) AS low FROM (SELECT t.' || l_column || ' AS k, FLOOR((ROW_NUMBER() OVER (ORDER BY t.' || l_column
      || ') - 1) * :chunks / COUNT(*) OVER ()) AS n FROM ' || resolver.full_name(p_owner, p_table) || ' t) r GROUP BY r.n) b'
    USING p_plan_id, p_chunks;
  END plan_keys;

  PROCEDURE plan_ranges(
    p_shard IN VARCHAR2, p_table_id IN NUMBER, p_chunks IN NUMBER, p_plan_id OUT NUMBER, p_chunk_count OUT NUMBER
  ) IS
    l_plan_id NUMBER := plan_seq.NEXTVAL;
    l_chunks NUMBER := GREATEST(NVL(p_chunks, 1), 1);
    r source_table%ROWTYPE;
  BEGIN
    SELECT * INTO r FROM source_table t WHERE t.table_id = p_table_id;
    INSERT INTO load_plan (plan_id, shard, table_id, chunks) VALUES (l_plan_id, p_shard, p_table_id, 0);
    IF r.is_iot = 'Y' THEN
      plan_keys(l_plan_id, r.owner, r.table_name, p_table_id, l_chunks);
    ELSE
      plan_extents(l_plan_id, p_table_id, l_chunks);
    END IF;
    -- Rows may come into an empty table until the range is read.
    INSERT INTO load_range (plan_id, chunk)
    SELECT l_plan_id, 1 FROM dual
    WHERE NOT EXISTS (SELECT 1 FROM load_range g WHERE g.plan_id = l_plan_id);
    UPDATE load_plan
    SET chunks = (SELECT COUNT(*) FROM load_range g WHERE g.plan_id = l_plan_id)
    WHERE plan_id = l_plan_id;
    SELECT n.plan_id, n.chunks INTO p_plan_id, p_chunk_count FROM load_plan n WHERE n.plan_id = l_plan_id;
  END plan_ranges;

  PROCEDURE ask(p_shard IN VARCHAR2, p_table_id IN NUMBER, p_request_id OUT NUMBER) IS
    l_request_id NUMBER := request_seq.NEXTVAL;
  BEGIN
    FOR r IN (
      SELECT a.table_id FROM asked a WHERE a.table_id IS NULL OR a.table_id <> p_table_id FETCH FIRST 1 ROW ONLY
    ) LOOP
      RAISE_APPLICATION_ERROR(
        -20807, 'ASK_V has identities of table ' || NVL(TO_CHAR(r.table_id), 'NULL') || ', asked is table ' || p_table_id
      );
    END LOOP;
    INSERT INTO request (request_id, shard, table_id) VALUES (l_request_id, p_shard, p_table_id);
    INSERT INTO request_pointer (request_id, ptr, table_id, row_id, k1, k2, k3, k4, k5, k6, k7, k8)
    SELECT
      l_request_id, ROW_NUMBER() OVER (ORDER BY a.row_id, a.k1), a.table_id, a.row_id,
      a.k1, a.k2, a.k3, a.k4, a.k5, a.k6, a.k7, a.k8
    FROM asked a;
    DELETE FROM asked;
    p_request_id := l_request_id;
  END ask;

  PROCEDURE done(p_shard IN VARCHAR2, p_request_id IN NUMBER) IS
  BEGIN
    DELETE FROM request WHERE request_id = p_request_id AND shard = p_shard;
    IF SQL%NOTFOUND THEN
      RAISE_APPLICATION_ERROR(
        -20809, 'shard "' || p_shard || '" has no open request ' || NVL(TO_CHAR(p_request_id), 'NULL')
      );
    END IF;
  END done;

END loads;
/
