//! Runs a command that writes a folder with a journal, and checks all rules after it.

use super::case::{PauseEvent, Run};
use super::change::FileChange;
use super::command::Command;
use super::describe::command_line;
use super::faults::Faults;
use super::invariants;
use super::ledger::{self, Config, Ledger};
use super::plan::Plan;
use super::program::{FaultAction, ProgramEnd};
use super::reference::Reference;
use super::run_artifacts::{self, RunArtifacts, Snapshot};
use super::test_world::INPUTS;
use super::trial::Trial;
use std::io;
use std::path::PathBuf;

/// The state of the world at the start of a run.
struct FolderRunStart {
    plan: Plan,
    config: Config,
    /// The versions of all inputs.
    then: Vec<Option<usize>>,
    earlier: Ledger,
    /// The places where the run writes, whose content `outputs` records.
    places: [PathBuf; 3],
    outputs: Snapshot,
    inputs: Snapshot,
    may_refuse: bool,
    must_refuse: bool,
    epoch: u64,
    lines: Vec<String>,
}

impl Trial<'_> {
    /// Runs to a folder, and checks the rules for its end.
    pub(super) fn run_to_folder(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let mut before = self.record_start(run)?;
        let arguments = command_line(&self.world, run, "out");
        let (program, place) = (self.program, self.place.clone());
        let mut faults = Faults::new();
        let ended = program.run(&place, &arguments, run.fault, &mut || {
            faults = self.act_during_pause(number, run)?;
            match run.meanwhile {
                // A second run that was accepted is the earlier run.
                Some(PauseEvent::SecondRun(_)) if !self.was_refused => {
                    before = self.record_start(run)?;
                    // The first run may have ended already, except for its last call.
                    before.must_refuse = false;
                }
                _ => before.inputs = self.inputs()?,
            }
            Ok(())
        })?;
        self.log(number, run, &arguments, &ended);
        faults.extend(invariants::no_panic(&ended));
        let changed = before.inputs.differences(&self.inputs()?);
        faults.extend(changed.iter().map(|path| format!("rule 12: the input '{path}' changed")));
        self.was_refused = is_refused(run, &ended);
        if self.was_refused {
            faults.extend(self.check_refused(run, &before, &ended)?);
        } else {
            faults.extend(self.check_ended(run, before, &ended)?);
        }
        Ok(faults)
    }

    fn record_start(&self, run: &Run) -> io::Result<FolderRunStart> {
        let plan = Plan::from_run(&self.world, run);
        let earlier = self.ledgers.get(&run.folder()).cloned().unwrap_or_default();
        let was = RunArtifacts::read(&self.folder(run))?;
        let places = self.places(run);
        // The state at the start of the run. More may change during it.
        let (may_refuse, must_refuse) =
            ledger::reason_to_refuse(&self.world, run, &plan, &earlier, &was);
        Ok(FolderRunStart {
            plan,
            config: Config::from_run(&self.world, run),
            then: self.world.inputs.iter().map(|input| Some(input.as_ref()?.now())).collect(),
            earlier,
            outputs: Snapshot::take(&places)?,
            places,
            inputs: self.inputs()?,
            may_refuse,
            must_refuse,
            epoch: self.world.epoch,
            lines: self.world.lines().into_iter().flat_map(|(_, lines)| lines).collect(),
        })
    }

    /// Returns the same run, undisturbed and in an empty folder.
    pub(super) fn undisturbed_run(&mut self, run: &Run) -> io::Result<&Reference> {
        let last = self.reference.take();
        let reference = Reference::make(&self.world, self.program, run, last)?;
        Ok(self.reference.insert(reference))
    }

    /// Returns a snapshot of the inputs.
    pub(super) fn inputs(&self) -> io::Result<Snapshot> {
        Snapshot::take(&[self.place.join(INPUTS)])
    }

    /// Does what the case demands while a run is paused.
    pub(super) fn act_during_pause(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        match run.meanwhile {
            // An output is not damaged while a run writes it.
            None | Some(PauseEvent::Change(FileChange::Output { .. })) => Ok(Faults::new()),
            Some(PauseEvent::Change(change)) => {
                self.world.change(change)?;
                Ok(Faults::new())
            }
            Some(PauseEvent::SecondRun(mode)) => {
                let second = Run { mode, fault: None, meanwhile: None, dry: false, ..run.clone() };
                self.is_at_work = true;
                let faults = self.run(number, &second);
                self.is_at_work = false;
                self.count(if self.was_refused { "second runs refused" } else { "second runs" });
                faults
            }
        }
    }

    pub(super) fn log(
        &mut self,
        number: usize,
        run: &Run,
        arguments: &[String],
        ended: &ProgramEnd,
    ) {
        let line = format!(
            "{number}: huller {} -> {:?}{}",
            arguments.join(" "),
            ended.code,
            describe_fault(run, ended)
        );
        self.outcome.log.push(line);
    }

    /// Checks the rules after a run was refused.
    fn check_refused(
        &mut self,
        run: &Run,
        before: &FolderRunStart,
        ended: &ProgramEnd,
    ) -> io::Result<Faults> {
        self.count(match ended.code {
            Some(2) => "refused (2)",
            Some(3) => "refused (3)",
            _ => "refused (4, 5)",
        });
        let mut differences = before.outputs.differences(&Snapshot::take(&before.places)?);
        // The run notices too late if an input that it compares changes after the start.
        let has_changed = before.epoch != self.world.epoch;
        let is_late = has_changed && self.world.command == Command::Dedup && ended.code == Some(3);
        if is_late && !differences.is_empty() {
            differences.clear();
            self.ledgers.entry(run.folder()).or_default().success = None;
        }
        let may_refuse = match ended.code {
            Some(4) => self.is_at_work,
            // The run failed in the middle.
            Some(5) => false,
            _ => before.may_refuse || self.is_at_work || is_late,
        };
        Ok(ledger::check_refused(may_refuse, ended, &differences))
    }

    /// Checks the rules after a run ended, was killed or interrupted.
    fn check_ended(
        &mut self,
        run: &Run,
        before: FolderRunStart,
        ended: &ProgramEnd,
    ) -> io::Result<Faults> {
        // If a compared input changes during the run, the run ends with 1 and without statistics.
        let is_broken_off = before.epoch != self.world.epoch
            && ["cannot be read again", "cannot use the signatures"]
                .iter()
                .any(|error| ended.stderr.contains(error));
        let ended_well = matches!(ended.code, Some(0 | 1)) && !is_broken_off;
        let artifacts = RunArtifacts::read(&self.folder(run))?;
        let after = Snapshot::take(&before.places)?;
        let has_changed = !before.outputs.differences(&after).is_empty();
        let mut now = self.ledger(run, &before, &artifacts, &after, ended_well);
        let (mut faults, entered) =
            invariants::check_always(&self.world, &now, &artifacts, !ended.was_killed);
        if ended_well && before.must_refuse {
            faults.push(format!("ended with {:?}, but must be refused", ended.code));
        }
        let FolderRunStart { plan, then, .. } = &before;
        let at_end = |code| -> Faults {
            let mut faults =
                invariants::check_ended(&self.world, run, plan, then, &artifacts, &entered, code);
            if artifacts.has_succeeded && run.rejects {
                match run_artifacts::rejects(&before.places[1]) {
                    Ok(listed) => {
                        faults.extend(invariants::rejects(&artifacts, &listed));
                    }
                    Err(error) => {
                        faults.push(format!("rule 10: the rejects cannot be read: {error}"));
                    }
                }
            }
            faults
        };
        if let Some(code) = ended.code.filter(|_| ended_well) {
            faults.extend(at_end(code));
        } else if has_changed {
            faults.extend(invariants::broken_off(&artifacts, ended, || at_end(0)));
        }
        // The run may have read an input before or after its change.
        let is_comparable = before.epoch == self.world.epoch && run.settings.limit().is_none();
        if ended_well && faults.is_empty() && is_comparable {
            let reference = self.undisturbed_run(run)?;
            faults.extend(reference.compare(run, &before.places[0], ended.code)?);
        }
        self.count(match (ended.code, ended.was_killed) {
            (_, true) => "killed",
            (Some(0), _) => "ended with 0",
            (Some(1), _) => "ended with 1",
            _ => "interrupted",
        });
        if !has_changed && ended.was_killed {
            // The run was killed before it did anything.
            now.success = before.earlier.success;
            now.listed = before.earlier.listed;
        } else if artifacts.has_succeeded {
            now.success = Some(before.epoch);
            now.listed = before.lines;
        }
        self.ledgers.insert(run.folder(), now);
        Ok(faults)
    }

    /// Returns the oracle's record of a folder after a run that was accepted.
    fn ledger(
        &self,
        run: &Run,
        before: &FolderRunStart,
        artifacts: &RunArtifacts,
        after: &Snapshot,
        ended_well: bool,
    ) -> Ledger {
        let mut now = Ledger { configs: vec![before.config.clone()], ..Ledger::default() };
        // The run may have compared an input that changed in its old or its new version.
        let changed = Config { shares: before.config.shares.clone(), ..self.config(run) };
        let others = before.earlier.configs.iter().filter(|_| !ended_well).cloned();
        for config in [changed].into_iter().chain(others) {
            // A killed run may not have replaced or changed anything.
            if !now.configs.contains(&config) {
                now.configs.push(config);
            }
        }
        let folder = &before.places[0];
        // Files that the run did not write again are unchanged.
        let is_kept = |output: &&String| {
            let path = folder.join(output);
            let is_named =
                artifacts.journal.iter().any(|entry| entry.outputs().any(|named| named == *output));
            before.outputs.get(&path) == after.get(&path) && (is_named || path.exists())
        };
        now.spoiled = before.earlier.spoiled.iter().filter(is_kept).cloned().collect();
        now
    }

    fn config(&self, run: &Run) -> Config {
        Config::from_run(&self.world, run)
    }
}

/// Returns whether the exit status means that the run did not begin.
pub(super) fn is_refused(run: &Run, ended: &ProgramEnd) -> bool {
    let is_interrupted = ended.code == Some(130)
        && run.fault.is_some_and(|fault| fault.act == FaultAction::Interrupt);
    let ended_well = matches!(ended.code, Some(0 | 1));
    !ended_well && !is_interrupted && !ended.was_killed
}

/// Describes the fault of a run, and whether it occurred.
fn describe_fault(run: &Run, ended: &ProgramEnd) -> String {
    let Some(fault) = run.fault else { return String::new() };
    let came = ended.was_killed || ended.has_stopped || ended.code == Some(130);
    let meanwhile =
        run.meanwhile.map(|meanwhile| format!(", meanwhile {meanwhile:?}")).unwrap_or_default();
    format!(
        "; {:?} at {:?} {}{meanwhile}{}",
        fault.act,
        fault.calls,
        fault.nth,
        if came { "" } else { " (did not come)" }
    )
}
