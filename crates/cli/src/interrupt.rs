//! SIGINT, SIGTERM and SIGUSR1: the first one ends the run in good order, a second SIGINT or
//! SIGTERM ends it at once.
//!
//! Batch systems send SIGUSR1 before a job's time is over (`sbatch --signal=B:USR1@300`). From its
//! exit status the job's script knows that the run is unfinished.

use crate::exit::Exit;
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The signals that have arrived.
pub(crate) struct Interrupt {
    /// Set when the run is to end.
    pub(crate) stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Takes over the signals.
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
        // A clock sends this signal, so a second one does not ask for an immediate end.
        flag::register_usize(SIGUSR1, Arc::clone(&signal), SIGUSR1.unsigned_abs() as usize)?;
        flag::register(SIGUSR1, Arc::clone(&stop))?;
        Ok(Interrupt { stop, signal })
    }

    /// Returns the exit status for the signal that arrived.
    pub(crate) fn exit(&self) -> Exit {
        match i32::try_from(self.signal.load(Ordering::Relaxed)) {
            Ok(SIGTERM) => Exit::Terminated,
            Ok(SIGUSR1) => Exit::OutOfTime,
            _ => Exit::Interrupted,
        }
    }
}
