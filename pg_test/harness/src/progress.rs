//! What a person sees while something takes long.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A build that takes longer than this is worth a line.
const WORTH_A_LINE: Duration = Duration::from_secs(3);
/// And another one every now and then.
const STILL_BUSY: Duration = Duration::from_secs(20);

/// What a command printed, and whether it succeeded.
pub struct Outcome {
    pub success: bool,
    pub output: String,
}

/// Runs a build; its output is shown only when it fails.
pub fn build(what: &str, command: &mut Command) -> Result<()> {
    let outcome = run(&format!("building {what}"), command)?;
    if !outcome.success {
        bail!("building {what} failed:\n{}", outcome.output.trim_end());
    }
    Ok(())
}

/// Runs a command and gives its output; says every now and then that it is still running.
pub fn run(what: &str, command: &mut Command) -> Result<Outcome> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{what}: cannot run {program}"))?;
    let out = child.stdout.take().map(collect);
    let err = child.stderr.take().map(collect);
    let success = wait(what, &mut child)?;
    let output = [out, err].into_iter().flatten().map(joined).collect();
    Ok(Outcome { success, output })
}

fn wait(what: &str, child: &mut Child) -> Result<bool> {
    let start = Instant::now();
    let mut next = WORTH_A_LINE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() >= next {
            println!("  ... {what} ({} s)", start.elapsed().as_secs());
            next += STILL_BUSY;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn collect(stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
        lines
            .map(|line| String::from_utf8_lossy(&line).into_owned() + "\n")
            .collect()
    })
}

fn joined(thread: JoinHandle<String>) -> String {
    thread
        .join()
        .unwrap_or_else(|_| "(its output could not be read)\n".into())
}
