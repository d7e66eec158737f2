//! What a run leaves behind. In comes a session that has ended, out come files.

use std::{fs, path::Path, process::Command};

use serde::Serialize;
use spanwise_benches::{
    cases::dispatch::BREAKEVEN_CASE,
    cell::{Cell, Figure},
    chart, docs,
    session::Session,
    table,
};

/// Tables that tell what another thread costs; the other figures belong to the page on performance.
const BREAKEVEN: [&str; 3] = ["Dispatch", "The least serial time", "Locks"];

/// Everything that was measured, and where.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    processor: String,
    cpus: usize,
    compiler: String,
    pinned: bool,
    effort: String,
    fork_union: bool,
    cells: Vec<Cell>,
    figures: Vec<Figure>,
}

impl Report {
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            processor: processor(),
            cpus: session.cpus,
            compiler: compiler(),
            pinned: session.pinned,
            effort: format!("{:?}", session.effort).to_lowercase(),
            fork_union: cfg!(feature = "fork_union"),
            cells: session.cells.clone(),
            figures: session.figures.clone(),
        }
    }

    /// Limits kept, of how many, and cells in which a peer is ahead.
    pub(crate) fn verdict(&self) -> String {
        let judged = || self.cells.iter().flat_map(|cell| &cell.judged);
        let kept = judged().filter(|judged| judged.kept).count();
        let beaten = self.cells.iter().filter(|cell| cell.beaten_by().is_some()).count();
        let all = judged().count();
        let cells = self.cells.len();
        format!("{kept} of {all} limits kept; a peer is ahead in {beaten} of {cells} cells.")
    }

    fn machine(&self) -> String {
        format!(
            "{}, {} CPUs, {}, release build without `target-cpu`, {}, {} run{}. {}",
            self.processor,
            self.cpus,
            self.compiler,
            if self.pinned {
                "caller on CPU 0 and workers on CPU 1 unless a table says otherwise"
            } else {
                "threads not pinned"
            },
            self.effort,
            if self.fork_union { "" } else { ", without fork_union" },
            self.verdict(),
        )
    }

    pub(crate) fn json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }

    pub(crate) fn markdown(&self) -> String {
        format!(
            "# Report\n\n{}\n\n## Limits\n\n{}\n## Where a peer is ahead\n\n{}\n\
             ## Figures\n\n{}\n## Ratios\n\n{}",
            self.machine(),
            table::limits(&self.cells),
            table::beaten(&self.cells),
            table::figures(&self.figures),
            table::ratios(&self.cells),
        )
    }

    /// Writes the JSON file, the page and the charts.
    pub(crate) fn files(&self, folder: &Path) -> Result<(), String> {
        let failed = |error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        fs::write(folder.join("report.json"), self.json()?).map_err(failed)?;
        fs::write(folder.join("report.md"), self.markdown()).map_err(failed)?;
        chart::write_all(&self.cells, &folder.join("charts")).map_err(failed)?;
        Ok(())
    }

    /// Writes the generated parts of the guide.
    pub(crate) fn docs(&self) -> Result<(), String> {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let failed = |error| format!("{}: {error}", guide.display());
        let charts = chart::write_all(&self.cells, &guide.join("charts")).map_err(failed)?;
        let charts: String =
            charts.iter().map(|name| format!("![{name}](charts/{name})\n\n")).collect();
        let is_breakeven = |cell: &Cell| cell.place.case == BREAKEVEN_CASE;
        let (breakeven, others): (Vec<_>, Vec<_>) =
            self.cells.iter().cloned().partition(is_breakeven);
        let is_cost = |figure: &Figure| BREAKEVEN.iter().any(|name| figure.table.starts_with(name));
        let (costs, figures): (Vec<_>, Vec<_>) = self.figures.iter().cloned().partition(is_cost);
        page(
            &guide.join("performance.md"),
            &[
                ("machine", &self.machine()),
                ("limits", &table::limits(&others)),
                ("peers", &table::beaten(&self.cells)),
                ("charts", &charts),
                ("figures", &table::figures(&figures)),
                ("ratios", &table::ratios(&others)),
            ],
        )?;
        page(
            &guide.join("breakeven.md"),
            &[
                ("machine", &self.machine()),
                ("costs", &table::figures(&costs)),
                ("calls", &table::ratios(&breakeven)),
            ],
        )
    }
}

/// Replaces the generated parts of a page.
fn page(path: &Path, parts: &[(&str, &str)]) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
    let put = |page: String, (name, text): &(&str, &str)| docs::put(&page, name, text);
    let text = parts.iter().try_fold(text, put).map_err(|error| failed(&error))?;
    fs::write(path, text).map_err(|error| failed(&error))
}

fn processor() -> String {
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("model name"));
    let name = line.map(|line| line.trim_start_matches([' ', '\t', ':']).to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn compiler() -> String {
    let told = Command::new("rustc").arg("--version").output().ok();
    let told = told.and_then(|told| String::from_utf8(told.stdout).ok());
    told.map_or_else(|| "an unknown compiler".to_owned(), |told| told.trim().to_owned())
}
