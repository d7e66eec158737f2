//! Fork-join programs without iterators, and the deque alone.

use std::{hint::black_box, num::NonZero};

use spanwise_deque::DequePool;

use crate::{
    cell::Place,
    fork::{Deque, Program, Rayon, Serial},
    machine,
    peers::Peers,
    queue::{self, Owner},
    sample::{Ask, Variant, interleave, sample},
    session::{Session, once},
    stats::Summary,
    work::{Fib, Linefit, WordCount},
};

/// fib without a cut-off, a line through points, a word count; then the deque.
///
/// # Errors
///
/// If answers differ.
pub fn programs(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let small = session.is_check();
    let fib = Fib(if small { 15 } else { session.times(27, 32) as u32 });
    let joins = fib.joins();
    program(session, peers, Place::hot("fib without a cut-off", "joins", joins as usize), &fib)?;
    let cell = session.cells.last().expect("fib's");
    let per_join = |name| cell.nanos(name) / joins as f64;
    let numbers = ["serial", "deque, 1", "rayon, 1", "chili, 1", "deque", "rayon in", "chili"]
        .map(|name| (name, per_join(name)));
    session.figure("A join, in fib without a cut-off", "a join", "ns", numbers.to_vec());
    spawns(session, &Fib(if small { 15 } else { 27 }))?;
    let (points, bytes) = if small { (1 << 10, 1 << 12) } else { (1 << 18, 1 << 21) };
    program(
        session,
        peers,
        Place::hot("linefit, leaves of 256", "points", points),
        &Linefit::new(points, 256),
    )?;
    program(
        session,
        peers,
        Place::hot("wc, leaves of 2,048", "bytes", bytes),
        &WordCount::new(bytes, 2048),
    )?;
    deques(session)
}

/// One and two threads of each pool; a cell's items are joins, points or bytes.
fn program<P: Program>(
    session: &mut Session,
    peers: &Peers,
    place: Place,
    program: &P,
) -> Result<(), String> {
    let (serial, expected) = once(|| program.run(&mut Serial));
    // The answer is compared here; what a variant tells is that it was the right one.
    let check = |answer: P::Answer| assert!(answer == expected, "{place}: {answer:?}");
    let one = DequePool::new(1).expect("a pool of the caller");
    let rayon_one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a rayon pool");
    let chili_one = || {
        let config = chili::Config { thread_count: NonZero::new(1), ..chili::Config::default() };
        chili::ThreadPool::with_config(config)
    };
    let hidden = || black_box(program);
    let on_deque = |pool: &DequePool| check(pool.enter(|| hidden().run(&mut Deque(pool))));
    let mut variants = [
        Variant::new("serial", || check(hidden().run(&mut Serial))),
        Variant::new("deque, 1", || on_deque(&one)),
        Variant::new("rayon, 1", || check(rayon_one.install(|| hidden().run(&mut Rayon)))),
        Variant::with("chili, 1", |ask| {
            let pool = chili_one();
            let mut scope = pool.scope();
            sample(ask, || check(hidden().run(&mut scope)))
        }),
        Variant::new("deque", || on_deque(&peers.deque)),
        Variant::new("rayon in", || check(peers.rayon.install(|| hidden().run(&mut Rayon)))),
        Variant::with("chili", |ask| {
            let pool = peers.chili();
            let mut scope = pool.scope();
            sample(ask, || check(hidden().run(&mut scope)))
        }),
    ];
    session.add_hot(place.clone(), serial, &mut variants)?;
    Ok(())
}

/// Time a spawn by one to eight workers on the CPUs there are.
fn spawns(session: &mut Session, fib: &Fib) -> Result<(), String> {
    machine::pin_to_first(session.cpus);
    let expected = fib.run(&mut Serial);
    for threads in [1, 2, 4, 8] {
        let deque = DequePool::new(threads).expect("a deque pool");
        let rayon = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let rayon = rayon.expect("a rayon pool");
        let mut variants = [
            Variant::new("ours", || deque.enter(|| black_box(fib).run(&mut Deque(&deque)))),
            Variant::new("rayon-core", || rayon.install(|| black_box(fib).run(&mut Rayon))),
        ];
        let (ask, rounds) = session.hot(once(|| fib.run(&mut Serial)).0);
        assert_eq!(variants[0].take(&Ask::ONCE).answer, expected.into());
        let measured = interleave(&ask, rounds, &mut variants)?;
        let mut numbers = Vec::new();
        for ((name, per_second), times) in
            [("ours", "ours, M a second"), ("rayon-core", "rayon-core, M a second")]
                .into_iter()
                .zip(&measured)
        {
            let nanos = times.nanos.median / fib.joins() as f64;
            numbers.extend([(name, nanos), (per_second, 1e3 / nanos)]);
        }
        let row = format!("{threads} workers");
        session.figure("A spawn, by workers that are not pinned", row, "ns", numbers);
    }
    if session.pinned {
        machine::pin(&[0]);
    }
    Ok(())
}

type Ours = spanwise_deque::Worker<usize>;
type Theirs = crossbeam_deque::Worker<usize>;

/// What is done with a deque: so many items go through it, and their sum comes out.
type Run = fn(usize) -> usize;

fn runs<O: Owner>() -> [(&'static str, Run); 5] {
    [
        ("push and pop, newest first", |n| queue::lifo::<O>(n, 100)),
        ("push and steal, oldest first", |n| queue::fifo::<O>(n, 100)),
        ("messages to 1 taker", |n| queue::messages::<O>(n, 1)),
        ("messages to 2 takers", |n| queue::messages::<O>(n, 2)),
        ("messages to 4 takers", |n| queue::messages::<O>(n, 4)),
    ]
}

fn deques(session: &mut Session) -> Result<(), String> {
    let items = if session.is_check() { 1000 } else { 200_000 };
    // Adder and takers spread over all CPUs, as the system likes.
    machine::pin_to_first(session.cpus);
    for ((row, ours), (_, theirs)) in runs::<Ours>().into_iter().zip(runs::<Theirs>()) {
        session.show(row);
        let mut variants =
            [Variant::new("ours", || ours(items)), Variant::new("theirs", || theirs(items))];
        let rounds = session.times(5, 21);
        let budget = std::time::Duration::ZERO;
        let rounds = crate::sample::Rounds { least: rounds, most: rounds, budget };
        assert_eq!(variants[0].take(&Ask::ONCE).answer, (items * (items - 1) / 2).into());
        let measured = interleave(&Ask::ONCE, rounds, &mut variants)?;
        let each = |nanos: Summary| nanos.median / items as f64;
        let (ours, theirs) = (each(measured[0].nanos), each(measured[1].nanos));
        let numbers =
            vec![("ours", ours), ("crossbeam-deque", theirs), ("its over ours", theirs / ours)];
        session.figure("The deque alone", row, "ns an item", numbers);
    }
    if session.pinned {
        machine::pin(&[0]);
    }
    Ok(())
}
