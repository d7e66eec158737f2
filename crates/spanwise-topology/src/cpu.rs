//! The rows that a topology is made of: hardware threads, caches and memory nodes. Readers fill
//! them in, [`Topology`](crate::Topology) checks them, everybody reads them.

/// What sort of core a hardware thread belongs to, where the machine has two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A fast core.
    Performance,
    /// All cores are alike, or nobody said.
    #[default]
    Unknown,
    /// A small core that saves power.
    Efficiency,
}

/// One hardware thread and where it is.
///
/// What has the same number in a column is the same thing, over the whole machine: two rows with
/// the same `core` share a core. Apart from `number` and `node`, which are the system's, the numbers
/// mean nothing else.
///
/// # Examples
///
/// ```
/// use spanwise_topology::{Cpu, Kind};
///
/// let cpu = Cpu { node: 1, kind: Kind::Efficiency, ..Cpu::alone(3) };
/// assert_eq!((cpu.core, cpu.node, cpu.package), (3, 1, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cpu {
    /// The system's number.
    pub number: usize,
    /// The core; several hardware threads may share one.
    pub core: usize,
    /// The second-level cache, if it is known.
    pub l2: Option<usize>,
    /// The third-level cache, if there is one that is known.
    pub l3: Option<usize>,
    /// The system's number of the memory node.
    pub node: usize,
    /// The package, what sits in one socket.
    pub package: usize,
    /// What sort of core it is.
    pub kind: Kind,
    /// Whether this process may run there.
    pub usable: bool,
}

impl Cpu {
    /// A hardware thread that is a core of its own, in node 0 of package 0, and usable.
    pub fn alone(number: usize) -> Self {
        let kind = Kind::Unknown;
        Self { number, core: number, l2: None, l3: None, node: 0, package: 0, kind, usable: true }
    }
}

/// A cache that [`Cpu`] rows name by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cache {
    /// 2 or 3.
    pub level: u8,
    /// Its size, if it is known.
    pub bytes: Option<u64>,
}

/// A memory node. It may be without hardware threads, or without memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The system's number.
    pub number: usize,
    /// How much memory it has, 0 for none; `None` if nobody said.
    pub bytes: Option<u64>,
    /// How far it is to each node of the list, in its order, 10 for itself; empty if nobody said.
    pub distances: Vec<u32>,
}

/// How far two hardware threads are from each other: by the nearest thing that both are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distance {
    /// On one core.
    Core,
    /// On cores with one second-level cache.
    L2,
    /// On cores with one third-level cache.
    L3,
    /// In one memory node of one package.
    Node,
    /// In one package.
    Package,
    /// On one machine.
    Machine,
}

impl Distance {
    /// From `a` to `b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_topology::{Distance, Topology};
    ///
    /// let machine = Topology::synthetic("pack:2 core:2 pu:2")?;
    /// let from = |a: usize, b: usize| Distance::between(&machine.cpus()[a], &machine.cpus()[b]);
    /// assert_eq!([from(0, 1), from(0, 2)], [Distance::Core, Distance::Node]);
    /// assert_eq!(from(0, 4), Distance::Machine);
    /// # Ok::<(), spanwise_topology::SyntheticError>(())
    /// ```
    pub fn between(a: &Cpu, b: &Cpu) -> Self {
        let same = |cache: fn(&Cpu) -> Option<usize>| cache(a).is_some() && cache(a) == cache(b);
        if a.core == b.core {
            Self::Core
        } else if same(|cpu| cpu.l2) {
            Self::L2
        } else if same(|cpu| cpu.l3) {
            Self::L3
        } else if a.package == b.package {
            if a.node == b.node { Self::Node } else { Self::Package }
        } else {
            Self::Machine
        }
    }
}
