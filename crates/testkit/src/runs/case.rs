//! Cases: the inputs and steps that a seed gives.

use super::change::FileChange;
use super::command::Command;
use super::inputs::{Edit, InputForm};
use super::program::{CountedCalls, FaultAction, InjectedFault};
use super::settings::{Dedup, DedupOutput, Extract, Index, Refine, Settings};
use super::slot::{ListEntry, Slot};
use crate::random::Random;
use std::collections::BTreeSet;

/// The inputs that the command line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputSelection {
    Folder,
    List,
    /// The inputs whose bits are set, by name.
    Files(u32),
}

/// The shard of the list that a run takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShardChoice {
    pub(super) number: usize,
    pub(super) of: usize,
    pub(super) by_name: bool,
}

/// How a run treats the contents of its output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunMode {
    Fresh,
    Resume,
    Overwrite,
}

/// The destination of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowDestination {
    Folder,
    Stdout,
}

/// The event while a run is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PauseEvent {
    Change(FileChange),
    /// A second run with the same settings begins in the folder.
    SecondRun(RunMode),
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) what: InputSelection,
    pub(super) share: Option<ShardChoice>,
    pub(super) mode: RunMode,
    pub(super) to: RowDestination,
    pub(super) settings: Settings,
    pub(super) rejects: bool,
    pub(super) threads: u32,
    pub(super) strict: bool,
    /// Whether a dry run precedes it.
    pub(super) dry: bool,
    /// Whether it takes the settings of the last run in the folder.
    pub(super) as_before: bool,
    pub(super) fault: Option<InjectedFault>,
    /// The event while it is paused.
    pub(super) meanwhile: Option<PauseEvent>,
}

impl Run {
    /// Returns the name of its output folder.
    pub(super) fn folder(&self) -> String {
        self.share.map_or("whole".to_owned(), |share| format!("s{}", share.number))
    }

    /// Returns the name of its list of rejects, which is beside that folder.
    pub(super) fn rejects_list(&self) -> String {
        format!("{}.rejects.jsonl", self.folder())
    }

    /// Returns the name of its list of rows to drop.
    pub(super) fn drop_list(&self) -> String {
        format!("{}.drop.jsonl", self.folder())
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CaseStep {
    Run(Run),
    Change(FileChange),
}

/// The inputs and steps of a trial.
#[derive(Clone, Debug)]
pub struct Case {
    /// The command that the case runs.
    pub command: Command,
    /// The seed that decides the case.
    pub seed: u32,
    /// `None` for inputs that were removed.
    pub(super) inputs: Vec<Option<Slot>>,
    pub(super) list: Vec<ListEntry>,
    /// The steps with their numbers, since some may have been removed.
    pub(super) steps: Vec<(usize, CaseStep)>,
}

impl Case {
    /// Returns the case of a seed.
    pub fn new(command: Command, seed: u32) -> Case {
        let mut chance = RandomChoices(Random::new(seed));
        let inputs = inputs(&mut chance, command);
        let list = list(&mut chance, inputs.len());
        let mut steps = steps(&mut chance, command, inputs.len());
        let closing = closing(&steps);
        steps.extend(closing);
        let inputs = inputs.into_iter().map(Some).collect();
        let steps = steps.into_iter().enumerate().collect();
        Case { command, seed, inputs, list, steps }
    }

    /// Keeps only these inputs and steps, by number.
    #[must_use]
    pub fn keep(mut self, inputs: Option<&[usize]>, steps: Option<&[usize]>) -> Case {
        if let Some(kept) = inputs {
            for (number, input) in self.inputs.iter_mut().enumerate() {
                if !kept.contains(&number) {
                    *input = None;
                }
            }
        }
        if let Some(kept) = steps {
            self.steps.retain(|(number, _)| kept.contains(number));
        }
        self
    }

    /// Returns the numbers of the remaining inputs.
    pub fn inputs(&self) -> Vec<usize> {
        let inputs = self.inputs.iter().enumerate();
        inputs.filter(|(_, input)| input.is_some()).map(|(number, _)| number).collect()
    }

    /// Returns the numbers of the remaining steps.
    pub fn steps(&self) -> Vec<usize> {
        self.steps.iter().map(|(number, _)| *number).collect()
    }
}

/// Random choices.
struct RandomChoices(Random);

impl RandomChoices {
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u32) as usize
    }

    fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn inputs(chance: &mut RandomChoices, command: Command) -> Vec<Slot> {
    let count = 1 + if chance.one_in(3) { chance.below(12) } else { chance.below(5) };
    let may_collide = chance.one_in(25);
    let (mut paths, mut outputs) = (BTreeSet::new(), BTreeSet::new());
    let mut slots: Vec<Slot> = Vec::new();
    // There are few names, so some names in different folders are equal or differ only in case.
    while slots.len() < count {
        let form = chance.of(InputForm::for_command(command));
        let folder = chance.of(&["", "", "a/", "b/", "a/deep/", "B/"]);
        let name = chance.of(&["x", "X", "y", "crawl-00", "z.1"]);
        let output = format!("{folder}{name}");
        let path = format!("{output}{}", form.suffix());
        // No input is in the folder of another, and usually no two inputs have one output.
        let is_alike = !outputs.insert(output) && !may_collide;
        if is_alike || !paths.insert(path.clone()) {
            continue;
        }
        let is_large = chance.one_in(20);
        let is_foreign = form != InputForm::Pages && chance.one_in(20);
        slots.push(Slot { path, form, seed: chance.0.word(), is_large, is_foreign });
    }
    slots
}

fn list(chance: &mut RandomChoices, inputs: usize) -> Vec<ListEntry> {
    let mut list: Vec<ListEntry> = (0..inputs).map(ListEntry::Input).collect();
    for place in (1..list.len()).rev() {
        list.swap(place, chance.below(place + 1));
    }
    if chance.one_in(3) && list.len() > 1 {
        list.truncate(1 + chance.below(list.len() - 1));
    }
    if chance.one_in(6) {
        list.insert(chance.below(list.len() + 1), ListEntry::Nothing(1));
    }
    list
}

fn settings(chance: &mut RandomChoices, command: Command) -> Settings {
    let compress = chance.of(&["zstd", "zstd", "gzip", "none"]);
    match command {
        Command::Extract => Settings::Extract(Extract {
            extractor: chance.of(&["body", "body", "pvalue"]),
            compress,
            min_chars: chance.one_in(3),
            any_status: chance.one_in(3),
            html: chance.one_in(6),
            limit: chance.one_in(6).then(|| chance.below(12) as u32),
            memory: chance.one_in(12),
        }),
        Command::Refine => {
            // Signatures need one output for each input.
            let (signs, rows_per_file) = match chance.below(8) {
                0..3 => (true, None),
                3 | 4 => (false, Some(1 + chance.below(4) as u32)),
                _ => (false, None),
            };
            Settings::Refine(Refine {
                min_chars: chance.one_in(2),
                addresses: chance.one_in(2),
                masks: chance.one_in(3),
                signs,
                rows_per_file,
                compress,
                limit: chance.one_in(8).then(|| chance.below(12) as u32),
            })
        }
        Command::Dedup => Settings::Dedup(Dedup {
            by: chance.of(&[
                &["url"],
                &["text"],
                &["near"],
                &["url", "text"],
                &["text", "near"],
                &["url", "text", "near"],
            ]),
            keep: chance.of(&[None, None, Some("first"), Some("newest")]),
            written: chance.of(&[
                DedupOutput::Kept,
                DedupOutput::Kept,
                DedupOutput::Kept,
                DedupOutput::Sizes,
                DedupOutput::Marked,
                DedupOutput::List,
            ]),
            seed: if chance.one_in(3) { 2 } else { 1 },
            memory: chance.one_in(8),
        }),
        Command::Index => {
            Settings::Index(Index { commits: chance.one_in(2), memory: chance.one_in(2) })
        }
    }
}

fn change(chance: &mut RandomChoices, inputs: usize) -> FileChange {
    let number = chance.below(inputs);
    match chance.below(16) {
        0 | 1 => FileChange::Edit(number, Edit::Grow),
        2 => FileChange::Edit(number, Edit::Shrink),
        3 => FileChange::Edit(number, Edit::Cut),
        4 => FileChange::Edit(number, Edit::Replace),
        5 => FileChange::Replace(number),
        6 => FileChange::Edit(number, Edit::Foreign),
        7 => FileChange::Remove(number),
        8 => FileChange::Hide(number),
        9 => FileChange::Back(number),
        10 => FileChange::ListGrows { at_front: true },
        11 => FileChange::ListGrows { at_front: false },
        12 => FileChange::ListShrinks(number),
        13 => FileChange::ListTurns(1 + number),
        14 => FileChange::Output { nth: number, is_cut: chance.one_in(2) },
        _ => FileChange::Edit(number, Edit::InPlace),
    }
}

fn fault(chance: &mut RandomChoices, command: Command, inputs: usize) -> InjectedFault {
    let act = chance.of(&[
        FaultAction::Kill,
        FaultAction::Kill,
        FaultAction::Killed,
        FaultAction::Killed,
        FaultAction::Interrupt,
        FaultAction::Stop,
    ]);
    let calls = if act == FaultAction::Stop && chance.one_in(2) {
        CountedCalls::Reads
    } else {
        CountedCalls::Changes
    };
    // About the number of such calls in one run.
    let most = match calls {
        CountedCalls::Changes => match command {
            Command::Extract => 30 + 14 * inputs,
            Command::Refine => 30 + 20 * inputs,
            Command::Dedup => 50 + 30 * inputs,
            Command::Index => 100 + 15 * inputs,
        },
        CountedCalls::Reads => 2 * inputs + 1,
    };
    InjectedFault { calls, nth: 1 + chance.below(most) as u32, act }
}

/// Properties that all runs of a case share, unless a step differs.
struct CaseDefaults {
    command: Command,
    /// The number of inputs.
    inputs: usize,
    settings: Settings,
    rejects: bool,
    /// The number of shards, and whether the names of inputs decide the shard.
    shares: Option<(usize, bool)>,
    what: InputSelection,
}

impl CaseDefaults {
    fn new(chance: &mut RandomChoices, command: Command, inputs: usize) -> CaseDefaults {
        let is_by_input = command.is_by_input();
        let settings = settings(chance, command);
        let rejects = chance.one_in(3) && is_by_input;
        let has_shares = chance.one_in(3) && is_by_input;
        let shares = has_shares.then(|| (1 + chance.below(3), chance.one_in(2)));
        let what = match (shares, chance.below(5)) {
            (None, 0 | 1) => InputSelection::Folder,
            (Some(_), _) | (None, 2 | 3) => InputSelection::List,
            (None, _) => InputSelection::Files(chance.0.word()),
        };
        CaseDefaults { command, inputs, settings, rejects, shares, what }
    }

    fn run(&self, chance: &mut RandomChoices) -> Run {
        let CaseDefaults { command, inputs, .. } = *self;
        let is_by_input = command.is_by_input();
        let share = self.shares.map(|(of, by_name)| {
            let number = chance.below(of);
            ShardChoice { number, of, by_name }
        });
        let what = match self.what {
            // For a command that compares all inputs, other files are another run.
            InputSelection::Files(_) if is_by_input || chance.one_in(10) => {
                InputSelection::Files(chance.0.word())
            }
            InputSelection::Folder if chance.one_in(10) => InputSelection::List,
            InputSelection::List if share.is_none() && chance.one_in(10) => InputSelection::Folder,
            what => what,
        };
        let settings =
            if chance.one_in(8) { settings(chance, command) } else { self.settings.clone() };
        let mode = match chance.below(10) {
            0..2 => RunMode::Fresh,
            2 => RunMode::Overwrite,
            _ => RunMode::Resume,
        };
        // Several outputs of an input need a folder, and so do signatures.
        let may_be_stdout = is_by_input && settings.rows_per_file().is_none() && !settings.signs();
        let to = if chance.one_in(15) && may_be_stdout {
            RowDestination::Stdout
        } else {
            RowDestination::Folder
        };
        let has_fault = to == RowDestination::Folder && chance.one_in(2);
        let fault = has_fault.then(|| fault(chance, command, inputs));
        let is_stopped = fault.is_some_and(|fault| fault.act == FaultAction::Stop);
        let meanwhile = is_stopped.then(|| {
            if chance.one_in(3) {
                let modes = [RunMode::Fresh, RunMode::Resume, RunMode::Resume, RunMode::Overwrite];
                PauseEvent::SecondRun(chance.of(&modes))
            } else {
                PauseEvent::Change(change(chance, inputs))
            }
        });
        Run {
            what,
            share,
            mode: if to == RowDestination::Stdout { RunMode::Fresh } else { mode },
            to,
            settings,
            rejects: (self.rejects != chance.one_in(12)) && is_by_input,
            threads: chance.of(&[1, 1, 2, 4]),
            strict: chance.one_in(10) && is_by_input,
            dry: chance.one_in(10) && is_by_input,
            as_before: false,
            fault,
            meanwhile,
        }
    }
}

fn steps(chance: &mut RandomChoices, command: Command, inputs: usize) -> Vec<CaseStep> {
    let habits = CaseDefaults::new(chance, command, inputs);
    let mut steps = Vec::new();
    let count = 1 + chance.below(6);
    while steps.len() < count {
        let is_change = !steps.is_empty() && chance.one_in(2);
        steps.push(if is_change {
            CaseStep::Change(change(chance, inputs))
        } else {
            CaseStep::Run(habits.run(chance))
        });
    }
    steps
}

/// Returns runs without a fault that resume the last one, over all shards.
fn closing(steps: &[CaseStep]) -> Vec<CaseStep> {
    let mut runs = steps.iter().filter_map(|step| match step {
        CaseStep::Run(run) => Some(run),
        CaseStep::Change(_) => None,
    });
    let Some(last) = runs.rfind(|run| run.to == RowDestination::Folder) else { return Vec::new() };
    let plain = Run {
        mode: RunMode::Resume,
        fault: None,
        meanwhile: None,
        dry: false,
        strict: false,
        as_before: true,
        ..last.clone()
    };
    match plain.share {
        // A resumed run may be refused for a changed input, but a run from the start is accepted.
        None if !plain.settings.command().is_by_input() => {
            let again = Run { mode: RunMode::Overwrite, ..plain.clone() };
            vec![CaseStep::Run(plain), CaseStep::Run(again)]
        }
        None => vec![CaseStep::Run(plain)],
        Some(share) => (0..share.of)
            .map(|number| {
                CaseStep::Run(Run { share: Some(ShardChoice { number, ..share }), ..plain.clone() })
            })
            .collect(),
    }
}
