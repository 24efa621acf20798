CREATE OR REPLACE PACKAGE api AUTHID DEFINER AS
  -- What a shard calls. Each call commits before it returns; an error leaves nothing behind but, perhaps, views that nobody
  -- reads. Every call but the first wants the token that ATTACH gave: ORA-20801 unknown shard, ORA-20802 stale token.

  -- Takes the lease of a shard (SHARDS.attach). p_applied NULL: a shard without progress; p_force 1: from another holder.
  -- ORA-20803 lease held, ORA-20804 PORTIONS_GONE, ORA-20805 SOURCE_CHANGED, ORA-20828 not started.
  PROCEDURE attach(
    p_shard IN VARCHAR2, p_holder IN VARCHAR2, p_applied IN NUMBER, p_force IN NUMBER,
    p_token OUT NUMBER, p_first_portion OUT NUMBER, p_applied_now OUT NUMBER
  );

  -- Everything up to the portion is durably applied; renews the lease. ORA-20808 never published.
  PROCEDURE ack(p_shard IN VARCHAR2, p_token IN NUMBER, p_portion IN NUMBER);

  -- Gives the lease back; what is not acked stays held.
  PROCEDURE detach(p_shard IN VARCHAR2, p_token IN NUMBER);

  -- The shard leaves for good.
  PROCEDURE drop_shard(p_shard IN VARCHAR2, p_token IN NUMBER);

  -- Subscribes the shard to a table and returns its number, the n of PULL_n and LOAD_n. Idempotent.
  --   p_owner, p_table  as the dictionary writes them
  --   p_identity        AUTO, KEY, ROWID
  -- ORA-20806 refused, with the reason; ORA-20810 registered with another identity; ORA-20811 dropped at the same moment: again.
  PROCEDURE register_table(
    p_shard IN VARCHAR2, p_token IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2,
    p_table_id OUT NUMBER
  );

  -- Ends the subscription. ORA-20807 not subscribed, here and below.
  PROCEDURE drop_table(p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER);

  -- Makes PULL_n and LOAD_n anew, after DDL on the table. ORA-20806 refused.
  PROCEDURE refresh_table(p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER);

  -- Cuts the table into about p_chunks ranges (LOADS.plan_ranges).
  PROCEDURE plan_ranges(
    p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER, p_chunks IN NUMBER,
    p_plan_id OUT NUMBER, p_chunk_count OUT NUMBER
  );

  -- Makes the identities just inserted into ASK_V a request (LOADS.ask).
  PROCEDURE ask(p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER, p_request_id OUT NUMBER);

  -- The request is served. ORA-20809 no such request.
  PROCEDURE done(p_shard IN VARCHAR2, p_token IN NUMBER, p_request_id IN NUMBER);

  -- What will not work with a table, or less well, and how to mend it: one finding a line, NULL when there is none.
  FUNCTION preflight(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2;
END api;
/
