//! Finds smaller cases that still fail.

use super::case::Case;
use super::program::Program;
use super::trial::{self, CaseOutcome};
use std::io;
use std::path::Path;

/// Removes steps and inputs from a failing case, one after another, while it still fails. Returns
/// the smallest case and its outcome.
///
/// # Errors
///
/// As [`trial::run`].
pub fn shrink(
    case: &Case,
    outcome: CaseOutcome,
    program: &Program,
    place: &Path,
) -> io::Result<(Case, CaseOutcome)> {
    let (mut smallest, mut became) = (case.clone(), outcome);
    // Steps after the failing one were not run.
    let made: Vec<usize> =
        smallest.steps().into_iter().filter(|step| *step <= became.step).collect();
    smallest = smallest.keep(None, Some(&made));
    loop {
        let mut is_smaller = false;
        for step in smallest.steps().into_iter().rev() {
            let rest: Vec<usize> =
                smallest.steps().into_iter().filter(|other| *other != step).collect();
            is_smaller |= try_smaller(
                &mut smallest,
                &mut became,
                |case| case.keep(None, Some(&rest)),
                program,
                place,
            )?;
        }
        for input in smallest.inputs().into_iter().rev() {
            let rest: Vec<usize> =
                smallest.inputs().into_iter().filter(|other| *other != input).collect();
            if !rest.is_empty() {
                is_smaller |= try_smaller(
                    &mut smallest,
                    &mut became,
                    |case| case.keep(Some(&rest), None),
                    program,
                    place,
                )?;
            }
        }
        if !is_smaller {
            return Ok((smallest, became));
        }
    }
}

/// Takes the smaller case if it fails.
fn try_smaller(
    smallest: &mut Case,
    became: &mut CaseOutcome,
    smaller: impl FnOnce(Case) -> Case,
    program: &Program,
    place: &Path,
) -> io::Result<bool> {
    let case = smaller(smallest.clone());
    let outcome = trial::run(&case, program, place)?;
    let is_wrong = !outcome.faults.is_empty();
    if is_wrong {
        (*smallest, *became) = (case, outcome);
    }
    Ok(is_wrong)
}
