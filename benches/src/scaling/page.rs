//! What a reader gets: tables and charts. In come machines and rules, out come Markdown and SVG.

use std::{fs, io, path::Path};

use spanwise_topology::{Layout, Topology};

use super::{Load, Outcome, Prices, Rule, Shape, Start, measure::Beside, simulate};
use crate::{
    chart::{Line, Panel, draw},
    format::{grouped, short, time},
    table::markdown,
};

/// The machines: workers, memory nodes, and the rest in hwloc's notation. Cores only, as the pool has
/// one worker for each unless it is told otherwise.
pub const MACHINES: [(usize, usize, &str); 8] = [
    (2, 1, "l3:1 core:2"),
    (4, 1, "l3:1 core:4"),
    (8, 1, "l3:1 core:8"),
    (16, 1, "l3:2 core:8"),
    (32, 2, "pack:2 [numa] l3:2 core:8"),
    (64, 4, "pack:2 numa:2 l3:2 core:8"),
    (128, 8, "pack:2 numa:4 l3:2 core:8"),
    (256, 8, "pack:2 numa:4 l3:4 core:8"),
];

/// Rows of the simulated calls.
pub const ROWS: usize = 10_000_000;
/// What they take on one thread: 1 ns a row, and a tenth.
pub const CALLS: [u64; 2] = [10_000_000, 100_000_000];
/// Of so many seeds the median by time is shown.
const SEEDS: u64 = 3;
/// On more workers calls by rayon's rule end, in the model, in chains of waiters that fell asleep, which are longer
/// than anybody has measured.
const HALVING_MOST: usize = 16;

/// Where the workers of a described machine sit.
///
/// # Panics
///
/// If the description is wrong.
pub fn layout(described: &str, width: usize) -> Layout {
    let machine = Topology::synthetic(described).expect("a description of a machine");
    Layout::compact(&machine, width)
}

/// The call in the middle of several seeds.
pub fn usual(load: &Load, layout: &Layout, prices: &Prices, rule: Rule, start: Start) -> Outcome {
    let once = |seed| simulate(load, layout, prices, rule, start, seed);
    let mut all: Vec<Outcome> = (0..SEEDS).map(once).collect();
    all.sort_by_key(|outcome| outcome.nanos);
    all.swap_remove(SEEDS as usize / 2)
}

/// One machine, one call, all rules.
#[derive(Clone, Debug)]
pub struct Cell {
    workers: usize,
    nodes: usize,
    shape: Shape,
    nanos: u64,
    start: Start,
    ideal: f64,
    outcomes: Vec<(Rule, Outcome)>,
}

/// Simulates everything.
pub fn cells(prices: &Prices, rules: &[Rule]) -> Vec<Cell> {
    let mut all = Vec::new();
    for start in [Start::Hot, Start::Cold] {
        for shape in Shape::ALL {
            for nanos in CALLS {
                let load = Load::new(shape, ROWS, nanos);
                for (workers, nodes, described) in MACHINES {
                    let layout = layout(described, workers);
                    let run = |&rule: &Rule| {
                        if rule == Rule::HALVING && workers > HALVING_MOST {
                            return (rule, Outcome::default());
                        }
                        (rule, usual(&load, &layout, prices, rule, start))
                    };
                    let outcomes = rules.iter().map(run).collect();
                    let ideal = nanos as f64 / load.ideal(workers);
                    all.push(Cell { workers, nodes, shape, nanos, start, ideal, outcomes });
                }
            }
        }
    }
    all
}

fn title(cell: &Cell) -> String {
    let start = if cell.start == Start::Hot { "threads awake" } else { "threads asleep" };
    format!("{}, {}, {start}", cell.shape.name(), time(cell.nanos as f64))
}

/// Speed-ups, a table for each call.
pub fn speed_ups(cells: &[Cell]) -> String {
    let mut text = String::new();
    for group in cells.chunk_by(|a, b| title(a) == title(b)) {
        let names = group[0].outcomes.iter().map(|(rule, _)| rule.name.to_owned());
        let head: Vec<String> =
            ["workers", "nodes", "ideal"].map(str::to_owned).into_iter().chain(names).collect();
        let row = |cell: &Cell| {
            let fixed = [grouped(cell.workers), grouped(cell.nodes), short(cell.ideal)];
            let ups = cell.outcomes.iter().map(|(_, one)| match one.nanos {
                0 => "not run".to_owned(),
                _ => short(one.speed_up(cell.nanos)),
            });
            fixed.into_iter().chain(ups).collect()
        };
        let rows: Vec<Vec<String>> = group.iter().map(row).collect();
        text += &format!("**{}**\n\n{}\n", title(&group[0]), markdown(&head, &rows));
    }
    text
}

/// What is behind the speed-ups of one rule, for calls of the first time.
pub fn details(cells: &[Cell], rule: Rule) -> String {
    let head = [
        "call",
        "workers",
        "halves taken",
        "from other nodes",
        "wakes",
        "nine in ten begun",
        "without rows",
    ];
    let row = |cell: &Cell| {
        let (_, one) = cell.outcomes.iter().find(|(one, _)| *one == rule)?;
        Some(vec![
            title(cell),
            grouped(cell.workers),
            grouped(one.steals),
            format!("{:.0} %", one.far_share() * 100.0),
            grouped(one.wakes),
            time(one.late() as f64),
            format!("{:.0} %", one.idle() * 100.0),
        ])
    };
    let first = cells.iter().filter(|cell| cell.nanos == CALLS[0]);
    let many = first.filter(|cell| [2, 16, 64, 256].contains(&cell.workers));
    markdown(&head.map(str::to_owned), &many.filter_map(row).collect::<Vec<_>>())
}

/// Real calls beside simulated ones.
pub fn beside(all: &[Beside]) -> String {
    let head = ["call", "workers", "serial", "measured", "simulated", "simulated over measured"];
    let row = |one: &Beside| {
        let start = if one.start == Start::Hot { "awake" } else { "asleep" };
        vec![
            format!("{}, {start}", one.shape.name()),
            grouped(one.width),
            time(one.serial),
            time(one.measured),
            time(one.simulated),
            short(one.simulated / one.measured),
        ]
    };
    markdown(&head.map(str::to_owned), &all.iter().map(row).collect::<Vec<_>>())
}

/// Prices, as a table.
pub fn prices(prices: &Prices) -> String {
    let head = ["what", "ns"].map(str::to_owned);
    let rows = [
        ("a line from core to core, within a third-level cache", grouped(prices.line as usize)),
        ("a look at a seat where nothing changed", grouped(prices.look as usize)),
        ("between two rounds of looks", grouped(prices.pause as usize)),
        ("a look at a flag", grouped(prices.flag as usize)),
        ("each other thread at the same line, for a theft", grouped(prices.herd as usize)),
        ("an offer", grouped(prices.offer as usize)),
        ("taking it back", grouped(prices.take_back as usize)),
        ("a stride, beside its rows", grouped(prices.stride as usize)),
        ("a wake, for who gives it", grouped(prices.wake_call as usize)),
        (
            "a wake, until it arrives",
            format!("{} to {}", grouped(prices.wake.0 as usize), grouped(prices.wake.1 as usize)),
        ),
    ];
    let rows: Vec<Vec<String>> = rows.map(|(what, ns)| vec![what.to_owned(), ns]).into();
    markdown(&head, &rows)
}

/// What each rule makes of the first machine with 64 workers, threads awake.
pub fn rules(prices: &Prices) -> String {
    let (workers, nodes, described) = MACHINES[5];
    let layout = layout(described, workers);
    let head = ["rules", "call", "part of ideal", "waiting", "without work", "from other nodes"];
    let mut rows = Vec::new();
    for (shape, nanos) in [
        (Shape::Even, CALLS[0]),
        (Shape::Growing, CALLS[0]),
        (Shape::Even, CALLS[1]),
        (Shape::Growing, CALLS[1]),
    ] {
        let load = Load::new(shape, ROWS, nanos);
        for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::HALVING) {
            let one = usual(&load, &layout, prices, rule, Start::Hot);
            let all = one.nanos as f64 * workers as f64;
            let share = |time: u64| format!("{:.0} %", time as f64 / all * 100.0);
            rows.push(vec![
                rule.name.to_owned(),
                format!("{}, {}", shape.name(), time(nanos as f64)),
                short(load.ideal(workers) / one.nanos as f64),
                share(one.waiting),
                share(one.without),
                format!("{:.0} %", one.far_share() * 100.0),
            ]);
        }
    }
    let title = format!("**{workers} workers in {nodes} nodes**\n\n");
    title + &markdown(&head.map(str::to_owned), &rows)
}

/// Writes a chart for each shape: threads awake and asleep, speed-up over workers.
///
/// # Errors
///
/// If a file cannot be written.
pub fn charts(cells: &[Cell], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for shape in Shape::ALL {
        let panel = |start: Start| {
            let here = || {
                cells.iter().filter(move |cell| {
                    cell.shape == shape && cell.start == start && cell.nanos == CALLS[0]
                })
            };
            let first = here().next()?;
            let ideal = here().map(|cell| (cell.workers as f64, cell.ideal)).collect();
            let line = |number: usize| {
                let (rule, _) = first.outcomes[number];
                let up = |cell: &Cell| {
                    (cell.workers as f64, cell.outcomes[number].1.speed_up(cell.nanos))
                };
                Line::numbered(
                    rule.name,
                    number,
                    here().filter(|cell| cell.outcomes[number].1.nanos > 0).map(up).collect(),
                )
            };
            let lines = (0..first.outcomes.len()).map(line);
            Some(Panel {
                title: title(first),
                below: "workers",
                beside: "times as fast as one thread",
                heights: [1.0, 256.0],
                guides: &[1.0],
                lines: [Line::numbered("ideal", 7, ideal)].into_iter().chain(lines).collect(),
            })
        };
        let panels: Vec<Panel> = [Start::Hot, Start::Cold].into_iter().filter_map(panel).collect();
        let name = format!("scaling-{}.svg", shape.name().replace(' ', "-"));
        draw(&folder.join(name), &panels).map_err(io::Error::other)?;
    }
    Ok(())
}
