CREATE OR REPLACE PACKAGE BODY stages AS

  name_in_use EXCEPTION;
  PRAGMA EXCEPTION_INIT(name_in_use, -955);

  FUNCTION assign RETURN NUMBER IS
    l_slot NUMBER;
  BEGIN
    SELECT MIN(slot_no) INTO l_slot FROM stage_slot WHERE status = 'FREE';
    UPDATE stage_slot SET status = 'USED' WHERE slot_no = l_slot AND status = 'FREE';
    IF SQL%ROWCOUNT = 0 THEN
      RETURN NULL;
    END IF;
    RETURN l_slot;
  END assign;

  PROCEDURE give_back(p_scan_id IN NUMBER) IS
  BEGIN
    UPDATE stage_slot SET status = 'DIRTY'
    WHERE slot_no = (SELECT stage_slot FROM scan WHERE scan_id = p_scan_id) AND status = 'USED';
    UPDATE scan SET stage_slot = NULL WHERE scan_id = p_scan_id;
  END give_back;

  FUNCTION next_to_create RETURN NUMBER IS
    l_slot NUMBER;
    l_max  NUMBER;
  BEGIN
    SELECT NVL(MAX(slot_no), 0) + 1 INTO l_slot FROM stage_slot;
    SELECT stage_slots INTO l_max FROM setting;
    IF l_slot > l_max THEN
      RETURN NULL;
    END IF;
    RETURN l_slot;
  END next_to_create;

  FUNCTION next_to_clear RETURN NUMBER IS
    l_slot NUMBER;
  BEGIN
    SELECT MIN(slot_no) INTO l_slot FROM stage_slot WHERE status = 'DIRTY';
    RETURN l_slot;
  END next_to_clear;

  PROCEDURE create_table(p_slot IN NUMBER) IS
  BEGIN
    EXECUTE IMMEDIATE 'CREATE TABLE stage_' || p_slot || ' NOLOGGING AS SELECT * FROM stage_0 WHERE 1 = 0';
  EXCEPTION
    WHEN name_in_use THEN NULL;
  END create_table;

  PROCEDURE show_slots(p_last IN NUMBER) IS
    l_query VARCHAR2(32767);
  BEGIN
    l_query := 'SELECT 0 AS stage_slot, s.* FROM stage_0 s';
    FOR i IN 1 .. p_last LOOP
      l_query := l_query || ' UNION ALL SELECT ' || i || ' AS stage_slot, s.* FROM stage_' || i || ' s';
    END LOOP;
    EXECUTE IMMEDIATE 'CREATE OR REPLACE VIEW staged_v AS ' || l_query;
  END show_slots;

  PROCEDURE create_slot(p_slot IN NUMBER) IS
  BEGIN
    create_table(p_slot);
    show_slots(p_slot);
    INSERT INTO stage_slot (slot_no, status)
    SELECT p_slot, 'FREE' FROM dual WHERE NOT EXISTS (SELECT NULL FROM stage_slot WHERE slot_no = p_slot);
  END create_slot;

  PROCEDURE clear(p_slot IN NUMBER) IS
    l_status stage_slot.status%TYPE;
  BEGIN
    SELECT MAX(status) INTO l_status FROM stage_slot WHERE slot_no = p_slot;
    IF NVL(l_status, 'unknown') <> 'DIRTY' THEN
      RAISE_APPLICATION_ERROR(-20827, 'stage slot ' || p_slot || ' is ' || NVL(l_status, 'unknown') || ', not DIRTY');
    END IF;
    EXECUTE IMMEDIATE 'TRUNCATE TABLE stage_' || p_slot;
    UPDATE stage_slot SET status = 'FREE' WHERE slot_no = p_slot;
  END clear;

  PROCEDURE check_rows(p_scan_id IN NUMBER, p_slot IN NUMBER, p_expected IN NUMBER, p_repair IN BOOLEAN) IS
    l_rows    NUMBER;
    l_missing NUMBER;
    l_note    VARCHAR2(400);
  BEGIN
    EXECUTE IMMEDIATE 'SELECT COUNT(*), COUNT(CASE WHEN op = 34 THEN 1 END), MAX(CASE WHEN op = 34 THEN note END) FROM stage_'
      || p_slot || ' WHERE scan_id = :1' INTO l_rows, l_missing, l_note USING p_scan_id;
    IF l_missing > 0 THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: LogMiner says: ' || l_note || '; ' || gaps.reading_text(p_scan_id, l_note, p_repair));
    ELSIF l_rows <> NVL(p_expected, -1) THEN
      RAISE_APPLICATION_ERROR(-20825, 'STAGE_' || p_slot || ' has ' || l_rows || ' rows of scan ' || p_scan_id || ', not '
        || NVL(TO_CHAR(p_expected), 'any'));
    END IF;
  END check_rows;

END stages;
/
