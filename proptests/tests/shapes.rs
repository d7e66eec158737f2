//! Every adapter against std's, alone and with the others, on random rows, with random functions,
//! grains and terminals.

use proptest::prelude::*;
use spanwise_proptests::{
    ends::{End, Few, end, few},
    generate::{check, grain, keep, op, program, rows, some},
    program::{Keep, Op, Program},
    shape,
};

const CASES: u32 = 192;

/// What a shape is filled with.
#[derive(Clone, Debug)]
struct Case {
    xs: Vec<i64>,
    ys: Vec<i64>,
    f: Op,
    g: Op,
    p: Keep,
    q: Keep,
    program: Program,
    n: usize,
    m: usize,
    grain: Option<usize>,
    end: End,
    few: Few,
}

fn cases() -> impl Strategy<Value = Case> {
    let functions = (op(), op(), keep(), keep(), program());
    (rows(), rows(), functions, some(), some(), grain(), (end(), few())).prop_map(
        |(xs, ys, (f, g, p, q, program), n, m, grain, (end, few))| Case {
            xs,
            ys,
            f,
            g,
            p,
            q,
            program,
            n,
            m,
            grain,
            end,
            few,
        },
    )
}

#[test]
fn map_filter_filter_map_flat_map() {
    check(CASES, cases(), |case| {
        let Case { xs, f, g, p, q, program, grain, end, few, .. } = case;
        shape!(grain, &end, |on| on.of(&xs));
        shape!(grain, &few, |on| on.of(&xs).map(|&x| f.of(x)));
        shape!(grain, &few, |on| on.of(&xs).filter(|&&x| p.of(x)));
        shape!(grain, &few, |on| on.of(&xs).filter_map(|&x| if p.of(x) {
            Some(f.of(x))
        } else {
            None
        }));
        shape!(grain, &few, |on| on.of(&xs).flat_map(|&x| program.of(x)));
        shape!(grain, &end, |on| on
            .of(&xs)
            .map(|x| f.of(*x))
            .filter(|&x| p.of(x))
            .map(|x| g.of(x)));
        shape!(grain, &few, |on| {
            on.of(&xs).flat_map(|&x| program.of(x)).filter(|&x| p.of(x)).filter(|&x| q.of(x))
        });
        shape!(grain, &few, |on| {
            on.of(&xs).filter_map(|&x| p.of(x).then_some(x)).flat_map(|x| q.of(x).then(|| g.of(x)))
        });
    });
}

#[test]
fn copied_cloned_enumerate_rev() {
    check(CASES, cases(), |case| {
        let Case { xs, f, p, grain, end, few, .. } = case;
        let boxed: Vec<_> = xs.iter().copied().map(Box::new).collect();
        shape!(grain, &few, |on| on.of(&xs).copied());
        shape!(grain, &few, |on| on.of(&boxed).cloned());
        shape!(grain, &few, |on| on.of(&xs).enumerate());
        shape!(grain, &few, |on| on.of(&xs).rev());
        shape!(grain, &end, |on| on.of(&xs).copied().enumerate().rev());
        shape!(grain, &few, |on| on.of(&boxed).cloned().rev().enumerate());
        shape!(grain, &few, |on| on.of(&xs).rev().map(|&x| f.of(x)).rev().filter(|&x| p.of(x)));
        shape!(grain, &few, |on| on.of(&xs).rev().enumerate().rev().enumerate());
    });
}

#[test]
fn skip_take() {
    check(CASES, cases(), |case| {
        let Case { xs, f, n, m, grain, end, few, .. } = case;
        shape!(grain, &few, |on| on.of(&xs).skip(n));
        shape!(grain, &few, |on| on.of(&xs).take(n));
        shape!(grain, &end, |on| on.of(&xs).skip(n).take(m));
        shape!(grain, &few, |on| on.of(&xs).take(n).skip(m).enumerate());
        shape!(grain, &few, |on| on.of(&xs).enumerate().skip(n).rev().take(m));
        shape!(grain, &few, |on| on.of(&xs).rev().skip(n).map(|&x| f.of(x)).rev().skip(m));
        shape!(grain, &few, |on| on.of(xs.clone().into_iter()).skip(n).take(m).rev());
    });
}

#[test]
fn zip() {
    check(CASES, cases(), |case| {
        let Case { xs, ys, f, p, n, m, grain, end, few, .. } = case;
        shape!(grain, &end, |on| on.of(&xs).zip(&ys));
        shape!(grain, &few, |on| on.of(&xs).zip(ys.iter()).rev());
        shape!(grain, &few, |on| on.of(&xs).zip(0..n));
        shape!(grain, &few, |on| on.of(0..n.min(2000)).zip(&ys).skip(m));
        shape!(grain, &few, |on| on.of(&xs).skip(n).zip(on.of(&ys).rev().map(|&y| f.of(y))));
        shape!(grain, &few, |on| on.of(&xs).zip(on.of(&ys).enumerate().skip(n)).take(m));
        shape!(grain, &few, |on| {
            on.of(&xs)
                .zip(on.of(&ys).zip(&xs))
                .filter(|x| p.of(*x.0))
                .map(|(x, (y, z))| (z, (y, x)))
        });
        shape!(grain, &few, |on| on.of(xs.clone().into_iter()).zip(ys.clone().into_iter()).rev());
    });
}

#[test]
fn chain() {
    check(CASES, cases(), |case| {
        let Case { xs, ys, f, p, q, program, n, m, grain, end, few, .. } = case;
        shape!(grain, &few, |on| on.of(&xs).chain(&ys));
        shape!(grain, &end, |on| on.of(&xs).chain(&ys).rev());
        shape!(grain, &few, |on| on.of(&xs).chain(on.of(&ys).rev()).skip(n).take(m).enumerate());
        shape!(grain, &few, |on| on.of(&xs).filter(|&&x| p.of(x)).chain(&ys));
        shape!(grain, &few, |on| on.of(&xs).chain(on.of(&ys).filter(|&&y| p.of(y))));
        shape!(grain, &few, |on| on.of(&xs).chain(&ys).zip(on.of(&ys).chain(&xs).chain(&xs)));
        shape!(grain, &few, |on| {
            let ys = on.of(ys.clone().into_iter()).flat_map(|y| program.of(y));
            on.of(xs.clone().into_iter()).map(|x| f.of(x)).chain(ys).filter(|&x| q.of(x))
        });
    });
}

#[test]
fn inspect_sees_each_item_once() {
    use spanwise_proptests::{backends::pools, shape::On};
    use std::sync::Mutex;

    check(CASES, cases(), |Case { xs, f, p, grain, few, .. }| {
        shape!(grain, &few, |on| on.of(&xs).inspect(|_| ()).map(|&x| f.of(x)).rev());
        for pool in pools() {
            let (early, late) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
            let chain = On { pool, grain }.of(&xs).inspect(|&&x| early.lock().unwrap().push(x));
            let kept =
                chain.filter(|&&x| p.of(x)).inspect(|&&x| late.lock().unwrap().push(x)).count();
            let mut seen = [early, late].map(|seen| seen.into_inner().unwrap());
            seen.iter_mut().for_each(|seen| seen.sort_unstable());
            let mut expected = [xs.clone(), xs.iter().copied().filter(|&x| p.of(x)).collect()];
            expected.iter_mut().for_each(|expected| expected.sort_unstable());
            assert_eq!(seen, expected, "{pool:?}");
            assert_eq!(kept, expected[1].len(), "{pool:?}");
        }
    });
}
