-- A change that the dictionary tells of and redo does not: becomes a U pointer.
CREATE TABLE suspicion (
  table_id  NUMBER(9)       NOT NULL,
  seen_scn  NUMBER(18)      NOT NULL,
  note      VARCHAR2(400)   NOT NULL,
  CONSTRAINT suspicion_pk PRIMARY KEY (table_id, seen_scn)
);
COMMENT ON TABLE suspicion IS 'Changes without redo, published as U when every transaction has ended that was open when they were seen';
