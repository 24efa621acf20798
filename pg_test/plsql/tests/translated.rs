//! The order and the shape of translations; what they do is proved on a server, by probes.

fn translated(files: &[(&str, &str)]) -> Vec<plsql::Statement> {
    translated_for(&plsql::Site::default(), files)
}

fn translated_for(site: &plsql::Site, files: &[(&str, &str)]) -> Vec<plsql::Statement> {
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    plsql::translate(&files, site).unwrap()
}

fn texts(files: &[(&str, &str)]) -> Vec<String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    translated(files)
        .iter()
        .skip(3)
        .map(|statement| words(&statement.text))
        .collect()
}

#[test]
fn objects_come_by_kind_and_then_as_they_were_given() {
    let found = texts(&[
        (
            "b.sql",
            "CREATE VIEW low_v AS SELECT p.c_one a FROM child;\nCOMMENT ON TABLE low_v IS 'low';",
        ),
        ("c.sql", "CREATE VIEW top_v AS SELECT a FROM low_v;"),
        (
            "e.sql",
            "CREATE TABLE parent (a NUMBER, CONSTRAINT k PRIMARY KEY (a));\nCREATE INDEX i ON parent (a);",
        ),
        (
            "f.sql",
            "CREATE TABLE child (a NUMBER, CONSTRAINT c FOREIGN KEY (a) REFERENCES parent (a));",
        ),
        (
            "g.pks",
            "CREATE OR REPLACE PACKAGE p AUTHID DEFINER AS\nc_one CONSTANT NUMBER := 1;\nEND p;\n/\n",
        ),
        ("h.sql", "CREATE SEQUENCE s;"),
    ]);
    let begins: Vec<String> = found
        .iter()
        .map(|text| {
            text.split_whitespace()
                .take(3)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(
        begins,
        [
            "CREATE SEQUENCE \"S\"",
            "CREATE TABLE \"PARENT\"",
            "CREATE TABLE \"CHILD\"",
            "CREATE INDEX \"I\"",
            "CREATE SCHEMA IF",
            "CREATE OR REPLACE",
            "CREATE VIEW \"LOW_V\"",
            "CREATE VIEW \"TOP_V\"",
            "COMMENT ON VIEW",
        ]
    );
}

#[test]
fn lines_of_a_body_are_those_of_its_file() {
    let body = "\
CREATE OR REPLACE PACKAGE BODY p AS
  /* two
     lines */
  PROCEDURE q(
    p_x IN NUMBER
  ) IS
    l_a NUMBER; -- a comment
    l_b NUMBER;
  BEGIN
    l_a := 1;
    IF l_a = 1 THEN
      l_b := 2;
    END IF;
  END q;
END p;
/
";
    let specification =
        "CREATE OR REPLACE PACKAGE p AUTHID DEFINER AS\nPROCEDURE q(p_x IN NUMBER);\nEND p;\n/\n";
    let statements = translated(&[("p.pks", specification), ("p.pkb", body)]);
    let routine = statements
        .iter()
        .find(|statement| statement.routine.is_some())
        .unwrap();
    assert_eq!((routine.file.as_str(), routine.line), ("p.pkb", 6));
    let (_, text) = routine.text.split_once("$body$").unwrap();
    let line = text
        .lines()
        .position(|line| line.contains("\"L_B\" := 2"))
        .unwrap();
    assert_eq!(routine.line + line, 12);
}

#[test]
fn a_job_ends_transactions_and_handles_errors_without_a_block() {
    let job = "CREATE OR REPLACE PROCEDURE j AUTHID DEFINER AS\n  l_x NUMBER;\nBEGIN\n  l_x := 1 / 2;\n  COMMIT;\n\
               EXCEPTION\n  WHEN OTHERS THEN\n    l_x := SQLCODE;\n    ROLLBACK;\nEND j;\n/\n";
    const PATH: &str = "PERFORM pg_catalog.set_config('search_path', '\"ORAPULL\", \"SYS\", ora, pg_catalog', false);";
    let found = texts(&[("j.sql", job)]);
    assert_eq!(
        found[1],
        format!(
            "CREATE OR REPLACE PROCEDURE \"ORAPULL\".\"J\"() LANGUAGE plpgsql AS $body$#variable_conflict use_column \
             DECLARE job_state text; job_message text; \"L_X\" numeric; BEGIN {PATH} <<attempt>> LOOP \
             BEGIN \"L_X\" := 1 / 2; EXCEPTION WHEN OTHERS THEN job_state := SQLSTATE; job_message := SQLERRM; EXIT attempt; END; \
             COMMIT; EXIT attempt; END LOOP; IF job_state IS NOT NULL THEN \"L_X\" := ora.sqlcode(job_state); \
             ROLLBACK; {PATH} END IF; END; $body$"
        )
    );
}

#[test]
fn a_routine_runs_with_the_rights_and_names_of_its_owner() {
    let body = "CREATE OR REPLACE PACKAGE BODY api AS\nPROCEDURE q IS\nBEGIN\nCOMMIT;\nEND q;\nEND api;\n/\n";
    let specification =
        "CREATE OR REPLACE PACKAGE api AUTHID DEFINER AS\nPROCEDURE q;\nEND api;\n/\n";
    let found = texts(&[("p.pkb", body), ("p.pks", specification)]);
    assert_eq!(
        found[1],
        "CREATE OR REPLACE PROCEDURE \"API\".\"Q\"() LANGUAGE plpgsql SECURITY DEFINER \
         SET search_path = \"ORAPULL\", \"SYS\", ora, pg_catalog AS $body$#variable_conflict use_column DECLARE \
         BEGIN PERFORM pg_catalog.set_config('standin.commit', 'on', true); END; $body$"
    );
}

#[test]
fn what_is_installed_in_the_root_is_apart_from_the_container() {
    let package = "CREATE OR REPLACE PACKAGE p AUTHID DEFINER AS\nPROCEDURE a;\nEND p;\n/\n\
                   CREATE OR REPLACE PACKAGE BODY p AS\nPROCEDURE a IS\nl_x t.a%TYPE;\nBEGIN\nNULL;\nEND a;\nEND p;\n/\n";
    let job =
        "CREATE OR REPLACE PROCEDURE run AUTHID DEFINER AS\nBEGIN\np.a;\nCOMMIT;\nEND run;\n/\n";
    let found = translated_for(
        &plsql::Site::root(),
        &[("p.pks", package), ("run.sql", job)],
    );
    let text: String = found
        .iter()
        .map(|statement| statement.text.as_str())
        .collect();
    for wanted in [
        "PROCEDURE \"C##ORAPULL.P\".\"A\"()",
        "\"C##ORAPULL\".\"T\".\"A\"%TYPE",
        "PROCEDURE \"C##ORAPULL\".\"RUN\"()",
        "CALL \"C##ORAPULL.P\".\"A\"()",
        "SET search_path = \"C##ORAPULL\", \"SYS\", ora, pg_catalog",
    ] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    assert!(!text.contains("\"ORAPULL\""), "{text}");
}
