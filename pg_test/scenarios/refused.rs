//! Local tables that cannot be followed into, each refused with its reason; and the ones beside them that can.

use anyhow::Result;

use super::items::{self, SOON};
use super::{Scenario, loads, steps};
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "refused/local_tables_that_would_lose_rows",
        shards: 1,
        tables: Tables::None,
        run: local_tables_that_would_lose_rows,
    },
    Scenario {
        name: "refused/what_a_followed_table_becomes_pauses_it",
        shards: 1,
        tables: Tables::None,
        run: what_a_followed_table_becomes_pauses_it,
    },
    Scenario {
        name: "refused/what_a_loading_table_becomes_pauses_it",
        shards: 1,
        tables: Tables::None,
        run: what_a_loading_table_becomes_pauses_it,
    },
    Scenario {
        name: "refused/only_tables_that_can_be_followed_are_added_by_pattern",
        shards: 1,
        tables: Tables::None,
        run: only_tables_that_can_be_followed_are_added_by_pattern,
    },
    Scenario {
        name: "refused/a_pattern_is_one_of_like",
        shards: 1,
        tables: Tables::None,
        run: a_pattern_is_one_of_like,
    },
];

/// Statements that make app.here, and what the refusal says.
const REFUSED: [(&str, &str, &str); 25] = [
    (
        "CREATE UNLOGGED TABLE app.here (id integer PRIMARY KEY, code text)",
        "42809",
        "is not permanent",
    ),
    (
        "CREATE TABLE app.here (id integer, code text)",
        "42809",
        "has no unique index on (id)",
    ),
    (
        "CREATE TABLE app.here (id integer, code text, UNIQUE (id, code))",
        "42809",
        "has no unique index on (id)",
    ),
    (
        "CREATE TABLE app.here (id integer, code text); CREATE UNIQUE INDEX ON app.here (id) WHERE code IS NOT NULL",
        "42809",
        "partial",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY DEFERRABLE, code text)",
        "42809",
        "deferrable",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text); CREATE UNIQUE INDEX ON app.here (lower(code))",
        "42809",
        "on an expression",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text); CREATE UNIQUE INDEX ON app.here (code) WHERE id > 0",
        "42809",
        "a partial unique index",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text, EXCLUDE USING btree (code WITH =))",
        "42809",
        "an exclusion constraint",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text) PARTITION BY RANGE (id);
         CREATE UNLOGGED TABLE app.low PARTITION OF app.here DEFAULT",
        "42809",
        "app.here: its partition app.low is not permanent",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text) PARTITION BY RANGE (id);
         CREATE TABLE app.middle PARTITION OF app.here DEFAULT PARTITION BY RANGE (id);
         CREATE UNLOGGED TABLE app.low PARTITION OF app.middle DEFAULT",
        "42809",
        "app.here: its partition app.low is not permanent",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text) PARTITION BY RANGE (id);
         CREATE TABLE app.low PARTITION OF app.here DEFAULT; CREATE UNIQUE INDEX ON app.low (lower(code))",
        "42809",
        "app.here: its partition app.low has a unique index on an expression",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text) PARTITION BY RANGE (id);
         CREATE TABLE app.low PARTITION OF app.here DEFAULT; CREATE UNIQUE INDEX ON app.low (code) WHERE id > 0",
        "42809",
        "app.here: its partition app.low has a partial unique index",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text) PARTITION BY RANGE (id);
         CREATE TABLE app.low PARTITION OF app.here DEFAULT; ALTER TABLE app.low ADD EXCLUDE USING btree (code WITH =)",
        "42809",
        "app.here: its partition app.low has an exclusion constraint",
    ),
    (
        "CREATE TABLE app.here (id integer, code text, UNIQUE (id, code)) PARTITION BY LIST (code)",
        "42809",
        "has no unique index",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text); CREATE RULE r AS ON INSERT TO app.here DO INSTEAD NOTHING",
        "42809",
        "has rules",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text); CREATE TABLE app.child () INHERITS (app.here)",
        "42809",
        "inheritance tree",
    ),
    (
        "CREATE TABLE app.parent (id integer, code text); CREATE TABLE app.here (PRIMARY KEY (id)) INHERITS (app.parent)",
        "42809",
        "inheritance tree",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text, n integer GENERATED ALWAYS AS IDENTITY)",
        "42809",
        "generates n always",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text); ALTER TABLE app.here ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
        "42809",
        "row security",
    ),
    (
        "CREATE TABLE app.here (id smallint PRIMARY KEY, code text)",
        "42809",
        "two different values equal or refuse one",
    ),
    (
        "CREATE TABLE app.here (id double precision PRIMARY KEY, code text)",
        "42809",
        "two different values equal or refuse one",
    ),
    (
        "CREATE TABLE app.here (id integer PRIMARY KEY, code text); INSERT INTO app.here VALUES (1)",
        "42809",
        "is not empty",
    ),
    (
        "CREATE VIEW app.here AS SELECT 1 AS id, 'c' AS code",
        "42809",
        "is not a table",
    ),
    (
        "CREATE TABLE app.here (key integer PRIMARY KEY, code text)",
        "42809",
        "has no unique index on (id)",
    ),
    (
        "CREATE TABLE app.here (base integer, id integer GENERATED ALWAYS AS (base + 1) STORED UNIQUE, code text)",
        "42809",
        "generated",
    ),
];

/// The same for a text as the key.
const REFUSED_TEXTS: [(&str, &str); 3] = [
    (
        "CREATE TABLE app.here (code text COLLATE app.folding PRIMARY KEY)",
        "nondeterministic collation",
    ),
    (
        "CREATE TABLE app.here (code varchar(5) PRIMARY KEY)",
        "two different values equal or refuse one",
    ),
    (
        "CREATE TABLE app.here (code text); CREATE UNIQUE INDEX ON app.here (code COLLATE app.folding)",
        "folds",
    ),
];

const ACCEPTED: [&str; 3] = [
    "CREATE TABLE app.here (id integer, code text, PRIMARY KEY (id)) PARTITION BY RANGE (id);
     CREATE TABLE app.low PARTITION OF app.here FOR VALUES FROM (0) TO (50);
     CREATE TABLE app.high PARTITION OF app.here DEFAULT;
     CREATE RULE r AS ON INSERT TO app.low DO INSTEAD NOTHING",
    "CREATE TABLE app.here (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code text)",
    "CREATE TABLE app.here (id numeric(12), code text); CREATE UNIQUE INDEX ON app.here (id) INCLUDE (code)",
];

const ADD: &str = "SELECT orapull.add_table('main', 'APP.ITEMS', relation => 'app.here')";
const CLEAN: &str = "DROP SCHEMA app CASCADE; CREATE SCHEMA app AUTHORIZATION app_owner;
    CREATE COLLATION app.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    GRANT USAGE ON SCHEMA app TO app_owner";

fn local_tables_that_would_lose_rows(bed: &Bed) -> Result<()> {
    let rows = "SELECT i, 'code ' || i FROM generate_series(1, 100) AS i";
    steps::captured_table(
        bed,
        "ITEMS",
        r#""ID" numeric(9) PRIMARY KEY, "CODE" varchar(20)"#,
        rows,
    )?;
    steps::table(bed, "TEXTS", r#""CODE" varchar(20) PRIMARY KEY"#, "")?;
    bed.create_source(0)?;
    let clean = || {
        bed.shard(0)?
            .batch_execute(CLEAN)
            .map_err(anyhow::Error::from)
    };
    for (make, sqlstate, reason) in REFUSED {
        clean()?;
        steps::at_shard(bed, make)?;
        let (code, message) = steps::refusal(bed, ADD)?;
        assert!(
            code == sqlstate && message.contains(reason),
            "{make}: {code} {message}"
        );
    }
    for (make, reason) in REFUSED_TEXTS {
        clean()?;
        steps::at_shard(bed, make)?;
        let (code, message) = steps::refusal(bed, &ADD.replace("ITEMS", "TEXTS"))?;
        assert!(
            code == "42809" && message.contains(reason),
            "{make}: {code} {message}"
        );
    }
    let nowhere = "SELECT orapull.add_table('main', 'NOWHERE.ITEMS')";
    bed.at_source(
        r#"CREATE SCHEMA "NOWHERE"; CREATE TABLE "NOWHERE"."ITEMS" ("ID" numeric(9) PRIMARY KEY)"#,
    )?;
    bed.at_source(r#"SELECT "TEST"."ADD_ROWID"('NOWHERE', 'ITEMS')"#)?;
    let (code, message) = steps::refusal(bed, nowhere)?;
    assert!(
        code == "42704" && message.contains("no schema nowhere"),
        "{code} {message}"
    );
    for make in ACCEPTED {
        clean()?;
        steps::at_shard(bed, make)?;
        steps::at_shard(bed, ADD)?;
        let (code, message) = steps::refusal(bed, ADD)?;
        assert!(
            code == "42710" && message.contains("followed into already"),
            "{code} {message}"
        );
        bed.catch_up(0)?;
        bed.at_source(r#"UPDATE "APP"."ITEMS" SET "ID" = CASE "ID" WHEN 1 THEN 1000 ELSE 1 END WHERE "ID" IN (1, 1000)"#)?;
        bed.catch_up(0)?;
        assert_eq!(bed.identical(0, &steps::pair("ITEMS", "app.here"))?, 100);
        steps::at_shard(bed, "SELECT orapull.drop_table('app.here')")?;
        bed.eventually(
            "the table is not followed any more",
            std::time::Duration::from_secs(10),
            || steps::value::<bool>(bed, "SELECT NOT EXISTS (SELECT FROM orapull.tables)"),
        )?;
    }
    Ok(())
}

/// What is done to a followed table, the reason for which it is paused, and how it is mended.
const SPOILT: [(&str, &str, &str); 4] = [
    (
        "ALTER TABLE app.low SET UNLOGGED",
        "its partition app.low is not permanent",
        "ALTER TABLE app.low SET LOGGED",
    ),
    (
        "CREATE UNLOGGED TABLE app.more (id integer NOT NULL, code text);
         ALTER TABLE app.here ATTACH PARTITION app.more FOR VALUES FROM (1000) TO (2000)",
        "its partition app.more is not permanent",
        "DROP TABLE app.more",
    ),
    (
        "CREATE UNIQUE INDEX odd ON app.high (lower(code))",
        "its partition app.high has a unique index on an expression",
        "DROP INDEX app.odd",
    ),
    (
        "CREATE RULE odd AS ON INSERT TO app.here DO INSTEAD NOTHING",
        "app.here has rules",
        "DROP RULE odd ON app.here",
    ),
];

const PARTITIONED: &str =
    "CREATE TABLE app.here (id integer PRIMARY KEY, code text) PARTITION BY RANGE (id);
    CREATE TABLE app.low PARTITION OF app.here FOR VALUES FROM (0) TO (50);
    CREATE TABLE app.high PARTITION OF app.here FOR VALUES FROM (50) TO (1000)";

fn partitioned(bed: &Bed) -> Result<()> {
    let rows = "SELECT i, 'code ' || i FROM generate_series(1, 100) AS i";
    steps::captured_table(
        bed,
        "ITEMS",
        r#""ID" numeric(9) PRIMARY KEY, "CODE" varchar(200)"#,
        rows,
    )?;
    bed.create_source(0)?;
    steps::at_shard(bed, PARTITIONED)
}

fn is_paused(bed: &Bed, reason: &str) -> Result<()> {
    bed.eventually(&format!("paused: {reason}"), SOON, || {
        let sql = "SELECT concat_ws(' ', state, reason) FROM orapull.tables";
        let now: String = steps::value(bed, sql)?;
        Ok(now.starts_with("paused") && now.contains(reason))
    })
}

fn what_a_followed_table_becomes_pauses_it(bed: &Bed) -> Result<()> {
    partitioned(bed)?;
    steps::at_shard(bed, ADD)?;
    bed.catch_up(0)?;
    for (spoil, reason, mend) in SPOILT {
        steps::at_shard(bed, spoil)?;
        bed.at_source(r#"UPDATE "APP"."ITEMS" SET "CODE" = "CODE" || '!'"#)?;
        bed.publish()?;
        is_paused(bed, reason)?;
        assert_ne!(
            bed.identical(0, &steps::pair("ITEMS", "app.here")).ok(),
            Some(100),
            "{spoil}: nothing is written"
        );
        steps::at_shard(bed, mend)?;
        steps::at_shard(bed, "SELECT orapull.resume('main', 'app.here')")?;
        bed.catch_up(0)?;
        assert_eq!(bed.identical(0, &steps::pair("ITEMS", "app.here"))?, 100);
    }
    Ok(())
}

fn what_a_loading_table_becomes_pauses_it(bed: &Bed) -> Result<()> {
    partitioned(bed)?;
    items::set(bed, "orapull.load_workers", Some("0"))?;
    steps::at_shard(bed, ADD)?;
    loads::planned(bed)?;
    steps::at_shard(bed, "ALTER TABLE app.low SET UNLOGGED")?;
    items::set(bed, "orapull.load_workers", None)?;
    is_paused(bed, "its partition app.low is not permanent")?;
    assert_eq!(
        steps::value::<i64>(bed, "SELECT count(*) FROM app.here")?,
        0
    );
    steps::at_shard(bed, "ALTER TABLE app.low SET LOGGED")?;
    steps::at_shard(bed, "SELECT orapull.resume('main', 'app.here')")?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &steps::pair("ITEMS", "app.here"))?, 100);
    Ok(())
}

fn only_tables_that_can_be_followed_are_added_by_pattern(bed: &Bed) -> Result<()> {
    steps::table(
        bed,
        "T_GOOD",
        r#""ID" numeric(9) PRIMARY KEY"#,
        "SELECT generate_series(1, 5)",
    )?;
    steps::table(
        bed,
        "T_HEAP",
        r#""ID" numeric(9)"#,
        "SELECT generate_series(1, 5)",
    )?;
    steps::table(bed, "T_TAKEN", r#""ID" numeric(9) PRIMARY KEY"#, "")?;
    steps::table(
        bed,
        "T_SHAPE",
        r#""ID" numeric(9) PRIMARY KEY, "WHERE" point"#,
        "",
    )?;
    steps::table(
        bed,
        "T_NAMES",
        r#""ID" numeric(9) PRIMARY KEY, "NAME" varchar(9), "name" varchar(9)"#,
        "",
    )?;
    steps::table(bed, "T_TYPE", r#""ID" numeric(9) PRIMARY KEY"#, "")?;
    steps::table(bed, "OTHER", r#""ID" numeric(9) PRIMARY KEY"#, "")?;
    bed.create_source(0)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.t_taken (); CREATE TYPE app.t_type AS ENUM ()",
    )?;
    let rows = bed.owner(0)?.query(
        "SELECT remote, coalesce(relation::text, '-'), added, coalesce(reason, '') FROM orapull.add_tables('main', 'APP.T%') ORDER BY remote",
        &[],
    )?;
    let expected = [
        ("APP.T_GOOD", "app.t_good", ""),
        ("APP.T_HEAP", "app.t_heap", ""),
        ("APP.T_NAMES", "-", "would both be called name here"),
        ("APP.T_SHAPE", "-", "type POINT is not supported"),
        ("APP.T_TAKEN", "-", "exists already"),
        // Not foreseen: PostgreSQL itself refuses.
        ("APP.T_TYPE", "-", "type \"t_type\" already exists"),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (remote, relation, reason)) in rows.iter().zip(expected) {
        let (added, why): (bool, String) = (row.get(2), row.get(3));
        assert_eq!(
            (row.get::<_, &str>(0), row.get::<_, &str>(1)),
            (remote, relation),
            "{why}"
        );
        assert!(
            added == reason.is_empty() && why.contains(reason),
            "{remote}: {why}"
        );
    }
    let left =
        "SELECT count(*) FROM pg_class WHERE relkind = 'f' AND relname ~ '^(pull|load)_[0-9]+$'";
    assert_eq!(
        steps::value::<i64>(bed, left)?,
        4,
        "what is refused leaves nothing"
    );
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &steps::pair("T_GOOD", "app.t_good"))?, 5);
    assert_eq!(bed.identical(0, &steps::pair("T_HEAP", "app.t_heap"))?, 5);
    Ok(())
}

fn a_pattern_is_one_of_like(bed: &Bed) -> Result<()> {
    for table in ["T_ONE", "TXONE", "TONE", "t_two", "OTHER"] {
        steps::table(bed, table, r#""ID" numeric(9) PRIMARY KEY"#, "")?;
    }
    bed.create_source(0)?;
    // One letter stands for one letter, and a letter is not the same in the other case.
    assert_eq!(matching(bed, "APP.T_ONE")?, "APP.TXONE+ APP.T_ONE+");
    assert_eq!(matching(bed, "APP.t%")?, "APP.t_two+");
    assert_eq!(matching(bed, "app.%")?, "");
    // What is followed already does not keep the others waiting.
    assert_eq!(
        matching(bed, "%P.T%ONE")?,
        "APP.TONE+ APP.TXONE- APP.T_ONE-"
    );
    assert_eq!(
        steps::value::<String>(
            bed,
            "SELECT string_agg(relation::text, ' ' ORDER BY relation::text) FROM orapull.tables"
        )?,
        "app.t_one app.t_two app.tone app.txone"
    );
    Ok(())
}

/// The tables that add_tables found, each with whether it was added.
fn matching(bed: &Bed, pattern: &str) -> Result<String> {
    let row = bed.owner(0)?.query_one(
        r#"SELECT coalesce(string_agg(remote || CASE WHEN added THEN '+' ELSE '-' END, ' ' ORDER BY remote COLLATE "C"), '')
           FROM orapull.add_tables('main', $1)"#,
        &[&pattern],
    )?;
    Ok(row.get(0))
}
