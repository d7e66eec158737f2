//! A topology as text. In comes a machine, out goes a tree with a line for each thing in it.

use std::fmt;

use crate::{
    cpu::{Cpu, Kind},
    topology::Topology,
};

/// A readable tree: packages, nodes, caches, cores and their CPUs, those in brackets that this
/// process may not use.
impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usable = self.cpus().iter().filter(|cpu| cpu.usable).count();
        writeln!(
            f,
            "{} online, {usable} usable on {}",
            many(self.cpus().len(), "hardware thread"),
            many(self.usable_cores().len(), "core"),
        )?;
        if let Some(quota) = self.quota() {
            writeln!(f, "quota: {quota} CPUs")?;
        }
        let mut above: Option<&Cpu> = None;
        for core in self.cpus().chunk_by(|a, b| a.core == b.core) {
            self.line(f, above, core)?;
            above = core.last();
        }
        let empty = self.nodes().iter().filter(|n| self.cpus().iter().all(|c| c.node != n.number));
        for node in empty {
            writeln!(f, "node {}{}, no CPUs", node.number, Size(node.bytes))?;
        }
        Ok(())
    }
}

impl Topology {
    /// The line of a core, after those of what it is in and what the core before was not.
    fn line(&self, f: &mut fmt::Formatter<'_>, above: Option<&Cpu>, core: &[Cpu]) -> fmt::Result {
        let cpu = &core[0];
        let mut fresh = above.is_none_or(|above| above.package != cpu.package);
        if fresh {
            writeln!(f, "package {}", cpu.package)?;
        }
        fresh |= above.is_none_or(|above| above.node != cpu.node);
        if fresh {
            let node = self.nodes().iter().find(|node| node.number == cpu.node);
            writeln!(f, "  node {}{}", cpu.node, Size(node.and_then(|node| node.bytes)))?;
        }
        let bytes = |cache: usize| Size(self.caches().get(cache).and_then(|cache| cache.bytes));
        fresh |= above.is_none_or(|above| above.l3 != cpu.l3);
        if let (true, Some(l3)) = (fresh, cpu.l3) {
            writeln!(f, "    L3{}", bytes(l3))?;
        }
        f.write_str("      core, CPU")?;
        for cpu in core {
            let (open, close) = if cpu.usable { ("", "") } else { ("(", ")") };
            write!(f, " {open}{}{close}", cpu.number)?;
        }
        if let Some(l2) = cpu.l2 {
            let first = self.cpus().iter().find(|other| other.l2 == cpu.l2);
            match first.filter(|first| first.core != cpu.core) {
                Some(first) => write!(f, ", L2 of CPU {}", first.number)?,
                None => write!(f, ", L2{}", bytes(l2))?,
            }
        }
        f.write_str(match cpu.kind {
            Kind::Performance => ", performance\n",
            Kind::Efficiency => ", efficiency\n",
            Kind::Unknown => "\n",
        })
    }
}

fn many(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

/// A size as ` 32 MiB`, or nothing.
struct Size(Option<u64>);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(bytes) = self.0 else { return Ok(()) };
        let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
        match units.iter().find(|(shift, _)| bytes >> shift > 0) {
            None if bytes == 0 => f.write_str(", no memory"),
            None => write!(f, " {bytes} B"),
            // Memory is a little less than the round number that is in the machine.
            Some((shift, unit)) => write!(f, " {} {unit}", (bytes + (1 << shift >> 1)) >> shift),
        }
    }
}
