//! The conformance table over backends that are not of this workspace: two that keep the contract, and
//! some that break it. Half of those need unsafe code to be written at all, which shows what the types of
//! `join` forbid.

mod chili;
mod threads;
mod wrong;

use std::time::Duration;

use spanwise_proptests::conformance::{Suite, check};

#[test]
fn scoped_threads_conform() {
    check(threads::Threads);
}

#[test]
fn chili_conforms() {
    check(chili::Chili::new);
}

/// The rows that a backend does not hold.
macro_rules! broken {
    ($build:expr) => {
        Suite::new($build).patience(Duration::from_secs(3)).joins_only().run().broken()
    };
}

#[test]
fn a_dropped_half_is_caught() {
    let broken = broken!(|_| wrong::Drops);
    assert!(broken.contains(&"results in their places"), "{broken:?}");
    assert!(broken.contains(&"each half once"), "{broken:?}");
}

#[test]
fn a_late_half_is_caught() {
    let broken = broken!(|_| wrong::Late);
    assert!(broken.contains(&"done on return"), "{broken:?}");
    assert!(!broken.contains(&"results in their places"), "{broken:?}");
}

#[test]
fn a_half_that_runs_twice_is_caught() {
    let broken = broken!(|_| wrong::Twice);
    assert!(broken.contains(&"each half once"), "{broken:?}");
    assert!(!broken.contains(&"results in their places"), "{broken:?}");
}

#[test]
fn swapped_results_are_caught() {
    let broken = broken!(|_| wrong::Swaps);
    assert_eq!(broken.first(), Some(&"results in their places"), "{broken:?}");
    assert!(!broken.contains(&"each half once"), "{broken:?}");
}

#[test]
fn the_wrong_panic_is_caught() {
    let broken = broken!(|_| wrong::LastPanic);
    assert_eq!(broken, ["panic in both halves", "panic in a stolen half", "panic deep inside"]);
}

#[test]
fn a_payload_that_is_replaced_is_caught() {
    let broken = broken!(|_| wrong::OwnPayload);
    assert!(broken.contains(&"panic in the second half"), "{broken:?}");
    assert!(!broken.contains(&"panic in the first half"), "{broken:?}");
}

#[test]
fn a_join_that_needs_a_second_thread_is_caught() {
    let report = Suite::new(wrong::Stuck::new).patience(Duration::from_secs(3)).joins_only().run();
    assert!(report.hanging().contains(&"joins in joins"), "{report}");
    assert!(!report.broken().contains(&"results in their places"), "{report}");
}
