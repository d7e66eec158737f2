//! The plan, the drive, the searches, the sums and the collections in one file that compiles and runs in
//! a moment, against std: what `just mutants-core` runs for each mutant of them.

use std::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    num::{NonZeroUsize, Wrapping},
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use spanwise::{
    CancelToken,
    backend::{Backend, Serial},
    prelude::*,
};
use spanwise_deque::DequePool;

const LENGTHS: [usize; 9] = [0, 1, 2, 3, 63, 64, 65, 130, 1300];

/// Says that it is wide, counts its joins and runs the far half first.
#[derive(Default)]
struct Backwards {
    joins: AtomicUsize,
    width: usize,
}

impl Backwards {
    fn of(width: usize) -> Self {
        Self { width, ..Self::default() }
    }
}

impl Backend for Backwards {
    fn width(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.width).unwrap()
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.joins.fetch_add(1, Ordering::Relaxed);
        let far = b();
        (a(), far)
    }
}

/// What every backend must give.
fn answers(pool: &impl Backend) {
    for n in LENGTHS {
        let rows: Vec<i64> = (0..n as i64).map(|x| x * 7919 % 1009 - 300).collect();
        let all = || rows.par(pool).copied();
        let some = || rows.par(pool).copied().filter(|x| x % 3 != 0);
        let std = || rows.iter().copied();
        let std_some = || std().filter(|x| x % 3 != 0);
        let sum: i64 = std().sum();
        assert_eq!((all().sum::<i64>(), all().checked_sum()), (sum, Some(sum)));
        assert_eq!((all().wrapping_sum(), all().exact_sum()), (sum, sum.into()));
        assert_eq!(all().map(Wrapping).sum::<Wrapping<i64>>(), Wrapping(sum));
        assert_eq!(rows.par(pool).sum::<i64>(), sum);
        assert_eq!(rows.par(pool).exact_sum(), sum.into());
        assert_eq!(all().map(|x| x as f64).exact_sum(), sum as f64);
        assert_eq!(all().map(|x| x as f64).sum::<f64>(), sum as f64);
        assert_eq!(all().map(|x| x as f32).exact_sum(), sum as f64);
        assert_eq!(all().map(Some).sum::<Option<i64>>(), Some(sum));
        assert_eq!(all().map(Ok::<_, ()>).sum::<Result<i64, ()>>(), Ok(sum));
        assert_eq!(all().map(|x| x as i128).sum::<i128>(), sum.into());
        assert_eq!(some().sum::<i64>(), std_some().sum());
        let time = all().map(|x| Duration::from_millis(x.unsigned_abs())).sum::<Duration>();
        assert_eq!(time, std().map(|x| Duration::from_millis(x.unsigned_abs())).sum());
        for at in [0, 1, n / 2, n.saturating_sub(1), n] {
            let hit = |x: i64| at < n && x == rows[at];
            let first = std().position(hit);
            assert_eq!(all().position_first(hit), first);
            assert_eq!(all().any(hit), first.is_some());
            assert_eq!(all().all(|x| !hit(x)), first.is_none());
            assert_eq!(all().enumerate().find_first(|x| hit(x.1)).map(|x| x.0), first);
            assert_eq!(all().find_any(|&x| hit(x)), first.map(|at| rows[at]));
            assert_eq!(all().find_map_first(|x| hit(x).then_some(x)), std().find(|&x| hit(x)));
            assert_eq!(all().find_map_any(|x| hit(x).then_some(x)), std().find(|&x| hit(x)));
            let any = all().position_any(hit);
            assert_eq!(any.is_some(), first.is_some());
            assert!(any.is_none_or(|at| hit(rows[at])));
            assert_eq!(some().position_first(hit), std_some().position(hit));
            assert_eq!(some().position_any(hit), std_some().position(hit));
        }
        assert_eq!((all().first(), all().last()), (std().next(), std().last()));
        assert_eq!((some().first(), some().last()), (std_some().next(), std_some().next_back()));
        assert_eq!(all().collect::<Vec<_>>(), rows);
        assert_eq!(some().collect::<Vec<_>>(), std_some().collect::<Vec<_>>());
        for (before, exact) in [(0, true), (3, true), (0, false), (3, false)] {
            let mut kept = vec![7; before];
            let mut expected = kept.clone();
            if exact {
                assert_eq!(all().collect_into(&mut kept).len(), before + n);
                expected.extend(std());
            } else {
                some().collect_into(&mut kept);
                expected.extend(std_some());
            }
            assert_eq!(kept, expected);
        }
        assert_eq!(*all().collect::<Box<[_]>>(), *rows);
        assert_eq!(*all().collect::<Rc<[_]>>(), *rows);
        assert_eq!(*all().collect::<Arc<[_]>>(), *rows);
        assert_eq!(all().collect::<VecDeque<_>>(), rows);
        assert!(all().collect::<LinkedList<_>>().into_iter().eq(std()));
        assert!(all().collect::<BinaryHeap<_>>().into_sorted_vec().is_sorted());
        assert_eq!(all().collect::<BinaryHeap<_>>().len(), n);
        assert_eq!(all().collect::<BTreeSet<_>>(), std().collect());
        assert_eq!(all().collect::<HashSet<_>>(), std().collect());
        let pair = |x: i64| (x % 10, x);
        assert_eq!(all().map(pair).collect::<BTreeMap<_, _>>(), std().map(pair).collect());
        assert_eq!(all().map(pair).collect::<HashMap<_, _>>(), std().map(pair).collect());
        let letter = |x: i64| char::from(b'a' + x.rem_euclid(26) as u8);
        assert_eq!(all().map(letter).collect::<String>(), std().map(letter).collect::<String>());
        let seen = AtomicUsize::new(0);
        let unit: () = all().map(|_| _ = seen.fetch_add(1, Ordering::Relaxed)).collect();
        assert_eq!((unit, seen.into_inner()), ((), n));
        let low = |x: i64| if x < 400 { Ok(x) } else { Err(x) };
        assert_eq!(all().map(low).collect::<Result<Vec<_>, _>>(), std().map(low).collect());
        let low = |x: i64| low(x).ok();
        assert_eq!(all().map(low).collect::<Option<Vec<_>>>(), std().map(low).collect());
        assert_eq!(all().map(low).sum::<Option<i64>>(), std().map(low).sum());
        // The grid, as rows for a leaf, and what follows it: numbers of items, not of leaves.
        for grain in [1, 2, 7, 64, 5000] {
            let push = |sizes: Vec<usize>, _| vec![sizes[0] + 1];
            let sizes = all().with_grain(grain).fold(|| vec![0], push, |a, b| [a, b].concat());
            let mut expected: Vec<_> = rows.chunks(grain).map(<[_]>::len).collect();
            expected.extend((n == 0).then_some(0));
            assert_eq!(sizes, expected, "{n} rows by {grain}");
            assert_eq!(some().with_grain(grain).count(), std_some().count());
        }
        let push = |sizes: Vec<usize>, _| vec![sizes[0] + 1];
        let sizes = all().fold(|| vec![0], push, |a, b| [a, b].concat());
        // Alike powers of two but for the last, and not too few of them.
        let (last, full) = sizes.split_last().unwrap();
        let grain = full.first().map_or(1, |&size| size);
        assert!(grain.is_power_of_two() && full.iter().all(|&size| size == grain), "{n} rows");
        assert!(*last <= grain.max(1) && sizes.iter().sum::<usize>() == n, "{n} rows");
        assert!((n.min(33)..=1024.max(n / grain)).contains(&sizes.len()) || n == 0, "{n} rows");
        let bridged = std().filter(|x| x % 5 > 0).par_bridge(pool).with_grain(3);
        assert!(
            bridged
                .map(|x| x + 1)
                .collect::<Vec<_>>()
                .into_iter()
                .eq(std().filter(|x| x % 5 > 0).map(|x| x + 1))
        );
    }
}

#[test]
fn on_every_kind_of_backend() {
    answers(&Serial);
    answers(&Backwards::of(2));
    answers(&Backwards::of(8));
    for width in [1, 2, 4] {
        answers(&DequePool::new(width).unwrap());
    }
}

#[test]
fn totals_that_do_not_fit() {
    let pool = Backwards::of(4);
    let much = || [i64::MAX, 1, 1].par(&pool).copied();
    assert_eq!(much().checked_sum(), None);
    assert_eq!(much().wrapping_sum(), i64::MIN + 1);
    assert_eq!(much().exact_sum(), i128::from(i64::MAX) + 2);
    let sum = catch_unwind(AssertUnwindSafe(|| much().sum::<i64>()));
    assert_eq!(sum.ok(), if cfg!(debug_assertions) { None } else { Some(i64::MIN + 1) });
    assert_eq!([i64::MAX, 1, -2].par(&pool).sum::<i64>(), i64::MAX - 1);
    let times = [Duration::MAX, Duration::from_nanos(1)];
    assert!(catch_unwind(|| times.par(&Serial).copied().sum::<Duration>()).is_err());
    let times = [Duration::new(3, 999_999_999), Duration::from_nanos(2)];
    assert_eq!(times.par(&pool).sum::<Duration>(), Duration::new(4, 1));
    // Where a run may be longer than halves can hold, each type by both of its loops.
    macro_rules! each {
        ($($int:ty)*) => {$(
            for ends in [[<$int>::MAX, <$int>::MAX, 1], [<$int>::MIN, <$int>::MIN, 1]] {
                let exact: i128 = ends.iter().map(|&x| x as i128).sum();
                assert_eq!(ends.par(&pool).exact_sum(), exact);
                assert_eq!(ends.par(&pool).filter(|_| true).exact_sum(), exact);
                let many = ends.par(&pool).flat_map(|&x| std::iter::repeat_n(x, 70_000));
                assert_eq!(many.exact_sum(), exact * 70_000);
                let unknown = ends.par(&pool).flat_map(|&x| {
                    let mut left = 3;
                    std::iter::from_fn(move || {
                        left -= 1;
                        (left > 0).then_some(x)
                    })
                });
                assert_eq!(unknown.exact_sum(), exact * 2);
                let fits = <$int>::try_from(exact).ok();
                assert_eq!(ends.par(&pool).checked_sum(), fits);
            }
        )*};
    }
    each! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
}

/// Where the drive may not cut it does not, where it should it does.
#[test]
fn joins_are_for_several_threads_and_several_leaves() {
    fn joins(pool: &Backwards, call: impl FnOnce()) -> usize {
        pool.joins.store(0, Ordering::Relaxed);
        call();
        pool.joins.load(Ordering::Relaxed)
    }
    // A row that takes its time, so that the call is worth sharing.
    let slow = |_| thread::sleep(Duration::from_micros(20));
    let wide = Backwards::of(4);
    for rows in [5, 64, 640] {
        let all = joins(&wide, || (0..rows).par(&wide).for_each(slow));
        assert!((3..64).contains(&all), "{all} joins for {rows} rows on four threads");
        let two = joins(&wide, || (0..rows).par(&wide).max_threads(2).for_each(slow));
        assert_eq!(two, 1, "{rows} rows on two of four threads");
        assert_eq!(joins(&wide, || (0..rows).par(&wide).max_threads(1).for_each(slow)), 0);
        assert_eq!(joins(&wide, || (0..rows).par(&wide).with_grain(640).for_each(slow)), 0);
    }
    let narrow = Backwards::of(1);
    assert_eq!(joins(&narrow, || (0..640).par(&narrow).for_each(slow)), 0);
}

#[test]
fn searches_end_early_and_stops_stop() {
    for pool in [Backwards::of(2), Backwards::of(8)] {
        const ROWS: usize = 4_000_000;
        let ran = AtomicUsize::new(0);
        let count = |_: &usize| _ = ran.fetch_add(1, Ordering::Relaxed);
        let rows = || (0..ROWS).par(&pool).inspect(count);
        let few = |what: &str| {
            let ran = ran.swap(0, Ordering::Relaxed);
            assert!(ran < ROWS / 2, "{what} ran {ran} rows");
        };
        assert!(rows().any(|x| x == 10));
        few("any");
        assert!(!rows().all(|x| x != 10));
        few("all");
        assert_eq!(rows().find_first(|&x| x == 10), Some(10));
        few("find_first");
        assert!(rows().find_any(|&x| x == 10).is_some());
        few("find_any");
        assert_eq!(rows().position_first(|x| x == 10), Some(10));
        few("position_first");
        assert!(rows().position_any(|x| x == 10).is_some());
        few("position_any");
        assert_eq!(rows().first(), Some(0));
        few("first");
        assert_eq!(rows().find_map_first(|x| (x == 10).then_some(x)), Some(10));
        few("find_map_first");
        assert!(rows().find_map_any(|x| (x == 10).then_some(x)).is_some());
        few("find_map_any");
        assert_eq!(
            rows().map(|x| if x < 10 { Ok(x) } else { Err(x) }).sum::<Result<usize, _>>(),
            Err(10)
        );
        few("sum of results");
        let token = CancelToken::new();
        token.cancel();
        assert!(rows().until(&token).count().is_err());
        assert!((0..3).par(&pool).with_grain(3).until(&token).count().is_err());
        assert!(rows().deadline(Instant::now()).collect::<Vec<_>>().is_err());
        few("stopped calls");
    }
}

/// Also at a site that is known for small calls, which look at no clock.
#[test]
fn small_calls_are_stopped_and_told_too() {
    let pool = Backwards::of(2);
    let (token, told) = (CancelToken::new(), AtomicUsize::new(0));
    for round in 0..100 {
        if round == 80 {
            token.cancel();
        }
        let count = (0..100).par(&pool).until(&token).map(|x| x + 1).count();
        assert_eq!(count.ok(), (round < 80).then_some(100), "round {round}");
        let observer = |rows| _ = told.fetch_add(rows, Ordering::Relaxed);
        assert_eq!((0..100).par(&pool).map(|x| x + 1).progress(observer).count(), 100);
        assert_eq!(told.swap(0, Ordering::Relaxed), 100, "round {round}");
    }
}
