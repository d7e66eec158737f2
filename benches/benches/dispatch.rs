//! What it takes to hand a pool two trivial halves from outside: hot, and after 5 ms of sleep.

use std::{thread, time::Duration};

use divan::{Bencher, black_box};
use spanwise_benches::fork::Pools;

fn main() {
    divan::main();
}

/// The pool that joins.
#[derive(Clone, Copy, Debug)]
enum On {
    Deque,
    Rayon,
    Chili,
}

const ON: [On; 3] = [On::Deque, On::Rayon, On::Chili];

fn two(pools: &Pools, on: On) -> (u64, u64) {
    let (a, b) = (|| black_box(1), || black_box(2));
    match on {
        On::Deque => pools.deque.join(a, b),
        On::Rayon => pools.rayon.join(a, b),
        On::Chili => pools.chili.scope().join(|_| a(), |_| b()),
    }
}

#[divan::bench(args = ON)]
fn hot(bencher: Bencher<'_, '_>, on: On) {
    let pools = Pools::new(2);
    bencher.bench_local(|| assert_eq!(two(&pools, on), (1, 2)));
}

#[divan::bench(args = ON, sample_count = 50, sample_size = 1)]
fn cold(bencher: Bencher<'_, '_>, on: On) {
    let pools = Pools::new(2);
    bencher
        .with_inputs(|| thread::sleep(Duration::from_millis(5)))
        .bench_local_values(|()| assert_eq!(two(&pools, on), (1, 2)));
}
