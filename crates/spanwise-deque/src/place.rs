//! How many threads, and where. In come settings, out goes a layout whose threads can be bound as it
//! says, or why not.

use spanwise_backend::{Pin, PoolError, Settings, Width};
use spanwise_topology::{Layout, PinError, Topology, usable_threads};

/// Where the threads of a pool with these settings are.
pub(crate) fn layout(settings: &Settings) -> Result<Layout, PoolError> {
    let pinned = settings.pin != Pin::None;
    let policy = settings.width.unwrap_or(if pinned { Width::Cores } else { Width::Threads });
    if !pinned && (settings.threads.is_some() || policy == Width::Threads) {
        // Nothing has to be read about the machine.
        return Ok(Layout::floating(settings.threads.unwrap_or_else(usable_threads).get()));
    }
    let mut machine = Topology::here();
    if let Pin::Node(number) = settings.pin {
        let node = machine.only_node(number);
        machine = node.ok_or_else(|| PoolError::pin(PinError::no_node(number)))?;
    }
    let counted = match policy {
        Width::Threads => machine.threads(),
        Width::Cores => machine.cores(),
        Width::PerformanceCores => machine.performance_cores(),
    };
    let width = settings.threads.unwrap_or(counted).get();
    let layout = match settings.pin {
        _ if width == 1 => Layout::floating(1),
        Pin::None => Layout::floating(width),
        Pin::Cores | Pin::Node(_) => Layout::compact(&machine, width),
        Pin::Spread => Layout::spread(&machine, width),
    };
    layout.try_bind().map_err(PoolError::pin)?;
    Ok(layout)
}
