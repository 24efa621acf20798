//! Fault rules that every session of a process would meet, so they have a process of their own.

mod cluster;

use std::time::{Duration, Instant};

use cluster::cluster;
use oracle::Connection;

#[test]
fn rules_for_connect_commit_and_ping_name_the_call() {
    let cluster = cluster();
    let code = |error: oracle::Error| error.db_error().map(|error| error.code());

    cluster.fault("connect 1 refuse");
    assert_eq!(cluster.connect().err().and_then(code), Some(12541));
    cluster.fault("connect 1 delay 0.3");
    let started = Instant::now();
    let connection = cluster.connect().unwrap();
    assert!(started.elapsed() >= Duration::from_millis(300));

    let insert = |connection: &Connection, id: i64| {
        let sql = "INSERT INTO app.t (id, name) VALUES (:1, 'commit 1')";
        connection.execute(sql, &[&id]).unwrap();
    };
    let saved = |id: i64| {
        let sql = "SELECT COUNT(*) FROM app.t WHERE id = :1";
        let connection = cluster.connect().unwrap();
        connection.query_row_as::<i64>(sql, &[&id]).unwrap()
    };
    insert(&connection, 1);
    cluster.fault("commit 1 code 60");
    assert_eq!(connection.commit().err().and_then(code), Some(60));
    assert_eq!(saved(1), 0);
    connection.commit().unwrap();
    assert_eq!(saved(1), 1);

    insert(&connection, 2);
    cluster.fault("commit 1 cut_after");
    assert_eq!(connection.commit().unwrap_err().dpi_code(), Some(1080));
    assert_eq!(saved(2), 1);

    let connection = cluster.connect().unwrap();
    insert(&connection, 3);
    cluster.fault("commit 1 cut_before");
    assert_eq!(connection.commit().unwrap_err().dpi_code(), Some(1080));
    assert_eq!(saved(3), 0);

    let connection = cluster.connect().unwrap();
    cluster.fault("ping 1 code 3113");
    assert_eq!(connection.ping().unwrap_err().dpi_code(), Some(1080));
    let left = std::fs::read_to_string(cluster.folder.join("faults")).unwrap();
    assert_eq!(left, "", "all rules have fired and are gone");
    assert!(cluster.log().contains(" connect ORA-12541 //127.0.0.1:"));
}
