//! Machines from a line of text, in the notation of hwloc. In comes a description, out goes a
//! topology, so that rules are tested on machines that we do not have.

use std::{error::Error, fmt};

use crate::{
    cpu::{Cache, Cpu, Node},
    topology::Topology,
};

/// The most hardware threads that a description may have.
const MOST: usize = 1 << 16;

/// Why a description of a machine was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntheticError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Unknown(String),
    Order(String),
    Many,
}

impl fmt::Display for SyntheticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Unknown(word) => write!(f, "{word:?} is not a level such as core:4 or [numa]"),
            Kind::Order(word) => write!(f, "{word:?} cannot stand there, or not twice"),
            Kind::Many => write!(f, "a description may have 1 to {MOST} hardware threads"),
        }
    }
}

impl Error for SyntheticError {}

/// What a level is made of, from the outside in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Group,
    Package,
    Numa,
    L3,
    L2,
    L1,
    Core,
    Pu,
}

struct Level {
    part: Part,
    /// How many there are in one of the level outside.
    count: usize,
    bytes: Option<u64>,
}

impl Topology {
    /// The machine that a line in the notation of hwloc describes: from the outside in, how many of
    /// each there are in the one before.
    ///
    /// Parts are `pack` (or `package`, `socket`), `numa` (or `node`), `l3`, `l2`, `l1`, `core` and
    /// `pu`; `group` and `l1` are read and forgotten. `[numa]` puts one node into each part before
    /// it. `l3:1(size=32MB)` and `[numa(memory=4GB)]` tell sizes. Where there is no `numa` the whole
    /// machine is one node, and where there is no `core` each innermost part is one.
    ///
    /// # Errors
    ///
    /// If a part is unknown or out of order, a number is not one, or there are too many of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_topology::Topology;
    ///
    /// let machine = Topology::synthetic("pack:2 [numa(memory=4GB)] l3:2(size=32MB) core:4 pu:2")?;
    /// assert_eq!(machine.threads().get(), 32);
    /// assert_eq!(machine.nodes()[1].bytes, Some(4 << 30));
    /// assert!(Topology::synthetic("core:4 pack:2").is_err());
    /// # Ok::<(), spanwise_topology::SyntheticError>(())
    /// ```
    pub fn synthetic(description: &str) -> Result<Self, SyntheticError> {
        let levels = levels(description)?;
        let first = usize::from(!levels.is_empty());
        let threads = levels.iter().try_fold(first, |all, level| all.checked_mul(level.count));
        let Some(threads) = threads.filter(|&threads| (1..=MOST).contains(&threads)) else {
            return Err(SyntheticError(Kind::Many));
        };
        // The number of the thing of this part that a hardware thread is in: threads are numbered
        // from the outside in, so it is a division.
        let place = |part: Part, number: usize| {
            let level = levels.iter().position(|level| level.part == part)?;
            let inside: usize = levels[level + 1..].iter().map(|level| level.count).product();
            Some(number / inside)
        };
        let things = |part: Part| place(part, threads - 1).map_or(0, |last| last + 1);
        let l3s = things(Part::L3);
        let cpus = (0..threads).map(|number| {
            let core = place(Part::Core, number).unwrap_or(number);
            Cpu {
                core,
                l2: place(Part::L2, number).map(|l2| l3s + l2),
                l3: place(Part::L3, number),
                node: place(Part::Numa, number).unwrap_or(0),
                package: place(Part::Package, number).unwrap_or(0),
                ..Cpu::alone(number)
            }
        });
        let machine = Self::new(cpus).expect("numbers count up from 0");
        let bytes = |part| levels.iter().find(|level| level.part == part).and_then(|l| l.bytes);
        let caches = |part, level| {
            let cache = Cache { level, bytes: bytes(part) };
            std::iter::repeat_n(cache, things(part))
        };
        let nodes = (0..things(Part::Numa)).map(|number| Node {
            number,
            bytes: bytes(Part::Numa),
            distances: Vec::new(),
        });
        let caches = caches(Part::L3, 3).chain(caches(Part::L2, 2)).collect();
        Ok(machine.with_caches(caches).with_nodes(nodes.collect()))
    }
}

fn levels(description: &str) -> Result<Vec<Level>, SyntheticError> {
    let mut levels: Vec<Level> = Vec::new();
    for word in description.split_whitespace() {
        let level = level(word).ok_or_else(|| SyntheticError(Kind::Unknown(word.to_owned())))?;
        // Nodes and packages may hold each other; groups may stand anywhere above cores.
        let loose = |part| part <= Part::Numa;
        let fits = levels
            .last()
            .is_none_or(|last| last.part < level.part || (loose(last.part) && loose(level.part)));
        let twice = levels.iter().any(|l| l.part == level.part && l.part != Part::Group);
        if !fits || twice {
            return Err(SyntheticError(Kind::Order(word.to_owned())));
        }
        levels.push(level);
    }
    Ok(levels)
}

/// A word such as `l3:2(size=32MB)` or `[numa]`.
fn level(word: &str) -> Option<Level> {
    if let Some(inner) = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) {
        let (name, bytes) = sized(inner)?;
        let part = Some(part(name)?).filter(|&part| part == Part::Numa)?;
        return Some(Level { part, count: 1, bytes });
    }
    let (name, count) = word.split_once(':')?;
    let (count, bytes) = sized(count)?;
    Some(Level { part: part(name)?, count: count.parse().ok()?, bytes })
}

/// What stands before the brackets, and the size that stands in them.
fn sized(text: &str) -> Option<(&str, Option<u64>)> {
    let Some((text, inner)) = text.split_once('(') else { return Some((text, None)) };
    let (name, size) = inner.strip_suffix(')')?.split_once('=')?;
    let digits = size.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &size[digits.len()..] {
        "" => 0,
        "kB" | "KB" | "KiB" => 10,
        "MB" | "MiB" => 20,
        "GB" | "GiB" => 30,
        "TB" | "TiB" => 40,
        _ => return None,
    };
    let bytes = digits.parse::<u64>().ok()?.checked_mul(1 << unit)?;
    ["size", "memory"].contains(&name).then_some((text, Some(bytes)))
}

fn part(name: &str) -> Option<Part> {
    Some(match name.to_ascii_lowercase().as_str() {
        "group" => Part::Group,
        "pack" | "package" | "socket" => Part::Package,
        "numa" | "numanode" | "node" => Part::Numa,
        "l3" | "l3cache" => Part::L3,
        "l2" | "l2cache" => Part::L2,
        "l1" | "l1cache" | "l1d" | "l1dcache" => Part::L1,
        "core" => Part::Core,
        "pu" => Part::Pu,
        _ => return None,
    })
}
