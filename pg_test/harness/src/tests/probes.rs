//! Single constructs of PL/SQL, each translated, run, and compared with what Oracle's manuals promise.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, anyhow};
use postgres::Client;
use postgres::error::DbError;

use super::report::Report;
use crate::artifacts;
use crate::cluster::SUPERUSER;
use crate::oracle_side::{self, OracleSide};

const DATABASE: &str = "probes";
const ROWS: &str = r#"
SET search_path = "ORAPULL";
INSERT INTO "T" VALUES (1, 'b1'), (2, 'b2');
INSERT INTO "V" VALUES (1, 1.5), (2, NULL);
"#;

/// What a probe expects where the test bed is stricter than Oracle.
const REFUSED: &str = "the test bed refuses";

struct Probe {
    name: String,
    expected: String,
    /// Declarations and block of a function.
    code: String,
}

pub fn check(side: &OracleSide, report: &mut Report) -> Result<()> {
    let folder = artifacts::repository().join("pg_test/oracle/probes");
    let read = |name: &str| {
        let text =
            fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read {name}"))?;
        anyhow::Ok((name.to_owned(), text))
    };
    let probes = parse(&read("probes.txt")?.1)?;
    let mut files = vec![
        read("tables.sql")?,
        read("helper.pks")?,
        read("helper.pkb")?,
    ];
    files.extend(package(&probes)?);
    let statements = plsql::translate(&files, &plsql::Site::default())
        .map_err(|refusals| anyhow!("refused:\n{}", oracle_side::listed(&refusals)))?;
    side.database(DATABASE)?;
    let mut client = side.cluster.connect(DATABASE, SUPERUSER)?;
    oracle_side::run(&mut client, &statements)?;
    client.batch_execute(ROWS)?;
    let mut passed = 0;
    for (number, probe) in probes.iter().enumerate() {
        let found = run(&mut client, number)?;
        if found == probe.expected {
            passed += 1;
        } else {
            report.failed(
                &probe.name,
                &format!("expected {}\nfound    {found}", probe.expected),
            );
        }
    }
    report.passed_many("constructs of PL/SQL", passed);
    Ok(())
}

fn parse(text: &str) -> Result<Vec<Probe>> {
    let (_, probes) = text.split_once("\n-- ").context("there is no probe")?;
    probes
        .split("\n-- ")
        .map(|probe| {
            let (title, code) = probe
                .split_once('\n')
                .with_context(|| format!("{probe}: no code"))?;
            let (name, expected) = title
                .split_once(" => ")
                .with_context(|| format!("{title}: no result"))?;
            Ok(Probe {
                name: name.to_owned(),
                expected: expected.to_owned(),
                code: code.to_owned(),
            })
        })
        .collect()
}

/// Specification and body of a package with a function for each probe.
fn package(probes: &[Probe]) -> Result<[(String, String); 2]> {
    let mut specification = String::from("CREATE OR REPLACE PACKAGE probe AUTHID DEFINER AS\n");
    let mut body = String::from("CREATE OR REPLACE PACKAGE BODY probe AS\n");
    for (number, probe) in probes.iter().enumerate() {
        writeln!(specification, "FUNCTION p_{number} RETURN VARCHAR2;")?;
        writeln!(
            body,
            "FUNCTION p_{number} RETURN VARCHAR2 IS\n{}\nEND p_{number};",
            probe.code
        )?;
    }
    specification += "END probe;\n/\n";
    body += "END probe;\n/\n";
    Ok([
        ("probe.pks".to_owned(), specification),
        ("probe.pkb".to_owned(), body),
    ])
}

/// The result of a probe, in the words of the file. What it has changed is undone.
fn run(client: &mut Client, number: usize) -> Result<String> {
    let mut transaction = client.transaction()?;
    let found = transaction.query_one(&format!("SELECT \"PROBE\".\"P_{number}\"()::text"), &[]);
    Ok(match found {
        Ok(row) => row
            .get::<_, Option<String>>(0)
            .unwrap_or_else(|| "(null)".to_owned()),
        Err(error) => error_name(error.as_db_error().context("the server has gone")?),
    })
}

fn error_name(error: &DbError) -> String {
    let (sqlstate, message) = (error.code().code(), error.message());
    if message.starts_with("DDL would commit") {
        return REFUSED.to_owned();
    }
    match dialect::code_of_error(sqlstate, message) {
        Some(code) => format!("ORA-{code:05}"),
        None => format!("{sqlstate} {message}"),
    }
}
