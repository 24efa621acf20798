CREATE OR REPLACE PACKAGE BODY slots AS

  name_in_use EXCEPTION;
  PRAGMA EXCEPTION_INIT(name_in_use, -955);

  c_spare CONSTANT NUMBER(2) := 2;
  c_most  CONSTANT NUMBER(2) := 16;

  -- How many slots can take portions.
  FUNCTION available RETURN NUMBER IS
    l_count NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_count FROM slot s WHERE s.status IN ('OPEN', 'FREE');
    RETURN l_count;
  END available;

  FUNCTION next_to_create(p_portions IN NUMBER) RETURN NUMBER IS
    l_next NUMBER;
  BEGIN
    IF available >= LEAST(GREATEST(p_portions, c_spare), c_most) THEN
      RETURN NULL;
    END IF;
    SELECT NVL(MAX(s.slot_id), 0) + 1 INTO l_next FROM slot s;
    RETURN l_next;
  END next_to_create;

  -- Shows TRANSPORT_1 .. TRANSPORT_n. The empty TRANSPORT_0 gives the types of the columns.
  PROCEDURE show_slots(p_last IN NUMBER) IS
    l_text CLOB;
  BEGIN
    l_text := 'CREATE OR REPLACE VIEW pointer_v (p$slot, p$portion, p$ptr, p$prev, table_id, kind, row_id, '
      || 'k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn) AS '
      || 'SELECT 0, t.* FROM transport_0 t UNION ALL '
      || 'SELECT 0, r.request_id, r.ptr, 0, r.table_id, ''R'', r.row_id, r.k1, r.k2, r.k3, r.k4, r.k5, r.k6, r.k7, r.k8, '
      || 'NULL, NULL FROM request_pointer r';
    FOR i IN 1 .. p_last LOOP
      l_text := l_text || ' UNION ALL SELECT ' || TO_CHAR(i) || ', t.* FROM transport_' || TO_CHAR(i) || ' t';
    END LOOP;
    EXECUTE IMMEDIATE l_text;
  END show_slots;

  PROCEDURE create_table(p_name IN VARCHAR2) IS
  BEGIN
    EXECUTE IMMEDIATE 'CREATE TABLE ' || p_name || ' NOLOGGING AS SELECT * FROM transport_0 WHERE 1 = 0';
  EXCEPTION
    WHEN name_in_use THEN NULL;
  END create_table;

  -- By itself it would be NOLOGGING as its tablespace is: after a recovery from a backup older than it nobody could read by it, and the
  -- table, at which REBUILDS looks, may be whole. What is inserted is logged in an index anyway.
  PROCEDURE create_index(p_name IN VARCHAR2) IS
  BEGIN
    EXECUTE IMMEDIATE 'CREATE INDEX ' || p_name || '_ptr ON ' || p_name || ' (portion_id, ptr) LOGGING';
  EXCEPTION
    WHEN name_in_use THEN NULL;
  END create_index;

  PROCEDURE create_slot(p_slot_id IN NUMBER) IS
    l_name VARCHAR2(30) := 'transport_' || TO_CHAR(p_slot_id);
  BEGIN
    create_table(l_name);
    create_index(l_name);
    show_slots(p_slot_id);
    INSERT INTO slot (slot_id, status)
    SELECT p_slot_id, 'FREE' FROM dual
    WHERE NOT EXISTS (SELECT NULL FROM slot s WHERE s.slot_id = p_slot_id);
  END create_slot;

  FUNCTION next_to_clear RETURN NUMBER IS
    l_slot NUMBER;
  BEGIN
    SELECT MIN(s.slot_id) INTO l_slot
    FROM slot s
    WHERE s.status IN ('CLOSED', 'LOST') AND NOT EXISTS (SELECT NULL FROM portion p WHERE p.slot_id = s.slot_id);
    RETURN l_slot;
  END next_to_clear;

  PROCEDURE clear(p_slot_id IN NUMBER) IS
    l_fit NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_fit
    FROM slot s
    WHERE s.slot_id = p_slot_id AND s.status IN ('CLOSED', 'LOST')
      AND NOT EXISTS (SELECT NULL FROM portion p WHERE p.slot_id = s.slot_id);
    IF l_fit = 0 THEN
      RAISE_APPLICATION_ERROR(-20827, 'slot ' || TO_CHAR(p_slot_id) || ' is not full, or portions are still in it');
    END IF;
    EXECUTE IMMEDIATE 'TRUNCATE TABLE transport_' || TO_CHAR(p_slot_id);
    UPDATE slot SET status = 'FREE', pointers = 0 WHERE slot_id = p_slot_id;
  END clear;

  -- Slot number i of m takes the portions i/m of the way.
  PROCEDURE assign IS
  BEGIN
    IF available = 0 THEN
      RAISE_APPLICATION_ERROR(-20827, 'no slot can take portions: create one first (step CREATE_SLOT)');
    END IF;
    MERGE INTO portion p
    USING (
      SELECT o.portion_id, s.slot_id
      FROM (
        SELECT g.portion_id, ROW_NUMBER() OVER (ORDER BY g.portion_id) - 1 AS place, COUNT(*) OVER () AS portions
        FROM outgoing g
        GROUP BY g.portion_id
      ) o
      JOIN (
        SELECT
          t.slot_id, ROW_NUMBER() OVER (ORDER BY CASE t.status WHEN 'OPEN' THEN 0 ELSE 1 END, t.slot_id) - 1 AS place,
          COUNT(*) OVER () AS slots
        FROM slot t
        WHERE t.status IN ('OPEN', 'FREE')
      ) s
        ON s.place = FLOOR(o.place * LEAST(s.slots, o.portions) / o.portions)
    ) n
    ON (p.portion_id = n.portion_id)
    WHEN MATCHED THEN UPDATE SET slot_id = n.slot_id;
  END assign;

  PROCEDURE close_full IS
    l_full NUMBER;
  BEGIN
    SELECT s.portion_pointers INTO l_full FROM setting s;
    MERGE INTO slot s
    USING (
      SELECT p.slot_id, COUNT(*) AS pointers
      FROM outgoing o
      JOIN portion p ON p.portion_id = o.portion_id
      GROUP BY p.slot_id
    ) n
    ON (s.slot_id = n.slot_id)
    WHEN MATCHED THEN UPDATE SET
      pointers = s.pointers + n.pointers,
      status = CASE WHEN s.pointers + n.pointers >= l_full THEN 'CLOSED' ELSE 'OPEN' END;
  END close_full;

  PROCEDURE fill IS
    l_count NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_count FROM outgoing o;
    IF l_count = 0 THEN
      RETURN;
    END IF;
    assign;
    close_full;
    FOR r IN (
      SELECT p.slot_id
      FROM portion p
      WHERE EXISTS (SELECT NULL FROM outgoing o WHERE o.portion_id = p.portion_id)
      GROUP BY p.slot_id
    ) LOOP
      EXECUTE IMMEDIATE 'INSERT /*+ APPEND */ INTO transport_' || TO_CHAR(r.slot_id)
        || ' (portion_id, ptr, prev, table_id, kind, row_id, k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn)'
        || ' SELECT o.portion_id, o.ptr, o.prev, o.table_id, o.kind, o.row_id,'
        || ' o.k1, o.k2, o.k3, o.k4, o.k5, o.k6, o.k7, o.k8, o.note, o.commit_scn'
        || ' FROM outgoing o WHERE o.portion_id IN (SELECT p.portion_id FROM portion p WHERE p.slot_id = :1)'
        || ' ORDER BY o.portion_id, o.ptr' USING r.slot_id;
    END LOOP;
  END fill;

END slots;
/
