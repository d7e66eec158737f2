//! The deque alone, beside crossbeam's: one thread, newest and oldest first; one adder, many takers.

use divan::{Bencher, counter::ItemsCount};
use spanwise_benches::queue::{self, Owner};

fn main() {
    divan::main();
}

const ITEMS: usize = 100_000;
const SUM: usize = ITEMS * (ITEMS - 1) / 2;

type Ours = spanwise_deque::Worker<usize>;
type Crossbeam = crossbeam_deque::Worker<usize>;

#[divan::bench(types = [Ours, Crossbeam], sample_count = 20)]
fn lifo<O: Owner>(bencher: Bencher<'_, '_>) {
    let bencher = bencher.counter(ItemsCount::new(ITEMS));
    bencher.bench_local(|| assert_eq!(queue::lifo::<O>(ITEMS, 100), SUM));
}

#[divan::bench(types = [Ours, Crossbeam], sample_count = 20)]
fn fifo<O: Owner>(bencher: Bencher<'_, '_>) {
    let bencher = bencher.counter(ItemsCount::new(ITEMS));
    bencher.bench_local(|| assert_eq!(queue::fifo::<O>(ITEMS, 100), SUM));
}

#[divan::bench(types = [Ours, Crossbeam], args = [1, 2, 4], sample_count = 20)]
fn messages<O: Owner>(bencher: Bencher<'_, '_>, takers: usize) {
    let bencher = bencher.counter(ItemsCount::new(ITEMS));
    bencher.bench_local(|| assert_eq!(queue::messages::<O>(ITEMS, takers), SUM));
}
