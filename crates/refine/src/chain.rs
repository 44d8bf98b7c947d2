//! The stages of a run as one worker thread applies them.

use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::row_trace::{ChosenText, RowTrace, StageTrace};
use crate::stage::{ChangedValues, Decision, PhaseWorker, Stage, StagePhase};
use crate::text::Text;
use crate::tokens::Counter;

/// The stages of a run in one thread, in their order.
#[derive(Default)]
pub struct Chain {
    links: Vec<PhaseWorker>,
    trace: RowTrace,
    /// Counts the tokens of the text before and after each stage.
    counter: Option<Counter>,
}

impl Chain {
    /// Creates a worker for each stage.
    pub fn new(stages: &[Box<dyn Stage>]) -> Chain {
        let mut chain = Chain::default();
        for stage in stages {
            chain.push(&**stage);
        }
        chain
    }

    /// Appends the workers of a stage.
    pub fn push(&mut self, stage: &dyn Stage) {
        self.links.extend(stage.workers());
        self.counter = self.counter.take().or_else(|| stage.counter());
    }

    /// Begins the next row: clears the [`RowTrace`] of the previous one.
    pub fn begin(&mut self) {
        self.trace.begin();
    }

    /// Returns the record of what each stage has done to the row so far.
    pub fn trace(&self) -> &RowTrace {
        &self.trace
    }

    /// Returns the number of stages that have seen the row, for [`Chain::return_to`].
    pub fn mark(&self) -> usize {
        self.trace.len()
    }

    /// Forgets what the stages after this mark did, so that they can see another text of the row.
    pub fn return_to(&mut self, trace_length: usize) {
        self.trace.truncate(trace_length);
    }

    /// Replaces the record by that of an earlier text of the row.
    pub fn restore(&mut self, trace: &RowTrace) {
        self.trace.clone_from(trace);
    }

    /// Notes the text that the row kept, for the statistics of extractors.
    pub fn choose(&mut self, chosen: ChosenText) {
        self.trace.set_chosen(chosen);
    }

    /// Returns the names of the stages, in their order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.links.iter().map(|link| link.name)
    }

    /// Returns whether the chain has no stages.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Applies the stages with these needs. The run calls it once per row for each of
    /// [`StagePhase`], as soon as the row has what they ask for.
    ///
    /// # Errors
    ///
    /// The reason of the first stage that drops the row. Later stages do not see it.
    pub fn apply(
        &mut self,
        needs: StagePhase,
        row_in_progress: &mut RowInProgress<'_>,
    ) -> Result<(), Reason> {
        self.apply_each(needs, row_in_progress, |_| ())
    }

    /// Does the same as [`Chain::apply`], and calls `decided` after each stage with its index in
    /// [`Chain::names`].
    ///
    /// # Errors
    ///
    /// As [`Chain::apply`].
    pub fn apply_each(
        &mut self,
        needs: StagePhase,
        row_in_progress: &mut RowInProgress<'_>,
        mut decided: impl FnMut(usize),
    ) -> Result<(), Reason> {
        let links = self.links.iter_mut().enumerate();
        for (index, link) in links.filter(|(_, link)| link.phase == needs) {
            let (chars, tokens) = measure_text(&mut self.counter, row_in_progress.text);
            let decision = link.worker.apply(row_in_progress);
            let (chars_left, tokens_left) = match decision {
                Decision::Keep => {
                    let (chars, tokens) = measure_text(&mut self.counter, row_in_progress.text);
                    (Some(chars), tokens)
                }
                Decision::Drop(_) => (None, None),
            };
            let language = row_in_progress.language.map(|language| language.code);
            let stage = link.name;
            let passed = StageTrace { stage, chars, chars_left, tokens, tokens_left, language };
            self.trace.push(passed);
            decided(index);
            if let Decision::Drop(reason) = decision {
                return Err(reason);
            }
        }
        Ok(())
    }

    /// Returns the values that any stage changes, besides the text.
    pub fn changed_values(&self) -> ChangedValues {
        self.links
            .iter()
            .map(|link| link.worker.changed_values())
            .max()
            .unwrap_or(ChangedValues::Text)
    }

    /// Applies the stages' changes of characters to another form of a kept row, or to other strings
    /// of its page, in the order of the stages (`RowStage::rewrite`). Returns whether any stage
    /// changed the form. `spare` is a scratch buffer; its content before and after the call has no
    /// meaning.
    pub fn rewrite(&mut self, form: &mut String, spare: &mut String) -> bool {
        self.rewrite_at(ChangedValues::Page, form, spare)
    }

    /// Does the same to a value of the user's own. Only stages with [`ChangedValues::Own`] change
    /// it.
    pub fn rewrite_own(&mut self, text: &mut String, spare: &mut String) -> bool {
        self.rewrite_at(ChangedValues::Own, text, spare)
    }

    fn rewrite_at(&mut self, values: ChangedValues, form: &mut String, spare: &mut String) -> bool {
        let mut is_changed = false;
        for link in self.links.iter_mut().filter(|link| link.worker.changed_values() >= values) {
            spare.clear();
            if link.worker.rewrite(form, spare) {
                std::mem::swap(form, spare);
                is_changed = true;
            }
        }
        is_changed
    }
}

/// Returns the Unicode scalars of a text and, if the chain counts them, its tokens.
fn measure_text(counter: &mut Option<Counter>, text: &mut Text) -> (u64, Option<u64>) {
    let tokens = counter.as_mut().map(|counter| counter.count_once(text));
    (text.chars() as u64, tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::stages::{Judge, Mask, MinChars, Normalise};
    use crate::text::Text;

    #[test]
    fn stages_see_a_row_when_it_has_what_they_need_and_the_first_refusal_counts() {
        let stages: [Box<dyn Stage>; 3] =
            [Box::new(MinChars::new(3)), Box::new(MinChars::new(9)), Box::new(Judge)];
        let mut chain = Chain::new(&stages);
        let (mut text, mut signals) = (Text::default(), Signals::disabled());
        let mut apply = |needs, has_article, content: &str| {
            text.begin().push_str(content);
            let row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
            chain.begin();
            let result = chain.apply(needs, &mut RowInProgress { has_article, ..row_in_progress });
            let left: Vec<_> = chain.trace().iter().map(|passed| passed.chars_left).collect();
            assert_eq!(left.last().is_some_and(Option::is_none), result.is_err());
            result
        };
        assert_eq!(apply(StagePhase::Address, None, ""), Ok(()));
        assert_eq!(apply(StagePhase::Verdict, Some(false), ""), Err(Reason::NoArticle));
        assert_eq!(apply(StagePhase::Verdict, Some(true), ""), Ok(()));
        assert_eq!(apply(StagePhase::Text, Some(true), "ab"), Err(Reason::TooShort));
        assert_eq!(apply(StagePhase::Text, Some(true), "abcdefghi"), Ok(()));
        let (mut text, mut signals, mut decided) =
            (Text::default(), Signals::disabled(), Vec::new());
        text.begin().push_str("abcd");
        let mut row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
        let refused =
            chain.apply_each(StagePhase::Text, &mut row_in_progress, |place| decided.push(place));
        assert_eq!((refused, decided), (Err(Reason::TooShort), vec![0, 1]));
        assert_eq!(chain.names().collect::<Vec<_>>(), ["min_chars", "min_chars", "judge"]);
    }

    #[test]
    fn other_forms_are_masked_as_the_text_is() {
        let stages: [Box<dyn Stage>; 2] = [Box::new(Mask::default()), Box::new(MinChars::new(3))];
        let mut chain = Chain::new(&stages);
        let (mut form, mut spare) = (String::from("[write](mailto:ann@site.org)"), String::new());
        chain.rewrite(&mut form, &mut spare);
        assert_eq!(form, "[write](mailto:email@example.com)");
        chain.rewrite(&mut form.split_off(7), &mut spare);
        assert_eq!(form, "[write]");
    }

    #[test]
    fn the_users_own_is_masked_and_not_normalised() {
        let stages: [Box<dyn Stage>; 2] =
            [Box::new(Normalise::default()), Box::new(Mask::default())];
        let mut chain = Chain::new(&stages);
        assert_eq!(chain.changed_values(), ChangedValues::Own);
        let (text, mut spare) = ("cafe\u{301} ann@site.org", String::new());
        let mut form = text.to_owned();
        assert!(chain.rewrite(&mut form, &mut spare));
        assert_eq!(form, "café email@example.com");
        let mut own = text.to_owned();
        assert!(chain.rewrite_own(&mut own, &mut spare));
        assert_eq!(own, "cafe\u{301} email@example.com");
        assert_eq!(Chain::new(&stages[..1]).changed_values(), ChangedValues::Page);
        assert_eq!(Chain::new(&[]).changed_values(), ChangedValues::Text);
    }
}
