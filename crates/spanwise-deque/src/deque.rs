//! The deque on its own. In come items from one owner, out they go once each: newest first to the
//! owner, oldest first to any number of thieves. Of the unsafe invariants it needs U5 of `item`.
#![allow(unsafe_code)]

use std::{fmt, marker::PhantomData, ops::Deref};

use crate::{
    item::Item,
    ring::{Owner, Ring, Steal},
    sync::Arc,
};

/// A ring that drops what nobody took.
struct Kept<T: Item> {
    ring: Ring<T::Target>,
    /// Many threads reach it, and each item is with one of them at a time: a lock's bounds.
    items: PhantomData<std::sync::Mutex<T>>,
}

impl<T: Item> Drop for Kept<T> {
    fn drop(&mut self) {
        while let Steal::Success(raw) = self.ring.steal() {
            // SAFETY: U5: the ring gave it to us alone.
            drop(unsafe { T::from_raw(raw) });
        }
    }
}

struct Link<T: Item>(Arc<Kept<T>>);

impl<T: Item> Deref for Link<T> {
    type Target = Ring<T::Target>;

    #[inline]
    fn deref(&self) -> &Ring<T::Target> {
        &self.0.ring
    }
}

/// The owner's end of a deque: pushes and pops, newest first.
///
/// A deque has one `Worker`. It can move to another thread but two threads cannot share it, and it
/// cannot be cloned; thieves get [`Stealer`]s. The deque grows as it needs to and never shrinks.
///
/// # Examples
///
/// ```
/// use spanwise_deque::{Steal, Worker};
///
/// let worker = Worker::new();
/// let stealer = worker.stealer();
/// worker.push(Box::new("old"));
/// worker.push(Box::new("new"));
///
/// let thief = std::thread::spawn(move || stealer.steal());
/// assert_eq!(thief.join().unwrap(), Steal::Success(Box::new("old")));
/// assert_eq!(worker.pop(), Some(Box::new("new")));
/// assert_eq!(worker.pop(), None);
/// ```
///
/// Two owners, or one shared by two threads, do not compile:
///
/// ```compile_fail,E0599
/// let worker = spanwise_deque::Worker::<usize>::new();
/// let twin = worker.clone();
/// ```
///
/// ```compile_fail,E0277
/// let worker = spanwise_deque::Worker::<usize>::new();
/// std::thread::scope(|s| {
///     s.spawn(|| worker.push(1));
///     worker.push(2);
/// });
/// ```
///
/// Nor does sending what must stay on its thread:
///
/// ```compile_fail,E0277
/// let worker = spanwise_deque::Worker::<Box<std::rc::Rc<u8>>>::new();
/// let stealer = worker.stealer();
/// std::thread::spawn(move || stealer.steal());
/// ```
///
/// Nor letting a deque outlive what its items borrow:
///
/// ```compile_fail,E0597
/// let worker = spanwise_deque::Worker::new();
/// {
///     let short = 1_u8;
///     worker.push(&short);
/// }
/// worker.pop();
/// ```
pub struct Worker<T: Item>(Owner<Link<T>>);

impl<T: Item> Worker<T> {
    /// An empty deque.
    pub fn new() -> Self {
        let kept = Kept { ring: Ring::new(), items: PhantomData };
        Self(Owner::new(Link(Arc::new(kept))))
    }

    /// An end for thieves.
    pub fn stealer(&self) -> Stealer<T> {
        Stealer(Link(Arc::clone(&self.0.ring().0)))
    }

    /// Adds an item as the newest, at once visible to thieves.
    ///
    /// # Cost
    ///
    /// A few stores; the push that finds the buffer full doubles it.
    #[inline]
    pub fn push(&self, item: T) {
        self.0.push(item.into_raw());
        self.0.publish(1);
    }

    /// Takes the newest item.
    ///
    /// # Cost
    ///
    /// One atomic read-modify-write or one full fence.
    #[inline]
    pub fn pop(&self) -> Option<T> {
        // SAFETY: U5: the ring gave it to us alone.
        self.0.pop().map(|raw| unsafe { T::from_raw(raw) })
    }

    /// Items in the deque; thieves may take some before the caller looks at the answer.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is in the deque.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Item> Default for Worker<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Item> fmt::Debug for Worker<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// A thief's end of a deque: takes the oldest item. It can be cloned and shared.
pub struct Stealer<T: Item>(Link<T>);

impl<T: Item> Stealer<T> {
    /// Tries once to take the oldest item.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_deque::{Steal, Worker};
    ///
    /// let worker = Worker::new();
    /// worker.push(7_usize);
    /// let stealer = worker.stealer();
    /// assert_eq!(stealer.steal(), Steal::Success(7));
    /// assert_eq!(stealer.steal(), Steal::Empty);
    /// ```
    pub fn steal(&self) -> Steal<T> {
        match self.0.steal() {
            Steal::Empty => Steal::Empty,
            Steal::Retry => Steal::Retry,
            // SAFETY: U5: the ring gave it to us alone.
            Steal::Success(raw) => Steal::Success(unsafe { T::from_raw(raw) }),
        }
    }

    /// Items that were in the deque at some moment of the call.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the deque was empty at some moment of the call.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Item> Clone for Stealer<T> {
    fn clone(&self) -> Self {
        Self(Link(Arc::clone(&self.0.0)))
    }
}

impl<T: Item> fmt::Debug for Stealer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stealer").field("len", &self.len()).finish_non_exhaustive()
    }
}
