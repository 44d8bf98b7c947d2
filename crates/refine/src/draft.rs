//! A row on its way through the stages.

/// What stages may ask of a row that is being made.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// Whether the method judges that the page has a main content. `None` if it does not judge pages.
    pub has_article: Option<bool>,
    /// The text of the row; empty as long as it is not rendered ([`Needs::Verdict`](crate::Needs::Verdict)).
    pub text: &'a str,
}
