//! The thread on which the client library works, and how a worker waits for it.
//!
//! A call into the library may hang for as long as the network likes. A worker that made it itself
//! would be deaf to shutdown, so one thread for each process makes the calls, with all signals
//! blocked, and the worker waits on its latch and on a socket that the thread writes to.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use once_cell::sync::OnceCell;
use parking_lot::{Condvar, Mutex};
use pgrx::{pg_guard, pg_sys};

use crate::error::{Error, Kind};
use crate::source::session::Session;

/// How much longer than its timeout a call may take, and how long a broken one may take to end.
const GRACE: Duration = Duration::from_secs(5);

type Job = Box<dyn FnOnce() + Send>;

static THREAD: OnceCell<Arc<OciThread>> = OnceCell::new();

/// Whether the thread has work that is not done.
static BUSY: AtomicBool = AtomicBool::new(false);

static GUARDED: AtomicBool = AtomicBool::new(false);

struct OciThread {
    jobs: Mutex<VecDeque<Job>>,
    arrived: Condvar,
    /// The thread writes a byte here when a job is done ...
    wake: UnixStream,
    /// ... and the worker waits for it here.
    woken: UnixStream,
}

/// Does `work` on the thread and waits for what comes of it. Interrupts of PostgreSQL are served
/// while waiting: if one of them ends the wait by an error, the work is broken off, its outcome is
/// dropped, and the next call waits for its end first.
pub fn call<T: Send + 'static>(
    session: &Arc<Session>,
    patience: Duration,
    work: impl FnOnce(&Session) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let thread = running_thread()?;
    if !thread.wait(GRACE, || !call_running()) {
        return Err(stuck("the call before this one has not ended"));
    }
    let slot = Arc::new(Mutex::new(None));
    thread.post(Box::new({
        let (slot, session) = (Arc::clone(&slot), Arc::clone(session));
        move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&session)));
            *slot.lock() = Some(outcome.unwrap_or_else(|_| {
                // Nobody knows what it left behind in its transaction.
                session.close();
                Err(panicked())
            }));
        }
    }));
    let answered = || slot.lock().is_some();
    let _abandon = AbandonOnError(session);
    if !thread.wait(patience + GRACE, answered) {
        session.interrupt();
        let ended = thread.wait(GRACE, answered);
        // A break that arrives late must not hit another call.
        close(session);
        if !ended {
            return Err(stuck(
                "the call outlived its timeout and could not be broken",
            ));
        }
    }
    let outcome = slot.lock().take();
    outcome.unwrap_or_else(|| Err(panicked()))
}

/// Breaks the call off when an error of PostgreSQL, a cancelled statement say, ends the wait for it.
struct AbandonOnError<'a>(&'a Arc<Session>);

impl Drop for AbandonOnError<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.interrupt();
            // A break that arrives late must not hit another call.
            close(self.0);
        }
    }
}

/// Closes the connection on the thread, without waiting for it.
pub fn close(session: &Arc<Session>) {
    if let Some(thread) = THREAD.get() {
        let session = Arc::clone(session);
        thread.post(Box::new(move || session.close()));
    }
}

/// Whether a call has not come back yet. After an error of kind Timeout the process should end:
/// the client library cannot be used by a second thread meanwhile.
pub fn call_running() -> bool {
    BUSY.load(Ordering::Acquire)
}

/// Ends the process at once, should a call still be running when it exits: exit handlers of the
/// client library must not race it. Call this first in a worker, so that it runs last at exit.
pub fn install_exit_guard() {
    if !GUARDED.swap(true, Ordering::Relaxed) {
        // SAFETY: the callback takes what PostgreSQL passes and is there as long as the process.
        unsafe { pg_sys::on_proc_exit(Some(exit_if_stuck), pg_sys::Datum::null()) };
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn exit_if_stuck(code: std::ffi::c_int, _arg: pg_sys::Datum) {
    if call_running() {
        // SAFETY: PostgreSQL has released everything shared before it runs exit callbacks.
        unsafe { libc::_exit(code) }
    }
}

fn running_thread() -> Result<&'static Arc<OciThread>, Error> {
    THREAD.get_or_try_init(|| {
        install_exit_guard();
        OciThread::start().map_err(|error| {
            Error::new(
                Kind::Resources,
                format!("the thread for calls to the source could not be started: {error}"),
            )
        })
    })
}

impl OciThread {
    fn start() -> std::io::Result<Arc<Self>> {
        let (wake, woken) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        woken.set_nonblocking(true)?;
        let thread = Arc::new(OciThread {
            jobs: Mutex::new(VecDeque::new()),
            arrived: Condvar::new(),
            wake,
            woken,
        });
        let blocked = AllSignalsBlocked::new();
        std::thread::Builder::new()
            .name("orapull oci".to_owned())
            .spawn({
                let thread = Arc::clone(&thread);
                move || thread.serve()
            })?;
        drop(blocked);
        Ok(thread)
    }

    fn serve(&self) {
        loop {
            let job = {
                let mut jobs = self.jobs.lock();
                loop {
                    match jobs.pop_front() {
                        Some(job) => break job,
                        None => self.arrived.wait(&mut jobs),
                    }
                }
            };
            // `call` answers for panics of its work; nothing else that is posted may end the loop.
            let _ = catch_unwind(AssertUnwindSafe(job));
            let jobs = self.jobs.lock();
            if jobs.is_empty() {
                BUSY.store(false, Ordering::Release);
            }
            drop(jobs);
            // A full socket has enough bytes in it to wake the worker.
            let _ = (&self.wake).write(&[1]);
        }
    }

    fn post(&self, job: Job) {
        let mut jobs = self.jobs.lock();
        BUSY.store(true, Ordering::Release);
        jobs.push_back(job);
        self.arrived.notify_one();
    }

    /// Waits until `done`, at most for `limit`; returns whether it is.
    fn wait(&self, limit: Duration, done: impl Fn() -> bool) -> bool {
        let deadline = Instant::now() + limit;
        let mut latch = Latch { was_set: false };
        loop {
            self.drain();
            if done() {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            latch.wait(&self.woken, left);
            pgrx::check_for_interrupts!();
        }
    }

    fn drain(&self) {
        let mut bytes = [0; 64];
        while matches!((&self.woken).read(&mut bytes), Ok(read) if read == bytes.len()) {}
    }
}

/// The latch of the process. What woke it up meanwhile is not lost: it is set again afterwards.
struct Latch {
    was_set: bool,
}

impl Latch {
    fn wait(&mut self, socket: &UnixStream, limit: Duration) {
        let events = pg_sys::WL_LATCH_SET
            | pg_sys::WL_SOCKET_READABLE
            | pg_sys::WL_TIMEOUT
            | pg_sys::WL_EXIT_ON_PM_DEATH;
        let milliseconds = limit.as_millis().clamp(1, i32::MAX as u128);
        // SAFETY: the latch of the process lives as long as the process, the socket as long as
        // the thread, which never ends.
        unsafe {
            let woken_by = pg_sys::WaitLatchOrSocket(
                pg_sys::MyLatch,
                events as i32,
                socket.as_raw_fd(),
                milliseconds as std::ffi::c_long,
                pg_sys::PG_WAIT_EXTENSION,
            );
            if woken_by as u32 & pg_sys::WL_LATCH_SET != 0 {
                pg_sys::ResetLatch(pg_sys::MyLatch);
                self.was_set = true;
            }
        }
    }
}

impl Drop for Latch {
    fn drop(&mut self) {
        if self.was_set {
            // SAFETY: as above; setting a latch raises nothing.
            unsafe { pg_sys::SetLatch(pg_sys::MyLatch) }
        }
    }
}

/// While this lives, threads are born with all signals blocked: the handlers of PostgreSQL must
/// run on its own thread only.
struct AllSignalsBlocked {
    before: libc::sigset_t,
}

impl AllSignalsBlocked {
    fn new() -> Self {
        // SAFETY: sets of signals are plain memory, and both are written before they are read.
        unsafe {
            let mut all = std::mem::zeroed();
            let mut before = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            AllSignalsBlocked { before }
        }
    }
}

impl Drop for AllSignalsBlocked {
    fn drop(&mut self) {
        // SAFETY: the mask is the one that `new` found.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut());
        }
    }
}

fn stuck(what: &str) -> Error {
    Error::new(Kind::Timeout, format!("the source does not answer: {what}")).hint(
        "Look for a dead network path. SQLNET.OUTBOUND_CONNECT_TIMEOUT, SQLNET.RECV_TIMEOUT and (ENABLE=BROKEN) in the connect descriptor bound such waits.",
    )
}

fn panicked() -> Error {
    Error::new(
        Kind::Bug,
        "a call to the source ended in a panic; the server log has its place",
    )
}
