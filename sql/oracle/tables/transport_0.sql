-- TRANSPORT_n are copies of this empty one, made when no slot is free (see package SLOTS).
CREATE TABLE transport_0 (
  portion_id  NUMBER(18)      NOT NULL,
  ptr         NUMBER(18)      NOT NULL,
  prev        NUMBER(18)      NOT NULL,
  table_id    NUMBER(9)       NOT NULL,
  kind        VARCHAR2(1)     NOT NULL,
  row_id      VARCHAR2(18),
  k1          VARCHAR2(4000),
  k2          VARCHAR2(4000),
  k3          VARCHAR2(4000),
  k4          VARCHAR2(4000),
  k5          VARCHAR2(4000),
  k6          VARCHAR2(4000),
  k7          VARCHAR2(4000),
  k8          VARCHAR2(4000),
  note        VARCHAR2(400),
  commit_scn  NUMBER(18)
) NOLOGGING;
COMMENT ON TABLE transport_0 IS 'Empty pattern of the transport slots TRANSPORT_n: published pointers';
COMMENT ON COLUMN transport_0.ptr IS 'Number of the pointer in its portion, from 1';
COMMENT ON COLUMN transport_0.prev IS 'P$PREV: an earlier portion that holds the same identities, with no T or D pointer of the table in between; 0: none, or not looked for';
COMMENT ON COLUMN transport_0.kind IS 'R row, T table truncated, D table altered, U change that cannot be located';
