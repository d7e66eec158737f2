//! A tour of spanwise: the same work as a plain loop over std's iterators, on the deque pool and on
//! rayon-core, timed side by side and compared bit for bit.
//!
//! ```text
//! cargo run --release --example tour               # on what every machine with Rust has
//! cargo run --release --example tour -- FILE...    # on your own files
//! cargo run --release --example tour -- --help
//! ```
//!
//! In the order that data meets them: `args` (what is asked for), `files` (what is read), `race` (a
//! piece of work, run every way), `report` (the table), and the work itself: `pipelines` (chains over
//! lists and ranges), `words` (lines, words and bytes of texts), `sha256` and `build_id` (one id of a
//! large file).

mod args;
pub(crate) mod files;
#[macro_use]
pub(crate) mod race;
pub(crate) mod build_id;
mod pipelines;
pub(crate) mod report;
pub(crate) mod sha256;
pub(crate) mod words;

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
    time::Instant,
};

use args::{Options, Wish};
use files::Text;
use race::Pools;
use report::Report;

fn main() -> ExitCode {
    // Not locked: a panic on a worker has to be able to say so.
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let outcome = run(env::args_os().skip(1), &mut out, &mut err);
    ExitCode::from(status(outcome, &mut err))
}

/// The exit status of an outcome.
pub(crate) fn status(outcome: io::Result<bool>, err: &mut dyn Write) -> u8 {
    match outcome {
        Ok(all_equal) => u8::from(!all_equal),
        // Whoever reads us, `head` say, has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            // If this cannot be written either, nobody is left to tell.
            let _ = writeln!(err, "tour: cannot write: {error}");
            1
        }
    }
}

/// The whole program: whether all answers were equal. `Ok(false)` also says that nothing could be
/// done, and `err` holds the reason; an error means that `out` or `err` could not be written to.
pub(crate) fn run(
    args: impl Iterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<bool> {
    let options = match args::parse(args) {
        Ok(Wish::Run(options)) => options,
        Ok(Wish::Help) => {
            out.write_all(args::HELP.as_bytes())?;
            return Ok(true);
        }
        Err(reason) => {
            writeln!(err, "tour: {reason}; --help shows what is possible")?;
            return Ok(false);
        }
    };
    let pools = match Pools::new(options.threads) {
        Ok(pools) => pools,
        Err(error) => {
            writeln!(err, "tour: {error}")?;
            return Ok(false);
        }
    };
    let texts = files::named(&options.files, err)?;
    if texts.is_empty() && !options.files.is_empty() {
        writeln!(err, "tour: none of the files can be read, so there is nothing to do")?;
        return Ok(false);
    }
    tour(&options, &pools, texts, out, err)
}

fn tour(
    options: &Options,
    pools: &Pools,
    texts: Vec<Text>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<bool> {
    let start = Instant::now();
    let mut report = Report::new(out);
    report.preface(options.threads)?;
    report.title("A. Pipelines over lists and ranges")?;
    pipelines::show(options, pools, &mut report)?;
    report.title("B. Lines, words and bytes")?;
    // With files named, parts B and C are about them; else each part looks for its own.
    let sysroot = if texts.is_empty() { files::sysroot(err)? } else { None };
    if texts.is_empty() {
        let found = files::sources(sysroot.as_deref(), err)?;
        words::show(&found.texts, Some(&found.what), pools, &mut report)?;
    } else {
        words::show(&texts, None, pools, &mut report)?;
    }
    report.title("C. A build id")?;
    let file = match texts.into_iter().reduce(larger) {
        None => files::largest_library(sysroot.as_deref(), err)?,
        named => named,
    };
    match file {
        Some(file) => build_id::show(&file, pools, &mut report)?,
        None => report.note("no library was found")?,
    }
    report.finish(start.elapsed())
}

/// The larger of two files, the first of two equally large.
fn larger(a: Text, b: Text) -> Text {
    if b.bytes.len() > a.bytes.len() { b } else { a }
}
