//! A cell that is filled once, for models and sanitizers, which do not see into std's: the flag and the
//! lock around it are loom's, or watched by ThreadSanitizer.

use super::{AtomicBool, Mutex, Ordering};

#[derive(Debug)]
pub(crate) struct OnceLock<T> {
    filling: Mutex<()>,
    filled: AtomicBool,
    inner: std::sync::OnceLock<T>,
}

impl<T> OnceLock<T> {
    pub(crate) fn new() -> Self {
        let (filling, filled) = (Mutex::new(()), AtomicBool::new(false));
        Self { filling, filled, inner: std::sync::OnceLock::new() }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        // Acquire: pairs with the Release in `get_or_init`.
        if self.filled.load(Ordering::Acquire) { self.inner.get() } else { None }
    }

    pub(crate) fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
        let _filling = self.filling.lock();
        let value = self.inner.get_or_init(f);
        // Release: pairs with the Acquire in `get`.
        self.filled.store(true, Ordering::Release);
        value
    }
}
