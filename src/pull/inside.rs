//! Tests that run inside a server: the SQL of `statement/` on real tables, without a source.

use pgrx::prelude::*;

#[pg_schema]
mod tests {
    use pgrx::prelude::*;

    use crate::error::{Error, Kind};
    use crate::pull::statement;
    use crate::pull::table::{Column, Identity, Key, Table, UniqueIndex};
    use crate::pull::tx;
    use crate::source::keys::KeyKind;
    use crate::sql;

    fn column(name: &str, foreign_type: &str, local_type: &str) -> Column {
        Column {
            name: name.to_owned(),
            foreign_type: foreign_type.to_owned(),
            local_type: local_type.to_owned(),
        }
    }

    fn key(column: usize, kind: KeyKind, length: i64) -> Key {
        Key {
            column,
            kind,
            length,
        }
    }

    fn table(identity: Identity, columns: Vec<Column>) -> Table {
        Table {
            target_id: 1,
            remote_id: 7,
            relation: "\"public\".\"items\"".to_owned(),
            foreign_schema: "none".to_owned(),
            identity,
            columns,
            uniques: Vec::new(),
            filter: None,
            referenced: false,
        }
    }

    /// `items (id bigint primary key, name varchar(10))`, empty, with staging tables.
    fn items() -> Table {
        let items = table(
            Identity::Key(vec![key(0, KeyKind::Number, 0)]),
            vec![
                column("id", "numeric", "bigint"),
                column("name", "text", "character varying"),
            ],
        );
        run("CREATE TABLE public.items (id bigint PRIMARY KEY, name varchar(10))");
        stage(&items);
        items
    }

    fn stage(table: &Table) {
        run(statement::CREATE_POINTERS);
        run(statement::CREATE_SEEN);
        run(&statement::create_rows(table));
    }

    fn run(statement: &str) {
        Spi::run(statement).unwrap();
    }

    /// Rows as they were fetched.
    fn staged(rows: &str) {
        run(&format!("INSERT INTO pg_temp.rows_1 VALUES {rows}"));
    }

    /// A pointer by key.
    fn pointer(k1: &str) {
        run(&format!(
            "INSERT INTO pg_temp.pointers (table_id, kind, portion, ptr, k1) VALUES (7, 'R', 1, 1, '{k1}')"
        ));
    }

    fn text(query: &str) -> String {
        Spi::get_one::<String>(query).unwrap().unwrap_or_default()
    }

    /// The rows of items in one line.
    fn rows() -> String {
        text("SELECT string_agg(i::text, ' ' ORDER BY i) FROM public.items i")
    }

    fn delete_gone(table: &Table) -> u64 {
        sql::execute(&statement::delete_gone(table), &[table.remote_id.into()]).unwrap()
    }

    fn upsert(table: &Table) -> Result<u64, Error> {
        tx::subtransaction(|| sql::execute(&statement::upsert(table, false), &[]))
    }

    fn hold(reason: &str) -> u64 {
        let args = [7i64.into(), 1i32.into(), reason.into()];
        sql::execute(&statement::hold(), &args).unwrap()
    }

    /// A source and a target with the numbers that the statements are given.
    fn catalog() {
        run("INSERT INTO orapull.source (source_id, name, server, shard, remote_schema, local_schema, owner)
             VALUES (1, 's', 's', 's', 'S', 's', current_user::regrole)");
        run("INSERT INTO orapull.target (target_id, source_id, remote_owner, remote_table, relation, identity, load)
             VALUES (1, 1, 'A', 'B', 'public.items', 'key', 'auto')");
    }

    #[pg_test]
    fn a_row_is_gone_when_a_pointer_names_it_and_no_fetched_row_has_it() {
        let items = items();
        run("INSERT INTO public.items VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        ["1", "2", "9"].into_iter().for_each(pointer);
        staged("(2, 'b')");
        assert_eq!(delete_gone(&items), 1);
        assert_eq!(rows(), "(2,b) (3,c)");
    }

    #[pg_test]
    fn a_row_of_another_key_does_not_keep_the_one_that_was_named() {
        let items = items();
        run("INSERT INTO public.items VALUES (1, 'a'), (2, 'b')");
        pointer("1");
        staged("(2, 'b')");
        assert_eq!(delete_gone(&items), 1);
        assert_eq!(rows(), "(2,b)");
    }

    #[pg_test]
    fn a_pointer_that_could_not_be_read_deletes_nothing() {
        let items = items();
        run("INSERT INTO public.items VALUES (1, 'a')");
        pointer("1");
        run("UPDATE pg_temp.pointers SET bad = ARRAY[1]");
        assert_eq!(delete_gone(&items), 0);
    }

    #[pg_test]
    fn equal_rows_are_not_written_and_others_are() {
        let items = items();
        run("INSERT INTO public.items VALUES (1, 'a'), (2, 'b'), (3, NULL)");
        staged("(1, 'a'), (2, 'changed'), (3, NULL), (4, 'new')");
        assert_eq!(upsert(&items).unwrap(), 2);
        assert_eq!(rows(), "(1,a) (2,changed) (3,) (4,new)");
    }

    #[pg_test]
    fn a_row_that_was_fetched_twice_is_written_once() {
        let items = items();
        staged("(1, 'a'), (1.0, 'a')");
        assert_eq!(upsert(&items).unwrap(), 1);
    }

    #[pg_test]
    fn a_fraction_does_not_become_an_integer() {
        let items = items();
        staged("(64.8, 'a')");
        assert_eq!(upsert(&items).unwrap_err().kind, Kind::Value);
    }

    #[pg_test]
    fn a_text_that_is_too_long_is_not_cut() {
        let items = items();
        staged("(1, 'more than ten')");
        let error = upsert(&items).unwrap_err();
        assert_eq!((error.kind, error.sqlstate()), (Kind::Value, "22001"));
    }

    #[pg_test]
    fn types_without_equality_are_compared_by_image() {
        let items = table(
            Identity::Key(vec![key(0, KeyKind::Number, 0)]),
            vec![
                column("id", "numeric", "bigint"),
                column("j", "text", "json"),
                column("p", "text", "point"),
            ],
        );
        run("CREATE TABLE public.items (id bigint PRIMARY KEY, j json, p point)");
        run(
            "INSERT INTO public.items VALUES (1, '{\"a\": 1}', '(1,2)'), (2, '{\"a\": 1}', '(1,2)')",
        );
        stage(&items);
        staged("(1, '{\"a\": 1}', '(1,2)'), (2, '{\"a\": 2}', '(1,2)')");
        assert_eq!(upsert(&items).unwrap(), 1);
    }

    #[pg_test]
    fn rows_without_a_key_are_told_apart_by_rowid() {
        let items = table(Identity::Rowid, vec![column("name", "text", "text")]);
        run("CREATE TABLE public.items (name text, ora_rowid text COLLATE \"C\" NOT NULL UNIQUE)");
        run("INSERT INTO public.items VALUES ('old', 'AAA'), ('gone', 'AAB')");
        stage(&items);
        run(
            "INSERT INTO pg_temp.pointers (table_id, kind, portion, ptr, row_id)
             VALUES (7, 'R', 1, 1, 'AAA'), (7, 'R', 1, 2, 'AAB')",
        );
        run("INSERT INTO pg_temp.rows_1 VALUES ('AAA', 'new')");
        assert_eq!(delete_gone(&items), 1);
        assert_eq!(upsert(&items).unwrap(), 1);
        assert_eq!(rows(), "(new,AAA)");
    }

    #[pg_test]
    fn names_may_have_quotes_blanks_and_any_case() {
        let mut items = table(
            Identity::Key(vec![key(0, KeyKind::Text, 0)]),
            vec![
                column("the \"key\"", "text", "text"),
                column("Na'me", "text", "text"),
            ],
        );
        items.relation = "\"public\".\"It\"\"ems $1\"".to_owned();
        run(
            "CREATE TABLE public.\"It\"\"ems $1\" (\"the \"\"key\"\"\" text PRIMARY KEY, \"Na'me\" text)",
        );
        stage(&items);
        pointer("gone");
        staged("('a', 'x')");
        assert_eq!(delete_gone(&items), 0);
        assert_eq!(upsert(&items).unwrap(), 1);
        let unequal = sql::query(&statement::unequal(&items), &[10i64.into()], |_| Ok(()));
        assert_eq!(unequal.unwrap().len(), 0);
    }

    #[pg_test]
    fn a_held_row_is_held_once_and_counts_anew() {
        items();
        catalog();
        ["1", "1", "2"].into_iter().for_each(pointer);
        assert_eq!(hold("held"), 2);
        let first = text("SELECT min(seq)::text FROM orapull.parked_row");
        run("UPDATE orapull.parked_row SET asked_scn = 5");
        assert_eq!(hold("held"), 2);
        assert_ne!(text("SELECT min(seq)::text FROM orapull.parked_row"), first);
        assert_eq!(
            text("SELECT count(asked_scn)::text FROM orapull.parked_row"),
            "0"
        );
    }

    #[pg_test]
    fn holding_a_parked_row_keeps_its_error() {
        items();
        catalog();
        pointer("1");
        hold("held");
        run("UPDATE orapull.parked_row SET reason = 'parked', message = 'bad'");
        hold("held");
        assert_eq!(
            text("SELECT reason || ' ' || message FROM orapull.parked_row"),
            "parked bad"
        );
    }

    #[pg_test]
    fn a_pointer_by_key_and_rowid_heals_a_row_parked_by_key() {
        items();
        catalog();
        ["1", "2"].into_iter().for_each(pointer);
        hold("held");
        run("DELETE FROM pg_temp.pointers WHERE k1 = '2'");
        run("UPDATE pg_temp.pointers SET row_id = 'AAA'");
        let args = [7i64.into(), 1i32.into()];
        for statement in statement::unpark() {
            sql::execute(&statement, &args).unwrap();
        }
        assert_eq!(
            text("SELECT string_agg(k1, ',') FROM orapull.parked_row"),
            "2"
        );
    }

    #[pg_test]
    fn a_row_that_fails_again_waits_longer() {
        items();
        catalog();
        let park = statement::park();
        let none = || None::<String>;
        let mut args = vec![1i32.into(), none().into(), "1".into()];
        args.extend((0..7).map(|_| none().into()));
        args.extend([
            "parked".into(),
            "22001".into(),
            "too long".into(),
            10f64.into(),
        ]);
        let wait = "SELECT round(extract(epoch FROM next_attempt - clock_timestamp()))::text || ' ' || attempts
                    FROM orapull.parked_row";
        let waits: Vec<String> = (0..3)
            .map(|_| {
                sql::execute(&park, &args).unwrap();
                text(wait)
            })
            .collect();
        assert_eq!(waits, ["10 1", "20 2", "40 3"]);
    }

    /// A key of every kind, as the source writes it and as it is here.
    #[pg_test]
    fn what_a_load_has_seen_is_recognised_whatever_the_key() {
        let kinds = [
            (KeyKind::Number, "numeric", "bigint", 0),
            (KeyKind::Text, "text", "character varying", 0),
            (KeyKind::Char, "text", "character", 5),
            (
                KeyKind::Date,
                "timestamp(0)",
                "timestamp without time zone",
                0,
            ),
            (
                KeyKind::Timestamp,
                "timestamp(6)",
                "timestamp without time zone",
                6,
            ),
            (KeyKind::Raw, "bytea", "bytea", 0),
        ];
        let names = ["n", "t", "c", "d", "s", "r"];
        let items = table(
            Identity::Key(
                kinds
                    .iter()
                    .enumerate()
                    .map(|(i, (kind, _, _, length))| key(i, *kind, *length))
                    .collect(),
            ),
            kinds
                .iter()
                .zip(names)
                .map(|((_, foreign, local, _), name)| column(name, foreign, local))
                .collect(),
        );
        run("CREATE TABLE public.items (n bigint, t varchar(9), c char(5), d timestamp(0), s timestamp(6), r bytea,
             PRIMARY KEY (n, t, c, d, s, r))");
        stage(&items);
        staged(
            "(1.0, 'a', 'x    ', timestamp '2026-01-01', timestamp '2026-01-01 00:00:00.5', '\\xabcd'::bytea),
             (2, 'b', 'x    ', timestamp '2026-01-01', timestamp '2026-01-01 00:00:00.5', '\\xab'::bytea)",
        );
        assert_eq!(upsert(&items).unwrap(), 2);
        run(&statement::see(&items));
        assert_eq!(sql::execute(&statement::suspect(&items), &[]).unwrap(), 0);
        run("UPDATE public.items SET t = 'c' WHERE n = 2");
        assert_eq!(sql::execute(&statement::suspect(&items), &[]).unwrap(), 1);
        assert_eq!(
            text("SELECT concat_ws('|', k1, k2, k3, k4, k5, k6) FROM pg_temp.pointers"),
            "2|c|x    |2026-01-01 00:00:00|2026-01-01 00:00:00.500000|AB"
        );
        // What goes to the source must come back as the same row.
        assert_eq!(delete_gone(&items), 1);
    }

    #[pg_test]
    fn missing_and_different_rows_are_found_with_both_values() {
        let items = items();
        run("INSERT INTO public.items VALUES (1, 'a'), (2, 'b')");
        staged("(1, 'a'), (2, 'B'), (3, 'c')");
        let found = sql::query(&statement::unequal(&items), &[10i64.into()], |row| {
            let here = row
                .optional::<pgrx::JsonB>(2)?
                .map(|json| json.0.to_string());
            let there = row.get::<pgrx::JsonB>(3)?.0.to_string();
            Ok((row.get::<String>(1)?, here, there))
        });
        let different = (
            "different".to_owned(),
            Some(r#"{"id":"2","name":"b"}"#.to_owned()),
            r#"{"id":"2","name":"B"}"#.to_owned(),
        );
        let missing = (
            "missing".to_owned(),
            None,
            r#"{"id":"3","name":"c"}"#.to_owned(),
        );
        assert_eq!(found.unwrap(), [different, missing]);
    }

    #[pg_test]
    fn rows_that_swap_a_unique_value_make_way() {
        let mut items = items();
        run("CREATE UNIQUE INDEX items_name ON public.items (name)");
        items.uniques.push(UniqueIndex {
            name: "items_name".to_owned(),
            columns: vec!["name".to_owned()],
        });
        run("INSERT INTO public.items VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        staged("(1, 'b'), (4, 'c')");
        assert_eq!(upsert(&items).unwrap_err().kind, Kind::Unique);
        let made_way = sql::query(
            &statement::delete_colliding(&items, &items.uniques[0]),
            &[],
            |row| row.get::<String>(2),
        );
        let mut made_way = made_way.unwrap();
        made_way.sort();
        assert_eq!(made_way, ["2", "3"]);
        assert_eq!(upsert(&items).unwrap(), 2);
    }

    #[pg_test]
    fn a_slice_writes_its_rows_alone() {
        let items = items();
        staged("(1, 'a'), (2, 'b'), (3, 'c')");
        statement::number_rows(&items).iter().for_each(|s| run(s));
        let args = [2i64.into(), 3i64.into()];
        assert_eq!(
            sql::execute(&statement::upsert(&items, true), &args).unwrap(),
            1
        );
        assert_eq!(rows(), "(2,b)");
        let identity = sql::first(&statement::staged_identity(&items), &[3i64.into()], |row| {
            row.get::<String>(2)
        });
        assert_eq!(identity.unwrap().as_deref(), Some("3"));
    }

    #[pg_test]
    fn a_table_that_others_refer_to_is_emptied_without_truncate() {
        let mut items = items();
        run("INSERT INTO public.items VALUES (1, 'a')");
        run("CREATE TABLE public.parts (item bigint REFERENCES public.items)");
        let refused = tx::subtransaction(|| sql::execute(&statement::empty(&items), &[]));
        assert_eq!(refused.unwrap_err().sqlstate(), "0A000");
        items.referenced = true;
        assert_eq!(sql::execute(&statement::empty(&items), &[]).unwrap(), 1);
    }
}
