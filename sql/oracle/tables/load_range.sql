CREATE TABLE load_range (
  plan_id    NUMBER(18)      NOT NULL,
  chunk      NUMBER(9)       NOT NULL,
  low_rowid  VARCHAR2(18),
  high_rowid VARCHAR2(18),
  low_key    VARCHAR2(4000),
  high_key   VARCHAR2(4000),
  CONSTRAINT load_range_pk PRIMARY KEY (plan_id, chunk),
  CONSTRAINT load_range_plan FOREIGN KEY (plan_id) REFERENCES load_plan (plan_id) ON DELETE CASCADE
);
COMMENT ON TABLE load_range IS 'Range of each chunk: ROWIDs, or for index-organized tables the first key column (NULL: open); low inclusive, high exclusive';
