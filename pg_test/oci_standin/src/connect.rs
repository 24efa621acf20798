//! Server and user handles: connect and close.

use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status};
use crate::address::Address;
use crate::buffer;
use crate::call_log::{self, Call};
use crate::error::{self, OraError, Result};
use crate::fault::{self, Fault};
use crate::handle;
use crate::libpq::{Connection, Login};
use crate::service::Service;
use crate::session::Session;

/// How long a connect may take; Oracle's client waits as long.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// What a server handle knows: the address, once attached, and the sessions begun there.
#[derive(Default)]
pub struct Server {
    address: Mutex<Option<Address>>,
    sessions: Mutex<Vec<Arc<Session>>>,
}

impl Server {
    /// Whether all sessions of the server are well.
    pub fn is_normal(&self) -> bool {
        self.address.lock().is_some()
            && self
                .sessions
                .lock()
                .iter()
                .all(|session| session.is_alive())
    }

    pub fn sessions(&self) -> Vec<Arc<Session>> {
        self.sessions.lock().clone()
    }
}

/// Who logs on, and the session then.
#[derive(Default)]
pub struct User {
    name: Mutex<String>,
    password: Mutex<String>,
    session: Mutex<Option<Arc<Session>>>,
}

impl User {
    pub fn set_name(&self, name: &[u8]) {
        *self.name.lock() = String::from_utf8_lossy(name).into_owned();
    }

    pub fn set_password(&self, password: &[u8]) {
        *self.password.lock() = String::from_utf8_lossy(password).into_owned();
    }

    pub fn session(&self) -> Option<Arc<Session>> {
        self.session.lock().clone()
    }
}

/// Looks for a listener, as Oracle's client does before it knows who logs on.
fn attach(text: &str) -> Result<Address> {
    let address = Address::parse(text)?;
    match fault::for_call(&Call::Connect(text))? {
        Some(Fault::Refuse) => return Err(OraError::known(12541)),
        Some(Fault::Code(code)) => return Err(OraError::known(code)),
        Some(Fault::CutBefore | Fault::CutAfter) => return Err(OraError::known(3113)),
        Some(Fault::Delay(time) | Fault::Hang(time)) => std::thread::sleep(time),
        None => {}
    }
    let unknown_host = || OraError::known(12545);
    let places = (address.host.as_str(), address.port).to_socket_addrs();
    let place = places
        .ok()
        .and_then(|mut places| places.next())
        .ok_or_else(unknown_host)?;
    match TcpStream::connect_timeout(&place, CONNECT_TIMEOUT) {
        Ok(_) => Ok(address),
        Err(error) if error.kind() == std::io::ErrorKind::TimedOut => Err(OraError::known(12170)),
        Err(_) => Err(OraError::known(12541)),
    }
}

fn log_on(address: &Address, name: &str, password: &str) -> Result<Session> {
    // Oracle folds the names of users and services, PostgreSQL has them in lower case.
    let login = Login {
        host: &address.host,
        port: address.port,
        database: &address.service.to_lowercase(),
        user: &name.trim_matches('"').to_lowercase(),
        password,
        connect_timeout: CONNECT_TIMEOUT,
    };
    match Connection::open(&login) {
        Ok(connection) => Ok(Session::new(connection)),
        Err(text) => Err(OraError::known(code_of_refusal(&text))),
    }
}

/// libpq gives no SQLSTATE for a failed connect, only a text (in English, as the server's).
fn code_of_refusal(text: &str) -> i32 {
    let has = |part: &str| text.contains(part);
    if has("password") || has("role \"") && has("does not exist") || has("no pg_hba.conf entry") {
        1017
    } else if has("database \"") && has("does not exist") {
        12514
    } else if has("permission denied for database") || has("is not permitted to log in") {
        1045
    } else if has("too many connections for role") {
        2391
    } else if has("too many connections for database") {
        12516
    } else if has("too many clients") || has("remaining connection slots") {
        12520
    } else if has("starting up") || has("shutting down") {
        1089
    } else if has("Connection refused") {
        12541
    } else {
        3113
    }
}

/// # Safety
/// `server` and `error` are handles of this library, `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIServerAttach(
    server: Pointer,
    error: Pointer,
    text: *const u8,
    length: i32,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let server = handle::get::<Server>(server)?;
            let text = buffer::bytes(text, usize::try_from(length).unwrap_or(0));
            let text = String::from_utf8_lossy(text);
            let attached = attach(&text);
            if attached.is_err() {
                call_log::ended(&Call::Connect(&text), &attached);
            }
            *server.address.lock() = Some(attached?);
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `server` and `error` are handles of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIServerDetach(server: Pointer, error: Pointer, _mode: u32) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            *handle::get::<Server>(server)?.address.lock() = None;
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// All are handles of this library; the service knows its server.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCISessionBegin(
    service: Pointer,
    error: Pointer,
    user: Pointer,
    _credentials: u32,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let service = handle::get::<Service>(service)?;
            let server = handle::get::<Server>(service.server.load(Ordering::Acquire))?;
            let address = server.address.lock().clone();
            let address = address.ok_or_else(|| OraError::known(12560))?;
            service.user.store(user, Ordering::Release);
            let user = handle::get::<User>(user)?;
            let name = user.name.lock().clone();
            let session = log_on(&address, &name, &user.password.lock());
            call_log::ended(&Call::Connect(&format!("{name}@{address}")), &session);
            let session = Arc::new(session?);
            server.sessions.lock().push(session.clone());
            *user.session.lock() = Some(session);
            Ok(abi::SUCCESS)
        })
    }
}

/// ODPI-C also ends a session that never began.
///
/// # Safety
/// All are handles of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCISessionEnd(
    service: Pointer,
    error: Pointer,
    user: Pointer,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let service = handle::get::<Service>(service)?;
            if let Some(session) = handle::get::<User>(user)?.session.lock().take() {
                session.close();
                let server = handle::get::<Server>(service.server.load(Ordering::Acquire))?;
                server
                    .sessions
                    .lock()
                    .retain(|other| !Arc::ptr_eq(other, &session));
            }
            Ok(abi::SUCCESS)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_the_server_get_oracles_numbers() {
        for (text, code) in [
            (
                "FATAL:  password authentication failed for user \"app\"",
                1017,
            ),
            ("FATAL:  role \"nobody\" does not exist", 1017),
            ("FATAL:  database \"none\" does not exist", 12514),
            ("FATAL:  sorry, too many clients already", 12520),
            ("FATAL:  too many connections for role \"app\"", 2391),
            ("FATAL:  too many connections for database \"o\"", 12516),
            ("FATAL:  the database system is shutting down", 1089),
        ] {
            assert_eq!(code_of_refusal(text), code, "{text}");
        }
    }
}
