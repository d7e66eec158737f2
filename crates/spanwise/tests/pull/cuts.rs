//! Chains that begin or end where an item says.

use std::{
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};

use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

use crate::{Check, LENGTHS, everywhere, rows};

#[test]
fn filtered_chains_are_cut_where_std_cuts_them() {
    struct Cuts;
    impl Check for Cuts {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let rows = rows(n);
                for k in [0, 1, 2, 30, 500, 3000, usize::MAX] {
                    for grain in [1, 64, 999] {
                        let par =
                            || rows.par(pool).with_grain(grain).filter(|x| *x % 3 != 0).copied();
                        let std = || rows.iter().filter(|x| *x % 3 != 0).copied();
                        assert_eq!(
                            par().skip(k).collect::<Vec<_>>(),
                            std().skip(k).collect::<Vec<_>>()
                        );
                        assert_eq!(
                            par().take(k).collect::<Vec<_>>(),
                            std().take(k).collect::<Vec<_>>()
                        );
                        assert_eq!(par().skip(k).take(5).sum::<u64>(), std().skip(k).take(5).sum());
                        assert_eq!(
                            par().take(k).enumerate().last_pair(),
                            std().take(k).enumerate().last()
                        );
                        let small = |x: &u64| *x as usize <= k.saturating_mul(2);
                        assert_eq!(
                            par().take_while(small).collect::<Vec<_>>(),
                            std().take_while(small).collect::<Vec<_>>()
                        );
                        assert_eq!(
                            par().skip_while(small).map(|x| x + 1).collect::<Vec<_>>(),
                            std().skip_while(small).map(|x| x + 1).collect::<Vec<_>>()
                        );
                        let halve = |x: u64| (x as usize <= k).then_some(x / 2);
                        assert_eq!(
                            par().map_while(halve).collect::<Vec<_>>(),
                            std().map_while(halve).collect::<Vec<_>>()
                        );
                    }
                }
            }
        }
    }
    everywhere(Cuts);
}

/// Where the leaves behind a border begin may depend on no width and no timing.
#[test]
fn what_follows_a_border_has_the_same_bits_everywhere() {
    struct Bits;
    impl Check for Bits {
        fn on(&self, pool: &impl Backend) {
            fn sums(rows: &[f64], pool: &impl Backend, skipped: usize) -> [u64; 2] {
                let slow = |x: &f64| {
                    if (*x * 10.0) as u32 % 301 == 0 {
                        thread::yield_now();
                    }
                    *x > 20.0
                };
                let chain = || rows.par(pool).copied().filter(slow);
                let small = |x: &f64| *x < skipped as f64 / 250.0;
                [
                    chain().skip(skipped).sum::<f64>().to_bits(),
                    chain().skip_while(small).fold(|| 0.0, |a, x| a - x, |a, b| a - b).to_bits(),
                ]
            }
            let rows: Vec<f64> = (0..30_000).map(|i| f64::from(i * 7919 % 1009) * 0.1).collect();
            for skipped in [0, 1, 300, 10_000, 23_000, 50_000] {
                assert_eq!(
                    sums(&rows, pool, skipped),
                    sums(&rows, &Serial, skipped),
                    "{skipped} skipped"
                );
            }
        }
    }
    everywhere(Bits);
}

/// The last item, by what this crate has.
trait LastPair {
    fn last_pair(self) -> Option<(usize, u64)>;
}

impl<I, L, C> LastPair for spanwise::Chain<I, L, C>
where
    I: spanwise::input::Input,
    L: spanwise::leaf::Leaf<I::Span, Item = (usize, u64)>,
    C: spanwise::control::Control<Out<Option<(usize, u64)>> = Option<(usize, u64)>>,
{
    fn last_pair(self) -> Option<(usize, u64)> {
        self.reduce(|_, pair| pair)
    }
}

#[test]
fn looking_from_the_front_scans_little_behind_the_answer() {
    struct Scans;
    impl Check for Scans {
        fn on(&self, pool: &impl Backend) {
            let calls = AtomicUsize::new(0);
            let is = |x: u32, wanted: u32| {
                calls.fetch_add(1, SeqCst);
                x == wanted
            };
            let chain = || (0..100_000_000_u32).par(pool).filter(|x| x % 2 == 0);
            assert_eq!(chain().find_first(|x| is(*x, 200_000)), Some(200_000));
            assert!(calls.swap(0, SeqCst) < 400_000);
            assert_eq!(chain().position_first(|x| is(x, 200_000)), Some(100_000));
            assert!(calls.swap(0, SeqCst) < 400_000);
            let taken = chain().inspect(|_| assert!(calls.fetch_add(1, SeqCst) < 2_000_000));
            assert_eq!(taken.take(100_000).count(), 100_000);
        }
    }
    // With many more threads than processors one that is not let run holds up what is known in front.
    Scans.on(&Serial);
    for width in [1, 2, 3, 8] {
        Scans.on(&DequePool::new(width).unwrap());
        Scans.on(&RayonPool::new(width).unwrap());
    }
}
