-- Histories in topology ROOT: what CDB$ROOT is told, and its jobs that read. Redo is of container PDB1 there.

CREATE FUNCTION history.in_root() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT "TOPOLOGY" = 'ROOT' FROM "ORAPULL"."SETTING" $$;
COMMENT ON FUNCTION history.in_root() IS 'Whether LogMiner runs in CDB$ROOT in this history';

CREATE UNLOGGED TABLE history.reader (
    session text PRIMARY KEY,
    pass    numeric NOT NULL,
    step    text NOT NULL
);
COMMENT ON TABLE history.reader IS 'Jobs of CDB$ROOT that are at work, and the step that comes next';

CREATE FUNCTION history.forget_root() RETURNS void LANGUAGE sql AS $$
DELETE FROM history.reader;
DELETE FROM "C##ORAPULL"."PASS";
DELETE FROM "C##ORAPULL"."SCAN_LOG";
DELETE FROM "C##ORAPULL"."SOURCE_TABLE";
DELETE FROM "C##ORAPULL"."SETTING"
$$;
COMMENT ON FUNCTION history.forget_root() IS 'CDB$ROOT knows nothing of the history before';

-- By the seed and not by dice, so that all others are what they were.
CREATE FUNCTION history.begin_root() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('history.seed')::bigint % 5 = 1 THEN
        UPDATE "ORAPULL"."SETTING" SET "TOPOLOGY" = 'ROOT', "PDB_NAME" = 'PDB1';
        INSERT INTO "C##ORAPULL"."SETTING" ("PDB_NAME", "COLUMN_PREFIX") VALUES ('PDB1', 'PDB1:');
        PERFORM "TEST"."CONTAINER"('PDB1'), history.tell('LogMiner runs in CDB$ROOT');
    END IF;
END
$$;
COMMENT ON FUNCTION history.begin_root() IS 'Every fifth history is in topology ROOT';

CREATE FUNCTION history.take_pass() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    l_sid     CONSTANT bigint := nextval('history.sid');
    l_session CONSTANT text := l_sid || ',1,1';
    l_pass    numeric;
BEGIN
    INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (l_sid, 1);
    l_pass := "C##ORAPULL.READER"."TAKE"(l_session);
    IF l_pass IS NOT NULL THEN
        INSERT INTO history.reader VALUES (l_session, l_pass, 'EMPTY_STAGE');
        PERFORM history.tell(format('job %s of CDB$ROOT takes the pass of scan %s', l_sid, p."SCAN_ID")) FROM "C##ORAPULL"."PASS" p WHERE p."PASS_NO" = l_pass;
    END IF;
    RETURN l_pass IS NOT NULL;
END
$$;
COMMENT ON FUNCTION history.take_pass() IS 'A new job of CDB$ROOT looks for an order; whether it found one';

CREATE FUNCTION history.reader_dies(p_reader history.reader) RETURNS void LANGUAGE sql AS $$
DELETE FROM "SYS"."SESSION" WHERE "SID" = split_part(p_reader.session, ',', 1)::numeric;
DELETE FROM history.reader r WHERE r.session = p_reader.session;
SELECT history.tell(format('a job of CDB$ROOT dies before %s', p_reader.step));
$$;
COMMENT ON FUNCTION history.reader_dies(history.reader) IS 'A job of CDB$ROOT is killed';

CREATE FUNCTION history.read_step(p_reader history.reader) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c_call CONSTANT text := CASE p_reader.step WHEN 'READ' THEN 'CALL "C##ORAPULL.READER"."READ"(%s, %L)' ELSE 'CALL "C##ORAPULL.READER"."EMPTY_STAGE"(%s)' END;
    a      record;
BEGIN
    SELECT * INTO a FROM history.attempt(format(c_call, p_reader.pass, p_reader.session));
    PERFORM history.tell(format('%s in CDB$ROOT', p_reader.step));
    IF a.failed THEN
        PERFORM history.note_failure(p_reader.step, a.code, a.message);
        CALL "C##ORAPULL.READER"."FAIL"(p_reader.pass, p_reader.session, a.message);
    END IF;
    IF a.failed OR p_reader.step = 'READ' THEN
        DELETE FROM history.reader r WHERE r.session = p_reader.session;
    ELSE
        UPDATE history.reader SET step = 'READ' WHERE session = p_reader.session;
    END IF;
END
$$;
COMMENT ON FUNCTION history.read_step(history.reader) IS 'The next step of a job of CDB$ROOT';

CREATE FUNCTION history.read_on() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    l_readers CONSTANT int := (SELECT count(*) FROM history.reader);
    l_reader  history.reader;
BEGIN
    IF l_readers = 0 OR (l_readers < 2 AND history.dice(3) = 0) THEN
        RETURN history.take_pass();
    END IF;
    SELECT * INTO l_reader FROM history.reader r ORDER BY r.session OFFSET history.dice(l_readers) LIMIT 1;
    IF history.dice(30) = 0 THEN
        PERFORM history.reader_dies(l_reader);
    ELSE
        PERFORM history.read_step(l_reader);
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION history.read_on() IS 'A step of some job of CDB$ROOT';
