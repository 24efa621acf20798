-- What must hold: of every portion when it is published, of every change, and of every shard in the end.

CREATE UNLOGGED TABLE history.looked_at (
    portion numeric PRIMARY KEY,
    slot    numeric NOT NULL,
    scn_to  numeric NOT NULL
);
COMMENT ON TABLE history.looked_at IS 'Portions that were looked at, with the slot in which they were';

CREATE UNLOGGED TABLE history.rebuilt (
    LIKE history.published
);
COMMENT ON TABLE history.rebuilt IS 'Pointers of the portion that is looked at';

CREATE FUNCTION history.missing_pointers(p_portion numeric) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', t.tab, m.kind, m.row_id, m.k1, m.k2), ', ')
FROM (
    SELECT p.table_id, p.kind, p.row_id, p.k1, p.k2 FROM history.published p
    WHERE p.portion = p_portion AND p.kind IN ('R', 'T')
      AND NOT EXISTS (SELECT FROM history.rebuilt u WHERE u.table_id = p.table_id AND u.kind = 'U')
    EXCEPT
    SELECT r.table_id, r.kind, r.row_id, r.k1, r.k2 FROM history.rebuilt r
) m
JOIN history.told t ON t.table_id = m.table_id
$$;
COMMENT ON FUNCTION history.missing_pointers(numeric) IS 'Pointers that a rebuilt portion had before and has not now';

CREATE FUNCTION history.look_at_one(p_portion numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_before  history.looked_at;
    l_portion record;
    l_found   record;
BEGIN
    SELECT * INTO l_portion FROM "ORAPULL"."PORTION" p WHERE p."PORTION_ID" = p_portion;
    SELECT * INTO l_before FROM history.looked_at l WHERE l.portion = p_portion;
    DELETE FROM history.rebuilt;
    INSERT INTO history.rebuilt
    SELECT p."P$PORTION", p."TABLE_ID", p."KIND", p."ROW_ID", p."K1", p."K2", p."P$PREV", p."COMMIT_SCN"
    FROM "ORAPULL"."POINTER_V" p WHERE p."P$SLOT" = l_portion."SLOT_ID" AND p."P$PORTION" = p_portion;
    IF (SELECT count(*) FROM history.rebuilt) <> l_portion."POINTERS" THEN
        PERFORM history.wrong('order', format('portion %s says it has %s pointers', p_portion, l_portion."POINTERS"));
    END IF;
    IF l_before.portion IS NOT NULL THEN
        PERFORM history.wrong('lost', format('portion %s was rebuilt without %s', p_portion, m))
        FROM history.missing_pointers(p_portion) m WHERE m IS NOT NULL;
        UPDATE history.looked_at l SET slot = l_portion."SLOT_ID" WHERE l.portion = p_portion;
        RETURN;
    END IF;
    SELECT max(l.portion) AS portion, max(l.scn_to) AS scn_to INTO l_found FROM history.looked_at l;
    IF p_portion <> coalesce(l_found.portion, 0) + 1 OR l_portion."SCN_TO" < l_found.scn_to THEN
        PERFORM history.wrong('order', format('portion %s (to SCN %s) comes after portion %s (to SCN %s)',
                                              p_portion, l_portion."SCN_TO", l_found.portion, l_found.scn_to));
    END IF;
    IF history.is_other_incarnation() THEN
        PERFORM history.wrong('premature', format('portion %s was published, and the database is another one', p_portion));
    END IF;
    INSERT INTO history.looked_at VALUES (p_portion, l_portion."SLOT_ID", l_portion."SCN_TO");
    INSERT INTO history.published SELECT * FROM history.rebuilt;
    PERFORM history.wrong('premature', format('portion %s has a pointer with commit SCN %s, when nothing has committed', p_portion, r.scn))
    FROM history.rebuilt r
    -- What a transaction did that is buried has none.
    WHERE r.kind IN ('R', 'T', 'D') AND r.scn IS NOT NULL AND r.scn NOT IN (SELECT c.scn FROM history.commit c);
    PERFORM history.wrong('order', format('portion %s looks back at portion %s, which has no such pointer, or for a T between', p_portion, r.prev))
    FROM history.rebuilt r
    WHERE r.prev > 0 AND (
        NOT EXISTS (SELECT FROM "ORAPULL"."PORTION" h
                    JOIN "ORAPULL"."POINTER_V" p ON p."P$SLOT" = h."SLOT_ID" AND p."P$PORTION" = h."PORTION_ID"
                    WHERE h."PORTION_ID" = r.prev AND p."TABLE_ID" = r.table_id AND p."KIND" = 'R'
                      AND (p."ROW_ID", p."K1", p."K2") IS NOT DISTINCT FROM (r.row_id, r.k1, r.k2))
        OR EXISTS (SELECT FROM history.published p WHERE p.table_id = r.table_id AND p.kind IN ('T', 'D') AND p.portion > r.prev AND p.portion < p_portion));
END
$$;
COMMENT ON FUNCTION history.look_at_one(numeric) IS 'A new portion is the next, and none of its pointers is premature; a rebuilt one has all it had';

CREATE FUNCTION history.look_at_portions() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.look_at_one(p.id) FROM (
        SELECT p."PORTION_ID" AS id
        FROM "ORAPULL"."PORTION" p
        JOIN "ORAPULL"."SLOT" s ON s."SLOT_ID" = p."SLOT_ID" AND s."STATUS" <> 'LOST'
        LEFT JOIN history.looked_at l ON l.portion = p."PORTION_ID"
        WHERE l.slot IS DISTINCT FROM p."SLOT_ID"
        ORDER BY p."PORTION_ID") p;
END
$$;
COMMENT ON FUNCTION history.look_at_portions() IS 'Looks at what is new';

-- A change of a READY table needs a pointer that was published after the commit: by key, or by ROWID when redo tells no more;
-- DDL one of its kind.
CREATE FUNCTION history.check_changes() RETURNS void LANGUAGE sql AS $$
SELECT history.wrong(CASE WHEN bool_or(p.portion <= c.after_portion) THEN 'premature' ELSE 'lost' END,
                     format('%s: the change of %s %s by tx %s, which committed at %s', CASE WHEN bool_or(p.portion <= c.after_portion) THEN 'too early' ELSE 'no pointer' END,
                            c.tab, concat_ws('/', c.row_id, c.k1, c.k2, nullif(c.kind, 'R')), c.tx, c.commit_scn))
FROM history.change c
LEFT JOIN (history.told t JOIN history.published p ON p.table_id = t.table_id) ON t.tab = c.tab
    AND (p.kind = 'U' OR c.kind = 'R' AND p.k1 || coalesce('/' || p.k2, '') = c.k1 || coalesce('/' || c.k2, '')
         OR c.kind = 'R' AND p.row_id = c.row_id AND p.k1 IS NULL OR c.kind <> 'R' AND p.kind = c.kind)
WHERE c.due
GROUP BY c.tx, c.tab, c.row_id, c.k1, c.k2, c.kind, c.commit_scn, c.after_portion
HAVING NOT coalesce(bool_or(p.portion > c.after_portion), false)
$$;
COMMENT ON FUNCTION history.check_changes() IS 'No change is lost, none was published before its commit';

CREATE FUNCTION history.check_shards() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    r       record;
    l_wrong text;
BEGIN
    FOR r IN SELECT t.shard, t.tab, s.key FROM history.target t JOIN history.source s ON s.tab = t.tab LOOP
        EXECUTE format($q$
            SELECT string_agg(coalesce(c.identity || ' is ' || c.data::text, x.identity || ' is missing') || coalesce(', not ' || x.data::text, ', and should not be'), '; ')
            FROM (SELECT * FROM history.copied c WHERE c.shard = %L AND c.tab = %L) c
            FULL JOIN (SELECT history.identity(%L, t."ROWID$", d ->> %L, d ->> %L) AS identity, d AS data
                       FROM "APP".%I t CROSS JOIN LATERAL (SELECT to_jsonb(t) - 'ROWID$' AS d) d) x ON x.identity = c.identity
            WHERE c.data IS DISTINCT FROM x.data$q$, r.shard, r.tab, r.tab, r.key[1], r.key[2], r.tab) INTO l_wrong;
        IF l_wrong IS NOT NULL THEN
            PERFORM history.wrong('different', format('shard %s, table %s: %s', r.shard, r.tab, l_wrong));
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION history.check_shards() IS 'Every shard has the rows of the source';
