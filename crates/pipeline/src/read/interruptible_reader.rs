//! Reads pipes so that the end of a run interrupts the wait.
//!
//! A thread that waits in `read`, or for the other end of a FIFO to be opened, cannot check a flag.
//! So a flag that ends the run would take effect only when more data arrive.
//! [`InterruptibleReader`] waits in `poll` instead, and checks the flags ten times a second.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Stdin};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest wait before the flags are checked again.
const NAP: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// A source that delivers data bit by bit. Reading fails after one of the flags is set.
pub(crate) struct InterruptibleReader<F, const N: usize> {
    file: F,
    flags: [Arc<AtomicBool>; N],
}

impl<const N: usize> InterruptibleReader<Stdin, N> {
    /// Reads standard input.
    pub(crate) fn stdin(flags: [Arc<AtomicBool>; N]) -> Self {
        InterruptibleReader { file: io::stdin(), flags }
    }
}

impl<const N: usize> InterruptibleReader<File, N> {
    /// Opens a FIFO or the like without waiting for a program that writes to it.
    pub(crate) fn open(path: &Path, flags: [Arc<AtomicBool>; N]) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        Ok(InterruptibleReader { file: options.open(path)?, flags })
    }
}

impl<F: AsFd, const N: usize> Read for InterruptibleReader<F, N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.flags.iter().any(|flag| flag.load(Ordering::Relaxed)) {
                return Err(io::Error::other("the run was stopped"));
            }
            let ready = poll(&mut [PollFd::new(&self.file, PollFlags::IN)], Some(&NAP));
            match ready {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => match rustix::io::read(&self.file, &mut *buffer) {
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    read => return read.map_err(io::Error::from),
                },
                Err(error) => return Err(error.into()),
            }
        }
    }
}
