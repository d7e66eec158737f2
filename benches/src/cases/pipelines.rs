//! The pipelines, hot, and what their callbacks cost.

use super::{suite::suite, visit::Hot};
use crate::{input, peers::Peers, session::Session};

/// Sizes of cheap and of expensive pipelines.
pub const SIZES: [usize; 7] = [10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

/// All pipelines at all sizes.
///
/// # Errors
///
/// If answers differ.
pub fn pipelines(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let numbers = vec![
        ("cheap", input::nanos_an_item(input::cheap)),
        ("expensive", input::nanos_an_item(input::expensive)),
    ];
    session.figure("What a callback costs, summed in a serial loop", "an item", "ns", numbers);
    let cheaps = session.sizes(&SIZES, usize::MAX);
    let expensives = session.sizes(&SIZES, 10_000);
    suite(&cheaps, &expensives, &mut Hot { session, peers })
}
