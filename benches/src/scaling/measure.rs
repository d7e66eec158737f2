//! This machine, beside the simulated ones. In come CPUs, out go the prices that can be measured on them, and
//! real calls beside what the simulation says of them, so that one knows what to believe.

use std::{
    hint::{black_box, spin_loop},
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use spanwise::{Pin, prelude::*};
use spanwise_deque::DequePool;
use spanwise_topology::{Layout, Topology};

use super::{Load, Prices, Rule, Shape, Start, simulate};
use crate::{input::burn, stats::quantile};

/// Rows of the calls that are measured.
const ROWS: usize = 100_000;
/// What they take on one thread, about.
const TIMES: [u64; 2] = [1_000_000, 10_000_000];
const SAMPLES: usize = 15;
/// Calls before those that are timed, so that the call's site is known and threads are awake.
const BEFORE: usize = 20;

/// A real call beside the simulated one.
#[derive(Clone, Debug)]
pub struct Beside {
    /// How the cost is spread.
    pub shape: Shape,
    /// Workers, the caller included.
    pub width: usize,
    /// Whether the others slept before.
    pub start: Start,
    /// The serial loop's median, in nanoseconds.
    pub serial: f64,
    /// The call's.
    pub measured: f64,
    /// What the simulation says, the median over as many seeds.
    pub simulated: f64,
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    quantile(&times, 0.5)
}

/// The prices of this machine: measured where they can be, between the first two cores.
pub fn prices() -> Prices {
    let usual = Prices::MEASURED;
    let lines: Vec<_> = (0..64).map(|_| empty_line()).collect();
    let flag =
        each(2_000, || lines.iter().for_each(|line| _ = black_box(line.0.load(Ordering::Relaxed))));
    let known = Prices {
        flag: ((flag / lines.len() as f64).round() as u64).max(1),
        pause: (each(100_000, spin_loop).round() as u64).max(1),
        ..usual
    };
    let cores = Layout::spread(&Topology::here(), 2);
    if Topology::here().cores().get() < 2 {
        return known;
    }
    let (call, late) = wakes(&cores);
    let part = |part| quantile(&late, part) as u64;
    Prices {
        line: line(&cores) as u64,
        wake_call: median(call) as u64,
        wake: (part(0.1), part(0.9).max(part(0.1) + 1)),
        ..known
    }
}

#[repr(align(128))]
struct Line(AtomicUsize);

fn empty_line() -> Line {
    Line(AtomicUsize::new(0))
}

/// Nanoseconds of one of so many turns.
fn each(turns: usize, mut turn: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..turns).for_each(|_| turn());
    start.elapsed().as_nanos() as f64 / turns as f64
}

/// How long a line takes from one core to another, by passing one to and fro.
fn line(cores: &Layout) -> f64 {
    const PASSES: usize = 20_000;
    let line = Line(AtomicUsize::new(0));
    let play = |place: usize| {
        // It changes nothing but the figure if the system refuses.
        let _ = cores.bind(place);
        let start = Instant::now();
        for pass in (place..PASSES).step_by(2) {
            while line.0.load(Ordering::Acquire) != pass {
                spin_loop();
            }
            line.0.store(pass + 1, Ordering::Release);
        }
        start.elapsed().as_nanos() as f64 / PASSES as f64
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| play(1));
        let one = scope.spawn(|| play(0)).join().expect("measuring does not panic");
        other.join().expect("measuring does not panic").min(one)
    })
}

fn open(bed: &Mutex<bool>) -> MutexGuard<'_, bool> {
    bed.lock().expect("no panics here")
}

/// What wakes cost who gives them, and how late they come, in order.
fn wakes(cores: &Layout) -> (Vec<f64>, Vec<f64>) {
    const WAKES: usize = 61;
    let (bed, changed, begin) = (Mutex::new(false), Condvar::new(), Instant::now());
    let (sent, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let now = || begin.elapsed().as_nanos() as usize;
    thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let _ = cores.bind(1);
            let mut late = Vec::new();
            while !over.load(Ordering::Acquire) {
                let mut token = open(&bed);
                while !*token {
                    token = changed.wait(token).expect("no panics here");
                }
                *token = false;
                late.push(now().saturating_sub(sent.load(Ordering::Acquire)) as f64);
            }
            late.sort_unstable_by(f64::total_cmp);
            late
        });
        let waker = scope.spawn(|| {
            let _ = cores.bind(0);
            let wake = |turn: usize| {
                thread::sleep(Duration::from_millis(2));
                if turn + 1 == WAKES {
                    over.store(true, Ordering::Release);
                }
                let start = now();
                sent.store(start, Ordering::Release);
                *open(&bed) = true;
                changed.notify_one();
                (now() - start) as f64
            };
            (0..WAKES).map(wake).collect()
        });
        let call = waker.join().expect("measuring does not panic");
        (call, sleeper.join().expect("measuring does not panic"))
    })
}

/// The steps that a row burns.
fn steps(shape: Shape, row: i64, mean: i64) -> i64 {
    let rows = ROWS as i64;
    match shape {
        Shape::Even => mean,
        Shape::Growing => 2 * mean * row / rows,
        Shape::HeavyRow if row == rows / 2 => mean * rows / 50,
        Shape::HeavyRow => mean * 98 / 100,
        Shape::FirstEighth if row < rows / 8 => mean * 8,
        Shape::FirstEighth => 0,
    }
}

/// Real calls of 1 to so many workers, each on a core of its own, beside simulated ones.
///
/// # Panics
///
/// If a pool cannot be built, or a sum is wrong.
pub fn beside(widths: &[usize], prices: &Prices) -> Vec<Beside> {
    let mut all = Vec::new();
    for &width in widths {
        let layout = Layout::compact(&Topology::here(), width);
        let work = || {
            let pin = if width > 1 { Pin::Cores } else { Pin::None };
            let pool = DequePool::builder().threads(width).pin(pin).build().expect("a pool");
            let _ = layout.bind(0);
            for shape in Shape::ALL {
                for nanos in TIMES {
                    all.extend(calls(shape, nanos, &layout, &pool, prices));
                }
            }
        };
        // A thread of its own, since it is bound.
        thread::scope(|scope| scope.spawn(work).join().expect("measuring does not panic"));
    }
    all
}

fn calls(
    shape: Shape,
    nanos: u64,
    layout: &Layout,
    pool: &DequePool,
    prices: &Prices,
) -> Vec<Beside> {
    let mean = nanos as i64 / ROWS as i64;
    let job = |row: i64| burn(steps(shape, row, mean));
    let serial = || (0..black_box(ROWS as i64)).map(job).sum::<i64>();
    let parallel = || (0..black_box(ROWS as i64)).par(pool).map(job).wrapping_sum();
    let expected = serial();
    let timed = |call: &dyn Fn() -> i64, pause: Duration| {
        thread::sleep(pause);
        let start = Instant::now();
        assert_eq!(call(), expected);
        start.elapsed().as_nanos() as f64
    };
    (0..BEFORE).for_each(|_| _ = timed(&parallel, Duration::ZERO));
    let width = layout.width();
    let starts = if width == 1 { &[Start::Hot][..] } else { &[Start::Hot, Start::Cold] };
    let beside = |&start: &Start| {
        let pause = Duration::from_millis(if start == Start::Cold { 5 } else { 0 });
        let (mut serials, mut times) = (Vec::new(), Vec::new());
        for _ in 0..SAMPLES {
            serials.push(timed(&serial, pause));
            if start == Start::Hot {
                timed(&parallel, Duration::ZERO);
            }
            times.push(timed(&parallel, pause));
        }
        let (serial, measured) = (median(serials), median(times));
        let load = Load::new(shape, ROWS, serial as u64);
        let once = |seed| simulate(&load, layout, prices, Rule::OURS, start, seed).nanos as f64;
        let simulated = median((0..SAMPLES as u64).map(once).collect());
        Beside { shape, width, start, serial, measured, simulated }
    };
    starts.iter().map(beside).collect()
}
