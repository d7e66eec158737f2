//! Random pipelines. In comes nothing, out comes a strategy that draws and shrinks them: fewer
//! adapters, fewer rows, smaller numbers, the plainest source and terminal.

use proptest::{collection::vec, prelude::*};

use super::{Adapter, Finish, From, Kind, Pipeline, Where};
use spanwise_proptests::{
    backends::all_pools,
    ends::end,
    generate::{grain, keep, number, op, rows, some},
};

fn first() -> impl Strategy<Value = i64> {
    -100..100_i64
}

fn few() -> impl Strategy<Value = usize> {
    1..9_usize
}

fn length() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 0..8_usize, 3 => 0..140_usize, 2 => 130..3000_usize]
}

fn from() -> impl Strategy<Value = From> {
    prop_oneof![
        4 => rows().prop_map(From::Owned),
        2 => rows().prop_map(From::Slice),
        1 => rows().prop_map(From::Mut),
        1 => rows().prop_map(From::Mapped),
        1 => (rows(), few()).prop_map(|(xs, n)| From::Chunks(xs, n)),
        1 => (rows(), few()).prop_map(|(xs, n)| From::Windows(xs, n)),
        1 => (rows(), few()).prop_map(|(xs, n)| From::Deque(xs, n)),
        1 => (rows(), few()).prop_map(|(xs, n)| From::Drained(xs, n)),
        2 => (first(), length()).prop_map(|(first, n)| From::Range(first, n)),
        1 => (first(), length()).prop_map(|(first, n)| From::Inclusive(first, n)),
        1 => (first(), length(), few()).prop_map(|(first, n, step)| From::Stepped(first, n, step)),
        1 => rows().prop_map(From::Lines),
        2 => rows().prop_map(From::Bridge),
    ]
}

fn adapter() -> impl Strategy<Value = Adapter> {
    let item_wise = prop_oneof![
        2 => op().prop_map(Adapter::Map),
        1 => op().prop_map(Adapter::Update),
        1 => op().prop_map(Adapter::MapInit),
        1 => Just(Adapter::Inspect),
        1 => Just(Adapter::Dear),
        1 => keep().prop_map(Adapter::Raise),
        2 => keep().prop_map(Adapter::Filter),
        1 => (keep(), op()).prop_map(|(keep, op)| Adapter::FilterMap(keep, op)),
        1 => (0..4_u8, op()).prop_map(|(times, op)| Adapter::FlatMap(times, op)),
        1 => (0..3_u8).prop_map(Adapter::Flatten),
    ];
    let structural = prop_oneof![
        2 => Just(Adapter::Rev),
        1 => Just(Adapter::Enumerate),
        1 => rows().prop_map(Adapter::Zip),
        1 => Just(Adapter::ZipEq),
        1 => rows().prop_map(Adapter::Chain),
        1 => rows().prop_map(Adapter::Interleave),
        1 => number().prop_map(Adapter::Intersperse),
        2 => some().prop_map(Adapter::Skip),
        2 => some().prop_map(Adapter::Take),
        1 => few().prop_map(Adapter::StepBy),
        1 => few().prop_map(Adapter::Chunks),
    ];
    let from_front = prop_oneof![
        keep().prop_map(Adapter::SkipWhile),
        keep().prop_map(Adapter::TakeWhile),
        (keep(), op()).prop_map(|(keep, op)| Adapter::MapWhile(keep, op)),
        number().prop_map(Adapter::Scan),
        number().prop_map(Adapter::ScanExclusive),
    ];
    let control = prop_oneof![
        (1..3000_usize).prop_map(Adapter::Grain),
        (1..4_usize).prop_map(Adapter::MaxThreads),
    ];
    prop_oneof![5 => item_wise, 6 => structural, 2 => from_front, 1 => control]
}

fn finish() -> impl Strategy<Value = Finish> {
    let plain = vec![
        Finish::Items,
        Finish::Extend,
        Finish::Set,
        Finish::Heap,
        Finish::List,
        Finish::FoldOrdered,
        Finish::Until,
        Finish::MinMax,
        Finish::First,
        Finish::Last,
        Finish::ForEachInit,
        Finish::ReduceTree,
        Finish::FloatSum,
        Finish::FloatProduct,
        Finish::FloatReduce,
        Finish::FloatExact,
    ];
    let by = 1..9_i64;
    prop_oneof![
        20 => end().prop_map(Finish::Numbers),
        16 => prop::sample::select(plain),
        1 => (0..9_usize).prop_map(Finish::ItemsInto),
        1 => by.clone().prop_map(Finish::Group),
        1 => by.clone().prop_map(Finish::Counts),
        1 => by.clone().prop_map(Finish::MinBy),
        1 => by.prop_map(Finish::Sort),
        1 => keep().prop_map(Finish::Partition),
        1 => op().prop_map(Finish::Unzip),
        2 => (1..200_usize).prop_map(Finish::Stream),
        1 => op().prop_map(Finish::Sorted),
        1 => rows().prop_map(Finish::Compare),
        2 => keep().prop_map(Finish::FindFirst),
        1 => (keep(), op()).prop_map(|(keep, op)| Finish::FindMapFirst(keep, op)),
        1 => keep().prop_map(Finish::FindMapAny),
        1 => keep().prop_map(Finish::PositionAny),
        1 => keep().prop_map(Finish::TryForEach),
        1 => keep().prop_map(Finish::TryReduce),
    ]
}

fn on() -> impl Strategy<Value = Where> {
    let pools = 0..all_pools().count();
    let seeded = (0..1_u64 << 32, 2..5_usize).prop_map(|(seed, width)| Where::Seeded(seed, width));
    prop_oneof![12 => pools.prop_map(Where::Pool), 1 => seeded]
}

/// Any pipeline of up to six adapters.
pub(crate) fn pipeline() -> impl Strategy<Value = Pipeline> {
    let kind = prop_oneof![
        3 => Just(Kind::Integers),
        1 => Just(Kind::Reals),
        2 => Just(Kind::Texts),
    ];
    (kind, from(), vec(adapter(), 0..7), finish(), grain(), on()).prop_map(
        |(kind, from, adapters, finish, grain, on)| {
            Pipeline { kind, from, adapters, finish, grain, on }.normal()
        },
    )
}
