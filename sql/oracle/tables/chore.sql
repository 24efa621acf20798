CREATE TABLE chore (
  name     VARCHAR2(80)  NOT NULL,
  done_at  TIMESTAMP(6)  NOT NULL,
  CONSTRAINT chore_pk PRIMARY KEY (name)
);
COMMENT ON TABLE chore IS 'When COORDINATOR last did what is due from time to time, and which steps have failed';
