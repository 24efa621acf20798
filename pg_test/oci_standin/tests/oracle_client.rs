//! The crate `oracle` on the stand-in: what orapull relies on.

mod cluster;

use std::time::{Duration, Instant};

use cluster::cluster;
use oracle::sql_type::{Clob, OracleType, Timestamp, ToSql};
use oracle::{Connection, Error};

fn code(error: &Error) -> Option<i32> {
    error.db_error().map(|error| error.code())
}

#[track_caller]
fn assert_code<T>(result: oracle::Result<T>, expected: i32) -> Error {
    let error = result.err().expect("an error");
    assert_eq!(code(&error), Some(expected), "{error}");
    error
}

fn connect() -> Connection {
    cluster().connect().unwrap()
}

fn count(connection: &Connection, condition: &str) -> i64 {
    let sql = format!("SELECT COUNT(*) FROM app.t WHERE {condition}");
    connection.query_row_as::<i64>(&sql, &[]).unwrap()
}

#[test]
fn a_failed_connect_says_why() {
    let cluster = cluster();
    let log_on = |user, password, address: &str| Connection::connect(user, password, address);
    assert_code(log_on("app", "secret", "//127.0.0.1:1/oracle"), 12541);
    let elsewhere = format!("//127.0.0.1:{}/nowhere", cluster.port);
    assert_code(log_on("app", "secret", &elsewhere), 12514);
    assert_code(log_on("app", "wrong", &cluster.address()), 1017);
    assert_code(log_on("nobody", "secret", &cluster.address()), 1017);
    assert!(!cluster.log().contains("secret"));
}

#[test]
fn a_block_has_in_and_out_binds_by_position_and_by_name() {
    let connection = connect();
    let mut block = connection
        .statement("BEGIN \"ORAPULL\".\"API\".\"ATTACH\"(:1, :2, :3, :4); END;")
        .build()
        .unwrap();
    block
        .execute(&[
            &"s1",
            &41i64,
            &OracleType::Int64,
            &OracleType::Varchar2(100),
        ])
        .unwrap();
    assert_eq!(block.bind_value::<_, i64>(3).unwrap(), 41);
    assert_eq!(block.bind_value::<_, String>(4).unwrap(), "shard s1");

    let mut block = connection
        .statement("BEGIN orapull.api.attach(p_token => :t, p_note => :n, p_force => :f, p_shard => :s, p_applied => :a); END;")
        .build()
        .unwrap();
    let nothing = None::<i64>;
    block
        .execute_named(&[
            ("t", &OracleType::Number(18, 0)),
            ("n", &OracleType::Varchar2(100)),
            ("f", &1i64),
            ("s", &None::<String>),
            ("a", &nothing),
        ])
        .unwrap();
    assert_eq!(block.bind_value::<_, i64>("t").unwrap(), 0);
    assert_eq!(block.bind_value::<_, Option<String>>("n").unwrap(), None);
}

#[test]
fn functions_and_in_out_binds_return_values() {
    let connection = connect();
    let mut block = connection
        .statement("BEGIN :r := orapull.api.doubled(:n); END;")
        .build()
        .unwrap();
    block.execute(&[&OracleType::Number(0, 0), &21i64]).unwrap();
    assert_eq!(block.bind_value::<_, i64>(1).unwrap(), 42);

    let mut block = connection
        .statement("BEGIN orapull.api.add_one(:n); END;")
        .build()
        .unwrap();
    block.execute(&[&6i64]).unwrap();
    assert_eq!(block.bind_value::<_, i64>(1).unwrap(), 7);
}

#[test]
fn errors_have_oracles_numbers() {
    let connection = connect();
    let attach = "BEGIN orapull.api.attach(:1, 1, :2, :3); END;";
    let unknown: [&dyn ToSql; 3] = [&"unknown", &OracleType::Int64, &OracleType::Varchar2(9)];
    let error = assert_code(connection.execute(attach, &unknown), 20801);
    assert_eq!(
        error.db_error().unwrap().message(),
        "ORA-20801: unknown shard \"unknown\""
    );

    assert_code(connection.query("SELECT * FROM app.nowhere", &[]), 942);
    assert_code(
        connection.execute("BEGIN orapull.api.nothing(1); END;", &[]),
        6550,
    );
    assert_code(
        connection.execute("BEGIN orapull.api.attach(1); END;", &[]),
        6550,
    );
    assert_code(
        connection.execute("INSERT INTO app.t (id) VALUES (1)", &[]),
        1400,
    );
    connection
        .execute("INSERT INTO app.t (id, name) VALUES (900, 'a')", &[])
        .unwrap();
    let again = connection.execute("INSERT INTO app.t (id, name) VALUES (900, 'b')", &[]);
    let error = assert_code(again, 1);
    assert!(error.to_string().contains("(APP.T_PK)"), "{error}");
    // The failed statement is undone, the one before it is not.
    assert_eq!(count(&connection, "id = 900"), 1);
    connection.rollback().unwrap();
    assert_eq!(count(&connection, "id = 900"), 0);
}

#[test]
fn values_of_all_types_come_back() {
    let connection = connect();
    let body = "ä€😀".repeat(40_000);
    let bytes: Vec<u8> = (0..=255).collect();
    let at = Timestamp::new(2024, 1, 31, 13, 45, 9, 123_456_000).unwrap();
    let insert = "INSERT INTO app.t (id, name, amount, ratio, day, \"AT\", body, bytes) \
                  VALUES (:1, :2, :3, :4, :5, :6, :7, :8)";
    let day = Timestamp::new(2024, 2, 29, 1, 2, 3, 0).unwrap();
    connection
        .execute(
            insert,
            &[
                &1000i64, &"größe", &"12.50", &0.1f64, &day, &at, &body, &bytes,
            ],
        )
        .unwrap();
    let row = connection
        .query_row(
            "SELECT id, name, amount, ratio, day, t.\"AT\", body, bytes, '' FROM app.t WHERE id = :1",
            &[&1000i64],
        )
        .unwrap();
    assert_eq!(row.column_info()[0].name(), "ID");
    assert_eq!(row.get::<_, i64>(0).unwrap(), 1000);
    assert_eq!(row.get::<_, String>(1).unwrap(), "größe");
    assert_eq!(row.get::<_, String>(2).unwrap(), "12.5");
    assert_eq!(row.get::<_, f64>(3).unwrap(), 0.1);
    assert_eq!(row.get::<_, Timestamp>(4).unwrap(), day);
    assert_eq!(
        row.get::<_, Timestamp>(5).unwrap().nanosecond(),
        123_456_000
    );
    assert_eq!(row.get::<_, String>(6).unwrap(), body);
    assert_eq!(row.get::<_, Vec<u8>>(7).unwrap(), bytes);
    assert_eq!(row.get::<_, Option<String>>(8).unwrap(), None);
}

#[test]
fn a_clob_is_read_through_its_locator() {
    use std::io::Read;
    let connection = connect();
    connection
        .execute(
            "INSERT INTO app.t (id, name, body) VALUES (1100, 'x', 'abcdefgh')",
            &[],
        )
        .unwrap();
    let mut query = connection
        .statement("SELECT body FROM app.t WHERE id = 1100")
        .lob_locator()
        .build()
        .unwrap();
    let mut clob = query.query_row_as::<Clob>(&[]).unwrap();
    let mut text = String::new();
    clob.read_to_string(&mut text).unwrap();
    assert_eq!(text, "abcdefgh");
}

#[test]
fn many_rows_are_fetched_in_arrays_and_survive_a_commit() {
    let connection = connect();
    let mut query = connection
        .statement("SELECT g FROM generate_series(1, 1000) g ORDER BY 1")
        .fetch_array_size(64)
        .build()
        .unwrap();
    let mut rows = query.query_as::<i64>(&[]).unwrap();
    assert_eq!(rows.next().unwrap().unwrap(), 1);
    connection.commit().unwrap();
    let rest: Vec<i64> = rows.map(|row| row.unwrap()).collect();
    assert_eq!(rest.len(), 999);
    assert_eq!(rest.last(), Some(&1000));
}

#[test]
fn a_batch_inserts_rows_and_nothing_is_committed_by_itself() {
    let connection = connect();
    let mut batch = connection
        .batch(
            "INSERT INTO \"APP\".\"T\" (\"ID\", \"NAME\") VALUES (:1, :2)",
            100,
        )
        .build()
        .unwrap();
    for id in 2000..2250i64 {
        batch.append_row(&[&id, &format!("row {id}")]).unwrap();
    }
    batch.execute().unwrap();
    drop(batch);
    let other = connect();
    assert_eq!(count(&connection, "id BETWEEN 2000 AND 2999"), 250);
    assert_eq!(count(&other, "id BETWEEN 2000 AND 2999"), 0);
    connection.commit().unwrap();
    assert_eq!(count(&other, "id BETWEEN 2000 AND 2999"), 250);
}

#[test]
fn a_batch_takes_nulls_and_texts_that_grow() {
    let connection = connect();
    let insert = "INSERT INTO app.t (id, name, body) VALUES (:1, :2, :3)";
    let mut batch = connection.batch(insert, 10).build().unwrap();
    let long = "x".repeat(5000);
    for (id, body) in [
        (2900i64, None),
        (2901, Some("short")),
        (2902, Some(&*long)),
        (2903, None),
    ] {
        batch.append_row(&[&id, &"n", &body]).unwrap();
    }
    batch.execute().unwrap();
    assert_eq!(
        count(&connection, "id BETWEEN 2900 AND 2903 AND body IS NULL"),
        2
    );
    assert_eq!(count(&connection, "id = 2902 AND length(body) = 5000"), 1);
}

#[test]
fn a_procedure_that_commits_does_so() {
    let connection = connect();
    connection
        .execute("INSERT INTO app.t (id, name) VALUES (3000, 'before')", &[])
        .unwrap();
    connection
        .execute(
            "BEGIN orapull.api.save(:1, :2); END;",
            &[&3001i64, &"saved"],
        )
        .unwrap();
    connection
        .execute("INSERT INTO app.t (id, name) VALUES (3002, 'after')", &[])
        .unwrap();
    connection.rollback().unwrap();
    assert_eq!(count(&connection, "id IN (3000, 3001)"), 2);
    assert_eq!(count(&connection, "id = 3002"), 0);
}

#[test]
fn a_translated_procedure_answers_commits_and_fails_with_its_number() {
    let connection = connect();
    let mut statement = connection
        .statement("BEGIN orapull.api.register(:shard, :id, p_state => :state); END;")
        .build()
        .unwrap();
    statement
        .execute(&[&"one", &OracleType::Int64, &OracleType::Varchar2(30)])
        .unwrap();
    assert_eq!(statement.bind_value::<_, i64>("id").unwrap(), 9107);
    assert_eq!(
        statement.bind_value::<_, String>("state").unwrap(),
        "WAIT_TX"
    );
    connection.rollback().unwrap();
    assert_eq!(count(&connection, "id = 9100"), 1);
    let error = statement
        .execute(&[
            &None::<String>,
            &OracleType::Int64,
            &OracleType::Varchar2(30),
        ])
        .unwrap_err();
    assert_eq!(code(&error), Some(20801));
}

#[test]
fn a_savepoint_keeps_what_came_before_it() {
    let connection = connect();
    let run = |sql: &str| connection.execute(sql, &[]).unwrap();
    run("INSERT INTO app.t (id, name) VALUES (3100, 'a')");
    run("SAVEPOINT here");
    run("INSERT INTO app.t (id, name) VALUES (3101, 'b')");
    run("ROLLBACK TO here");
    connection.commit().unwrap();
    assert_eq!(count(&connection, "id IN (3100, 3101)"), 1);
}

#[test]
fn an_out_text_that_does_not_fit_is_an_error() {
    let connection = connect();
    let block = "BEGIN orapull.api.attach(:1, 1, :2, :3); END;";
    let binds: [&dyn ToSql; 3] = [&"long name", &OracleType::Int64, &OracleType::Varchar2(3)];
    assert_code(connection.execute(block, &binds), 6502);
}

#[test]
fn returning_into_fills_binds() {
    let connection = connect();
    let mut insert = connection
        .statement("INSERT INTO app.t (id, name) VALUES (4000, 'r') RETURNING id, name INTO :1, :2")
        .build()
        .unwrap();
    insert
        .execute(&[&OracleType::Int64, &OracleType::Varchar2(30)])
        .unwrap();
    assert_eq!(insert.returned_values::<_, i64>(1).unwrap(), [4000]);
    assert_eq!(insert.returned_values::<_, String>(2).unwrap(), ["r"]);
}

#[test]
fn a_break_from_another_thread_ends_the_call_and_the_session_goes_on() {
    let connection = connect();
    connection
        .execute("INSERT INTO app.t (id, name) VALUES (5000, 'kept')", &[])
        .unwrap();
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            connection.break_execution().unwrap();
        });
        let sleep = connection.execute("BEGIN orapull.api.sleep(30); END;", &[]);
        assert_code(sleep, 1013);
    });
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(count(&connection, "id = 5000"), 1);
}

#[test]
fn a_break_of_an_idle_session_changes_nothing() {
    let connection = connect();
    connection.break_execution().unwrap();
    assert_eq!(count(&connection, "id < 0"), 0);
}

#[test]
fn a_hanging_call_does_not_react_to_its_timeout() {
    let connection = connect();
    cluster().fault("'hanging'~FROM 1 hang 1");
    connection
        .set_call_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let started = Instant::now();
    let answer = connection.query_row_as::<String>("SELECT 'hanging' FROM dual", &[]);
    assert_eq!(answer.unwrap_err().dpi_code(), Some(1067));
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_call_ends_at_its_timeout_and_the_session_goes_on() {
    let connection = connect();
    connection
        .set_call_timeout(Some(Duration::from_millis(300)))
        .unwrap();
    let error = connection
        .execute("BEGIN orapull.api.sleep(30); END;", &[])
        .unwrap_err();
    assert_eq!(error.dpi_code(), Some(1067), "{error}");
    assert_eq!(count(&connection, "id < 0"), 0);
    assert_eq!(
        connection.call_timeout().unwrap(),
        Some(Duration::from_millis(300))
    );
}

#[test]
fn a_killed_session_is_noticed() {
    let connection = connect();
    let pid = connection
        .query_row_as::<i64>("SELECT pg_backend_pid() FROM dual", &[])
        .unwrap();
    cluster().psql(&format!("SELECT pg_terminate_backend({pid}, 5000)"));
    let error = connection.ping().unwrap_err();
    assert_eq!(error.dpi_code(), Some(1080), "{error}");
    assert!(error.to_string().contains("3113"), "{error}");
    assert_eq!(connection.commit().unwrap_err().dpi_code(), Some(1010));
}

#[test]
fn a_fault_answers_with_a_code_and_does_not_execute() {
    let connection = connect();
    cluster().fault("VALUES~(6000 2 code 1555");
    let insert = |id: i64| {
        let sql = format!("INSERT INTO app.t (id, name) VALUES (6000 + {id}, 'f')");
        connection.execute(&sql, &[])
    };
    insert(0).unwrap();
    assert_code(insert(1), 1555);
    insert(2).unwrap();
    assert_eq!(count(&connection, "id BETWEEN 6000 AND 6002"), 2);
    assert!(
        cluster()
            .log()
            .contains("execute ORA-01555 INSERT INTO app.t (id, name) VALUES (6000 + 1")
    );
}

#[test]
fn a_cut_before_loses_the_call_and_a_cut_after_keeps_it() {
    for (action, id, saved) in [("cut_before", 6100i64, 0), ("cut_after", 6101, 1)] {
        let connection = connect();
        cluster().fault(&format!("save(:1,~'{action}') 1 {action}"));
        let block = format!("BEGIN orapull.api.save(:1, '{action}'); END;");
        let error = connection.execute(&block, &[&id]).unwrap_err();
        assert_eq!(error.dpi_code(), Some(1080), "{error}");
        let other = connect();
        assert_eq!(count(&other, &format!("id = {id}")), saved, "{action}");
    }
}

#[test]
fn a_delay_ends_at_the_call_timeout_and_by_a_break() {
    let connection = connect();
    cluster().fault("'delayed'~FROM * delay 60");
    let query = || connection.query_row_as::<String>("SELECT 'delayed' FROM dual", &[]);
    let started = Instant::now();
    connection
        .set_call_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    assert_eq!(query().unwrap_err().dpi_code(), Some(1067));
    connection.set_call_timeout(None).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            connection.break_execution().unwrap();
        });
        assert_code(query(), 1013);
    });
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_log_has_calls_and_no_values() {
    let connection = connect();
    connection
        .execute(
            "INSERT INTO app.t (id, name)\n  VALUES (:1, :2)",
            &[&7000i64, &"hidden value"],
        )
        .unwrap();
    connection.commit().unwrap();
    connection.close().unwrap();
    let log = cluster().log();
    let own: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("VALUES (:1, :2)"))
        .collect();
    assert!(
        own.iter()
            .any(|line| line.ends_with(" execute ok INSERT INTO app.t (id, name) VALUES (:1, :2)"))
    );
    assert!(log.lines().any(|line| line.ends_with(" commit ok")));
    assert!(log.lines().any(|line| line.ends_with(" close ok")));
    assert!(log.contains(&format!(
        " connect ok app@//127.0.0.1:{}/oracle",
        cluster().port
    )));
    assert!(!log.contains("hidden value") && !log.contains("secret"));
}
