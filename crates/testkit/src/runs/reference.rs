//! Undisturbed runs, with whose bytes those of every finished run are compared.

use super::case::{Run, RunMode};
use super::describe::command_line;
use super::faults::Faults;
use super::program::Program;
use super::run_artifacts::{self, read_if_there};
use super::test_world::TestWorld;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the folder below which undisturbed runs write.
const REFERENCE: &str = "ref";

/// An undisturbed run, which began in an empty folder.
#[derive(Debug)]
pub(super) struct Reference {
    /// Its arguments, and the epoch of the world that it saw.
    key: (Vec<String>, u64),
    /// Its output folder.
    pub(super) folder: PathBuf,
    pub(super) code: Option<i32>,
}

impl Reference {
    /// Makes an undisturbed run, unless the `last` one was the same.
    pub(super) fn make(
        world: &TestWorld,
        program: &Program,
        run: &Run,
        last: Option<Reference>,
    ) -> io::Result<Reference> {
        // The bytes are the same for any number of threads.
        let alone = Run { mode: RunMode::Fresh, threads: 3 - run.threads.min(2), ..run.clone() };
        let key = (command_line(world, &alone, REFERENCE), world.epoch);
        if let Some(last) = last.filter(|last| last.key == key) {
            return Ok(last);
        }
        let place = world.root.join(REFERENCE);
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir(&place)?;
        let ended = program.run(&world.root, &key.0, None, &mut || Ok(()))?;
        Ok(Reference { key, folder: place.join(run.folder()), code: ended.code })
    }

    /// Checks rule 11 for a run that ended with `code` and wrote `folder`: an undisturbed run
    /// writes the same bytes.
    pub(super) fn compare(
        &self,
        run: &Run,
        folder: &Path,
        code: Option<i32>,
    ) -> io::Result<Faults> {
        let mut faults = self.compare_code(code);
        faults.extend(folders_differ(&self.folder, folder)?);
        let list = |folder: &Path| read_if_there(&folder.with_file_name(run.drop_list()));
        if run.settings.is_list() && list(folder)? != list(&self.folder)? {
            faults.push("the list of rows to drop has other bytes".to_owned());
        }
        let rule = |fault: String| format!("rule 11: {fault}");
        Ok(faults.into_iter().map(rule).collect())
    }

    /// Compares the exit status alone.
    pub(super) fn compare_code(&self, code: Option<i32>) -> Faults {
        let expected = self.code;
        let wrong = (code != expected)
            .then(|| format!("exit status {code:?}, but {expected:?} in an undisturbed run"));
        wrong.into_iter().collect()
    }
}

/// A line of a journal.
type Entry = Map<String, Value>;

/// Returns the lines of a journal by input, without the fields that depend on the order of inputs.
fn journal(folder: &Path) -> io::Result<BTreeMap<String, Entry>> {
    let entries: Vec<Entry> =
        run_artifacts::lines(&read_if_there(&folder.join("_huller/run.journal"))?)?;
    let by_input = |mut entry: Entry| {
        let of_order = ["rejects_bytes", "rejects_digest", "dropped_bytes", "dropped_digest"];
        for name in of_order {
            entry.remove(name);
        }
        (entry.get("input").map(Value::to_string).unwrap_or_default(), entry)
    };
    Ok(entries.into_iter().map(by_input).collect())
}

/// Returns the outputs that a line of a journal names, and their signatures.
fn files(entry: &Entry) -> Vec<String> {
    let of_list = entry.get("files").and_then(Value::as_array).into_iter().flatten();
    let several = of_list.filter_map(|file| file.get("output"));
    let outputs = entry.get("output").into_iter().chain(several).filter_map(Value::as_str);
    let has_signatures = entry.get("signatures").is_some_and(|signatures| !signatures.is_null());
    let mut files = Vec::new();
    for output in outputs {
        files.push(output.to_owned());
        if has_signatures {
            files.push(format!("_huller/signatures/{output}.sig"));
        }
    }
    files
}

/// Returns the names of all files below a folder, except the lock, which is empty.
fn names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let name = |path: PathBuf| path.strip_prefix(folder).unwrap_or(&path).display().to_string();
    Ok(run_artifacts::files(folder)?
        .into_iter()
        .map(name)
        .filter(|name| name != "_huller/lock")
        .collect())
}

/// Returns how the folder of a run differs from that of an undisturbed run. The run's folder may
/// also contain inputs that have been removed since.
fn folders_differ(reference: &Path, folder: &Path) -> io::Result<Faults> {
    let mut faults = Faults::new();
    let [expected, found] = [journal(reference)?, journal(folder)?];
    for (input, entry) in &expected {
        match found.get(input) {
            None => faults.push(format!("{input} is not in the journal")),
            Some(other) if other != entry => {
                let [entry, other] = [entry, other].map(|entry| Value::from(entry.clone()));
                faults.push(format!(
                    "the journal has {other}, but that of an undisturbed run {entry}"
                ));
            }
            Some(_) => {
                for file in files(entry) {
                    let [one, other] =
                        [reference, folder].map(|root| fs::read(root.join(&file)).ok());
                    if one.is_none() || one != other {
                        faults.push(format!("'{file}' has different bytes"));
                    }
                }
            }
        }
    }
    if !faults.is_empty() || found.len() > expected.len() {
        return Ok(faults);
    }
    for name in ["run.account", "run.account.csv", "run.config", "dedup.clusters"] {
        let of = |root: &Path| read_if_there(&root.join("_huller").join(name));
        let [one, other] =
            [of(reference)?, of(folder)?].map(|bytes| bytes.escape_ascii().to_string());
        if one != other {
            faults.push(format!("'{name}' is {other}, but {one} in an undisturbed run"));
        }
    }
    let [one, other] = [names(reference)?, names(folder)?];
    let differing = one.symmetric_difference(&other);
    faults.extend(differing.map(|name| format!("'{name}' is in only one of the folders")));
    Ok(faults)
}
