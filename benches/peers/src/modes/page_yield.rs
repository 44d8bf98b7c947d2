//! The result of a peer on one page.

/// The result of a peer on one page.
#[derive(Debug)]
pub enum PageYield {
    /// A parser: the amount of text in its tree (see [`crate::kept_text`]).
    KeptText(u64),
    /// A parser whose tree is not read: the number of nodes at its top.
    Parsed(usize),
    /// An extractor: the text of the article.
    Article(String),
    /// An extractor that also counts the text of the whole tree.
    ArticleOf {
        /// The text of the article.
        text: String,
        /// Text in the tree.
        kept: u64,
    },
}
