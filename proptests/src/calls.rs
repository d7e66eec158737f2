//! Chains over owned rows, by name. In come rows of a ledger and a touch for each row that a callback
//! sees, out comes nothing: the ledger and the touch say afterwards what happened.

use std::collections::{BTreeMap, VecDeque};

use crate::{ledger::Row, shape::On};

/// Called with the index of each row that a callback gets.
pub type Touch<'t> = &'t (dyn Fn(usize) + Sync);

/// A chain over owned rows and its terminal.
pub type Call = fn(On<'_>, Vec<Row>, Touch<'_>);

/// Some rows, so that `find` and the like have a hit that is neither first nor last.
fn seventh(row: &Row) -> bool {
    row.index() % 7 == 4
}

// Rust forgets a return value if a destructor panics on the way out of the function, so the other row
// is dropped first.
fn last(left: Row, right: Row) -> Row {
    drop(left);
    right
}

fn head(left: Row, right: Row) -> Row {
    drop(right);
    left
}

/// Adapters and terminals that treat owned rows differently.
pub const CALLS: &[(&str, Call)] = &[
    ("for_each", |on, rows, touch| on.of(rows.into_iter()).for_each(|row| touch(row.index()))),
    ("count", |on, rows, touch| {
        on.of(rows.into_iter()).inspect(|row| touch(row.index())).count();
    }),
    ("map, collect", |on, rows, touch| {
        let seen = |row: Row| {
            touch(row.index());
            [row]
        };
        drop(on.of(rows.into_iter()).map(seen).collect::<Vec<_>>());
    }),
    ("filter, collect", |on, rows, touch| {
        let keep = |row: &Row| {
            touch(row.index());
            !seventh(row)
        };
        drop(on.of(rows.into_iter()).filter(keep).collect::<VecDeque<_>>());
    }),
    ("filter_map, flat_map", |on, rows, touch| {
        let chain = on.of(rows.into_iter()).inspect(|row| touch(row.index()));
        chain
            .filter_map(|row| (!seventh(&row)).then_some(row))
            .flat_map(|row| [row])
            .for_each(drop);
    }),
    ("map of keys", |on, rows, touch| {
        let key = |row: Row| {
            touch(row.index());
            (row.index() % 5, row.index())
        };
        drop(on.of(rows.into_iter()).map(key).collect::<BTreeMap<_, _>>());
    }),
    ("collect_into", |on, rows, touch| {
        let mut rows = rows;
        let mut all = rows.split_off(rows.len() / 3 * 2);
        let before = all.len();
        let expected = before + rows.len();
        let filled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            on.of(rows.into_iter()).inspect(|row| touch(row.index())).rev().collect_into(&mut all);
        }));
        assert_eq!(all.len(), if filled.is_ok() { expected } else { before });
        drop(all);
        filled.unwrap_or_else(|payload| std::panic::resume_unwind(payload));
    }),
    ("reduce", |on, rows, touch| {
        drop(on.of(rows.into_iter()).inspect(|row| touch(row.index())).reduce(last));
    }),
    ("reduce in the callback", |on, rows, touch| {
        let merge = |left: Row, right: Row| {
            if left.index() + 1 == right.index() {
                touch(right.index());
            }
            if seventh(&right) { head(left, right) } else { last(left, right) }
        };
        drop(on.of(rows.into_iter()).reduce(merge));
    }),
    ("reduce_tree", |on, rows, touch| {
        drop(on.of(rows.into_iter()).inspect(|row| touch(row.index())).reduce_tree(head));
    }),
    ("filter, reduce_tree", |on, rows, touch| {
        let chain = on.of(rows.into_iter()).inspect(|row| touch(row.index()));
        drop(chain.filter(|row| !seventh(row)).reduce_tree(head));
    }),
    ("fold", |on, rows, touch| {
        let push = |mut all: Vec<_>, row: Row| {
            touch(row.index());
            all.push(row);
            all
        };
        let append = |mut left: Vec<_>, mut right: Vec<_>| {
            left.append(&mut right);
            left
        };
        drop(on.of(rows.into_iter()).fold(Vec::new, push, append));
    }),
    ("min_by_key", |on, rows, touch| {
        let key = |row: &Row| {
            touch(row.index());
            row.index() % 7
        };
        drop(on.of(rows.into_iter()).min_by_key(key));
    }),
    ("max_by", |on, rows, touch| {
        let chain = on.of(rows.into_iter()).inspect(|row| touch(row.index()));
        drop(chain.max_by(|x, y| (x.index() % 7).cmp(&(y.index() % 7))));
    }),
    ("any", |on, rows, touch| {
        let hit = |row: Row| {
            touch(row.index());
            seventh(&row)
        };
        on.of(rows.into_iter()).any(hit);
    }),
    ("find_first", |on, rows, touch| {
        let hit = |row: &Row| {
            touch(row.index());
            seventh(row)
        };
        drop(on.of(rows.into_iter()).find_first(hit));
    }),
    ("find_any, late", |on, rows, touch| {
        let last = rows.len().saturating_sub(2);
        let hit = |row: &Row| {
            touch(row.index());
            row.index() == last
        };
        drop(on.of(rows.into_iter()).find_any(hit));
    }),
    ("position_first", |on, rows, touch| {
        let hit = |row: Row| {
            touch(row.index());
            seventh(&row)
        };
        on.of(rows.into_iter()).position_first(hit);
    }),
    ("collect into Result", |on, rows, touch| {
        let tried = |row: Row| {
            touch(row.index());
            if row.index() % 50 == 49 { Err(row) } else { Ok(row) }
        };
        drop(on.of(rows.into_iter()).map(tried).collect::<Result<Vec<_>, _>>());
    }),
    ("collect into Option", |on, rows, touch| {
        let tried = |row: Row| {
            touch(row.index());
            (!seventh(&row)).then_some(row)
        };
        drop(on.of(rows.into_iter()).map(tried).collect::<Option<Box<[_]>>>());
    }),
    ("skip, take", |on, rows, touch| {
        let middle = rows.len() / 2;
        let chain = on.of(rows.into_iter()).skip(middle / 2).take(middle);
        chain.rev().skip(1).for_each(|row| touch(row.index()));
    }),
    ("zip", |on, rows, touch| {
        let mut rows = rows;
        let others = rows.split_off(rows.len() / 3);
        let chain = on.of(rows.into_iter()).zip(others.into_iter());
        chain.enumerate().for_each(|(_, (x, y))| {
            touch(x.index());
            drop(x);
            touch(y.index());
        });
    }),
    ("zip with a shorter one", |on, rows, touch| {
        let shorter = 0..rows.len() / 2;
        drop(
            on.of(rows.into_iter())
                .zip(shorter)
                .inspect(|x| touch(x.0.index()))
                .collect::<Vec<_>>(),
        );
    }),
    ("chain", |on, rows, touch| {
        let mut rows = rows;
        let others = rows.split_off(rows.len() / 3);
        let chain = on.of(rows.into_iter()).chain(others.into_iter()).rev();
        drop(chain.inspect(|row| touch(row.index())).collect::<Vec<_>>());
    }),
    ("advanced", |on, rows, touch| {
        let mut rows = rows.into_iter();
        drop((rows.next(), rows.next_back()));
        on.of(rows).for_each(|row| touch(row.index()));
    }),
    ("never run", |on, rows, touch| {
        drop(on.of(rows.into_iter()).map(|row| touch(row.index())).enumerate());
    }),
];
