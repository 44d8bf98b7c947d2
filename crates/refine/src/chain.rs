//! The stages of a run, in one worker.

use crate::draft::Draft;
use crate::reason::Reason;
use crate::stage::{Decision, Needs, RowStage, Stage};

/// The stages of a run at work in one thread, in their order.
#[derive(Default)]
pub struct Chain(Vec<(Needs, Box<dyn RowStage>)>);

impl Chain {
    /// Makes a worker of every stage.
    pub fn new(stages: &[Box<dyn Stage>]) -> Chain {
        let mut chain = Chain::default();
        for stage in stages {
            chain.push(&**stage);
        }
        chain
    }

    /// Adds a worker of a stage, which comes after those that are there.
    pub fn push(&mut self, stage: &dyn Stage) {
        self.0.push((stage.needs(), stage.worker()));
    }

    /// Whether rows pass no stage.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Applies the stages with these needs. A row that has got this far calls it once for each of [`Needs`].
    ///
    /// # Errors
    ///
    /// The reason of the first stage that drops the row. Later stages do not see it.
    pub fn apply(&mut self, needs: Needs, draft: &mut Draft<'_>) -> Result<(), Reason> {
        for (of_stage, stage) in &mut self.0 {
            if *of_stage == needs
                && let Decision::Drop(reason) = stage.apply(draft)
            {
                return Err(reason);
            }
        }
        Ok(())
    }

    /// Does to another form of a kept row what the stages did to the characters of its text, in their order
    /// ([`RowStage::rewrite`]). Returns whether any of them changed it. `spare` is memory to write in; what it holds before and after means nothing.
    pub fn rewrite(&mut self, form: &mut String, spare: &mut String) -> bool {
        let mut is_changed = false;
        for (_, stage) in &mut self.0 {
            spare.clear();
            if stage.rewrite(form, spare) {
                std::mem::swap(form, spare);
                is_changed = true;
            }
        }
        is_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::stages::{Judge, Mask, MinChars};
    use crate::text::Text;

    #[test]
    fn stages_see_a_row_when_it_has_what_they_need_and_the_first_refusal_counts() {
        let stages: [Box<dyn Stage>; 3] =
            [Box::new(MinChars::new(3)), Box::new(MinChars::new(9)), Box::new(Judge)];
        let mut chain = Chain::new(&stages);
        let (mut text, mut signals) = (Text::default(), Signals::off());
        let mut apply = |needs, has_article, content: &str| {
            text.begin().push_str(content);
            let draft = Draft::of_text(&mut text, &mut signals);
            chain.apply(needs, &mut Draft { has_article, ..draft })
        };
        assert_eq!(apply(Needs::Address, None, ""), Ok(()));
        assert_eq!(apply(Needs::Verdict, Some(false), ""), Err(Reason::NoArticle));
        assert_eq!(apply(Needs::Verdict, Some(true), ""), Ok(()));
        assert_eq!(apply(Needs::Text, Some(true), "ab"), Err(Reason::TooShort));
        assert_eq!(apply(Needs::Text, Some(true), "abcdefghi"), Ok(()));
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
}
