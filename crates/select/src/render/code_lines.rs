//! Finds lines of code that are elements of their own.
//!
//! Highlighters that mark lines put each into an element. Some leave out the line breaks between,
//! because a style sheet makes a block of each. Their classes identify these elements.

use huller_page::{AttributeName, Node, Page, Tag};

/// Returns whether an inline element in preformatted text is a line of it.
#[inline]
pub(super) fn is_line(page: &Page<'_>, node: &Node) -> bool {
    matches!(node.tag, Tag::SPAN | Tag::CODE)
        && page
            .attribute(node, AttributeName::Class)
            .is_some_and(|class| class.split_ascii_whitespace().any(names_a_line))
}

/// Returns whether a word of a class names a line: `line` (Shiki, Expressive Code), `token-line`
/// (Prism in React), `gatsby-highlight-code-line`, `code-line`.
fn names_a_line(word: &str) -> bool {
    matches!(word, "line" | "token-line" | "code-line")
        || word.strip_suffix("-code-line").is_some_and(|prefix| !prefix.is_empty())
}
