//! One case from its first step to its last.

use super::case::{Case, Mode, Run, Step, To};
use super::change::Change;
use super::describe::command_line;
use super::invariants;
use super::ledger::{self, Config, Faults, Ledger};
use super::left::{self, Left, Snapshot};
use super::plan::Plan;
use super::program::{Act, Ended, Program};
use super::shares;
use super::world::{LIST, World};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What became of a case.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What is wrong after the last step that was made; nothing, if all is right.
    pub faults: Vec<String>,
    /// The number of that step.
    pub step: usize,
    /// How often runs ended how.
    pub endings: BTreeMap<&'static str, u64>,
    /// The steps that were made, a line each.
    pub log: Vec<String>,
}

/// Runs a case in `place`, which is emptied first.
///
/// # Errors
///
/// The files of the case cannot be written, the program cannot be started, or its files cannot be read.
pub fn run(case: &Case, program: &Program, place: &Path) -> io::Result<Outcome> {
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    fs::create_dir_all(place)?;
    // The program is told no links.
    let place = place.canonicalize()?;
    let world = World::new(&place, &case.inputs, &case.list)?;
    let mut trial =
        Trial { world, program, place, ledgers: BTreeMap::new(), outcome: Outcome::default() };
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

struct Trial<'a> {
    world: World,
    program: &'a Program,
    place: PathBuf,
    /// By output folder.
    ledgers: BTreeMap<String, Ledger>,
    outcome: Outcome,
}

impl Trial<'_> {
    fn step(&mut self, number: usize, step: &Step) -> io::Result<Faults> {
        match step {
            Step::Change(change) => {
                let is_done = match change {
                    Change::Output { nth, is_cut } => self.spoil(*nth, *is_cut)?,
                    change => self.world.change(*change)?,
                };
                let note = if is_done { "" } else { " (nothing to change)" };
                self.outcome.log.push(format!("{number}: {change:?}{note}"));
                // An output that was damaged is noticed. What lies outside of the folder, verify does not look at.
                if matches!(change, Change::Output { .. }) {
                    self.verify()
                } else {
                    Ok(Faults::new())
                }
            }
            Step::Run(run) if run.to == To::Stdout => self.run_to_stdout(number, run),
            Step::Run(run) => {
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

    fn folder(&self, run: &Run) -> PathBuf {
        self.place.join("out").join(run.folder())
    }

    fn rejects(&self, run: &Run) -> PathBuf {
        self.place.join(format!("out/{}.rejects.jsonl", run.folder()))
    }

    fn count(&mut self, ending: &'static str) {
        *self.outcome.endings.entry(ending).or_default() += 1;
    }

    /// Damages or removes an output.
    fn spoil(&mut self, nth: usize, is_cut: bool) -> io::Result<bool> {
        for (name, ledger) in &mut self.ledgers {
            let folder = self.place.join("out").join(name);
            let left = Left::read(&folder)?;
            let outputs: Vec<&String> =
                left.journal.iter().filter_map(|entry| entry.output.as_ref()).collect();
            let Some(output) = outputs.get(nth % outputs.len().max(1)) else { continue };
            let path = folder.join(output);
            let Ok(bytes) = fs::read(&path) else { continue };
            if is_cut {
                fs::write(&path, &bytes[..bytes.len() / 2])?;
            } else {
                fs::remove_file(&path)?;
            }
            if !(is_cut && bytes.is_empty()) {
                ledger.spoiled.insert((*output).clone());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A run, and all that must hold after it.
    fn run(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let (folder, rejects) = (self.folder(run), self.rejects(run));
        let plan = Plan::of(&self.world, run);
        let config = Config::of(&self.world, run);
        let then: Vec<Option<usize>> = self
            .world
            .inputs
            .iter()
            .map(|input| input.as_ref().map(super::world::Input::now))
            .collect();
        let earlier = self.ledgers.get(&run.folder()).cloned().unwrap_or_default();
        let was = Left::read(&folder)?;
        let places = [folder.as_path(), rejects.as_path()];
        let before = Snapshot::take(&places)?;
        let arguments = command_line(&self.world, run);
        // When the run began; more may change meanwhile.
        let (may_refuse, must_refuse) =
            ledger::reason_to_refuse(&self.world, run, &plan, &earlier, &was);
        let epoch = self.world.epoch;
        let lines: Vec<String> =
            self.world.lines().into_iter().flat_map(|(_, lines)| lines).collect();
        let (program, place) = (self.program, self.place.clone());
        let mut meanwhile = || match run.meanwhile {
            // An output is not damaged under the hands of a run.
            None | Some(Change::Output { .. }) => Ok(()),
            Some(change) => self.world.change(change).map(drop),
        };
        let ended = program.run(&place, &arguments, run.fault, &mut meanwhile)?;
        let line = format!(
            "{number}: huller {} -> {:?}{}",
            arguments.join(" "),
            ended.code,
            said_fault(run, &ended)
        );
        self.outcome.log.push(line);

        let mut faults = invariants::no_panic(&ended);
        let left = Left::read(&folder)?;
        let is_interrupted =
            ended.code == Some(130) && run.fault.is_some_and(|fault| fault.act == Act::Interrupt);
        let ended_well = matches!(ended.code, Some(0 | 1));
        if !ended_well && !is_interrupted && !ended.was_killed {
            self.count(match ended.code {
                Some(2) => "refused (2)",
                Some(3) => "refused (3)",
                _ => "refused (4, 5)",
            });
            let differences = before.differences(&Snapshot::take(&places)?);
            faults.extend(ledger::refused(may_refuse, &ended, &differences));
            return Ok(faults);
        }
        if ended_well && must_refuse {
            faults.push(format!("ended with {:?}, and must be refused", ended.code));
        }
        let mut now = Ledger { configs: vec![config], ..Ledger::default() };
        if !ended_well {
            // It may have been killed before it replaced or changed anything.
            let others = earlier.configs.into_iter().filter(|before| *before != now.configs[0]);
            now.configs.extend(others.collect::<Vec<_>>());
        }
        let after = Snapshot::take(&places)?;
        // What the run did not write anew is as it was.
        let is_kept = |output: &String| {
            let path = folder.join(output);
            let is_named = left.journal.iter().any(|entry| entry.output.as_ref() == Some(output));
            before.get(&path) == after.get(&path) && (is_named || path.exists())
        };
        now.spoiled = earlier.spoiled.into_iter().filter(is_kept).collect();
        now.has_old_rejects =
            run.mode == Mode::Resume && (earlier.has_old_rejects || !left.continues(&was));
        let (wrong, entered) = invariants::always(&self.world, &now, &left, !ended.was_killed);
        faults.extend(wrong);
        let at_end = |code| {
            let mut faults =
                invariants::ended(&self.world, run, &plan, &then, &left, &entered, code);
            if left.has_succeeded && run.rejects {
                match left::rejects(&rejects) {
                    Ok(listed) => {
                        faults.extend(invariants::rejects(&left, &listed, now.has_old_rejects));
                    }
                    Err(error) => {
                        faults.push(format!("rule 10: the rejects cannot be read: {error}"));
                    }
                }
            }
            faults
        };
        let has_changed = !before.differences(&after).is_empty();
        if let Some(code) = ended.code.filter(|_| ended_well) {
            faults.extend(at_end(code));
        } else if has_changed {
            faults.extend(invariants::broken_off(&left, &ended, || at_end(0)));
        }
        self.count(match (ended.code, ended.was_killed) {
            (_, true) => "killed",
            (Some(0), _) => "ended with 0",
            (Some(1), _) => "ended with 1",
            _ => "interrupted",
        });
        if !has_changed && ended.was_killed {
            // Killed before it did anything.
            now.success = earlier.success;
            now.listed = earlier.listed;
        } else if left.has_succeeded {
            now.success = Some(epoch);
            now.listed = lines;
        }
        self.ledgers.insert(run.folder(), now);
        Ok(faults)
    }

    /// A dry run: changes nothing, and is refused where the run would be.
    fn dry(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let (folder, rejects) = (self.folder(run), self.rejects(run));
        let plan = Plan::of(&self.world, run);
        let earlier = self.ledgers.get(&run.folder()).cloned().unwrap_or_default();
        let was = Left::read(&folder)?;
        let places = [folder.as_path(), rejects.as_path()];
        let before = Snapshot::take(&places)?;
        let mut arguments = command_line(&self.world, run);
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
            faults.extend(ledger::refused(may_refuse || !is_refused, &ended, &differences));
        } else if must_refuse {
            faults.push("the dry run is not refused, and the run must be".to_owned());
        }
        Ok(faults)
    }

    /// A run whose rows go to standard output: every page once, or the exit code is not 0.
    fn run_to_stdout(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let plan = Plan::of(&self.world, run);
        let arguments = command_line(&self.world, run);
        let ended = self.program.run(&self.place, &arguments, None, &mut || Ok(()))?;
        self.outcome.log.push(format!(
            "{number}: huller {} -> {:?}",
            arguments.join(" "),
            ended.code
        ));
        self.count("to standard output");
        let mut faults = invariants::no_panic(&ended);
        let text = left::plain(&ended.stdout, run.settings.compress);
        match text.and_then(|text| left::rows(&text)) {
            Ok(rows) => {
                faults.extend(invariants::on_stdout(&self.world, run, &plan, &rows, ended.code));
            }
            Err(error) => faults.push(format!("rule 2: standard output: {error}")),
        }
        Ok(faults)
    }

    /// `huller verify` of every folder.
    fn verify(&mut self) -> io::Result<Faults> {
        let mut faults = Faults::new();
        for (name, ledger) in &self.ledgers {
            let arguments = ["verify".to_owned(), format!("out/{name}"), "-q".to_owned()];
            let ended = self.program.run(&self.place, &arguments, None, &mut || Ok(()))?;
            faults.extend(invariants::no_panic(&ended));
            faults.extend(ledger::verified(ledger, &ended));
        }
        Ok(faults)
    }

    /// `huller verify` of all shares over the list.
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
        self.count("shares verified");
        let left: Vec<Left> = folders
            .iter()
            .map(|name| Left::read(&self.place.join("out").join(name)))
            .collect::<io::Result<_>>()?;
        let mut faults = invariants::no_panic(&ended);
        faults.extend(shares::verified(&self.world, share.of, &self.ledgers, &left, &ended));
        Ok(faults)
    }
}

/// What the fault of a run was, and whether it came.
fn said_fault(run: &Run, ended: &Ended) -> String {
    let Some(fault) = run.fault else { return String::new() };
    let came = ended.was_killed || ended.has_stopped || ended.code == Some(130);
    let meanwhile =
        run.meanwhile.map(|change| format!(", meanwhile {change:?}")).unwrap_or_default();
    format!(
        "; {:?} at {:?} {}{meanwhile}{}",
        fault.act,
        fault.calls,
        fault.nth,
        if came { "" } else { " (did not come)" }
    )
}
