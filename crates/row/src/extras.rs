//! Fields that stand only in the rows of runs that asked for them.

/// A field that stands only in the rows of runs that asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// `texts`: the texts of several methods.
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
    /// `tokens`: how many tokens the text is.
    Tokens,
    /// `source`: the user's own keys.
    Source,
}

/// Which of the extra fields a run asked for. The settings alone decide it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// There are several methods.
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
    /// How many tokens the text is.
    pub tokens: bool,
    /// The user's own keys.
    pub source: bool,
}

impl Extras {
    pub(crate) fn has(self, extra: Extra) -> bool {
        match extra {
            Extra::Texts => self.texts,
            Extra::Markdown => self.markdown,
            Extra::Html => self.html,
            Extra::SourceHtml => self.source_html,
            Extra::Blocks => self.blocks,
            Extra::Signals => self.signals,
            Extra::Tokens => self.tokens,
            Extra::Source => self.source,
        }
    }
}
