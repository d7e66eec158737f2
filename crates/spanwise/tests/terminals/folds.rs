//! Terminals that call the caller's function on everything: states, errors, identities, order.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering as Order},
    },
};

use spanwise::{backend::Backend, prelude::*};

use super::*;

/// The leaves of the plan, as docs/determinism.md has it.
fn leaves<T: Clone>(rows: &[T], grain: Option<usize>) -> Vec<Vec<T>> {
    let n = rows.len();
    let grain = grain.unwrap_or_else(|| {
        let at_most = |most| (0..).find(|level| n.div_ceil(1 << level) <= most).unwrap();
        1 << at_most(64).min(n.max(1).ilog2() / 2).max(at_most(1024))
    });
    let leaves: Vec<_> = rows.chunks(grain).map(<[T]>::to_vec).collect();
    if n == 0 { vec![vec![]] } else { leaves }
}

/// The fixed tree, level by level.
fn tree<T>(mut level: Vec<T>, mut merge: impl FnMut(T, T) -> T) -> T {
    while level.len() > 1 {
        let mut values = level.into_iter();
        level = Vec::new();
        while let Some(left) = values.next() {
            level.push(match values.next() {
                Some(right) => merge(left, right),
                None => left,
            });
        }
    }
    level.pop().expect("there is a leaf")
}

fn states(pool: &impl Backend) {
    each_case(|rows, grain| {
        let (made, dropped) = (AtomicUsize::new(0), AtomicUsize::new(0));
        struct State<'a>(usize, &'a AtomicUsize);
        impl Drop for State<'_> {
            fn drop(&mut self) {
                self.1.fetch_add(1, Order::Relaxed);
            }
        }
        let init = || State(made.fetch_add(1, Order::Relaxed), &dropped);
        let seen: Vec<_> = rows.iter().map(|_| AtomicUsize::new(0)).collect();
        let inside: Vec<_> = (0..pool.width().get()).map(|_| Mutex::new(())).collect();
        let see = |state: &mut State<'_>, i: usize| {
            let _alone = inside[state.0].try_lock().expect("two threads share a state");
            seen[i].fetch_add(1, Order::Relaxed);
        };
        let n = rows.len();
        (0..n).par(pool).grain(grain).for_each_init(init, see);
        assert!(seen.iter().all(|seen| seen.load(Order::Relaxed) == 1));
        assert!(made.load(Order::Relaxed) <= pool.width().get());
        assert_eq!(made.swap(0, Order::Relaxed), dropped.swap(0, Order::Relaxed));

        let tried: Result<(), usize> =
            (0..n).par(pool).grain(grain).try_for_each_init(init, |state, i| {
                see(state, i);
                if i % 50 == 49 { Err(i) } else { Ok(()) }
            });
        assert_eq!(tried, if n < 50 { Ok(()) } else { Err(49) });
        assert!(seen.iter().take(50).all(|seen| seen.load(Order::Relaxed) == 2));
        assert!(seen.iter().all(|seen| seen.load(Order::Relaxed) <= 2));
        assert!(made.load(Order::Relaxed) <= pool.width().get());
        assert_eq!(made.into_inner(), dropped.into_inner());
    });
}

#[test]
fn states_are_few_and_never_shared() {
    on_every_backend!(states);
}

fn attempts(pool: &impl Backend) {
    each_case(|rows, grain| {
        let n = rows.len();
        for bad in [0, 1, n / 2, n.saturating_sub(1), n, n + 1] {
            let seen: Vec<_> = rows.iter().map(|_| AtomicUsize::new(0)).collect();
            let fails = |i: usize| {
                seen[i].fetch_add(1, Order::Relaxed);
                i == bad || i > bad && i % 3 == 0
            };
            let chain = || (0..n).par(pool).grain(grain);
            let result = chain().try_for_each(|i| if fails(i) { Err(i) } else { Ok(()) });
            assert_eq!(result, if bad < n { Err(bad) } else { Ok(()) });
            assert!(seen.iter().take(bad + 1).all(|seen| seen.swap(0, Order::Relaxed) == 1));
            assert!(seen.iter().all(|seen| seen.swap(0, Order::Relaxed) <= 1));
            let option = chain().try_for_each(|i| (!fails(i)).then_some(()));
            assert_eq!(option, (bad >= n).then_some(()));
            let flow = chain().try_for_each(|i| {
                if fails(i) { ControlFlow::Break(i) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(flow.break_value(), (bad < n).then_some(bad));

            let item = |i| if i == bad || i > bad && i % 3 == 0 { Err(i) } else { Ok(i) };
            let reduced = chain().map(item).try_reduce(|| 0, |x, y| Ok(x + y));
            assert_eq!(reduced, (0..n).map(item).sum());
        }
    });
}

#[test]
fn the_first_error_in_input_order_counts() {
    on_every_backend!(attempts);
}

fn identities(pool: &impl Backend) {
    each_case(|rows, grain| {
        let floats: Vec<f64> = rows.iter().map(|&x| 0.1 + x as f64 * 1.7).collect();
        let sums =
            leaves(&floats, grain).into_iter().map(|leaf| leaf.iter().fold(0.3, |x, y| x + y));
        let expected = tree(sums.collect(), |x, y| x + y);
        let chain = || floats.par(pool).grain(grain).copied();
        let calls = AtomicUsize::new(0);
        let identity = || {
            calls.fetch_add(1, Order::Relaxed);
            0.3
        };
        let sum = chain().reduce_with_identity(identity, |x, y| x + y);
        assert_eq!(sum.to_bits(), expected.to_bits());
        assert_eq!(calls.into_inner(), leaves(&floats, grain).len());
        let sum = chain().map(Some).try_reduce(|| 0.3, |x, y| Some(x + y));
        assert_eq!(sum.map(f64::to_bits), Some(expected.to_bits()));

        // The function fails where its result is a multiple of some number: the error of the fixed
        // tree, from left to right.
        for fatal in [7, 100, 1001] {
            let add = |x: i64, y: i64| {
                let sum = x + y + 1;
                if sum % fatal == 0 { Err(sum) } else { Ok(sum) }
            };
            let folded = leaves(rows, grain)
                .into_iter()
                .map(|leaf| leaf.into_iter().try_fold(0, add))
                .collect();
            let expected = tree(folded, |x, y| add(x?, y?));
            let reduced = rows.par(pool).grain(grain).map(|&x| Ok(x)).try_reduce(|| 0, add);
            assert_eq!(reduced, expected, "{} rows, grain {grain:?}", rows.len());
        }
    });
}

#[test]
fn identities_and_groupings_are_the_plans() {
    on_every_backend!(identities);
}

/// Rows are made at most two windows ahead of the fold, from sources with and without an end.
fn bounded(pool: &impl Backend) {
    let (made, folded) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let make = |i: usize| {
        made.fetch_add(1, Order::Relaxed);
        i
    };
    let check = |count: usize, i: usize| {
        assert_eq!(count, i);
        let ahead = made.load(Order::Relaxed) - folded.fetch_add(1, Order::Relaxed);
        assert!(ahead <= 2 << 15, "{ahead} rows ahead");
        count + 1
    };
    const ROWS: usize = 300_000;
    assert_eq!((0..ROWS).par(pool).map(make).fold_ordered(0, check), ROWS);
    folded.store(0, Order::Relaxed);
    made.store(0, Order::Relaxed);
    assert_eq!((0..ROWS).par_bridge(pool).map(make).fold_ordered(0, check), ROWS);
}

#[test]
fn fold_ordered_keeps_few_items() {
    on_every_backend!(bounded);
}

fn ordered(pool: &impl Backend) {
    each_case(|rows, grain| {
        let float = |x: &i64| *x as f64 / 3.0;
        let chain = || rows.par(pool).grain(grain);
        let sum = chain().map(float).fold_ordered(0.1, |sum, x| sum + x);
        assert_eq!(sum.to_bits(), rows.iter().map(float).fold(0.1, |sum, x| sum + x).to_bits());
        let odd = |x: &&i64| *x % 2 != 0;
        let text = chain().filter(odd).fold_ordered(String::new(), |text, x| text + &x.to_string());
        assert_eq!(text, rows.iter().filter(odd).map(ToString::to_string).collect::<String>());
        let bridged = rows.iter().par_bridge(pool).grain(grain).map(float);
        let bridged = bridged.fold_ordered(0.1, |sum, x| sum + x);
        assert_eq!(bridged.to_bits(), sum.to_bits());
        // A function that mutates what it borrows is still called for one item at a time.
        let mut order = Vec::new();
        let count = chain().flat_map(|&x| [x, -x]).fold_ordered(0, |count, x| {
            order.push(x);
            count + 1
        });
        assert_eq!(count, 2 * rows.len());
        assert!(order.into_iter().eq(rows.iter().flat_map(|&x| [x, -x])));
    });
}

#[test]
fn fold_ordered_is_the_serial_fold() {
    on_every_backend!(ordered);
}
