//! What a PostgreSQL that plays Oracle needs inside its sessions.
//!
//! `ora.sql` rewrites the text of EXECUTE IMMEDIATE when it runs. A hook at the start of each statement keeps two
//! rules of Oracle that PostgreSQL does not have: a table that was filled by direct path may not be named again in
//! the transaction (ORA-12838), and DDL commits what was written before it, which no step of ours may do.

use pgrx::prelude::*;

mod transaction;

pgrx::pg_module_magic!();

#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    transaction::watch_statements();
}

/// The text of EXECUTE IMMEDIATE as PostgreSQL wants it.
#[pg_extern(sql = false)]
fn ora_sql(text: &str) -> String {
    let statement = match dialect::dynamic(text) {
        Ok(statement) => statement,
        Err(error) => error!("{}: {text}", error.0),
    };
    if statement.is_ddl && transaction::has_written() {
        error!("DDL would commit in Oracle what was written before it in this step: {text}");
    }
    let is_direct_path = statement.direct_path.is_some();
    if let Some((code, text)) = transaction::refused(statement.is_remote, is_direct_path) {
        raise(code, text);
    }
    if let Some(table) = statement.direct_path {
        transaction::expect_direct_path(&table);
    }
    if statement.commented.is_some_and(|name| is_view(&name)) {
        return statement.text.replacen("TABLE", "VIEW", 1);
    }
    match statement.replaced_view {
        Some(view) => statement.text + &drop_view(&view),
        None => statement.text,
    }
}

/// Raises an error of Oracle with its own SQLSTATE.
fn raise(code: i32, text: &str) {
    if let Err(error) = Spi::run_with_args(
        "SELECT \"SYS\".\"RAISE\"($1, $2)",
        &[code.into(), text.into()],
    ) {
        error!("ORA-{code}: {text}: {error}");
    }
}

/// Oracle replaces a view by one with other columns, and its grants stay: the statements that grant them anew.
fn drop_view(view: &str) -> String {
    match Spi::get_one_with_args("SELECT ora.drop_view($1)", &[view.into()]) {
        Ok(grants) => grants.unwrap_or_default(),
        Err(error) => error!("cannot drop {view}: {error}"),
    }
}

/// Whether a name, as PostgreSQL has it, is that of a view.
fn is_view(name: &str) -> bool {
    const KIND: &str = "SELECT relkind = 'v' FROM pg_class WHERE oid = to_regclass($1)";
    match Spi::get_one_with_args(KIND, &[name.into()]) {
        Ok(is_view) => is_view.unwrap_or(false),
        Err(error) => error!("cannot look up {name}: {error}"),
    }
}

/// Whether this transaction has changed or locked rows of what is not the stand-in's own.
#[pg_extern(sql = false)]
fn ora_has_written() -> bool {
    transaction::has_written()
}

/// SQLCODE for a SQLSTATE.
#[pg_extern(sql = false)]
fn ora_sqlcode(sqlstate: &str) -> i32 {
    match dialect::code_of_sqlstate(sqlstate) {
        // NO_DATA_FOUND is the only one with a number of the standard.
        Some(1403) => 100,
        Some(code) => -code,
        None => -600,
    }
}

/// SQLERRM for a SQLSTATE and PostgreSQL's message.
#[pg_extern(sql = false)]
fn ora_sqlerrm(sqlstate: &str, message: &str) -> String {
    if message.starts_with("ORA-") {
        return message.to_owned();
    }
    let code = dialect::code_of_sqlstate(sqlstate).unwrap_or(600);
    format!("ORA-{code:05}: {message}")
}
