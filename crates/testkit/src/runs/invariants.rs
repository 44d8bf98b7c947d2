//! Checks the rules, each with its number in the [front page](super).

use super::case::Run;
use super::expected::{Account, Counts, Done, Expected};
use super::faults::Faults;
use super::ledger::Ledger;
use super::plan::{self, Plan};
use super::program::Ended;
use super::records::{Fate, Marker};
use super::run_artifacts::{Entry, RunArtifacts};
use super::world::World;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the versions of the noted size for which the entry's rows and counts are right, or the
/// fault.
fn done(
    world: &World,
    ledger: &Ledger,
    entry: &Entry,
    rows: &[Marker],
) -> Result<Vec<Done>, String> {
    let mut wrong = None;
    let mut right = Vec::new();
    for (input, version) in world.of_size(entry.input_bytes) {
        if !plan::names(world, input).contains(&entry.input) {
            continue;
        }
        for config in &ledger.configs {
            let Some(expected) = config.expected(world, input, version) else { continue };
            let difference = if config.settings.is_list() {
                expected.account_differs(&entry.account)
            } else {
                expected.differs(rows, &entry.account, config.settings.limit().is_some())
            };
            match difference {
                None => right.push(Done { input, version }),
                Some(difference) => wrong = Some(format!("version {version}: {difference}")),
            }
        }
    }
    let no_version = || format!("no version has {} bytes", entry.input_bytes);
    if right.is_empty() { Err(wrong.unwrap_or_else(no_version)) } else { Ok(right) }
}

/// Checks rules 1 to 4, and returns the possible versions of each journal entry. With `all_there`,
/// all outputs of the journal must exist.
pub(super) fn always(
    world: &World,
    ledger: &Ledger,
    left: &RunArtifacts,
    all_there: bool,
) -> (Faults, BTreeMap<String, Vec<Done>>) {
    let mut faults = Faults::new();
    let mut seen = BTreeMap::new();
    for (output, rows) in &left.outputs {
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
    for entry in &left.journal {
        let input = &entry.input;
        let is_twice = entry.outputs().any(|output| !outputs.insert(output));
        if !inputs.insert(input) || is_twice {
            faults.push(format!("rule 3: '{input}' or one of its outputs is in the journal twice"));
        }
        match written(ledger, left, entry) {
            Written::All(rows) => match done(world, ledger, entry, &rows) {
                Ok(of) => {
                    entered.insert(input.clone(), of);
                }
                Err(wrong) => faults.push(format!("rule 3: '{input}': {wrong}")),
            },
            Written::NotThere(output) if all_there => {
                faults.push(format!("rule 3: '{output}' of '{input}' is missing"));
            }
            Written::NotThere(_) | Written::Damaged => {}
        }
    }
    (faults, entered)
}

/// The rows of all outputs of an input.
enum Written<'a> {
    All(Vec<Marker>),
    NotThere(&'a str),
    /// An output was damaged later, or cannot be read.
    Damaged,
}

fn written<'a>(ledger: &Ledger, left: &RunArtifacts, entry: &'a Entry) -> Written<'a> {
    let mut all = Vec::new();
    for output in entry.outputs() {
        match left.outputs.get(output) {
            _ if ledger.spoiled.contains(output) => return Written::Damaged,
            Some(Ok(rows)) => all.extend(rows),
            Some(Err(_)) => return Written::Damaged,
            None => return Written::NotThere(output),
        }
    }
    Written::All(all)
}

/// Checks rule 4.
pub(super) fn no_panic(ended: &Ended) -> Faults {
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
pub(super) fn ended(
    world: &World,
    run: &Run,
    plan: &Plan,
    then: &[Option<usize>],
    left: &RunArtifacts,
    entered: &BTreeMap<String, Vec<Done>>,
    code: i32,
) -> Faults {
    let mut faults = Faults::new();
    let Some(stats) = &left.stats else {
        return vec!["rule 9: there are no statistics".to_owned()];
    };
    // An entry may be right for both the old and the new version of an input. It still counts as
    // one entry.
    let times_entered = |input: usize, versions: &[usize]| {
        let is_of = |done: &Done| done.input == input && versions.contains(&done.version);
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
        let has_pages = Expected::new(version.records(), &run.settings).least_rows();
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
    let of_plan = left.journal.iter().filter(|entry| mine(&entry.input));
    let written: u64 = of_plan.clone().map(|entry| entry.account.written).sum();
    let without_page = of_plan.filter(|entry| entry.account.is_without_page()).count();
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
    faults.extend(outcome(world, run, plan, then, left, code));
    faults.extend(statistics(left));
    faults
}

/// Checks rules 7 and 8: the exit status, `_SUCCESS` and the files match the reported inputs.
fn outcome(
    world: &World,
    run: &Run,
    plan: &Plan,
    then: &[Option<usize>],
    left: &RunArtifacts,
    code: i32,
) -> Faults {
    let mut faults = Faults::new();
    let Some(stats) = &left.stats else { return faults };
    let reported = stats.unusable.len();
    let has_damage = stats.total.failed.values().sum::<u64>() > 0
        || plan.inputs.iter().any(|&number| {
            let version = world.input(number).zip(then[number]);
            let mut records =
                version.iter().flat_map(|(input, version)| input.versions[*version].records());
            records.any(|record| record.fate == Fate::Damaged)
        });
    let may_be_strict = run.strict && has_damage;
    if left.has_succeeded != (reported == 0) {
        faults.push(format!(
            "rule 7: {reported} inputs are reported, _SUCCESS: {}",
            left.has_succeeded
        ));
    }
    if (code == 0) != (reported == 0) && !(code == 1 && may_be_strict) {
        faults.push(format!("rule 7: exit code {code}, {reported} inputs are reported"));
    }
    if left.has_succeeded {
        let named: BTreeSet<&String> = left.journal.iter().flat_map(Entry::outputs).collect();
        let strangers = left.outputs.keys().filter(|output| !named.contains(output));
        faults.extend(strangers.map(|output| format!("rule 8: '{output}' is not in the journal")));
        faults.extend(left.parts.iter().map(|part| format!("rule 8: '{part}' is left")));
    }
    faults
}

/// Checks rule 9.
fn statistics(left: &RunArtifacts) -> Faults {
    let mut faults = Faults::new();
    let Some(stats) = &left.stats else { return faults };
    let mut total = Account::default();
    for row in &stats.inputs {
        total.add(&row.account);
        let entry = left.journal.iter().find(|entry| entry.input == row.input);
        if entry.is_none_or(|entry| entry.account != row.account || entry.input_bytes != row.bytes)
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
pub(super) fn rejects(left: &RunArtifacts, listed: &BTreeMap<String, Counts>) -> Faults {
    let mut faults = Faults::new();
    let sum = |counts: &Counts| counts.values().sum::<u64>();
    let entries = left.journal.iter().filter(|entry| entry.rejects_bytes.is_some());
    let mut expected = 0;
    for entry in entries {
        let counts = entry.account.listed();
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
    left: &RunArtifacts,
    ended: &Ended,
    ended_well: impl FnOnce() -> Faults,
) -> Faults {
    let mut faults = Faults::new();
    if !ended.was_killed && left.has_succeeded {
        faults.push("interrupted, and _SUCCESS is there".to_owned());
    } else if left.has_succeeded {
        let others = ended_well().into_iter();
        faults.extend(others.map(|fault| format!("killed next to _SUCCESS: {fault}")));
    }
    faults
}

/// Checks rules 1, 5 and 7 for rows on standard output.
pub(super) fn on_stdout(
    world: &World,
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
            Expected::new(input.versions[input.now()].records(), &run.settings).rows
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
    use super::super::case::{InputSelection, Mode, Run, To};
    use super::super::command::Command;
    use super::super::inputs::{Form, Packing};
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
            mode: Mode::Anew,
            to: To::Folder,
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
    fn right(root: &std::path::Path) -> (World, RunArtifacts) {
        let form = Form::Jsonl(Packing::Plain);
        let slot =
            Slot { path: "x.jsonl".to_owned(), form, seed: 3, is_large: false, is_foreign: false };
        let world = World::new(Command::Extract, root, &[Some(slot)], &[]).unwrap();
        let version = &world.input(0).unwrap().versions[0];
        let expected = Expected::new(version.records(), &SETTINGS);
        let rows: Vec<Marker> = expected.rows.iter().map(|(marker, _)| *marker).collect();
        assert!(rows.len() > 1, "the seed gives several pages");
        let account = || Account {
            records: expected.records,
            written: rows.len() as u64,
            skipped: expected.skipped.clone(),
            failed: expected.failed.clone(),
        };
        let (input, bytes) = ("x.jsonl".to_owned(), version.size());
        let entry = Entry::new(&input, bytes, "x.jsonl", account());
        let inputs = vec![StatsRow { input, bytes, account: account() }];
        let left = RunArtifacts {
            has_succeeded: true,
            journal: vec![entry],
            stats: Some(Stats { inputs, total: account(), unusable: Vec::new() }),
            outputs: BTreeMap::from([("x.jsonl".to_owned(), Ok(rows))]),
            parts: Vec::new(),
        };
        (world, left)
    }

    /// Returns all faults after the run ended with 0.
    fn faults(world: &World, left: &RunArtifacts) -> Faults {
        let run = run();
        let ledger = Ledger { configs: vec![Config::of(world, &run)], ..Ledger::default() };
        let (mut faults, entered) = always(world, &ledger, left, true);
        let plan = Plan::of(world, &run);
        faults.extend(ended(world, &run, &plan, &[Some(0)], left, &entered, 0));
        faults
    }

    type Spoil = fn(&mut RunArtifacts);

    /// Each way to lose or double a record breaks the rule that forbids it.
    #[test]
    fn every_rule_is_broken_by_what_it_forbids() {
        let spoils: [(&str, Spoil); 9] = [
            ("rule 1", |left| {
                let rows = left.outputs["x.jsonl"].clone();
                left.outputs.insert("old/x.jsonl".to_owned(), rows);
            }),
            ("rule 2", |left| {
                left.outputs.insert("x.jsonl".to_owned(), Err("no JSON".to_owned()));
            }),
            ("rule 3", |left| {
                let rows = left.outputs.get_mut("x.jsonl").unwrap().as_mut().unwrap();
                rows.pop();
                left.journal[0].account.written -= 1;
                left.journal[0].account.records -= 1;
            }),
            ("rule 3", |left| left.journal[0].input_bytes += 1),
            ("rule 5", |left| left.journal.clear()),
            ("rule 6", |left| {
                let (input, error) = ("x.jsonl".to_owned(), "gone".to_owned());
                left.stats
                    .as_mut()
                    .unwrap()
                    .unusable
                    .push(super::super::run_artifacts::Unusable { input, error });
            }),
            ("rule 7", |left| left.has_succeeded = false),
            ("rule 8", |left| {
                left.outputs.insert("y.jsonl".to_owned(), Ok(vec![Marker { input: 9, serial: 9 }]));
            }),
            ("rule 9", |left| left.stats.as_mut().unwrap().total.records += 1),
        ];
        let folder = tempfile::tempdir().unwrap();
        let (world, left) = right(&folder.path().join("right"));
        assert_eq!(faults(&world, &left), Faults::new());
        for (number, (rule, spoil)) in spoils.into_iter().enumerate() {
            let (world, mut left) = right(&folder.path().join(number.to_string()));
            spoil(&mut left);
            let faults = faults(&world, &left);
            assert!(faults.iter().any(|fault| fault.starts_with(rule)), "{number}: {faults:?}");
        }
    }
}
