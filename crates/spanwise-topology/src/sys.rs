//! What Linux says in `/sys` about the machine. In come its files, out go rows for every CPU that is
//! online; what a file does not say is left unknown.

use std::collections::HashMap;

use crate::{
    cpu::{Cache, Cpu, Kind, Node},
    files::Root,
    topology::Topology,
};

const CPU: &str = "/sys/devices/system/cpu";
const NODE: &str = "/sys/devices/system/node";

/// The machine, or `None` if not even its CPUs are listed.
pub(crate) fn read(root: &Root) -> Option<Topology> {
    let online = root.list(&format!("{CPU}/online"))?;
    let mut rows: Vec<Cpu> = online.iter().map(|&number| Cpu::alone(number)).collect();
    let mut caches = Caches::default();
    // What a thread says of a core or cache holds for all that share it.
    let (mut with_core, mut with_l2, mut with_l3) = (Vec::new(), Vec::new(), Vec::new());
    for &number in &online {
        let file = |name: &str| format!("{CPU}/cpu{number}/{name}");
        // It is -1 where the firmware does not say.
        let package = root.number(&file("topology/physical_package_id")).unwrap_or(0);
        row(&mut rows, number).package = package;
        if !with_core.contains(&number) {
            let core = root
                .list(&file("topology/core_cpus_list"))
                .or_else(|| root.list(&file("topology/thread_siblings_list")))
                .unwrap_or_else(|| vec![number]);
            for row in rows.iter_mut().filter(|row| core.contains(&row.number)) {
                row.core = number;
            }
            with_core.extend(core);
        }
        if with_l2.contains(&number) && with_l3.contains(&number) {
            continue;
        }
        for index in 0..8 {
            let file = |name: &str| file(&format!("cache/index{index}/{name}"));
            let Some(level) = root.number::<u8>(&file("level")) else { break };
            let with = match level {
                2 => &mut with_l2,
                3 => &mut with_l3,
                _ => continue,
            };
            let instructions = root.text(&file("type")).is_some_and(|kind| kind == "Instruction");
            if instructions || with.contains(&number) {
                continue;
            }
            let Some(shared) = root.list(&file("shared_cpu_list")) else { continue };
            let cache = caches.add(level, root.text(&file("size")).as_deref().and_then(bytes));
            for row in rows.iter_mut().filter(|row| shared.contains(&row.number)) {
                *(if level == 2 { &mut row.l2 } else { &mut row.l3 }) = Some(cache);
            }
            with.extend(shared);
        }
    }
    let nodes = nodes(root, &mut rows);
    kinds(root, &mut rows);
    Some(Topology::new(rows)?.with_caches(caches.0).with_nodes(nodes))
}

fn row(rows: &mut [Cpu], number: usize) -> &mut Cpu {
    let place = rows.iter().position(|row| row.number == number);
    &mut rows[place.expect("each CPU that is online has a row")]
}

#[derive(Default)]
struct Caches(Vec<Cache>);

impl Caches {
    fn add(&mut self, level: u8, bytes: Option<u64>) -> usize {
        self.0.push(Cache { level, bytes });
        self.0.len() - 1
    }
}

/// A size such as `1024K`.
fn bytes(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) => (digits, &text[digits.len()..]),
        None => (text, ""),
    };
    let shift = ["", "K", "M", "G"].iter().position(|&u| u == unit)? * 10;
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Puts the rows into their nodes, and tells what is said about each.
fn nodes(root: &Root, rows: &mut [Cpu]) -> Vec<Node> {
    let numbers = root.list(&format!("{NODE}/online")).unwrap_or_default();
    let node = |&number: &usize| {
        let file = |name: &str| format!("{NODE}/node{number}/{name}");
        if let Some(cpus) = root.list(&file("cpulist")) {
            for row in rows.iter_mut().filter(|row| cpus.contains(&row.number)) {
                row.node = number;
            }
        }
        let distances = root.text(&file("distance")).unwrap_or_default();
        let distances = distances.split_whitespace().map(str::parse);
        let memory = root.text(&file("meminfo"));
        Node {
            number,
            bytes: memory.as_deref().and_then(memory_total),
            distances: distances.collect::<Result<_, _>>().unwrap_or_default(),
        }
    };
    numbers.iter().map(node).collect()
}

/// From the line `Node 0 MemTotal:   16304348 kB`.
fn memory_total(text: &str) -> Option<u64> {
    let total = text.lines().find_map(|line| line.split_once("MemTotal:"))?.1;
    total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Tells fast cores from small ones: by two lists where the processor has two sorts, or by how much
/// each CPU can do, where that differs.
fn kinds(root: &Root, rows: &mut [Cpu]) {
    let fast = root.list("/sys/devices/cpu_core/cpus");
    let slow = root.list("/sys/devices/cpu_atom/cpus");
    let kind: HashMap<usize, Kind> = match (fast, slow) {
        (Some(fast), Some(slow)) => {
            let fast = fast.into_iter().map(|number| (number, Kind::Performance));
            fast.chain(slow.into_iter().map(|number| (number, Kind::Efficiency))).collect()
        }
        _ => {
            let capacity = |row: &Cpu| {
                let file = format!("{CPU}/cpu{}/cpu_capacity", row.number);
                Some((row.number, root.number::<u64>(&file)?))
            };
            let capacities: HashMap<usize, u64> = rows.iter().filter_map(capacity).collect();
            let most = capacities.values().copied().max().unwrap_or(0);
            if capacities.values().all(|&capacity| capacity == most) {
                return;
            }
            // Of three sorts the middle one is nearly as fast as the fastest.
            let kind = |capacity| {
                if capacity < most / 2 { Kind::Efficiency } else { Kind::Performance }
            };
            capacities.into_iter().map(|(number, capacity)| (number, kind(capacity))).collect()
        }
    };
    for row in rows {
        row.kind = kind.get(&row.number).copied().unwrap_or_default();
    }
}

#[cfg(test)]
mod tests;
