//! Whatever goes wrong in the caller's own code, at every place where it can, on every backend: the
//! call ends, says so, has dropped each row once, and leaves the pool as it was. The table of
//! `docs/trust.md` names the test of each cell.

mod callbacks;

mod crowds;

mod limits;

mod panics;

mod payloads;

mod processes;

use spanwise::prelude::*;
use spanwise_backend::Backend;

/// A call that any later one can tell from a broken pool.
fn still_works(pool: &impl Backend) {
    assert_eq!((0..300).par(pool).map(|x| x * 2).checked_sum(), Some(89_700));
}
