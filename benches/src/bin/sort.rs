//! The `par_sort` family beside rayon's and std's serial sorts, in turns, on rows in several orders. Prints
//! milliseconds and what ours is of the better of the others; every result is checked against std's.
//!
//! `cargo run --release -p spanwise-benches --bin sort [exponents…]`, each for that power of ten rows.

use std::{env, num::NonZeroUsize, thread, time::Instant};

use rayon::slice::ParallelSliceMut;
use spanwise::ParSlice;
use spanwise_benches::race::median;
use spanwise_deque::DequePool;

type Rows = Vec<u64>;

/// A way to sort.
type Sort<'a> = (&'static str, &'a dyn Fn(&mut Rows));

/// Rows in some order, by their number.
type Order = (&'static str, fn(u64, u64) -> u64);

const ORDERS: [Order; 6] = [
    ("sorted", |i, _| i),
    ("reversed", |i, n| n - i),
    ("random", |i, _| mixed(i)),
    ("many equal", |i, _| mixed(i) % 16),
    ("a few out of place", |i, n| if mixed(i) % 100 == 1 { mixed(i) % n } else { i }),
    ("up and down", |i, n| i.min(n - i)),
];

/// A step of splitmix64.
fn mixed(i: u64) -> u64 {
    let mut x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn main() {
    let exponents: Vec<u32> = env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let exponents = if exponents.is_empty() { vec![4, 5, 6] } else { exponents };
    let threads = thread::available_parallelism().map_or(2, NonZeroUsize::get);
    let pool = DequePool::new(threads).expect("a pool");
    let others = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let stable: [Sort<'_>; 3] = [
        ("std", &|rows| rows.sort()),
        ("rayon", &|rows| others.install(|| ParallelSliceMut::par_sort(&mut rows[..]))),
        ("ours", &|rows| ParSlice::par_sort(&mut rows[..], &pool)),
    ];
    let unstable: [Sort<'_>; 3] = [
        ("std", &|rows| rows.sort_unstable()),
        ("rayon", &|rows| others.install(|| ParallelSliceMut::par_sort_unstable(&mut rows[..]))),
        ("ours", &|rows| ParSlice::par_sort_unstable(&mut rows[..], &pool)),
    ];
    println!("{threads} threads, u64, ms");
    for exponent in exponents {
        let n = 10_u64.pow(exponent);
        let rounds = (40_000_000 / n).clamp(5, 101) as usize;
        for (order, row) in ORDERS {
            let rows: Rows = (0..n).map(|i| row(i, n)).collect();
            for (kind, sorts) in [("stable", &stable), ("unstable", &unstable)] {
                report(n, order, kind, &race(rounds, &rows, sorts));
            }
        }
    }
}

fn report(n: u64, order: &str, kind: &str, times: &[f64]) {
    let [std, rayon, ours] = times else { unreachable!("there are three") };
    println!(
        "{n:9} {order:18} {kind:8}  std {std:9.4}  rayon {rayon:9.4}  ours {ours:9.4}  \
         {:.2} of rayon's",
        ours / rayon
    );
}

/// Medians of sorting a copy, which is made before the clock runs.
fn race(rounds: usize, rows: &Rows, sorts: &[Sort<'_>; 3]) -> Vec<f64> {
    let mut expected = rows.clone();
    expected.sort();
    let mut times = vec![Vec::new(); sorts.len()];
    let mut copy = rows.clone();
    for round in 0..=rounds {
        for i in 0..sorts.len() {
            let turn = (i + round) % sorts.len();
            copy.copy_from_slice(rows);
            let start = Instant::now();
            sorts[turn].1(&mut copy);
            let time = start.elapsed();
            assert!(copy == expected, "{} sorted wrongly", sorts[turn].0);
            if round > 0 {
                times[turn].push(time);
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    times.iter().map(|times| median(times).as_secs_f64() * 1e3).collect()
}
