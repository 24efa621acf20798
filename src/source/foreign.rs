//! The foreign tables through which the source is read, and the login kept with their server.
//!
//! What is asked of the catalog, and what is run; the statements are made in `fdw`.

use std::ffi::{CStr, CString};

use pgrx::{PgList, Spi, pg_sys};

use crate::catalog::source::Source;
use crate::error::{Error, Kind};
use crate::pull::tx;
use crate::quote::ident;
use crate::source::checks::{Check, Item};
use crate::source::contract::Column;
use crate::source::fdw::{self, Dialect, Options};
use crate::source::login::Login;
use crate::source::types::Mapped;

/// Where and as whom `user` logs in through `server`. Needs no right to see user mappings, but
/// `user` must have the right to use the server.
pub fn login(server: &str, user: pg_sys::Oid) -> Result<Login, Error> {
    let found = Server::find(server)?;
    usage(server, found.oid, user)?;
    let connect = found.dialect()?.connect(server, &found.options)?;
    let (user, password) = fdw::credentials(server, found.mapping(user).as_ref())?;
    Ok(Login {
        connect,
        user,
        password,
    })
}

/// Where a server leads to.
pub fn connect_string(server: &str) -> Result<String, Error> {
    let found = Server::find(server)?;
    found.dialect()?.connect(server, &found.options)
}

/// What a source owned by `user` needs of its foreign server, without connecting.
pub fn check_server(server: &str, user: pg_sys::Oid) -> Vec<Check> {
    let found = match Server::find(server) {
        Ok(found) => found,
        Err(error) => return vec![Check::failed(Item::ForeignServer, error)],
    };
    let mut checks = vec![Check::passed(Item::ForeignServer, server)];
    match found.dialect() {
        Err(error) => checks.push(Check::failed(Item::Wrapper, error)),
        Ok(dialect) => {
            let connect = dialect.connect(server, &found.options);
            let isolation = dialect.isolation(server, &found.options);
            checks.push(Check::passed(Item::Wrapper, dialect.name()));
            checks.push(Check::of(Item::ConnectString, connect));
            checks.push(Check::of(Item::Isolation, isolation));
        }
    }
    let right = usage(server, found.oid, user);
    let mapping = fdw::credentials(server, found.mapping(user).as_ref());
    checks.push(Check::of(Item::ServerRight, right));
    checks.push(Check::of(
        Item::Mapping,
        mapping.map(|(user, _)| format!("user {user} with a password")),
    ));
    checks
}

/// Creates the foreign tables of the contract's views in `schema`, as the present role.
pub fn create_contract_tables(
    schema: &str,
    server: &str,
    remote_schema: &str,
) -> Result<(), Error> {
    let dialect = Server::find(server)?.dialect()?;
    fdw::contract_statements(dialect, schema, server, remote_schema)
        .iter()
        .try_for_each(|statement| run(statement))
}

/// Creates the foreign tables of a target on PULL_n and LOAD_n, as the owner of the source.
pub fn create_target_tables(
    source: &Source,
    target_id: i32,
    table_id: i64,
    columns: &[(Column, Mapped)],
) -> Result<(), Error> {
    tx::as_owner(source.owner, || {
        let dialect = Server::find(&source.server)?.dialect()?;
        fdw::target_statements(
            dialect,
            &source.local_schema,
            &source.server,
            &source.remote_schema,
            (target_id, table_id),
            columns,
        )
        .iter()
        .try_for_each(|statement| run(statement))
    })
}

/// Drops what [`create_target_tables`] made, if it is there.
pub fn drop_target_tables(source: &Source, target_id: i32) -> Result<(), Error> {
    run(&fdw::drop_target_statement(&source.local_schema, target_id))
}

/// A foreign server as the catalog has it.
struct Server {
    oid: pg_sys::Oid,
    handler: String,
    options: Options,
}

impl Server {
    fn find(name: &str) -> Result<Self, Error> {
        let missing = || {
            Error::new(Kind::NotFound, format!("there is no foreign server {name}"))
                .hint("Create it with CREATE SERVER ... FOREIGN DATA WRAPPER oracle_fdw.")
        };
        let c_name = CString::new(name).map_err(|_| missing())?;
        // SAFETY: the name ends with a zero byte; a server that is not there gives NULL, and one
        // that is there has a wrapper. All of it lives in the memory context of the caller.
        unsafe {
            let server = pg_sys::GetForeignServerByName(c_name.as_ptr(), true);
            if server.is_null() {
                return Err(missing());
            }
            let wrapper = pg_sys::GetForeignDataWrapper((*server).fdwid);
            Ok(Server {
                oid: (*server).serverid,
                handler: function_name((*wrapper).fdwhandler),
                options: options((*server).options),
            })
        }
    }

    fn dialect(&self) -> Result<Dialect, Error> {
        Dialect::of_handler(&self.handler)
    }

    /// Options of the mapping for `user`, else of the one for PUBLIC.
    fn mapping(&self, user: pg_sys::Oid) -> Option<Options> {
        let exists = |user: pg_sys::Oid| {
            // SAFETY: the cache is searched by two object ids, as declared.
            unsafe {
                pg_sys::SearchSysCacheExists(
                    pg_sys::SysCacheIdentifier::USERMAPPINGUSERSERVER as i32,
                    user.into(),
                    self.oid.into(),
                    pg_sys::Datum::null(),
                    pg_sys::Datum::null(),
                )
            }
        };
        if !exists(user) && !exists(pg_sys::InvalidOid) {
            return None;
        }
        // SAFETY: a mapping was found just now, so that the result is not NULL.
        unsafe {
            let mapping = pg_sys::GetUserMapping(user, self.oid);
            Some(options((*mapping).options))
        }
    }
}

/// Whether `user` may create foreign tables of the server, and so use its login.
fn usage(server: &str, oid: pg_sys::Oid, user: pg_sys::Oid) -> Result<String, Error> {
    let granted = Spi::get_one_with_args::<bool>(
        "SELECT pg_catalog.has_server_privilege($1, $2, 'USAGE')",
        &[user.into(), oid.into()],
    )
    .map_err(|error| Error::new(Kind::Other, error.to_string()))?;
    if granted == Some(true) {
        return Ok("granted".to_owned());
    }
    Err(Error::new(
        Kind::Forbidden,
        format!("the owner of the source may not use foreign server {server}"),
    )
    .hint(format!(
        "GRANT USAGE ON FOREIGN SERVER {} TO <owner>",
        ident(server)
    )))
}

fn run(statement: &str) -> Result<(), Error> {
    Spi::run(statement).map_err(|error| Error::new(Kind::Other, error.to_string()))
}

/// # Safety
/// `list` is a list of DefElem, as the catalog functions return it.
unsafe fn options(list: *mut pg_sys::List) -> Options {
    // SAFETY: promised by the caller; names and values are texts that end with a zero byte.
    unsafe {
        PgList::<pg_sys::DefElem>::from_pg(list)
            .iter_ptr()
            .map(|option| (text((*option).defname), text(pg_sys::defGetString(option))))
            .collect()
    }
}

/// Name of a function, empty if there is none.
fn function_name(oid: pg_sys::Oid) -> String {
    // SAFETY: an id that belongs to no function gives NULL.
    unsafe {
        let name = pg_sys::get_func_name(oid);
        if name.is_null() {
            String::new()
        } else {
            text(name)
        }
    }
}

/// # Safety
/// `c_text` is not NULL and ends with a zero byte.
unsafe fn text(c_text: *const std::ffi::c_char) -> String {
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(c_text) }
        .to_string_lossy()
        .into_owned()
}
