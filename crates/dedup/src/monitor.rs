//! Reports the phases and the progress of a run to its caller.

use crate::corpus::CorpusFile;
use crate::settings::DedupStep;
use huller_run::monitor::{Monitor, Progress};
use huller_run::summary::UnusableInput;
use std::collections::HashMap;

/// A phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Signs rows that have no signatures. Counted in rows.
    Sign,
    /// Looks for the rows of a list to drop. Counted in rows.
    Listed,
    /// Finds duplicates.
    Decide(DedupStep),
    /// Reads the texts of rows that share bands, to compare them. Counted in rows.
    Verify,
    /// Counts the lines of hosts. Counted in rows.
    Lines,
    /// Looks for paragraphs that occurred earlier. Counted in rows.
    Paragraphs,
    /// Writes the output. Counted in rows.
    Write,
}

impl Phase {
    /// Returns the name of the phase for a progress line.
    fn name(self) -> &'static str {
        match self {
            Phase::Sign => "signing",
            Phase::Listed => "looking for listed rows",
            Phase::Decide(DedupStep::Url) => "comparing URLs",
            Phase::Decide(DedupStep::Text) => "comparing texts",
            Phase::Decide(_) => "comparing bands",
            Phase::Verify => "reading texts to verify",
            Phase::Lines => "counting lines",
            Phase::Paragraphs => "comparing paragraphs",
            Phase::Write => "writing",
        }
    }
}

/// Passes the progress of the run on to a monitor, and collects the inputs that could not be used.
pub(crate) struct Reporter<'a> {
    monitor: &'a mut (dyn Monitor + Send),
    unusable: Vec<UnusableInput>,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(monitor: &'a mut (dyn Monitor + Send)) -> Reporter<'a> {
        Reporter { monitor, unusable: Vec::new() }
    }

    /// Begins a phase, with its number of rows if known.
    pub(crate) fn phase(&mut self, phase: Phase, rows: Option<u64>) {
        self.monitor.phase(phase.name(), rows);
    }

    /// Reports that `rows` rows of the phase are done.
    pub(crate) fn progress(&mut self, rows: u64) {
        self.monitor.progress(Progress { rows, ..Progress::default() });
    }

    /// Reports that an input could not be used, or not to its end. The first error of each input
    /// counts.
    pub(crate) fn unusable(&mut self, input: &str, error: &str) {
        if self.unusable.iter().any(|known| known.input == input) {
            return;
        }
        self.monitor.unusable(input, error);
        let (input, error) = (input.to_owned(), error.to_owned());
        self.unusable.push(UnusableInput { input, error });
    }

    /// Reports a note for the user.
    pub(crate) fn note(&mut self, note: &str) {
        self.monitor.note(note);
    }

    /// Returns the inputs that could not be used, in the order of the files, so that a resumed run
    /// reports them as an uninterrupted one does. Paths that gave no file come first.
    pub(crate) fn unusable_in_order(&self, files: &[CorpusFile]) -> Vec<UnusableInput> {
        let names = files.iter().map(|file| file.name.as_str());
        let places: HashMap<&str, usize> = names.zip(1..).collect();
        let mut unusable = self.unusable.clone();
        unusable.sort_by_key(|unusable| places.get(unusable.input.as_str()).copied());
        unusable
    }

    /// Returns the inputs that could not be used so far.
    pub(crate) fn unusable_inputs(&self) -> &[UnusableInput] {
        &self.unusable
    }
}
