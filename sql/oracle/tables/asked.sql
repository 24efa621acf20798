-- Behind ASK_V. Private to the session until ASK takes its rows, in the same transaction.
CREATE GLOBAL TEMPORARY TABLE asked (
  table_id  NUMBER(9),
  row_id    VARCHAR2(18),
  k1        VARCHAR2(4000),
  k2        VARCHAR2(4000),
  k3        VARCHAR2(4000),
  k4        VARCHAR2(4000),
  k5        VARCHAR2(4000),
  k6        VARCHAR2(4000),
  k7        VARCHAR2(4000),
  k8        VARCHAR2(4000)
) ON COMMIT DELETE ROWS;
COMMENT ON TABLE asked IS 'Identities inserted through ASK_V and not yet asked';
