//! What is in the rows: types, names, columns that one side lacks.

use anyhow::Result;

use super::Scenario;
use super::steps;
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "values/large_objects_arrive_whole",
        shards: 1,
        tables: Tables::None,
        run: large_objects_arrive_whole,
    },
    Scenario {
        name: "values/types_without_an_equality_change_only_when_they_differ",
        shards: 1,
        tables: Tables::None,
        run: types_without_an_equality_change_only_when_they_differ,
    },
    Scenario {
        name: "values/columns_of_one_side_alone_are_left_alone",
        shards: 1,
        tables: Tables::None,
        run: columns_of_one_side_alone_are_left_alone,
    },
    Scenario {
        name: "values/names_of_all_kinds_are_followed",
        shards: 1,
        tables: Tables::None,
        run: names_of_all_kinds_are_followed,
    },
    Scenario {
        name: "values/created_tables_take_every_value_of_the_source",
        shards: 1,
        tables: Tables::None,
        run: created_tables_take_every_value_of_the_source,
    },
];

fn large_objects_arrive_whole(bed: &Bed) -> Result<()> {
    let megabyte =
        "(SELECT string_agg(md5(i || ':' || k), '') FROM generate_series(1, 32768) AS k)";
    steps::captured_table(
        bed,
        "DOCUMENTS",
        r#""ID" numeric(9) PRIMARY KEY, "BODY" text, "DATA" bytea"#,
        &format!("SELECT i, {megabyte}, decode({megabyte}, 'hex') FROM generate_series(1, 4) AS i"),
    )?;
    bed.at_source(r#"INSERT INTO "APP"."DOCUMENTS" VALUES (5, '', ''), (6, NULL, NULL), (7, '', NULL), (8, NULL, '')"#)?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.DOCUMENTS", "")?;
    bed.catch_up(0)?;
    let documents = steps::pair("DOCUMENTS", "app.documents");
    assert_eq!(bed.identical(0, &documents)?, 8);
    // One byte in the middle; empty and NULL change sides.
    bed.at_source(
        r#"UPDATE "APP"."DOCUMENTS" SET "BODY" = overlay("BODY" PLACING 'X' FROM 700000) WHERE "ID" = 1;
           UPDATE "APP"."DOCUMENTS" SET "DATA" = overlay("DATA" PLACING '\x00' FROM 500000) WHERE "ID" = 2;
           UPDATE "APP"."DOCUMENTS" SET "BODY" = '' WHERE "ID" IN (3, 6);
           UPDATE "APP"."DOCUMENTS" SET "DATA" = NULL WHERE "ID" IN (4, 5);
           UPDATE "APP"."DOCUMENTS" SET "BODY" = "BODY" || "BODY" WHERE "ID" = 4"#,
    )?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &documents)?, 8);
    Ok(())
}

fn types_without_an_equality_change_only_when_they_differ(bed: &Bed) -> Result<()> {
    steps::table(
        bed,
        "THINGS",
        r#""ID" numeric(9) PRIMARY KEY, "J" text, "X" text, "P" varchar(40), "E" varchar(10), "D" numeric(9), "N" varchar(20)"#,
        r#"SELECT i, '{"a": ' || i || '}', '<a>' || i || '</a>', '(' || i || ',2)', 'calm', i, 'name ' || i
           FROM generate_series(1, 9) AS i"#,
    )?;
    steps::oracle_type(bed, "THINGS", "X", "XMLTYPE")?;
    bed.create_source(0)?;
    steps::at_shard(
        bed,
        r#"CREATE COLLATION app.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
           CREATE TYPE app.mood AS ENUM ('calm', 'cross');
           CREATE DOMAIN app.positive AS integer CHECK (value > 0);
           CREATE TABLE app.things (id integer PRIMARY KEY, j json, x xml, p point, e app.mood, d app.positive,
                                    n text COLLATE app.folding)"#,
    )?;
    bed.add_table(0, "APP.THINGS", "relation => 'app.things'")?;
    bed.catch_up(0)?;
    let things = steps::pair("THINGS", "app.things");
    assert_eq!(bed.identical(0, &things)?, 9);
    // 1 to 7 change in one column each, the last two not at all.
    bed.at_source(
        r#"UPDATE "APP"."THINGS" SET "J" = '{ "a": 1 }' WHERE "ID" = 1;
           UPDATE "APP"."THINGS" SET "X" = '<a>2</a>' || chr(10) WHERE "ID" = 2;
           UPDATE "APP"."THINGS" SET "P" = '(3.5,2)' WHERE "ID" = 3;
           UPDATE "APP"."THINGS" SET "E" = 'cross' WHERE "ID" = 4;
           UPDATE "APP"."THINGS" SET "D" = 50 WHERE "ID" = 5;
           UPDATE "APP"."THINGS" SET "N" = 'NAME 6' WHERE "ID" = 6;
           UPDATE "APP"."THINGS" SET "J" = NULL, "X" = NULL, "P" = NULL WHERE "ID" = 7"#,
    )?;
    let pointers: Vec<String> = (1..=9).map(|id| format!("p_k1 => '{id}'")).collect();
    let pointers: Vec<(&str, &str)> = pointers.iter().map(|p| ("THINGS", p.as_str())).collect();
    let done = steps::publish_and_pull(bed, &pointers)?;
    assert_eq!((done.upserted, done.unchanged), (7, 2));
    assert_eq!(bed.identical(0, &things)?, 9);
    Ok(())
}

fn columns_of_one_side_alone_are_left_alone(bed: &Bed) -> Result<()> {
    steps::captured_table(
        bed,
        "ORDERS",
        r#""ID" numeric(9) PRIMARY KEY, "PRICE" numeric(9), "TOTAL" numeric(9), "SECRET" varchar(20)"#,
        "SELECT i, i, -1, 'not for the shard' FROM generate_series(1, 10) AS i",
    )?;
    bed.create_source(0)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.orders (note text DEFAULT 'of the shard', gone text, id integer PRIMARY KEY, price integer,
             total integer GENERATED ALWAYS AS (price * 2) STORED, own_number integer GENERATED BY DEFAULT AS IDENTITY);
         ALTER TABLE app.orders DROP COLUMN gone",
    )?;
    bed.add_table(0, "APP.ORDERS", "relation => 'app.orders'")?;
    bed.catch_up(0)?;
    steps::at_shard(bed, "UPDATE app.orders SET note = 'kept' WHERE id <= 5")?;
    bed.at_source(
        r#"UPDATE "APP"."ORDERS" SET "PRICE" = "PRICE" + 100, "TOTAL" = -2 WHERE "ID" IN (1, 6);
           UPDATE "APP"."ORDERS" SET "SECRET" = 'another one' WHERE "ID" = 2;
           DELETE FROM "APP"."ORDERS" WHERE "ID" = 10;
           INSERT INTO "APP"."ORDERS" VALUES (11, 11, 0, NULL)"#,
    )?;
    bed.catch_up(0)?;
    let rows: String = steps::value(
        bed,
        "SELECT string_agg(concat_ws(' ', id, price, total, note), '; ' ORDER BY id) FROM app.orders",
    )?;
    assert_eq!(
        rows,
        "1 101 202 kept; 2 2 4 kept; 3 3 6 kept; 4 4 8 kept; 5 5 10 kept; 6 106 212 of the shard; \
         7 7 14 of the shard; 8 8 16 of the shard; 9 9 18 of the shard; 11 11 22 of the shard"
    );
    assert!(steps::value::<bool>(
        bed,
        "SELECT count(DISTINCT own_number) = 10 FROM app.orders"
    )?);
    Ok(())
}

fn names_of_all_kinds_are_followed(bed: &Bed) -> Result<()> {
    let longest = format!("L{}G", "O".repeat(61));
    // The table as it is called at the source, as add_table takes it, and as it is called here.
    let names = [
        ("Mixed Case", r#"APP."Mixed Case""#, r#"app."Mixed Case""#),
        (r#"QUO"TE's"#, r#"app."QUO""TE's""#, r#"app."QUO""TE's""#),
        (
            "DOTTED.NAME",
            r#"app."DOTTED.NAME""#,
            r#"app."dotted.name""#,
        ),
        ("ÄPFEL", r#"APP."ÄPFEL""#, "app.äpfel"),
        ("SELECT", "app.select", r#"app."select""#),
        (longest.as_str(), longest.as_str(), longest.as_str()),
    ];
    bed.create_source(0)?;
    for (name, given, _) in &names {
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        let literal = name.replace('\'', "''");
        bed.at_source(&format!(
            r#"CREATE SCHEMA IF NOT EXISTS "APP";
               CREATE TABLE "APP".{quoted} ("THE KEY" numeric(9), "key""2" varchar(9), "It's" varchar(20), "{longest}" numeric(9),
                   "GRÖßE" numeric(9), "ORDER" varchar(9), PRIMARY KEY ("THE KEY", "key""2"));
               SELECT "TEST"."ADD_ROWID"('APP', '{literal}');
               SELECT "TEST"."CAPTURE"('APP', '{literal}');
               INSERT INTO "APP".{quoted} SELECT i, 'k', 'it is ' || i, i, i, 'o' FROM generate_series(1, 10) AS i"#
        ))?;
        let given = if *given == longest {
            format!("APP.{given}")
        } else {
            (*given).to_owned()
        };
        bed.add_table(0, &given, "")?;
    }
    bed.catch_up(0)?;
    for (name, _, relation) in &names {
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        bed.at_source(&format!(
            r#"UPDATE "APP".{quoted} SET "It's" = 'changed', "GRÖßE" = 0 WHERE "THE KEY" <= 3;
               UPDATE "APP".{quoted} SET "key""2" = 'q"' WHERE "THE KEY" = 4;
               DELETE FROM "APP".{quoted} WHERE "THE KEY" = 5"#
        ))?;
        bed.catch_up(0)?;
        let relation = if *relation == longest {
            format!("app.{}", longest.to_lowercase())
        } else {
            (*relation).to_owned()
        };
        assert_eq!(
            bed.identical(0, &steps::pair(name, &relation))?,
            9,
            "{name}"
        );
    }
    Ok(())
}

fn created_tables_take_every_value_of_the_source(bed: &Bed) -> Result<()> {
    steps::table(
        bed,
        "TYPES",
        r#""ID" numeric(18) PRIMARY KEY, "N4" numeric(4) NOT NULL, "N9" numeric(9), "N19" numeric(19), "N" numeric,
           "DEC" numeric(10,2), "TINY" numeric(2,5), "ROUND" numeric(5,-2), "V" varchar(20), "C" char(4), "CLOB" text,
           "BLOB" bytea, "RAW" bytea, "D" timestamp(0), "T3" timestamp(3), "TZ" timestamptz, "F" real, "B" double precision,
           "YM" interval year to month, "DS" interval day to second(6)"#,
        r"VALUES (-999999999999999999, 9999, 999999999, 9999999999999999999, 1e-130, 99999999.99, 0.00099, 9999900, 'ÄÖ€😀', 'a',
                  'b', '\x00ff', '\x', '9999-12-31 23:59:59', '0001-01-01 00:00:00.123', '2024-06-01 12:00:00.000001+05:30',
                  3.4e38, 1.7976931348623157e308, '-99 years -11 months', '999 days 23:59:59.999999'),
                 (999999999999999999, -9999, NULL, -9999999999999999999, 1e125, NULL, NULL, NULL, '', NULL, '', '', NULL, NULL,
                  NULL, NULL, 'NaN', '-Infinity', NULL, NULL)",
    )?;
    steps::oracle_type(bed, "TYPES", "RAW", "RAW")?;
    bed.at_source(r#"SELECT "TEST"."CAPTURE"('APP', 'TYPES')"#)?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.TYPES", "")?;
    bed.catch_up(0)?;
    let types = steps::pair("TYPES", "app.types");
    assert_eq!(bed.identical(0, &types)?, 2);
    bed.at_source(r#"UPDATE "APP"."TYPES" SET "V" = 'changed', "C" = NULL, "TZ" = "TZ" + interval '1 microsecond'"#)?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &types)?, 2);
    let columns: String = steps::value(
        bed,
        "SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END,
                           ', ' ORDER BY attnum)
         FROM pg_attribute WHERE attrelid = 'app.types'::regclass AND attnum > 0",
    )?;
    assert_eq!(
        columns,
        "id bigint NOT NULL, n4 smallint NOT NULL, n9 integer, n19 numeric(19,0), n numeric, dec numeric(10,2), tiny numeric(5,5), \
         round integer, v character varying(20), c character(4), clob text, blob bytea, raw bytea, d timestamp(0) without time zone, \
         t3 timestamp(3) without time zone, tz timestamp(6) with time zone, f real, b double precision, ym interval, ds interval"
    );
    let table = "SELECT relowner::regrole::text || ' ' || reloptions::text FROM pg_class WHERE oid = 'app.types'::regclass";
    assert_eq!(
        steps::value::<String>(bed, table)?,
        "app_owner {fillfactor=90}"
    );
    Ok(())
}
