//! The interface of a stage.

use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::tokens::Counter;

/// A filter or transformation of rows between extraction and writing. It decides from one row alone
/// and keeps no state between rows, so runs stay parallel and can be resumed and sharded.
pub trait Stage: Send + Sync {
    /// Returns its name in settings and statistics.
    fn name(&self) -> &'static str;

    /// Returns everything that its decisions depend on. Runs with unequal fingerprints may write
    /// unequal rows.
    fn fingerprint(&self) -> serde_json::Value;

    /// Returns all reasons for which it drops rows.
    fn reasons(&self) -> &[Reason];

    /// Returns the values that the stage needs from a row. The run calls the stage as soon as the
    /// row has them, to save work on rows that are dropped.
    fn phase(&self) -> StagePhase;

    /// Returns the names of the fields that it looks at, besides the text, the URL and the verdict.
    fn fields(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns what its user should know before the run, a sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Makes the worker that one thread applies to its rows.
    fn worker(&self) -> Box<dyn RowStage>;

    /// Makes the workers of a stage that decides in several phases, in the order of the phases. A
    /// stage with one phase has one worker.
    fn workers(&self) -> Vec<PhaseWorker> {
        vec![PhaseWorker { name: self.name(), phase: self.phase(), worker: self.worker() }]
    }

    /// Returns a counter of tokens, if the stage has one. Then the run also reports the number of
    /// tokens after each stage.
    fn counter(&self) -> Option<Counter> {
        None
    }
}

/// A worker of a stage, and the phase in which it sees rows.
pub struct PhaseWorker {
    /// Its name in the waterfall. Workers of one stage have different names.
    pub name: &'static str,
    /// The phase.
    pub phase: StagePhase,
    /// The worker.
    pub worker: Box<dyn RowStage>,
}

/// A stage in one worker thread.
pub trait RowStage: Send {
    /// Decides about a row, and may change its text.
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision;

    /// Returns the values of a row, besides its text, to which [`RowStage::rewrite`] applies.
    fn changed_values(&self) -> ChangedValues {
        ChangedValues::Text
    }

    /// Applies the stage's changes of characters to another form of a kept row: its Markdown, HTML,
    /// comments or title. A string that is masked in the text must be masked in every form. Writes
    /// the changed form to `out`, which is empty, and returns true, or returns false if the form
    /// stays unchanged. Stages that change no characters, or only leave out lines, need not
    /// implement it.
    fn rewrite(&mut self, form: &str, out: &mut String) -> bool {
        let _ = (form, out);
        false
    }
}

/// The values of a row that a stage changes besides its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangedValues {
    /// The text only.
    Text,
    /// Also the other forms of the text and the other strings of the page.
    Page,
    /// Also the user's own values.
    Own,
}

/// The point at which a stage sees a row, in the order of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StagePhase {
    /// The URL is known. The page is not parsed yet.
    Address,
    /// The extractor has judged the page. The text is not rendered yet.
    Verdict,
    /// The text exists, and the stage may change it.
    Text,
    /// The text has its final form. The stage changes nothing.
    Final,
}

/// The decision of a stage about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The row continues to the next stage.
    Keep,
    /// The row is not written. Statistics count it under this reason.
    Drop(Reason),
}
