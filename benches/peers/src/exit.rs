//! How the programs end.

use std::io::{Write, stderr};
use std::process::ExitCode;

use anyhow::Result;

/// Prints an error as one line; a run that failed ends with 1.
pub fn code(result: &Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // Nothing is left to do if even this fails.
    let _ = writeln!(stderr().lock(), "error: {error:#}");
    ExitCode::FAILURE
}
