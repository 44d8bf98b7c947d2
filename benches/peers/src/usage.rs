//! Reads CPU time and memory of this process and thread from the kernel.

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};

/// The resources that the process has used since it began.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// User and system time of all threads, in seconds.
    pub cpu_s: f64,
    /// The peak of resident memory, in MB.
    pub rss_mb: f64,
}

impl Usage {
    /// Reads the values from the kernel.
    pub fn of_process() -> Result<Self> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).context("cannot read the resource usage")?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        // Linux counts in KiB.
        Ok(Self { cpu_s: micros as f64 / 1e6, rss_mb: usage.max_rss() as f64 * 1024.0 / 1e6 })
    }
}

/// Returns the CPU time of the calling thread, in seconds.
pub fn thread_cpu_s() -> Result<f64> {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .context("cannot read the clock of the thread")?;
    Ok(time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9)
}
