//! Opens, appends to and cuts the line files of a run together.

use crate::error::RunError;
use crate::line_log::{LineLog, LogKind, RetainedLines};
use crate::options::Options;
use crate::run_files::checkpoint::Checkpoint;
use crate::run_files::journal::JournalEntry;
use crate::run_files::marks::LogMark;
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

/// The line files that a run writes: rejects and dropped rows.
#[derive(Default)]
pub struct Logs {
    rejects: Option<LineLog>,
    dropped: Option<LineLog>,
}

impl Logs {
    /// Opens and locks the files that `options` request. `earlier` holds the entries of an earlier
    /// run, and its last checkpoint if this run continues from it. The disk does not change before
    /// [`Logs::cut`].
    ///
    /// # Errors
    ///
    /// * [`RunError::CannotResume`]: the earlier run wrote lines of a kind that `options` lack.
    /// * Every error of [`LineLog::open`].
    pub fn open(options: &Options, earlier: Option<&EarlierLines<'_>>) -> Result<Logs, RunError> {
        let mut logs = Logs::default();
        for kind in LogKind::ALL {
            let (entries, partial_input) =
                earlier.map_or((&[][..], None), |it| (it.kept, it.partial_input));
            let Some(path) = options.log(kind) else {
                refuse_without(kind, entries, partial_input)?;
                continue;
            };
            let last = last_mark(kind, entries);
            let base = last.as_ref().map_or(0, |mark| mark.bytes);
            let keep =
                partial_input.and_then(|half| half.log(kind)).map_or(base, |mark| mark.bytes);
            let new = earlier.map(|earlier| earlier.files.join(kind.rewritten_name()));
            let left = RetainedLines { base, digest: last.and_then(|mark| mark.digest), keep, new };
            *logs.slot(kind) = Some(LineLog::open(kind, &path, options.resume.then_some(&left))?);
        }
        Ok(logs)
    }

    fn slot(&mut self, kind: LogKind) -> &mut Option<LineLog> {
        match kind {
            LogKind::Rejects => &mut self.rejects,
            LogKind::Dropped => &mut self.dropped,
        }
    }

    fn iter(&self) -> impl Iterator<Item = &LineLog> {
        self.rejects.iter().chain(&self.dropped)
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut LineLog> {
        self.rejects.iter_mut().chain(&mut self.dropped)
    }

    fn get(&self, kind: LogKind) -> Option<&LineLog> {
        match kind {
            LogKind::Rejects => self.rejects.as_ref(),
            LogKind::Dropped => self.dropped.as_ref(),
        }
    }

    /// Whether the run writes a file of this kind.
    pub fn has(&self, kind: LogKind) -> bool {
        self.get(kind).is_some()
    }

    /// Returns the notes for the user about these files.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        self.iter().filter_map(LineLog::note)
    }

    /// Removes the lines of entries that are not kept, if lines of kept entries come after them.
    /// `all` are the entries of the earlier run. The kept entries and the checkpoint get their new
    /// lengths.
    ///
    /// # Errors
    ///
    /// Every error of [`LineLog::leave_out`].
    pub fn leave_out(
        &mut self,
        all: &[JournalEntry],
        kept: &mut [JournalEntry],
        mut partial_input: Option<&mut Checkpoint>,
    ) -> Result<(), RunError> {
        for kind in LogKind::ALL {
            let Some(log) = self.slot(kind).as_mut().filter(|log| log.is_regular()) else {
                continue;
            };
            let Some(places) = places_of_kept(kind, all, kept) else { continue };
            let before = log.bytes_written();
            let marks = log.leave_out(&places)?;
            let listed = kept.iter_mut().filter(|entry| entry.log(kind).is_some());
            for (entry, mark) in listed.zip(marks) {
                entry.set_log(kind, mark);
            }
            let removed = before - log.bytes_written();
            if let Some(half) = &mut partial_input {
                half.move_log(kind, removed);
            }
        }
        Ok(())
    }

    /// Cuts off all lines that do not stay.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: a file cannot be cut, or its folder cannot be synced.
    pub fn cut(&self) -> Result<(), RunError> {
        self.iter().try_for_each(LineLog::cut)
    }

    /// Begins the lines of the next input in each file.
    pub fn begin_input(&mut self) {
        self.iter_mut().for_each(LineLog::begin_input);
    }

    /// Appends lines to the file of this kind, if the run writes it.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn append(&mut self, kind: LogKind, lines: &[u8]) -> Result<(), RunError> {
        match self.slot(kind) {
            Some(log) if !lines.is_empty() => log.append(lines),
            _ => Ok(()),
        }
    }

    /// Discards the lines of the current input in each file.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: a file cannot be cut.
    pub fn forget_input(&mut self) -> Result<(), RunError> {
        self.iter_mut().try_for_each(LineLog::forget_input)
    }

    /// Makes the lines of each file durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the system cannot write all bytes to the disk.
    pub fn sync(&self) -> Result<(), RunError> {
        self.iter().try_for_each(LineLog::sync)
    }

    /// Returns the length of a file, with the digest of the lines of the current input.
    pub fn mark_of_input(&self, kind: LogKind) -> Option<LogMark> {
        self.get(kind).map(|log| LogMark { bytes: log.bytes_written(), digest: Some(log.digest()) })
    }

    /// Returns the length of a file, with the digest of all its lines if it can be read back.
    pub fn mark_of_all(&self, kind: LogKind) -> Option<LogMark> {
        self.get(kind)
            .map(|log| LogMark { bytes: log.bytes_written(), digest: log.digest_of_all() })
    }
}

/// The lines that an earlier run left.
pub struct EarlierLines<'a> {
    /// The entries that stay.
    pub kept: &'a [JournalEntry],
    /// The last checkpoint, if this run continues from it.
    pub partial_input: Option<&'a Checkpoint>,
    /// The folder of run files.
    pub files: &'a Path,
}

/// Returns the byte ranges of the lines of kept entries. `None` if no lines before them are
/// removed.
fn places_of_kept(
    kind: LogKind,
    all: &[JournalEntry],
    kept: &[JournalEntry],
) -> Option<Vec<Range<u64>>> {
    let names: HashSet<&str> = kept.iter().map(|entry| entry.input.as_str()).collect();
    let (mut at, mut places, mut has_gap, mut is_gap) = (0, Vec::new(), false, false);
    for entry in all {
        let Some(mark) = entry.log(kind) else { continue };
        // A journal whose lengths decrease was edited by hand.
        let place = at..mark.bytes;
        at = mark.bytes;
        if place.start > place.end {
            return None;
        }
        if names.contains(entry.input.as_str()) {
            has_gap |= is_gap;
            places.push(place);
        } else {
            is_gap |= !place.is_empty();
        }
    }
    has_gap.then_some(places)
}

/// Returns the length of the file after the last of these entries. Inputs outside the plan count
/// too, since they belong to the same run.
pub fn last_mark(kind: LogKind, entries: &[JournalEntry]) -> Option<LogMark> {
    entries.iter().filter_map(|entry| entry.log(kind)).max_by_key(|mark| mark.bytes)
}

/// Refuses to continue without the lines that the earlier run wrote.
fn refuse_without(
    kind: LogKind,
    entries: &[JournalEntry],
    partial_input: Option<&Checkpoint>,
) -> Result<(), RunError> {
    if last_mark(kind, entries).is_none() && partial_input.and_then(|half| half.log(kind)).is_none()
    {
        return Ok(());
    }
    let (name, option) = (kind.name(), kind.option());
    let reason = format!("the run lists its {name}: give {option} with the same path");
    Err(RunError::CannotResume { reason })
}

/// Returns a note for the user if the earlier run wrote no lines for some inputs.
pub fn missing_lines_note(kind: LogKind, entries: &[JournalEntry]) -> Option<String> {
    let count = entries.iter().filter(|entry| entry.log(kind).is_none()).count();
    let (name, option) = (kind.name(), kind.option());
    (count > 0).then(|| {
        format!(
            "{name} of {count} inputs are not listed: these inputs were finished without {option}"
        )
    })
}
