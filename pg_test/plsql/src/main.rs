//! Prints the translation of the files named on the command line; folders stand for all files below them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        if let Err(error) = read(Path::new(&argument), &mut files) {
            eprintln!("{argument}: {error}");
            return ExitCode::FAILURE;
        }
    }
    match plsql::translate(&files, &plsql::Site::default()) {
        Ok(statements) => {
            for statement in statements {
                println!(
                    "-- {}:{}\n{};",
                    statement.file,
                    statement.line,
                    statement.text.trim()
                );
            }
            ExitCode::SUCCESS
        }
        Err(refusals) => {
            refusals.iter().for_each(|refusal| eprintln!("{refusal}"));
            ExitCode::FAILURE
        }
    }
}

fn read(path: &Path, files: &mut Vec<(String, String)>) -> io::Result<()> {
    if path.is_dir() {
        let mut below: Vec<PathBuf> = fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()?;
        below.sort();
        for path in below {
            let is_ours = path.is_dir()
                || path.extension().is_some_and(|extension| {
                    ["sql", "pks", "pkb"].iter().any(|ours| extension == *ours)
                });
            if is_ours {
                read(&path, files)?;
            }
        }
        return Ok(());
    }
    files.push((path.display().to_string(), fs::read_to_string(path)?));
    Ok(())
}
