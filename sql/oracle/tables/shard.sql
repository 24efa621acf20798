CREATE TABLE shard (
  shard          VARCHAR2(128)   NOT NULL,
  holder         VARCHAR2(4000),
  token          NUMBER(18),
  lease_until    TIMESTAMP(6),
  acked_portion  NUMBER(18)      NOT NULL,
  acked_at       TIMESTAMP(6)    NOT NULL,
  acked_scn      NUMBER(18)      NOT NULL,
  CONSTRAINT shard_pk PRIMARY KEY (shard)
);
COMMENT ON TABLE shard IS 'Who takes part';
COMMENT ON COLUMN shard.token IS 'Token of the lease; NULL while nobody holds it';
COMMENT ON COLUMN shard.acked_scn IS 'SCN at which acked_portion came in: a portion is released when mining has passed it';
