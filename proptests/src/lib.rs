//! What the suites in `tests/` stand on.
//!
//! The crate in the order that data meets it:
//!
//! - [`staged`]: backends that run halves in an order of one's choice, or erase their type;
//! - [`backends`]: the list of backends, one line each, and the pools built from it;
//! - [`program`]: small functions as values, so that random closures can be printed and shrunk;
//! - [`generate`]: random rows, grains and programs, and [`check`](generate::check), which runs them;
//! - [`naive`]: oracles, each a plain loop;
//! - [`ends`]: every terminal on integers, over a chain and over std's iterator;
//! - [`mod@shape`]: one chain, written once, run by std and on every backend;
//! - [`ledger`]: rows that count their drops, and panics that know their row;
//! - [`calls`]: chains over such rows;
//! - [`conformance`]: the contract of a backend as a table, for anybody's;
//! - [`dice`]: one random call from a stream of numbers, for the soak and the fuzzers.

pub mod staged;

pub mod backends;

pub mod program;

pub mod generate;

pub mod naive;

pub mod ends;

pub mod shape;

pub mod ledger;

pub mod calls;

pub mod conformance;

pub mod dice;
