//! The tour, on files made here: what it counts, what it hashes, what it says of bad input.

#[allow(dead_code, reason = "a test has no use for the example's `main`")]
#[path = "../../examples/tour/main.rs"]
mod tour;

mod counts;
mod ids;
mod program;

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process,
};

use tour::words::Counts;

const WIDTHS: [usize; 4] = [1, 2, 3, 8];

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("spanwise-tour-{}-{test}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind lies in the system's own folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program: exit status, output, errors.
fn run<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = tour::run(args.into_iter().map(Into::into), &mut out, &mut err);
    let status = tour::status(outcome, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Runs it on files alone, without the pipelines.
fn run_on(files: &[&Path]) -> (u8, String, String) {
    let options = ["--threads=2", "--max-items=0"].map(OsString::from);
    run(options.into_iter().chain(files.iter().map(|file| file.as_os_str().to_owned())))
}

/// What the program lists for a file.
fn listed(out: &str, name: &str) -> Counts {
    let line =
        out.lines().find(|line| line.ends_with(name)).unwrap_or_else(|| panic!("{name}: {out}"));
    let numbers: Vec<usize> = line.split_whitespace().take(3).map(|n| n.parse().unwrap()).collect();
    Counts { lines: numbers[0], words: numbers[1], bytes: numbers[2] }
}
