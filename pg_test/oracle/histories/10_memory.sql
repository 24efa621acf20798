-- What a random history knows of itself: the application's transactions, the jobs, the shards, and what was seen published.
-- Functions that are called at every step are in PL/pgSQL, which keeps the plans of their statements.
CREATE SCHEMA history;
COMMENT ON SCHEMA history IS 'Random histories of the source: CALL history.run(seed)';
CREATE SCHEMA IF NOT EXISTS "APP";

CREATE TABLE "APP"."KEYED" ("ID" numeric PRIMARY KEY, "V" numeric);
CREATE TABLE "APP"."PAIRED" ("A" numeric, "B" numeric, "V" numeric, PRIMARY KEY ("A", "B"));
CREATE TABLE "APP"."PLACED" ("V" numeric, "L" text);
CREATE TABLE "APP"."WITH_LOB" ("ID" numeric PRIMARY KEY, "V" numeric, "L" text);
CREATE TABLE "APP"."ORGANIZED" ("ID" numeric PRIMARY KEY, "V" numeric);
CREATE TABLE "APP"."PARTED" ("P" numeric NOT NULL, "V" numeric) PARTITION BY LIST ("P");
CREATE TABLE "APP"."PART_1" PARTITION OF "APP"."PARTED" FOR VALUES IN (1);
CREATE TABLE "APP"."PART_2" PARTITION OF "APP"."PARTED" FOR VALUES IN (2);
CREATE TABLE "APP"."PART_3" PARTITION OF "APP"."PARTED" FOR VALUES IN (3);
SELECT "TEST"."ADD_ROWID"('APP', t) FROM unnest('{KEYED,ORGANIZED,PAIRED,PARTED,PLACED,WITH_LOB}'::text[]) t;

CREATE TABLE history.source (
    tab  text PRIMARY KEY,
    key  text[] NOT NULL,
    used boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE history.source IS 'Tables of the application, with their key columns';
COMMENT ON COLUMN history.source.used IS 'Not every history has every table, or each would see little';
INSERT INTO history.source VALUES ('KEYED', '{ID}'), ('ORGANIZED', '{ID}'), ('PAIRED', '{A,B}'), ('PARTED', '{}'), ('PLACED', '{}'), ('WITH_LOB', '{ID}');

CREATE TABLE history.hidden (
    part text PRIMARY KEY
);
COMMENT ON TABLE history.hidden IS 'Partitions that the dictionary does not have: dropped, or not added yet';

CREATE UNLOGGED TABLE history.thread (
    thread  int PRIMARY KEY,
    scn     numeric NOT NULL,
    is_open boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE history.thread IS 'How far each instance is: one may lag behind the other, and be shut down';

CREATE UNLOGGED TABLE history.tx (
    tx         int PRIMARY KEY,
    thread     int NOT NULL,
    parallel   boolean NOT NULL DEFAULT false,
    in_doubt   boolean NOT NULL DEFAULT false,
    busy_until numeric NOT NULL DEFAULT 0,
    saved_at   bigint,
    saved_redo bigint,
    saved_work bigint
);
COMMENT ON TABLE history.tx IS 'Open transactions; one that writes a LOB does nothing else until the SCN of its last record';
COMMENT ON COLUMN history.tx.parallel IS 'Its changes are made by children, each with a number of its own';
COMMENT ON COLUMN history.tx.saved_at IS 'Its savepoint: the act, the redo record and the pending change behind which it lies';
COMMENT ON COLUMN history.tx.in_doubt IS 'Prepared: it changes nothing more, and outlives a crash';

CREATE UNLOGGED TABLE history.image (
    tab    text NOT NULL,
    row_id text NOT NULL,
    key    jsonb NOT NULL,
    gone   boolean NOT NULL DEFAULT false,
    tx     int,
    part   int,
    PRIMARY KEY (tab, row_id)
);
COMMENT ON TABLE history.image IS 'Rows as the open transaction that changed them sees them, and who that is';

COMMENT ON COLUMN history.image.part IS 'Number of its partition';

CREATE SEQUENCE history.act;
COMMENT ON SEQUENCE history.act IS 'Numbers of changes, in the order in which they are made';
CREATE UNLOGGED TABLE history.before (
    n      bigint NOT NULL DEFAULT nextval('history.act'),
    tx     int NOT NULL,
    tab    text NOT NULL,
    row_id text NOT NULL,
    image  history.image
);
COMMENT ON TABLE history.before IS 'Images before changes that may be rolled back to a savepoint; NULL: the row was not there';

CREATE UNLOGGED TABLE history.locked (
    tab text NOT NULL,
    key jsonb NOT NULL,
    tx  int NOT NULL,
    n   bigint NOT NULL DEFAULT nextval('history.act')
);
COMMENT ON TABLE history.locked IS 'Keys that an open transaction has used: nobody else can have them';
CREATE UNLOGGED TABLE history.exclusive (
    tab text PRIMARY KEY,
    tx  int NOT NULL
);
COMMENT ON TABLE history.exclusive IS 'Tables that a direct load has locked until its transaction ends';

CREATE UNLOGGED TABLE history.place (
    tab    text NOT NULL,
    row_id text NOT NULL,
    part   int
);
COMMENT ON TABLE history.place IS 'Places of deleted rows, for rows to come';

CREATE UNLOGGED TABLE history.change (
    tx            int NOT NULL,
    tab           text NOT NULL,
    row_id        text,
    k1            text,
    k2            text,
    kind          text NOT NULL DEFAULT 'R',
    commit_scn    numeric,
    after_portion numeric,
    due           boolean NOT NULL DEFAULT false,
    n             bigint NOT NULL DEFAULT nextval('history.act')
);
COMMENT ON TABLE history.change IS 'Identities that transactions have changed, and DDL';
COMMENT ON COLUMN history.change.kind IS 'R: of a row; T, D, U: what DDL must be told as';
COMMENT ON COLUMN history.change.row_id IS 'Where the row is; NULL when it was moved since and has a key';
COMMENT ON COLUMN history.change.after_portion IS 'The last portion at the commit: a pointer in one of those came too early';
COMMENT ON COLUMN history.change.due IS 'The table was READY at the commit, so a portion must have a pointer';

CREATE UNLOGGED TABLE history.commit (
    scn numeric NOT NULL
);
COMMENT ON TABLE history.commit IS 'SCNs at which something has committed';

CREATE UNLOGGED TABLE history.deleted (
    thread int NOT NULL,
    seq    numeric NOT NULL
);
COMMENT ON TABLE history.deleted IS 'Archived logs that were deleted and not restored';
CREATE UNLOGGED TABLE history.late (
    thread int PRIMARY KEY,
    seq    numeric NOT NULL
);
COMMENT ON TABLE history.late IS 'Logs that are not archived yet, although their thread is in a later one';

CREATE UNLOGGED TABLE history.job (
    session text PRIMARY KEY,
    scan    numeric NOT NULL,
    step    text NOT NULL
);
CREATE SEQUENCE history.sid START 1000001;
COMMENT ON SEQUENCE history.sid IS 'Numbers of sessions, none of which comes again';
COMMENT ON TABLE history.job IS 'Scan jobs that are at work, and the step that comes next';

CREATE UNLOGGED TABLE history.published (
    portion  numeric NOT NULL,
    table_id numeric NOT NULL,
    kind     text NOT NULL,
    row_id   text,
    k1       text,
    k2       text,
    prev     numeric,
    scn      numeric
);
COMMENT ON TABLE history.published IS 'Pointers as they were when their portion was published';

CREATE TABLE history.told (
    table_id numeric PRIMARY KEY,
    tab      text NOT NULL,
    taken    boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE history.told IS 'Numbers that registrations of tables can have, each with views that were made once; taken: had one in this history';
CREATE UNLOGGED TABLE history.prepared (
    shard    text NOT NULL,
    tab      text NOT NULL,
    table_id numeric,
    PRIMARY KEY (shard, tab)
);
COMMENT ON TABLE history.prepared IS 'Registrations whose first half is done: the views are there; without a number: another shard had made them';
CREATE TABLE history.view (
    name    text PRIMARY KEY,
    text    text NOT NULL,
    dropped boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE history.view IS 'Views PULL_n and LOAD_n, and the statement that made them; one that is dropped stays, and nobody may read it';

CREATE UNLOGGED TABLE history.batch (
    slot    numeric NOT NULL,
    portion numeric NOT NULL
);
COMMENT ON TABLE history.batch IS 'Portions that are applied together, or a request';

CREATE UNLOGGED TABLE history.shard (
    shard   text PRIMARY KEY,
    token   numeric,
    stale   numeric,
    applied numeric
);
COMMENT ON TABLE history.shard IS 'Simulated shards; without a token one is not attached, without a portion it is new';

CREATE UNLOGGED TABLE history.target (
    shard    text NOT NULL,
    tab      text NOT NULL,
    table_id numeric NOT NULL,
    state    text NOT NULL,
    plan     numeric,
    chunks   numeric,
    chunk    numeric,
    request  numeric,
    PRIMARY KEY (shard, tab)
);
COMMENT ON TABLE history.target IS 'Tables of shards: waiting, loading, catching up, following';
COMMENT ON COLUMN history.target.request IS 'Request that is asked and not applied yet';

CREATE UNLOGGED TABLE history.copied (
    shard    text NOT NULL,
    tab      text NOT NULL,
    identity text NOT NULL,
    data     jsonb NOT NULL,
    seen     boolean NOT NULL,
    PRIMARY KEY (shard, tab, identity)
);
COMMENT ON TABLE history.copied IS 'Rows of shards; seen by the running load, or since';

CREATE UNLOGGED TABLE history.held (
    shard  text NOT NULL,
    tab    text NOT NULL,
    row_id text,
    k1     text,
    k2     text,
    asked  boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE history.held IS 'Identities that a shard holds while it loads; asked: those of the open request';

CREATE UNLOGGED TABLE history.backup (
    shard   text PRIMARY KEY,
    applied numeric NOT NULL
);
COMMENT ON TABLE history.backup IS 'Shards as they once were: what they had applied; a shard has one backup';
CREATE UNLOGGED TABLE history.backup_target (
    LIKE history.target
);
COMMENT ON TABLE history.backup_target IS 'Tables of those shards';
CREATE UNLOGGED TABLE history.backup_copied (
    LIKE history.copied
);
COMMENT ON TABLE history.backup_copied IS 'Rows of those shards';
CREATE UNLOGGED TABLE history.backup_held (
    LIKE history.held
);
COMMENT ON TABLE history.backup_held IS 'Identities that those shards held';

CREATE UNLOGGED TABLE history.fetched (
    identity text NOT NULL,
    data     jsonb NOT NULL
);
COMMENT ON TABLE history.fetched IS 'Rows that pointers resolve to';
CREATE UNLOGGED TABLE history.pointer (
    LIKE history.published
);
COMMENT ON TABLE history.pointer IS 'Pointers that are applied';

CREATE UNLOGGED TABLE history.event (
    n    int GENERATED ALWAYS AS IDENTITY,
    text text NOT NULL
);
COMMENT ON TABLE history.event IS 'The history as a list, for people';

CREATE TABLE history.verdict (
    seed    bigint NOT NULL,
    what    text NOT NULL,
    detail  text NOT NULL
);
COMMENT ON TABLE history.verdict IS 'What was wrong: lost, premature, order, different, failed, stuck';

CREATE FUNCTION history.dice(p_sides int) RETURNS int LANGUAGE sql AS $$ SELECT floor(random() * p_sides)::int $$;
COMMENT ON FUNCTION history.dice(int) IS 'A number from 0 to below; the seed decides';

CREATE FUNCTION history.tell(p_text text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO history.event (text) VALUES (p_text);
END
$$;
COMMENT ON FUNCTION history.tell(text) IS 'Writes down what happens';

CREATE FUNCTION history.wrong(p_what text, p_detail text) RETURNS void LANGUAGE sql AS $$
INSERT INTO history.verdict SELECT current_setting('history.seed')::bigint, p_what, p_detail
$$;
COMMENT ON FUNCTION history.wrong(text, text) IS 'Writes down that a promise was broken';
