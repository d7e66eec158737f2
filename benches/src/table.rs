//! Tables in Markdown. In come cells and figures, out comes text.

use std::fmt::Write;

use crate::{
    cell::{Cell, Figure, PEERS},
    format::{grouped, short, time},
    sample::OURS,
};

/// A Markdown table with columns as wide as they must be; all but the first column stand right.
///
/// # Panics
///
/// If a row has not as many entries as the head.
pub fn markdown(head: &[String], rows: &[Vec<String>]) -> String {
    let width = |i: usize| {
        let column = rows.iter().map(|row| row[i].chars().count());
        column.chain([head[i].chars().count(), 3]).max().unwrap_or(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &[String]| {
        assert_eq!(row.len(), widths.len(), "a row with holes: {row:?}");
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (text, width))| {
            if i == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule: Vec<String> = widths
        .iter()
        .enumerate()
        .map(|(i, width)| if i == 0 { "-".repeat(*width) } else { "-".repeat(width - 1) + ":" })
        .collect();
    line(head) + &line(&rule) + &rows.iter().map(|row| line(row)).collect::<String>()
}

/// All cells whose first variant is the serial loop, one table for each case and state: the serial
/// time, then each variant's ratio to it; the fastest but serial ones in bold type.
pub fn ratios(cells: &[Cell]) -> String {
    let mut text = String::new();
    let mut rest = cells;
    while let Some(first) = rest.first() {
        let same = |cell: &&Cell| {
            cell.place.case == first.place.case && cell.place.state == first.place.state
        };
        let (group, others) = rest.split_at(rest.iter().take_while(same).count());
        rest = others;
        let state = if first.place.state == "hot" { "" } else { first.place.state };
        let comma = if state.is_empty() { "" } else { ", " };
        let _ = writeln!(text, "**{}{comma}{state}**\n", first.place.case);
        text += &group_of_ratios(group);
        text.push('\n');
    }
    text
}

fn group_of_ratios(group: &[Cell]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for variant in group.iter().flat_map(|cell| &cell.variants[1..]) {
        if !names.contains(&variant.name) {
            names.push(variant.name);
        }
    }
    let known = |name: &str| OURS.iter().chain(&PEERS).position(|&other| other == name);
    names.sort_by_key(|name| known(name).unwrap_or(0));
    let base = group[0].variants[0].name;
    let head: Vec<String> =
        ["cost", "items", base].iter().chain(&names).map(|&name| name.to_owned()).collect();
    let rows: Vec<Vec<String>> = group
        .iter()
        .map(|cell| {
            let first = cell.variants[0].nanos;
            let counted = cell.variants[1..]
                .iter()
                .filter(|variant| !variant.name.to_lowercase().starts_with("serial"));
            let best = counted.map(|v| v.nanos.median).fold(f64::INFINITY, f64::min) / first.median;
            let ratio = |name: &&str| match cell.ratio(name) {
                None => String::new(),
                Some(ratio) if ratio == best => format!("**{}**", short(ratio)),
                Some(ratio) => short(ratio),
            };
            let spread = format!("{} ± {:.0} %", time(first.median), first.spread() * 100.0);
            [cell.place.cost.clone(), grouped(cell.place.items), spread]
                .into_iter()
                .chain(names.iter().map(ratio))
                .collect()
        })
        .collect();
    markdown(&head, &rows)
}

/// Every limit, and how it came out.
pub fn limits(cells: &[Cell]) -> String {
    let head = ["cell", "promise", "whose", "at most", "measured", "kept"].map(str::to_owned);
    let rows: Vec<Vec<String>> = cells
        .iter()
        .flat_map(|cell| cell.judged.iter().map(move |judged| (cell, judged)))
        .map(|(cell, judged)| {
            vec![
                cell.place.to_string(),
                judged.row.to_owned(),
                judged.what.clone(),
                judged.limit.clone(),
                judged.measured.clone(),
                if judged.kept { "yes" } else { "**no**" }.to_owned(),
            ]
        })
        .collect();
    markdown(&head, &rows)
}

/// Cells in which a peer is ahead of the deque pool.
pub fn beaten(cells: &[Cell]) -> String {
    let head = ["cell", "peer", "its time", "ours", "ours over its"].map(str::to_owned);
    let rows: Vec<Vec<String>> = cells
        .iter()
        .filter_map(|cell| cell.beaten_by().map(|(peer, times)| (cell, peer, times)))
        .map(|(cell, peer, times)| {
            vec![
                cell.place.to_string(),
                peer.name.to_owned(),
                time(peer.nanos.median),
                time(cell.nanos("deque")),
                short(times),
            ]
        })
        .collect();
    if rows.is_empty() { "None.\n".to_owned() } else { markdown(&head, &rows) }
}

/// The figures, one table for each kind.
pub fn figures(figures: &[Figure]) -> String {
    let mut text = String::new();
    let mut rest = figures;
    while let Some(first) = rest.first() {
        let same = |figure: &&Figure| figure.table == first.table;
        let (group, others) = rest.split_at(rest.iter().take_while(same).count());
        rest = others;
        let columns = group[0].numbers.iter().map(|(name, _)| (*name).to_owned());
        let head: Vec<String> = [first.unit.to_owned()].into_iter().chain(columns).collect();
        let rows: Vec<Vec<String>> = group
            .iter()
            .map(|figure| {
                let numbers = figure.numbers.iter().map(|(_, number)| short(*number));
                [figure.row.clone()].into_iter().chain(numbers).collect()
            })
            .collect();
        let _ = writeln!(text, "**{}**\n\n{}", first.table, markdown(&head, &rows));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::{Limit, Most, Place},
        sample::Measured,
        stats::Summary,
    };

    fn cell(case: &str, items: usize, times: &[(&'static str, f64)]) -> Cell {
        let variants = times
            .iter()
            .map(|&(name, time)| Measured { name, nanos: Summary::of(&mut [time]) })
            .collect();
        Cell { place: Place::hot(case, "cheap", items), variants, judged: Vec::new() }
    }

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let head = ["a", "b"].map(str::to_owned);
        let rows = [["wide one", "1"], ["x", "12345"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            markdown(&head, &rows),
            "| a        |     b |\n\
             | -------- | ----: |\n\
             | wide one |     1 |\n\
             | x        | 12345 |\n"
        );
    }

    #[test]
    fn each_case_has_its_table_with_ratios_to_serial() {
        let cells = [
            cell("sum", 10, &[("serial", 10.0), ("deque", 20.0), ("rayon out", 15_000.0)]),
            cell("sum", 1000, &[("serial", 1000.0), ("deque", 500.0), ("rayon out", 990.0)]),
            cell("count", 10, &[("serial", 10.0), ("deque", 10.0)]),
        ];
        let text = ratios(&cells);
        assert_eq!(text.matches("| cost").count(), 2, "{text}");
        assert!(text.contains("| **2.00** |     1,500 |"), "{text}");
        assert!(text.contains("1.00 µs ± 0 %") && text.contains("**0.50**"), "{text}");
    }

    #[test]
    fn missed_limits_and_faster_peers_are_shown() {
        let mut one = cell("sum", 10, &[("serial", 10.0), ("deque", 20.0), ("scope", 10.0)]);
        one.judge(Limit::serial("small", Most::More(5.0)));
        let cells = [one];
        let (held, ahead) = (limits(&cells), beaten(&cells));
        assert!(held.contains("+ 5 ns | +10.0 ns | **no** |"), "{held}");
        assert!(ahead.contains("scope |  10.0 ns | 20.0 ns |"), "{ahead}");
        assert_eq!(beaten(&[]), "None.\n");
    }
}
