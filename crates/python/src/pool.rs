//! The pools of threads for many pages.

use crate::errors::value_error;
use huller_pipeline::bounded_threads;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// The pool of this process, with the process's id. A forked process has a copy of the memory of
/// its parent's pool, but not its threads.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Returns a pool of `threads` threads, at most as many as the machine can use. For 0 it returns
/// the shared pool, with one thread a core.
pub(crate) fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let new_pool = |threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("huller-{number}"))
            .build();
        pool.map(Arc::new).map_err(|error| value_error(format!("cannot start threads: {error}")))
    };
    if threads > 0 {
        return new_pool(bounded(threads)?);
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let own_id = std::process::id();
    if let Some((process, pool)) = &*shared
        && *process == own_id
    {
        return Ok(Arc::clone(pool));
    }
    let pool = new_pool(0)?;
    // Dropping the parent's pool would wait for threads that do not exist.
    std::mem::forget(shared.replace((own_id, Arc::clone(&pool))));
    Ok(pool)
}

/// Returns `threads`, or the number that the machine can use. It issues a warning if that is lower.
pub(crate) fn bounded(threads: usize) -> PyResult<usize> {
    let bound = bounded_threads(threads);
    if bound < threads {
        let message = format!(
            "only {bound} threads are started instead of {threads}: more would use memory without \
             being faster on this machine"
        );
        let message = CString::new(message)?;
        Python::attach(|py| PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1))?;
    }
    Ok(bound)
}
