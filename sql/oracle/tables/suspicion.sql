-- A change that the dictionary tells of and redo does not: becomes a U pointer.
CREATE TABLE suspicion (
  table_id      NUMBER(9)       NOT NULL,
  seen_scn      NUMBER(18)      NOT NULL,
  note          VARCHAR2(400)   NOT NULL,
  since_scn     NUMBER(18),
  explained_by  VARCHAR2(3),
  CONSTRAINT suspicion_pk PRIMARY KEY (table_id, seen_scn)
);
COMMENT ON TABLE suspicion IS 'Changes without redo, published as U when every transaction has ended that was open when they were seen';
COMMENT ON COLUMN suspicion.since_scn IS 'The change was made behind this SCN; NULL: it is not known when';
COMMENT ON COLUMN suspicion.explained_by IS 'Kinds of PUBLISHED_DDL one of which, from since_scn to seen_scn, makes it none; NULL: nothing does';
