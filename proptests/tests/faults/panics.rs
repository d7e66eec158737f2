//! A panic at every index: in a callback, in a destructor, in `Clone`, in the merge, in `next` of a
//! bridged source.

use std::sync::atomic::{AtomicUsize, Ordering};

use spanwise::prelude::*;
use spanwise_proptests::{
    backends::all_pools,
    calls::CALLS,
    ledger::{Ledger, Raised, Row, raise, row_of},
    shape::On,
};

use crate::still_works;

/// One leaf a row, and more leaves than pieces.
const ROWS: [usize; 4] = [1, 2, 3, 66];

#[test]
fn in_a_callback() {
    for pool in all_pools() {
        for (name, call) in CALLS {
            for rows in ROWS {
                for bad in 0..rows {
                    let (ledger, raised) = (Ledger::new(rows, None), Raised::default());
                    let touch = |row| {
                        if row == bad {
                            raised.raise(row);
                        }
                    };
                    let on = On { pool, grain: None };
                    let unwound = row_of(|| call(on, ledger.rows(), &touch)).err();
                    assert_eq!(unwound, raised.first(), "{name}, row {bad} of {rows}, {pool:?}");
                    ledger.settle(&format!("{name}, row {bad} of {rows}, {pool:?}"));
                }
            }
        }
        still_works(pool);
    }
}

#[test]
fn in_a_destructor() {
    for pool in all_pools() {
        for (name, call) in CALLS {
            for rows in ROWS {
                for bad in 0..rows {
                    let ledger = Ledger::new(rows, Some(bad));
                    let on = On { pool, grain: None };
                    let unwound = row_of(|| call(on, ledger.rows(), &|_| ())).err();
                    assert_eq!(unwound, Some(bad), "{name} of {rows} rows, {pool:?}");
                    ledger.settle(&format!("{name}, row {bad} of {rows}, {pool:?}"));
                }
            }
        }
        still_works(pool);
    }
}

/// A row that counts how many of its kind there are, and of which one cannot be cloned.
struct Twin<'a> {
    index: usize,
    bad: usize,
    alive: &'a AtomicUsize,
}

impl<'a> Twin<'a> {
    fn new(index: usize, bad: usize, alive: &'a AtomicUsize) -> Self {
        alive.fetch_add(1, Ordering::Relaxed);
        Self { index, bad, alive }
    }
}

impl Clone for Twin<'_> {
    fn clone(&self) -> Self {
        if self.index == self.bad {
            raise(self.index);
        }
        Self::new(self.index, self.bad, self.alive)
    }
}

impl Drop for Twin<'_> {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

type Cloned = fn(On<'_>, &[Twin<'_>]);

/// Terminals behind `cloned`, all of which look at every row.
const CLONED: &[(&str, Cloned)] = &[
    ("collect", |on, rows| drop(on.of(rows.iter()).cloned().collect::<Vec<_>>())),
    ("filter, collect", |on, rows| {
        drop(on.of(rows.iter()).cloned().filter(|row| row.index % 3 > 0).collect::<Vec<_>>());
    }),
    ("last", |on, rows| drop(on.of(rows.iter()).cloned().last())),
    ("find_first", |on, rows| {
        drop(on.of(rows.iter()).cloned().find_first(|row| row.index == rows.len()));
    }),
    ("min_by_key", |on, rows| drop(on.of(rows.iter()).cloned().min_by_key(|row| row.index % 5))),
    ("partition", |on, rows| {
        drop(on.of(rows.iter()).cloned().partition::<Vec<_>, Vec<_>, _>(|row| row.index % 2 > 0));
    }),
    ("zip", |on, rows| drop(on.of(0..rows.len()).zip(on.of(rows.iter()).cloned()).last())),
    ("bridge", |on, rows| {
        drop(rows.iter().cloned().par_bridge(on.pool).collect::<Vec<_>>());
    }),
];

#[test]
fn in_clone() {
    for pool in all_pools() {
        for (name, call) in CLONED {
            for rows in ROWS {
                for bad in 0..=rows {
                    let alive = AtomicUsize::new(0);
                    let twins: Vec<_> = (0..rows).map(|i| Twin::new(i, bad, &alive)).collect();
                    let unwound = row_of(|| call(On { pool, grain: None }, &twins)).err();
                    assert_eq!(unwound, (bad < rows).then_some(bad), "{name} on {pool:?}");
                    assert_eq!(alive.load(Ordering::Relaxed), rows, "{name}, row {bad}, {pool:?}");
                }
            }
        }
        still_works(pool);
    }
}

/// The merge whose right side begins at row `bad` panics: there is one for each row but the first.
#[test]
fn in_the_merge() {
    for pool in all_pools() {
        for rows in ROWS {
            for bad in 1..rows {
                let merge = |mut left: Vec<Row>, mut right: Vec<Row>| {
                    if right[0].index() == bad {
                        raise(bad);
                    }
                    left.append(&mut right);
                    left
                };
                let push = |mut all: Vec<Row>, row| {
                    all.push(row);
                    all
                };
                let on = On { pool, grain: Some(1) };
                let what = format!("row {bad} of {rows} on {pool:?}");
                for terminal in 0..4 {
                    let ledger = Ledger::new(rows, None);
                    let owned = || on.of(ledger.rows().into_iter());
                    let unwound = row_of(|| match terminal {
                        0 => drop(owned().fold(Vec::new, push, merge)),
                        1 => drop(owned().map(|row| vec![row]).reduce(merge)),
                        2 => drop(owned().map(|row| vec![row]).reduce_tree(merge)),
                        _ => {
                            let tried = owned().map(|row| Ok::<_, ()>(vec![row]));
                            // The identity stands before each leaf, and may not be merged with.
                            let tried = tried.try_reduce(Vec::new, |left, right| {
                                Ok(if left.is_empty() { right } else { merge(left, right) })
                            });
                            drop(tried);
                        }
                    });
                    assert_eq!(unwound, Err(bad), "terminal {terminal}, {what}");
                    ledger.settle(&what);
                }
            }
        }
        still_works(pool);
    }
}

#[test]
fn in_next_of_a_bridged_source() {
    for pool in all_pools() {
        for rows in ROWS {
            for bad in 0..rows {
                for terminal in 0..6 {
                    let ledger = Ledger::new(rows, None);
                    let mut owned = ledger.rows().into_iter();
                    let mut next = 0;
                    // Endless but for the panic, which must come out: a row behind it never existed.
                    let source = std::iter::from_fn(|| {
                        if next == bad {
                            raise(bad);
                        }
                        next += 1;
                        owned.next()
                    });
                    let chain = source.par_bridge(pool);
                    let unwound = row_of(|| match terminal {
                        0 => drop(chain.collect::<Vec<_>>()),
                        1 => chain.for_each(drop),
                        2 => drop(chain.find_first(|row| row.index() == rows)),
                        3 => drop(chain.filter(|_| true).skip(1).collect::<Vec<_>>()),
                        4 => assert!(chain.stream(7).count() > rows),
                        _ => drop(chain.with_grain(5).map(|row| row.index()).reduce(|x, _| x)),
                    });
                    let what = format!("terminal {terminal}, row {bad} of {rows}, {pool:?}");
                    assert_eq!(unwound, Err(bad), "{what}");
                    // Those that the source had not given out yet.
                    drop(owned);
                    ledger.settle(&what);
                }
            }
        }
        still_works(pool);
    }
}
