//! Bounds that teach: what `enumerate`, `zip`, `rev` and their kin need of a chain, as a trait whose
//! error says what to do. In comes the count of an input or a leaf; `chain`, `stride` and `weave` ask.

use crate::{
    leaf::{Count, Exact},
    sealed::Sealed,
};

/// A chain in which every item has an index before it runs: each row of its source gives one item.
///
/// `filter`, `filter_map`, `flat_map` and `flatten` end that, and so does a source whose end nobody
/// knows; `take`, `take_while` and `map_while` begin it anew, since they gather what they keep.
///
/// ```compile_fail,E0277
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// // error: the items of this chain have no index before it runs
/// let n = (0..9).par(&pool).filter(|x| x % 2 == 0).enumerate().count();
/// # Ok::<(), spanwise::PoolError>(())
/// ```
///
/// ```
/// # use spanwise::prelude::*;
/// # let pool = spanwise::Pool::new(2)?;
/// let n = (0..9).par(&pool).enumerate().filter(|(_, x)| x % 2 == 0).count();
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the items of this chain have no index before it runs",
    label = "needs a chain in which every row of the source gives exactly one item",
    note = "after `filter`, `filter_map`, `flat_map`, `flatten`, `skip_while` or `par_bridge` nobody knows yet how many items come before another",
    note = "call this adapter before those, or go on from the collected items: `.collect::<Vec<_>>().into_iter().par(&pool)`"
)]
pub trait Indexed: Count + Sealed {}

impl Indexed for Exact {}
