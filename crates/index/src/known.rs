//! Checks that inputs begin with their lines in the index. A run checks this before any change, so
//! a refused run loses nothing.

use crate::error::IndexError;
use crate::reading::{File, LineDigest, ReadEnding};
use crate::state::{FileState, IndexState};
use huller_run::plan::Plan;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns the names of inputs without new rows.
///
/// # Errors
///
/// [`IndexError::CannotResume`]: an input has other lines than those in the index. Or its lines are
/// in the index under another name. [`IndexError::Interrupted`]: the flag is set.
pub(crate) fn unchanged(
    plan: &Plan,
    state: &IndexState,
    max_line_bytes: usize,
    stop: &AtomicBool,
) -> Result<HashSet<String>, IndexError> {
    let names: HashSet<&str> = plan.jobs.iter().map(|job| job.name.as_str()).collect();
    let away =
        state.files.iter().filter(|(name, file)| !names.contains(name.as_str()) && file.lines > 0);
    let away: Vec<_> = away.collect();
    let mut unchanged = HashSet::new();
    for job in &plan.jobs {
        let file = File { job, stores: &plan.stores, max_line_bytes };
        match state.files.get(&job.name).filter(|known| known.lines > 0) {
            Some(known) => {
                let beginning = FileBeginning::read(&file, &[known.lines].into(), known.end, stop)?;
                if beginning.holds_all_lines(&job.name, known)? {
                    unchanged.insert(job.name.clone());
                }
            }
            None if away.is_empty() => {}
            None => {
                let counts = away.iter().map(|(_, file)| file.lines).collect();
                let beginning = FileBeginning::read(&file, &counts, 0, stop)?;
                beginning.refuse_moved(&job.name, &away)?;
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Err(IndexError::Interrupted);
        }
    }
    Ok(unchanged)
}

/// The first lines of a file.
struct FileBeginning {
    /// Digests of the first lines, by number of lines.
    digests: BTreeMap<u64, String>,
    /// Number of lines read.
    lines: u64,
    /// Whether more lines or faults follow.
    has_more: bool,
    /// Place after the last line or fault that was read.
    end: u64,
    read: ReadEnding,
}

impl FileBeginning {
    /// Reads as many lines as the largest of `counts`, and checks whether more follow. Faults
    /// before `end` are already counted.
    fn read(
        file: &File<'_>,
        counts: &BTreeSet<u64>,
        end: u64,
        stop: &AtomicBool,
    ) -> Result<FileBeginning, IndexError> {
        let max_lines = counts.last().copied().unwrap_or_default();
        let (mut digest, mut digests) = (LineDigest::default(), BTreeMap::new());
        let (mut has_more, mut read_to) = (false, 0);
        let read = file.read(|chunk| {
            read_to = chunk.end().max(read_to);
            for (_, line) in chunk.rows() {
                if digest.lines() == max_lines {
                    has_more = true;
                    break;
                }
                digest.add(line);
                if counts.contains(&digest.lines()) {
                    digests.insert(digest.lines(), digest.hexadecimal());
                }
            }
            has_more |= chunk.faults().iter().any(|(position, _)| *position >= end);
            let is_enough = has_more && digest.lines() == max_lines;
            Ok(!is_enough && !stop.load(Ordering::Relaxed))
        })?;
        Ok(FileBeginning { digests, lines: digest.lines(), has_more, end: read_to, read })
    }

    /// Whether the file has exactly its lines that are in the index.
    fn holds_all_lines(&self, name: &str, known: &FileState) -> Result<bool, IndexError> {
        let Some(digest) = self.digests.get(&known.lines) else {
            return match self.read {
                ReadEnding::Whole => Err(fewer_lines(name, self.lines, known)),
                // The build will fail to read its rows too, and report it.
                ReadEnding::Failed(_) | ReadEnding::Stopped => Ok(false),
            };
        };
        // A line without a row may have been lost after these lines: only the end shows that.
        let is_shorter = matches!(self.read, ReadEnding::Whole) && self.end < known.end;
        if *digest != known.digest || is_shorter {
            return Err(lines_differ(name));
        }
        Ok(known.is_complete && !self.has_more && matches!(self.read, ReadEnding::Whole))
    }

    /// Refuses a file whose lines are in the index under another name. Otherwise each row would be
    /// in it twice.
    fn refuse_moved(&self, name: &str, away: &[(&String, &FileState)]) -> Result<(), IndexError> {
        let is_same = |file: &FileState| {
            self.digests.get(&file.lines).is_some_and(|digest| *digest == file.digest)
        };
        let Some((other, _)) = away.iter().find(|(_, file)| is_same(file)) else { return Ok(()) };
        Err(IndexError::CannotResume(format!(
            "'{name}' has the lines that are in the index as '{other}', which is not among the \
             inputs; give the inputs by the same names as before, so that no row is indexed twice"
        )))
    }
}

/// Returns the error for a file that lost lines.
pub(crate) fn fewer_lines(name: &str, lines: u64, known: &FileState) -> IndexError {
    let of_it = known.lines;
    IndexError::CannotResume(format!(
        "'{name}' has {lines} lines, but {of_it} of its lines are in the index"
    ))
}

/// Returns the error for a file whose lines differ from those in the index.
pub(crate) fn lines_differ(name: &str) -> IndexError {
    IndexError::CannotResume(format!(
        "'{name}' has changed since it was indexed, or --memory, which limits lines"
    ))
}
