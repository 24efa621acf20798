-- What operators see.

CREATE VIEW "orapull"."status" AS
SELECT
    s."name" AS "source",
    p."state",
    p."state_since",
    CASE WHEN w."no_worker_slot" THEN 'no background worker slot is free' ELSE p."message" END AS "message",
    CASE
        WHEN w."no_worker_slot" THEN 'Raise max_worker_processes, which takes a restart; the launcher tries again by itself.'
        ELSE coalesce(p."hint", "orapull"."advice"(coalesce(p."state", 'COPIED')))
    END AS "hint",
    p."sqlstate",
    w."pid" AS "worker_pid",
    CASE WHEN a."state" = 'active' THEN a."query" END AS "activity",
    CASE WHEN a."state" = 'active' THEN a."query_start" END AS "activity_since",
    w."next_start",
    w."no_worker_slot",
    w."last_portion" AS "published_portion",
    p."applied_portion",
    p."acked_portion",
    greatest(w."last_portion" - p."applied_portion", 0) AS "lag_portions",
    CASE WHEN p."applied_portion" >= w."last_portion" THEN 0 ELSE w."waiting_pointers" END AS "lag_pointers",
    CASE WHEN p."applied_portion" >= w."last_portion" THEN w."published_scn" ELSE p."applied_scn" END AS "applied_scn",
    w."current_scn" - CASE WHEN p."applied_portion" >= w."last_portion" THEN w."published_scn" ELSE p."applied_scn" END AS "lag_scn",
    CASE
        WHEN p."applied_portion" >= w."last_portion" THEN 0
        ELSE greatest(round(extract(epoch FROM clock_timestamp() - w."waiting_since"), 1), 0.1)
    END AS "lag_seconds",
    round(coalesce(b."pointers", 0) / 60.0, 1) AS "pointers_per_second",
    round(coalesce(b."changed", 0) / 60.0, 1) AS "rows_per_second",
    w."polled_at",
    s."shard",
    s."server",
    s."owner",
    s."wished"
FROM "orapull"."source" s
LEFT JOIN "orapull"."progress" p USING ("source_id")
LEFT JOIN "orapull"."pullers"() w USING ("source_id")
LEFT JOIN "pg_catalog"."pg_stat_activity" a ON a."pid" = w."pid"
LEFT JOIN LATERAL (
    SELECT sum(x."pointers") AS "pointers", sum(x."upserted" + x."deleted") AS "changed"
    FROM "orapull"."batch" x
    WHERE x."source_id" = s."source_id" AND x."at" > clock_timestamp() - interval '1 minute'
) b ON true;

COMMENT ON VIEW "orapull"."status" IS 'One row per source: state, what is wrong and what to do, how far it is.';
COMMENT ON COLUMN "orapull"."status"."source" IS 'Name of the source.';
COMMENT ON COLUMN "orapull"."status"."state" IS 'State of the source, see the reference; NULL: a restored dump, see adopt().';
COMMENT ON COLUMN "orapull"."status"."state_since" IS 'When it entered this state.';
COMMENT ON COLUMN "orapull"."status"."message" IS 'Last error, or why the source does not publish; NULL when all is well.';
COMMENT ON COLUMN "orapull"."status"."hint" IS 'What to do about it; NULL: nothing.';
COMMENT ON COLUMN "orapull"."status"."sqlstate" IS 'SQLSTATE of the last error.';
COMMENT ON COLUMN "orapull"."status"."worker_pid" IS 'Process id of the puller; NULL: not running.';
COMMENT ON COLUMN "orapull"."status"."activity" IS 'What the puller is doing, of which table; NULL: nothing, or a call of the source.';
COMMENT ON COLUMN "orapull"."status"."activity_since" IS 'Since when: a read that hangs shows here.';
COMMENT ON COLUMN "orapull"."status"."next_start" IS 'When the launcher starts a puller that ended.';
COMMENT ON COLUMN "orapull"."status"."no_worker_slot" IS 'max_worker_processes was used up when the puller, or a look for sources, should have begun.';
COMMENT ON COLUMN "orapull"."status"."published_portion" IS 'Last portion that the source has published.';
COMMENT ON COLUMN "orapull"."status"."applied_portion" IS 'Last portion that is durably applied here.';
COMMENT ON COLUMN "orapull"."status"."acked_portion" IS 'Last portion of which the source knows that it is applied here.';
COMMENT ON COLUMN "orapull"."status"."lag_portions" IS 'Portions published and not yet applied.';
COMMENT ON COLUMN "orapull"."status"."lag_pointers" IS 'Pointers to tables of any shard in the first thousand of those portions.';
COMMENT ON COLUMN "orapull"."status"."applied_scn" IS 'SCN up to which this shard is equal to the source.';
COMMENT ON COLUMN "orapull"."status"."lag_scn" IS 'How far the source is ahead, in SCNs; NULL: nothing was applied yet.';
COMMENT ON COLUMN "orapull"."status"."lag_seconds" IS 'Seconds since the oldest portion that is not applied was published, by the clocks of both servers; 0: there is none.';
COMMENT ON COLUMN "orapull"."status"."pointers_per_second" IS 'Pointers applied a second, over the last minute.';
COMMENT ON COLUMN "orapull"."status"."rows_per_second" IS 'Rows written or deleted a second by pointers, over the last minute.';
COMMENT ON COLUMN "orapull"."status"."polled_at" IS 'When the source was looked at last.';
COMMENT ON COLUMN "orapull"."status"."shard" IS 'Name of this shard at the source.';
COMMENT ON COLUMN "orapull"."status"."server" IS 'Foreign server of the source.';
COMMENT ON COLUMN "orapull"."status"."owner" IS 'Role as which everything of the source runs.';
COMMENT ON COLUMN "orapull"."status"."wished" IS 'What the operator wants: run, pause, resume or drop.';

CREATE VIEW "orapull"."tables" AS
SELECT
    s."name" AS "source",
    t."remote_owner" || '.' || t."remote_table" AS "remote",
    t."relation",
    t."identity",
    t."filter",
    coalesce(x."state", 'needs_resync') AS "state",
    x."state_since",
    coalesce(x."stalled", x."reason") AS "reason",
    CASE
        WHEN x."stalled" IS NOT NULL THEN 'Mend what the reason says; the load goes on by itself.'
        ELSE "orapull"."advice"(coalesce(x."state", 'needs_resync'))
    END AS "hint",
    x."incomplete",
    coalesce(n."upserted", 0) AS "rows_upserted",
    coalesce(n."deleted", 0) AS "rows_deleted",
    n."last_change_at",
    c."loaded" AS "chunks_loaded",
    x."chunks" AS "chunks_planned",
    CASE
        WHEN x."state" = 'loading' THEN
            round(c."rows" / nullif(extract(epoch FROM c."last_at" - x."state_since"), 0))
    END AS "load_rows_per_second",
    CASE
        WHEN x."state" = 'loading' AND c."loaded" > 0 THEN
            clock_timestamp() + (clock_timestamp() - x."state_since") * ((x."chunks" - c."loaded")::float / c."loaded")
    END AS "load_end",
    CASE
        WHEN x."state" = 'catching_up' AND r."asked" > 0 THEN
            clock_timestamp() + make_interval(secs => 60.0 * h."held" / r."asked")
    END AS "catch_up_end",
    h."held",
    h."parked",
    CASE
        WHEN t."wished" = 'run' AND (x."resync_due" OR t."resync_wish" > coalesce(x."resync_done", 0)) THEN 'resync'
        ELSE t."wished"
    END AS "wished"
FROM "orapull"."target" t
JOIN "orapull"."source" s USING ("source_id")
LEFT JOIN "orapull"."target_state" x USING ("target_id")
LEFT JOIN "orapull"."target_stats" n USING ("target_id")
LEFT JOIN LATERAL (
    SELECT count(k."applied_scn") AS "loaded", sum(k."rows") AS "rows",
           max(k."applied_at") AS "last_at"
    FROM "orapull"."load_chunk" k
    WHERE k."target_id" = t."target_id" AND k."generation" = x."generation" AND k."chunk" > 0
) c ON true
LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE k."reason" <> 'parked') AS "held", count(*) FILTER (WHERE k."reason" = 'parked') AS "parked"
    FROM "orapull"."parked_row" k
    WHERE k."target_id" = t."target_id" AND k."asked_scn" IS NULL
) h ON true
LEFT JOIN LATERAL (
    SELECT sum(b."pointers") AS "asked"
    FROM "orapull"."batch" b
    WHERE b."source_id" = t."source_id" AND b."request" IS NOT NULL AND b."at" > clock_timestamp() - interval '1 minute'
) r ON true;

COMMENT ON VIEW "orapull"."tables" IS 'One row per followed table: state, load, what is held and parked.';
COMMENT ON COLUMN "orapull"."tables"."source" IS 'Name of the source.';
COMMENT ON COLUMN "orapull"."tables"."remote" IS 'Oracle table.';
COMMENT ON COLUMN "orapull"."tables"."relation" IS 'Local table; a number when it was dropped.';
COMMENT ON COLUMN "orapull"."tables"."identity" IS 'key or rowid.';
COMMENT ON COLUMN "orapull"."tables"."filter" IS 'Rows that belong here; NULL: all.';
COMMENT ON COLUMN "orapull"."tables"."state" IS 'State of the table, see the reference.';
COMMENT ON COLUMN "orapull"."tables"."state_since" IS 'When it entered this state.';
COMMENT ON COLUMN "orapull"."tables"."reason" IS 'Why it is in this state, or why its load does not go on.';
COMMENT ON COLUMN "orapull"."tables"."hint" IS 'What to do about it; NULL: nothing.';
COMMENT ON COLUMN "orapull"."tables"."incomplete" IS 'The source said that rows changed in a way it could not locate: call resync().';
COMMENT ON COLUMN "orapull"."tables"."rows_upserted" IS 'Rows inserted or updated since the table was added.';
COMMENT ON COLUMN "orapull"."tables"."rows_deleted" IS 'Rows deleted since the table was added.';
COMMENT ON COLUMN "orapull"."tables"."last_change_at" IS 'Last time a row changed.';
COMMENT ON COLUMN "orapull"."tables"."chunks_loaded" IS 'Chunks of the present or last load that are in.';
COMMENT ON COLUMN "orapull"."tables"."chunks_planned" IS 'Chunks of the present or last load.';
COMMENT ON COLUMN "orapull"."tables"."load_rows_per_second" IS 'Rows a second of the load, while it runs.';
COMMENT ON COLUMN "orapull"."tables"."load_end" IS 'When the load should end at this speed.';
COMMENT ON COLUMN "orapull"."tables"."catch_up_end" IS 'When its held rows should be in, at the speed of the last minute.';
COMMENT ON COLUMN "orapull"."tables"."held" IS 'Identities that are held until the table is loaded or resumed.';
COMMENT ON COLUMN "orapull"."tables"."parked" IS 'Rows that could not be applied; see the view parked.';
COMMENT ON COLUMN "orapull"."tables"."wished" IS 'What is wanted and not done yet: pause, resume, resync (also by orapull.auto_resync) or drop; else run.';

CREATE VIEW "orapull"."events" AS
SELECT e."event_id", e."at", s."name" AS "source", e."relation", e."severity", e."what", e."detail"
FROM "orapull"."event" e
LEFT JOIN "orapull"."source" s USING ("source_id");

COMMENT ON VIEW "orapull"."events" IS 'Things an operator should know. Kept for 30 days.';
COMMENT ON COLUMN "orapull"."events"."event_id" IS 'Number of the event.';
COMMENT ON COLUMN "orapull"."events"."at" IS 'When.';
COMMENT ON COLUMN "orapull"."events"."source" IS 'Name of the source.';
COMMENT ON COLUMN "orapull"."events"."relation" IS 'Local table, if it is about one.';
COMMENT ON COLUMN "orapull"."events"."severity" IS 'info, warning or error.';
COMMENT ON COLUMN "orapull"."events"."what" IS 'What happened.';
COMMENT ON COLUMN "orapull"."events"."detail" IS 'Numbers and names.';

CREATE VIEW "orapull"."parked" AS
SELECT
    s."name" AS "source",
    t."relation",
    p."reason",
    p."row_id",
    array_remove(ARRAY[p."k1", p."k2", p."k3", p."k4", p."k5", p."k6", p."k7", p."k8"], NULL) AS "key",
    p."sqlstate",
    p."message",
    p."attempts",
    p."next_attempt",
    p."first_at"
FROM "orapull"."parked_row" p
JOIN "orapull"."target" t USING ("target_id")
JOIN "orapull"."source" s USING ("source_id")
WHERE p."asked_scn" IS NULL;

COMMENT ON VIEW "orapull"."parked" IS 'Rows that are held or could not be applied, with the error.';
COMMENT ON COLUMN "orapull"."parked"."source" IS 'Name of the source.';
COMMENT ON COLUMN "orapull"."parked"."relation" IS 'Local table.';
COMMENT ON COLUMN "orapull"."parked"."reason" IS 'held, suspected, fetch again or parked.';
COMMENT ON COLUMN "orapull"."parked"."row_id" IS 'ROWID at the source, when known.';
COMMENT ON COLUMN "orapull"."parked"."key" IS 'Key values as text.';
COMMENT ON COLUMN "orapull"."parked"."sqlstate" IS 'SQLSTATE of the error.';
COMMENT ON COLUMN "orapull"."parked"."message" IS 'The error.';
COMMENT ON COLUMN "orapull"."parked"."attempts" IS 'How often it failed.';
COMMENT ON COLUMN "orapull"."parked"."next_attempt" IS 'When it is tried next; retry_parked() tries it now.';
COMMENT ON COLUMN "orapull"."parked"."first_at" IS 'When it was first held or parked.';

CREATE VIEW "orapull"."batches" AS
SELECT
    b."batch_id", s."name" AS "source", b."at", b."portion_from", b."portion_to", b."request", b."pointers", b."fetched",
    b."upserted", b."deleted", b."unchanged", b."held", b."parked", b."fetch_ms", b."apply_ms",
    b."ahead"
FROM "orapull"."batch" b
JOIN "orapull"."source" s USING ("source_id");

COMMENT ON VIEW "orapull"."batches" IS 'Applied batches and requests of the last day.';
COMMENT ON COLUMN "orapull"."batches"."batch_id" IS 'Number of the batch.';
COMMENT ON COLUMN "orapull"."batches"."source" IS 'Name of the source.';
COMMENT ON COLUMN "orapull"."batches"."at" IS 'When it was applied.';
COMMENT ON COLUMN "orapull"."batches"."portion_from" IS 'First portion; NULL for a request.';
COMMENT ON COLUMN "orapull"."batches"."portion_to" IS 'Last portion; NULL for a request.';
COMMENT ON COLUMN "orapull"."batches"."request" IS 'Number of the request; NULL for portions.';
COMMENT ON COLUMN "orapull"."batches"."pointers" IS 'Pointers read.';
COMMENT ON COLUMN "orapull"."batches"."fetched" IS 'Rows read.';
COMMENT ON COLUMN "orapull"."batches"."upserted" IS 'Rows inserted or updated.';
COMMENT ON COLUMN "orapull"."batches"."deleted" IS 'Rows deleted.';
COMMENT ON COLUMN "orapull"."batches"."unchanged" IS 'Rows read that were equal already.';
COMMENT ON COLUMN "orapull"."batches"."held" IS 'Pointers held.';
COMMENT ON COLUMN "orapull"."batches"."parked" IS 'Rows parked.';
COMMENT ON COLUMN "orapull"."batches"."fetch_ms" IS 'Milliseconds spent reading from the source.';
COMMENT ON COLUMN "orapull"."batches"."apply_ms" IS 'Milliseconds spent applying, until just before the commit.';
COMMENT ON COLUMN "orapull"."batches"."ahead" IS 'It was read while the batch before it was applied, by the second hand (orapull.read_ahead).';
