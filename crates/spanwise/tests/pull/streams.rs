//! Chains as ordinary iterators.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

use spanwise::{CancelToken, Stopped, backend::Backend, prelude::*};

use crate::{Check, Counted, LENGTHS, everywhere, rows};

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

/// Rows of many items: begun only where there is room for what they give.
#[test]
fn a_stream_of_many_items_a_row_holds_no_more_than_its_capacity() {
    struct Bounded;
    impl Check for Bounded {
        fn on(&self, pool: &impl Backend) {
            for (each, capacity) in [(10, 1), (10, 10), (10, 35), (10, 1000), (300, 64), (0, 5)] {
                let (live, most, dropped) = Default::default();
                let (live, most, dropped): (&AtomicUsize, &AtomicUsize, &AtomicUsize) =
                    (&live, &most, &dropped);
                let rows = 0..500_usize;
                let items = rows.par(pool).flat_map(|i| {
                    (0..each).map(move |j| {
                        let now = live.fetch_add(1, SeqCst) + 1 - dropped.load(SeqCst);
                        most.fetch_max(now, SeqCst);
                        Counted(i * each + j, dropped)
                    })
                });
                let mut seen = 0;
                for item in items.stream(capacity) {
                    assert_eq!(item.0, seen);
                    seen += 1;
                }
                assert_eq!((seen, dropped.load(SeqCst)), (500 * each, 500 * each));
                let most = most.load(SeqCst);
                assert!(
                    most <= capacity.max(each),
                    "{most} items of {each} a row, {capacity} allowed"
                );
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
