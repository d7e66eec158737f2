//! `collect` and `collect_into`. In comes a chain, out comes a collection with its items in input
//! order; [`FromChain`] says what can be collected.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    ffi::{OsStr, OsString},
    hash::{BuildHasher, Hash},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use crate::{
    attempt::attempt,
    chain::Chain,
    control::{Control, Stopped},
    fill::fill,
    front::CountOf,
    gather::{Gather, append, joined},
    input::Input,
    leaf::{Count, Leaf},
    terminal::whole,
};

/// What a chain of `T` can be collected into: what std's `FromIterator` gives, and the same value.
#[diagnostic::on_unimplemented(
    message = "a chain of `{T}` cannot be collected into `{Self}`",
    note = "for a chain of references, `copied` or `cloned` gives the items themselves"
)]
pub trait FromChain<T>: Sized {
    /// Runs the chain and collects.
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control;
}

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Collects the items, in input order.
    ///
    /// Vectors of chains with an exact length are written in place, once; after `filter` and the like
    /// each item moves once more. Maps and sets insert in input order, so a later key wins as it does
    /// in std. `Result` and `Option` give the first error in input order and stop the rest.
    ///
    /// # Panics
    ///
    /// As std if there is no memory for that many items.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let numbers: Result<Vec<i32>, _> = ["1", "x", "y"].par(&pool).map(|s| s.parse()).collect();
    /// assert_eq!(numbers, "x".parse::<i32>().map(|_| vec![]));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn collect<T: FromChain<L::Item>>(self) -> C::Out<T> {
        T::from_chain(self)
    }

    /// Appends the items to `vec`, in input order, and gives it back. A panic leaves it as it was.
    pub fn collect_into(self, vec: &mut Vec<L::Item>) -> C::Out<&mut Vec<L::Item>>
    where
        L::Item: Send,
    {
        let collected = collect_into(self.input, &self.leaf, &self.control, vec);
        self.control.finish(collected, |()| vec)
    }
}

/// By reference where it can be: a chain is a large thing to copy for a call of ten rows.
fn collect_into<I, L, C>(
    input: I,
    leaf: &L,
    control: &C,
    vec: &mut Vec<L::Item>,
) -> Result<(), Stopped>
where
    I: Input,
    L: Leaf<I::Span, Item: Send>,
    C: Control,
{
    if <CountOf<I, L>>::EXACT {
        return fill(input.open(control)?, leaf, control, vec);
    }
    append(whole(input, leaf, control, &Gather::new())?, vec);
    Ok(())
}

impl<T: Send> FromChain<T> for Vec<T> {
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        let mut vec = Self::new();
        let collected = collect_into(chain.input, &chain.leaf, &chain.control, &mut vec);
        chain.control.finish(collected, |()| vec)
    }
}

/// Text is made in pieces and joined: of characters, strings, and whatever else std makes it of.
impl<T> FromChain<T> for String
where
    Self: Extend<T>,
{
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        chain.whole(&Gather::<Self>::new(), joined)
    }
}

impl<T> FromChain<T> for Box<str>
where
    String: Extend<T>,
{
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        C::map(chain.collect::<String>(), String::into_boxed_str)
    }
}

/// Always owned, as std's.
impl<T> FromChain<T> for Cow<'_, str>
where
    String: Extend<T>,
{
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        C::map(chain.collect::<String>(), Cow::Owned)
    }
}

impl FromChain<()> for () {
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<()>
    where
        I: Input,
        L: Leaf<I::Span, Item = ()>,
        C: Control,
    {
        chain.for_each(|()| ())
    }
}

/// The collections whose own order or shape std decides: gathered in parallel, made by std.
macro_rules! by_std {
    ($([$($generics:tt)*] $collection:ty, $item:ty;)*) => {$(
        impl<$($generics)*> FromChain<$item> for $collection {
            fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
            where
                I: Input,
                L: Leaf<I::Span, Item = $item>,
                C: Control,
            {
                C::map(chain.collect::<Vec<$item>>(), |items| items.into_iter().collect())
            }
        }
    )*};
}

by_std! {
    [T: Send] Box<[T]>, T;
    [T: Send] Rc<[T]>, T;
    [T: Send] Arc<[T]>, T;
    [T: Send] VecDeque<T>, T;
    ['a, T: Send + Clone] Cow<'a, [T]>, T;
    [T: Send] LinkedList<T>, T;
    [T: Send + Ord] BinaryHeap<T>, T;
    [T: Send + Ord] BTreeSet<T>, T;
    [T: Send + Eq + Hash, H: BuildHasher + Default] HashSet<T, H>, T;
    [K: Send + Ord, V: Send] BTreeMap<K, V>, (K, V);
    [K: Send + Eq + Hash, V: Send, H: BuildHasher + Default] HashMap<K, V, H>, (K, V);
    [T: Send + AsRef<Path>] PathBuf, T;
    [] OsString, OsString;
    ['a] OsString, &'a OsStr;
    ['a] OsString, Cow<'a, OsStr>;
}

impl<R: FromChain<T>, T, E: Send> FromChain<Result<T, E>> for Result<R, E> {
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Result<T, E>>,
        C: Control,
    {
        attempt(chain, |good| R::from_chain(good))
    }
}

impl<R: FromChain<T>, T> FromChain<Option<T>> for Option<R> {
    fn from_chain<I, L, C>(chain: Chain<I, L, C>) -> C::Out<Self>
    where
        I: Input,
        L: Leaf<I::Span, Item = Option<T>>,
        C: Control,
    {
        C::map(attempt(chain, |good| R::from_chain(good)), Result::ok)
    }
}
