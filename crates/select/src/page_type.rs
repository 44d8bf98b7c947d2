//! Types of pages.

/// The type of a page. The types are those of the data set WCXB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageType {
    /// One text to read: a news story, a blog post.
    Article,
    /// Things to choose from: a category page of a shop.
    Collection,
    /// A page of a manual or a reference.
    Documentation,
    /// Texts of several people: a thread of a forum, questions and answers.
    Forum,
    /// Teasers of other pages: the front page of a newspaper.
    Listing,
    /// One thing to buy.
    Product,
    /// A page on what a company offers, or on the company.
    Service,
}

impl PageType {
    /// Returns the name in rows: the variant in lower case.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Collection => "collection",
            PageType::Documentation => "documentation",
            PageType::Forum => "forum",
            PageType::Listing => "listing",
            PageType::Product => "product",
            PageType::Service => "service",
        }
    }
}
