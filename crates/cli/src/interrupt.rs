//! SIGINT and SIGTERM: the first ends the run in good order, a second one at once.

use crate::exit::Exit;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What signals have arrived.
pub(crate) struct Interrupt {
    /// Set when the run is to end.
    pub(crate) stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Takes over both signals.
    pub(crate) fn listen() -> std::io::Result<Interrupt> {
        let stop = Arc::new(AtomicBool::new(false));
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM] {
            let exit = if number == SIGINT { Exit::Interrupted } else { Exit::Terminated };
            // In this order: the first signal finds the flag unset and only sets it.
            flag::register_conditional_shutdown(number, exit as i32, Arc::clone(&stop))?;
            flag::register_usize(number, Arc::clone(&signal), number.unsigned_abs() as usize)?;
            flag::register(number, Arc::clone(&stop))?;
        }
        Ok(Interrupt { stop, signal })
    }

    /// The exit status for the signal that arrived.
    pub(crate) fn exit(&self) -> Exit {
        if self.signal.load(Ordering::Relaxed) == SIGTERM.unsigned_abs() as usize {
            Exit::Terminated
        } else {
            Exit::Interrupted
        }
    }
}
