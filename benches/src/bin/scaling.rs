//! The pools on machines that we do not have, beside what this one measures.
//!
//! ```text
//! cargo run --release -p spanwise-benches --bin scaling
//! cargo run --release -p spanwise-benches --bin scaling -- --docs
//! ```
//!
//! In come options, out come tables; with `--docs` they replace those of docs/scaling.md, and the charts.

use std::{fs, path::Path, process::ExitCode};

use clap::Parser;
use spanwise_benches::{
    docs::put,
    scaling::{Prices, Rule, measure, page},
};
use spanwise_topology::usable_threads;

/// Simulates pools of 2 to 256 workers, and measures what it can.
#[derive(Debug, Parser)]
#[command(name = "scaling", version)]
struct Options {
    /// Measure nothing on this machine
    #[arg(long)]
    simulate: bool,
    /// Simulate nothing but the calls that are measured
    #[arg(long, conflicts_with_all = ["simulate", "docs"])]
    measure: bool,
    /// Simulate with the prices of this machine, where they can be measured
    #[arg(long, conflicts_with = "simulate")]
    here: bool,
    /// The most workers that are measured
    #[arg(long, value_name = "N", default_value_t = 16)]
    most: usize,
    /// Rewrite the tables of docs/scaling.md, and docs/charts/scaling-*.svg
    #[arg(long)]
    docs: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("scaling: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let mut parts = Vec::new();
    let mut prices = Prices::MEASURED;
    if !options.simulate {
        let here = measure::prices();
        let widths: Vec<usize> = (1..=usable_threads().get().min(options.most)).collect();
        let beside = measure::beside(&widths, &here);
        parts.push(("prices here", page::prices(&here)));
        parts.push(("measured", page::beside(&beside)));
        if options.here {
            prices = here;
        }
    }
    let show = |parts: &[(&str, String)]| {
        parts.iter().for_each(|(name, text)| println!("## {name}\n\n{text}"));
    };
    if options.measure {
        show(&parts);
        return Ok(());
    }
    let cells = page::cells(&prices, &Rule::SHOWN);
    parts.push(("prices", page::prices(&prices)));
    parts.push(("speed-ups", page::speed_ups(&cells)));
    parts.push(("details", page::details(&cells, Rule::OURS)));
    parts.push(("rules", page::rules(&prices)));
    if !options.docs {
        show(&parts);
        return Ok(());
    }
    let path = Path::new("docs/scaling.md");
    let told = |error| format!("{}: {error}", path.display());
    let mut text = fs::read_to_string(path).map_err(told)?;
    for (name, part) in &parts {
        text = put(&text, name, part)?;
    }
    fs::write(path, text).map_err(told)?;
    page::charts(&cells, Path::new("docs/charts")).map_err(told)
}
