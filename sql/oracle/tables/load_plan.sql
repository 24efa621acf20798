CREATE TABLE load_plan (
  plan_id   NUMBER(18)     NOT NULL,
  shard     VARCHAR2(128)  NOT NULL,
  table_id  NUMBER(9)      NOT NULL,
  chunks    NUMBER(9)      NOT NULL,
  CONSTRAINT load_plan_pk PRIMARY KEY (plan_id),
  CONSTRAINT load_plan_subscription FOREIGN KEY (shard, table_id)
    REFERENCES subscription (shard, table_id) ON DELETE CASCADE
);
COMMENT ON TABLE load_plan IS 'Plans of loads; a plan never changes';
