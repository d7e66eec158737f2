//! Who sits where. In come a topology and the number of workers, out go the core that each worker
//! is bound to and, for each, the others nearest first: whom to rob, whom to wake.
//!
//! Workers are numbered so that neighbours in number are near. Then all that are as near as some
//! distance are a run of numbers, and an order is a few runs, however many workers there are.

use std::{cmp::Reverse, ops::Range};

use crate::{
    cpu::{Cpu, Distance, Kind},
    topology::{Core, Topology},
};

/// Where the workers of a pool sit. Worker 0 is whoever calls the pool.
///
/// # Examples
///
/// ```
/// use spanwise_topology::{Layout, Topology};
///
/// let machine = Topology::synthetic("numa:2 l3:2 core:2")?;
/// let layout = Layout::compact(&machine, 8);
/// assert_eq!(layout.cpus(5), [5]);
/// assert!(layout.victims(2).eq([3, 0, 1, 6, 7, 4, 5]));
///
/// // Four of the cores, two in each node.
/// let layout = Layout::spread(&machine, 4);
/// assert!((0..4).flat_map(|worker| layout.cpus(worker)).eq(&[0, 2, 4, 6]));
/// # Ok::<(), spanwise_topology::SyntheticError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    seats: Vec<Seat>,
    /// For each CPU of the machine, by number, the nearest worker; none if the workers float.
    homes: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Seat {
    /// `None` for a worker that floats.
    core: Option<Core>,
    /// All other workers, nearest first.
    others: Vec<Range<usize>>,
    /// How many of these runs are on this worker's own core.
    siblings: usize,
}

impl Layout {
    /// Workers that nobody binds: the system moves them, and all are as near.
    pub fn floating(width: usize) -> Self {
        let seat = |worker| Seat {
            core: None,
            others: around(&(worker..worker + 1), &(0..width)).collect(),
            siblings: 0,
        };
        Self { seats: (0..width).map(seat).collect(), homes: Vec::new() }
    }

    /// Workers on neighbouring cores, performance cores first, so that they share caches.
    ///
    /// Where there are more workers than cores, cores get several.
    pub fn compact(machine: &Topology, width: usize) -> Self {
        let mut cores = machine.usable_cores();
        cores.sort_by_key(|core| core.at.kind);
        Self::seat(machine, &cores, width)
    }

    /// Workers on cores as far apart as can be, performance cores first, so that each has as much
    /// cache and memory bandwidth as it can.
    ///
    /// Where there are more workers than cores, cores get several.
    pub fn spread(machine: &Topology, width: usize) -> Self {
        let (slow, fast): (Vec<Core>, Vec<Core>) =
            machine.usable_cores().into_iter().partition(|core| core.at.kind == Kind::Efficiency);
        let mut cores = apart(fast, &LEVELS);
        cores.extend(apart(slow, &LEVELS));
        Self::seat(machine, &cores, width)
    }

    /// Gives the first `width` of these cores, and if there are fewer the first ones again, to
    /// workers in the machine's order.
    fn seat(machine: &Topology, cores: &[Core], width: usize) -> Self {
        let mut cores: Vec<Core> = cores.iter().cycle().take(width).cloned().collect();
        let place =
            |core: &Core| machine.cpus().iter().position(|cpu| cpu.number == core.at.number);
        cores.sort_by_cached_key(place);
        let nodes: Vec<Range<usize>> = nodes(&cores);
        let far = |from: &Cpu, to: &Cpu| {
            let distance = Distance::between(from, to);
            let apart = distance > Distance::Node;
            (distance, if apart { machine.node_distance(from.node, to.node) } else { 0 })
        };

        let mut seats = Vec::with_capacity(width);
        for (home, node) in nodes.iter().enumerate() {
            let at = |node: &Range<usize>| &cores[node.start].at;
            let mut away: Vec<_> = (1..nodes.len()).map(|i| (home + i) % nodes.len()).collect();
            away.sort_by_key(|&other| far(at(node), at(&nodes[other])));
            for worker in node.clone() {
                let mut inner = worker..worker + 1;
                let mut others = Vec::new();
                let mut siblings = 0;
                for most in [Distance::Core, Distance::L2, Distance::L3, Distance::Node] {
                    let outer = run(&cores, node, worker, most);
                    others.extend(around(&inner, &outer));
                    inner = outer;
                    if most == Distance::Core {
                        siblings = others.len();
                    }
                }
                // Each begins at another place, so that thieves from one node spread over the next.
                others.extend(away.iter().flat_map(|&other| {
                    let node = &nodes[other];
                    let middle = node.start + (worker - inner.start) % node.len();
                    filled([middle..node.end, node.start..middle])
                }));
                seats.push(Seat { core: Some(cores[worker].clone()), others, siblings });
            }
        }
        let mut homes = vec![0; 1 + machine.cpus().iter().map(|c| c.number).max().unwrap_or(0)];
        for cpu in machine.cpus() {
            let nearest = (0..width).min_by_key(|&worker| far(cpu, &cores[worker].at));
            homes[cpu.number] = nearest.unwrap_or(0);
        }
        Self { seats, homes }
    }

    /// How many workers there are, the caller included.
    pub fn width(&self) -> usize {
        self.seats.len()
    }

    /// Whether workers are to be bound to cores.
    pub fn is_bound(&self) -> bool {
        !self.homes.is_empty()
    }

    /// The system's numbers of the CPUs that this worker is bound to; none if it floats.
    pub fn cpus(&self, worker: usize) -> &[usize] {
        let core = self.seats.get(worker).and_then(|seat| seat.core.as_ref());
        core.map_or(&[], |core| &core.cpus)
    }

    /// The CPUs that workers are bound to, by number, each once.
    pub fn bound_to(&self) -> Vec<usize> {
        let workers = 0..self.width();
        let mut cpus: Vec<usize> = workers.flat_map(|worker| self.cpus(worker)).copied().collect();
        cpus.sort_unstable();
        cpus.dedup();
        cpus
    }

    /// How far it is from one worker to another, if both are bound.
    pub fn distance(&self, from: usize, to: usize) -> Option<Distance> {
        let at = |worker: usize| self.seats.get(worker)?.core.as_ref().map(|core| &core.at);
        Some(Distance::between(at(from)?, at(to)?))
    }

    /// All workers but this one, nearest first: the order in which it looks for work.
    ///
    /// Among those that are as near it begins with the next by number, so that several that look do
    /// not all look at one. Workers that float are all as near.
    pub fn victims(&self, worker: usize) -> impl Iterator<Item = usize> {
        let seat = self.seats.get(worker);
        seat.into_iter().flat_map(|seat| &seat.others).cloned().flatten()
    }

    /// All workers but this one in the order in which it wakes sleepers: nearest first, but those on
    /// its own core last, since they would share what it is busy with.
    pub fn wakes(&self, worker: usize) -> impl Iterator<Item = usize> {
        let runs = self.seats.get(worker).map(|seat| seat.others.split_at(seat.siblings));
        runs.into_iter()
            .flat_map(|(siblings, others)| others.iter().chain(siblings))
            .cloned()
            .flatten()
    }

    /// The worker that sits nearest to this CPU; worker 0 if nobody knows.
    pub fn near_cpu(&self, number: usize) -> usize {
        self.homes.get(number).copied().unwrap_or(0)
    }
}

/// What of `outer` is not in `inner`: what comes after it, then what comes before.
fn around(inner: &Range<usize>, outer: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    filled([inner.end..outer.end, outer.start..inner.start])
}

fn filled(runs: [Range<usize>; 2]) -> impl Iterator<Item = Range<usize>> {
    runs.into_iter().filter(|run| !run.is_empty())
}

/// The runs of workers that are in one node of one package.
fn nodes(cores: &[Core]) -> Vec<Range<usize>> {
    let mut end = 0;
    let same = |a: &Core, b: &Core| (a.at.package, a.at.node) == (b.at.package, b.at.node);
    let runs = cores.chunk_by(same).map(|run| {
        end += run.len();
        end - run.len()..end
    });
    runs.collect()
}

/// The run of workers around `worker`, within its node, that are no farther from it than `most`.
fn run(cores: &[Core], node: &Range<usize>, worker: usize, most: Distance) -> Range<usize> {
    let near = |core: &&Core| Distance::between(&cores[worker].at, &core.at) <= most;
    let before = cores[node.start..worker].iter().rev().take_while(near).count();
    let after = cores[worker..node.end].iter().take_while(near).count();
    worker - before..worker + after
}

/// What a core is in.
type Inside = fn(&Core) -> Option<usize>;

/// From the outside in.
const LEVELS: [Inside; 4] =
    [|core| Some(core.at.package), |core| Some(core.at.node), |core| core.at.l3, |core| core.at.l2];

/// These cores in an order whose every beginning is spread over what they are in.
fn apart(cores: Vec<Core>, levels: &[Inside]) -> Vec<Core> {
    let Some((inside, levels)) = levels.split_first() else { return cores };
    let mut groups: Vec<Vec<Core>> = Vec::new();
    for core in cores {
        match groups.iter_mut().find(|group| inside(&group[0]) == inside(&core)) {
            Some(group) => group.push(core),
            None => groups.push(vec![core]),
        }
    }
    let mut queues: Vec<_> =
        groups.into_iter().map(|group| apart(group, levels).into_iter()).collect();
    // The largest group comes first, so that what is left over falls where there is most room.
    queues.sort_by_key(|queue| Reverse(queue.len()));
    let mut order = Vec::new();
    loop {
        let before = order.len();
        order.extend(queues.iter_mut().filter_map(Iterator::next));
        if order.len() == before {
            return order;
        }
    }
}
