//! Numbers at their ends: no rows, more than memory holds, widths and capacities of none and of all.

use std::{
    any::Any,
    collections::VecDeque,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicUsize, Ordering},
};

use spanwise::prelude::*;
use spanwise_backend::{MAX_THREADS, Serial};
use spanwise_deque::DequePool;
use spanwise_proptests::{backends::all_pools, shape::On};
use spanwise_rayon::RayonPool;

fn message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast::<&str>().map(|text| text.to_string());
    text.or_else(|payload| payload.downcast::<String>().map(|text| *text)).expect("a text")
}

#[test]
fn nothing_allocates_nothing() {
    for pool in all_pools() {
        assert_eq!((0..0_u64).par(pool).collect::<Vec<_>>().capacity(), 0);
        assert_eq!((0..9_u64).par(pool).filter(|_| false).collect::<Vec<_>>().capacity(), 0);
        assert_eq!((0..0).par_bridge(pool).collect::<Vec<i32>>().capacity(), 0);
        assert_eq!(Vec::<u64>::new().into_iter().par(pool).rev().collect::<Vec<_>>().capacity(), 0);
        let (left, right) = (0..0).par(pool).map(|x| (x, x)).unzip::<_, _, Vec<i32>, Vec<i32>>();
        assert_eq!((left.capacity(), right.capacity()), (0, 0));
        let mut kept = Vec::with_capacity(3);
        kept.push(1);
        assert_eq!((0..0).par(pool).collect_into(&mut kept).capacity(), 3);
        let mut none: [u8; 0] = [];
        none.par_sort(pool);
    }
}

/// Notes that a row was run.
fn ran(row: usize, rows: &AtomicUsize) -> usize {
    rows.fetch_add(1, Ordering::Relaxed);
    row
}

type Greedy = fn(On<'_>, &AtomicUsize);

/// Collections of more rows than there are addresses.
const GREEDY: &[(&str, Greedy)] = &[
    ("collect", |on, rows| drop(on.of(ALL).map(|x| ran(x, rows)).collect::<Vec<_>>())),
    ("boxed", |on, rows| drop(on.of(ALL).map(|x| ran(x, rows)).collect::<Box<[_]>>())),
    ("deque", |on, rows| drop(on.of(ALL).map(|x| ran(x, rows)).collect::<VecDeque<_>>())),
    ("rev", |on, rows| drop(on.of(ALL).rev().map(|x| ran(x, rows)).collect::<Vec<_>>())),
    ("unzip", |on, rows| {
        let pairs = on.of(ALL).map(|x| (ran(x, rows), x));
        drop(pairs.unzip::<_, _, Vec<_>, Vec<_>>());
    }),
    ("collect_into", |on, rows| {
        let mut kept = vec![5];
        let fill = || _ = on.of(ALL).map(|x| ran(x, rows)).collect_into(&mut kept);
        let filled = catch_unwind(AssertUnwindSafe(fill));
        assert_eq!(kept, [5]);
        filled.unwrap_or_else(|payload| resume_unwind(payload));
    }),
    ("par_extend", |on, rows| {
        let mut kept = vec![5];
        let fill = || kept.par_extend(on.of(ALL).map(|x| ran(x, rows)));
        let filled = catch_unwind(AssertUnwindSafe(fill));
        assert_eq!(kept, [5]);
        filled.unwrap_or_else(|payload| resume_unwind(payload));
    }),
];

const ALL: Range<usize> = 0..usize::MAX;

#[test]
fn too_much_is_refused_before_a_row_runs() {
    for pool in all_pools() {
        for (name, greedy) in GREEDY {
            let rows = AtomicUsize::new(0);
            let on = On { pool, grain: None };
            let refused = catch_unwind(AssertUnwindSafe(|| greedy(on, &rows))).unwrap_err();
            assert_eq!(message(refused), "capacity overflow", "{name} on {pool:?}");
            assert_eq!(rows.into_inner(), 0, "{name} on {pool:?}");
        }
    }
}

#[test]
fn settings_of_all_are_kept_and_of_none_refused() {
    for pool in all_pools() {
        let chain = || (0..500_u32).par(pool);
        assert_eq!(chain().with_grain(usize::MAX).count(), 500);
        assert_eq!(chain().max_threads(usize::MAX).sum::<u32>(), 124_750);
        assert!(chain().stream(usize::MAX).eq(0..500));
        assert!(chain().chunks(usize::MAX).collect::<Vec<_>>().into_iter().flatten().eq(0..500));
        assert_eq!(chain().skip(usize::MAX).count(), 0);
        assert_eq!(chain().take(usize::MAX).count(), 500);
        let refused: &[(&str, &dyn Fn())] = &[
            ("grain", &|| _ = chain().with_grain(0).count()),
            ("thread", &|| _ = chain().max_threads(0).count()),
            ("capacity", &|| _ = chain().stream(0).count()),
            ("chunk", &|| _ = chain().chunks(0).count()),
            ("step", &|| _ = chain().step_by(0).count()),
        ];
        for (word, call) in refused {
            let text = message(catch_unwind(AssertUnwindSafe(call)).unwrap_err());
            assert!(text.contains(word), "{text:?} says nothing of a {word}");
        }
    }
}

#[test]
fn widths_of_none_and_of_too_many_are_errors_everywhere() {
    let none =
        [Serial::new(0).map(|_| ()), DequePool::new(0).map(|_| ()), RayonPool::new(0).map(|_| ())];
    for refused in none {
        assert_eq!(refused.unwrap_err().to_string(), "a pool needs at least one thread");
    }
    for threads in [MAX_THREADS + 1, 1_000_000_000, usize::MAX] {
        let many = [
            Serial::new(threads).map(|_| ()),
            DequePool::new(threads).map(|_| ()),
            RayonPool::new(threads).map(|_| ()),
        ];
        for refused in many {
            assert!(refused.unwrap_err().to_string().contains("at most 4096"));
        }
    }
}
