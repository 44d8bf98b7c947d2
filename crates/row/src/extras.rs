//! Fields that rows have only if the run asks for them.

/// A field that rows have only if the run asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraField {
    /// `texts`: the texts of several extractors.
    Texts,
    /// `markdown`: the selection as Markdown.
    Markdown,
    /// `html`: the selection as clean HTML.
    Html,
    /// `source_html`: the source of the selection.
    SourceHtml,
    /// `blocks`: the blocks of the page.
    Blocks,
    /// `signals`: the figures behind the decisions of the stages.
    Signals,
    /// `classes`: the classes of the text by the user's classifiers.
    Classes,
    /// `perplexity` and `bucket`: the perplexity of the text by the user's models.
    Perplexity,
    /// `tokens`: the number of tokens of the text.
    Tokens,
    /// `rights`: the statements about the use of the page.
    Rights,
    /// `source`: the user's own keys.
    Source,
}

/// The extra fields that a run asks for. They depend only on its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The texts of several extractors.
    pub texts: bool,
    /// The selection as Markdown.
    pub markdown: bool,
    /// The selection as clean HTML.
    pub html: bool,
    /// The source of the selection.
    pub source_html: bool,
    /// The blocks of the page.
    pub blocks: bool,
    /// The figures behind the decisions of the stages.
    pub signals: bool,
    /// The classes of the text by the user's classifiers.
    pub classes: bool,
    /// The perplexity of the text by the user's models, and its bucket.
    pub perplexity: bool,
    /// The number of tokens of the text.
    pub tokens: bool,
    /// The statements about the use of the page.
    pub rights: bool,
    /// The user's own keys.
    pub source: bool,
}

impl Extras {
    /// Returns the extra fields of rows that exist already, whatever fields they have: all but
    /// `texts`, whose members are named after extractors.
    pub fn of_existing_rows() -> Extras {
        Extras {
            texts: false,
            markdown: true,
            html: true,
            source_html: true,
            blocks: true,
            signals: true,
            classes: true,
            perplexity: true,
            tokens: true,
            rights: true,
            source: true,
        }
    }

    pub(crate) fn has(self, extra: ExtraField) -> bool {
        match extra {
            ExtraField::Texts => self.texts,
            ExtraField::Markdown => self.markdown,
            ExtraField::Html => self.html,
            ExtraField::SourceHtml => self.source_html,
            ExtraField::Blocks => self.blocks,
            ExtraField::Signals => self.signals,
            ExtraField::Classes => self.classes,
            ExtraField::Perplexity => self.perplexity,
            ExtraField::Tokens => self.tokens,
            ExtraField::Rights => self.rights,
            ExtraField::Source => self.source,
        }
    }
}
