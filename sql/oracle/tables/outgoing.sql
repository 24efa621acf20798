-- Pointers on their way into portions: numbered here first, because a direct-path insert forbids a second look.
CREATE GLOBAL TEMPORARY TABLE outgoing (
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
) ON COMMIT DELETE ROWS;
COMMENT ON TABLE outgoing IS 'Pointers of the portions that are being published; empty between transactions';
