-- DDL must not follow DML in a transaction, so the views of a table that nobody wants any more are dropped in a step of their own.
CREATE TABLE forgotten (
  table_id  NUMBER(9)  NOT NULL,
  CONSTRAINT forgotten_pk PRIMARY KEY (table_id)
);
COMMENT ON TABLE forgotten IS 'Tables that no shard wants any more and whose PULL_n and LOAD_n are still to be dropped';
