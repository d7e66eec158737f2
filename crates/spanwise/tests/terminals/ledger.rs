//! Every row is dropped once, whatever happens: at the end, on an early stop, an error, a panic in a
//! callback or a destructor, and when the call is stopped from outside.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering as Order},
    time::Instant,
};

use spanwise::{
    CancelToken, Stopped,
    backend::{Backend, Serial},
    prelude::*,
};

use super::*;

const LENGTHS: [usize; 6] = [1, 2, 63, 65, 1000, 2500];

/// How often each row was dropped.
#[derive(Default)]
struct Ledger {
    drops: Vec<AtomicUsize>,
    clones: AtomicUsize,
    /// The row whose first drop panics.
    bad: Option<usize>,
}

impl Ledger {
    fn new(n: usize, bad: Option<usize>) -> Self {
        let drops = (0..n).map(|_| AtomicUsize::new(0)).collect();
        Self { drops, clones: AtomicUsize::new(0), bad }
    }

    fn rows(&self) -> Vec<Row<'_>> {
        (0..self.drops.len()).map(|i| Row(i, self)).collect()
    }

    fn check(&self, what: &str) {
        let drops: usize = self.drops.iter().map(|drops| drops.load(Order::Relaxed)).sum();
        assert_eq!(drops, self.drops.len() + self.clones.load(Order::Relaxed), "{what}");
        assert!(self.drops.iter().all(|drops| drops.load(Order::Relaxed) >= 1), "{what}");
    }
}

struct Row<'a>(usize, &'a Ledger);

impl Clone for Row<'_> {
    fn clone(&self) -> Self {
        self.1.clones.fetch_add(1, Order::Relaxed);
        Self(self.0, self.1)
    }
}

impl Drop for Row<'_> {
    fn drop(&mut self) {
        let before = self.1.drops[self.0].fetch_add(1, Order::Relaxed);
        if self.1.bad == Some(self.0) && before == 0 {
            panic!("drop of {}", self.0);
        }
    }
}

impl PartialEq for Row<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Row<'_> {}

impl PartialOrd for Row<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Row<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

/// Tells a function of each terminal that runs all rows, by name; `$end` takes what it returns.
macro_rules! each_terminal {
    ($tell:expr, $rows:ident => $chain:expr, $end:ident) => {{
        type Rows<'a> = Vec<Row<'a>>;
        let tell: &dyn Fn(&str, &dyn Fn(Rows<'_>)) = $tell;
        tell("for_each_init", &|$rows| $end($chain.for_each_init(Vec::new, Vec::push)));
        tell("try_for_each", &|$rows| $end($chain.try_for_each(|row| Some(drop(row)))));
        tell("try_for_each_init", &|$rows| {
            $end($chain.try_for_each_init(|| (), |(), row| Ok::<(), ()>(drop(row))));
        });
        tell("reduce_with_identity", &|$rows| {
            $end($chain.map(Some).reduce_with_identity(
                || None,
                |x, y| {
                    drop(x);
                    y
                },
            ));
        });
        tell("try_reduce", &|$rows| {
            let chain = $chain.map(|row| Ok::<_, ()>(vec![row]));
            $end(chain.try_reduce(Vec::new, |mut x, mut y| {
                x.append(&mut y);
                Ok(x)
            }));
        });
        tell("fold_ordered", &|$rows| {
            $end($chain.fold_ordered(Vec::new(), |mut all, row| {
                all.push(row);
                all
            }));
        });
        tell("find_map_first", &|$rows| $end($chain.find_map_first(|_| None::<()>)));
        tell("find_map_any", &|$rows| $end($chain.find_map_any(|_| None::<()>)));
        tell("position_any", &|$rows| $end($chain.position_any(|_| false)));
        tell("last", &|$rows| $end($chain.last()));
        tell("minmax", &|$rows| $end($chain.minmax()));
        tell("is_sorted", &|$rows| $end($chain.is_sorted()));
        tell("cmp", &|$rows| {
            let n = $rows.len();
            $end($chain.map(|row| row.0).cmp(0..n));
        });
        tell("eq after filter", &|$rows| {
            let n = $rows.len();
            let numbers = (0..n).par(&Serial).filter(|_| true);
            $end($chain.map(|row| row.0).filter(|_| true).eq(numbers));
        });
        tell("partition", &|$rows| {
            $end($chain.partition::<Rows<'_>, Rows<'_>, _>(|row| row.0 % 3 == 0));
        });
        tell("unzip", &|$rows| {
            let chain = $chain.map(|row| (row.0.to_string(), row));
            $end(chain.unzip::<_, _, Vec<_>, Rows<'_>>());
        });
        tell("unzip after filter", &|$rows| {
            let chain = $chain.map(|row| (row.0, row)).filter(|(i, _)| i % 5 != 1);
            $end(chain.unzip::<_, _, Vec<_>, Rows<'_>>());
        });
        tell("counts_by_key", &|$rows| $end($chain.counts_by_key(|row| row.0 % 7)));
        tell("group_by_key", &|$rows| {
            $end($chain.group_by_key(|row| (row.0 % 3 > 0).then_some(row.0)));
        });
        tell("par_extend", &|$rows| {
            let mut all = Rows::new();
            $end(all.par_extend($chain));
        });
    }};
}

fn returned<T>(_: T) {}

fn cancelled<T>(out: Result<T, Stopped>) {
    assert_eq!(out.err(), Some(Stopped::Cancelled));
}

fn late<T>(out: Result<T, Stopped>) {
    assert_eq!(out.err(), Some(Stopped::DeadlinePassed));
}

fn message(payload: Box<dyn Any + Send>) -> String {
    *payload.downcast::<String>().expect("a formatted message")
}

fn panics(pool: &impl Backend) {
    for n in LENGTHS {
        for bad in [0, n / 3, n / 2, n - 1, n] {
            let tell = |name: &str, run: &dyn Fn(Vec<Row<'_>>)| {
                let ledger = Ledger::new(n, None);
                match catch_unwind(AssertUnwindSafe(|| run(ledger.rows()))) {
                    Ok(()) => assert_eq!(bad, n, "{name} lost a panic"),
                    Err(payload) => assert_eq!(message(payload), format!("row {bad}"), "{name}"),
                }
                ledger.check(name);
            };
            let poke = |row: &Row<'_>| assert!(row.0 != bad, "row {bad}");
            each_terminal!(&tell, rows => rows.into_iter().par(pool).inspect(poke), returned);
        }
        assert_eq!((0..n).par(pool).count(), n, "the pool is usable");
    }
}

#[test]
fn a_panic_reaches_the_caller_and_no_row_is_lost() {
    on_every_backend!(panics);
}

fn destructors(pool: &impl Backend) {
    for n in LENGTHS {
        for bad in [0, n / 2, n - 1] {
            let tell = |name: &str, run: &dyn Fn(Vec<Row<'_>>)| {
                // Std's maps do not drop the rest when a destructor panics.
                if name != "group_by_key" {
                    let ledger = Ledger::new(n, Some(bad));
                    let unwound = catch_unwind(AssertUnwindSafe(|| run(ledger.rows())));
                    let payload = unwound.expect_err("a destructor's panic is lost");
                    assert_eq!(message(payload), format!("drop of {bad}"), "{name}");
                    ledger.check(name);
                }
            };
            each_terminal!(&tell, rows => rows.into_iter().par(pool), returned);
        }
    }
}

#[test]
fn a_panic_of_a_destructor_reaches_the_caller_and_no_other_row_is_lost() {
    on_every_backend!(destructors);
}

fn stops(pool: &impl Backend) {
    for n in [65, 1000, 2500] {
        let tell = |name: &str, run: &dyn Fn(Vec<Row<'_>>)| {
            let ledger = Ledger::new(n, None);
            run(ledger.rows());
            ledger.check(name);
        };
        each_terminal!(&tell, rows => {
            let token = CancelToken::new();
            let cancel = token.clone();
            rows.into_iter().par(pool).inspect(move |_| cancel.cancel()).until(&token)
        }, cancelled);
        let now = Instant::now();
        each_terminal!(&tell, rows => rows.into_iter().par(pool).deadline(now), late);
    }
    let token = CancelToken::new();
    token.cancel();
    let none = || (0..0).par(pool).until(&token);
    cancelled(none().fold_ordered(0, |x, y| x + y));
    cancelled(none().map(|x| (x, x)).unzip::<_, _, Vec<_>, Vec<_>>());
    cancelled(none().minmax());
}

#[test]
fn a_call_that_was_stopped_gives_no_value_and_loses_no_row() {
    on_every_backend!(stops);
}

fn early(pool: &impl Backend) {
    for n in LENGTHS {
        for hit in [0, n / 3, n - 1] {
            let at = |row: &Row<'_>| row.0 >= hit;
            let check = |name: &str, run: &dyn Fn(Vec<Row<'_>>)| {
                let ledger = Ledger::new(n, None);
                run(ledger.rows());
                ledger.check(name);
            };
            check("first", &|rows| {
                let first = rows.into_iter().par(pool).filter(at).first();
                assert_eq!(first.map(|row| row.0), Some(hit));
            });
            check("find_map_first", &|rows| {
                let found =
                    rows.into_iter().par(pool).find_map_first(|row| at(&row).then_some(row));
                assert_eq!(found.map(|row| row.0), Some(hit));
            });
            check("find_map_any", &|rows| {
                let found = rows.into_iter().par(pool).find_map_any(|row| at(&row).then_some(row));
                assert!(found.is_some_and(|row| row.0 >= hit));
            });
            check("try_for_each", &|rows| {
                let end = |row| if at(&row) { Err(row) } else { Ok(()) };
                let tried = rows.into_iter().par(pool).try_for_each(end);
                assert_eq!(tried.map_err(|row| row.0), Err(hit));
            });
            check("try_reduce of items", &|rows| {
                let item = |row| if at(&row) { Err(row) } else { Ok(vec![row]) };
                let join = |mut x: Vec<_>, mut y: Vec<_>| {
                    x.append(&mut y);
                    Ok(x)
                };
                let tried = rows.into_iter().par(pool).map(item).try_reduce(Vec::new, join);
                assert_eq!(tried.map(|rows| rows.len()).map_err(|row| row.0), Err(hit));
            });
            check("is_sorted_by", &|rows| {
                let sorted = rows.into_iter().par(pool).is_sorted_by(|x, _| x.0 < hit);
                assert_eq!(sorted, hit == n - 1);
            });
            check("eq", &|rows| {
                let other: Vec<_> = (0..n).map(|i| if i == hit { n } else { i }).collect();
                assert!(rows.into_iter().par(pool).map(|row| row.0).ne(other.into_iter()));
            });
        }
    }
}

#[test]
fn an_early_answer_loses_no_row() {
    on_every_backend!(early);
}
