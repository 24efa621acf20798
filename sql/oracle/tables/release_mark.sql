-- An ack counts for release only when mining has passed the SCN at which it came in. While acks keep coming the latest
-- has never been passed, so one is kept and waited for.
CREATE TABLE release_mark (
  shard         VARCHAR2(128)  NOT NULL,
  token         NUMBER(18),
  sure_portion  NUMBER(18)     NOT NULL,
  mark_portion  NUMBER(18)     NOT NULL,
  mark_scn      NUMBER(18)     NOT NULL,
  CONSTRAINT release_mark_pk PRIMARY KEY (shard),
  CONSTRAINT release_mark_shard FOREIGN KEY (shard) REFERENCES shard (shard) ON DELETE CASCADE
);
COMMENT ON TABLE release_mark IS 'Up to which portion each shard has surely read what it has acked';
COMMENT ON COLUMN release_mark.token IS 'Lease under which the acks came in; another one begins anew, the shard may have been restored';
COMMENT ON COLUMN release_mark.sure_portion IS 'Up to here nothing that the shard has read can be taken back by a crash';
COMMENT ON COLUMN release_mark.mark_portion IS 'Ack that is waited for: sure when mined_scn has passed mark_scn';
