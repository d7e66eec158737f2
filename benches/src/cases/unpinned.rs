//! As a user gets it: threads run where the system puts them.

use super::{suite::suite, visit::Unpinned};
use crate::{machine, peers::Peers, session::Session};

/// The pipelines from a millisecond of work on.
///
/// # Errors
///
/// If answers differ.
pub fn unpinned(session: &mut Session, _: &Peers) -> Result<(), String> {
    let cheaps = session.sizes(&[10_000_000], usize::MAX);
    let expensives = session.sizes(&[20_000, 200_000], 20_000);
    let peers = Peers::new(false, session.cpus);
    let done = suite(&cheaps, &expensives, &mut Unpinned { session, peers: &peers });
    drop(peers);
    if session.pinned {
        machine::pin(&[0]);
    }
    done
}
