//! Threads for many pages.

use crate::errors::argument;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The pool of this process, and which process that is: a fork has the memory of its parent's threads, and not the threads.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A pool of `threads`, or the shared one, of one thread a core, for 0.
pub(crate) fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let new = |threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("huller-{number}"))
            .build();
        pool.map(Arc::new).map_err(|error| argument(format!("cannot start threads: {error}")))
    };
    if threads > 0 {
        return new(threads);
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let this = std::process::id();
    if let Some((process, pool)) = &*shared
        && *process == this
    {
        return Ok(Arc::clone(pool));
    }
    let pool = new(0)?;
    // Dropping the parent's pool would wait for threads that are not there.
    std::mem::forget(shared.replace((this, Arc::clone(&pool))));
    Ok(pool)
}
