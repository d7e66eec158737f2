//! How much memory collecting takes at once, by an allocator that counts: below three times what
//! comes of it, also where nobody knows beforehand how much that is.
//!
//! U-count. The allocator is the system's; it adds up sizes beside it and hands every call through.

#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};
use spanwise_rayon::RayonPool;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: U-count: memory comes from and goes to the system's allocator. `realloc` is the trait's,
// which allocates before it frees: the worst that a system's own could do.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Relaxed: counters, read once the threads that counted have been joined.
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: U-count: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: U-count: the block came from `alloc`, so from the system, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// One measurement at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// What `f` gives and the most bytes that were in use while it ran, beyond those before.
fn peak<R>(f: impl FnOnce() -> R) -> (R, usize) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = f();
    (result, PEAK.load(Ordering::Relaxed) - before)
}

/// The same question to every backend: a new one is a line here.
fn on_all(mut ask: impl Ask) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    ask.on(&Serial);
    for threads in [1, 2, 3, 4, 7, 8, 16] {
        ask.on(&RayonPool::new(threads).unwrap());
    }
}

trait Ask {
    fn on(&mut self, backend: &impl Backend);
}

/// Bytes a little below and a little above a power of two, where doubling wastes least and most.
const ROWS: [u32; 2] = [4_000_000, 4_200_000];
const FEWER: [u32; 2] = [1_048_000, 1_050_000];

/// Room for what does not grow with the rows: pieces in hand, stacks of jobs.
const SLACK: usize = 1 << 18;

fn check(what: &str, peak: usize, output: usize, backend: &impl Backend) {
    let most = output / 10 * 23 + SLACK;
    let width = backend.width();
    assert!(peak <= most, "{what}, width {width}: {peak} bytes at once for {output} of output");
}

struct FlatMap;

impl Ask for FlatMap {
    fn on(&mut self, backend: &impl Backend) {
        for rows in ROWS {
            let chain =
                (0..rows).par(backend).flat_map(|x| x.to_le_bytes().into_iter().filter(|_| true));
            let (bytes, peak) = peak(|| chain.collect::<Vec<_>>());
            check("flat_map", peak, bytes.len(), backend);
            let words = bytes.chunks_exact(4).map(|x| u32::from_le_bytes(x.try_into().unwrap()));
            assert!(words.eq(0..rows));
        }
    }
}

#[test]
fn flat_map_and_collect_take_little_more_than_twice_the_output() {
    on_all(FlatMap);
}

struct Text;

impl Ask for Text {
    fn on(&mut self, backend: &impl Backend) {
        for rows in FEWER {
            let chain = (0..rows)
                .par(backend)
                .flat_map(|x| ['a', 'b', 'c', char::from(b'0' + (x % 10) as u8)])
                .filter(|_| true);
            let (text, peak) = peak(|| chain.collect::<String>());
            check("text", peak, text.len(), backend);
            assert_eq!(text.len(), 4 * rows as usize);
        }
    }
}

#[test]
fn text_takes_little_more_than_twice_the_output() {
    on_all(Text);
}

struct Filter;

impl Ask for Filter {
    fn on(&mut self, backend: &impl Backend) {
        for rows in FEWER.map(|kept| kept / 7 * 8) {
            let (kept, peak) =
                peak(|| (0..rows).par(backend).filter(|x| x % 8 != 0).collect::<Vec<_>>());
            check("filter", peak, size_of_val(&*kept), backend);
            assert!(kept.into_iter().eq((0..rows).filter(|x| x % 8 != 0)));
        }
    }
}

#[test]
fn filter_and_collect_take_little_more_than_twice_the_output() {
    on_all(Filter);
}
