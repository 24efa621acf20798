-- The source itself, one row. Its row lock is the one under which portions are numbered, published, attached, released.
CREATE TABLE source_state (
  only_row        NUMBER(1)      DEFAULT 1 NOT NULL,
  install_id      VARCHAR2(36)   NOT NULL,
  dbid            NUMBER(18)     NOT NULL,
  incarnation     NUMBER(18)     NOT NULL,
  started_at      TIMESTAMP(6)   NOT NULL,
  instances       VARCHAR2(4000) NOT NULL,
  state           VARCHAR2(20)   NOT NULL,
  state_detail    VARCHAR2(4000),
  planned_scn     NUMBER(18)     NOT NULL,
  mined_scn       NUMBER(18)     NOT NULL,
  published_scn   NUMBER(18)     NOT NULL,
  last_scan       NUMBER(18)     DEFAULT 0 NOT NULL,
  published_scan  NUMBER(18)     DEFAULT 0 NOT NULL,
  last_portion    NUMBER(18)     DEFAULT 0 NOT NULL,
  window_scn      NUMBER(18)     NOT NULL,
  resume_scn      NUMBER(18)     NOT NULL,
  sampled_at      TIMESTAMP(6)   NOT NULL,
  CONSTRAINT source_state_pk PRIMARY KEY (only_row),
  CONSTRAINT source_state_one CHECK (only_row = 1),
  CONSTRAINT source_state_states CHECK (
    state IN ('OK', 'WAIT_LOG', 'GAP', 'INCARNATION_CHANGED', 'TRANSPORT_LOST', 'STOPPED')
  )
);
COMMENT ON TABLE source_state IS 'The source, one row; its row lock orders numbering, publication, attach and release';
COMMENT ON COLUMN source_state.incarnation IS 'INCARNATION of the database that is mined, see INCARNATION_V';
COMMENT ON COLUMN source_state.started_at IS 'Last start of an instance, or when one was found missing, time of the server; a change means: read again what was read and is not mined yet';
COMMENT ON COLUMN source_state.instances IS 'Which instances were open, and since when; a difference means: publish everything unreleased again';
COMMENT ON COLUMN source_state.planned_scn IS 'End of the last range that was cut; the next scan begins behind it';
COMMENT ON COLUMN source_state.mined_scn IS 'All redo up to it is on disk and scanned, without a hole';
COMMENT ON COLUMN source_state.published_scn IS 'Every transaction that committed up to it is published';
COMMENT ON COLUMN source_state.window_scn IS 'Redo from here on shows every transaction whole that was open at published_scn: where rule W begins to read';
COMMENT ON COLUMN source_state.resume_scn IS 'Redo from here on is needed to mine again what is open or unreleased';
