//! Adds up several runs, such as the shards of one job on one machine or many.
//!
//! The journal has the finished inputs, even of an unfinished run. `run.account` also has the
//! unusable inputs, and is the only file of runs that other engines make. Inputs are identified by
//! name and size.

use crate::durable::create_folder;
use crate::error::RunError;
use crate::run_files::journal::{self, Journal, JournalEntry};
use crate::run_files::marks::OutputMark;
use crate::run_files::paths::{DEDUP_JOURNAL, LOCK, RUN_FILES, SUCCESS};
use crate::run_files::stats::{StatsFile, StatsRow};
use crate::run_files::timing::Costs;
use crate::run_files::{run_config, stats, timing};
use crate::summary::{InputSummary, Summary, UnusableInput};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The sum of several runs.
#[derive(Debug, Default)]
pub struct MergedRuns {
    /// All finished inputs sorted by name, the sum of their counters, and the unusable inputs.
    pub summary: Summary,
    /// Runs that have not reached their end.
    pub unfinished: Vec<PathBuf>,
    /// Contradictions between the runs, one per line: an input in two runs, or with two sets of
    /// counters.
    pub contradictions: Vec<String>,
    /// For each run, the bytes and the seconds of its finished inputs in order.
    pub times: Vec<Vec<(u64, f64)>>,
    /// Costs of the runs.
    pub costs: Costs,
    journal: Vec<JournalEntry>,
}

impl MergedRuns {
    /// Reads the output folders of runs, or files in the form of `run.account`.
    ///
    /// # Errors
    ///
    /// A path holds no run, or its run files cannot be read.
    pub fn read(runs: &[PathBuf]) -> Result<MergedRuns, RunError> {
        let mut merged = MergedRuns::default();
        let mut seen: BTreeMap<(String, u64), &Path> = BTreeMap::new();
        for path in runs {
            for input in merged.add(path).map_err(RunError::into_input_error)? {
                let key = (input.name.clone(), input.bytes);
                match seen.insert(key, path) {
                    Some(other) => merged.contradictions.push(format!(
                        "'{}' is in '{}' and in '{}'",
                        input.name,
                        other.display(),
                        path.display()
                    )),
                    None => merged.summary.inputs.push(input),
                }
            }
        }
        let MergedRuns { summary, journal, .. } = &mut merged;
        summary.inputs.sort_by(|a, b| (&a.name, a.bytes).cmp(&(&b.name, b.bytes)));
        journal.sort_by(|a, b| (&a.input, a.input_bytes).cmp(&(&b.input, b.input_bytes)));
        for input in &summary.inputs {
            summary.total += &input.counters;
        }
        summary.without_pages.sort_by(|a, b| a.input.cmp(&b.input));
        if !summary.inputs.iter().any(InputSummary::has_page) {
            let without_pages = std::mem::take(&mut summary.without_pages);
            summary.unusable.extend(without_pages);
        }
        Ok(merged)
    }

    /// Reads one run and returns its inputs.
    fn add(&mut self, path: &Path) -> Result<Vec<InputSummary>, RunError> {
        let is_folder = path.is_dir();
        let files = if is_folder { path.join(RUN_FILES) } else { PathBuf::new() };
        let stats_path = if is_folder { files.join("run.account") } else { path.to_owned() };
        let stats = read_stats(&stats_path)?;
        let journal =
            if is_folder { journal::read(&files.join(journal::NAME))? } else { Vec::new() };
        if stats.is_none() && journal.is_empty() {
            return Err(RunError::NoRun { path: path.to_owned() });
        }
        // A run whose only unfinished inputs are unusable also lacks this file, and lists those
        // inputs.
        let is_done = path.join(SUCCESS).exists()
            || stats.as_ref().is_some_and(|stats| !stats.unusable.is_empty());
        if is_folder && !is_done {
            self.unfinished.push(path.to_owned());
        }
        let mut inputs: Vec<_> = journal.iter().map(JournalEntry::summary).collect();
        let bytes: BTreeMap<&str, u64> =
            journal.iter().map(|entry| (&*entry.input, entry.input_bytes)).collect();
        let times = if is_folder { timing::input_seconds(&files)? } else { Vec::new() };
        let times = times
            .into_iter()
            .map(|(input, seconds)| (bytes.get(&*input).copied().unwrap_or_default(), seconds));
        self.times.push(times.collect());
        if is_folder {
            self.costs.add(timing::costs(&files)?);
        }
        for entry in journal {
            let output = entry.output.as_ref().map(|output| path.join(output));
            let output = output.map(|output| output.display().to_string());
            let files = entry.files.into_iter().map(|file| {
                let output = path.join(&file.output).display().to_string();
                OutputMark { output, ..file }
            });
            self.journal.push(JournalEntry { output, files: files.collect(), ..entry });
        }
        let Some(stats) = stats else { return Ok(inputs) };
        for StatsRow { input: name, bytes, counters } in stats.inputs {
            let noted = inputs.iter().find(|noted| noted.name == name && noted.bytes == bytes);
            match noted {
                Some(noted) if noted.counters != counters => self.contradictions.push(format!(
                    "journal and statistics of '{}' differ for '{name}'",
                    path.display()
                )),
                Some(_) => {}
                None => inputs.push(InputSummary { name, bytes, counters }),
            }
        }
        for input in &inputs {
            if !input.counters.is_balanced() {
                let line = format!("the counts of '{}' do not add up", input.name);
                self.contradictions.push(line);
            }
        }
        // A shard whose inputs all lack pages calls them unusable. The whole run may have pages.
        let has_page = inputs.iter().any(InputSummary::has_page);
        let is_without_page = |of: &UnusableInput| {
            let is_it = |input: &InputSummary| {
                input.name == of.input
                    && input.counters.has_only_other_records()
                    && input.counters.unusable_reason(false).as_ref() == Some(&of.error)
            };
            !has_page && inputs.iter().any(is_it)
        };
        let (without, unusable): (Vec<_>, Vec<_>) =
            stats.unusable.into_iter().partition(is_without_page);
        self.summary.unusable.extend(unusable);
        self.summary.without_pages.extend(stats.without_pages.into_iter().chain(without));
        self.summary.ignored += stats.ignored;
        Ok(inputs)
    }

    /// Returns the outputs of finished inputs in the folders of the runs.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.journal.iter().flat_map(JournalEntry::row_names).map(Path::new)
    }

    /// Returns the statistics of every input as JSON, in the form of `run.account`.
    pub fn json(&self) -> Vec<u8> {
        stats::json(&self.summary)
    }

    /// Returns the statistics of every input as CSV, in the form of `run.account.csv`.
    ///
    /// # Errors
    ///
    /// A name cannot be written as CSV.
    pub fn csv(&self) -> io::Result<Vec<u8>> {
        stats::csv(&self.summary)
    }

    /// Writes `run.account`, `run.account.csv` and `run.journal` of all runs to a folder. The names
    /// of outputs begin with the given paths of the runs.
    ///
    /// # Errors
    ///
    /// The folder holds files of a run, or a file of one of these names that is no statistics. Or a
    /// file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), RunError> {
        refuse_others(folder)?;
        create_folder(folder)?;
        stats::write(folder, &self.summary)?;
        Journal::create(&folder.join(journal::NAME), self.journal.clone()).map(drop)
    }
}

/// Refuses to write statistics among the files of a run, or over a file that is no statistics.
fn refuse_others(folder: &Path) -> Result<(), RunError> {
    let others = [run_config::NAME, LOCK, DEDUP_JOURNAL].map(|name| folder.join(name));
    let account = folder.join("run.account");
    let is_other = matches!(read_stats(&account), Err(RunError::DamagedRun { .. }));
    let refused = others.into_iter().find(|path| path.exists()).or(is_other.then_some(account));
    refused.map_or(Ok(()), |path| {
        Err(RunError::NotLog { path, lines: "statistics of several runs", option: "-o" })
    })
}

/// Whether a run in whose folder nothing is marked as complete has ended, because some of its
/// inputs could not be used.
///
/// # Errors
///
/// The statistics are damaged or cannot be read.
pub(crate) fn has_ended(files: &Path) -> Result<bool, RunError> {
    let stats = read_stats(&files.join("run.account"))?;
    Ok(stats.is_some_and(|stats| !stats.unusable.is_empty()))
}

fn read_stats(path: &Path) -> Result<Option<StatsFile>, RunError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(RunError::output("read", path)(error)),
    };
    let damaged = |reason: String| RunError::DamagedRun { path: path.to_owned(), reason };
    let stats: StatsFile =
        serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    if !(1..=stats::VERSION).contains(&stats.version) {
        let (known, version) = (stats::VERSION, stats.version);
        return Err(damaged(format!(
            "its version is {version}, and this program knows 1 to {known}"
        )));
    }
    Ok(Some(stats))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_replace_statistics_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let merged = MergedRuns::default();
        merged.write(folder.path()).unwrap();
        merged.write(folder.path()).unwrap();
        fs::write(folder.path().join("run.account"), "my notes").unwrap();
        let refused = merged.write(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("run.account' contains other data"), "{refused}");
        fs::remove_file(folder.path().join("run.account")).unwrap();
        fs::write(folder.path().join(LOCK), "").unwrap();
        merged.write(folder.path()).unwrap_err();
        assert!(!folder.path().join("run.account").exists());
    }

    fn stats(inputs: &str, unusable: &str) -> String {
        format!(
            r#"{{"version":1,"inputs":[{inputs}],"total":{{"bytes":0}},"unusable":[{unusable}]}}"#
        )
    }

    fn input(name: &str, records: u64, written: u64) -> String {
        let skipped = records - written;
        format!(
            r#"{{"input":"{name}","bytes":9,"records":{records},"written":{written},"skipped":{{"request":{skipped}}},"failed":{{}},"repaired":{{}}}}"#
        )
    }

    #[test]
    fn statistics_of_other_engines_are_added_up() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one.json", "two.json"].map(|name| folder.path().join(name));
        fs::write(&one, stats(&[input("b", 5, 2), input("a", 3, 3)].join(","), "")).unwrap();
        fs::write(&two, stats(&input("c", 2, 1), r#"{"input":"d","error":"gone"}"#)).unwrap();
        let merged = MergedRuns::read(&[one.clone(), two]).unwrap();
        let names: Vec<_> = merged.summary.inputs.iter().map(|input| &*input.name).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!((merged.summary.total.records, merged.summary.total.written), (10, 6));
        assert_eq!(merged.summary.unusable.len(), 1);
        assert!(merged.unfinished.is_empty() && merged.contradictions.is_empty());

        let doubled = MergedRuns::read(&[one.clone(), one]).unwrap();
        assert_eq!(doubled.summary.total.records, 8, "what is there twice counts once");
        assert_eq!(doubled.contradictions.len(), 2);
    }

    #[test]
    fn what_is_no_run_or_does_not_add_up_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.account");
        let read = || MergedRuns::read(std::slice::from_ref(&path));
        assert!(matches!(read(), Err(RunError::NoRun { .. })));
        fs::write(&path, "{").unwrap();
        assert!(matches!(read(), Err(RunError::DamagedRun { .. })));
        fs::write(&path, stats("", "").replace("\"version\":1", "\"version\":3")).unwrap();
        assert!(matches!(read(), Err(RunError::DamagedRun { .. })));
        fs::write(&path, stats(&input("a", 3, 1).replace(":2}", ":1}"), "")).unwrap();
        assert!(read().unwrap().contradictions[0].contains("do not add up"));
        let nothing = folder.path().join("empty");
        fs::create_dir(&nothing).unwrap();
        assert!(matches!(MergedRuns::read(&[nothing]), Err(RunError::NoRun { .. })));
    }

    #[test]
    fn a_run_file_that_cannot_be_read_is_a_fault_of_the_input() {
        for name in ["run.account", "run.journal", "run.timing"] {
            let folder = tempfile::tempdir().unwrap();
            let files = folder.path().join(RUN_FILES);
            fs::create_dir(&files).unwrap();
            fs::write(files.join("run.account"), stats(&input("a", 3, 3), "")).unwrap();
            assert!(MergedRuns::read(&[folder.path().to_owned()]).is_ok());
            let _ = fs::remove_file(files.join(name));
            fs::create_dir(files.join(name)).unwrap();
            let error = MergedRuns::read(&[folder.path().to_owned()]).unwrap_err();
            assert!(matches!(error, RunError::Unreadable { .. }), "{name}: {error}");
        }
    }
}
