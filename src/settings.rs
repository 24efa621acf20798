//! The settings `orapull.*`. All follow a reload of the configuration.

use std::ffi::{CStr, CString};
use std::time::Duration;

use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting};

static POLL_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(1_000);
static BATCH_POINTERS: GucSetting<i32> = GucSetting::<i32>::new(100_000);
static READ_AHEAD: GucSetting<bool> = GucSetting::<bool>::new(true);
static REQUEST_ROWS: GucSetting<i32> = GucSetting::<i32>::new(10_000);
static LOAD_WORKERS: GucSetting<i32> = GucSetting::<i32>::new(2);
static LOAD_ROWS_PER_SECOND: GucSetting<i32> = GucSetting::<i32>::new(0);
static LOAD_CHUNK_ROWS: GucSetting<i32> = GucSetting::<i32>::new(100_000);
static CALL_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(60_000);
static LOCK_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(5_000);
static MAX_HELD_ROWS: GucSetting<i32> = GucSetting::<i32>::new(10_000_000);
static MAX_PARKED_ROWS: GucSetting<i32> = GucSetting::<i32>::new(1_000);
static AUTO_ADOPT: GucSetting<bool> = GucSetting::<bool>::new(false);
static AUTO_RESYNC: GucSetting<bool> = GucSetting::<bool>::new(false);
static CLIENT_LIBRARY_DIR: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);

/// Defines all settings; called once, from `_PG_init`.
pub fn define() {
    define_following();
    define_loading();
    define_limits();
    define_source();
    // A misspelt setting is reported instead of being kept as a placeholder.
    #[cfg(not(feature = "pg14"))]
    // SAFETY: the text is a constant.
    unsafe {
        pgrx::pg_sys::MarkGUCPrefixReserved(c"orapull".as_ptr())
    };
}

/// How changes are followed.
fn define_following() {
    milliseconds(
        c"orapull.poll_interval",
        c"Time between two looks at a source that had nothing new.",
        c"In milliseconds. While there is something to apply the worker does not wait. Default: 1000, one small query a second at the source.",
        &POLL_INTERVAL,
        10..=3_600_000,
    );
    number(
        c"orapull.batch_pointers",
        c"Pointers that one batch takes at most.",
        c"A batch is at least one portion. Larger batches fetch a row that changed often fewer times, smaller ones commit sooner. Default: 100000.",
        &BATCH_POINTERS,
        1..=10_000_000,
    );
    switch(
        c"orapull.read_ahead",
        c"Read the next batch while the present one is applied.",
        c"A second process does that while more than one batch waits at the source. It uses one of max_worker_processes and one session at the source, and ends some seconds after the lag. Default: on.",
        &READ_AHEAD,
    );
    number(
        c"orapull.request_rows",
        c"Held, parked or suspected rows that one request asks for at most.",
        c"Requests take turns with batches: more rows catch up faster, fewer keep the other tables fresher. Default: 10000.",
        &REQUEST_ROWS,
        1..=1_000_000,
    );
    milliseconds(
        c"orapull.lock_timeout",
        c"Time to wait for a lock on a table of this shard.",
        c"In milliseconds. After that the table is paused as blocked, the others go on, and it resumes by itself. Default: 5000.",
        &LOCK_TIMEOUT,
        10..=3_600_000,
    );
}

/// How tables are loaded. The source is a live database: all of this can be lowered at once.
fn define_loading() {
    number(
        c"orapull.load_workers",
        c"Processes that load tables of one source at the same time.",
        c"0 stops loading after the chunks in progress, and resyncs do not end. Each uses one of max_worker_processes and one session at the source. Default: 2, so that a live source hardly notices.",
        &LOAD_WORKERS,
        0..=32,
    );
    number(
        c"orapull.load_rows_per_second",
        c"Rows that all loaders of one source read per second at most.",
        c"0 means no limit. Default: 0.",
        &LOAD_ROWS_PER_SECOND,
        0..=i32::MAX,
    );
    number(
        c"orapull.load_chunk_rows",
        c"Rows that one chunk of a load should have.",
        c"Chunks are cut by the source's statistics when a load is planned. A chunk is fetched and committed as a whole, and read again when it was interrupted. Default: 100000.",
        &LOAD_CHUNK_ROWS,
        1_000..=100_000_000,
    );
}

/// When a table or a source needs an operator.
fn define_limits() {
    number(
        c"orapull.max_held_rows",
        c"Identities that are held for one paused table at most.",
        c"Above it the table needs a resync, which is then cheaper than asking for the rows. Default: 10000000, some gigabytes.",
        &MAX_HELD_ROWS,
        1_000..=i32::MAX,
    );
    number(
        c"orapull.max_parked_rows",
        c"Rows of one table that one batch parks at most.",
        c"More of them pause the table: then the table does not fit, not a few rows. Default: 1000.",
        &MAX_PARKED_ROWS,
        0..=1_000_000,
    );
    switch(
        c"orapull.auto_adopt",
        c"Take the shard's lease over when this server is a copy of the one that had it.",
        c"For pairs of servers of which only one runs at a time. Default: off, because a restored or cloned server must not take the changes of the real one.",
        &AUTO_ADOPT,
    );
    switch(
        c"orapull.auto_resync",
        c"Load a table again by itself when changes of it cannot be located.",
        c"Default: off, because a load of a large table burdens the source when nobody expects it.",
        &AUTO_RESYNC,
    );
}

/// How the source is called.
fn define_source() {
    milliseconds(
        c"orapull.call_timeout",
        c"Time that one call of the source may take.",
        c"In milliseconds. After that the call is broken off and the source counts as unreachable. Default: 60000, because planning a load reads the dictionary.",
        &CALL_TIMEOUT,
        100..=3_600_000,
    );
    GucRegistry::define_string_guc(
        c"orapull.client_library_dir",
        c"Folder of the Oracle client library.",
        c"Read when a process makes its first connection to a source. Default: empty, then LD_LIBRARY_PATH and $ORACLE_HOME/lib of the server are searched.",
        &CLIENT_LIBRARY_DIR,
        GucContext::Sighup,
        GucFlags::SUPERUSER_ONLY,
    );
}

type Range = std::ops::RangeInclusive<i32>;

fn number(
    name: &'static CStr,
    short: &'static CStr,
    long: &'static CStr,
    setting: &'static GucSetting<i32>,
    range: Range,
) {
    define_int(name, short, long, setting, range, GucFlags::default());
}

fn milliseconds(
    name: &'static CStr,
    short: &'static CStr,
    long: &'static CStr,
    setting: &'static GucSetting<i32>,
    range: Range,
) {
    define_int(name, short, long, setting, range, GucFlags::UNIT_MS);
}

fn define_int(
    name: &'static CStr,
    short: &'static CStr,
    long: &'static CStr,
    setting: &'static GucSetting<i32>,
    range: Range,
    flags: GucFlags,
) {
    let (min, max) = range.into_inner();
    GucRegistry::define_int_guc(
        name,
        short,
        long,
        setting,
        min,
        max,
        GucContext::Sighup,
        flags,
    );
}

fn switch(
    name: &'static CStr,
    short: &'static CStr,
    long: &'static CStr,
    setting: &'static GucSetting<bool>,
) {
    GucRegistry::define_bool_guc(
        name,
        short,
        long,
        setting,
        GucContext::Sighup,
        GucFlags::default(),
    );
}

pub fn poll_interval() -> Duration {
    duration(&POLL_INTERVAL)
}

pub fn batch_pointers() -> i64 {
    BATCH_POINTERS.get().into()
}

pub fn read_ahead() -> bool {
    READ_AHEAD.get()
}

pub fn request_rows() -> i64 {
    REQUEST_ROWS.get().into()
}

pub fn load_workers() -> usize {
    usize::try_from(LOAD_WORKERS.get()).unwrap_or(0)
}

/// `None`: no limit.
pub fn load_rows_per_second() -> Option<i64> {
    Some(i64::from(LOAD_ROWS_PER_SECOND.get())).filter(|&rows| rows > 0)
}

pub fn load_chunk_rows() -> i64 {
    LOAD_CHUNK_ROWS.get().into()
}

pub fn call_timeout() -> Duration {
    duration(&CALL_TIMEOUT)
}

pub fn lock_timeout() -> Duration {
    duration(&LOCK_TIMEOUT)
}

pub fn max_held_rows() -> i64 {
    MAX_HELD_ROWS.get().into()
}

pub fn max_parked_rows() -> i64 {
    MAX_PARKED_ROWS.get().into()
}

pub fn auto_adopt() -> bool {
    AUTO_ADOPT.get()
}

pub fn auto_resync() -> bool {
    AUTO_RESYNC.get()
}

/// `None`: the library is searched where the operating system says.
pub fn client_library_dir() -> Option<String> {
    let dir = CLIENT_LIBRARY_DIR.get()?.to_string_lossy().into_owned();
    Some(dir).filter(|dir| !dir.is_empty())
}

fn duration(setting: &GucSetting<i32>) -> Duration {
    Duration::from_millis(u64::try_from(setting.get()).unwrap_or(0))
}
