//! Panics reach the caller: of those that happened the first one in input order, after every thread
//! has left, and the pool works on as before.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use spanwise::prelude::*;
use spanwise_proptests::{
    backends::{AnyPool, all_pools, pools},
    generate::{check, grain, keep, rows},
    ledger::{Raised, raise, row_of},
    shape::On,
};

/// A chain in which `at` is called for each row, and its terminal.
type Run = fn(On, usize, &(dyn Fn(usize) -> usize + Sync));

const RUNS: &[(&str, Run)] = &[
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

fn still_works(pool: &AnyPool) {
    assert_eq!((0..100).par(pool).map(|x| x * 2).checked_sum(), Some(9900), "{pool:?}");
}

#[test]
fn the_first_panic_of_those_that_happened_comes_out() {
    let n = prop_oneof![0..80_usize, 0..3000_usize];
    check(96, (n, rows(), keep(), grain()), |(n, xs, keep, grain)| {
        let is_bad = |i: usize| xs.get(i % xs.len().max(1)).is_some_and(|&x| keep.of(x));
        for pool in pools() {
            for (name, run) in RUNS {
                let raised = Raised::default();
                let at = |i| if is_bad(i) { raised.raise(i) } else { i };
                let unwound = row_of(|| run(On { pool, grain }, n, &at)).err();
                assert_eq!(unwound, raised.first(), "{name} on {pool:?}");
                // No row of these calls can be left out but for a panic.
                assert_eq!(unwound.is_some(), (0..n).any(is_bad), "{name} on {pool:?}");
            }
            still_works(pool);
        }
    });
}

#[test]
fn any_payload_comes_out_as_it_is() {
    for pool in all_pools() {
        for (name, run) in RUNS {
            for bad in [0, 31, 63] {
                let on = On { pool, grain: None };
                let at = |i| if i == bad { raise(1_000_000 + i) } else { i };
                assert_eq!(row_of(|| run(on, 64, &at)), Err(1_000_000 + bad), "{name} on {pool:?}");
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
}

/// A part that stops midway since rows panic elsewhere is no failure of its own: the panic of those
/// rows comes out.
#[test]
fn a_panic_comes_out_though_other_parts_are_cut_short() {
    let wait = |flag: &AtomicBool| {
        let start = Instant::now();
        // Without a thread for the other part it never comes.
        while !flag.load(Ordering::Acquire) && start.elapsed() < Duration::from_millis(20) {
            thread::yield_now();
        }
    };
    let mut wrong = Vec::new();
    for pool in all_pools() {
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
                wrong.push(format!("{name} gives {unwound:x?} on {pool:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Once a row has panicked the leaves that have not begun are left out.
#[test]
fn a_panic_stops_the_call() {
    const ROWS: usize = 1_000_000;
    for pool in all_pools() {
        let visited = AtomicUsize::new(0);
        let unwound = row_of(|| {
            On { pool, grain: Some(100) }.of(0..ROWS).for_each(|i| {
                visited.fetch_add(1, Ordering::Relaxed);
                match i {
                    300 => raise(i),
                    // Lets the thread with that row go first.
                    301.. => thread::yield_now(),
                    _ => (),
                }
            });
        });
        assert_eq!(unwound, Err(300), "{pool:?}");
        let visited = visited.into_inner();
        assert!(visited < ROWS / 2, "{visited} rows were visited on {pool:?}");
    }
}

/// The functions that put partials together panic too, on any thread.
#[test]
fn merges_that_panic() {
    for pool in all_pools() {
        for n in [2_usize, 3, 64, 500] {
            let on = On { pool, grain: Some(1) };
            let bad = |x: usize, y: usize| if y == n - 1 { raise(y) } else { x.max(y) };
            assert_eq!(row_of(|| on.of(0..n).reduce(bad)), Err(n - 1), "{pool:?}");
            assert_eq!(row_of(|| on.of(0..n).reduce_tree(bad)), Err(n - 1), "{pool:?}");
            let folded = row_of(|| on.of(0..n).fold(|| 0, |_, i| i, bad));
            assert_eq!(folded, Err(n - 1), "{pool:?}");
            let identity = row_of(|| on.of(0..n).fold(|| raise(7), |x: usize, _| x, |x, _| x));
            assert_eq!(identity, Err(7), "{pool:?}");
        }
        still_works(pool);
    }
}

/// A chain unwinds into the chain around it, and calls of other threads do not notice.
#[test]
fn panics_stay_in_their_own_call() {
    for pool in all_pools() {
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
            assert_eq!(result, if i < 70 { Err(i) } else { Ok(()) }, "{pool:?}");
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
        assert_eq!(outer, Err(57), "{pool:?}");
        thread::scope(|scope| {
            for bad in 0..4 {
                scope.spawn(move || {
                    for _ in 0..20 {
                        let at = |i| if i == 60 + bad { raise(i) } else { i };
                        let sum = row_of(|| (0..62).par(pool).map(at).checked_sum());
                        let expected = if bad < 2 { Err(60 + bad) } else { Ok(Some(61 * 31)) };
                        assert_eq!(sum, expected, "{pool:?}");
                    }
                });
            }
        });
    }
}
