//! std's adapters over iterators that are no clones.

use std::collections::BTreeMap;

use spanwise::prelude::*;

use super::backends;

#[test]
fn adapters_in_front_of_par() {
    for pool in backends() {
        for n in [0, 1, 2, 63, 64, 65, 1000] {
            let rows: Vec<u32> = (0..n).collect();
            let (mut ours, mut std) = (rows.clone(), rows.clone());
            ours.iter_mut().enumerate().par(pool).for_each(|(i, x)| *x += i as u32);
            ours.chunks_mut(3).enumerate().par(pool).for_each(|(i, xs)| xs[0] ^= i as u32);
            ours.chunks_exact_mut(4).rev().par(pool).for_each(<[u32]>::reverse);
            ours.rchunks_mut(5).skip(2).par(pool).for_each(|xs| xs.rotate_left(1));
            std.iter_mut().enumerate().for_each(|(i, x)| *x += i as u32);
            std.chunks_mut(3).enumerate().for_each(|(i, xs)| xs[0] ^= i as u32);
            std.chunks_exact_mut(4).rev().for_each(<[u32]>::reverse);
            std.rchunks_mut(5).skip(2).for_each(|xs| xs.rotate_left(1));
            ours.iter_mut()
                .skip(2)
                .step_by(3)
                .enumerate()
                .par(pool)
                .for_each(|(i, x)| *x += i as u32);
            ours.chunks_mut(7)
                .enumerate()
                .rev()
                .skip(1)
                .par(pool)
                .for_each(|(i, xs)| xs[0] += i as u32);
            std.iter_mut().skip(2).step_by(3).enumerate().for_each(|(i, x)| *x += i as u32);
            std.chunks_mut(7).enumerate().rev().skip(1).for_each(|(i, xs)| xs[0] += i as u32);
            assert_eq!(ours, std);

            let map: BTreeMap<u32, u32> = rows.iter().map(|x| (*x, x * x)).collect();
            let pairs: Vec<_> = map.iter().enumerate().par(pool).collect();
            assert!(pairs.into_iter().eq(map.iter().enumerate()));
            let last: Vec<_> = map.into_iter().rev().take(9).par(pool).collect();
            assert!(last.into_iter().eq(rows.iter().rev().take(9).map(|x| (*x, x * x))));

            let owned = || rows.iter().map(u32::to_string).collect::<Vec<_>>().into_iter();
            assert!(owned().rev().par(pool).collect::<Vec<_>>().into_iter().eq(owned().rev()));
            assert!(owned().skip(7).par(pool).collect::<Vec<_>>().into_iter().eq(owned().skip(7)));
            assert!(
                owned().step_by(3).par(pool).collect::<Vec<_>>().into_iter().eq(owned().step_by(3))
            );
            assert_eq!(owned().take(9).par(pool).enumerate().count(), rows.len().min(9));
            assert_eq!([1, 2, 3].into_iter().rev().par(pool).collect::<Vec<_>>(), [3, 2, 1]);
        }
    }
}
