//! What is refused, with its line and a reason: what Oracle would not compile, and what is outside the subset.

/// A package with one procedure of these declarations and statements.
fn refusals_of(declarations: &str, statements: &str) -> Vec<plsql::Refusal> {
    let body = format!(
        "CREATE OR REPLACE PACKAGE BODY p AS\n{HELPERS}\nPROCEDURE q(p_x IN NUMBER) IS\n{declarations}\nBEGIN\n{statements}\nEND q;\n\
         PROCEDURE later IS\nBEGIN\nNULL;\nEND later;\nEND p;\n/\n"
    );
    refusals(&[("p.pks", SPECIFICATION), ("p.pkb", &body)])
}

fn refusals(files: &[(&str, &str)]) -> Vec<plsql::Refusal> {
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    plsql::translate(&files, &plsql::Site::default())
        .err()
        .unwrap_or_default()
}

const SPECIFICATION: &str = "\
CREATE OR REPLACE PACKAGE p AUTHID DEFINER AS
  oops EXCEPTION;
  PRAGMA EXCEPTION_INIT(oops, -20801);
  plain EXCEPTION;
  c_one CONSTANT NUMBER := 1;
  FUNCTION counted RETURN NUMBER;
  FUNCTION writer(p_x IN NUMBER) RETURN NUMBER;
  FUNCTION is_one(p_x IN NUMBER) RETURN BOOLEAN;
  PROCEDURE change;
  PROCEDURE q(p_x IN NUMBER);
END p;
/
";

/// Line 2 to 7; the procedure begins in line 8, its declarations in 9, its statements in 11.
const HELPERS: &str = "\
FUNCTION private_one RETURN NUMBER IS BEGIN RETURN 1; END private_one;
FUNCTION counted RETURN NUMBER IS l_n NUMBER; BEGIN SELECT COUNT(*) INTO l_n FROM t; RETURN l_n; END counted;
FUNCTION writer(p_x IN NUMBER) RETURN NUMBER IS BEGIN change; RETURN p_x; END writer;
FUNCTION is_one(p_x IN NUMBER) RETURN BOOLEAN IS BEGIN RETURN p_x = 1; END is_one;
PROCEDURE change IS BEGIN UPDATE t SET a = 1; END change;
";

/// Statements of a procedure, and a part of the reason.
const STATEMENTS: &[(&str, &str)] = &[
    // What Oracle would not compile.
    ("SELECT a FROM t;", "SELECT without INTO"),
    ("SELECT 1 INTO l_n;", "SELECT without FROM"),
    (
        "SELECT x.a INTO l_n FROM t AS x;",
        "AS before the alias of a table",
    ),
    ("UPDATE t SET a = 1 WHERE TRUE;", "TRUE in SQL"),
    (
        "SELECT a INTO l_n FROM t WHERE l_b;",
        "BOOLEAN variable L_B in SQL",
    ),
    (
        "SELECT COUNT(*) INTO l_n FROM t WHERE is_one(a);",
        "IS_ONE is BOOLEAN and is called in SQL",
    ),
    (
        "SELECT a INTO l_n FROM t EXCEPT SELECT a FROM w;",
        "EXCEPT in SQL",
    ),
    ("SELECT a INTO l_n FROM t LIMIT 1;", "LIMIT in SQL"),
    (
        "MERGE INTO t USING w s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = 1;",
        "ON without parentheses",
    ),
    (
        "MERGE INTO t USING w s ON (t.a = s.a) WHEN MATCHED THEN UPDATE SET a = 1;",
        "ORA-38104",
    ),
    ("l_n := NVL2(l_n, 1, 2);", "NVL2 exists only in SQL"),
    (
        "l_n := private_one + 1; SELECT private_one() INTO l_n FROM dual;",
        "PLS-00231",
    ),
    ("later;", "PLS-00313"),
    ("counted;", "PLS-00221"),
    ("l_n := change;", "procedure CHANGE in an expression"),
    ("SELECT writer(a) INTO l_n FROM t;", "ORA-14551"),
    (
        "FOR r IN (SELECT a FROM t) LOOP NULL; END LOOP;\nl_n := r.a;",
        "loop variable R outside its loop",
    ),
    ("SELECT a size INTO l_n FROM t;", "SIZE is reserved"),
    ("DELETE FROM t USING w WHERE t.a = w.a;", "DELETE ... USING"),
    ("UPDATE t SET a = w.a FROM w;", "UPDATE ... FROM"),
    ("INSERT INTO t (a) VALUES (1), (2);", "after VALUES"),
    ("IF l_n = 1 THEN END IF;", "no statement here"),
    ("p.nothing(1);", "is not known"),
    ("l_n := p.nothing;", "no public function or constant"),
    (
        "l_n := GENERATE_SERIES(1, 2);",
        "function GENERATE_SERIES is not known",
    ),
    ("RAISE nowhere;", "exception NOWHERE is not known"),
    ("RAISE;", "outside a handler"),
    ("l_n := SQLCODE;", "SQLCODE outside a handler"),
    (
        "SELECT sq.NEXTVAL INTO l_n FROM dual WHERE sq.NEXTVAL > 1;",
        "NEXTVAL twice",
    ),
    (
        r"SELECT a INTO l_n FROM t WHERE b LIKE 'x\_%';",
        "a backslash in LIKE",
    ),
    // What is outside the subset.
    ("COMMIT;", "only package API"),
    ("ROLLBACK;", "only package API and jobs"),
    ("SAVEPOINT x;", "only job wrappers"),
    ("LOCK TABLE t IN EXCLUSIVE MODE;", "FOR UPDATE"),
    ("dbms_scheduler.run_job('x');", "is not known"),
    ("CASE l_n WHEN 1 THEN NULL; END CASE;", "a CASE statement"),
    ("FOR i IN REVERSE 1 .. 3 LOOP NULL; END LOOP;", "REVERSE"),
    ("FOR r IN c LOOP NULL; END LOOP;", "a named cursor"),
    ("<<here>> NULL;", "is not known"),
    ("LOOP EXIT here; END LOOP;", "a label"),
    ("GOTO here;", "write IF or a loop"),
    (
        "FORALL i IN 1 .. 2 DELETE FROM t WHERE a = i;",
        "INSERT ... SELECT",
    ),
    ("OPEN c;", "FOR r IN"),
    ("DECLARE l_m NUMBER; BEGIN NULL; END;", "a nested DECLARE"),
    ("SELECT a BULK COLLECT INTO l_n FROM t;", "BULK in SQL"),
    ("INSERT INTO t VALUES (1);", "without a list of columns"),
    (
        "INSERT INTO t (a) VALUES (1) RETURNING a INTO l_n;",
        "RETURNING in SQL",
    ),
    ("DELETE t;", "DELETE without FROM"),
    (
        "SELECT COUNT(*) INTO l_n FROM t, w WHERE w.a(+) = t.a;",
        "(+)",
    ),
    (
        "SELECT MAX(a) INTO l_n FROM (SELECT a FROM t);",
        "a subquery without an alias",
    ),
    (
        "SELECT COUNT(*) INTO l_n FROM dual CONNECT BY LEVEL < 3;",
        "a recursive WITH",
    ),
    ("SELECT DECODE(a, 1, 2) INTO l_n FROM t;", "write CASE"),
    ("SELECT a INTO l_n FROM t FOR UPDATE OF a;", "FOR UPDATE OF"),
    (
        "MERGE INTO t d USING w s ON (d.a = s.a) WHEN MATCHED THEN UPDATE SET d.b = 1;",
        "SET with an alias",
    ),
    (
        "MERGE INTO t d USING w s ON (d.a = s.a) WHEN MATCHED THEN UPDATE SET b = 1 WHERE s.b = 1;",
        "WHERE or DELETE",
    ),
    (
        "INSERT /*+ APPEND */ INTO t (a) SELECT a FROM w;",
        "direct-path insert in static SQL",
    ),
    (
        "EXECUTE IMMEDIATE 'DELETE FROM t' USING OUT l_n;",
        "use INTO",
    ),
    (
        "EXECUTE IMMEDIATE 'DELETE FROM t RETURNING a INTO :1' RETURNING INTO l_n;",
        "RETURNING in EXECUTE",
    ),
    ("l_x := '';", "an empty text"),
    ("l_n := l_n ** 2;", "POWER"),
    ("SELECT a INTO l_n FROM t@far;", "a database link"),
    (
        "SELECT a INTO l_n FROM t WHERE b < SYSDATE;",
        "SYSTIMESTAMP",
    ),
    ("l_n := 1 + writer(2);", "assign its result first"),
    ("UPDATE t SET a = :x;", "binds are for dynamic SQL"),
    ("RAISE plain;", "has no PRAGMA EXCEPTION_INIT"),
    ("RAISE NO_DATA_FOUND;", "RAISE NO_DATA_FOUND"),
    ("l_x := q'[it]';", "no literal here"),
    (
        "WITH x AS (SELECT 1 a FROM dual) DELETE FROM t;",
        "WITH before DML",
    ),
    // Handlers that go on where PostgreSQL would have undone what Oracle keeps.
    (
        "BEGIN UPDATE t SET a = 1; DELETE FROM w; EXCEPTION WHEN OTHERS THEN NULL; END;",
        "a handler that goes on",
    ),
    (
        "BEGIN UPDATE t SET a = 1; l_n := 1 / l_n; EXCEPTION WHEN OTHERS THEN NULL; END;",
        "a handler that goes on",
    ),
    (
        "BEGIN change; EXCEPTION WHEN OTHERS THEN NULL; END;",
        "a handler that goes on",
    ),
    (
        "BEGIN l_n := writer(1); EXCEPTION WHEN OTHERS THEN NULL; END;",
        "a handler that goes on",
    ),
    (
        "BEGIN FOR i IN 1 .. 2 LOOP DELETE FROM t; END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END;",
        "a handler that goes on",
    ),
    (
        "BEGIN SELECT a INTO l_n FROM t FOR UPDATE; DELETE FROM t; EXCEPTION WHEN OTHERS THEN NULL; END;",
        "a handler that goes on",
    ),
];

/// Statements that are much like refused ones, and fine.
const ACCEPTED: &[&str] = &[
    r"SELECT a INTO l_n FROM t WHERE b LIKE 'x\_%' ESCAPE '\';",
    "BEGIN SELECT a INTO l_n FROM t; DELETE FROM w; EXCEPTION WHEN NO_DATA_FOUND THEN NULL; END;",
    "BEGIN DELETE FROM w; l_n := SQL%ROWCOUNT; EXCEPTION WHEN p.oops THEN l_n := 1; END;",
    "BEGIN change; EXCEPTION WHEN OTHERS THEN RAISE; END;",
    "BEGIN l_n := counted; EXCEPTION WHEN NO_DATA_FOUND THEN NULL; END;",
    "SELECT x.keep, x.level INTO l_n, l_n FROM t x;",
    "FOR r IN (SELECT a FROM t) LOOP NULL; END LOOP;\nSELECT r.a INTO l_n FROM t r;",
    "SELECT c_one, p.counted() INTO l_n, l_n FROM dual;",
    "l_n := writer(1);",
    "l_n := p.writer(p_x => 1);",
];

#[test]
fn statements_are_refused() {
    let declarations = "l_n NUMBER; l_b BOOLEAN; l_x VARCHAR2(9);";
    let mut wrong = Vec::new();
    for (statement, reason) in STATEMENTS {
        match refusals_of(declarations, statement).as_slice() {
            [refusal]
                if refusal.to_string().contains(reason) && (11..=12).contains(&refusal.line) => {}
            found => wrong.push(format!(
                "{statement}\n  expected {reason}\n  found {found:?}"
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn statements_are_accepted() {
    for statement in ACCEPTED {
        let found = refusals_of("l_n NUMBER;", statement);
        assert!(found.is_empty(), "{statement}: {found:?}");
    }
}

#[test]
fn declarations_are_refused() {
    let cases = [
        ("TYPE l_t IS TABLE OF NUMBER;", "TYPE in a declaration"),
        ("CURSOR c IS SELECT a FROM t;", "CURSOR in a declaration"),
        ("PRAGMA AUTONOMOUS_TRANSACTION;", "PRAGMA in a declaration"),
        ("l_c CHAR(3);", "type CHAR ( 3 ) is outside the subset"),
        ("l_d DATE;", "type DATE is outside the subset"),
        ("l_r RAW(16);", "type RAW ( 16 ) is outside the subset"),
        ("l_x VARCHAR2;", "type VARCHAR2 is outside the subset"),
        (
            "amount NUMBER;",
            "name AMOUNT; begin it with l_ or c_ or r_",
        ),
        (
            "FUNCTION inner_one RETURN NUMBER IS BEGIN RETURN 1; END;",
            "a subprogram inside Q",
        ),
    ];
    for (declaration, reason) in cases {
        let found = refusals_of(declaration, "NULL;");
        assert_eq!(found.len(), 1, "{declaration}: {found:?}");
        assert!(
            found[0].to_string().contains(reason),
            "{declaration}: {}",
            found[0]
        );
        assert_eq!(found[0].line, 9, "{declaration}");
    }
}

#[test]
fn packages_are_refused() {
    let specification = |items: &str| {
        format!("CREATE OR REPLACE PACKAGE p AUTHID DEFINER AS\n{items}\nEND p;\n/\n")
    };
    let cases = [
        ("l_n NUMBER := 1;", "package variable L_N"),
        ("SUBTYPE scn IS NUMBER(18);", "SUBTYPE in a package"),
        ("FUNCTION f(p_x IN VARCHAR2(9)) RETURN NUMBER;", "PLS-00103"),
        ("FUNCTION f RETURN NUMBER(9);", "PLS-00103"),
        (
            "FUNCTION f(p_x OUT NUMBER) RETURN NUMBER;",
            "with an OUT parameter",
        ),
        (
            "FUNCTION f(x IN NUMBER) RETURN NUMBER;",
            "name X; begin it with p_",
        ),
        (
            "FUNCTION f RETURN NUMBER;\nFUNCTION f(p_x IN NUMBER) RETURN NUMBER;",
            "a second F",
        ),
        (
            "PRAGMA EXCEPTION_INIT(oops, -20801);",
            "which is no exception",
        ),
    ];
    for (items, reason) in cases {
        let body = "CREATE OR REPLACE PACKAGE BODY p AS\nFUNCTION g RETURN NUMBER IS BEGIN RETURN 1; END g;\nEND p;\n/\n";
        let routine = items
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches(';');
        // A header is looked at where it has a body.
        let with_body = format!(
            "CREATE OR REPLACE PACKAGE BODY p AS\n{routine} IS BEGIN RETURN 1; END f;\nEND p;\n/\n"
        );
        let body = if routine.starts_with("FUNCTION") {
            &with_body
        } else {
            body
        };
        let found = refusals(&[("p.pks", &specification(items)), ("p.pkb", body)]);
        assert!(!found.is_empty(), "{items}");
        assert!(
            found[0].to_string().contains(reason),
            "{items}: {}",
            found[0]
        );
    }
}

#[test]
fn a_body_that_does_not_fit_its_specification_is_refused() {
    let specification =
        "CREATE OR REPLACE PACKAGE p AUTHID DEFINER AS\nPROCEDURE q(p_x IN NUMBER);\nEND p;\n/\n";
    let cases = [
        (
            "PROCEDURE q(p_y IN NUMBER) IS BEGIN NULL; END q;",
            "differs from its declaration",
        ),
        (
            "PROCEDURE q(p_x IN NUMBER DEFAULT 1) IS BEGIN NULL; END q;",
            "differs from its declaration",
        ),
        (
            "PROCEDURE q(p_x IN NUMBER) IS BEGIN NULL; END r;",
            "END R does not match Q",
        ),
        ("PROCEDURE r IS BEGIN NULL; END r;", "PLS-00323"),
    ];
    for (item, reason) in cases {
        let body = format!("CREATE OR REPLACE PACKAGE BODY p AS\n{item}\nEND p;\n/\n");
        let found = refusals(&[("p.pks", specification), ("p.pkb", &body)]);
        assert_eq!(found.len(), 1, "{item}: {found:?}");
        assert!(
            found[0].to_string().contains(reason),
            "{item}: {}",
            found[0]
        );
    }
}

#[test]
fn jobs_are_refused() {
    let cases = [
        ("", "NULL;", "AUTHID of procedure J"),
        ("AUTHID DEFINER", "BEGIN NULL; END;", "a block in a job"),
        (
            "AUTHID DEFINER",
            "NULL; EXCEPTION WHEN NO_DATA_FOUND THEN NULL;",
            "a handler in a job",
        ),
        (
            "AUTHID DEFINER",
            "COMMIT WORK;",
            "only package API and jobs",
        ),
    ];
    for (authid, statements, reason) in cases {
        let text =
            format!("CREATE OR REPLACE PROCEDURE j {authid} AS\nBEGIN\n{statements}\nEND j;\n/\n");
        let found = refusals(&[("j.sql", &text)]);
        assert!(!found.is_empty(), "{statements}");
        assert!(
            found[0].to_string().contains(reason),
            "{statements}: {}",
            found[0]
        );
    }
}

#[test]
fn objects_are_refused() {
    let cases = [
        (
            "CREATE TABLE t (comment VARCHAR2(9));",
            "column COMMENT, a reserved word",
        ),
        (
            "CREATE VIEW v AS SELECT x.a FROM t AS x;",
            "AS before the alias of a table",
        ),
        (
            "CREATE VIEW v AS SELECT nothing.f(a) b FROM t;",
            "NOTHING.F is not known",
        ),
        (
            "CREATE VIEW v AS SELECT GENERATE_SERIES(1, 2) a FROM dual;",
            "is not known",
        ),
        ("DROP TABLE t;", "neither CREATE nor COMMENT"),
        (
            "CREATE TABLE t (a VARCHAR2(9) DEFAULT 'x);",
            "not properly terminated",
        ),
    ];
    for (text, reason) in cases {
        let found = refusals(&[("t.sql", text)]);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(
            found[0].to_string().contains(reason),
            "{text}: {}",
            found[0]
        );
    }
}
