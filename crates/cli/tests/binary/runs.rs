//! Random runs of each command over one output folder, a few seeds of each. `scripts/lab/run runs`
//! tries thousands; `huller_testkit::runs` says what must hold.

use crate::support::temp;
use huller_testkit::runs::{Case, Command, Program, trial};
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
    for command in Command::ALL {
        let (name, seeds) = (command.name(), if command == Command::Extract { 40 } else { 12 });
        let mut ended_well = 0;
        for seed in 1..=seeds {
            let case = Case::new(command, seed);
            let outcome = trial::run(&case, &program, &place).unwrap();
            let again = format!("again: runs target/debug/huller --only {name} --seed {seed}");
            let (log, faults) = (outcome.log, outcome.faults);
            assert!(faults.is_empty(), "{log:#?}\n{faults:#?}\n{again}");
            ended_well += outcome.endings.get("ended with 0").copied().unwrap_or_default();
        }
        // Refusals alone would prove nothing.
        assert!(ended_well >= u64::from(seeds), "{ended_well} runs of {name} ended with 0");
    }
}
