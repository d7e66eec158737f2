#![doc = include_str!("../README.md")]
//!
//! # The crate in the order that data meets it
//!
//! Locks and atomics, real or modelled: `sync`. Input: [`int`], [`span`], [`owned`], [`input`],
//! [`source`] and the sources [`sequence`], [`jumps`], [`pieces`],
//! [`hidden`], [`text`], [`bridge`]. What the caller writes: [`leaf`], [`indexed`], [`chain`],
//! [`split`], [`each`], [`stride`], [`weave`], [`trim`], [`front`], [`scan`]; and how to run it:
//! [`control`]. How it runs: `plan`, `work`, `site`, `feed`, `together`, `pull`, `share`, `drive`, `tree`, `eights`, `terminal`. What comes
//! out: the terminals, from `stream` to [`extend`]. Slices sorted: `run`, `merge`, `quick`, [`sort`].
//! Where it runs: `pool`, [`backend`].
//! A module imports only from those before it.

mod sealed {
    /// Keeps a trait's implementations in this crate.
    pub trait Sealed {}
}
mod sync;
pub mod int;
pub mod span;
pub mod owned;
pub mod leaf;
pub mod indexed;
pub mod control;
mod plan;
mod work;
mod pace;
mod site;
mod feed;
mod together;
mod pull;
mod share;
mod drive;
pub mod input;
pub mod source;
pub mod sequence;
pub mod jumps;
pub mod pieces;
pub mod hidden;
pub mod text;
pub mod chain;
mod given;
pub mod split;
pub mod bridge;
mod late;
pub mod each;
pub mod stride;
pub mod weave;
mod tree;
mod eights;
mod terminal;
mod gather;
mod stream;
mod stop;
pub mod trim;
pub mod front;
mod fold;
mod order;
mod find;
pub mod attempt;
mod fill;
pub mod scan;
pub mod collect;
mod exact;
mod lanes;
pub mod sum;
pub mod product;
mod run;
mod merge;
mod quick;
pub mod sort;
mod effects;
mod reduce;
mod ordered;
mod hit;
mod ends;
pub mod compare;
mod pair;
mod divide;
mod group;
pub mod extend;
mod pool;

pub use chain::{Chain, Par};
#[cfg(feature = "indicatif")]
pub use control::Bar;
pub use control::{CancelToken, Observer, Stopped};
pub use pool::{Pool, default_pool};
pub use sort::ParSlice;
pub use spanwise_backend::{Pin, PoolError, Width};

/// What a chain runs on: the contract, the backends of this build, and how pools are built.
pub mod backend {
    pub use spanwise_backend::{
        Backend, Builder, FromSettings, Pin, PoolError, Seeded, Serial, Settings, Width,
    };
    #[cfg(feature = "deque")]
    pub use spanwise_deque::DequePool;
    #[cfg(feature = "rayon")]
    pub use spanwise_rayon::RayonPool;
}

/// What programs import to write chains.
pub mod prelude {
    pub use crate::{
        bridge::ParBridge, chain::Par, extend::ParExtend, sort::ParSlice, split::ParStr,
    };
}

/// The lines of `docs/` for those who come from elsewhere are tests.
#[cfg(doctest)]
mod coming {
    #[doc = include_str!("../../../docs/from-rayon.md")]
    mod from_rayon {}
    #[doc = include_str!("../../../docs/from-std.md")]
    mod from_std {}
}
