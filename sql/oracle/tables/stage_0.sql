-- What a scan found. STAGE_n are copies of this empty one, made when a slot is needed (see package STAGES).
CREATE TABLE stage_0 (
  scan_id   NUMBER(18)      NOT NULL,
  con_uid   NUMBER(18)      NOT NULL,
  xidusn    NUMBER(10)      NOT NULL,
  xidslt    NUMBER(10)      NOT NULL,
  xidsqn    NUMBER(10)      NOT NULL,
  scn       NUMBER(18)      NOT NULL,
  seq       NUMBER(18)      NOT NULL,
  op        NUMBER(4)       NOT NULL,
  table_id  NUMBER(9),
  kind      VARCHAR2(1),
  row_id    VARCHAR2(18),
  k1        VARCHAR2(4000),
  k2        VARCHAR2(4000),
  k3        VARCHAR2(4000),
  k4        VARCHAR2(4000),
  k5        VARCHAR2(4000),
  k6        VARCHAR2(4000),
  k7        VARCHAR2(4000),
  k8        VARCHAR2(4000),
  o1        VARCHAR2(4000),
  o2        VARCHAR2(4000),
  o3        VARCHAR2(4000),
  o4        VARCHAR2(4000),
  o5        VARCHAR2(4000),
  o6        VARCHAR2(4000),
  o7        VARCHAR2(4000),
  o8        VARCHAR2(4000),
  note      VARCHAR2(400)
) NOLOGGING;
COMMENT ON TABLE stage_0 IS 'Empty pattern of the stage slots STAGE_n: what a scan found, by transaction';
COMMENT ON COLUMN stage_0.con_uid IS 'Container of the transaction: with local undo an XID is unique only there';
COMMENT ON COLUMN stage_0.seq IS 'Order in which LogMiner gave the rows of this scan';
COMMENT ON COLUMN stage_0.op IS 'OPERATION_CODE; 6 start, 7 commit, 36 rollback control a transaction and have no table';
COMMENT ON COLUMN stage_0.kind IS 'R row, T truncated, D altered, U change that cannot be located, L part of a LOB operation whose row another row of the transaction must tell';
COMMENT ON COLUMN stage_0.row_id IS 'ROWID of the row; NULL when LogMiner gives none or AAAAAAAAAAAAAAAAAA';
COMMENT ON COLUMN stage_0.k1 IS 'Key after the change, canonical text; all parts or none';
COMMENT ON COLUMN stage_0.o1 IS 'Key before the change when it differs; all parts or none';
