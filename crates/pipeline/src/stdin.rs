//! Standard input that can be left off waiting for.
//!
//! A thread that waits in `read` hears of nothing else: the flag that ends a run would count only once more data arrive. So
//! this waits in `poll`, and looks at the flags now and then.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, Read, Stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long a flag may go unnoticed.
const NAP: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Standard input, until one of the flags is set: then reading fails.
pub(crate) struct PatientStdin<const N: usize> {
    stdin: Stdin,
    flags: [Arc<AtomicBool>; N],
}

impl<const N: usize> PatientStdin<N> {
    pub(crate) fn new(flags: [Arc<AtomicBool>; N]) -> Self {
        PatientStdin { stdin: io::stdin(), flags }
    }
}

impl<const N: usize> Read for PatientStdin<N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.flags.iter().any(|flag| flag.load(Ordering::Relaxed)) {
                return Err(io::Error::other("the run was stopped"));
            }
            let ready = poll(&mut [PollFd::new(&self.stdin, PollFlags::IN)], Some(&NAP));
            match ready {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return rustix::io::read(&self.stdin, buffer).map_err(io::Error::from),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
