//! What a backend cannot do wrong in safe code, since the types of `join` forbid it. Each of these is
//! compiled, and must not.
//!
//! It cannot drop a half and go on, since the half's result has to be returned:
//!
//! ```compile_fail,E0308
//! fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
//! where
//!     A: FnOnce() -> RA + Send,
//!     B: FnOnce() -> RB + Send,
//!     RA: Send,
//!     RB: Send,
//! {
//!     // error: expected type parameter `RB`, found `()`
//!     (a(), drop(b))
//! }
//! ```
//!
//! Nor let a half run late, since it may borrow from the caller's frame:
//!
//! ```compile_fail,E0310
//! fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
//! where
//!     A: FnOnce() -> RA + Send,
//!     B: FnOnce() -> RB + Send,
//!     RA: Send,
//!     RB: Send,
//! {
//!     // error: the parameter type `B` may not live long enough
//!     let late = std::thread::spawn(b);
//!     (a(), late.join().unwrap())
//! }
//! ```
//!
//! Nor run one twice:
//!
//! ```compile_fail,E0382
//! fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
//! where
//!     A: FnOnce() -> RA + Send,
//!     B: FnOnce() -> RB + Send,
//!     RA: Send,
//!     RB: Send,
//! {
//!     b();
//!     // error: use of moved value: `b`
//!     (a(), b())
//! }
//! ```
//!
//! Nor swap their results:
//!
//! ```compile_fail,E0308
//! fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
//! where
//!     A: FnOnce() -> RA + Send,
//!     B: FnOnce() -> RB + Send,
//!     RA: Send,
//!     RB: Send,
//! {
//!     // error: expected `RA`, found `RB`
//!     (b(), a())
//! }
//! ```
//!
//! What the types leave open is which panic comes out, whether `join` needs a thread that never comes,
//! and whether `RUNS_STRANGERS` is true; the table asks for those.
