CREATE OR REPLACE PACKAGE passes AUTHID DEFINER AS
  -- A pass over redo: of LogMiner in this session, or of LogMiner in CDB$ROOT (topology ROOT), the only place where it runs before
  -- 19.10. Which redo is read, and what becomes of the rows, is decided here in both cases; the root does as it is told.
  --
  -- In topology ROOT a pass is ordered over database link ORAPULL_ROOT, with the logs that were chosen and with the registry; a job
  -- of the root (package READER there) reads into STAGE_n of the root, where n is the number of the stage slot here; and from
  -- there the rows are copied in place of those that REDO_STAGE_V would show. No transaction writes on both sides of the link, so none
  -- can be in doubt. The copy is the only statement of its transaction that uses the link: a direct-path insert suffers
  -- nothing else (ORA-12840, ORA-12855); SETTING.direct_copy N does without direct path. That all rows were there is looked at in a
  -- transaction before it.
  -- All of it is in EXECUTE IMMEDIATE: without the link a package that names it would be invalid.
  --
  -- Errors: those of LOGMINER; ORA-20825, the root's stage is not what the root says; ORA-20829, the root has failed, or nobody there
  -- has read in SETTING.scan_max_seconds; ORA-20830, it still reads then.

  c_failed_in_root CONSTANT NUMBER(5) := -20829;
  c_too_slow       CONSTANT NUMBER(5) := -20830;

  FUNCTION in_root RETURN BOOLEAN;

  -- A number by which the root's rows of this pass are known; NULL when it is not read in the root. It is kept in SCAN.pass_no, and in
  -- a transaction before the order, which writes in the root alone.
  FUNCTION new_number RETURN NUMBER;

  -- Orders in the root what is to be read: the SCNs p_from to p_to, both inclusive. p_lobs_only Y: only rows of tables with LOBs.
  -- Takes the place of an order for the same scan or stage slot. The registry goes with it, so the root knows every table that was
  -- registered when p_to was fixed.
  PROCEDURE place_order(
    p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN, p_lobs_only IN BOOLEAN
  );

  -- How far the order is: NULL, there is none; WAIT; DONE, well or badly. What is read has twice the time after each failure, because what
  -- was too slow may be a range that cannot be cut, or a repair.
  FUNCTION progress(p_scan_id IN NUMBER) RETURN VARCHAR2;

  -- Raises unless the root has read it, and its stage has as many rows as it says. Writes SCAN.pga_max.
  PROCEDURE check_read(p_scan_id IN NUMBER);

  -- Starts LogMiner in this session, unless it is read in the root.
  PROCEDURE start_session(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN);

  -- Ends it, if there is one.
  PROCEDURE end_session;

  -- The direct-path insert of the rows v, which are as REDO_STAGE_V shows them, into the scan's stage slot; without its WHERE. First
  -- bind: the scan. Rows are numbered behind p_seq_from.
  FUNCTION insert_text(p_scan_id IN NUMBER, p_seq_from IN NUMBER) RETURN VARCHAR2;

  -- The code of the error in the root that p_text tells of; p_code when it is none.
  FUNCTION first_code(p_code IN NUMBER, p_text IN VARCHAR2) RETURN NUMBER;
END passes;
/
