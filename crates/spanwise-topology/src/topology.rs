//! What a machine is, as plain data. In come rows, from a reader or by hand; out go the counts that
//! widths follow, and the cores in an order in which neighbours are near.

use std::num::NonZeroUsize;

use crate::cpu::{Cache, Cpu, Kind, Node};

/// A machine: its hardware threads that are online, where each is, and which of them this process
/// may use. At least one is usable.
///
/// # Examples
///
/// ```
/// use spanwise_topology::Topology;
///
/// let here = Topology::here();
/// assert!(here.cores() <= here.threads());
///
/// let there = Topology::synthetic("pack:2 numa:1 core:4 pu:2")?;
/// assert_eq!((there.threads().get(), there.cores().get(), there.nodes().len()), (16, 8, 2));
/// # Ok::<(), spanwise_topology::SyntheticError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    cpus: Vec<Cpu>,
    caches: Vec<Cache>,
    nodes: Vec<Node>,
    quota: Option<f64>,
}

/// A core: what of it this process may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// The first of its usable hardware threads, which says where it is.
    pub at: Cpu,
    /// The system's numbers of its usable hardware threads, at least one.
    pub cpus: Vec<usize>,
}

impl Topology {
    /// A machine of these hardware threads, in any order.
    ///
    /// `None` if a number appears twice, or if none is usable.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_topology::{Cpu, Kind, Topology};
    ///
    /// let kind = |i| if i < 8 { Kind::Performance } else { Kind::Efficiency };
    /// let machine = Topology::new((0..16).map(|i| Cpu { kind: kind(i), ..Cpu::alone(i) }))
    ///     .expect("every number once");
    /// assert_eq!((machine.cores().get(), machine.performance_cores().get()), (16, 8));
    /// ```
    pub fn new(cpus: impl IntoIterator<Item = Cpu>) -> Option<Self> {
        let mut cpus: Vec<Cpu> = cpus.into_iter().collect();
        cpus.sort_by_key(|cpu| cpu.number);
        let twice = cpus.windows(2).any(|pair| pair[0].number == pair[1].number);
        if twice || !cpus.iter().any(|cpu| cpu.usable) {
            return None;
        }
        // So that what is near in the list is near in the machine.
        cpus.sort_by_key(|cpu| (cpu.package, cpu.node, cpu.l3, cpu.l2, cpu.core, cpu.number));
        let mut nodes: Vec<usize> = cpus.iter().map(|cpu| cpu.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let node = |number| Node { number, bytes: None, distances: Vec::new() };
        let nodes = nodes.into_iter().map(node).collect();
        Some(Self { cpus, caches: Vec::new(), nodes, quota: None })
    }

    /// The same machine with this said about its caches, whose places in the list the rows name.
    pub fn with_caches(mut self, caches: Vec<Cache>) -> Self {
        self.caches = caches;
        self
    }

    /// The same machine with this said about some of its memory nodes, and with nodes that no
    /// hardware thread is in.
    ///
    /// Nodes that are not named stay. Distances are dropped unless there is one to every node.
    pub fn with_nodes(mut self, nodes: Vec<Node>) -> Self {
        self.nodes.retain(|old| nodes.iter().all(|node| node.number != old.number));
        self.nodes.extend(nodes);
        self.nodes.sort_by_key(|node| node.number);
        let count = self.nodes.len();
        for node in self.nodes.iter_mut().filter(|node| node.distances.len() != count) {
            node.distances.clear();
        }
        self
    }

    /// The same machine where the process may use this much CPU time for each second.
    ///
    /// What is not above 0 counts for nothing.
    pub fn with_quota(mut self, cpus: f64) -> Self {
        self.quota = Some(cpus).filter(|&cpus| cpus > 0.0);
        self
    }

    /// The same machine where the process may use these CPUs only.
    ///
    /// A CPU that the machine is not known to have counts as a core of its own. So where nothing is
    /// known but the CPUs that may be used, or where all that is known is about others, the number
    /// of threads is right all the same. With no CPU given nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_topology::Topology;
    ///
    /// let machine = Topology::synthetic("core:4 pu:2")?;
    /// assert_eq!(machine.clone().allow(&[0, 1, 2]).cores().get(), 2);
    /// assert_eq!(machine.allow(&[100, 101]).threads().get(), 2);
    /// # Ok::<(), spanwise_topology::SyntheticError>(())
    /// ```
    pub fn allow(mut self, numbers: &[usize]) -> Self {
        if numbers.is_empty() {
            return self;
        }
        let fresh = 1 + self.cpus.iter().map(|cpu| cpu.core).max().unwrap_or(0);
        for cpu in &mut self.cpus {
            cpu.usable = numbers.contains(&cpu.number);
        }
        let known = |number: usize| self.cpus.iter().any(|cpu| cpu.number == number);
        let mut unknown: Vec<usize> = numbers.iter().copied().filter(|&n| !known(n)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        let core = |number| Cpu { core: fresh + number, ..Cpu::alone(number) };
        let cpus = self.cpus.into_iter().chain(unknown.into_iter().map(core));
        let mut machine = Self::new(cpus).expect("one of the numbers is usable now");
        machine.caches = self.caches;
        machine.quota = self.quota;
        machine.with_nodes(self.nodes)
    }

    /// The same machine where only what is in the memory node of this number may be used.
    ///
    /// `None` if nothing there is usable.
    pub fn only_node(&self, number: usize) -> Option<Self> {
        let mut machine = self.clone();
        for cpu in &mut machine.cpus {
            cpu.usable &= cpu.node == number;
        }
        machine.cpus.iter().any(|cpu| cpu.usable).then_some(machine)
    }

    /// The hardware threads that are online, near ones next to each other.
    pub fn cpus(&self) -> &[Cpu] {
        &self.cpus
    }

    /// The caches that rows name by their places.
    pub fn caches(&self) -> &[Cache] {
        &self.caches
    }

    /// The memory nodes, by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How much CPU time for each second the process may use, if that is limited.
    pub fn quota(&self) -> Option<f64> {
        self.quota
    }

    /// How far it is between two memory nodes: 10 is near. What nobody said is 20.
    pub fn node_distance(&self, from: usize, to: usize) -> u32 {
        let place = |number| self.nodes.iter().position(|node| node.number == number);
        let told = place(from)
            .zip(place(to))
            .and_then(|(from, to)| self.nodes[from].distances.get(to).copied());
        told.unwrap_or(if from == to { 10 } else { 20 })
    }

    /// The cores of which something is usable, near ones next to each other.
    pub fn usable_cores(&self) -> Vec<Core> {
        let mut cores: Vec<Core> = Vec::new();
        for &at in self.cpus.iter().filter(|cpu| cpu.usable) {
            match cores.last_mut() {
                Some(core) if core.at.core == at.core => core.cpus.push(at.number),
                _ => cores.push(Core { at, cpus: vec![at.number] }),
            }
        }
        cores
    }

    /// How many threads can run at once: usable hardware threads, or the quota if that is less.
    ///
    /// A quota of one and a half counts as two: two threads get through more than one does, also
    /// where they are stopped for a quarter of the time.
    pub fn threads(&self) -> NonZeroUsize {
        self.count(self.cpus.iter().filter(|cpu| cpu.usable).count())
    }

    /// How many usable cores there are, or the quota if that is less.
    pub fn cores(&self) -> NonZeroUsize {
        self.count(self.usable_cores().len())
    }

    /// How many usable cores there are that are not made to save power, or the quota if that is
    /// less. If all that may be used are, they are counted.
    pub fn performance_cores(&self) -> NonZeroUsize {
        let cores = self.usable_cores();
        let slow = cores.iter().filter(|core| core.at.kind == Kind::Efficiency).count();
        self.count(if slow < cores.len() { cores.len() - slow } else { slow })
    }

    fn count(&self, count: usize) -> NonZeroUsize {
        at_most(count, self.quota)
    }
}

/// So many threads, or the quota if that is less.
pub(crate) fn at_most(count: usize, quota: Option<f64>) -> NonZeroUsize {
    // A quota beyond all numbers saturates.
    let most = quota.map_or(usize::MAX, |quota| quota.ceil() as usize);
    NonZeroUsize::new(count.min(most)).unwrap_or(NonZeroUsize::MIN)
}
