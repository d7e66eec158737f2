//! What the C library hwloc says about the machine. In comes its tree, out go rows.
//!
//! Of the crate `hwloc2` only what is sound is used: types, numbers and sizes of objects and the
//! way through the tree, and sets that do not outlive the topology; never names, printing, binding
//! or lists by type.

use hwloc2::{ObjectType, TopologyObject};

use crate::{
    cpu::{Cache, Cpu, Node},
    topology::Topology,
};

/// The machine, or `None` if hwloc cannot say.
pub(crate) fn read() -> Option<Topology> {
    let tree = hwloc2::Topology::new()?;
    let mut found = Found::default();
    found.walk(tree.object_at_root(), Cpu::alone(0), false);
    Some(Topology::new(found.cpus)?.with_caches(found.caches).with_nodes(found.nodes))
}

#[derive(Default)]
struct Found {
    cpus: Vec<Cpu>,
    caches: Vec<Cache>,
    nodes: Vec<Node>,
    cores: usize,
    packages: usize,
}

impl Found {
    /// Adds what is in `object`; `at` is where it is, `cored` whether that is a core.
    fn walk(&mut self, object: &TopologyObject, mut at: Cpu, mut cored: bool) {
        self.note_node(object);
        match object.object_type() {
            ObjectType::Package => at.package = next(&mut self.packages),
            ObjectType::L3Cache => at.l3 = Some(self.cache(3, object)),
            ObjectType::L2Cache => at.l2 = Some(self.cache(2, object)),
            ObjectType::Core => {
                at.core = next(&mut self.cores);
                cored = true;
            }
            ObjectType::PU => {
                at.number = object.os_index() as usize;
                if !cored {
                    at.core = next(&mut self.cores);
                }
                at.node = first_node(object).unwrap_or(0);
                self.cpus.push(at);
            }
            _ => {}
        }
        let mut child = object.first_child();
        while let Some(inner) = child {
            self.walk(inner, at, cored);
            child = inner.next_sibling();
        }
    }

    fn cache(&mut self, level: u8, object: &TopologyObject) -> usize {
        let bytes = match object.cache_attributes() {
            Some(cache) if cache.size() > 0 => Some(cache.size()),
            _ => None,
        };
        self.caches.push(Cache { level, bytes });
        self.caches.len() - 1
    }

    /// An object that is in one node only has its memory, if it is the outermost.
    fn note_node(&mut self, object: &TopologyObject) {
        let alone = object.nodeset().is_some_and(|set| set.weight() == 1);
        let Some(number) = first_node(object).filter(|_| alone) else { return };
        if self.nodes.iter().all(|node| node.number != number) {
            let bytes = Some(object.total_memory());
            self.nodes.push(Node { number, bytes, distances: Vec::new() });
        }
    }
}

fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}

fn first_node(object: &TopologyObject) -> Option<usize> {
    // It is -1 for an empty set.
    object.nodeset().and_then(|set| usize::try_from(set.first()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cpu::Distance, files::Root, sys};

    /// Both describe the machine of the test; numbers of cores and caches are each reader's own.
    #[test]
    fn it_agrees_with_the_system() {
        let (Some(told), Some(read)) = (read(), sys::read(&Root::new("/"))) else {
            return eprintln!("skipped: hwloc or /sys is not there");
        };
        let counts = |machine: &Topology| {
            let numbers: Vec<_> = machine.cpus().iter().map(|cpu| (cpu.number, cpu.node)).collect();
            (numbers, machine.threads(), machine.cores(), machine.nodes().len())
        };
        assert_eq!(counts(&told), counts(&read));
        let near = |machine: &Topology| {
            let all = machine.cpus();
            let pairs = all.iter().flat_map(|a| all.iter().map(move |b| Distance::between(a, b)));
            pairs.collect::<Vec<_>>()
        };
        assert_eq!(near(&told), near(&read));
    }
}
