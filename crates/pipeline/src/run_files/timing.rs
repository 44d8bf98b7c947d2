//! `timing.jsonl`: seconds for each input. Times have a file of their own, because the other run files have the same bytes however the
//! run went.

use crate::error::RunError;
use huller_row::push_line;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    /// Seconds since the previous input was finished, or for the whole run.
    seconds: f64,
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
        let path = folder.join("timing.jsonl");
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(RunError::output("open", &path))?;
        let now = Instant::now();
        Ok(Timing { file, path, started: now, last: now })
    }

    pub(crate) fn finished(&mut self, input: &str) -> Result<(), RunError> {
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.line(&Line { input: Some(input), seconds })
    }

    pub(crate) fn ended(mut self) -> Result<(), RunError> {
        let seconds = self.started.elapsed().as_secs_f64();
        self.line(&Line { input: None, seconds })
    }

    fn line(&mut self, line: &Line<'_>) -> Result<(), RunError> {
        let mut text = Vec::new();
        push_line(&mut text, line);
        self.file.write_all(&text).map_err(RunError::output("write", &self.path))
    }
}
