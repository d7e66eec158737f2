//! What this machine is, as plain data, for the pools of spanwise: how many threads to have, where
//! to put them, whom to rob and whom to wake first.
//!
//! The crate in the order that data meets it; a module imports only from those before it:
//!
//! - `cpu`, `topology`: hardware threads, caches, memory nodes, and what is counted of them;
//! - `synthetic`: a topology from a line of text; `tree`: a topology as text;
//! - `layout`: who sits where, and who is near whom; `bind`: threads kept where they sit;
//! - `files`, `cgroup`, `sys`, `hwloc`: what the system says of this machine and of this process;
//! - `here`: all of that put together.

mod cpu;

mod topology;

mod synthetic;

mod tree;

mod layout;

mod bind;

mod files;

mod cgroup;

mod sys;

#[cfg(feature = "hwloc")]
mod hwloc;

mod here;

pub use bind::{PinError, current_cpu};
pub use cpu::{Cache, Cpu, Distance, Kind, Node};
pub use here::usable_threads;
pub use layout::Layout;
pub use synthetic::SyntheticError;
pub use topology::{Core, Topology};
