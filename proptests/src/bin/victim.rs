//! Does one misdeed, by name, in a process that may not survive it, and prints what came of it. The
//! suite `faults` runs it, with limits that hold for a whole process.

use std::{env, fs, process, thread, time::Duration};

use spanwise::prelude::*;
use spanwise_backend::{Backend, FromSettings, Serial};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// Bytes of address space for each thread, so that a limit on it is a limit on threads.
const STACK: usize = 256 << 20;

/// Threads in a pool whose building may fail.
const THREADS: usize = 8;

/// Does the misdeed on the backend of this name.
macro_rules! on {
    ($backend:expr, $pool:ident => $misdeed:expr) => {
        match $backend {
            "serial" => {
                let $pool = Serial;
                $misdeed
            }
            "deque" => {
                let $pool = DequePool::new(3).expect("three threads");
                $misdeed
            }
            _ => {
                let $pool = RayonPool::new(3).expect("three threads");
                $misdeed
            }
        }
    };
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["default"] => println!("{}", spanwise::default_pool().width()),
        ["refused", "deque"] => refused::<DequePool>(),
        ["refused", "rayon"] => refused::<RayonPool>(),
        ["exit", backend] => on!(backend, pool => exit(&pool)),
        ["panic", backend] => on!(backend, pool => panic_in(&pool)),
        ["greedy", backend] => on!(backend, pool => greedy(&pool)),
        ["leave", backend] => on!(backend, pool => leave(pool)),
        _ => panic!("no such misdeed: {words:?}"),
    }
}

/// Threads of this process.
fn threads() -> usize {
    fs::read_dir("/proc/self/task").map_or(1, Iterator::count)
}

/// Builds a pool of more threads than there may be, says how that went and which threads are left, and
/// works on one that is small enough.
fn refused<P: FromSettings + Backend>() {
    let build = |threads| spanwise_backend::Builder::<P>::new().threads(threads).stack_size(STACK);
    match build(THREADS).build() {
        Ok(pool) => println!("built, sum {}", (0..100).par(&pool).sum::<i32>()),
        Err(error) => println!("{error}"),
    }
    // rayon-core's threads end soon after their pool, the deque pool's before it.
    for _ in 0..1000 {
        if threads() > 1 && size_of::<P>() != size_of::<DequePool>() {
            thread::sleep(Duration::from_millis(5));
        }
    }
    println!("{} left", threads());
    let pool = build(1).build().expect("the caller is there");
    println!("sum {}", (0..100).par(&pool).sum::<i32>());
}

/// Ends the process from the middle of a call.
fn exit(pool: &impl Backend) {
    (0..1000).par(pool).for_each(|i| {
        if i == 700 {
            process::exit(7);
        }
        thread::sleep(Duration::from_micros(10));
    });
}

/// Lets a panic leave `main`.
fn panic_in(pool: &impl Backend) {
    (0..1000).par(pool).for_each(|i| assert!(i != 700, "row 700"));
}

/// Collects what no machine has memory for.
fn greedy(pool: &impl Backend) {
    println!("{}", (0..1_usize << 50).par(pool).map(|i| i as u8).collect::<Vec<_>>().len());
}

/// Leaves `main` while another thread is in a call that never ends.
fn leave(pool: impl Backend + Send + 'static) {
    thread::spawn(move || (0..100).par(&pool).for_each(|_| thread::sleep(Duration::from_secs(99))));
    thread::sleep(Duration::from_millis(20));
    println!("left");
}
