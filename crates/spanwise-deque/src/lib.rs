//! The in-house pool of spanwise: a fork-join pool on Chase–Lev deques, whose `join` never runs a
//! stranger's job; and the deque on its own.
//!
//! The crate in the order that data meets it; a module imports only from those before it:
//!
//! - `sync`, `clock`: atomics, threads and time, real or modelled;
//! - `ring`: where one owner and many thieves meet;
//! - `item`, `deque`: the ring as a type for everybody, [`Worker`] and [`Stealer`];
//! - `mailbox`: one job for the first thief that looks;
//! - `injector`: the queue that any thread may push to, [`Injector`];
//! - `latch`, `job`: a half as one pointer, and how its owner learns that it is done;
//! - `sleep`, `gate`: how threads without work wait, and when a wake is worth its price;
//! - `seats`, `tasks`, `rounds`, `tact`: who may work, what open scopes and broadcasts have to do, when
//!   not to steal;
//! - `place`: how many threads there are, and on which cores;
//! - `crew`, `member`, `here`: what all threads share, what each does, which of them this one is;
//! - `join`, `scope`, `pool`: what users of a [`DequePool`] call.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "the deque pool counts its joins in a word, which must not wrap within one half: use the rayon-core \
     backend on targets whose words have less than 64 bits"
);

mod sync;

mod clock;

mod ring;

mod item;

mod deque;

mod mailbox;

mod injector;

mod latch;

mod job;

mod sleep;

mod gate;

mod seats;

mod tasks;

mod rounds;

mod tact;

mod place;

mod crew;

mod member;

mod here;

mod join;

mod scope;

mod pool;

pub use deque::{Stealer, Worker};
pub use injector::Injector;
pub use item::Item;
pub use pool::DequePool;
pub use ring::Steal;
pub use scope::Scope;
