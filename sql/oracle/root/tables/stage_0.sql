-- What a pass has read, until the container has copied it. STAGE_n are copies of this empty one, made when the first pass comes for
-- its number (package READER).
CREATE TABLE stage_0 (
  pass_no     NUMBER(18)      NOT NULL,
  seq         NUMBER(18)      NOT NULL,
  con_uid     NUMBER(18)      NOT NULL,
  xidusn      NUMBER(10)      NOT NULL,
  xidslt      NUMBER(10)      NOT NULL,
  xidsqn      NUMBER(10)      NOT NULL,
  scn         NUMBER(18)      NOT NULL,
  commit_scn  NUMBER(18),
  op          NUMBER(4)       NOT NULL,
  table_id    NUMBER(9),
  has_lob     VARCHAR2(1),
  kind        VARCHAR2(1),
  row_id      VARCHAR2(18),
  k1          VARCHAR2(4000),
  k2          VARCHAR2(4000),
  k3          VARCHAR2(4000),
  k4          VARCHAR2(4000),
  k5          VARCHAR2(4000),
  k6          VARCHAR2(4000),
  k7          VARCHAR2(4000),
  k8          VARCHAR2(4000),
  o1          VARCHAR2(4000),
  o2          VARCHAR2(4000),
  o3          VARCHAR2(4000),
  o4          VARCHAR2(4000),
  o5          VARCHAR2(4000),
  o6          VARCHAR2(4000),
  o7          VARCHAR2(4000),
  o8          VARCHAR2(4000),
  note        VARCHAR2(400)
) NOLOGGING;
COMMENT ON TABLE stage_0 IS 'Empty pattern of the stages STAGE_n: the rows that REDO_STAGE_V gave';
COMMENT ON COLUMN stage_0.pass_no IS 'The pass that has read it';
