//! `run.timing`: seconds for each input, and of what the whole run took. Times have a file of their own, because the other run files have the same bytes however the
//! run went.

use crate::clocks::Division;
use crate::error::RunError;
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Default, Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    /// Seconds since the previous input was finished, or for the whole run.
    seconds: f64,
    /// When the input was changed last, before it was read: nanoseconds since 1970, added up over its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<u64>,
    /// How the CPU time divides, in the line of the whole run.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    division: Option<Division>,
}

/// What is read back.
#[derive(Deserialize)]
struct Finished {
    input: String,
    modified: u64,
}

/// What is read back of times.
#[derive(Deserialize)]
struct Took {
    input: Option<String>,
    seconds: f64,
}

/// Seconds for each finished input of the runs in this folder, in the order in which they were finished. A run that left no times took
/// none.
pub(crate) fn took(folder: &Path) -> Vec<(String, f64)> {
    let text = fs::read(folder.join(NAME)).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let times = lines.filter_map(|line| serde_json::from_slice::<Took>(line).ok());
    times.filter_map(|line| line.input.map(|input| (input, line.seconds))).collect()
}

/// Name of the file among the run files.
pub(crate) const NAME: &str = "run.timing";

/// When inputs had been changed last, when earlier runs in this folder read them. Lines that say nothing of it are passed over.
pub(crate) fn modified(folder: &Path) -> HashMap<String, u64> {
    let text = fs::read(folder.join(NAME)).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let finished = lines.filter_map(|line| serde_json::from_slice::<Finished>(line).ok());
    finished.map(|line| (line.input, line.modified)).collect()
}

/// Adds what is known of inputs in a store to the file in this folder: the lines of the file there, and times of change.
pub(crate) fn add(
    folder: &Path,
    there: &[u8],
    changed: &HashMap<String, u64>,
) -> Result<(), RunError> {
    let path = folder.join(NAME);
    let here = fs::read(&path).unwrap_or_default();
    let mut text = if here.starts_with(there) { Vec::new() } else { there.to_vec() };
    let known = modified(folder);
    for (input, at) in changed.iter().collect::<BTreeMap<_, _>>() {
        if known.get(input) != Some(at) {
            push_line(
                &mut text,
                &Line { input: Some(input), modified: Some(*at), ..Line::default() },
            );
        }
    }
    let added = OpenOptions::new().create(true).append(true).open(&path);
    added.and_then(|mut file| file.write_all(&text)).map_err(RunError::output("write", &path))
}

/// The file, open for appending.
pub(crate) struct Timing {
    file: File,
    path: PathBuf,
    started: Instant,
    last: Instant,
}

impl Timing {
    pub(crate) fn open(folder: &Path) -> Result<Timing, RunError> {
        let path = folder.join(NAME);
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(RunError::output("open", &path))?;
        let now = Instant::now();
        Ok(Timing { file, path, started: now, last: now })
    }

    pub(crate) fn finished(&mut self, input: &str, modified: Option<u64>) -> Result<(), RunError> {
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.line(&Line { input: Some(input), seconds, modified, division: None })
    }

    pub(crate) fn ended(mut self, division: Division) -> Result<(), RunError> {
        let seconds = self.started.elapsed().as_secs_f64();
        self.line(&Line { seconds, division: Some(division), ..Line::default() })
    }

    fn line(&mut self, line: &Line<'_>) -> Result<(), RunError> {
        let mut text = Vec::new();
        push_line(&mut text, line);
        self.file.write_all(&text).map_err(RunError::output("write", &self.path))
    }
}
