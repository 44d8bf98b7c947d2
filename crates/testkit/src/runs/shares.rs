//! Checks all shards of a list together.

use super::faults::Faults;
use super::ledger::Ledger;
use super::plan;
use super::program::ProgramEnd;
use super::run_artifacts::RunArtifacts;
use super::slot::ListEntry;
use super::test_world::TestWorld;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the names of the folders of all shards.
pub(super) fn folders(of: usize) -> Vec<String> {
    (0..of).map(|number| format!("s{number}")).collect()
}

/// Checks the result of `huller verify DIR… --manifest LIST` over the existing folders, and the
/// folders themselves.
pub(super) fn verified(
    world: &TestWorld,
    of: usize,
    ledgers: &BTreeMap<String, Ledger>,
    folders_left: &[RunArtifacts],
    ended: &ProgramEnd,
) -> Faults {
    let mut faults = Faults::new();
    let wrong = not_done_once(world, folders_left);
    let all_done = have_succeeded(world, of, ledgers);
    if ended.code == Some(0) && !wrong.is_empty() {
        faults.push(format!("verify reports complete shards, but {wrong:?}"));
    }
    if all_done && !wrong.is_empty() {
        faults.push(format!("all shards have succeeded, but {wrong:?}"));
    }
    if all_done && ended.code != Some(0) {
        let (code, said) = (ended.code, ended.stdout.escape_ascii());
        faults.push(format!("all shards have succeeded, but verify ends with {code:?}: {said}"));
    }
    faults
}

/// Returns the paths of the list that are not entered in exactly one of the folders.
fn not_done_once(world: &TestWorld, folders_left: &[RunArtifacts]) -> Vec<String> {
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    for left in folders_left {
        let mut entered = BTreeSet::new();
        for entry in &left.journal {
            let of_size = world.of_size(entry.input_bytes).into_iter().map(|(number, _)| number);
            let named: Vec<usize> = of_size
                .filter(|number| plan::names(world, *number).contains(&entry.input))
                .collect();
            // A run may use the name `X` for `b/X` too. If an input of the same size has the path
            // `X`, the name means that input.
            let is_path =
                |number: &usize| world.input(*number).is_some_and(|i| i.path == entry.input);
            let exact: Vec<usize> = named.iter().copied().filter(is_path).collect();
            entered.extend(if exact.is_empty() { named } else { exact });
        }
        for number in entered {
            *times.entry(number).or_default() += 1;
        }
    }
    let wrong = |listed: &ListEntry, lines: &[String]| match listed {
        ListEntry::Input(number) => {
            let times = times.get(number).copied().unwrap_or_default();
            (times != 1).then(|| format!("{} is done {times} times", lines.join(", ")))
        }
        ListEntry::Nothing(_) => Some(format!("{} is not there", lines.join(", "))),
    };
    world.lines().iter().filter_map(|(listed, lines)| wrong(listed, lines)).collect()
}

/// Returns whether all shards have succeeded with the present list and inputs, and without a limit.
fn have_succeeded(world: &TestWorld, of: usize, ledgers: &BTreeMap<String, Ledger>) -> bool {
    let lines: Vec<String> = world.lines().into_iter().flat_map(|(_, lines)| lines).collect();
    let of_shares: Vec<&Ledger> = folders(of).iter().filter_map(|name| ledgers.get(name)).collect();
    let configs = || of_shares.iter().flat_map(|ledger| &ledger.configs);
    let ways: BTreeSet<_> = configs().map(|config| &config.shares).collect();
    of_shares.len() == of
        && ways.len() == 1
        && configs().all(|config| config.settings.limit().is_none())
        && of_shares.iter().all(|ledger| {
            let is_of_now = ledger.success == Some(world.epoch) && ledger.listed == lines;
            is_of_now && ledger.spoiled.is_empty()
        })
}
