//! Runs a command that writes an index, and checks all rules after it.

use super::case::{PauseEvent, Run, RunMode};
use super::describe::command_line;
use super::expected::{ExpectedRecords, InputVersion};
use super::faults::Faults;
use super::index_contents::{FileState, IndexContents, IndexedVersions};
use super::invariants;
use super::ledger::{self, Config, Ledger};
use super::plan::{self, Plan};
use super::program::ProgramEnd;
use super::records::{Record, RecordOutcome};
use super::run_artifacts::Snapshot;
use super::run_to_folder::is_refused;
use super::settings::{Index, Settings};
use super::test_world::{Input, TestWorld};
use super::trial::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

/// The state of the world at the start of a run.
struct IndexRunStart {
    plan: Plan,
    then: Vec<Option<usize>>,
    earlier: Ledger,
    folder: PathBuf,
    outputs: Snapshot,
    inputs: Snapshot,
    may_refuse: bool,
    must_refuse: bool,
    epoch: u64,
}

impl Trial<'_> {
    /// Runs to an index, and checks the rules for its end.
    pub(super) fn run_to_index(&mut self, number: usize, run: &Run) -> io::Result<Faults> {
        let mut before = self.before_index(run)?;
        let arguments = command_line(&self.world, run, "out");
        let (program, place) = (self.program, self.place.clone());
        let mut faults = Faults::new();
        let ended = program.run(&place, &arguments, run.fault, &mut || {
            faults = self.act_during_pause(number, run)?;
            match run.meanwhile {
                Some(PauseEvent::SecondRun(_)) if !self.was_refused => {
                    before = self.before_index(run)?;
                }
                _ => {
                    before.inputs = self.inputs()?;
                    // A change during the run may be a reason, too.
                    before.may_refuse |= self.before_index(run)?.may_refuse;
                }
            }
            Ok(())
        })?;
        self.log(number, run, &arguments, &ended);
        faults.extend(invariants::no_panic(&ended));
        let changed = before.inputs.differences(&self.inputs()?);
        faults.extend(changed.iter().map(|path| format!("rule 12: the input '{path}' changed")));
        let is_broken = !before.earlier.spoiled.is_empty() && run.mode != RunMode::Overwrite;
        // If the run notices damage, it ends before it changes the index.
        let is_stopped = is_broken
            && ended.code == Some(1)
            && before.outputs.differences(&Snapshot::take(&[&before.folder])?).is_empty();
        self.was_refused = is_refused(run, &ended) || is_stopped;
        if self.was_refused {
            faults.extend(self.index_refused(&before, is_broken, &ended)?);
        } else {
            faults.extend(self.index_ended(run, &before, &ended)?);
        }
        Ok(faults)
    }

    fn before_index(&self, run: &Run) -> io::Result<IndexRunStart> {
        let plan = Plan::from_run(&self.world, run);
        let earlier = self.ledgers.get(&run.folder()).cloned().unwrap_or_default();
        let folder = self.folder(run);
        let outputs = Snapshot::take(&[&folder])?;
        let is_index = folder.join("meta.json").exists();
        let (may, must) = match run.mode {
            // An index without inputs is replaced.
            RunMode::Fresh => (is_index, is_index && !earlier.indexed.is_empty()),
            RunMode::Resume => refusal_bounds(&self.world, run, &plan, &earlier.indexed),
            RunMode::Overwrite => (false, false),
        };
        let then = self.world.inputs.iter().map(|input| input.as_ref().map(Input::now)).collect();
        Ok(IndexRunStart {
            then,
            earlier,
            folder,
            outputs,
            inputs: self.inputs()?,
            may_refuse: may || plan.is_empty,
            must_refuse: must || plan.is_empty,
            epoch: self.world.epoch,
            plan,
        })
    }

    /// Checks the rules after a run was refused.
    fn index_refused(
        &mut self,
        before: &IndexRunStart,
        is_broken: bool,
        ended: &ProgramEnd,
    ) -> io::Result<Faults> {
        self.count(match ended.code {
            Some(2) => "refused (2)",
            Some(3) => "refused (3)",
            _ => "refused (1, 4, 5)",
        });
        let may_refuse = match ended.code {
            Some(4) => self.is_at_work,
            Some(5) => is_broken,
            _ => before.may_refuse || is_broken,
        };
        let differences = before.outputs.differences(&Snapshot::take(&[&before.folder])?);
        Ok(ledger::check_refused(may_refuse, ended, &differences))
    }

    /// Checks the rules after a run ended, was killed or interrupted.
    fn index_ended(
        &mut self,
        run: &Run,
        before: &IndexRunStart,
        ended: &ProgramEnd,
    ) -> io::Result<Faults> {
        let ended_well = matches!(ended.code, Some(0 | 1));
        let mut faults = Faults::new();
        // An input that changed meanwhile may be an error of its own.
        if ended_well && before.must_refuse && before.epoch == self.world.epoch {
            faults.push(format!("ended with {:?}, but must be refused", ended.code));
        }
        let is_gone = |name: &String| !before.folder.join(name).exists();
        // A file may be gone since before the run; then another change shows that it began.
        let has_begun = !before.outputs.differences(&Snapshot::take(&[&before.folder])?).is_empty();
        let mut now = Ledger {
            configs: vec![Config::from_run(&self.world, run)],
            spoiled: before.earlier.spoiled.clone(),
            ..Ledger::default()
        };
        if run.mode == RunMode::Overwrite
            && (ended_well || (has_begun && now.spoiled.iter().any(is_gone)))
        {
            now.spoiled.clear();
        }
        let indexed = IndexContents::read(&self.world, self.program, &before.folder)?;
        match indexed.versions_by_file(&self.world) {
            // Searches may miss damaged rows, but must not return other rows.
            Err(_) if !now.spoiled.is_empty() && indexed.is_unreadable() => {
                now.indexed = before.earlier.indexed.clone();
            }
            Err(wrong) => faults.extend(wrong),
            Ok(entered) => {
                if let Some(code) = ended.code.filter(|_| ended_well) {
                    faults.extend(at_end(&self.world, before, &indexed, &entered, code));
                }
                now.indexed = entered;
                if ended_well && faults.is_empty() && before.epoch == self.world.epoch {
                    faults.extend(self.compare_index(run, before, &indexed, ended.code)?);
                }
            }
        }
        self.count(match (ended.code, ended.was_killed) {
            (_, true) => "killed",
            (Some(0), _) => "ended with 0",
            (Some(1), _) => "ended with 1",
            _ => "interrupted",
        });
        self.ledgers.insert(run.folder(), now);
        Ok(faults)
    }

    /// Checks rule 11: an undisturbed run gives the same hits and counts for the inputs of the
    /// plan.
    fn compare_index(
        &mut self,
        run: &Run,
        before: &IndexRunStart,
        indexed: &IndexContents,
        code: Option<i32>,
    ) -> io::Result<Faults> {
        let expected = self.undisturbed_run(run)?;
        let (mut faults, folder) = (expected.compare_code(code), expected.folder.clone());
        let reference = IndexContents::read(&self.world, self.program, &folder)?;
        let usable = before.plan.inputs.iter().filter(|number| {
            let input = self.world.input(**number);
            input.is_some_and(|input| input.versions[input.now()].is_usable())
        });
        let names: Vec<String> =
            usable.flat_map(|number| plan::names(&self.world, *number)).collect();
        let of_plan =
            |(name, file): &(&String, &FileState)| file.is_complete && names.contains(name);
        for (name, expected) in reference.files().filter(of_plan) {
            let found = indexed.file(name);
            let is_like = found.is_some_and(|found| found.is_like(expected));
            if !is_like || indexed.hits(name) != reference.hits(name) {
                faults.push(format!(
                    "rule 11: for '{name}' the index has {found:?} {:?}, but that of an \
                     undisturbed run {expected:?} {:?}",
                    indexed.hits(name),
                    reference.hits(name),
                ));
            }
        }
        Ok(faults)
    }
}

/// These settings do not change the hits.
const SETTINGS: Settings = Settings::Index(Index { commits: false, memory: false });

/// Returns the records of a version that are lines of an index.
fn lines(input: &Input, version: usize) -> Vec<&Record> {
    let is_line = |record: &&Record| record.fate != RecordOutcome::Failed("bad_row");
    input.versions[version].records().filter(is_line).collect()
}

/// Returns whether the first lines of an input are those of a version in the index. Returns `None`
/// if a damaged record makes the lines uncertain.
fn has_lines_of(
    world: &TestWorld,
    input: &Input,
    done: InputVersion,
    count: usize,
) -> Option<bool> {
    let (now, then) = (lines(input, input.now()), lines(world.input(done.input)?, done.version));
    let is_sure = |record: &&Record| record.fate != RecordOutcome::Damaged;
    let is_certain = now.iter().chain(&then).all(is_sure);
    let is_same = now.get(..count).is_some_and(|now| then.get(..count) == Some(now));
    is_certain.then_some(is_same)
}

/// Returns whether a resumed run may be refused, and whether it must be. The reason is that the
/// index would hold rows of an input twice, or rows that differ from those in it.
fn refusal_bounds(
    world: &TestWorld,
    run: &Run,
    plan: &Plan,
    indexed: &BTreeMap<String, IndexedVersions>,
) -> (bool, bool) {
    let (mut may, mut must) = (false, false);
    let name = |number: &usize| plan::name(world, run.what, &plan.inputs, *number);
    let of_plan: BTreeSet<String> = plan.inputs.iter().map(name).collect();
    for number in &plan.inputs {
        let Some(input) = world.input(*number) else { continue };
        let mine = name(number);
        for (known_name, known) in indexed {
            let is_mine = *known_name == mine;
            let is_elsewhere = !is_mine && of_plan.contains(known_name);
            if known.lines == 0 || is_elsewhere {
                continue;
            }
            let found: Vec<Option<bool>> = known
                .of
                .iter()
                .filter(|done| is_mine || done.input == *number)
                .map(|done| has_lines_of(world, input, *done, known.lines))
                .collect();
            // A file of another name is a reason to refuse if it has the same lines. A file of this
            // name is a reason if it has other lines.
            let is_bad = |found: &Option<bool>| found.is_none_or(|is_same| is_same != is_mine);
            let is_usable = input.versions[input.now()].is_usable();
            // A file that lost a record may be shorter than the part of it in the index.
            let records = |version: usize| input.versions[version].records().count();
            let is_shorter = known
                .of
                .iter()
                .any(|done| done.input == *number && records(input.now()) < records(done.version));
            may |= found.iter().any(is_bad) || (is_mine && is_shorter);
            must |= is_usable
                && !found.is_empty()
                && found.len() == known.of.len()
                && found.iter().all(|found| *found == Some(!is_mine));
        }
    }
    (may, must)
}

/// Checks rules 5 to 7 for a run that ended with 0 or 1.
fn at_end(
    world: &TestWorld,
    before: &IndexRunStart,
    indexed: &IndexContents,
    entered: &BTreeMap<String, IndexedVersions>,
    code: i32,
) -> Faults {
    let mut faults = Faults::new();
    let (mut unusable, mut maybe) = (before.plan.missing, 0);
    for &number in &before.plan.inputs {
        let Some(input) = world.input(number) else { continue };
        let (old, new) = (before.then[number].unwrap_or_default(), input.now());
        let is_touched = old != new || !input.is_there;
        let names = plan::names(world, number);
        let is_of = |done: &InputVersion| {
            done.input == number && (done.version == old || done.version == new)
        };
        let of_now = |(name, file): &(&String, &FileState)| {
            let is_entered = entered.get(*name).is_some_and(|it| it.of.iter().any(is_of));
            file.is_complete && names.contains(name) && is_entered
        };
        // A file with a damaged row may be of several versions.
        let is_sure = |(name, _): &(&String, &FileState)| entered[*name].of.iter().all(is_of);
        let sure = indexed.files().filter(of_now).filter(is_sure).count();
        let possible = indexed.files().filter(of_now).count();
        let version = &input.versions[old];
        if is_touched {
            maybe += 1;
        } else if !version.is_usable() {
            unusable += 1;
        } else if sure > 1 || possible < 1 {
            let times = sure.max(possible);
            faults.push(format!("rule 5: '{}' is in the index {times} times", input.path));
        }
        let without_row =
            indexed.files().filter(of_now).find(|(_, file)| file.counters.is_without_page());
        unusable += usize::from(without_row.is_some() && !is_touched);
    }
    let is_right = match code {
        0 => unusable == 0,
        _ => unusable + maybe > 0,
    };
    if !is_right {
        faults.push(format!(
            "rule 7: exit code {code}; {unusable} inputs cannot be used, {maybe} perhaps cannot"
        ));
    }
    faults
}

impl IndexContents {
    /// Returns the files in the index with the possible versions of their lines, or the faults by
    /// rules 1 to 3.
    fn versions_by_file(
        &self,
        world: &TestWorld,
    ) -> Result<BTreeMap<String, IndexedVersions>, Faults> {
        let mut faults = self.faults();
        let mut entered = BTreeMap::new();
        for (name, file) in self.files() {
            let markers: Vec<_> = self.hits(name).iter().map(|(_, marker)| *marker).collect();
            let (mut of, mut wrong) = (Vec::new(), String::new());
            for (number, input) in world.all() {
                if !plan::names(world, number).contains(name) {
                    continue;
                }
                for version in 0..input.versions.len() {
                    let expected =
                        ExpectedRecords::new(input.versions[version].records(), &SETTINGS);
                    match expected.differs(&markers, &file.counters, !file.is_complete) {
                        None => of.push(InputVersion { input: number, version }),
                        Some(difference) => wrong = difference,
                    }
                }
            }
            if of.is_empty() {
                faults.push(format!("rule 3: '{name}': {wrong}"));
            }
            entered.insert(name.clone(), IndexedVersions { of, lines: file.lines });
        }
        if faults.is_empty() { Ok(entered) } else { Err(faults) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{InputSelection, RowDestination};
    use super::super::change::FileChange;
    use super::super::command::Command;
    use super::super::expected::EntryCounts;
    use super::super::inputs::{Edit, InputForm, Packing};
    use super::super::records::Marker;
    use super::super::rows::RowFormat;
    use super::super::slot::Slot;
    use super::*;
    use std::path::Path;

    const RUN: Run = Run {
        what: InputSelection::Folder,
        share: None,
        mode: RunMode::Resume,
        to: RowDestination::Folder,
        settings: SETTINGS,
        rejects: false,
        threads: 1,
        strict: false,
        dry: false,
        as_before: false,
        fault: None,
        meanwhile: None,
    };

    /// Returns a world of one input, the rows that an index of it must have, and the counts.
    fn right(root: &Path) -> (TestWorld, Vec<(u64, Marker)>, EntryCounts) {
        let form = InputForm::Rows(RowFormat::Json, Packing::Plain);
        let path = "a/x.jsonl".to_owned();
        let slot = Slot { path, form, seed: 3, is_large: false, is_foreign: false };
        let world = TestWorld::new(Command::Index, root, &[Some(slot)], &[]).unwrap();
        let expected =
            ExpectedRecords::new(world.input(0).unwrap().versions[0].records(), &SETTINGS);
        let rows: Vec<_> = (0..).zip(expected.rows.iter().map(|(marker, _)| *marker)).collect();
        assert!(rows.len() > 1, "the seed gives several rows");
        let ExpectedRecords { records, skipped, failed, .. } = expected;
        let counters = EntryCounts { records, written: rows.len() as u64, skipped, failed };
        (world, rows, counters)
    }

    #[test]
    fn an_index_has_the_rows_of_one_version_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (world, rows, counters) = right(folder.path());
        let entered = |rows: &[_], counters: &EntryCounts| {
            IndexContents::with_one_file("a/x.jsonl", rows, counters.clone())
                .versions_by_file(&world)
        };
        let found = entered(&rows, &counters).unwrap();
        assert_eq!(found["a/x.jsonl"].of, [InputVersion { input: 0, version: 0 }]);
        let other = Marker { input: 0, serial: 99_999 };
        let fewer = EntryCounts { written: counters.written - 1, ..counters.clone() };
        for (rows, counters) in [
            (&rows[1..], &counters),
            (&rows[1..], &fewer),
            (&[(0, other), rows[1]][..], &counters),
            (&rows[..], &fewer),
        ] {
            let faults = entered(rows, counters).unwrap_err();
            assert!(faults[0].starts_with("rule 3: 'a/x.jsonl'"), "{faults:?}");
        }
    }

    #[test]
    fn a_resumed_run_must_be_refused_if_rows_would_be_there_twice_or_are_others() {
        let folder = tempfile::tempdir().unwrap();
        let (mut world, rows, counters) = right(folder.path());
        let indexed = IndexContents::with_one_file("a/x.jsonl", &rows, counters)
            .versions_by_file(&world)
            .unwrap();
        let reason = |world: &TestWorld, what| {
            let run = Run { what, ..RUN };
            refusal_bounds(world, &run, &Plan::from_run(world, &run), &indexed)
        };
        assert_eq!(reason(&world, InputSelection::Folder), (false, false));
        assert_eq!(reason(&world, InputSelection::Files(1)), (true, true), "it has another name");
        assert!(world.change(FileChange::Edit(0, Edit::Grow)).unwrap());
        assert_eq!(reason(&world, InputSelection::Folder), (false, false));
        assert_eq!(reason(&world, InputSelection::Files(1)), (true, true));
        assert!(world.change(FileChange::Edit(0, Edit::Replace)).unwrap());
        assert_eq!(reason(&world, InputSelection::Folder), (true, true));
        assert_eq!(reason(&world, InputSelection::Files(1)), (false, false), "it is another file");
    }
}
