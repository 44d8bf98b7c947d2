//! Threads for many pages.

use crate::errors::argument;
use huller_pipeline::bounded_threads;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// The pool of this process, and which process that is: a fork has the memory of its parent's
/// threads, and not the threads.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A pool of `threads`, as far as the machine has use for them, or the shared one, of one thread a
/// core, for 0.
pub(crate) fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let new = |threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("huller-{number}"))
            .build();
        pool.map(Arc::new).map_err(|error| argument(format!("cannot start threads: {error}")))
    };
    if threads > 0 {
        return new(bounded(threads)?);
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

/// So many `threads` as the machine has use for; a warning says so if they are fewer.
pub(crate) fn bounded(threads: usize) -> PyResult<usize> {
    let bound = bounded_threads(threads);
    if bound < threads {
        let message = format!(
            "{bound} threads are started, not {threads}: more would only take memory on this machine"
        );
        let message = CString::new(message)?;
        Python::attach(|py| PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1))?;
    }
    Ok(bound)
}
