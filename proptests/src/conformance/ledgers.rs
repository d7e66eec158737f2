//! Rows about owned rows, which are each moved out once or dropped once: on a normal run, on an early
//! stop, when a callback panics, when a destructor does, and when rows have no size.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use spanwise::prelude::*;

use super::ChainRow;
use crate::{
    backends::AnyPool,
    calls::{CALLS, Touch},
    ledger::{Ledger, Raised, raise, row_of},
    shape::On,
};

pub(super) const ROWS: &[ChainRow] = &[
    ("owned rows", "each is dropped once, whatever the chain and the terminal", normal),
    ("owned rows, a panic", "also when a callback panics at any of them", callback),
    ("owned rows, many panics", "also when many callbacks panic at once", callbacks),
    ("owned rows, destructors", "also when the destructor of one panics", destructor),
    ("rows of no size", "also when they have no size", no_size),
];

const LENGTHS: &[usize] = &[0, 1, 2, 3, 17, 64, 65, 257];

/// Every call at every length and some grains.
fn each(
    pool: &AnyPool,
    lengths: &[usize],
    mut test: impl FnMut(&'static str, On<'_>, usize, &dyn Fn(&Ledger, Touch<'_>)),
) {
    for &rows in lengths {
        for grain in [None, Some(5)] {
            let on = On { pool, grain };
            for (name, call) in CALLS {
                test(name, on, rows, &|ledger, touch| call(on, ledger.rows(), touch));
            }
        }
    }
}

fn normal(pool: &AnyPool) {
    each(pool, &[LENGTHS, &[1025]].concat(), |name, on, rows, call| {
        let ledger = Ledger::new(rows, None);
        call(&ledger, &|_| ());
        ledger.settle(&format!("{name}, grain {:?}", on.grain));
    });
}

fn callback(pool: &AnyPool) {
    each(pool, LENGTHS, |name, on, rows, call| {
        for bad in [0, rows / 2, rows.saturating_sub(1)] {
            let ledger = Ledger::new(rows, None);
            let raised = Raised::default();
            let touch = |row| {
                if row == bad {
                    raised.raise(row);
                }
            };
            let unwound = row_of(|| call(&ledger, &touch)).err();
            assert_eq!(unwound, raised.first(), "{name} on {rows} rows, grain {:?}", on.grain);
            ledger.settle(&format!("{name}, panic at {bad}, grain {:?}", on.grain));
        }
    });
}

fn callbacks(pool: &AnyPool) {
    each(pool, LENGTHS, |name, on, rows, call| {
        let ledger = Ledger::new(rows, None);
        let touch = |row| {
            if row % 3 == 2 {
                raise(row);
            }
        };
        let unwound = row_of(|| call(&ledger, &touch)).err();
        assert!(unwound.is_none_or(|row| row % 3 == 2));
        ledger.settle(&format!("{name}, grain {:?}", on.grain));
    });
}

/// One failure for each call, since each leaks in its own way.
fn destructor(pool: &AnyPool) {
    let mut wrong = BTreeMap::new();
    each(pool, LENGTHS, |name, on, rows, call| {
        for bad in [0, 1, rows / 2, rows.saturating_sub(1)] {
            let ledger = Ledger::new(rows, Some(bad));
            let unwound = row_of(|| call(&ledger, &|_| ())).err();
            assert_eq!(
                unwound,
                (bad < rows).then_some(bad),
                "{name} on {rows} rows, grain {:?}",
                on.grain
            );
            if let Some((row, drops)) = ledger.unsettled() {
                let what = format!(
                    "row {row} of {rows} dropped {drops} times, {bad} panics, grain {:?}",
                    on.grain
                );
                wrong.entry(name).or_insert(what);
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A shared counter of drops, since such a row has no room for one.
static DROPPED: AtomicUsize = AtomicUsize::new(0);

/// Held while rows of no size are counted, since tests of several backends may run at once.
static COUNTING: Mutex<()> = Mutex::new(());

struct Nothing;

impl Drop for Nothing {
    fn drop(&mut self) {
        // Relaxed: read after the call has returned.
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

fn no_size(pool: &AnyPool) {
    let _counting = COUNTING.lock().unwrap_or_else(PoisonError::into_inner);
    let rows = |n| (0..n).map(|_| Nothing).collect::<Vec<_>>().into_iter();
    let dropped = |n: usize, what: &str, call: &dyn Fn()| {
        let before = DROPPED.load(Ordering::Relaxed);
        call();
        assert_eq!(DROPPED.load(Ordering::Relaxed) - before, n, "{what} of {n} rows");
    };
    for n in [0, 1, 2, 64, 65, 1025, 5000] {
        dropped(n, "for_each", &|| rows(n).par(pool).for_each(drop));
        dropped(n, "collect", &|| {
            assert_eq!(rows(n).par(pool).collect::<Vec<_>>().len(), n);
        });
        dropped(n, "filter", &|| {
            let all: Vec<_> = rows(n).par(pool).enumerate().filter(|x| x.0 % 3 > 0).collect();
            assert_eq!(all.len(), n - n.div_ceil(3));
        });
        dropped(n, "reduce", &|| {
            assert_eq!(rows(n).par(pool).reduce(|x, _| x).is_some(), n > 0);
        });
        dropped(n, "skip, take", &|| {
            assert_eq!(rows(n).par(pool).skip(3).take(30).count(), n.saturating_sub(3).min(30));
        });
        dropped(n, "any", &|| assert_eq!(rows(n).par(pool).any(|_| true), n > 0));
        dropped(n, "zip", &|| {
            let last = rows(n).par(pool).zip(0..n / 2).map(|x| x.1).max();
            assert_eq!(last, (n / 2).checked_sub(1));
        });
        dropped(n, "panic", &|| {
            let bad = |(i, _): (usize, Nothing)| {
                if i == n / 2 {
                    raise(i)
                }
            };
            let unwound = row_of(|| rows(n).par(pool).enumerate().for_each(bad));
            assert_eq!(unwound.err(), (n > 0).then_some(n / 2));
        });
    }
}
