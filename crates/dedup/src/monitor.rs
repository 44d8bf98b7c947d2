//! What a run is at, and how its caller hears of it.

use crate::corpus::CorpusFile;
use crate::settings::Step;
use huller_run::monitor::{Monitor, Progress};
use huller_run::summary::UnusableInput;
use std::collections::HashMap;

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Signs rows that have no signatures. Counted in rows.
    Sign,
    /// Finds duplicates.
    Decide(Step),
    /// Reads the texts of rows that share bands, to compare them. Counted in rows.
    Verify,
    /// Counts the lines of hosts. Counted in rows.
    Lines,
    /// Looks for paragraphs that stood before. Counted in rows.
    Paragraphs,
    /// Writes the output. Counted in rows.
    Write,
}

impl Phase {
    /// What it does, for a progress line.
    fn name(self) -> &'static str {
        match self {
            Phase::Sign => "signing",
            Phase::Decide(Step::Url) => "comparing addresses",
            Phase::Decide(Step::Text) => "comparing texts",
            Phase::Decide(_) => "comparing bands",
            Phase::Verify => "reading texts to verify",
            Phase::Lines => "counting lines",
            Phase::Paragraphs => "comparing paragraphs",
            Phase::Write => "writing",
        }
    }
}

/// Passes on to a monitor how far the run is, and keeps the inputs that could not be used.
pub(crate) struct Reporter<'a> {
    monitor: &'a mut (dyn Monitor + Send),
    unusable: Vec<UnusableInput>,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(monitor: &'a mut (dyn Monitor + Send)) -> Reporter<'a> {
        Reporter { monitor, unusable: Vec::new() }
    }

    /// A phase begins, with so many rows if that is known.
    pub(crate) fn phase(&mut self, phase: Phase, rows: Option<u64>) {
        self.monitor.phase(phase.name(), rows);
    }

    /// So many rows of the phase are done.
    pub(crate) fn progress(&mut self, rows: u64) {
        self.monitor.progress(Progress { pages: rows, ..Progress::default() });
    }

    /// An input could not be used, or not to its end. Of each input the first error counts.
    pub(crate) fn unusable(&mut self, input: &str, error: &str) {
        if self.unusable.iter().any(|known| known.input == input) {
            return;
        }
        self.monitor.unusable(input, error);
        let (input, error) = (input.to_owned(), error.to_owned());
        self.unusable.push(UnusableInput { input, error });
    }

    /// The user should know this.
    pub(crate) fn note(&mut self, note: &str) {
        self.monitor.note(note);
    }

    /// The inputs that could not be used, in the order of the files, so that a resumed run reports
    /// them as an undisturbed one does. Before them come paths that gave no file.
    pub(crate) fn unusable_in_order(&self, files: &[CorpusFile]) -> Vec<UnusableInput> {
        let names = files.iter().map(|file| file.name.as_str());
        let places: HashMap<&str, usize> = names.zip(1..).collect();
        let mut unusable = self.unusable.clone();
        unusable.sort_by_key(|unusable| places.get(unusable.input.as_str()).copied());
        unusable
    }

    /// The inputs that could not be used so far.
    pub(crate) fn unusable_inputs(&self) -> &[UnusableInput] {
        &self.unusable
    }
}
