//! Collects, drains and panics of every kind on every pool, few rows each, to run under valgrind: what
//! reads a slot that nobody wrote, or drops one twice, shows only there.

use std::collections::BTreeSet;

use spanwise::prelude::*;
use spanwise_backend::{Backend, Serial};
use spanwise_deque::{DequePool, Worker};
use spanwise_proptests::{
    ledger::{Ledger, Row, raise, row_of},
    staged::{FarFirst, NearFirst},
};
use spanwise_rayon::RayonPool;

const LENGTHS: [usize; 5] = [0, 1, 3, 66, 300];

/// Looks at each byte that was collected, or the checker would not.
fn look(rows: &[Row]) -> usize {
    rows.iter().map(Row::index).sum()
}

fn collect(pool: &impl Backend) {
    for n in LENGTHS {
        let total = n * n.saturating_sub(1) / 2;
        let ledger = Ledger::new(n, None);
        let rows = || ledger.rows().into_iter().par(pool);
        assert_eq!(look(&rows().collect::<Vec<_>>()), total);
        ledger.settle("collected");
        let numbers: Vec<u64> = (0..n as u64).par(pool).map(|x| x * 3).collect();
        assert!(numbers.into_iter().eq((0..n as u64).map(|x| x * 3)));
        let text: String = (0..n).par(pool).filter(|x| x % 3 > 0).map(|x| x.to_string()).collect();
        assert_eq!(text, (0..n).filter(|x| x % 3 > 0).map(|x| x.to_string()).collect::<String>());
        let (xs, ys): (Vec<_>, Vec<_>) = (0..n).par(pool).map(|x| (x, x.to_string())).unzip();
        assert_eq!((xs.len(), ys.concat().len()), (n, (0..n).map(|x| x.to_string().len()).sum()));
        let set: BTreeSet<_> = (0..n).par(pool).map(|x| x % 7).collect();
        assert_eq!(set.len(), n.min(7));
        let mut sorted: Vec<_> = (0..n).map(|x| (x * 7919 % 1009).to_string()).collect();
        sorted.par_sort(pool);
        assert!(sorted.is_sorted());
        let scanned: Vec<_> = (0..n).par(pool).scan(0, |x, y| x + y).collect();
        assert_eq!(scanned.last().copied().unwrap_or(0), total);
    }
}

fn drain(pool: &impl Backend) {
    for n in LENGTHS {
        let ledger = Ledger::new(n, None);
        let mut rows = ledger.rows();
        let first = n / 3;
        assert_eq!(rows.drain(first..).par(pool).count(), n - first);
        assert_eq!(rows.len(), first);
        drop(rows);
        ledger.settle("drained");
        let ledger = Ledger::new(n, None);
        assert_eq!(ledger.rows().into_iter().par(pool).skip(1).take(n / 2).rev().count(), {
            n.saturating_sub(1).min(n / 2)
        });
        ledger.settle("cut short");
        let ledger = Ledger::new(n, None);
        let mut stream = ledger.rows().into_iter().par(pool).map(Some).stream(7);
        drop(stream.by_ref().take(n / 2).collect::<Vec<_>>());
        drop(stream);
        ledger.settle("streamed by half");
        let ledger = Ledger::new(n, None);
        drop(ledger.rows().into_iter().par_bridge(pool).find_first(|row| row.index() == n / 2));
        ledger.settle("found");
    }
}

fn panics(pool: &impl Backend) {
    for n in [1, 66, 300] {
        for bad in [0, n / 2, n - 1] {
            let ledger = Ledger::new(n, None);
            let at = |row: Row| if row.index() == bad { raise(bad) } else { row };
            let rows = || ledger.rows().into_iter().par(pool).map(at);
            assert_eq!(row_of(|| drop(rows().collect::<Vec<_>>())), Err(bad));
            ledger.settle("a panic while collecting");
            let ledger = Ledger::new(n, None);
            let rows = || ledger.rows().into_iter().par(pool).map(at);
            assert_eq!(row_of(|| drop(rows().filter(|_| true).collect::<Vec<_>>())), Err(bad));
            ledger.settle("a panic while gathering");
            let ledger = Ledger::new(n, None);
            let rows = || ledger.rows().into_iter().par(pool).map(at);
            assert_eq!(row_of(|| drop(rows().map(|x| (x, 1)).unzip::<_, _, Vec<_>, Vec<_>>())), {
                Err(bad)
            });
            ledger.settle("a panic while unzipping");
            let ledger = Ledger::new(n, Some(bad));
            assert_eq!(row_of(|| ledger.rows().into_iter().par(pool).for_each(drop)), Err(bad));
            ledger.settle("a panic of a destructor");
        }
    }
}

fn all(pool: &impl Backend) {
    collect(pool);
    drain(pool);
    panics(pool);
}

fn main() {
    all(&Serial);
    all(&NearFirst(4));
    all(&FarFirst(4));
    for width in [2, 3] {
        all(&DequePool::new(width).expect("threads"));
        all(&RayonPool::new(width).expect("threads"));
    }
    let worker = Worker::new();
    (0..600).for_each(|i| worker.push(Box::new(i)));
    let stealer = worker.stealer();
    (0..200).for_each(|_| _ = (worker.pop(), stealer.steal()));
    drop(worker);
    println!("memcheck: done");
}
