//! The report: everything that spanwise promises about speed, beside its peers, in one process.
//!
//! ```text
//! cargo run --release -p spanwise-benches --bin report -- --quick
//! cargo run --release -p spanwise-benches --bin report --features fork_union -- --docs
//! ```
//!
//! In come options, out come a JSON file, a Markdown page and SVG charts, and with `--docs` the generated
//! parts of the guide. An answer that differs between variants ends it with an error.

mod write;

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Parser, builder::PossibleValuesParser};
use spanwise_benches::{
    cases::{CASES, Case},
    machine,
    peers::Peers,
    session::{Effort, Session, once},
};

/// Measures spanwise beside std's serial iterators and its peers.
#[derive(Debug, Parser)]
#[command(name = "report", version)]
struct Options {
    /// Fewer rounds and sizes: under a minute
    #[arg(long, conflicts_with = "check")]
    quick: bool,
    /// Every case once at small sizes, results compared, nothing timed or written
    #[arg(long, conflicts_with = "docs")]
    check: bool,
    /// These cases only; may be given several times
    #[arg(long, value_name = "CASE", conflicts_with = "docs",
          value_parser = PossibleValuesParser::new(CASES.map(|(name, _)| name)))]
    only: Vec<String>,
    /// Where the report goes
    #[arg(long, value_name = "DIR", default_value = "target/report")]
    out: PathBuf,
    /// Bind the caller to CPU 0 and the workers to CPU 1 (the default where there are two)
    #[arg(long, conflicts_with = "unpinned")]
    pinned: bool,
    /// Let the system put all threads where it likes
    #[arg(long)]
    unpinned: bool,
    /// Print JSON instead of Markdown
    #[arg(long)]
    json: bool,
    /// Rewrite the generated parts of docs/performance.md, docs/breakeven.md and docs/charts
    #[arg(long)]
    docs: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("report: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    if options.pinned && machine::cpus() < 2 {
        return Err("there are not two CPUs to pin threads to".to_owned());
    }
    let effort = match (options.check, options.quick) {
        (true, _) => Effort::Check,
        (_, true) => Effort::Quick,
        _ => Effort::Full,
    };
    let chosen = |name: &str| options.only.is_empty() || options.only.iter().any(|one| one == name);
    let cases: Vec<(&str, Case)> = CASES.into_iter().filter(|(name, _)| chosen(name)).collect();
    let mut session = Session::new(effort, !options.unpinned, cases.len());
    let peers = Peers::new(session.pinned, session.cpus);
    for (name, case) in &cases {
        session.show(name);
        let (took, done) = once(|| case(&mut session, &peers));
        done.map_err(|wrong| format!("answers differ: {wrong}"))?;
        if !options.check && !io::stderr().is_terminal() {
            eprintln!("{name}: {:.1} s", took.as_secs_f64());
        }
        session.step();
    }
    session.finish();
    if options.check {
        println!("{} cells, all answers equal", session.cells.len());
        return Ok(());
    }
    let report = write::Report::of(&session);
    report.files(&options.out)?;
    if options.docs {
        report.docs()?;
    }
    print!("{}", if options.json { report.json()? } else { report.markdown() });
    eprintln!("{}\nAll of it is in {}.", report.verdict(), options.out.display());
    Ok(())
}
