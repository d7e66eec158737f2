//! What is asked for. In come the arguments, out come [`Options`] or the reason why not.

use std::{ffi::OsString, path::PathBuf};

use spanwise_topology::usable_threads;

pub(crate) const HELP: &str = "\
The same work serial, on the deque pool and on rayon-core: times, ratios, and whether all answers are
equal bit for bit.

usage: tour [OPTION]... [FILE]...

With files, counts their lines, words and bytes and computes a build id of the largest. Without, takes
the Rust sources under the toolchain's and cargo's folders, and the toolchain's largest library.

  --threads N     threads of each pool, the caller included (default: what this process may use)
  --max-items N   leave out pipelines over more than N items; 0 leaves out all (default: 10000000,
                  in builds without optimisation 100000)
  --full          expensive pipelines over 10000000 items too, which takes minutes
  --help          this text

exit status: 0 if all answers were equal, 1 if some differed or nothing could be done.
A word is a longest run of bytes other than space and \\t \\n \\v \\f \\r, as in the C locale.
";

/// What the user wants to see.
#[derive(Debug)]
pub(crate) enum Wish {
    Help,
    Run(Options),
}

/// How the tour is to run.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) threads: usize,
    pub(crate) max_items: usize,
    pub(crate) full: bool,
    pub(crate) files: Vec<PathBuf>,
}

pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Wish, String> {
    let mut options = Options {
        // The standard library rounds a quota of 1.5 CPUs down.
        threads: usable_threads().get(),
        max_items: if cfg!(debug_assertions) { 100_000 } else { 10_000_000 },
        full: false,
        files: Vec::new(),
    };
    let mut args = args;
    while let Some(arg) = args.next() {
        // A file's name need not be UTF-8, an option is.
        let text = arg.to_str().unwrap_or_default();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(OsString::from(value))),
            _ => (text, None),
        };
        match (name, &value) {
            ("--threads", _) => options.threads = number(name, value.or_else(|| args.next()))?,
            ("--max-items", _) => options.max_items = number(name, value.or_else(|| args.next()))?,
            ("--full", None) => options.full = true,
            ("--help" | "-h", None) => return Ok(Wish::Help),
            ("--", None) => options.files.extend(args.by_ref().map(PathBuf::from)),
            _ if text.starts_with('-') && text != "-" => {
                return Err(format!("there is no option {text:?}"));
            }
            _ => options.files.push(PathBuf::from(arg)),
        }
    }
    Ok(Wish::Run(options))
}

fn number(name: &str, value: Option<OsString>) -> Result<usize, String> {
    let value = value.ok_or_else(|| format!("{name} needs a number"))?;
    let text = value.to_string_lossy();
    text.parse().map_err(|_| format!("{name} needs a number and got {text:?}"))
}
