//! What this machine is, what pools make of it, and what a wake and a steal cost on it.
//!
//! `cargo run --release --example machine` shows this machine and measures it: between all pairs of
//! cores, of eight that are spread over it if it has more. `-- --all` measures between all there are.
//! `-- "pack:2 [numa] l3:2 core:4 pu:2"` shows a machine that hwloc's notation describes.

use std::{
    env,
    error::Error,
    hint::spin_loop,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use spanwise_deque::DequePool;
use spanwise_topology::{Layout, Topology};

/// Cores between which is measured unless all are asked for.
const CORES: usize = 8;
/// How long a near half looks out for its far half before it gives up.
const PATIENCE: Duration = Duration::from_millis(5);
/// How long a far half takes.
const WORTHWHILE: Duration = Duration::from_micros(3);

type Failed = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let argument = env::args().nth(1);
    let described = argument.as_deref().filter(|argument| *argument != "--all");
    let machine = match described {
        Some(description) => Topology::synthetic(description)?,
        None => Topology::here(),
    };
    print!("{machine}");
    choices(&machine);
    if described.is_none() {
        let most = if argument.is_some() { usize::MAX } else { CORES };
        let count = machine.usable_cores().len().min(most);
        let cores = Layout::spread(&machine, count);
        table(&cores, &STEAL)?;
        table(&cores, &WAKE)?;
    }
    Ok(())
}

/// The widths and places that pools would have.
fn choices(machine: &Topology) {
    println!("\nwidth");
    println!("  Width::Threads           {}", machine.threads());
    println!("  Width::Cores             {}", machine.cores());
    println!("  Width::PerformanceCores  {}", machine.performance_cores());
    println!("\npin, and the CPUs of each worker; the first place is the caller's");
    let width = machine.cores().get();
    show("Pin::Cores", &Layout::compact(machine, width));
    show("Pin::Spread", &Layout::spread(machine, width));
    for node in machine.nodes() {
        let name = format!("Pin::Node({})", node.number);
        match machine.only_node(node.number) {
            Some(alone) => show(&name, &Layout::compact(&alone, alone.cores().get())),
            None => println!("  {name:13} is refused: it has no CPU that may be used"),
        }
    }
}

fn show(name: &str, layout: &Layout) {
    let cpus =
        |worker| layout.cpus(worker).iter().map(usize::to_string).collect::<Vec<_>>().join("+");
    let workers: Vec<String> = (0..layout.width()).map(cpus).collect();
    println!("  {name:13} {}", workers.join(" "));
    if layout.width() > 2 {
        let names = |order: Vec<usize>| {
            let first = order.iter().take(12).map(usize::to_string).collect::<Vec<_>>().join(" ");
            first + if order.len() > 12 { " …" } else { "" }
        };
        println!("                worker 1 robs  {}", names(layout.victims(1).collect()));
        println!("                worker 1 wakes {}", names(layout.wakes(1).collect()));
    }
}

/// What is measured: how long it takes from the offer of a half to its start on the other thread.
struct Measure {
    title: &'static str,
    /// How long the other thread looks around before it sleeps.
    spin: Duration,
    /// From one offer to the next.
    pause: Duration,
    rounds: usize,
}

const STEAL: Measure = Measure {
    title: "steal: from the offer to its start, by a thread that looks around",
    spin: PATIENCE,
    pause: Duration::ZERO,
    rounds: 501,
};
const WAKE: Measure = Measure {
    title: "wake: from the offer to its start, by a thread that slept",
    spin: Duration::ZERO,
    pause: Duration::from_millis(1),
    rounds: 31,
};

/// A median for each pair.
fn table(cores: &Layout, measure: &Measure) -> Result<(), Failed> {
    println!("\n{}\nmedians in ns; rows offer, columns start", measure.title);
    let cell = |text: &str| print!("{text:>9}");
    let names: Vec<String> =
        (0..cores.width()).map(|core| format!("CPU {}", cores.cpus(core)[0])).collect();
    cell("");
    names.iter().for_each(|name| cell(name));
    println!();
    for (from, name) in names.iter().enumerate() {
        cell(name);
        for to in 0..cores.width() {
            if from == to {
                cell("-");
                continue;
            }
            let time = thread::scope(|scope| {
                let thread = scope.spawn(|| between(cores, from, to, measure));
                thread.join().expect("measuring does not panic")
            })?;
            cell(&time.map_or("never".to_owned(), |time| time.as_nanos().to_string()));
        }
        println!();
    }
    Ok(())
}

/// Measures with the calling thread bound to one core and the other thread of a pool to another.
fn between(
    cores: &Layout,
    from: usize,
    to: usize,
    measure: &Measure,
) -> Result<Option<Duration>, Failed> {
    // What this thread starts is bound as it is itself.
    cores.bind(to)?;
    let pool = DequePool::builder().threads(2).spin(measure.spin).build()?;
    cores.bind(from)?;
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..measure.rounds {
        thread::sleep(measure.pause);
        times.extend(offer(&pool));
    }
    times.sort_unstable();
    Ok(times.get(times.len() / 2).copied())
}

/// From the offer of a half to its start elsewhere; `None` if nobody came for it.
fn offer(pool: &DequePool) -> Option<Duration> {
    let started = AtomicBool::new(false);
    let begin = Instant::now();
    let near = || {
        while !started.load(Ordering::Relaxed) && begin.elapsed() < PATIENCE {
            spin_loop();
        }
        started.load(Ordering::Relaxed)
    };
    let far = || {
        let start = Instant::now();
        started.store(true, Ordering::Relaxed);
        // Thieves of jobs that are shorter than their theft grow wary.
        while start.elapsed() < WORTHWHILE {
            spin_loop();
        }
        start
    };
    let (elsewhere, start) = pool.join(near, far);
    elsewhere.then(|| start.duration_since(begin))
}
