//! Sources that are written through: the rows afterwards are what std's serial loop leaves.

use std::{
    collections::{BTreeMap, HashMap, LinkedList, VecDeque},
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
};

use spanwise::{CancelToken, Stopped, prelude::*};

use crate::{GRAINS, LENGTHS, backends, grained};

/// Applies both to copies of the rows.
fn both<R: Clone + PartialEq + Debug>(
    what: &str,
    rows: &R,
    parallel: impl FnOnce(&mut R),
    serial: impl FnOnce(&mut R),
) {
    let (mut ours, mut stds) = (rows.clone(), rows.clone());
    parallel(&mut ours);
    serial(&mut stds);
    assert_eq!(ours, stds, "{what}");
}

/// Marks each row of a piece with the piece's index and the row's place in it.
fn mark((index, piece): (usize, &mut [usize])) {
    piece.iter_mut().enumerate().for_each(|(place, row)| *row += index * 1000 + place);
}

#[test]
fn mutable_chunks() {
    for pool in backends() {
        for n in LENGTHS {
            let rows: Vec<usize> = (0..n).collect();
            for (k, grain) in [1, 2, 7, 64, 10_000].into_iter().flat_map(|k| GRAINS.map(|g| (k, g)))
            {
                let what = format!("{n} rows by {k}, grain {grain:?}");
                both(
                    &what,
                    &rows,
                    |rows| grained(rows.chunks_mut(k).par(pool), grain).enumerate().for_each(mark),
                    |rows| rows.chunks_mut(k).enumerate().for_each(mark),
                );
                both(
                    &what,
                    &rows,
                    |rows| {
                        grained(rows.chunks_exact_mut(k).par(pool), grain)
                            .enumerate()
                            .for_each(mark);
                    },
                    |rows| rows.chunks_exact_mut(k).enumerate().for_each(mark),
                );
                both(
                    &what,
                    &rows,
                    |rows| grained(rows.rchunks_mut(k).par(pool), grain).enumerate().for_each(mark),
                    |rows| rows.rchunks_mut(k).enumerate().for_each(mark),
                );
                both(
                    &what,
                    &rows,
                    |rows| {
                        let pieces = rows.rchunks_exact_mut(k).par(pool).rev();
                        grained(pieces, grain).enumerate().for_each(mark);
                    },
                    |rows| rows.rchunks_exact_mut(k).rev().enumerate().for_each(mark),
                );
                let others: Vec<usize> = (0..n + n / 2).map(|i| i * 3).collect();
                let add = |(piece, others): (&mut [usize], &[usize])| {
                    piece.iter_mut().zip(others).for_each(|(row, other)| *row += other);
                };
                both(
                    &what,
                    &rows,
                    |rows| {
                        let pieces = rows.chunks_mut(k).par(pool).zip(others.chunks(k));
                        grained(pieces, grain).enumerate().for_each(|(_, pair)| add(pair));
                    },
                    |rows| rows.chunks_mut(k).zip(others.chunks(k)).for_each(add),
                );
                both(
                    &what,
                    &rows,
                    |rows| {
                        // Mutable on both sides, and fewer on the second.
                        let mut copy = rows[n / 2..].to_vec();
                        let pieces = rows.chunks_mut(k).par(pool).zip(copy.chunks_mut(k));
                        grained(pieces, grain).for_each(|(piece, others)| add((piece, others)));
                    },
                    |rows| {
                        let copy = rows[n / 2..].to_vec();
                        rows.chunks_mut(k).zip(copy.chunks(k)).for_each(add);
                    },
                );
            }
            both(
                "chunk_by_mut",
                &rows,
                |rows| {
                    rows.chunk_by_mut(|x, y| x / 9 == y / 9).par(pool).enumerate().for_each(mark);
                },
                |rows| rows.chunk_by_mut(|x, y| x / 9 == y / 9).enumerate().for_each(mark),
            );
        }
    }
}

#[test]
fn collections_in_place() {
    for pool in backends() {
        for n in LENGTHS {
            let mut deque: VecDeque<usize> = (0..n).collect();
            deque.rotate_left(n / 3);
            (0..n / 4).for_each(|i| deque.push_front(i));
            let triple = |x: &mut usize| *x = *x * 3 + 1;
            for grain in GRAINS {
                both(
                    "&mut VecDeque",
                    &deque,
                    |rows| grained(rows.par(pool), grain).for_each(triple),
                    |rows| rows.iter_mut().for_each(triple),
                );
                both(
                    "VecDeque::iter_mut",
                    &deque,
                    |rows| {
                        let indexed = grained(rows.iter_mut().par(pool), grain).enumerate();
                        indexed.for_each(|(i, x)| *x += i);
                    },
                    |rows| rows.iter_mut().enumerate().for_each(|(i, x)| *x += i),
                );
                let boxed: Box<[usize]> = (0..n).collect();
                both(
                    "&mut Box",
                    &boxed,
                    |rows| grained(rows.par(pool), grain).for_each(triple),
                    |rows| rows.iter_mut().for_each(triple),
                );
            }
            let hash: HashMap<usize, usize> = (0..n).map(|i| (i, i)).collect();
            both(
                "&mut HashMap",
                &hash,
                |map| map.par(pool).for_each(|(k, v)| *v += k),
                |map| map.iter_mut().for_each(|(k, v)| *v += k),
            );
            both(
                "HashMap::values_mut",
                &hash,
                |map| map.values_mut().par(pool).for_each(triple),
                |map| map.values_mut().for_each(triple),
            );
            let tree: BTreeMap<usize, usize> = (0..n).map(|i| (i, i)).collect();
            both(
                "BTreeMap::iter_mut",
                &tree,
                |map| map.iter_mut().par(pool).for_each(|(k, v)| *v += k),
                |map| map.iter_mut().for_each(|(k, v)| *v += k),
            );
            both(
                "BTreeMap::range_mut",
                &tree,
                |map| map.range_mut(n / 2..).par(pool).for_each(|(k, v)| *v += k),
                |map| map.range_mut(n / 2..).for_each(|(k, v)| *v += k),
            );
            let list: LinkedList<usize> = (0..n).collect();
            both(
                "&mut LinkedList",
                &list,
                |list| list.par(pool).for_each(triple),
                |list| list.iter_mut().for_each(triple),
            );
        }
        for option in [None, Some(3)] {
            both(
                "&mut Option",
                &option,
                |option| option.par(pool).for_each(|x| *x += 1),
                |option| option.iter_mut().for_each(|x| *x += 1),
            );
        }
    }
}

#[test]
fn items_taken_out() {
    for pool in backends() {
        for n in LENGTHS {
            let range = n / 4..n / 2 + n / 3;
            let (mut ours, mut stds): (Vec<_>, Vec<_>) =
                (0..n).map(|i| (i.to_string(), i.to_string())).unzip();
            let drained: Vec<String> = ours.drain(range.clone()).par(pool).collect();
            assert_eq!(drained, stds.drain(range.clone()).collect::<Vec<_>>());
            assert_eq!(ours, stds);
            // Items that no terminal takes are gone all the same.
            assert_eq!(ours.drain(..).par(pool).find_first(|_| true), stds.first().cloned());
            assert!(ours.is_empty());
            let mut deque: VecDeque<String> = stds.drain(..).collect();
            let by_std = deque.clone();
            assert_eq!(deque.drain(..).par(pool).collect::<VecDeque<_>>(), by_std);
            assert!(deque.is_empty());
            let map: HashMap<usize, String> = (0..n).map(|i| (i, i.to_string())).collect();
            assert_eq!(map.clone().into_iter().par(pool).collect::<HashMap<_, _>>(), map);
            assert_eq!(map.clone().into_keys().par(pool).sum::<usize>(), (0..n).sum());
            assert_eq!(map.clone().into_values().par(pool).count(), n);
        }
    }
}

/// Pieces behind a stop or a panic are left alone, and the pool goes on.
#[test]
fn mutable_chunks_stop() {
    for pool in backends() {
        let mut rows = vec![0_u8; 5000];
        let token = CancelToken::new();
        token.cancel();
        let chunks = rows.chunks_mut(3).par(pool).until(&token);
        assert_eq!(chunks.for_each(|chunk| chunk.fill(1)), Err(Stopped::Cancelled));
        assert!(rows.iter().all(|&row| row == 0));
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let chunks = rows.chunks_mut(7).par(pool).with_grain(1).enumerate();
            chunks.for_each(|(index, chunk)| {
                assert!(index != 50, "chunk 50");
                chunk.fill(1);
            });
        }));
        assert_eq!(unwound.unwrap_err().downcast_ref(), Some(&"chunk 50"));
        assert!(rows[350..357].iter().all(|&row| row == 0));
        rows.rchunks_mut(7).par(pool).for_each(|chunk| chunk.fill(2));
        assert!(rows.iter().all(|&row| row == 2));
    }
}
