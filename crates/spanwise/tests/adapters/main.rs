//! The adapters that std or rayon users know and that are not one line over a std adapter, on every
//! backend against std's or a naive loop: what comes out, what is dropped, what a panic, an error and
//! a stop leave behind.

mod edges;
mod ledger;
mod liars;
mod prefixes;
mod shapes;
mod states;
mod support;
