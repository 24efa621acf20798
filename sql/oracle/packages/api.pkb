CREATE OR REPLACE PACKAGE BODY api AS

  PROCEDURE attach(
    p_shard IN VARCHAR2, p_holder IN VARCHAR2, p_applied IN NUMBER, p_force IN NUMBER,
    p_token OUT NUMBER, p_first_portion OUT NUMBER, p_applied_now OUT NUMBER
  ) IS
  BEGIN
    shards.attach(p_shard, p_holder, p_applied, p_force, p_token, p_first_portion, p_applied_now);
    COMMIT;
  END attach;

  PROCEDURE ack(p_shard IN VARCHAR2, p_token IN NUMBER, p_portion IN NUMBER) IS
  BEGIN
    shards.check_token(p_shard, p_token);
    shards.ack(p_shard, p_portion);
    COMMIT;
  END ack;

  PROCEDURE detach(p_shard IN VARCHAR2, p_token IN NUMBER) IS
  BEGIN
    shards.check_token(p_shard, p_token);
    shards.detach(p_shard);
    COMMIT;
  END detach;

  PROCEDURE drop_shard(p_shard IN VARCHAR2, p_token IN NUMBER) IS
  BEGIN
    source.lock_state;
    shards.check_token(p_shard, p_token);
    shards.drop_shard(p_shard);
    COMMIT;
  END drop_shard;

  PROCEDURE register_table(
    p_shard IN VARCHAR2, p_token IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2,
    p_table_id OUT NUMBER
  ) IS
    l_prepared NUMBER;
  BEGIN
    shards.look_at_token(p_shard, p_token);
    l_prepared := registry.prepare(p_owner, p_table, p_identity);
    source.lock_state;
    shards.check_token(p_shard, p_token);
    p_table_id := registry.register(p_shard, l_prepared, p_owner, p_table, p_identity);
    COMMIT;
  END register_table;

  PROCEDURE drop_table(p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER) IS
  BEGIN
    source.lock_state;
    shards.check_token(p_shard, p_token);
    registry.check_subscription(p_shard, p_table_id);
    registry.unsubscribe(p_shard, p_table_id);
    COMMIT;
  END drop_table;

  PROCEDURE refresh_table(p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER) IS
  BEGIN
    shards.look_at_token(p_shard, p_token);
    registry.check_subscription(p_shard, p_table_id);
    registry.renew_views(p_table_id);
    source.lock_state;
    shards.check_token(p_shard, p_token);
    registry.note_columns(p_table_id);
    COMMIT;
  END refresh_table;

  PROCEDURE plan_ranges(
    p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER, p_chunks IN NUMBER,
    p_plan_id OUT NUMBER, p_chunk_count OUT NUMBER
  ) IS
  BEGIN
    shards.check_token(p_shard, p_token);
    registry.check_subscription(p_shard, p_table_id);
    loads.plan_ranges(p_shard, p_table_id, p_chunks, p_plan_id, p_chunk_count);
    COMMIT;
  END plan_ranges;

  PROCEDURE ask(p_shard IN VARCHAR2, p_token IN NUMBER, p_table_id IN NUMBER, p_request_id OUT NUMBER) IS
  BEGIN
    shards.check_token(p_shard, p_token);
    registry.check_subscription(p_shard, p_table_id);
    loads.ask(p_shard, p_table_id, p_request_id);
    COMMIT;
  END ask;

  PROCEDURE done(p_shard IN VARCHAR2, p_token IN NUMBER, p_request_id IN NUMBER) IS
  BEGIN
    shards.check_token(p_shard, p_token);
    loads.done(p_shard, p_request_id);
    COMMIT;
  END done;

  FUNCTION preflight(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    RETURN admission.preflight(p_owner, p_table);
  END preflight;

END api;
/
