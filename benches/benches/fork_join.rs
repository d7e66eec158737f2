//! Joins: fib without a cut-off, a line through points, a word count; ours beside the peers'.

use divan::{Bencher, black_box, counter::ItemsCount};
use spanwise_benches::{
    fork::{Pools, Program, Serial},
    work::{Fib, Linefit, WordCount, serial_fib},
};

fn main() {
    divan::main();
}

const THREADS: [usize; 4] = [1, 2, 4, 8];

#[derive(Clone, Copy)]
enum On {
    Deque,
    Rayon,
    Chili,
}

fn bench<P: Program>(bencher: Bencher<'_, '_>, on: On, threads: usize, program: &P, joins: u64) {
    let pools = Pools::new(threads);
    let expected = program.run(&mut Serial);
    bencher.counter(ItemsCount::new(joins)).bench_local(|| {
        let program = black_box(program);
        let answer = match on {
            On::Deque => pools.on_deque(program),
            On::Rayon => pools.on_rayon(program),
            On::Chili => pools.on_chili(program),
        };
        assert_eq!(answer, expected);
    });
}

/// Items are joins: time by item is the time per spawn, items per second the spawns per second.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod fib {
    use super::*;

    const FIB: Fib = Fib(27);

    #[divan::bench]
    fn serial_calls(bencher: Bencher<'_, '_>) {
        bencher.counter(ItemsCount::new(FIB.joins())).bench_local(|| {
            assert_eq!(black_box(FIB).run(&mut Serial), serial_fib(FIB.0));
        });
    }

    #[divan::bench(args = THREADS)]
    fn deque(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Deque, threads, &FIB, FIB.joins());
    }

    #[divan::bench(args = THREADS)]
    fn rayon(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Rayon, threads, &FIB, FIB.joins());
    }

    #[divan::bench(args = THREADS)]
    fn chili(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Chili, threads, &FIB, FIB.joins());
    }
}

/// Items are points.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod linefit {
    use super::*;

    const POINTS: usize = 1 << 18;

    fn program() -> Linefit {
        Linefit::new(POINTS, 256)
    }

    #[divan::bench(args = [1, 2])]
    fn deque(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Deque, threads, &program(), POINTS as u64);
    }

    #[divan::bench(args = [1, 2])]
    fn rayon(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Rayon, threads, &program(), POINTS as u64);
    }

    #[divan::bench(args = [1, 2])]
    fn chili(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Chili, threads, &program(), POINTS as u64);
    }
}

/// Items are bytes.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod wc {
    use super::*;

    const BYTES: usize = 1 << 21;

    fn program() -> WordCount {
        WordCount::new(BYTES, 2048)
    }

    #[divan::bench(args = [1, 2])]
    fn deque(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Deque, threads, &program(), BYTES as u64);
    }

    #[divan::bench(args = [1, 2])]
    fn rayon(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Rayon, threads, &program(), BYTES as u64);
    }

    #[divan::bench(args = [1, 2])]
    fn chili(bencher: Bencher<'_, '_>, threads: usize) {
        bench(bencher, On::Chili, threads, &program(), BYTES as u64);
    }
}
