//! The oracle's record of an output folder, and the rules for the next run over it.

use super::case::{Run, RunMode};
use super::command::Command;
use super::decisions;
use super::expected::ExpectedRecords;
use super::faults::Faults;
use super::index_contents::IndexedVersions;
use super::plan::{self, Plan};
use super::program::ProgramEnd;
use super::run_artifacts::RunArtifacts;
use super::settings::Settings;
use super::test_world::TestWorld;
use std::collections::{BTreeMap, BTreeSet};

/// The oracle's record of an output folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    /// The possible settings of the run in the folder. If a run that replaces another is killed,
    /// both settings are possible.
    pub(super) configs: Vec<Config>,
    /// Outputs that were damaged after they were written.
    pub(super) spoiled: BTreeSet<String>,
    /// The epoch of the last run that changed the folder, if it left `_SUCCESS`.
    pub(super) success: Option<u64>,
    /// The lines of the list at that time.
    pub(super) listed: Vec<String>,
    /// The files of the index, if the folder holds one.
    pub(super) indexed: BTreeMap<String, IndexedVersions>,
}

/// The configuration of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Config {
    pub(super) settings: Settings,
    pub(super) rejects: bool,
    /// The number of shards, whether names decide the shard, and the lines of the list where they
    /// matter.
    pub(super) shares: Option<(usize, bool, Vec<String>)>,
    /// The inputs and their versions, where rows of all inputs are compared.
    pub(super) together: Vec<(usize, usize)>,
    /// The names of these inputs in that run.
    pub(super) names: Vec<String>,
}

impl Config {
    pub(super) fn from_run(world: &TestWorld, run: &Run) -> Config {
        let shares = run.share.map(|share| {
            let lines = world.lines().into_iter().flat_map(|(_, lines)| lines);
            (share.of, share.by_name, if share.by_name { Vec::new() } else { lines.collect() })
        });
        let compared = if world.command == Command::Dedup {
            Plan::from_run(world, run).inputs
        } else {
            Vec::new()
        };
        let version = |number: &usize| Some((*number, world.input(*number)?.now()));
        let name = |number: &usize| plan::name(world, run.what, &compared, *number);
        Config {
            settings: run.settings.clone(),
            rejects: run.rejects,
            shares,
            together: compared.iter().filter_map(version).collect(),
            names: compared.iter().map(name).collect(),
        }
    }

    /// Returns the expected outcome of a version of an input; `None` if no run could have read it.
    pub(super) fn expected(
        &self,
        world: &TestWorld,
        input: usize,
        version: usize,
    ) -> Option<ExpectedRecords> {
        let of = |(input, version): (usize, usize)| Some(&world.input(input)?.versions[version]);
        let Settings::Dedup(settings) = &self.settings else {
            return Some(ExpectedRecords::new(of((input, version))?.records(), &self.settings));
        };
        let place = self.together.iter().position(|it| *it == (input, version))?;
        let versions: Vec<_> = self.together.iter().filter_map(|it| of(*it)).collect();
        decisions::decide_all(&versions, settings).into_iter().nth(place)
    }
}

/// Returns whether a run over a folder may be refused, and whether it must be.
pub(super) fn reason_to_refuse(
    world: &TestWorld,
    run: &Run,
    plan: &Plan,
    ledger: &Ledger,
    was: &RunArtifacts,
) -> (bool, bool) {
    let config = Config::from_run(world, run);
    let has_entries = !was.journal.is_empty();
    let is_other = |c: &Config| Config { rejects: config.rejects, ..c.clone() } != config;
    let lacks_rejects = |c: &Config| c.rejects && !config.rejects;
    let (may, must) = match run.mode {
        RunMode::Fresh => (!ledger.configs.is_empty(), has_entries),
        RunMode::Resume => {
            let may = ledger.configs.iter().any(|c| is_other(c) || lacks_rejects(c));
            let must = !ledger.configs.is_empty() && ledger.configs.iter().all(is_other);
            let may = may || takes_place(world, plan, was) || is_renamed(world, run, plan, was);
            (may, must && has_entries)
        }
        // A file that was changed later may belong to another program.
        RunMode::Overwrite => {
            let is_there = |output: &String| was.outputs.contains_key(output);
            let has_changed = ledger.spoiled.iter().any(is_there);
            (has_changed, has_changed)
        }
    };
    (may || plan.collides || plan.is_empty, must || plan.is_empty)
}

/// Returns whether an input of the plan would be written over the rows of another.
fn takes_place(world: &TestWorld, plan: &Plan, was: &RunArtifacts) -> bool {
    was.journal.iter().any(|entry| {
        let Some(output) = entry.outputs().next() else { return false };
        let output = output.rsplit('/').next().unwrap_or_default();
        plan.inputs.iter().any(|number| {
            let stem = world.input(*number).map_or("", |input| input.stem());
            let is_ending = |rest: &str| rest.starts_with(".jsonl") || rest.starts_with('-');
            let is_same = output.strip_prefix(stem).is_some_and(is_ending);
            is_same && world.of_size(entry.input_bytes).iter().all(|(other, _)| other != number)
        })
    })
}

/// Returns whether an input of the plan may be in the journal under another name.
fn is_renamed(world: &TestWorld, run: &Run, plan: &Plan, was: &RunArtifacts) -> bool {
    was.journal.iter().any(|entry| {
        plan.inputs.iter().any(|number| {
            let has_size =
                world.of_size(entry.input_bytes).iter().any(|(other, _)| other == number);
            has_size
                && plan::names(world, *number).contains(&entry.input)
                && plan::name(world, run.what, &plan.inputs, *number) != entry.input
        })
    })
}

/// Checks the rules after a run was refused.
pub(super) fn check_refused(may_be: bool, ended: &ProgramEnd, differences: &[String]) -> Faults {
    let mut faults = Faults::new();
    if !may_be {
        faults.push(format!("refused with {:?} for no good reason: {}", ended.code, ended.stderr));
    }
    if !differences.is_empty() {
        faults.push(format!("refused, and changed {differences:?}"));
    }
    faults
}

/// Checks the result of `huller verify DIR`.
pub(super) fn verified(ledger: &Ledger, ended: &ProgramEnd) -> Faults {
    let is_sound = ledger.success.is_some() && ledger.spoiled.is_empty();
    match (ended.code, is_sound) {
        (Some(0), true) | (Some(1), false) => Faults::new(),
        (code, true) => vec![format!(
            "verify ends with {code:?} after a run that succeeded: {}{}",
            ended.stdout.escape_ascii(),
            ended.stderr
        )],
        (code, false) => vec![format!(
            "verify ends with {code:?} after a run that did not succeed, or was damaged"
        )],
    }
}
