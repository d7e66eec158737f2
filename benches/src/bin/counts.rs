//! Instructions, counted by callgrind: a check of the hot paths that no noise touches. In comes nothing,
//! out comes a table; a count above its bound ends it with an error.
//!
//! `cargo run --release -p spanwise-benches --bin counts`, with valgrind installed; `--docs` writes the
//! table into docs/performance.md. The program runs
//! itself under valgrind, once for each job and length; only what the calling thread executes in
//! `measured` counts. The difference of two lengths leaves out what a call costs however short it is.

use std::{
    env, fs,
    hint::black_box,
    path::Path,
    process::{Command, ExitCode},
    sync::Barrier,
};

use spanwise_backend::Serial;
use spanwise_benches::{
    answer::Answer,
    chains::{Collect, FilterCount, Sum, SumRange},
    docs,
    folds::{FloatSum, Max},
    fork::{Deque, Program},
    format::short,
    input::{cheap, cheap_float, cheap_of_range, floats, list},
    pipeline::Pipeline,
    queue, table,
    work::Fib,
};
use spanwise_deque::DequePool;

/// Calls that are counted together, so that what happens every so many calls is spread evenly.
const CALLS: usize = 64;

/// Lengths whose difference is the cost of an item.
const LENGTHS: [usize; 2] = [10_000, 20_000];

/// Calls before those that are counted: a call site has to forget what its first ones cost while
/// valgrind was translating them.
const WARM: usize = 2000;

/// The pipelines whose items are counted, and how many instructions more than serial's an item may
/// cost. Reductions and float sums keep more by the side than the serial loop does; the others are
/// the serial loop.
const PIPELINES: [(&str, f64); 6] = [
    ("map, collect", 0.25),
    ("filter, count", 0.25),
    ("sum of i64, list", 0.25),
    ("sum of i64, range", 0.25),
    ("reduce to max", 2.0),
    ("sum of f64", 1.6),
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().collect();
    if let [_, name, way, len] = &args[..] {
        job(name, way, len.parse().expect("a length"));
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("counts: skipped, because valgrind is not installed");
        return ExitCode::SUCCESS;
    }
    let (text, kept) = check();
    println!("{text}");
    if args.iter().any(|arg| arg == "--docs") {
        put(&text);
    }
    if kept {
        return ExitCode::SUCCESS;
    }
    println!("counts: a bound is broken");
    ExitCode::FAILURE
}

/// Puts the table into the guide.
fn put(text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/performance.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    fs::write(&path, docs::put(&page, "counts", text).expect("it has the marks")).expect("written");
}

/// The table, and whether all bounds are kept.
fn check() -> (String, bool) {
    let mut rows = Vec::new();
    let mut broken = false;
    let mut row = |what: String, serial: f64, ours: f64, most: f64, of: &str| {
        let kept = ours - serial <= most;
        broken |= !kept;
        rows.push(vec![
            what,
            of.to_owned(),
            short(serial),
            short(ours),
            format!("{:+.2}", ours - serial),
            format!("+{most}"),
            if kept { "yes" } else { "**no**" }.to_owned(),
        ]);
    };
    // On `Serial`: valgrind makes clock reads so slow that no call is small for a pool with threads.
    for (name, most) in [("sum of i64, list", 60.0), ("reduce to max", 120.0)] {
        for len in [10, 100] {
            let each = |way| count(name, way, len) / CALLS as f64;
            row(format!("{name}, {len} rows"), each("serial"), each("Serial"), most, "a call");
        }
    }
    for (name, most) in PIPELINES {
        let item = |way| {
            let [short, long] = LENGTHS.map(|len| count(name, way, len));
            (long - short) / (LENGTHS[1] - LENGTHS[0]) as f64 / CALLS as f64
        };
        row(name.to_owned(), item("serial"), item("Serial"), most, "an item");
    }
    let joins = |way| count("join", way, 16) / Fib(16).joins() as f64;
    row(
        "join, in fib without a cut-off".to_owned(),
        joins("serial"),
        joins("deque"),
        75.0,
        "a join",
    );
    let [short, long] = LENGTHS.map(|len| count("push and pop", "deque", len));
    let items = (long - short) / (LENGTHS[1] - LENGTHS[0]) as f64;
    row("push and pop by the owner".to_owned(), 0.0, items, 70.0, "an item");

    let head = ["instructions", "for", "serial", "ours", "more", "at most", "kept"];
    (table::markdown(&head.map(str::to_owned), &rows), !broken)
}

/// Instructions of one job, by valgrind.
///
/// # Panics
///
/// If valgrind does not run it.
fn count(name: &str, way: &str, len: usize) -> f64 {
    let this = env::current_exe().expect("this program has a path");
    let told = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=counts::measured*")
        .arg(this)
        .args([name, way, &len.to_string()])
        .output()
        .expect("valgrind runs");
    let text = String::from_utf8_lossy(&told.stderr);
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    count.unwrap_or_else(|| panic!("{name}, {way}, {len}: valgrind says {text}"))
}

/// What callgrind counts.
#[inline(never)]
fn measured(run: &mut dyn FnMut()) {
    run();
}

/// Runs a job, untimed calls first so that its site is known.
fn job(name: &str, way: &str, len: usize) {
    let (rows, reals) = (list(len), floats(len));
    let (rows, leaf) = (&rows[..], 1);
    match name {
        "map, collect" => pipeline(way, len, &Collect { rows, f: cheap, leaf }),
        "filter, count" => pipeline(way, len, &FilterCount { rows, f: cheap, leaf }),
        "sum of i64, list" => pipeline(way, len, &Sum { rows, f: cheap, leaf }),
        "sum of i64, range" => {
            pipeline(way, len, &SumRange { rows: 0..len as i64, f: cheap_of_range, leaf });
        }
        "reduce to max" => pipeline(way, len, &Max { rows, f: cheap, leaf }),
        "sum of f64" => pipeline(way, len, &FloatSum { rows: &reals, f: cheap_float, leaf }),
        "join" => join(way, len as u32),
        "push and pop" => {
            let run = || queue::lifo::<spanwise_deque::Worker<usize>>(len, 100);
            let expected = run();
            measured(&mut || assert_eq!(run(), expected));
        }
        _ => panic!("there is no job {name}"),
    }
}

fn pipeline<P: Pipeline>(way: &str, rows: usize, job: &P) {
    let run = || match way {
        "serial" => black_box(job).serial(),
        _ => black_box(job).spanwise(&Serial),
    };
    let right: Answer = job.serial().into();
    // Long calls are not small, whatever they cost.
    let warm = if rows > 1000 { 2 } else { WARM };
    (0..warm).for_each(|_| assert!(right.near(run().into()), "a wrong answer"));
    measured(&mut || (0..CALLS).for_each(|_| drop(black_box(run()))));
}

fn join(way: &str, n: u32) {
    let fib = Fib(n);
    let expected = fib.run(&mut spanwise_benches::fork::Serial);
    if way == "serial" {
        let run = || black_box(fib).run(&mut spanwise_benches::fork::Serial);
        return measured(&mut || assert_eq!(run(), expected));
    }
    // The other thread is busy, so that nothing is stolen and every run counts the same.
    let pool = DequePool::new(2).expect("a pool");
    let (begun, ended) = (Barrier::new(2), Barrier::new(2));
    let wait = || {
        begun.wait();
        ended.wait();
    };
    let near = || {
        begun.wait();
        let run = || black_box(fib).run(&mut Deque(&pool));
        assert_eq!(run(), expected);
        measured(&mut || assert_eq!(run(), expected));
        ended.wait();
    };
    pool.join(near, wait);
}
