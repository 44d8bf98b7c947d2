//! The purposes of parts of a page.

/// The purpose of a block, derived from its tags, the class names around it and its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The headline.
    Title,
    /// Author and date.
    Byline,
    /// A part of the main content.
    Content,
    /// A reader's comment on the page.
    Comment,
    /// Links to the parts of the site.
    Navigation,
    /// The head of the site.
    Header,
    /// The foot of the site.
    Footer,
    /// A line about rights.
    Copyright,
    /// A block beside the content.
    Sidebar,
    /// Links to similar pages.
    Related,
    /// Buttons for sharing and following.
    Share,
    /// An advertisement.
    Advertisement,
    /// The words below a picture or above a table.
    Caption,
    /// A form, or words that label one.
    Form,
    /// A window over the page: consent, login, newsletter.
    Popup,
    /// A row of tools, such as a search form; known by the phrases of the thesaurus (paper 002).
    Function,
    /// A block that is not shown.
    Hidden,
    /// The purpose is unknown.
    Other,
}

impl Role {
    /// Returns the name in rows: the variant in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Role::Title => "title",
            Role::Byline => "byline",
            Role::Content => "content",
            Role::Comment => "comment",
            Role::Navigation => "navigation",
            Role::Header => "header",
            Role::Footer => "footer",
            Role::Copyright => "copyright",
            Role::Sidebar => "sidebar",
            Role::Related => "related",
            Role::Share => "share",
            Role::Advertisement => "advertisement",
            Role::Caption => "caption",
            Role::Form => "form",
            Role::Popup => "popup",
            Role::Function => "function",
            Role::Hidden => "hidden",
            Role::Other => "other",
        }
    }
}
