//! Work cut in two by hand, for pools that have no iterators. In come a part, a kernel and a merge; out
//! comes the answer of the whole.

use std::{ops::Range, thread};

/// What can be cut in the middle.
pub trait Part: Sized + Send {
    /// Rows.
    fn rows(&self) -> usize;
    /// Front half, back half.
    fn halve(self) -> (Self, Self);
}

impl<T: Sync> Part for &[T] {
    fn rows(&self) -> usize {
        self.len()
    }

    fn halve(self) -> (Self, Self) {
        self.split_at(self.len() / 2)
    }
}

impl Part for Range<i64> {
    fn rows(&self) -> usize {
        (self.end - self.start) as usize
    }

    fn halve(self) -> (Self, Self) {
        let middle = self.start + (self.end - self.start) / 2;
        (self.start..middle, middle..self.end)
    }
}

/// Rows, and where their results go.
impl<T: Sync, R: Send> Part for (&[T], &mut [R]) {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn halve(self) -> (Self, Self) {
        let middle = self.0.len() / 2;
        let (front, back) = self.0.split_at(middle);
        let (out_front, out_back) = self.1.split_at_mut(middle);
        ((front, out_front), (back, out_back))
    }
}

/// Who runs the halves.
pub trait Halves {
    /// Runs the kernel over all of it, cut somewhere, and merges the results in order.
    fn run<P: Part, R: Send>(
        &mut self,
        whole: P,
        kernel: impl Fn(P) -> R + Sync,
        merge: impl Fn(R, R) -> R + Sync,
    ) -> R;
}

/// A thread for the back half, made for each call.
#[derive(Clone, Copy, Debug)]
pub struct Scoped;

impl Halves for Scoped {
    fn run<P: Part, R: Send>(
        &mut self,
        whole: P,
        kernel: impl Fn(P) -> R + Sync,
        merge: impl Fn(R, R) -> R + Sync,
    ) -> R {
        let (front, back) = whole.halve();
        let kernel = &kernel;
        let (a, b) = thread::scope(|scope| {
            let far = scope.spawn(move || kernel(back));
            (kernel(front), far.join().expect("kernels do not panic"))
        });
        merge(a, b)
    }
}

/// Halves of halves by chili, down to a leaf that was picked by hand.
pub struct Chili<'a, 's> {
    /// Where the call is.
    pub scope: &'a mut chili::Scope<'s>,
    /// Rows that are not cut.
    pub leaf: usize,
}

impl Halves for Chili<'_, '_> {
    fn run<P: Part, R: Send>(
        &mut self,
        whole: P,
        kernel: impl Fn(P) -> R + Sync,
        merge: impl Fn(R, R) -> R + Sync,
    ) -> R {
        chili_halves(self.scope, self.leaf, whole, &kernel, &merge)
    }
}

fn chili_halves<P: Part, R: Send>(
    scope: &mut chili::Scope<'_>,
    leaf: usize,
    part: P,
    kernel: &(impl Fn(P) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if part.rows() <= leaf {
        return kernel(part);
    }
    let (front, back) = part.halve();
    let (a, b) = scope.join(
        |scope| chili_halves(scope, leaf, front, kernel, merge),
        |scope| chili_halves(scope, leaf, back, kernel, merge),
    );
    merge(a, b)
}

#[cfg(feature = "fork_union")]
impl Halves for fork_union::ThreadPool {
    /// A half for each of two threads that spin for it.
    fn run<P: Part, R: Send>(
        &mut self,
        whole: P,
        kernel: impl Fn(P) -> R + Sync,
        merge: impl Fn(R, R) -> R + Sync,
    ) -> R {
        use std::sync::Mutex;

        let (front, back) = whole.halve();
        // Nobody contends for the locks: each is used by one thread at a time.
        let halves = [front, back].map(|half| Mutex::new((Some(half), None)));
        drop(self.for_threads(|thread, _| {
            if let Some(slot) = halves.get(thread) {
                let half = slot.lock().expect("kernels do not panic").0.take();
                let result = half.map(&kernel);
                slot.lock().expect("kernels do not panic").1 = result;
            }
        }));
        let [a, b] = halves.map(|slot| slot.into_inner().expect("kernels do not panic").1);
        a.into_iter().chain(b).reduce(merge).expect("both threads ran")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_meet_in_order() {
        let join = |a: Vec<i64>, b: Vec<i64>| [a, b].concat();
        for n in [0, 1, 2, 7, 100] {
            let all: Vec<i64> = (0..n).collect();
            assert_eq!(Scoped.run(0..n, Iterator::collect, join), all);
            let pool = chili::ThreadPool::with_config(chili::Config {
                thread_count: std::num::NonZero::new(2),
                ..chili::Config::default()
            });
            let mut chili = Chili { scope: &mut pool.scope(), leaf: 3 };
            assert_eq!(chili.run(0..n, Iterator::collect, join), all);
            let mut out = vec![0; all.len()];
            let double = |(rows, out): (&[i64], &mut [i64])| {
                out.iter_mut().zip(rows).for_each(|(out, x)| *out = x * 2);
            };
            Scoped.run((&all[..], &mut out[..]), double, |(), ()| ());
            assert!(out.iter().zip(&all).all(|(out, x)| *out == x * 2));
        }
    }
}
