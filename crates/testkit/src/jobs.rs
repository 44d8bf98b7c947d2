//! Runs several seeds at a time and sets the exit status, for the programs that try many seeds.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// Calls `work` with each number below `jobs`, all at the same time.
///
/// # Errors
///
/// The first error of a job, or that a job panicked.
pub fn in_jobs(jobs: usize, work: impl Fn(usize) -> io::Result<()> + Sync) -> io::Result<()> {
    let results: Vec<io::Result<()>> = std::thread::scope(|scope| {
        let work = &work;
        let jobs: Vec<_> = (0..jobs).map(|job| scope.spawn(move || work(job))).collect();
        jobs.into_iter()
            .map(|job| job.join().unwrap_or_else(|_| Err(io::Error::other("a job panicked"))))
            .collect()
    });
    results.into_iter().collect()
}

/// Returns the exit status of a program that tried seeds. It is 0 if all went right, 1 if a seed
/// went wrong, and 2, with a message, if a seed could not be tried.
pub fn exit_code(all_went_right: Result<bool, Box<dyn Error>>) -> ExitCode {
    match all_went_right {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_job_works_and_an_error_is_passed_on() {
        let sum = AtomicUsize::new(0);
        let work = |job: usize| {
            sum.fetch_add(job, Ordering::Relaxed);
            if job == 2 { Err(io::Error::other("two")) } else { Ok(()) }
        };
        assert_eq!(in_jobs(4, work).unwrap_err().to_string(), "two");
        assert_eq!(sum.into_inner(), 6);
    }
}
