//! Lends workers to threads, so that their buffers are reused.

use std::sync::{Mutex, PoisonError};

/// A pool that has as many workers as have been in use at once.
pub(crate) struct Pool<T, F> {
    idle: Mutex<Vec<T>>,
    make: F,
}

impl<T, F: Fn() -> T> Pool<T, F> {
    /// Makes a worker whenever all others are in use.
    pub(crate) fn new(make: F) -> Pool<T, F> {
        Pool { idle: Mutex::new(Vec::new()), make }
    }

    /// Runs `work` with a worker.
    pub(crate) fn with_worker<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = idle.unwrap_or_else(&self.make);
        let result = work(&mut worker);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        result
    }
}
