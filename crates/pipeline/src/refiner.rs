//! Runs stages over rows in memory, for programs with inputs, outputs and threads of their own.

use crate::settings::Settings;
use crate::work::stages::StageWork;
use crate::work::value_rewriter::{RowValueKind, ValueRewriter, ValueScratch};
use huller_refine::{
    ChangedValues, Language, Perplexity, Reason, RowFields, RowInProgress, StagePhase,
};
use huller_row::FieldContent;
use huller_select::Verdict;

/// A row in memory, with the fields that stages use.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowInMemory<'a> {
    /// The text.
    pub text: &'a str,
    /// The URL.
    pub url: Option<&'a str>,
    /// The type of the page, a verdict of the extractor, by its name in rows.
    pub page_type: Option<&'a str>,
    /// Whether the page has a main content.
    pub has_article: Option<bool>,
    /// The score that the extractor gives the page.
    pub score: Option<f64>,
    /// The language, if known.
    pub language: Option<Language>,
}

/// A row that the stages kept.
#[derive(Clone, Copy, Debug)]
pub struct RefinedRow<'a> {
    /// The text, as changed by the stages.
    pub text: &'a str,
    /// The language, as identified by a stage or known before.
    pub language: Option<Language>,
    /// The figures behind the decisions as a JSON object, in runs that ask for them.
    pub signals: Option<&'a str>,
    /// The classes of the text as a JSON object, in runs with the stage `fasttext`.
    pub classes: Option<&'a str>,
    /// The statements of rights as a JSON list, if the stage `rights` has added some.
    pub rights: Option<&'a str>,
    /// The perplexity of the text, in runs with the stage `perplexity`.
    pub perplexity: Option<Perplexity>,
    /// Number of tokens in the text, in runs with the stage `tokens`.
    pub tokens: Option<u64>,
}

/// The stages of a run's settings, for one thread.
///
/// ```
/// use huller_pipeline::{Config, Refiner, RowInMemory};
///
/// let config = Config { stages: Some(vec!["mask".to_owned()]), ..Config::default() };
/// let mut refiner = Refiner::new(config.settings()?);
/// let row = RowInMemory { text: "Write to ann@site.org.", ..RowInMemory::default() };
/// assert_eq!(refiner.refine(&row).unwrap().text, "Write to email@example.com.");
/// # Ok::<(), huller_pipeline::ConfigError>(())
/// ```
pub struct Refiner {
    settings: Settings,
    work: StageWork,
    text: String,
    value_scratch: ValueScratch,
}

impl Refiner {
    /// Makes the stages of these settings.
    pub fn new(settings: Settings) -> Refiner {
        let work = StageWork::new(&settings);
        Refiner { settings, work, text: String::new(), value_scratch: ValueScratch::default() }
    }

    /// Returns whether a stage may change other texts of a row besides its text, as
    /// [`Refiner::rewrite`] does.
    pub fn has_rewrites(&self) -> bool {
        self.work.chain.changed_values() > ChangedValues::Text
    }

    /// Sends a row through the stages.
    ///
    /// # Errors
    ///
    /// Returns the reason for which a stage drops the row.
    pub fn refine(&mut self, row: &RowInMemory<'_>) -> Result<RefinedRow<'_>, Reason> {
        self.refine_with(row, None)
    }

    /// Does the same as [`Refiner::refine`]. Stages see the other text fields of the row too.
    ///
    /// # Errors
    ///
    /// As [`Refiner::refine`].
    pub fn refine_with(
        &mut self,
        row: &RowInMemory<'_>,
        fields: Option<&dyn RowFields>,
    ) -> Result<RefinedRow<'_>, Reason> {
        let Refiner { settings, work, text, .. } = self;
        text.clear();
        text.push_str(row.text);
        let StageWork { chain, text: stage_text, signals, .. } = &mut *work;
        chain.begin();
        signals.clear();
        stage_text.begin();
        let RowInMemory { url, page_type, has_article, score, language, .. } = *row;
        let has_article =
            Verdict { has_article, ..Verdict::default() }.with_text(row.text).has_article;
        let row_in_progress = RowInProgress::from_text(stage_text, signals);
        let mut row_in_progress = RowInProgress {
            url,
            page_type,
            has_article,
            score,
            language,
            fields,
            ..row_in_progress
        };
        row_in_progress.text.swap(text);
        let passed_stages =
            [StagePhase::Address, StagePhase::Verdict, StagePhase::Text, StagePhase::Final]
                .into_iter()
                .try_for_each(|needs| chain.apply(needs, &mut row_in_progress));
        row_in_progress.text.give_back(text);
        let language = row_in_progress.language;
        passed_stages?;
        let signals = if settings.signals {
            work.write_signals();
            Some(work.signals_json())
        } else {
            None
        };
        let (classes, tokens) = (work.text.classes(), work.text.tokens());
        let (rights, perplexity) = (work.text.rights(), work.text.perplexity());
        Ok(RefinedRow { text, language, signals, classes, rights, perplexity, tokens })
    }

    /// Applies to another text of the last kept row the changes that stages made to the characters
    /// of its text. `content` decides which stages apply. Returns `None` if the text does not
    /// change.
    pub fn rewrite(&mut self, text: &str, content: FieldContent) -> Option<&str> {
        let kind = match content {
            FieldContent::MainText | FieldContent::PageText => RowValueKind::Page,
            FieldContent::Own => RowValueKind::Own,
            FieldContent::Reference | FieldContent::Figure => return None,
        };
        ValueRewriter::new(&mut self.work.chain, &mut self.value_scratch).text(text, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_words_have_no_article_whatever_they_state() {
        let mut refiner = Refiner::new(Settings { judge: true, ..Settings::new(Vec::new()) });
        for has_article in [None, Some(true), Some(false)] {
            for text in ["", " \n\t", "\u{a0}", "..."] {
                let row = RowInMemory { text, has_article, ..RowInMemory::default() };
                assert_eq!(refiner.refine(&row).unwrap_err(), Reason::NoArticle, "{text:?}");
            }
        }
        let row = RowInMemory { text: "Rain.", ..RowInMemory::default() };
        assert!(refiner.refine(&row).is_ok());
    }

    #[test]
    fn only_stages_that_change_characters_have_rewrites() {
        for (stage, expected) in [("length", false), ("lines", false), ("mask", true)] {
            let config =
                crate::Config { stages: Some(vec![stage.to_owned()]), ..Default::default() };
            assert_eq!(
                Refiner::new(config.settings().unwrap()).has_rewrites(),
                expected,
                "{stage}"
            );
        }
    }
}
