//! The exit status of the programs.

use std::io::{Write, stderr};
use std::process::ExitCode;

use anyhow::Result;

/// Returns the exit status of a result: 1 for an error, which it prints on one line.
pub fn code(result: &Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // If writing to stderr fails too, there is no way to report the error.
    let _ = writeln!(stderr().lock(), "error: {error:#}");
    ExitCode::FAILURE
}
