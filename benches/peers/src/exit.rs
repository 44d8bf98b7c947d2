//! The exit status of the programs.

use std::io::{Write, stderr};
use std::process::ExitCode;

use anyhow::Result;

/// The exit status of a result: 1 for an error, which is printed as one line.
pub fn code(result: &Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // If writing to stderr fails too, the error cannot be reported at all.
    let _ = writeln!(stderr().lock(), "error: {error:#}");
    ExitCode::FAILURE
}
