CREATE TABLE heartbeat (
  instance_no  NUMBER(9)     NOT NULL,
  beat_at      TIMESTAMP(6)  NOT NULL,
  CONSTRAINT heartbeat_pk PRIMARY KEY (instance_no)
);
COMMENT ON TABLE heartbeat IS 'Touched on each instance, so that the redo of an idle one moves on';
