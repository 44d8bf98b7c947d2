//! Parts of a page beside its main text: related pages, comments, forms, footers. Names and dates
//! in them do not describe the page.

use super::line::truncate_text;
use huller_page::{AttributeName, Node, Page, Tag};

/// Largest number of ancestors of an element to examine.
const MAX_LEVELS: usize = 24;

/// Largest number of nodes of a form. Larger ones are ignored, because some systems wrap whole
/// pages in a form.
const MAX_FORM_NODES: u32 = 200;

/// Beginnings of words in classes and identifiers of such parts.
const WORDS: [&str; 14] = [
    "comment",
    "respond",
    "related",
    "recommend",
    "suggest",
    "recirc",
    "similar",
    "popular",
    "trending",
    "most-read",
    "mostread",
    "read-next",
    "readnext",
    "more-from",
];

/// Returns whether an element lies in a part beside the main text. Parts that contain the headline
/// too do not count.
pub(super) fn is_apart(page: &Page<'_>, node: u32, headline: Option<u32>) -> bool {
    let nodes = page.nodes();
    let (mut inner, mut in_footer) = (node, false);
    for _ in 0..MAX_LEVELS {
        let element = &nodes[inner as usize];
        let holds_headline =
            headline.is_some_and(|headline| (inner..element.end).contains(&headline));
        if holds_headline || matches!(element.tag, Tag::BODY | Tag::HTML | Tag::MAIN) {
            // The footer of an article belongs to it.
            return in_footer && !is_in_article(page, inner);
        }
        in_footer |= element.tag == Tag::FOOTER;
        if element.tag == Tag::ARTICLE {
            in_footer = false;
        }
        let is_aside = element.tag == Tag::ASIDE && !is_beside_headline(page, inner, headline);
        if is_aside || is_part_apart(page, inner, element) {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns whether an element is an `article` or lies in one.
fn is_in_article(page: &Page<'_>, node: u32) -> bool {
    let mut inner = node;
    for _ in 0..MAX_LEVELS {
        let element = &page.nodes()[inner as usize];
        if element.tag == Tag::ARTICLE {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns whether an `aside` is close to the headline and has no heading of its own. Many articles
/// put byline and date in such an `aside`.
fn is_beside_headline(page: &Page<'_>, aside: u32, headline: Option<u32>) -> bool {
    const CLOSE: u32 = 60;
    let nodes = page.nodes();
    let end = nodes[aside as usize].end;
    let is_heading =
        |node: &Node| matches!(node.tag, Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6);
    let inside = aside..end.min(aside + CLOSE);
    headline.is_some_and(|headline| {
        let after = nodes[headline as usize].end;
        aside.saturating_sub(after) <= CLOSE && headline.saturating_sub(end) <= CLOSE
    }) && !nodes[inside.start as usize..inside.end as usize].iter().any(is_heading)
}

fn is_part_apart(page: &Page<'_>, node: u32, element: &Node) -> bool {
    let is_tag = matches!(
        element.tag,
        Tag::NAV | Tag::LABEL | Tag::BUTTON | Tag::SELECT | Tag::TEXTAREA | Tag::DIALOG
    );
    is_tag
        || element.tag == Tag::FORM && element.end - node <= MAX_FORM_NODES
        || [AttributeName::Class, AttributeName::Id].into_iter().any(|name| {
            page.attribute(element, name)
                .is_some_and(|value| names_part(truncate_text(value, MAX_BYTES).as_bytes()))
        })
}

/// Most bytes of a class or identifier that are read. Each element below reads them again, so
/// without a bound the time would grow with the product of both.
const MAX_BYTES: usize = 256;

/// Returns whether a class or identifier has one of the words, at its beginning or after a mark.
fn names_part(names: &[u8]) -> bool {
    (0..names.len()).any(|at| {
        let begins = at == 0
            || !names[at - 1].is_ascii_alphanumeric()
            || names[at].is_ascii_uppercase() && names[at - 1].is_ascii_lowercase();
        let has = |word: &str| {
            let found = names[at..].get(..word.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        };
        begins && WORDS.iter().any(|word| has(word))
    })
}
