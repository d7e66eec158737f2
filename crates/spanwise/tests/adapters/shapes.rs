//! One chain for each adapter, over owned items, with what std or a naive loop makes of the same.

use spanwise::{Chain, control::Control, leaf::Rows, owned::Owned, prelude::*};

use crate::support::{Check, Item, Ledger, grained, on_every_backend, table};

pub(crate) type Source<'a, C> = Chain<Owned<Item<'a>>, Rows, C>;

/// What becomes of each item that comes out.
pub(crate) trait Each<'a>: Fn(Item<'a>) -> Result<Item<'a>, u32> + Sync {}

impl<'a, F: Fn(Item<'a>) -> Result<Item<'a>, u32> + Sync> Each<'a> for F {}

pub(crate) type Collected<'a> = Result<Vec<Item<'a>>, u32>;

pub(crate) trait Shape {
    const NAME: &'static str;

    fn run<'a, C: Control>(
        source: Source<'a, C>,
        rows: usize,
        ledger: &'a Ledger,
        each: impl Each<'a>,
    ) -> C::Out<Collected<'a>>;

    fn expected(ids: Vec<u32>) -> Vec<u32>;
}

/// Does something with every shape; a new adapter is a line here.
pub(crate) trait ForShape {
    fn shape<S: Shape>(&self);
}

pub(crate) fn every_shape(visit: &impl ForShape) {
    visit.shape::<Flatten>();
    visit.shape::<Update>();
    visit.shape::<StepBy>();
    visit.shape::<StepByRev>();
    visit.shape::<Chunks>();
    visit.shape::<ChunksRev>();
    visit.shape::<ZipEq>();
    visit.shape::<Interleave>();
    visit.shape::<InterleaveRev>();
    visit.shape::<Intersperse>();
    visit.shape::<IntersperseRev>();
    visit.shape::<MapInit>();
    visit.shape::<MapInitRev>();
    visit.shape::<Scan>();
    visit.shape::<ScanRev>();
    visit.shape::<ScanExclusive>();
    visit.shape::<ScanAfterFilter>();
    visit.shape::<Nested>();
}

macro_rules! shape {
    ($name:ident, |$source:ident, $rows:ident, $ledger:ident| $chain:expr, |$ids:ident| $expected:expr) => {
        pub(crate) struct $name;

        impl Shape for $name {
            const NAME: &'static str = stringify!($name);

            #[allow(unused_variables)]
            fn run<'a, C: Control>(
                $source: Source<'a, C>,
                $rows: usize,
                $ledger: &'a Ledger,
                each: impl Each<'a>,
            ) -> C::Out<Collected<'a>> {
                $chain.map(each).collect()
            }

            fn expected($ids: Vec<u32>) -> Vec<u32> {
                $expected
            }
        }
    };
}

shape!(Flatten, |source, rows, ledger| source.map(|x| vec![x.clone(), x]).flatten(), |ids| ids
    .into_iter()
    .flat_map(|id| [id, id])
    .collect());
shape!(Update, |source, rows, ledger| source.update(|x| x.id += 7), |ids| ids
    .into_iter()
    .map(|id| id + 7)
    .collect());
shape!(StepBy, |source, rows, ledger| source.step_by(3), |ids| ids
    .into_iter()
    .step_by(3)
    .collect());
shape!(StepByRev, |source, rows, ledger| source.step_by(7).rev(), |ids| ids
    .into_iter()
    .step_by(7)
    .rev_all());
shape!(
    Chunks,
    |source, rows, ledger| source.chunks(3).flat_map(|chunk| chunk.into_iter().rev()),
    |ids| ids.chunks(3).flat_map(|chunk| chunk.iter().rev().copied()).collect()
);
shape!(ChunksRev, |source, rows, ledger| source.chunks(4).rev().flatten(), |ids| ids
    .chunks(4)
    .rev()
    .flatten()
    .copied()
    .collect());
shape!(
    ZipEq,
    |source, rows, ledger| source.zip_eq(ledger.items(rows).into_iter()).map(|(mut x, y)| {
        x.id += y.id;
        drop(y);
        x
    }),
    |ids| ids.into_iter().map(|id| 2 * id).collect()
);
shape!(
    Interleave,
    |source, rows, ledger| source.interleave(ledger.items(rows / 2).into_iter()),
    |ids| {
        let fewer = ids.len() / 2;
        naive_interleave(&ids, &ids[..fewer])
    }
);
shape!(
    InterleaveRev,
    |source, rows, ledger| source.interleave(ledger.items(rows + 5).into_iter()).rev(),
    |ids| {
        let more: Vec<u32> = (0..ids.len() as u32 + 5).collect();
        naive_interleave(&ids, &more).into_iter().rev().collect()
    }
);
shape!(Intersperse, |source, rows, ledger| source.intersperse(ledger.item(7777)), |ids| {
    naive_intersperse(&ids, 7777)
});
shape!(
    IntersperseRev,
    |source, rows, ledger| source.intersperse(ledger.item(7777)).rev().skip(1),
    |ids| naive_intersperse(&ids, 7777).into_iter().rev().skip(1).collect()
);
shape!(MapInit, |source, rows, ledger| source.map_init(|| ledger.item(8888), |_, x| x), |ids| ids);
shape!(
    MapInitRev,
    |source, rows, ledger| source.map_init(|| ledger.item(8888), |_, x| x).rev(),
    |ids| ids.into_iter().rev().collect()
);
shape!(Scan, |source, rows, ledger| source.scan(ledger.item(5), after), |ids| naive_scan(&ids, 5));
shape!(ScanRev, |source, rows, ledger| source.scan(ledger.item(5), after).skip(2).rev(), |ids| {
    naive_scan(&ids, 5).into_iter().skip(2).rev().collect()
});
shape!(ScanExclusive, |source, rows, ledger| source.scan_exclusive(ledger.item(5), after), |ids| {
    naive_exclusive(&ids, 5)
});
shape!(
    ScanAfterFilter,
    |source, rows, ledger| source.filter(|x| x.id % 3 != 0).scan(ledger.item(5), after),
    |ids| naive_scan(&ids.into_iter().filter(|id| id % 3 != 0).collect::<Vec<_>>(), 5)
);
shape!(
    Nested,
    |source, rows, ledger| {
        let woven = source.step_by(2).intersperse(ledger.item(9)).scan(ledger.item(3), after);
        woven.interleave(ledger.items(40).into_iter()).chunks(5).rev().step_by(2).flatten()
    },
    |ids| {
        let woven = naive_intersperse(&ids.into_iter().step_by(2).collect::<Vec<_>>(), 9);
        let forty: Vec<u32> = (0..40).collect();
        let woven = naive_interleave(&naive_scan(&woven, 3), &forty);
        woven.chunks(5).rev().step_by(2).flatten().copied().collect()
    }
);

/// `x ↦ ax + b` modulo 2^16 twice: associative, and the order matters. The number holds `a` and `b`.
pub(crate) fn compose(first: u32, then: u32) -> u32 {
    let [a, b] = [first >> 16, first & 0xffff];
    let [c, d] = [then >> 16, then & 0xffff];
    (a.wrapping_mul(c) & 0xffff) << 16 | (b.wrapping_mul(c).wrapping_add(d) & 0xffff)
}

/// Small numbers with a slope, so that composing them loses nothing.
fn sloped(id: u32) -> u32 {
    if id >> 16 == 0 { (2 * id + 3) << 16 | id } else { id }
}

fn after<'a>(mut first: Item<'a>, then: Item<'a>) -> Item<'a> {
    first.id = compose(sloped(first.id), sloped(then.id));
    // Not left to the end of the function: rustc leaks a result when an argument's destructor panics.
    drop(then);
    first
}

fn naive_scan(ids: &[u32], init: u32) -> Vec<u32> {
    let scan = ids.iter().scan(init, |acc, id| {
        *acc = compose(sloped(*acc), sloped(*id));
        Some(*acc)
    });
    scan.collect()
}

fn naive_exclusive(ids: &[u32], init: u32) -> Vec<u32> {
    let mut acc = init;
    let before = ids.iter().map(|id| {
        let next = compose(sloped(acc), sloped(*id));
        std::mem::replace(&mut acc, next)
    });
    before.collect()
}

fn naive_interleave(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (mut woven, mut i) = (Vec::new(), 0);
    while i < a.len().max(b.len()) {
        woven.extend(a.get(i));
        woven.extend(b.get(i));
        i += 1;
    }
    woven
}

fn naive_intersperse(ids: &[u32], between: u32) -> Vec<u32> {
    let mut all: Vec<u32> = ids.iter().flat_map(|id| [*id, between]).collect();
    all.pop();
    all
}

/// `rev` for iterators of std that know no end.
trait RevAll: Iterator<Item = u32> + Sized {
    fn rev_all(self) -> Vec<u32> {
        let mut all: Vec<u32> = self.collect();
        all.reverse();
        all
    }
}

impl<I: Iterator<Item = u32>> RevAll for I {}

struct Equal;

impl ForShape for Equal {
    fn shape<S: Shape>(&self) {
        on_every_backend(&EqualOn::<S>(std::marker::PhantomData));
    }
}

struct EqualOn<S>(std::marker::PhantomData<S>);

impl<S: Shape> Check for EqualOn<S> {
    fn on<B: spanwise::backend::Backend>(&self, backend: &B) {
        for (n, grain) in table() {
            let ledger = Ledger::new();
            let source = grained(ledger.items(n).into_iter().par(backend), grain);
            let items = S::run(source, n, &ledger, Ok).expect("nothing is bad");
            let ids: Vec<u32> = items.iter().map(|item| item.id).collect();
            assert_eq!(ids, S::expected((0..n as u32).collect()), "{} of {n}, {grain:?}", S::NAME);
            drop(items);
            ledger.close(S::NAME);
        }
    }
}

#[test]
fn every_adapter_gives_what_std_gives() {
    every_shape(&Equal);
}
