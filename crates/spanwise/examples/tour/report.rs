//! The table. In come rows one by one, out goes text; it remembers whether any answer differed.

use std::{
    io::{self, Write},
    time::Duration,
};

use super::race::{Row, Verdict};

/// Writes the table as its rows come in.
pub(crate) struct Report<'a> {
    out: &'a mut dyn Write,
    rows: usize,
    differ: usize,
}

impl<'a> Report<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, rows: 0, differ: 0 }
    }

    pub(crate) fn preface(&mut self, threads: usize) -> io::Result<()> {
        let s = if threads == 1 { "" } else { "s" };
        writeln!(
            self.out,
            "The same work as a std iterator, and as a spanwise chain on two pools of {threads} thread{s}.\n\
             Times are medians of interleaved repetitions; a ratio is time over serial time, so 0.50 is\n\
             twice as fast, and a few percent are noise. \"equal\": all answers have the same bits."
        )?;
        if cfg!(debug_assertions) {
            writeln!(
                self.out,
                "Built without optimisation: these times say little. Use --release."
            )?;
        }
        Ok(())
    }

    pub(crate) fn title(&mut self, title: &str) -> io::Result<()> {
        writeln!(self.out, "\n{title}")
    }

    pub(crate) fn note(&mut self, note: &str) -> io::Result<()> {
        if note.is_empty() { writeln!(self.out) } else { writeln!(self.out, "  {note}") }
    }

    pub(crate) fn heads(&mut self, unit: &str) -> io::Result<()> {
        writeln!(
            self.out,
            "  {:<16}{:<6}{:>11}  {:>17}  {:>14}  {:>14}",
            "", "", "", "std, serial", "deque pool", "rayon-core",
        )?;
        let per_item = format!("ns/{}", unit.trim_end_matches('s'));
        writeln!(
            self.out,
            "  {:<16}{:<6}{:>11}  {:>8} {:>8}  {:>8} {:>5}  {:>8} {:>5}  answers",
            "work", "input", unit, "time", per_item, "time", "ratio", "time", "ratio",
        )
    }

    pub(crate) fn row(&mut self, row: &Row) -> io::Result<()> {
        self.rows += 1;
        self.differ += usize::from(row.verdict == Verdict::Differs);
        let [serial, deque, rayon] = row.times;
        writeln!(
            self.out,
            "  {:<16}{:<6}{:>11}  {:>8} {:>8.2}  {:>8} {:>5.2}  {:>8} {:>5.2}  {}",
            row.work,
            row.input,
            grouped(row.items),
            time(serial),
            serial.as_nanos() as f64 / row.items.max(1) as f64,
            time(deque),
            ratio(deque, serial),
            time(rayon),
            ratio(rayon, serial),
            match row.verdict {
                Verdict::Equal => "equal",
                Verdict::EqualButStd => "equal (a)",
                Verdict::Differs => "DIFFERS",
            },
        )?;
        self.out.flush()
    }

    /// The last words, and whether all answers were equal.
    pub(crate) fn finish(self, took: Duration) -> io::Result<bool> {
        let seconds = took.as_secs_f64();
        match self.differ {
            0 => writeln!(self.out, "\nAll {} rows equal, in {seconds:.1} s.", self.rows)?,
            n => writeln!(self.out, "\n{n} of {} rows DIFFER, in {seconds:.1} s.", self.rows)?,
        }
        Ok(self.differ == 0)
    }
}

fn ratio(time: Duration, serial: Duration) -> f64 {
    time.as_secs_f64() / serial.as_secs_f64().max(1e-9)
}

/// Three digits and a unit.
fn time(time: Duration) -> String {
    let nanos = time.as_nanos() as f64;
    let (number, unit) = match nanos {
        ..1e3 => (nanos, "ns"),
        ..1e6 => (nanos / 1e3, "µs"),
        ..1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    let digits = if unit == "ns" || number >= 100.0 { 0 } else { 1 + usize::from(number < 10.0) };
    format!("{number:.digits$} {unit}")
}

/// `10000000` as `10,000,000`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
