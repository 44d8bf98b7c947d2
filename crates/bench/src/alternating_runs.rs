//! Runs several subjects in alternation.

use crate::corpus::Corpus;
use crate::error::BenchError;
use crate::extract_run::Extract;
use crate::neighbours::Neighbours;
use crate::process::{self, SHELL};
use crate::series::{MeasuredProcess, Run, Series};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// A WARC file with one page of four bytes, since a run without a page fails.
const ONE_PAGE: &[u8] = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Type: text/html\r\n\
    WARC-Target-URI: https://example.org/\r\nContent-Length: 4\r\n\r\n<p>a\r\n\r\n";

/// A callback for every run that has ended.
pub type Progress<'a> = &'a mut dyn FnMut(usize, &MeasuredProcess, &Run);

/// The subjects of a measurement, and the corpus over which they run.
#[derive(Debug)]
pub struct AlternatingRuns<'a> {
    /// This program, which is started again for every run.
    pub program: &'a Path,
    /// The options of `huller extract` that the user passes on.
    pub options: &'a [OsString],
    /// The corpus that is read.
    pub corpus: &'a Corpus,
    /// The subjects.
    pub subjects: Vec<MeasuredProcess>,
    /// The number of runs of each subject.
    pub runs: usize,
    /// A folder for outputs, which are removed after each run.
    pub folder: &'a Path,
}

impl AlternatingRuns<'_> {
    /// Runs all subjects the given number of times: forwards in one round, backwards in the next.
    ///
    /// # Errors
    ///
    /// A program fails, runs of `huller extract` with one extractor differ in records or rows, or
    /// no row is written. The measurement also ends if `stop` is set, which is checked after each
    /// run.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: Progress<'_>,
    ) -> Result<Vec<Series>, BenchError> {
        let mut series: Vec<Series> = (self.subjects.iter().cloned())
            .map(|subject| Series { subject, runs: Vec::with_capacity(self.runs) })
            .collect();
        let small = self.folder.join("one-page.warc");
        fs::write(&small, ONE_PAGE).map_err(BenchError::io(&small))?;
        for round in 0..self.runs {
            let mut turn: Vec<usize> = (0..series.len()).collect();
            if round % 2 == 1 {
                turn.reverse();
            }
            for index in turn {
                let neighbours = Neighbours::watch();
                let result = self.run_subject(&series[index].subject, &small);
                if stop.load(Ordering::Relaxed) {
                    return Err(BenchError::Interrupted);
                }
                let mut run = result?;
                run.others_cores = neighbours.cores(run.usage.cpu_s());
                check_same_work(&series, index, &run)?;
                progress(round, &series[index].subject, &run);
                series[index].runs.push(run);
            }
        }
        Ok(series)
    }

    fn run_subject(&self, subject: &MeasuredProcess, small: &Path) -> Result<Run, BenchError> {
        let output = self.folder.join("out");
        let extract = |workers: usize, extractor: &str, format: &str| Extract {
            program: self.program.to_owned(),
            workers,
            extractor: extractor.to_owned(),
            format: format.to_owned(),
            options: self.options.to_vec(),
        };
        match subject {
            MeasuredProcess::Start => {
                let first_extract = self.subjects.iter().find_map(|subject| match subject {
                    MeasuredProcess::Extract { extractor, format, .. } => Some((extractor, format)),
                    _ => None,
                });
                let (extractor, format) = first_extract
                    .map_or(("body", "jsonl"), |(extractor, format)| (extractor, format));
                extract(1, extractor, format).run(&[small.to_owned()], &output)
            }
            MeasuredProcess::Extract { workers, extractor, format } => {
                extract(*workers, extractor, format).run(&self.corpus.paths, &output)
            }
            MeasuredProcess::Other { command } => {
                fs::create_dir(&output).map_err(BenchError::io(&output))?;
                let line = fill_in(command, &self.corpus.paths, &output);
                let usage =
                    process::measure(Command::new(SHELL).arg("-c").arg(line), Stdio::null());
                fs::remove_dir_all(&output).map_err(BenchError::io(&output))?;
                Ok(Run { usage: usage?, ..Run::default() })
            }
        }
    }
}

/// A folder that is removed with its contents when the value is dropped.
#[derive(Debug)]
pub struct WorkFolder(TempDir);

impl WorkFolder {
    /// Makes a folder in `parent`, or in the system's folder for temporary files.
    ///
    /// # Errors
    ///
    /// The parent does not exist, or is not writable.
    pub fn new(parent: Option<&Path>) -> Result<WorkFolder, BenchError> {
        let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
        let temporary = tempfile::Builder::new().prefix("huller-bench-").tempdir_in(&parent);
        temporary.map(WorkFolder).map_err(BenchError::io(parent))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Runs one command, a program and its arguments, as a separate process. Its output goes to the
/// standard output of this program.
///
/// # Errors
///
/// The program cannot be started, or it fails.
pub fn run_once(program: &OsStr, arguments: &[OsString]) -> Result<Run, BenchError> {
    let neighbours = Neighbours::watch();
    let usage = process::measure(Command::new(program).args(arguments), Stdio::inherit())?;
    Ok(Run { usage, others_cores: neighbours.cores(usage.cpu_s()), ..Run::default() })
}

/// Refuses a run that did a different amount of work from the runs before it.
fn check_same_work(all: &[Series], index: usize, run: &Run) -> Result<(), BenchError> {
    let MeasuredProcess::Extract { extractor, .. } = &all[index].subject else { return Ok(()) };
    let (Some(records), Some(rows)) = (run.records, run.rows) else { return Ok(()) };
    if rows == 0 {
        return Err(BenchError::NoPages);
    }
    let earlier = all.iter().filter(|series| {
        matches!(&series.subject, MeasuredProcess::Extract { extractor: other, .. } if other == extractor)
    });
    let Some(earlier_run) = earlier.flat_map(|series| &series.runs).next() else { return Ok(()) };
    if (earlier_run.records, earlier_run.rows) == (run.records, run.rows) {
        return Ok(());
    }
    Err(BenchError::Unequal {
        subject: all[index].subject.name(),
        records,
        rows,
        other_records: earlier_run.records.unwrap_or_default(),
        other_rows: earlier_run.rows.unwrap_or_default(),
    })
}

/// Returns the shell command. `{}` is replaced by the inputs, which are appended if it is missing,
/// and `{out}` by a new folder.
fn fill_in(command: &str, inputs: &[PathBuf], output: &Path) -> OsString {
    let mut quoted = OsString::new();
    for (number, input) in inputs.iter().enumerate() {
        quoted.push(if number > 0 { " " } else { "" });
        quoted.push(shell_quoted(input));
    }
    let mut line = OsString::new();
    let with_output = |text: &str, line: &mut OsString| {
        for (number, piece) in text.split("{out}").enumerate() {
            if number > 0 {
                line.push(shell_quoted(output));
            }
            line.push(piece);
        }
    };
    for (number, piece) in command.split("{}").enumerate() {
        if number > 0 {
            line.push(&quoted);
        }
        with_output(piece, &mut line);
    }
    if !command.contains("{}") {
        line.push(" ");
        line.push(&quoted);
    }
    line
}

/// Returns a path as one word of a POSIX shell.
fn shell_quoted(path: &Path) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut word = vec![b'\''];
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => word.extend_from_slice(b"'\\''"),
            byte => word.push(*byte),
        }
    }
    word.push(b'\'');
    OsString::from_vec(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_output_stand_where_the_command_names_them() {
        let inputs = [PathBuf::from("a b.warc"), PathBuf::from("it's.warc")];
        let out = Path::new("o");
        let line = |command| fill_in(command, &inputs, out).into_string().unwrap();
        assert_eq!(line("cat {} > {out}/x"), r"cat 'a b.warc' 'it'\''s.warc' > 'o'/x");
        assert_eq!(line("wc -c"), r"wc -c 'a b.warc' 'it'\''s.warc'");
    }

    #[test]
    fn a_path_is_one_word_whatever_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("$(touch x) `y` 'z' \"");
        fs::write(&path, "").unwrap();
        let line = fill_in("test -f", std::slice::from_ref(&path), folder.path());
        process::measure(Command::new(SHELL).arg("-c").arg(line), Stdio::null()).unwrap();
    }

    #[test]
    fn a_run_that_did_less_is_refused_and_one_without_rows_too() {
        let subject = |workers| MeasuredProcess::Extract {
            workers,
            extractor: "pvalue".to_owned(),
            format: "jsonl".to_owned(),
        };
        let run = |rows| Run { records: Some(9), rows: Some(rows), ..Run::default() };
        let all = [
            Series { subject: subject(1), runs: vec![run(4)] },
            Series { subject: subject(2), runs: Vec::new() },
        ];
        assert!(check_same_work(&all, 1, &run(4)).is_ok());
        assert!(matches!(
            check_same_work(&all, 1, &run(3)),
            Err(BenchError::Unequal { rows: 3, .. })
        ));
        assert!(matches!(check_same_work(&all, 1, &run(0)), Err(BenchError::NoPages)));
    }
}
