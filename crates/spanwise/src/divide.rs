//! One chain into two collections: `partition`, `partition_map` and `unzip`. In comes a chain, out
//! come two collections of whatever std can make of an iterator, each in input order.

use std::marker::PhantomData;

use crate::{
    chain::Chain,
    collect::FromChain,
    control::{Control, Stopped},
    front::CountOf,
    gather::gathered,
    input::Input,
    leaf::{Count, Leaf},
    pair::fill_two,
    terminal::{Terminal, whole},
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// The items for which `left` is true and those for which it is not, each in input order.
    ///
    /// Each half is made as `collect` makes it after `filter`: an item moves once into a piece and once
    /// into its collection, which std builds. A panic of `left` reaches the caller and every item is
    /// dropped once.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let (even, odd): (Vec<_>, Vec<_>) = (0..7).par(&pool).partition(|x| x % 2 == 0);
    /// assert_eq!((even, odd), (vec![0, 2, 4, 6], vec![1, 3, 5]));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn partition<A, B, P>(self, left: P) -> C::Out<(A, B)>
    where
        L::Item: Send,
        A: FromIterator<L::Item>,
        B: FromIterator<L::Item>,
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.partition_map(|item| if left(&item) { Ok(item) } else { Err(item) })
    }

    /// What `f` gives in `Ok` and what it gives in `Err`, each in input order.
    ///
    /// `Result` is merely the type with two ways here: an `Err` stops nothing. The cost is that of
    /// [`partition`](Self::partition). A panic of `f` reaches the caller and every item is dropped
    /// once.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let (numbers, words): (Vec<i32>, Vec<&str>) =
    ///     ["1", "a", "2"].par(&pool).partition_map(|&text| text.parse().map_err(|_| text));
    /// assert_eq!((numbers, words), (vec![1, 2], vec!["a"]));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn partition_map<A, B, X, Y, F>(self, f: F) -> C::Out<(A, B)>
    where
        X: Send,
        Y: Send,
        A: FromIterator<X>,
        B: FromIterator<Y>,
        F: Fn(L::Item) -> Result<X, Y> + Sync,
    {
        let chain = self.map(f);
        let halves = halves(chain.input, &chain.leaf, &chain.control, |xs, ys, way| match way {
            Ok(x) => xs.push(x),
            Err(y) => ys.push(y),
        });
        chain.control.finish(halves, collected)
    }

    /// The halves of the pairs, in two collections, each in input order.
    ///
    /// Where an item comes of each row both vectors are written in place, once; after `filter` and the
    /// like each item moves once more. Other collections are made of the vectors by std. A panic in
    /// the chain reaches the caller and every item is dropped once.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let (digits, text): (Vec<u32>, String) =
    ///     (0..5).par(&pool).map(|i| (i, char::from_digit(i, 10).unwrap())).unzip();
    /// assert_eq!((digits, text.as_str()), (vec![0, 1, 2, 3, 4], "01234"));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn unzip<X, Y, A, B>(self) -> C::Out<(A, B)>
    where
        X: Send,
        Y: Send,
        L: Leaf<I::Span, Item = (X, Y)>,
        A: FromIterator<X>,
        B: FromIterator<Y>,
    {
        let Self { input, leaf, control } = self;
        let both = if <CountOf<I, L>>::EXACT {
            input.open(&control).and_then(|rows| fill_two(rows, &leaf, &control))
        } else {
            halves(input, &leaf, &control, |xs, ys, (x, y)| {
                xs.push(x);
                ys.push(y);
            })
        };
        control.finish(both, collected)
    }
}

/// The halves of pairs, each into its own collection, as `unzip`.
impl<A, B, X, Y> FromChain<(X, Y)> for (A, B)
where
    X: Send,
    Y: Send,
    A: FromIterator<X>,
    B: FromIterator<Y>,
{
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = (X, Y)>,
        C: Control,
    {
        chain.unzip()
    }
}

/// Std gives a vector's own buffer back where a vector is wanted.
fn collected<X, Y, A, B>((xs, ys): (Vec<X>, Vec<Y>)) -> (A, B)
where
    A: FromIterator<X>,
    B: FromIterator<Y>,
{
    (xs.into_iter().collect(), ys.into_iter().collect())
}

/// All items, put into two vectors.
fn halves<I, L, C, X, Y, F>(
    input: I,
    leaf: &L,
    control: &C,
    put: F,
) -> Result<(Vec<X>, Vec<Y>), Stopped>
where
    I: Input,
    L: Leaf<I::Span>,
    C: Control,
    X: Send,
    Y: Send,
    F: Fn(&mut Vec<X>, &mut Vec<Y>, L::Item) + Sync,
{
    let halves = whole(input, leaf, control, &Halve { put, items: PhantomData })?;
    let (xs, ys) = halves.into_iter().unzip();
    Ok((gathered(xs), gathered(ys)))
}

/// Puts items into pieces, two for each run.
struct Halve<X, Y, F> {
    put: F,
    items: PhantomData<fn() -> (X, Y)>,
}

impl<T, X, Y, F> Terminal<T> for Halve<X, Y, F>
where
    X: Send,
    Y: Send,
    F: Fn(&mut Vec<X>, &mut Vec<Y>, T) + Sync,
{
    type Partial = Vec<(Vec<X>, Vec<Y>)>;

    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Self::Partial {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        items.for_each(|item| (self.put)(&mut xs, &mut ys, item));
        vec![(xs, ys)]
    }

    fn merge(&self, mut left: Self::Partial, mut right: Self::Partial) -> Self::Partial {
        left.append(&mut right);
        left
    }

    fn run_on(
        &self,
        mut left: Self::Partial,
        at: usize,
        items: impl Iterator<Item = T>,
    ) -> Self::Partial {
        match left.last_mut() {
            None => self.run(at, items),
            Some((xs, ys)) => {
                items.for_each(|item| (self.put)(xs, ys, item));
                left
            }
        }
    }
}
