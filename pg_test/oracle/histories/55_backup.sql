-- A shard is set back to a backup: it tells what it has applied, and the source says whether it can go on from there.

CREATE FUNCTION history.forget_backup(p_shard text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.backup b WHERE b.shard = p_shard;
    DELETE FROM history.backup_target b WHERE b.shard = p_shard;
    DELETE FROM history.backup_copied b WHERE b.shard = p_shard;
    DELETE FROM history.backup_held b WHERE b.shard = p_shard;
END
$$;
COMMENT ON FUNCTION history.forget_backup(text) IS 'The shard has no backup';

CREATE FUNCTION history.back_up(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.forget_backup(p_shard.shard), history.tell(format('shard %s is backed up at portion %s', p_shard.shard, p_shard.applied));
    INSERT INTO history.backup VALUES (p_shard.shard, p_shard.applied);
    INSERT INTO history.backup_target SELECT * FROM history.target t WHERE t.shard = p_shard.shard;
    INSERT INTO history.backup_copied SELECT * FROM history.copied c WHERE c.shard = p_shard.shard;
    INSERT INTO history.backup_held SELECT * FROM history.held h WHERE h.shard = p_shard.shard;
END
$$;
COMMENT ON FUNCTION history.back_up(history.shard) IS 'Keeps the shard as it is now';

-- A load that was running has a plan that may be another one now.
CREATE FUNCTION history.set_back(p_shard text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.target t WHERE t.shard = p_shard;
    DELETE FROM history.copied c WHERE c.shard = p_shard;
    DELETE FROM history.held h WHERE h.shard = p_shard;
    INSERT INTO history.target SELECT * FROM history.backup_target t WHERE t.shard = p_shard;
    INSERT INTO history.copied SELECT * FROM history.backup_copied c WHERE c.shard = p_shard;
    INSERT INTO history.held SELECT * FROM history.backup_held h WHERE h.shard = p_shard;
    DELETE FROM history.held h USING history.target t
    WHERE h.shard = p_shard AND t.shard = p_shard AND t.tab = h.tab AND t.state = 'loading';
    UPDATE history.target t SET state = 'waiting' WHERE t.shard = p_shard AND t.state = 'loading';
    -- Of what it has dropped since, nothing was published for it.
    PERFORM history.forget_target(p_shard, t.tab) FROM (SELECT * FROM history.target o ORDER BY o.tab) t
    WHERE t.shard = p_shard AND NOT EXISTS (SELECT FROM "ORAPULL"."SUBSCRIPTION" u WHERE u."SHARD" = p_shard AND u."TABLE_ID" = t.table_id);
END
$$;
COMMENT ON FUNCTION history.set_back(text) IS 'Rows, tables and held identities are those of the backup';

-- PORTIONS_GONE: it begins at the end, and loads everything again.
CREATE FUNCTION history.restore(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a record;
BEGIN
    SELECT b.applied INTO p_shard.applied FROM history.backup b WHERE b.shard = p_shard.shard;
    PERFORM history.set_back(p_shard.shard), history.forget_backup(p_shard.shard),
            history.tell(format('shard %s is set back to portion %s', p_shard.shard, p_shard.applied));
    SELECT * INTO a FROM history.attempt(format('SELECT history.attach(%L)', p_shard));
    IF a.code = -20804 THEN
        p_shard.applied := NULL;
        PERFORM history.tell(a.message), history.attach(p_shard);
        UPDATE history.target t SET state = 'waiting' WHERE t.shard = p_shard.shard;
        DELETE FROM history.held h WHERE h.shard = p_shard.shard;
    ELSIF a.failed THEN
        PERFORM history.wrong('failed', format('ATTACH of a restored shard: %s', a.message));
    END IF;
END
$$;
COMMENT ON FUNCTION history.restore(history.shard) IS 'The shard is set back to its backup, and attaches';

CREATE FUNCTION history.use_backup(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF history.dice(3) > 0 OR NOT EXISTS (SELECT FROM history.backup b WHERE b.shard = p_shard.shard) THEN
        PERFORM history.back_up(p_shard);
    ELSE
        PERFORM history.restore(p_shard);
    END IF;
END
$$;
COMMENT ON FUNCTION history.use_backup(history.shard) IS 'A shard is backed up, or set back';
