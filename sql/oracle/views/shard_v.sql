CREATE OR REPLACE VIEW shard_v AS
SELECT s.shard, s.holder, s.lease_until, s.acked_portion, s.acked_at
FROM shard s;
COMMENT ON TABLE shard_v IS 'Contract: who takes part';
COMMENT ON COLUMN shard_v.lease_until IS 'UTC; NULL while nobody holds the lease';
