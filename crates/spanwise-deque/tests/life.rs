//! From the first thread to the last: building, names and hooks, failing, dropping.

use std::{
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use spanwise_deque::DequePool;

#[test]
fn no_threads_and_too_many_are_errors() {
    assert!(DequePool::new(0).unwrap_err().to_string().contains("at least one"));
    assert!(DequePool::new(usize::MAX).unwrap_err().to_string().contains("at most"));
}

#[test]
fn the_default_is_what_this_process_may_use() {
    let pool = DequePool::builder().build().unwrap();
    assert_eq!(pool.width(), spanwise_topology::usable_threads());
}

#[test]
fn hooks_and_names_get_the_indices_past_the_callers() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let note = |word: &'static str| {
        let log = Arc::clone(&log);
        move |index| {
            let name = thread::current().name().map(str::to_owned);
            log.lock().unwrap().push((word, index, name.unwrap()));
        }
    };
    let builder = DequePool::builder().threads(3).thread_name(|i| format!("w{i}"));
    drop(builder.on_start(note("start")).on_exit(note("exit")).build().unwrap());
    let mut log = log.lock().unwrap();
    log.sort();
    let want = |word, index, name: &str| (word, index, name.to_owned());
    let wanted = [
        want("exit", 1, "w1"),
        want("exit", 2, "w2"),
        want("start", 1, "w1"),
        want("start", 2, "w2"),
    ];
    assert_eq!(*log, wanted);
}

#[test]
fn a_hook_that_panics_costs_one_thread_and_nothing_else() {
    let pool = DequePool::builder().threads(3).on_start(|i| assert_ne!(i, 1)).build().unwrap();
    for _ in 0..20 {
        let both = Barrier::new(2);
        let half = || {
            thread::sleep(Duration::from_millis(1));
            both.wait();
        };
        pool.join(half, half);
    }
}

#[test]
fn a_name_that_cannot_be_leaves_no_thread() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (up, down) = (Arc::clone(&alive), Arc::clone(&alive));
    let builder = DequePool::builder()
        .threads(4)
        .thread_name(|i| if i == 3 { "\0".to_owned() } else { i.to_string() })
        .on_start(move |_| _ = up.fetch_add(1, Ordering::SeqCst))
        .on_exit(move |_| _ = down.fetch_sub(1, Ordering::SeqCst));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| builder.build())).is_err());
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn a_thread_that_is_refused_is_an_error_and_leaves_none() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (up, down) = (Arc::clone(&alive), Arc::clone(&alive));
    let started = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&started);
    let builder = DequePool::builder()
        .threads(3)
        // More than any address space holds.
        .stack_size(1 << 60)
        .on_start(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            up.fetch_add(1, Ordering::SeqCst);
        })
        .on_exit(move |_| _ = down.fetch_sub(1, Ordering::SeqCst));
    assert!(builder.build().unwrap_err().to_string().contains("refused"));
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[test]
fn ten_thousand_pools() {
    let alive = Arc::new(AtomicUsize::new(0));
    for i in 0..10_000 {
        let (up, down) = (Arc::clone(&alive), Arc::clone(&alive));
        let pool = DequePool::builder()
            .threads(2)
            .on_start(move |_| _ = up.fetch_add(1, Ordering::SeqCst))
            .on_exit(move |_| _ = down.fetch_sub(1, Ordering::SeqCst))
            .build()
            .unwrap();
        assert_eq!(pool.join(|| i, || i + 1), (i, i + 1));
        drop(pool);
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn a_pool_dropped_by_the_last_of_its_users() {
    for _ in 0..100 {
        let pool = Arc::new(DequePool::new(3).unwrap());
        let users: Vec<_> = (0..4)
            .map(|i| {
                let pool = Arc::clone(&pool);
                thread::spawn(move || pool.join(|| i, || 2 * i))
            })
            .collect();
        drop(pool);
        for (i, user) in users.into_iter().enumerate() {
            assert_eq!(user.join().unwrap(), (i, 2 * i));
        }
    }
}

#[test]
fn a_pool_dropped_inside_a_job_of_another_and_while_unwinding() {
    let outer = DequePool::new(2).unwrap();
    for _ in 0..50 {
        let inner = DequePool::new(2).unwrap();
        outer.join(|| (), move || drop(inner));
        let inner = DequePool::new(2).unwrap();
        let unwinds = std::panic::AssertUnwindSafe(|| {
            outer.join(
                || (),
                move || {
                    let _inner = inner;
                    panic!("unwinding");
                },
            );
        });
        assert!(std::panic::catch_unwind(unwinds).is_err());
    }
}

#[test]
fn a_pool_used_and_dropped_in_a_destructor_of_a_thread_local() {
    struct Last(Option<DequePool>, Arc<AtomicUsize>);

    impl Drop for Last {
        fn drop(&mut self) {
            let pool = self.0.take().unwrap();
            let (a, b) = pool.join(|| 1, || pool.join(|| 2, || 3).1);
            self.1.fetch_add(a + b, Ordering::SeqCst);
        }
    }

    thread_local!(static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) });

    let total = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&total);
    thread::spawn(move || {
        let pool = DequePool::new(2).unwrap();
        pool.join(|| (), || ());
        LAST.set(Some(Last(Some(pool), count)));
    })
    .join()
    .unwrap();
    assert_eq!(total.load(Ordering::SeqCst), 4);
}
