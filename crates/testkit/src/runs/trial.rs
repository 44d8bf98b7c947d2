//! Runs one case from its first step to its last.

use super::case::{Case, CaseStep, RowDestination, Run};
use super::change::FileChange;
use super::command::Command;
use super::describe::command_line;
use super::faults::Faults;
use super::invariants;
use super::ledger::{self, Ledger};
use super::plan::Plan;
use super::program::Program;
use super::reference::Reference;
use super::run_artifacts::{self, RunArtifacts, Snapshot};
use super::shares;
use super::test_world::{LIST, TestWorld};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The outcome of a case.
#[derive(Debug, Default)]
pub struct CaseOutcome {
    /// The faults after the last step that was run; empty if all is right.
    pub faults: Vec<String>,
    /// The number of that step.
    pub step: usize,
    /// The number of runs by their kind of ending.
    pub endings: BTreeMap<&'static str, u64>,
    /// The steps that were run, one line each.
    pub log: Vec<String>,
}

/// Runs a case in `place`, which it empties first.
///
/// # Errors
///
/// The files of the case cannot be written, the program cannot be started, or its files cannot be
/// read.
pub fn run(case: &Case, program: &Program, place: &Path) -> io::Result<CaseOutcome> {
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    fs::create_dir_all(place)?;
    // The program gets a path without links.
    let place = place.canonicalize()?;
    let world = TestWorld::new(case.command, &place, &case.inputs, &case.list)?;
    let mut trial = Trial {
        world,
        program,
        place,
        ledgers: BTreeMap::new(),
        reference: None,
        is_at_work: false,
        was_refused: false,
        outcome: CaseOutcome::default(),
    };
    for (number, step) in &case.steps {
        trial.outcome.step = *number;
        let faults = trial.step(*number, step)?;
        if !faults.is_empty() {
            trial.outcome.faults = faults;
            break;
        }
    }
    Ok(trial.outcome)
}

pub(super) struct Trial<'a> {
    pub(super) world: TestWorld,
    pub(super) program: &'a Program,
    pub(super) place: PathBuf,
    /// The oracle's records by output folder.
    pub(super) ledgers: BTreeMap<String, Ledger>,
    /// The last undisturbed run.
    pub(super) reference: Option<Reference>,
    /// Whether a run is paused while another one is made.
    pub(super) is_at_work: bool,
    /// Whether the last run was refused.
    pub(super) was_refused: bool,
    pub(super) outcome: CaseOutcome,
}

impl Trial<'_> {
    fn step(&mut self, number: usize, step: &CaseStep) -> io::Result<Faults> {
        match step {
            CaseStep::Change(change) => {
                let is_done = match change {
                    FileChange::Output { nth, is_cut } => self.damage_output(*nth, *is_cut)?,
                    change => self.world.change(*change)?,
                };
                let note = if is_done { "" } else { " (nothing to change)" };
                self.outcome.log.push(format!("{number}: {change:?}{note}"));
                // `verify` notices a damaged output. It does not check files outside of the folder.
                if matches!(change, FileChange::Output { .. }) {
                    self.verify()
                } else {
                    Ok(Faults::new())
                }
            }
            CaseStep::Run(run) if run.to == RowDestination::Stdout => {
                self.run_to_stdout(number, run)
            }
            CaseStep::Run(run) => {
                let mut run = run.clone();
                if run.as_before
                    && let Some(config) =
                        self.ledgers.get(&run.folder()).and_then(|ledger| ledger.configs.last())
                {
                    run.settings = config.settings.clone();
                    run.rejects = config.rejects;
                }
                let mut faults = if run.dry { self.dry(number, &run)? } else { Faults::new() };
                if faults.is_empty() {
                    faults = self.run(number, &run)?;
                }
                if faults.is_empty() {
                    faults = self.verify()?;
                }
                if faults.is_empty() {
                    faults = self.verify_shares(&run)?;
                }
                Ok(faults)
            }
        }
    }

    /// Makes a run, and checks all rules after it.
    pub(super) fn run(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        match self.world.command {
            Command::Extract | Command::Refine | Command::Dedup => self.run_to_folder(number, run),
            Command::Index => self.run_to_index(number, run),
        }
    }

    pub(super) fn folder(&self, run: &Run) -> PathBuf {
        self.place.join("out").join(run.folder())
    }

    /// Returns the places where a run writes: its folder and its lists.
    pub(super) fn places(&self, run: &Run) -> [PathBuf; 3] {
        [run.folder(), run.rejects_list(), run.drop_list()]
            .map(|name| self.place.join("out").join(name))
    }

    pub(super) fn count(&mut self, ending: &'static str) {
        *self.outcome.endings.entry(ending).or_default() += 1;
    }

    /// Damages or removes an output, or a file of an index.
    fn damage_output(&mut self, nth: usize, is_cut: bool) -> io::Result<bool> {
        for (name, ledger) in &mut self.ledgers {
            let folder = self.place.join("out").join(name);
            let outputs: Vec<String> = if self.world.command == Command::Index {
                Snapshot::take(&[&folder])?.names(&folder)
            } else {
                let journal = RunArtifacts::read(&folder)?.journal;
                journal.iter().flat_map(run_artifacts::Entry::outputs).cloned().collect()
            };
            let Some(output) = outputs.get(nth % outputs.len().max(1)) else { continue };
            let path = folder.join(output);
            let Ok(bytes) = fs::read(&path) else { continue };
            if is_cut {
                fs::write(&path, &bytes[..bytes.len() / 2])?;
            } else {
                fs::remove_file(&path)?;
            }
            if !(is_cut && bytes.is_empty()) {
                ledger.spoiled.insert(output.clone());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes a dry run, which changes nothing and is refused where the run would be.
    fn dry(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let plan = Plan::from_run(&self.world, run);
        let earlier = self.ledgers.get(&run.folder()).cloned().unwrap_or_default();
        let was = RunArtifacts::read(&self.folder(run))?;
        let places = self.places(run);
        let before = Snapshot::take(&places)?;
        let mut arguments = command_line(&self.world, run, "out");
        arguments.push("--dry-run".to_owned());
        let ended = self.program.run(&self.place, &arguments, None, &mut || Ok(()))?;
        self.outcome.log.push(format!(
            "{number}: huller {} -> {:?}",
            arguments.join(" "),
            ended.code
        ));
        self.count("dry runs");
        let mut faults = invariants::no_panic(&ended);
        let differences = before.differences(&Snapshot::take(&places)?);
        let (may_refuse, must_refuse) =
            ledger::reason_to_refuse(&self.world, run, &plan, &earlier, &was);
        let is_refused = !matches!(ended.code, Some(0 | 1));
        if is_refused || !differences.is_empty() {
            let may_refuse = may_refuse && ended.code != Some(5);
            faults.extend(ledger::check_refused(may_refuse || !is_refused, &ended, &differences));
        } else if must_refuse {
            faults.push("the dry run was not refused, but the run must be".to_owned());
        }
        Ok(faults)
    }

    /// Makes a run whose rows go to standard output: every page once, or the exit code is not 0.
    fn run_to_stdout(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let plan = Plan::from_run(&self.world, run);
        let arguments = command_line(&self.world, run, "out");
        let ended = self.program.run(&self.place, &arguments, None, &mut || Ok(()))?;
        self.outcome.log.push(format!(
            "{number}: huller {} -> {:?}",
            arguments.join(" "),
            ended.code
        ));
        self.count("to standard output");
        let mut faults = invariants::no_panic(&ended);
        let text = run_artifacts::plain(&ended.stdout, run.settings.compress());
        match text.and_then(|text| run_artifacts::rows(&text)) {
            Ok(rows) => {
                faults.extend(invariants::on_stdout(&self.world, run, &plan, &rows, ended.code));
            }
            Err(error) => faults.push(format!("rule 2: standard output: {error}")),
        }
        Ok(faults)
    }

    /// Runs `huller verify` on every folder.
    fn verify(&mut self) -> io::Result<Faults> {
        let mut faults = Faults::new();
        if self.world.command == Command::Index {
            return Ok(faults);
        }
        for (name, ledger) in &self.ledgers {
            let arguments = ["verify".to_owned(), format!("out/{name}"), "-q".to_owned()];
            let ended = self.program.run(&self.place, &arguments, None, &mut || Ok(()))?;
            faults.extend(invariants::no_panic(&ended));
            faults.extend(ledger::verified(ledger, &ended));
        }
        Ok(faults)
    }

    /// Runs `huller verify` on all shards over the list.
    fn verify_shares(&mut self, run: &Run) -> io::Result<Faults> {
        let Some(share) = run.share else { return Ok(Faults::new()) };
        let mut folders = shares::folders(share.of);
        folders.retain(|name| self.ledgers.contains_key(name));
        if folders.is_empty() || self.world.list.is_empty() {
            return Ok(Faults::new());
        }
        let mut arguments =
            vec!["verify".to_owned(), "-q".to_owned(), format!("--manifest={LIST}")];
        arguments.extend(folders.iter().map(|name| format!("out/{name}")));
        let ended = self.program.run(&self.place, &arguments, None, &mut || Ok(()))?;
        self.count("shards verified");
        let left: Vec<RunArtifacts> = folders
            .iter()
            .map(|name| RunArtifacts::read(&self.place.join("out").join(name)))
            .collect::<io::Result<_>>()?;
        let mut faults = invariants::no_panic(&ended);
        faults.extend(shares::verified(&self.world, share.of, &self.ledgers, &left, &ended));
        Ok(faults)
    }
}
