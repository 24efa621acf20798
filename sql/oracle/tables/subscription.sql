CREATE TABLE subscription (
  shard     VARCHAR2(128)  NOT NULL,
  table_id  NUMBER(9)      NOT NULL,
  CONSTRAINT subscription_pk PRIMARY KEY (shard, table_id),
  CONSTRAINT subscription_shard FOREIGN KEY (shard) REFERENCES shard (shard) ON DELETE CASCADE,
  CONSTRAINT subscription_table FOREIGN KEY (table_id) REFERENCES source_table (table_id) ON DELETE CASCADE
);
COMMENT ON TABLE subscription IS 'Which shard has registered which table; a table that none wants is forgotten';
