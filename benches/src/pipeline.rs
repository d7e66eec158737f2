//! One pipeline, written for every library. In comes a pipeline over its rows, out come the variants
//! that do it; `chains`, `search` and the cases write pipelines.

use std::{cell::RefMut, hint::black_box};

use orx_parallel::BasicPool;
use paralight::threads::ThreadPool;
use spanwise_backend::{Backend, Serial};

use crate::{
    answer::Answer,
    halves::{Chili, Halves, Scoped},
    peers::Peers,
    sample::{Variant, sample},
};

/// The same job in each library's own words. Each is a function of its own that is not inlined, and
/// what it gets is hidden from the compiler, so that all have the same chances.
pub trait Pipeline: Sync {
    /// What it gives.
    type Answer: Into<Answer> + Send;

    /// std's serial iterator.
    fn serial(&self) -> Self::Answer;
    /// Ours, on any backend.
    fn spanwise<B: Backend>(&self, pool: &B) -> Self::Answer;
    /// rayon, on the pool in which it is called.
    fn rayon(&self) -> Self::Answer;
    /// paralight.
    fn paralight(&self, pool: &mut ThreadPool) -> Self::Answer;
    /// orx-parallel.
    fn orx(&self, pool: &BasicPool) -> Self::Answer;
    /// Cut by hand.
    fn halves(&self, pool: &mut impl Halves) -> Self::Answer;
    /// Rows that are worth no join of chili's: the leaf that one has to pick.
    fn leaf(&self) -> usize;
}

/// The variants of a pipeline, serial first.
pub fn variants<'a, P: Pipeline>(job: &'a P, peers: &'a Peers) -> Vec<Variant<'a>> {
    let mut all = ours(job, peers);
    let hidden = move || black_box(job);
    all.push(Variant::new("rayon out", move || peers.rayon.install(|| hidden().rayon())));
    all.push(Variant::with("rayon in", move |ask| {
        peers.rayon.install(|| sample(ask, || hidden().rayon()))
    }));
    all.push(Variant::new("paralight", move || {
        let mut pool: RefMut<'_, ThreadPool> = peers.paralight.borrow_mut();
        hidden().paralight(&mut pool)
    }));
    all.push(Variant::new("orx", move || hidden().orx(&peers.orx)));
    all.push(Variant::with("chili", move |ask| {
        let pool = peers.chili();
        let (mut scope, leaf) = (pool.scope(), job.leaf());
        sample(ask, || hidden().halves(&mut Chili { scope: &mut scope, leaf }))
    }));
    all.push(Variant::with("scope", move |ask| {
        // Its threads inherit the caller's CPUs, and the caller keeps its own while that is not idle.
        peers.on_all(|| sample(ask, || hidden().halves(&mut Scoped)))
    }));
    #[cfg(feature = "fork_union")]
    all.push(Variant::with("fork_union", move |ask| {
        let mut pool = peers.fork_union();
        sample(ask, || hidden().halves(&mut pool))
    }));
    all
}

/// The serial loop and spanwise on its three backends.
pub fn ours<'a, P: Pipeline>(job: &'a P, peers: &'a Peers) -> Vec<Variant<'a>> {
    let hidden = move || black_box(job);
    vec![
        Variant::new("serial", move || hidden().serial()),
        Variant::new("deque", move || hidden().spanwise(&peers.deque)),
        Variant::new("rayon-core", move || hidden().spanwise(&peers.over_rayon)),
        Variant::new("Serial", move || hidden().spanwise(&Serial)),
    ]
}

/// What is compared after sleep: the serial loop twice, the second time as a measure of the machine's
/// own waking, and the pools that sleep.
pub fn sleepers<'a, P: Pipeline>(job: &'a P, peers: &'a Peers) -> Vec<Variant<'a>> {
    let hidden = move || black_box(job);
    vec![
        Variant::new("serial", move || hidden().serial()),
        Variant::new("serial again", move || hidden().serial()),
        Variant::new("deque", move || hidden().spanwise(&peers.deque)),
        Variant::new("rayon out", move || peers.rayon.install(|| hidden().rayon())),
    ]
}
