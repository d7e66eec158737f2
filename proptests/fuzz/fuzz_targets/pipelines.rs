//! Random calls, their numbers from the fuzzer, on pools that are simple enough for a failure to come
//! again, and on one with a thread.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use spanwise_backend::Serial;
use spanwise_deque::DequePool;
use spanwise_proptests::{
    backends::AnyPool,
    dice,
    staged::{FarFirst, NearFirst},
};

static POOLS: LazyLock<[AnyPool; 4]> = LazyLock::new(|| {
    [
        AnyPool::Serial(Serial),
        AnyPool::erased(NearFirst(4)),
        AnyPool::erased(FarFirst(4)),
        AnyPool::Deque(DequePool::new(2).expect("a thread")),
    ]
});

fuzz_target!(|bytes: &[u8]| {
    let [pool, bytes @ ..] = bytes else { return };
    // Two bytes make a number; where they end, zeros go on.
    let mut pairs = bytes.chunks(2);
    let mut next = || {
        let pair = pairs.next().unwrap_or_default();
        pair.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    dice::call(&mut next, &POOLS[usize::from(pool % 4)]);
});
