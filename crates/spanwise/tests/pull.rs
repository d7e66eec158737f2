//! What is run from the front: bridged iterators, streams, and chains cut after `filter`; against std,
//! on every backend.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use spanwise::{
    CancelToken, Stopped,
    backend::{Backend, Serial},
    prelude::*,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

const LENGTHS: [usize; 10] = [0, 1, 2, 3, 63, 64, 65, 1000, 1025, 5000];

/// A check that any backend must pass.
trait Check {
    fn on(&self, pool: &impl Backend);
}

fn everywhere(check: impl Check) {
    check.on(&Serial);
    for width in [1, 2, 3, 4, 7, 8, 16] {
        check.on(&DequePool::new(width).unwrap());
        check.on(&RayonPool::new(width).unwrap());
    }
}

fn rows(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i * 7919 % 1009).collect()
}

#[test]
fn a_bridge_keeps_order() {
    struct Order;
    impl Check for Order {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let rows = rows(n);
                let text: Vec<String> = rows.iter().map(u64::to_string).collect();
                let bridged = || rows.iter().copied().filter(|x| x % 5 != 1).par_bridge(pool);
                let serial = || rows.iter().copied().filter(|x| x % 5 != 1);
                assert_eq!(bridged().collect::<Vec<_>>(), serial().collect::<Vec<_>>());
                assert_eq!(bridged().with_grain(7).sum::<u64>(), serial().sum::<u64>());
                assert_eq!(bridged().count(), serial().count());
                assert_eq!(bridged().max_by_key(|x| x % 10), serial().max_by_key(|x| x % 10));
                assert_eq!(bridged().position_first(|x| x == 33), serial().position(|x| x == 33));
                assert_eq!(
                    bridged().filter(|x| x % 2 == 0).skip(3).take(4).collect::<Vec<_>>(),
                    serial().filter(|x| x % 2 == 0).skip(3).take(4).collect::<Vec<_>>()
                );
                assert_eq!(
                    text.clone().into_iter().par_bridge(pool).collect::<String>(),
                    text.concat()
                );
                let tree = |pool: &_| {
                    let floats = rows.iter().map(|&x| x as f64 * 0.1);
                    floats.par_bridge(pool).with_grain(3).reduce(|x, y| x - y).map(f64::to_bits)
                };
                let reference = {
                    let floats = rows.iter().map(|&x| x as f64 * 0.1);
                    floats.par_bridge(&Serial).with_grain(3).reduce(|x, y| x - y).map(f64::to_bits)
                };
                assert_eq!(tree(pool), reference);
            }
        }
    }
    everywhere(Order);
}

/// The source's `next` runs a chain on the same pool.
#[test]
fn a_bridged_source_may_use_the_same_pool() {
    struct Nested;
    impl Check for Nested {
        fn on(&self, pool: &impl Backend) {
            for _ in 0..20 {
                let source = (0..40_u64).map(|i| (0..i * 500).par(pool).sum::<u64>());
                let sums: Vec<u64> = source.par_bridge(pool).map(|x| x + 1).collect();
                let expected: Vec<u64> = (0..40).map(|i| (0..i * 500).sum::<u64>() + 1).collect();
                assert_eq!(sums, expected);
            }
        }
    }
    everywhere(Nested);
}

#[test]
fn a_bridged_source_is_asked_for_nothing_after_its_end_or_a_stop() {
    struct Ends;
    impl Check for Ends {
        fn on(&self, pool: &impl Backend) {
            let mut left = 500;
            let mut over = false;
            let source = std::iter::from_fn(|| {
                assert!(!over, "asked after the end");
                left -= 1;
                over = left == 0;
                (!over).then_some(left)
            });
            assert_eq!(source.par_bridge(pool).count(), 499);
            let pulled = AtomicUsize::new(0);
            let endless = (0_usize..).inspect(|_| {
                pulled.fetch_add(1, SeqCst);
            });
            assert!(endless.par_bridge(pool).any(|x| x == 300));
            assert!(pulled.load(SeqCst) < 1_000_000);
        }
    }
    everywhere(Ends);
}

#[test]
fn a_panic_of_a_bridged_source_or_its_chain_arrives_once() {
    struct Panics;
    impl Check for Panics {
        fn on(&self, pool: &impl Backend) {
            for k in [0, 1, 2, 70, 400] {
                let dropped = AtomicUsize::new(0);
                let made = AtomicUsize::new(0);
                let ledger = |i: usize| {
                    made.fetch_add(1, SeqCst);
                    Counted(i, &dropped)
                };
                let source = (0..1000).map(|i| {
                    assert!(i != k, "source {i}");
                    ledger(i)
                });
                let unwound = catch_unwind(AssertUnwindSafe(|| {
                    source.par_bridge(pool).map(|x| x.0).sum::<usize>()
                }));
                let message = *unwound.unwrap_err().downcast::<String>().unwrap();
                assert_eq!(message, format!("source {k}"));
                let unwound = catch_unwind(AssertUnwindSafe(|| {
                    let chain = (0..1000).map(ledger).par_bridge(pool);
                    chain.inspect(|x| assert!(x.0 != k, "chain {}", x.0)).collect::<Vec<_>>().len()
                }));
                let message = *unwound.unwrap_err().downcast::<String>().unwrap();
                assert_eq!(message, format!("chain {k}"));
                assert_eq!(made.load(SeqCst), dropped.load(SeqCst));
            }
        }
    }
    everywhere(Panics);
}

struct Counted<'a>(usize, &'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.1.fetch_add(1, SeqCst);
    }
}

#[test]
fn a_stream_gives_what_the_serial_chain_gives() {
    struct Streams;
    impl Check for Streams {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let rows = rows(n);
                for capacity in [1, 2, 7, 64, 1000, usize::MAX] {
                    let stream = rows.par(pool).map(|x| x * 2).stream(capacity);
                    assert!(stream.eq(rows.iter().map(|x| x * 2)), "{n} rows, {capacity}");
                    let stream = rows.par(pool).filter(|x| *x % 50 == 0).stream(capacity);
                    assert!(stream.eq(rows.iter().filter(|x| *x % 50 == 0)));
                    let stream = rows.par(pool).flat_map(|x| 0..x % 4).stream(capacity);
                    assert!(stream.eq(rows.iter().flat_map(|x| 0..x % 4)));
                    let stream = rows.clone().into_iter().par_bridge(pool).stream(capacity);
                    assert!(stream.eq(rows.iter().copied()));
                    let stream = rows.par(pool).with_grain(300).rev().stream(capacity);
                    assert!(stream.eq(rows.iter().rev()));
                }
            }
        }
    }
    everywhere(Streams);
}

#[test]
fn a_stream_holds_no_more_than_its_capacity_and_drops_each_item_once() {
    struct Bounded;
    impl Check for Bounded {
        fn on(&self, pool: &impl Backend) {
            for capacity in [1, 3, 50] {
                for used in [0, 1, 49, 50, 51, 200] {
                    let (made, dropped, pulled) = Default::default();
                    let (made, dropped, pulled): (&AtomicUsize, &AtomicUsize, &AtomicUsize) =
                        (&made, &dropped, &pulled);
                    let source = (0..1_000_000).inspect(|_| {
                        pulled.fetch_add(1, SeqCst);
                    });
                    let mut stream = source
                        .par_bridge(pool)
                        .map(|i| {
                            made.fetch_add(1, SeqCst);
                            Counted(i, dropped)
                        })
                        .stream(capacity);
                    for i in 0..used {
                        let item = stream.next().unwrap();
                        assert_eq!(item.0, i);
                        let live = made.load(SeqCst) - dropped.load(SeqCst);
                        assert!(live <= capacity, "{live} items in flight, {capacity} allowed");
                    }
                    drop(stream);
                    assert_eq!(made.load(SeqCst), dropped.load(SeqCst));
                    assert!(pulled.load(SeqCst) <= used + capacity);
                }
            }
        }
    }
    everywhere(Bounded);
}

#[test]
fn a_stream_ends_with_a_panic_or_a_stop() {
    struct Ends;
    impl Check for Ends {
        fn on(&self, pool: &impl Backend) {
            let mut stream = (0..100).par(pool).inspect(|i| assert!(*i < 10, "ten")).stream(5);
            let mut seen = 0;
            let unwound = catch_unwind(AssertUnwindSafe(|| {
                for item in stream.by_ref() {
                    assert_eq!(item, seen);
                    seen += 1;
                }
            }));
            assert!(unwound.is_err());
            assert_eq!((seen, stream.next()), (10, None));

            let token = CancelToken::new();
            let mut stream = (0..100).par(pool).until(&token).stream(10);
            assert!((0..10).all(|i| stream.next() == Some(Ok(i))));
            token.cancel();
            assert_eq!(stream.next(), Some(Err(Stopped::Cancelled)));
            assert_eq!(stream.next(), None);
        }
    }
    everywhere(Ends);
}

#[test]
fn filtered_chains_are_cut_where_std_cuts_them() {
    struct Cuts;
    impl Check for Cuts {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let rows = rows(n);
                for k in [0, 1, 2, 30, 500, 3000, usize::MAX] {
                    for grain in [1, 64, 999] {
                        let par =
                            || rows.par(pool).with_grain(grain).filter(|x| *x % 3 != 0).copied();
                        let std = || rows.iter().filter(|x| *x % 3 != 0).copied();
                        assert_eq!(
                            par().skip(k).collect::<Vec<_>>(),
                            std().skip(k).collect::<Vec<_>>()
                        );
                        assert_eq!(
                            par().take(k).collect::<Vec<_>>(),
                            std().take(k).collect::<Vec<_>>()
                        );
                        assert_eq!(par().skip(k).take(5).sum::<u64>(), std().skip(k).take(5).sum());
                        assert_eq!(
                            par().take(k).enumerate().last_pair(),
                            std().take(k).enumerate().last()
                        );
                        let small = |x: &u64| *x as usize <= k.saturating_mul(2);
                        assert_eq!(
                            par().take_while(small).collect::<Vec<_>>(),
                            std().take_while(small).collect::<Vec<_>>()
                        );
                        assert_eq!(
                            par().skip_while(small).map(|x| x + 1).collect::<Vec<_>>(),
                            std().skip_while(small).map(|x| x + 1).collect::<Vec<_>>()
                        );
                        let halve = |x: u64| (x as usize <= k).then_some(x / 2);
                        assert_eq!(
                            par().map_while(halve).collect::<Vec<_>>(),
                            std().map_while(halve).collect::<Vec<_>>()
                        );
                    }
                }
            }
        }
    }
    everywhere(Cuts);
}

/// The last item, by what this crate has.
trait LastPair {
    fn last_pair(self) -> Option<(usize, u64)>;
}

impl<I, L, C> LastPair for spanwise::Chain<I, L, C>
where
    I: spanwise::input::Input,
    L: spanwise::leaf::Leaf<I::Span, Item = (usize, u64)>,
    C: spanwise::control::Control<Out<Option<(usize, u64)>> = Option<(usize, u64)>>,
{
    fn last_pair(self) -> Option<(usize, u64)> {
        self.reduce(|_, pair| pair)
    }
}

#[test]
fn looking_from_the_front_scans_little_behind_the_answer() {
    struct Scans;
    impl Check for Scans {
        fn on(&self, pool: &impl Backend) {
            let calls = AtomicUsize::new(0);
            let is = |x: u32, wanted: u32| {
                calls.fetch_add(1, SeqCst);
                x == wanted
            };
            let chain = || (0..100_000_000_u32).par(pool).filter(|x| x % 2 == 0);
            assert_eq!(chain().find_first(|x| is(*x, 200_000)), Some(200_000));
            assert!(calls.swap(0, SeqCst) < 400_000);
            assert_eq!(chain().position_first(|x| is(x, 200_000)), Some(100_000));
            assert!(calls.swap(0, SeqCst) < 400_000);
            let taken = chain().inspect(|_| assert!(calls.fetch_add(1, SeqCst) < 400_000));
            assert_eq!(taken.take(100_000).count(), 100_000);
        }
    }
    everywhere(Scans);
}

#[test]
fn a_stopped_call_gives_no_part_of_an_answer() {
    struct Stops;
    impl Check for Stops {
        fn on(&self, pool: &impl Backend) {
            for at in [0, 1, 100, 5_000] {
                let token = CancelToken::new();
                let cancel = |i: &usize| {
                    if *i == at {
                        token.cancel();
                    }
                };
                let calls = AtomicUsize::new(0);
                let chain = || {
                    (0..1_000_000).par(pool).inspect(cancel).until(&token).inspect(|_| {
                        calls.fetch_add(1, SeqCst);
                    })
                };
                assert_eq!(chain().sum::<usize>(), Err(Stopped::Cancelled));
                assert_eq!(chain().collect::<Vec<_>>(), Err(Stopped::Cancelled));
                assert_eq!(chain().filter(|_| true).take(9_000).count(), Err(Stopped::Cancelled));
                assert!(calls.load(SeqCst) < 1_500_000);
            }
            let past = Instant::now();
            assert_eq!((0..10).par(pool).deadline(past).count(), Err(Stopped::DeadlinePassed));
            let later = past + Duration::from_secs(3600);
            assert_eq!(
                (0..10).par(pool).deadline(later).until(&CancelToken::new()).count(),
                Ok(10)
            );
        }
    }
    everywhere(Stops);
}

#[test]
fn progress_tells_every_row() {
    struct Tells;
    impl Check for Tells {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let told = AtomicUsize::new(0);
                let tell = |rows| {
                    told.fetch_add(rows, SeqCst);
                };
                let rows = rows(n);
                assert!(rows.par(pool).progress(tell).filter(|x| **x > 3).count() <= n);
                assert_eq!(told.swap(0, SeqCst), n);
                rows.iter().par_bridge(pool).with_grain(9).progress(tell).for_each(drop);
                assert_eq!(told.swap(0, SeqCst), n);
            }
        }
    }
    everywhere(Tells);
}

/// Counts the threads that are in a call at once.
#[test]
fn max_threads_is_kept() {
    struct Most;
    impl Check for Most {
        fn on(&self, pool: &impl Backend) {
            for most in [1, 2, 5] {
                let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
                (0..200).par(pool).max_threads(most).for_each(|_| {
                    peak.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                    thread::sleep(Duration::from_micros(50));
                    now.fetch_sub(1, SeqCst);
                });
                assert!(peak.into_inner() <= most);
            }
        }
    }
    everywhere(Most);
}
