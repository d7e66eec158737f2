//! Rows about panics in chains: of those that happened the first one in input order reaches the
//! caller, after every thread has left, and the pool works on as before.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use spanwise::prelude::*;

use super::ChainRow;
use crate::{
    backends::AnyPool,
    ledger::{Raised, raise, row_of},
    shape::On,
};

pub(super) const ROWS: &[ChainRow] = &[
    ("payloads", "a panic's payload comes out as it is, and the backend works on", payloads),
    ("the panic that counts", "a part that others cut short is no failure of its own", cut_short),
    ("a panic stops the call", "rows that have not begun are left out", stops),
    ("panics in merges", "functions that put partials together may panic", merges),
    ("panics of their own calls", "a panic passes into no other call", own_call),
];

/// A chain in which `at` is called for each row, and its terminal.
pub type Run = fn(On<'_>, usize, &(dyn Fn(usize) -> usize + Sync));

/// One chain for each way in which a callback is called.
pub const RUNS: &[(&str, Run)] = &[
    ("for_each", |on, n, at| on.of(0..n).for_each(|i| _ = at(i))),
    ("count", |on, n, at| _ = on.of(0..n).map(at).count()),
    ("collect", |on, n, at| _ = on.of(0..n).map(at).collect::<Vec<_>>()),
    ("filter", |on, n, at| _ = on.of(0..n).filter(|&i| at(i) % 2 == 0).collect::<Vec<_>>()),
    ("filter_map", |on, n, at| _ = on.of(0..n).filter_map(|i| Some(at(i))).max()),
    ("flat_map", |on, n, at| _ = on.of(0..n).flat_map(|i| [at(i); 2]).checked_sum()),
    ("inspect", |on, n, at| _ = on.of(0..n).inspect(|&i| _ = at(i)).wrapping_product()),
    ("zip", |on, n, at| _ = on.of(0..n).zip(on.of(0..n).map(at)).min()),
    ("fold", |on, n, at| _ = on.of(0..n).fold(|| 0, |x, i| x ^ at(i), |x, y| x ^ y)),
    ("reduce_tree", |on, n, at| _ = on.of(0..n).map(at).reduce_tree(|x, y| x ^ y)),
    ("min_by_key", |on, n, at| _ = on.of(0..n).min_by_key(|&i| at(i) % 9)),
    ("all", |on, n, at| _ = on.of(0..n).all(|i| at(i) < n)),
    ("find_first", |on, n, at| _ = on.of(0..n).find_first(|&i| at(i) == n)),
    ("Result", |on, n, at| _ = on.of(0..n).map(|i| Ok(at(i))).collect::<Result<Vec<_>, ()>>()),
    ("text", |on, n, at| _ = on.of(0..n).map(|i| char::from(at(i) as u8)).collect::<String>()),
];

/// As `row_of`, with a number of its own for any other payload.
fn caught(call: impl FnOnce()) -> Result<(), usize> {
    catch_unwind(AssertUnwindSafe(|| row_of(call))).unwrap_or(Err(usize::MAX - 1))
}

/// Checks that the backend works as if nothing had been.
///
/// # Panics
///
/// If it does not.
pub fn still_works(pool: &AnyPool) {
    assert_eq!((0..100).par(pool).map(|x| x * 2).checked_sum(), Some(9900), "{pool:?}");
}

fn payloads(pool: &AnyPool) {
    for (name, run) in RUNS {
        for bad in [0, 31, 63] {
            let on = On { pool, grain: None };
            let at = |i| if i == bad { raise(1_000_000 + i) } else { i };
            assert_eq!(row_of(|| run(on, 64, &at)), Err(1_000_000 + bad), "{name}");
        }
    }
    let text = catch_unwind(AssertUnwindSafe(|| {
        (0..64).par(pool).for_each(|i| {
            if i == 40 {
                std::panic::resume_unwind(Box::new(format!("row {i}")));
            }
        });
    }));
    assert_eq!(*text.unwrap_err().downcast::<String>().unwrap(), "row 40");
    still_works(pool);
}

/// A part that stops midway since rows panic elsewhere is no failure of its own: the panic of those
/// rows comes out.
fn cut_short(pool: &AnyPool) {
    let wait = |flag: &AtomicBool| {
        let start = Instant::now();
        // Without a thread for the other part it never comes.
        while !flag.load(Ordering::Acquire) && start.elapsed() < Duration::from_millis(20) {
            thread::yield_now();
        }
    };
    let mut wrong = Vec::new();
    for terminal in [0, 1, 2, 3].repeat(2) {
        // Row 2 is done and row 3 panics while row 0 still runs, so row 1 is left out, and what
        // comes of 0 and of 2 are no neighbours.
        let (done, panics) = (AtomicBool::new(false), AtomicBool::new(false));
        let at = |i| {
            match i {
                2 => done.store(true, Ordering::Release),
                3 => {
                    wait(&done);
                    panics.store(true, Ordering::Release);
                    raise(3);
                }
                0 => {
                    wait(&panics);
                    thread::sleep(Duration::from_millis(1));
                }
                _ => (),
            }
            i
        };
        let rows = || (0..6_usize).par(pool).map(at).map(|i| i..i + 1);
        let join = |left: Range<usize>, right: Range<usize>| {
            // Only neighbours may be merged, whatever else happens.
            if left.end == right.start { left.start..right.end } else { raise(usize::MAX) }
        };
        let merge = |left: Option<Range<usize>>, right: Option<Range<usize>>| {
            left.zip(right).map(|(left, right)| join(left, right))
        };
        let (name, unwound) = match terminal {
            0 => ("collect", caught(|| _ = rows().collect::<Vec<_>>())),
            1 => ("reduce", caught(|| _ = rows().reduce(join))),
            2 => ("reduce_tree", caught(|| _ = rows().reduce_tree(join))),
            _ => ("fold", caught(|| _ = rows().fold(|| None, |_, row| Some(row), merge))),
        };
        if unwound != Err(3) {
            wrong.push(format!("{name} gives {unwound:x?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Once a row has panicked the leaves that have not begun are left out. Panics come wherever a thread
/// begins, so each soon has a reason to end.
fn stops(pool: &AnyPool) {
    const MOST: usize = 1_000_000;
    let (visited, raised) = (AtomicUsize::new(0), Raised::default());
    let unwound = row_of(|| {
        On { pool, grain: Some(100) }.of(0..MOST).for_each(|i| {
            visited.fetch_add(1, Ordering::Relaxed);
            match i {
                _ if i % 1000 == 300 => raised.raise(i),
                // Lets threads with such a row go first.
                301.. => thread::yield_now(),
                _ => (),
            }
        });
    });
    assert_eq!(unwound.err(), raised.first());
    let visited = visited.into_inner();
    assert!(visited < MOST / 2, "{visited} rows were visited");
}

/// The functions that put partials together panic too, on any thread.
fn merges(pool: &AnyPool) {
    for n in [2_usize, 3, 64, 500] {
        let on = On { pool, grain: Some(1) };
        let bad = |x: usize, y: usize| if y == n - 1 { raise(y) } else { x.max(y) };
        assert_eq!(row_of(|| on.of(0..n).reduce(bad)), Err(n - 1));
        assert_eq!(row_of(|| on.of(0..n).reduce_tree(bad)), Err(n - 1));
        let folded = row_of(|| on.of(0..n).fold(|| 0, |_, i| i, bad));
        assert_eq!(folded, Err(n - 1));
        let identity = row_of(|| on.of(0..n).fold(|| raise(7), |x: usize, _| x, |x, _| x));
        assert_eq!(identity, Err(7));
    }
    still_works(pool);
}

/// A chain unwinds into the chain around it, and calls of other threads do not notice.
fn own_call(pool: &AnyPool) {
    let inner = |i: usize| {
        let at = |j| {
            if j == i {
                raise(j)
            }
        };
        row_of(|| (0..70).par(pool).for_each(at))
    };
    let caught = (0..140_usize).par(pool).map(inner).collect::<Vec<_>>();
    for (i, result) in caught.into_iter().enumerate() {
        assert_eq!(result, if i < 70 { Err(i) } else { Ok(()) });
    }
    let outer = row_of(|| {
        (0..70_usize).par(pool).for_each(|i| {
            (0..70).par(pool).for_each(|j| {
                if (i, j) == (13, 57) {
                    raise(j)
                }
            });
        });
    });
    assert_eq!(outer, Err(57));
    thread::scope(|scope| {
        for bad in 0..4 {
            scope.spawn(move || {
                for _ in 0..20 {
                    let at = |i| if i == 60 + bad { raise(i) } else { i };
                    let sum = row_of(|| (0..62).par(pool).map(at).checked_sum());
                    let expected = if bad < 2 { Err(60 + bad) } else { Ok(Some(61 * 31)) };
                    assert_eq!(sum, expected);
                }
            });
        }
    });
}
