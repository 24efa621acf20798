//! orapull: moves the increment of a live Oracle database into PostgreSQL shards.
//!
//! `pull/turn.rs` tells the story; ARCHITECTURE.md has the map.

mod api;
mod catalog;
mod check;
mod compare;
mod error;
mod event;
mod kind;
mod manage;
mod pull;
mod quote;
mod register;
mod report;
mod settings;
mod source;
mod sql;
mod state;
mod wait;
mod worker;

use pgrx::prelude::*;

::pgrx::pg_module_magic!(name, version);

extension_sql_file!("../sql/01_schema.sql", name = "schema", bootstrap);
extension_sql_file!(
    "../sql/02_tables.sql",
    name = "tables",
    requires = ["schema"]
);
extension_sql_file!(
    "../sql/03_functions.sql",
    name = "functions",
    requires = ["tables"]
);
extension_sql_file!(
    "../sql/04_views.sql",
    name = "views",
    requires = ["functions"]
);
extension_sql_file!(
    "../sql/05_rights.sql",
    name = "rights",
    requires = ["views"],
    finalize
);

#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    settings::define();
    // SAFETY: set by the postmaster before it loads libraries.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        worker::shared::init();
        worker::launcher::register();
    }
}

/// What `cargo pgrx test` asks for; the harness runs the same tests without it.
#[cfg(all(test, feature = "pg_test"))]
pub mod pg_test {
    pub fn setup(_options: Vec<&str>) {}

    pub fn postgresql_conf_options() -> Vec<&'static str> {
        vec!["shared_preload_libraries = 'orapull'"]
    }
}
