//! What a stage is.

use crate::draft::Draft;
use crate::reason::Reason;
use crate::tokens::Counter;

/// A stage that every row passes between extraction and writing. It decides by the row alone and
/// remembers no other row, so runs stay parallel and can be resumed and sharded.
pub trait Stage: Send + Sync {
    /// Its name in settings and accounts.
    fn name(&self) -> &'static str;

    /// Everything that its decisions depend on. Runs with unequal fingerprints may write unequal
    /// rows.
    fn fingerprint(&self) -> serde_json::Value;

    /// All reasons for which it drops rows.
    fn reasons(&self) -> &[Reason];

    /// What it asks of a row. The run calls the stage as soon as the row has that, so that less
    /// work is lost with a row that is dropped.
    fn needs(&self) -> Needs;

    /// Makes what one worker thread applies to its rows.
    fn worker(&self) -> Box<dyn RowStage>;

    /// A counter of tokens, if the stage has one. Then the run also tells how many tokens each
    /// stage left.
    fn counter(&self) -> Option<Counter> {
        None
    }
}

/// A stage at work in one thread.
pub trait RowStage: Send {
    /// Decides about a row, and may change its text.
    fn apply(&mut self, draft: &mut Draft<'_>) -> Decision;

    /// Returns the values of a row, besides its text, to which [`RowStage::rewrite`] applies.
    fn reach(&self) -> Reach {
        Reach::Text
    }

    /// Does to another form of a kept row (its Markdown, HTML, comments, title) what this stage
    /// does to the characters of its text: what is masked in one form must not stand in another.
    /// Writes the changed form to `out`, which is empty, and returns true; or returns false if the
    /// form stays as it is. Stages that change no characters, or only leave out lines, need not
    /// implement it.
    fn rewrite(&mut self, form: &str, out: &mut String) -> bool {
        let _ = (form, out);
        false
    }
}

/// How far into a row a stage reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// To its text.
    Text,
    /// To the other forms of the text and the other words of the page too.
    Page,
    /// To the user's own values too.
    Own,
}

/// What a stage asks of a row, in the order in which rows come by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The address. The page is not parsed yet.
    Address,
    /// The judgement of the method. The text is not rendered yet.
    Verdict,
    /// The text, which the stage may change.
    Text,
    /// The text as it will be written. The stage changes nothing.
    Final,
}

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It goes on to the next stage.
    Keep,
    /// It is not written, and counted under this reason.
    Drop(Reason),
}
