//! Formats a test case: the command line of each step, and a list of inputs and steps.

use super::case::{Case, CaseStep, RowDestination, Run, RunMode};
use super::plan;
use super::test_world::TestWorld;
use std::fmt::Write;

/// Returns the arguments of a run that writes below the folder `to`.
pub(super) fn command_line(world: &TestWorld, run: &Run, to: &str) -> Vec<String> {
    let command = run.settings.command();
    let mut line = vec![command.name().to_owned(), "-q".to_owned()];
    line.extend(plan::arguments(world, run));
    line.push("-o".to_owned());
    line.push(match run.to {
        RowDestination::Folder => format!("{to}/{}", run.folder()),
        RowDestination::Stdout => "-".to_owned(),
    });
    let mode = match run.mode {
        RunMode::Fresh => None,
        RunMode::Resume => Some("--resume".to_owned()),
        RunMode::Overwrite => Some("--overwrite".to_owned()),
    };
    line.extend(mode);
    line.extend(run.settings.flags(&format!("{to}/{}", run.drop_list())));
    line.push(format!("-j{}", run.threads));
    if run.rejects && run.to == RowDestination::Folder {
        line.push(format!("--rejects={to}/{}", run.rejects_list()));
    }
    line.extend(run.strict.then(|| "--strict".to_owned()));
    line
}

impl Case {
    /// Returns the inputs and steps of the case, one per line.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (number, slot) in self.inputs.iter().enumerate() {
            if let Some(slot) = slot {
                let more = [(slot.is_large, ", large"), (slot.is_foreign, ", no archive")];
                let more: String =
                    more.iter().filter(|(is, _)| *is).map(|(_, what)| *what).collect();
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  input {number}: {} ({:?}{more})", slot.path, slot.form);
            }
        }
        let _ = writeln!(text, "  list: {:?}", self.list);
        for (number, step) in &self.steps {
            let _ = match step {
                CaseStep::Run(run) => writeln!(text, "  step {number}: {run:?}"),
                CaseStep::Change(change) => writeln!(text, "  step {number}: {change:?}"),
            };
        }
        text
    }
}
