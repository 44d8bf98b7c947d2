//! Calls that the user can interrupt.
//!
//! Python runs its handlers of signals in the main thread only. So the work of a long call is done
//! by another thread, and the caller's thread lets Python look for signals meanwhile.

use crate::errors::huller_error;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Interval at which a call lets Python look for signals.
const SIGNAL_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Does `work` in another thread, without the interpreter's lock. A signal handler may raise an
/// exception, such as `KeyboardInterrupt`. The call then sets the flag that `work` received, waits
/// for `work`, and returns the exception.
pub(crate) fn run_interruptibly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let (stop, is_done) = (Arc::<AtomicBool>::default(), AtomicBool::new(false));
    let caller = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(&stop);
            is_done.store(true, Ordering::Release);
            caller.unpark();
            result
        });
        let mut interrupted = Ok(());
        // A worker that panics does not say that it is done.
        while !is_done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(SIGNAL_POLL_INTERVAL));
            if interrupted.is_ok() {
                interrupted = py.check_signals();
                stop.store(interrupted.is_err(), Ordering::Relaxed);
            }
        }
        let result = py.detach(move || worker.join());
        interrupted?;
        result.map_err(|_| {
            huller_error(py, "the call failed; this is a bug, please report it".to_owned())
        })
    })
}
