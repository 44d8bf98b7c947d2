//! The judgement of a method on a page as a whole.

use crate::page_type::PageType;

/// What a method says about a page as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The method's own figure for the page; its [`Card`](crate::Card) says what it means and gives the range. Always
    /// finite.
    pub score: Option<f64>,
    /// Whether the page has a main content; `None` if the method does not judge that.
    pub has_article: Option<bool>,
    /// The type of the page; `None` if the method does not find it.
    pub page_type: Option<PageType>,
}
