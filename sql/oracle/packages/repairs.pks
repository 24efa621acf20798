CREATE OR REPLACE PACKAGE repairs AUTHID DEFINER AS
  -- LogMiner shows a LOB, XML or 32K operation only when all of its redo is in what it reads. So when a table with LOBs is
  -- registered, a seam between scans of rule S may have hidden rows of transactions that began before it, in both scans.
  -- Before the scan in which such transactions commit is published, one more pass from the start of the oldest of them to
  -- the last commit shows them whole. The pass goes into the same stage slot; rows that come twice are harmless. Each step is
  -- a transaction of its own.
  -- Rules W and C need no pass. But all of them may have staged the half of an operation before, while its transaction was
  -- open; the last step takes it out.
  -- Errors: ORA-20824, not the step that is due; those of LOGS, LOGMINER and STAGES, after which MINER.FAIL is called without a session.

  -- Answer of NEXT_STEP: not before CDB$ROOT has read.
  c_wait CONSTANT VARCHAR2(4) := 'WAIT';

  -- The step that is due: CHOOSE, READ, FINISH, or NULL when the scan is ready to be published. In topology ROOT it is CHOOSE, ORDER, WAIT
  -- until the root has read, CONFIRM, READ, FINISH. Reads only, and is right only when every scan before it is published.
  FUNCTION next_step(p_scan_id IN NUMBER) RETURN VARCHAR2;

  -- SCN from which rows have to be read again; NULL: none.
  FUNCTION read_from(p_scan_id IN NUMBER) RETURN NUMBER;

  -- Chooses the logs of the pass.
  PROCEDURE choose(p_scan_id IN NUMBER);

  -- Orders the pass in CDB$ROOT; looks whether the root has read it.
  PROCEDURE place_order(p_scan_id IN NUMBER);
  PROCEDURE confirm(p_scan_id IN NUMBER);

  -- Reads the rows of those transactions in tables with LOBs.
  PROCEDURE read(p_scan_id IN NUMBER);

  -- Trusts the rows, and takes out of STAGE_n and CARRY what was seen of a LOB operation before and names no row.
  PROCEDURE finish(p_scan_id IN NUMBER);
END repairs;
/
