-- Rows of transactions that are open where publication stands: the memory of rule S, so it is logged.
CREATE TABLE carry (
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
);
CREATE INDEX carry_tx ON carry (xidusn, xidslt, xidsqn, con_uid);
COMMENT ON TABLE carry IS 'Staged rows of transactions that have not ended up to published_scn; columns as in STAGE_0';
