//! A scratch PostgreSQL cluster that plays Oracle, and the stand-in ready to connect to it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use oracle::{Connection, InitParams};

pub struct Cluster {
    pub port: u16,
    pub folder: PathBuf,
    /// Stops and removes the cluster when the test process ends, however it ends.
    _janitor: Child,
}

const SCHEMA: &str = include_str!("schema.sql");

/// The cluster of this test process.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(start)
}

impl Cluster {
    pub fn address(&self) -> String {
        format!("//127.0.0.1:{}/oracle", self.port)
    }

    pub fn connect(&self) -> oracle::Result<Connection> {
        Connection::connect("app", "secret", self.address())
    }

    /// Adds a fault rule, under the lock that the stand-in takes.
    pub fn fault(&self, rule: &str) {
        let path = self.folder.join("faults");
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .expect("open the fault rules");
        file.lock().expect("lock the fault rules");
        writeln!(file, "{rule}").expect("write a fault rule");
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("calls.log")).expect("read the log")
    }

    pub fn psql(&self, sql: &str) {
        let status = program("psql")
            .args(["-qX", "-v", "ON_ERROR_STOP=1", "-h"])
            .arg(&self.folder)
            .args(["-p", &self.port.to_string(), "-d", "oracle", "-c", sql])
            .status();
        assert!(status.expect("run psql").success(), "{sql}");
    }
}

fn start() -> Cluster {
    let folder = std::env::temp_dir().join(format!("oci_standin.{}", std::process::id()));
    fs::create_dir_all(&folder).expect("create the folder");
    run(Command::new("chmod").arg("777").arg(&folder));
    let data = folder.join("data");
    let port = free_port();
    run(program("initdb")
        .args(["-A", "trust", "--no-sync", "-D"])
        .arg(&data));
    let hba = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
    fs::write(data.join("pg_hba.conf"), hba).expect("write pg_hba.conf");
    run(program("pg_ctl")
        .args(["-w", "-s", "-D"])
        .arg(&data)
        .arg("-l")
        .arg(folder.join("server.log"))
        .arg("-o")
        .arg(format!(
            "-p {port} -k {} -c listen_addresses=127.0.0.1 -c fsync=off",
            folder.display()
        ))
        .arg("start"));
    let janitor = janitor(&data, &folder);
    run(program("createdb")
        .arg("-h")
        .arg(&folder)
        .args(["-p", &port.to_string(), "oracle"]));

    // SAFETY: the stand-in has not been loaded yet, and nobody else reads this variable.
    unsafe { std::env::set_var("OCI_STANDIN_DIR", &folder) };
    InitParams::new()
        .oracle_client_lib_dir(library_folder())
        .expect("the folder of the library")
        .init()
        .expect("load the stand-in");
    let cluster = Cluster {
        port,
        folder,
        _janitor: janitor,
    };
    cluster.psql(SCHEMA);
    cluster
}

/// A program of PostgreSQL, run as the user postgres when the test is run by root.
fn program(name: &str) -> Command {
    let path = Path::new("/usr/lib/postgresql/15/bin").join(name);
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt;
        own.uid() == 0
    });
    let mut command = if is_root {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(path);
        command
    } else {
        Command::new(path)
    };
    command
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

/// Waits for the end of its input, which is the end of the test process.
fn janitor(data: &Path, folder: &Path) -> Child {
    let mut stop = program("pg_ctl");
    stop.args(["-s", "-m", "immediate", "-D"])
        .arg(data)
        .arg("stop");
    let words: Vec<_> = [stop.get_program()]
        .into_iter()
        .chain(stop.get_args())
        .collect();
    Command::new("sh")
        .args([
            "-c",
            "cat >/dev/null; folder=$1; shift; \"$@\"; rm -rf \"$folder\"",
            "janitor",
        ])
        .arg(folder)
        .args(words)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("start the janitor")
}

fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

/// Cargo puts the library two folders above this test.
fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    let folder = test.parent().expect("the folder of the test");
    assert!(
        folder.join("libclntsh.so").exists(),
        "no libclntsh.so in {}",
        folder.display()
    );
    folder.to_owned()
}
