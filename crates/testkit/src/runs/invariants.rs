//! Checks the rules, each with its number in the [front page](super).

use super::Command;
use super::case::Run;
use super::expected::{Counts, EntryCounts, ExpectedRecords, InputVersion};
use super::faults::Faults;
use super::ledger::Ledger;
use super::plan::{self, Plan};
use super::program::ProgramEnd;
use super::records::{Marker, RecordOutcome};
use super::run_artifacts::{Entry, RunArtifacts};
use super::test_world::TestWorld;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the versions of the noted size for which the entry's rows and counts are right, or the
/// fault.
fn matching_versions(
    world: &TestWorld,
    ledger: &Ledger,
    entry: &Entry,
    rows: &[Marker],
) -> Result<Vec<InputVersion>, String> {
    let mut wrong = None;
    let mut right = Vec::new();
    for (input, version) in world.of_size(entry.input_bytes) {
        if !plan::names(world, input).contains(&entry.input) {
            continue;
        }
        for config in &ledger.configs {
            let Some(expected) = config.expected(world, input, version) else { continue };
            let difference = if config.settings.is_list() {
                expected.counters_differ(&entry.counters)
            } else {
                expected.differs(rows, &entry.counters, config.settings.limit().is_some())
            };
            match difference {
                None => right.push(InputVersion { input, version }),
                Some(difference) => wrong = Some(format!("version {version}: {difference}")),
            }
        }
    }
    let no_version = || format!("no version has {} bytes", entry.input_bytes);
    if right.is_empty() { Err(wrong.unwrap_or_else(no_version)) } else { Ok(right) }
}

/// Checks rules 1 to 4, and returns the possible versions of each journal entry. With `all_there`,
/// all outputs of the journal must exist.
pub(super) fn check_always(
    world: &TestWorld,
    ledger: &Ledger,
    artifacts: &RunArtifacts,
    all_there: bool,
) -> (Faults, BTreeMap<String, Vec<InputVersion>>) {
    let mut faults = Faults::new();
    let mut seen = BTreeMap::new();
    for (output, rows) in &artifacts.outputs {
        match rows {
            Err(_) if ledger.spoiled.contains(output) => {}
            Err(error) => faults.push(format!("rule 2: '{output}': {error}")),
            Ok(rows) => {
                for row in rows {
                    if let Some(other) = seen.insert(row, output) {
                        faults.push(format!("rule 1: row {row} is in '{other}' and in '{output}'"));
                    }
                }
            }
        }
    }
    let (mut inputs, mut outputs) = (BTreeSet::new(), BTreeSet::new());
    let mut entered = BTreeMap::new();
    for entry in &artifacts.journal {
        let input = &entry.input;
        let is_twice = entry.outputs().any(|output| !outputs.insert(output));
        if !inputs.insert(input) || is_twice {
            faults.push(format!("rule 3: '{input}' or one of its outputs is in the journal twice"));
        }
        match written_rows(ledger, artifacts, entry) {
            OutputRows::All(rows) => match matching_versions(world, ledger, entry, &rows) {
                Ok(of) => {
                    entered.insert(input.clone(), of);
                }
                Err(wrong) => faults.push(format!("rule 3: '{input}': {wrong}")),
            },
            OutputRows::NotThere(output) if all_there => {
                faults.push(format!("rule 3: '{output}' of '{input}' is missing"));
            }
            OutputRows::NotThere(_) | OutputRows::Damaged => {}
        }
    }
    (faults, entered)
}

/// The rows of all outputs of an input.
enum OutputRows<'a> {
    All(Vec<Marker>),
    NotThere(&'a str),
    /// An output was damaged later, or cannot be read.
    Damaged,
}

fn written_rows<'a>(ledger: &Ledger, artifacts: &RunArtifacts, entry: &'a Entry) -> OutputRows<'a> {
    let mut all = Vec::new();
    for output in entry.outputs() {
        match artifacts.outputs.get(output) {
            _ if ledger.spoiled.contains(output) => return OutputRows::Damaged,
            Some(Ok(rows)) => all.extend(rows),
            Some(Err(_)) => return OutputRows::Damaged,
            None => return OutputRows::NotThere(output),
        }
    }
    OutputRows::All(all)
}

/// Checks rule 4.
pub(super) fn no_panic(ended: &ProgramEnd) -> Faults {
    let mut faults = Faults::new();
    if ended.has_hung {
        faults.push("rule 4: it hangs".to_owned());
    }
    if ended.stderr.contains("panicked") {
        faults.push(format!("rule 4: it panics: {}", ended.stderr));
    }
    faults
}

/// Checks rules 5 to 9 for a run over `plan` that ended with 0 or 1. `then` holds the versions of
/// all inputs at its start.
pub(super) fn check_ended(
    world: &TestWorld,
    run: &Run,
    plan: &Plan,
    then: &[Option<usize>],
    artifacts: &RunArtifacts,
    entered: &BTreeMap<String, Vec<InputVersion>>,
    code: i32,
) -> Faults {
    let mut faults = Faults::new();
    let Some(stats) = &artifacts.stats else {
        return vec!["rule 9: there are no statistics".to_owned()];
    };
    // An entry may be right for both the old and the new version of an input. It still counts as
    // one entry.
    let times_entered = |input: usize, versions: &[usize]| {
        let is_of = |done: &InputVersion| done.input == input && versions.contains(&done.version);
        entered.values().filter(|of| of.iter().any(is_of)).count()
    };
    // The written rows of the plan, and its possible rows.
    let (mut expected_unusable, mut at_most) = (plan.missing, plan.missing);
    let (mut pages, mut lost) = (0, Vec::new());
    for &number in &plan.inputs {
        let Some(input) = world.input(number) else { continue };
        let (old, new) = (then[number].unwrap_or_default(), input.now());
        // An input that vanished or changed during the run was read before, or is reported.
        let is_touched = old != new || !input.is_there;
        let versions = if old == new { vec![old] } else { vec![old, new] };
        let times = times_entered(number, &versions);
        let version = &input.versions[old];
        let has_pages = ExpectedRecords::new(version.records(), &run.settings).least_rows();
        at_most += usize::from(is_touched);
        if !version.is_usable() {
            expected_unusable += usize::from(!is_touched);
            at_most += usize::from(!is_touched);
        } else if times == 1 || (times == 0 && is_touched) {
            pages += if times == 1 { has_pages } else { 0 };
        } else {
            pages += has_pages;
            lost.push(format!("rule 5: '{}' is in the journal {times} times", input.path));
        }
    }
    let mine = |name: &str| match entered.get(name) {
        // The run may now use another name for the input.
        Some(of) => of.iter().map(|done| done.input).any(|number| {
            plan.inputs.contains(&number)
                && plan::name(world, run.what, &plan.inputs, number) == name
        }),
        None => plan.inputs.iter().any(|number| plan::names(world, *number).contains(&name.into())),
    };
    let of_plan = artifacts.journal.iter().filter(|entry| mine(&entry.input));
    let written: u64 = of_plan.clone().map(|entry| entry.counters.written).sum();
    let (without_page, with_page): (Vec<_>, Vec<_>) =
        of_plan.partition(|entry| entry.counters.is_without_page());
    // An archive of other records is only noted, if another input has a page.
    let is_lenient = world.command == Command::Extract && !with_page.is_empty();
    let is_reported = |counters: &EntryCounts| !is_lenient || !counters.failed.is_empty();
    let without_page = without_page.iter().filter(|entry| is_reported(&entry.counters)).count();
    let limit = run.settings.limit().map(u64::from);
    // If an input changes while the limit cuts it, the run aborts it and reads no other in its
    // place.
    let is_given_up = at_most > expected_unusable && !stats.unusable.is_empty();
    let is_enough = limit.is_some_and(|limit| written >= limit || is_given_up);
    if let Some(limit) = limit
        && !is_enough
        && !plan.is_open
        && written < pages.min(limit)
    {
        faults.push(format!("rule 5: {written} rows for a limit of {limit} and {pages} pages"));
    }
    if !is_enough && !plan.is_open {
        faults.extend(lost);
    }
    let reported = stats.unusable.len();
    let expected = expected_unusable + without_page..=at_most + without_page;
    let is_right = if is_enough || plan.is_open {
        reported <= *expected.end()
    } else {
        expected.contains(&reported)
    };
    if !is_right {
        faults.push(format!(
            "rule 6: {reported} inputs are reported, expected {expected:?}: {:?}",
            stats.unusable
        ));
    }
    for unusable in &stats.unusable {
        if unusable.input.is_empty() || unusable.error.is_empty() {
            faults.push(format!("rule 6: a report without name or reason: {unusable:?}"));
        }
    }
    faults.extend(outcome(world, run, plan, then, artifacts, code));
    faults.extend(statistics(artifacts));
    faults
}

/// Checks rules 7 and 8: the exit status, `_SUCCESS` and the files match the reported inputs.
fn outcome(
    world: &TestWorld,
    run: &Run,
    plan: &Plan,
    then: &[Option<usize>],
    artifacts: &RunArtifacts,
    code: i32,
) -> Faults {
    let mut faults = Faults::new();
    let Some(stats) = &artifacts.stats else { return faults };
    let reported = stats.unusable.len();
    let has_damage = stats.total.failed.values().sum::<u64>() > 0
        || plan.inputs.iter().any(|&number| {
            let version = world.input(number).zip(then[number]);
            let mut records =
                version.iter().flat_map(|(input, version)| input.versions[*version].records());
            records.any(|record| record.fate == RecordOutcome::Damaged)
        });
    let may_be_strict = run.strict && has_damage;
    if artifacts.has_succeeded != (reported == 0) {
        faults.push(format!(
            "rule 7: {reported} inputs are reported, _SUCCESS: {}",
            artifacts.has_succeeded
        ));
    }
    if (code == 0) != (reported == 0) && !(code == 1 && may_be_strict) {
        faults.push(format!("rule 7: exit code {code}, {reported} inputs are reported"));
    }
    if artifacts.has_succeeded {
        let named: BTreeSet<&String> = artifacts.journal.iter().flat_map(Entry::outputs).collect();
        let strangers = artifacts.outputs.keys().filter(|output| !named.contains(output));
        faults.extend(strangers.map(|output| format!("rule 8: '{output}' is not in the journal")));
        faults.extend(artifacts.parts.iter().map(|part| format!("rule 8: '{part}' is left")));
    }
    faults
}

/// Checks rule 9.
fn statistics(artifacts: &RunArtifacts) -> Faults {
    let mut faults = Faults::new();
    let Some(stats) = &artifacts.stats else { return faults };
    let mut total = EntryCounts::default();
    for row in &stats.inputs {
        total.add(&row.counters);
        let entry = artifacts.journal.iter().find(|entry| entry.input == row.input);
        if entry
            .is_none_or(|entry| entry.counters != row.counters || entry.input_bytes != row.bytes)
        {
            faults
                .push(format!("rule 9: the statistics of '{}' differ from the journal", row.input));
        }
    }
    if total != stats.total {
        faults.push(format!("rule 9: the total is {:?}, the sum {total:?}", stats.total));
    }
    faults
}

/// Checks rule 10, for a run that has listed its rejects and succeeded.
pub(super) fn rejects(artifacts: &RunArtifacts, listed: &BTreeMap<String, Counts>) -> Faults {
    let mut faults = Faults::new();
    let sum = |counts: &Counts| counts.values().sum::<u64>();
    let entries = artifacts.journal.iter().filter(|entry| entry.rejects_bytes.is_some());
    let mut expected = 0;
    for entry in entries {
        let counts = entry.counters.listed_rejects();
        expected += sum(&counts);
        // Pages in a folder are listed by their own names.
        if let Some(found) = listed.get(&entry.input)
            && *found != counts
        {
            faults.push(format!(
                "rule 10: the rejects have {found:?} of '{}', its statistics {counts:?}",
                entry.input
            ));
        }
    }
    let found: u64 = listed.values().map(sum).sum();
    if found != expected {
        faults.push(format!(
            "rule 10: {found} rejects are listed, the statistics have {expected}: {listed:?}"
        ));
    }
    faults
}

/// Checks the additional rules after a run was killed or interrupted.
pub(super) fn broken_off(
    artifacts: &RunArtifacts,
    ended: &ProgramEnd,
    ended_well: impl FnOnce() -> Faults,
) -> Faults {
    let mut faults = Faults::new();
    if !ended.was_killed && artifacts.has_succeeded {
        faults.push("interrupted, and _SUCCESS is there".to_owned());
    } else if artifacts.has_succeeded {
        let others = ended_well().into_iter();
        faults.extend(others.map(|fault| format!("killed next to _SUCCESS: {fault}")));
    }
    faults
}

/// Checks rules 1, 5 and 7 for rows on standard output.
pub(super) fn on_stdout(
    world: &TestWorld,
    run: &Run,
    plan: &Plan,
    rows: &[Marker],
    code: Option<i32>,
) -> Faults {
    let mut faults = Faults::new();
    let distinct: BTreeSet<&Marker> = rows.iter().collect();
    if distinct.len() != rows.len() {
        faults.push("rule 1: a row is on standard output twice".to_owned());
    }
    let refused = !matches!(code, Some(0 | 1));
    if refused {
        if !(plan.collides || plan.is_empty) {
            faults.push(format!("refused with {code:?} for no good reason"));
        }
        return faults;
    }
    let (mut sure, mut possible) = (BTreeSet::new(), BTreeSet::new());
    for &number in &plan.inputs {
        let Some(input) = world.input(number) else { continue };
        for (marker, is_sure) in
            ExpectedRecords::new(input.versions[input.now()].records(), &run.settings).rows
        {
            possible.insert(marker);
            if is_sure {
                sure.insert(marker);
            }
        }
    }
    if let Some(stranger) = rows.iter().find(|row| !possible.contains(row)) {
        faults.push(format!("rule 5: row {stranger} is of no input as it is now"));
    }
    let lost: Vec<String> =
        sure.iter().filter(|page| !distinct.contains(page)).map(ToString::to_string).collect();
    let is_enough = run.settings.limit().is_some_and(|limit| rows.len() as u64 >= u64::from(limit));
    if !lost.is_empty() && !is_enough && !plan.is_open {
        faults.push(format!("rule 5: no row of {}", lost.join(", ")));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::case::{InputSelection, RowDestination, Run, RunMode};
    use super::super::command::Command;
    use super::super::inputs::{InputForm, Packing};
    use super::super::ledger::Config;
    use super::super::run_artifacts::{Stats, StatsRow};
    use super::super::settings::{Extract, Settings};
    use super::super::slot::Slot;
    use super::*;

    const SETTINGS: Settings = Settings::Extract(Extract {
        extractor: "body",
        compress: "none",
        min_chars: false,
        any_status: true,
        html: false,
        limit: None,
        memory: false,
    });

    fn run() -> Run {
        Run {
            what: InputSelection::Folder,
            share: None,
            mode: RunMode::Fresh,
            to: RowDestination::Folder,
            settings: SETTINGS,
            rejects: false,
            threads: 1,
            strict: false,
            dry: false,
            as_before: false,
            fault: None,
            meanwhile: None,
        }
    }

    /// Returns a world of one input, and the artifacts of a correct run over it.
    fn right(root: &std::path::Path) -> (TestWorld, RunArtifacts) {
        let form = InputForm::Jsonl(Packing::Plain);
        let slot =
            Slot { path: "x.jsonl".to_owned(), form, seed: 3, is_large: false, is_foreign: false };
        let world = TestWorld::new(Command::Extract, root, &[Some(slot)], &[]).unwrap();
        let version = &world.input(0).unwrap().versions[0];
        let expected = ExpectedRecords::new(version.records(), &SETTINGS);
        let rows: Vec<Marker> = expected.rows.iter().map(|(marker, _)| *marker).collect();
        assert!(rows.len() > 1, "the seed gives several pages");
        let counters = || EntryCounts {
            records: expected.records,
            written: rows.len() as u64,
            skipped: expected.skipped.clone(),
            failed: expected.failed.clone(),
        };
        let (input, bytes) = ("x.jsonl".to_owned(), version.size());
        let entry = Entry::new(&input, bytes, "x.jsonl", counters());
        let inputs = vec![StatsRow { input, bytes, counters: counters() }];
        let artifacts = RunArtifacts {
            has_succeeded: true,
            journal: vec![entry],
            stats: Some(Stats { inputs, total: counters(), unusable: Vec::new() }),
            outputs: BTreeMap::from([("x.jsonl".to_owned(), Ok(rows))]),
            parts: Vec::new(),
        };
        (world, artifacts)
    }

    /// Returns all faults after the run ended with 0.
    fn faults(world: &TestWorld, artifacts: &RunArtifacts) -> Faults {
        let run = run();
        let ledger = Ledger { configs: vec![Config::from_run(world, &run)], ..Ledger::default() };
        let (mut faults, entered) = check_always(world, &ledger, artifacts, true);
        let plan = Plan::from_run(world, &run);
        faults.extend(check_ended(world, &run, &plan, &[Some(0)], artifacts, &entered, 0));
        faults
    }

    type SpoilArtifacts = fn(&mut RunArtifacts);

    /// Each way to lose or double a record breaks the rule that forbids it.
    #[test]
    fn every_rule_is_broken_by_what_it_forbids() {
        let spoils: [(&str, SpoilArtifacts); 9] = [
            ("rule 1", |artifacts| {
                let rows = artifacts.outputs["x.jsonl"].clone();
                artifacts.outputs.insert("old/x.jsonl".to_owned(), rows);
            }),
            ("rule 2", |artifacts| {
                artifacts.outputs.insert("x.jsonl".to_owned(), Err("no JSON".to_owned()));
            }),
            ("rule 3", |artifacts| {
                let rows = artifacts.outputs.get_mut("x.jsonl").unwrap().as_mut().unwrap();
                rows.pop();
                artifacts.journal[0].counters.written -= 1;
                artifacts.journal[0].counters.records -= 1;
            }),
            ("rule 3", |artifacts| artifacts.journal[0].input_bytes += 1),
            ("rule 5", |artifacts| artifacts.journal.clear()),
            ("rule 6", |artifacts| {
                let (input, error) = ("x.jsonl".to_owned(), "gone".to_owned());
                artifacts
                    .stats
                    .as_mut()
                    .unwrap()
                    .unusable
                    .push(super::super::run_artifacts::UnusableInput { input, error });
            }),
            ("rule 7", |artifacts| artifacts.has_succeeded = false),
            ("rule 8", |artifacts| {
                artifacts
                    .outputs
                    .insert("y.jsonl".to_owned(), Ok(vec![Marker { input: 9, serial: 9 }]));
            }),
            ("rule 9", |artifacts| artifacts.stats.as_mut().unwrap().total.records += 1),
        ];
        let folder = tempfile::tempdir().unwrap();
        let (world, artifacts) = right(&folder.path().join("right"));
        assert_eq!(faults(&world, &artifacts), Faults::new());
        for (number, (rule, spoil)) in spoils.into_iter().enumerate() {
            let (world, mut artifacts) = right(&folder.path().join(number.to_string()));
            spoil(&mut artifacts);
            let faults = faults(&world, &artifacts);
            assert!(faults.iter().any(|fault| fault.starts_with(rule)), "{number}: {faults:?}");
        }
    }
}
