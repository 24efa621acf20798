-- What mining does not get over by itself: a log that is gone, another incarnation; and the operator who decides.

-- The archived copy of a log that may not be mined yet is deleted, when the online one is overwritten.
CREATE FUNCTION history.lose_log() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c_groups CONSTANT int := 3;
    l_thread CONSTANT int := history.any_thread();
    l_seq    CONSTANT numeric := (SELECT t."SEQUENCE#" FROM "SYS"."V$THREAD" t WHERE t."THREAD#" = l_thread);
BEGIN
    PERFORM history.archive_late(l_thread);
    FOR i IN 1 .. c_groups LOOP
        PERFORM history.switch_log(l_thread);
    END LOOP;
    PERFORM "TEST"."DELETE_LOG"(l_thread, l_seq), history.tell(format('thread %s sequence %s is deleted', l_thread, l_seq));
    INSERT INTO history.deleted VALUES (l_thread, l_seq);
END
$$;
COMMENT ON FUNCTION history.lose_log() IS 'A log is deleted that mining may need';

-- What was committed stays, so what was mined of it before may be all there is.
CREATE FUNCTION history.reset_logs() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_last CONSTANT numeric := (SELECT max(t.scn) FROM history.thread t);
    l_scn  CONSTANT numeric := greatest(l_last + 10 - history.dice(40), 1 + (SELECT d."RESETLOGS_CHANGE#" FROM "SYS"."DATABASE" d));
BEGIN
    DELETE FROM "SYS"."TRANSACTION";
    DELETE FROM "TEST"."PENDING";
    PERFORM history.forget_tx(t.tx) FROM history.tx t;
    PERFORM "TEST"."RESETLOGS"(l_scn), history.tell(format('@%s RESETLOGS, after SCN %s', l_scn, l_last));
    UPDATE history.thread SET scn = l_scn;
    -- Portions go on in the order of SCNs from here.
    UPDATE history.looked_at SET scn_to = least(scn_to, l_scn);
    DELETE FROM history.deleted;
    DELETE FROM history.late;
    PERFORM history.die(j) FROM (SELECT * FROM history.job ORDER BY session) j;
    PERFORM history.reader_dies(r) FROM (SELECT * FROM history.reader ORDER BY session) r;
END
$$;
COMMENT ON FUNCTION history.reset_logs() IS 'The database is opened with RESETLOGS: SCNs come again';

CREATE FUNCTION history.is_other_incarnation() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT s."INCARNATION" <> d."RESETLOGS_CHANGE#" FROM "ORAPULL"."SOURCE_STATE" s CROSS JOIN "SYS"."DATABASE" d);
END
$$;
COMMENT ON FUNCTION history.is_other_incarnation() IS 'The database is not the one that is mined';

-- Where nothing is archived yet, and nothing else may be read, mining cannot start.
CREATE FUNCTION history.skip_gap() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a record;
BEGIN
    SELECT * INTO a FROM history.attempt('CALL "PUBLISHER"."SKIP_TO"("LOGS"."FLUSHED_SCN"())');
    IF a.failed THEN
        PERFORM history.note_failure('SKIP_GAP', a.code, a.message);
    ELSE
        PERFORM history.tell(format('mining starts anew behind SCN %s', s."PUBLISHED_SCN")) FROM "ORAPULL"."SOURCE_STATE" s;
    END IF;
END
$$;
COMMENT ON FUNCTION history.skip_gap() IS 'The operator gives up what is not mined';

CREATE FUNCTION history.restore_logs() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST"."ARCHIVE"(d.thread, d.seq), history.tell(format('thread %s sequence %s is restored', d.thread, d.seq))
    FROM history.deleted d;
    DELETE FROM history.deleted;
END
$$;
COMMENT ON FUNCTION history.restore_logs() IS 'RMAN RESTORE ARCHIVELOG';

CREATE PROCEDURE history.operate() LANGUAGE plpgsql AS $$
DECLARE
    l_state CONSTANT text := (SELECT s."STATE" FROM "ORAPULL"."SOURCE_STATE" s);
BEGIN
    IF l_state = 'INCARNATION_CHANGED' OR l_state = 'GAP' AND history.dice(2) = 0 THEN
        PERFORM history.skip_gap();
        COMMIT;
        PERFORM history.look_at_portions();
    ELSIF l_state = 'GAP' THEN
        PERFORM history.restore_logs();
    END IF;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE history.operate() IS 'Does what the state of the source asks for';
