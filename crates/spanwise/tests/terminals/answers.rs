//! Terminals that look, compare and judge.

use spanwise::{backend::Backend, prelude::*};

use super::*;

fn hits(pool: &impl Backend) {
    each_case(|rows, grain| {
        let chain = || rows.par(pool).grain(grain).copied();
        let serial = || rows.iter().copied();
        let odd = |x: &i64| x % 2 != 0;
        assert_eq!(chain().first(), serial().next());
        assert_eq!(chain().last(), serial().last());
        assert_eq!(chain().filter(odd).first(), serial().find(odd));
        assert_eq!(chain().filter(odd).last(), serial().rfind(odd));
        for wanted in [0, 41, 90, 1000] {
            let same = |x: i64| (x == wanted).then_some(-x);
            assert_eq!(chain().find_map_first(same), serial().find_map(same));
            assert_eq!(chain().find_map_any(same), serial().find_map(same));
            let position = chain().position_any(|x| x == wanted);
            assert_eq!(position.is_some(), rows.contains(&wanted));
            assert!(position.is_none_or(|i| rows[i] == wanted));
            let left: Vec<_> = serial().filter(odd).collect();
            let position = chain().filter(odd).position_any(|x| x == wanted);
            assert_eq!(position, left.iter().position(|&x| x == wanted));
        }
        let tags = tagged(rows);
        let extremes = tags.par(pool).grain(grain).copied().minmax();
        let expected = tags.iter().min().zip(tags.iter().max());
        let both = |(least, greatest): (Tagged, Tagged)| (least.both(), greatest.both());
        assert_eq!(extremes.map(both), expected.map(|(x, y)| both((*x, *y))));
    });
}

#[test]
fn hits_and_extremes_are_stds() {
    on_every_backend!(hits);
}

fn sorted(pool: &impl Backend) {
    each_case(|rows, grain| {
        let n = rows.len() as i64;
        for fall in [1, 2, n / 2, n - 1, n] {
            let number = |i: i64| if i == fall { -1 } else { i / 2 };
            let chain = || (0..n).par(pool).grain(grain).map(number);
            let serial = || (0..n).map(number);
            assert_eq!(chain().is_sorted(), serial().is_sorted());
            assert_eq!(chain().is_sorted_by(|x, y| x < y), serial().is_sorted_by(|x, y| x < y));
            assert_eq!(chain().is_sorted_by_key(|x| -x), serial().is_sorted_by_key(|x| -x));
            let some = |x: &i64| x % 3 == 0;
            assert_eq!(chain().filter(some).is_sorted(), serial().filter(some).is_sorted());
        }
        let floats: Vec<f64> =
            (0..n).map(|i| if i == n / 2 { f64::NAN } else { i as f64 }).collect();
        assert_eq!(floats.par(pool).grain(grain).is_sorted(), floats.is_sorted());
    });
}

#[test]
fn sorted_means_what_std_means() {
    on_every_backend!(sorted);
}

fn comparisons(pool: &impl Backend) {
    each_case(|rows, grain| {
        let n = rows.len();
        let mut others = vec![rows.to_vec(), rows[..n / 2].to_vec(), [rows, &[1]].concat(), vec![]];
        for (at, by) in [(0, 1), (n / 2, -1), (n.saturating_sub(1), 1)] {
            let mut other = rows.to_vec();
            other.iter_mut().skip(at).take(1).for_each(|x| *x += by);
            other.truncate(n - at % 2);
            others.push(other);
        }
        for other in others {
            let chain = || rows.par(pool).grain(grain).copied();
            let (x, y) = (rows.iter().copied(), other.iter().copied());
            let right = || other.par(pool).copied();
            assert_eq!(chain().eq(right()), x.clone().eq(y.clone()));
            assert_eq!(chain().ne(other.clone().into_iter()), x.clone().ne(y.clone()));
            assert_eq!(chain().cmp(right()), x.clone().cmp(y.clone()));
            assert_eq!(chain().lt(right()), x.clone().lt(y.clone()));
            assert_eq!(chain().le(right()), x.clone().le(y.clone()));
            assert_eq!(chain().gt(right()), x.clone().gt(y.clone()));
            assert_eq!(chain().ge(right()), x.clone().ge(y.clone()));
            assert_eq!(
                rows.par(pool).grain(grain).partial_cmp(&other),
                rows.iter().partial_cmp(&other)
            );
            // Where rows are no items: on either side, and on both.
            let odd = |x: &i64| x % 2 != 0;
            let (odd_x, odd_y) = (x.clone().filter(odd), y.clone().filter(odd));
            let odds = || chain().filter(odd);
            assert_eq!(odds().cmp(right()), odd_x.clone().cmp(y.clone()));
            assert_eq!(chain().cmp(right().filter(odd)), x.clone().cmp(odd_y.clone()));
            assert_eq!(odds().eq(right().filter(odd)), odd_x.eq(odd_y));
        }
        for at in [0, n / 2, n] {
            let bad = |i: usize| if i == at { f64::NAN } else { 1.0 };
            let (x, y) = ((0..n).map(bad), (0..n).map(|_| 1.0));
            let chain = || (0..n).par(pool).grain(grain).map(bad);
            let ones = || (0..n).par(pool).map(|_| 1.0);
            assert_eq!(chain().partial_cmp(ones()), x.clone().partial_cmp(y.clone()));
            assert_eq!(chain().le(ones()), x.clone().le(y.clone()));
            assert_eq!(chain().ge(ones()), x.clone().ge(y.clone()));
            assert_eq!(chain().eq(ones()), x.eq(y));
        }
    });
}

#[test]
fn comparisons_are_lexicographic() {
    on_every_backend!(comparisons);
}
