//! Random runs over one output folder: forty seeds; `make runs` tries thousands. What must hold is said in `huller_testkit::runs`.

use crate::support::temp;
use huller_testkit::runs::{Case, Program, trial};
use std::path::Path;

#[test]
fn after_random_runs_every_record_is_one_row_or_in_one_line_of_the_account() {
    let work = temp();
    let program = match Program::new(Path::new(env!("CARGO_BIN_EXE_huller")), work.path()) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let place = work.path().join("case");
    let mut ended_well = 0;
    for seed in 1..=40 {
        let case = Case::new(seed);
        let outcome = trial::run(&case, &program, &place).unwrap();
        let again = format!("again: runs target/debug/huller --seed {seed}");
        assert!(outcome.faults.is_empty(), "{:#?}\n{:#?}\n{again}", outcome.log, outcome.faults);
        ended_well += outcome.endings.get("ended with 0").copied().unwrap_or_default();
    }
    // Refusals alone would prove nothing.
    assert!(ended_well >= 40, "{ended_well} runs ended with 0");
}
