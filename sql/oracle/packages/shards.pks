CREATE OR REPLACE PACKAGE shards AUTHID DEFINER AS
  -- Who takes part. A shard is held by one holder at a time, by a lease with a token: whoever attaches gets a new token, and
  -- calls with an older one are refused, so a server that was restored, promoted or cloned cannot ack what another applied.
  -- A portion is held until every shard has acked it; a shard that never acks holds all that come after (SHARD_V and
  -- MINING_STATUS_V show it, mining goes on) until it is dropped.

  -- Takes the lease and sets what the shard has acked, also downwards; drops its open requests.
  --   p_holder         who it is, shown to others
  --   p_applied        last portion that is durably applied; NULL: none, start at the end
  --   p_force          1: take the lease from another holder
  --   p_token          OUT for the other calls
  --   p_first_portion  OUT the next portion to apply
  --   p_applied_now    OUT what counts as acked from now on
  -- ORA-20801 no name; ORA-20803 another holder's lease is fresh; ORA-20804 portions it needs are gone; ORA-20805 it has
  -- applied portions that were never published here; ORA-20828 mining was not started.
  PROCEDURE attach(
    p_shard IN VARCHAR2, p_holder IN VARCHAR2, p_applied IN NUMBER, p_force IN NUMBER,
    p_token OUT NUMBER, p_first_portion OUT NUMBER, p_applied_now OUT NUMBER
  );

  -- Proves that the caller holds the lease, and locks the shard. ORA-20801 unknown shard, ORA-20802 stale token.
  PROCEDURE check_token(p_shard IN VARCHAR2, p_token IN NUMBER);

  -- The same without a lock, for calls that begin with DDL, which would give the lock up.
  PROCEDURE look_at_token(p_shard IN VARCHAR2, p_token IN NUMBER);

  -- Everything up to the portion is durably applied. Cumulative: a lower or repeated one changes nothing but renews the
  -- lease. ORA-20808 the portion was never published.
  PROCEDURE ack(p_shard IN VARCHAR2, p_portion IN NUMBER);

  -- Gives the lease back. What the shard has not acked stays held for it.
  PROCEDURE detach(p_shard IN VARCHAR2);

  -- The shard leaves for good: nothing is held for it any more, and tables that only it had are forgotten.
  PROCEDURE drop_shard(p_shard IN VARCHAR2);
END shards;
/
