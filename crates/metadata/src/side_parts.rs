//! Parts of a page beside its main text: related pages, comments, forms, footers. Names and dates
//! in them do not describe the page.

use super::line::{chars, truncate_text};
use huller_page::{AttributeName, Node, Page, Tag};
use std::ops::Range;

/// Largest number of ancestors of an element to examine.
const MAX_LEVELS: usize = 24;

/// Largest number of nodes of a form. Larger ones are ignored, because some systems wrap whole
/// pages in a form.
const MAX_FORM_NODES: u32 = 200;

/// Beginnings of words in classes and identifiers of such parts.
const WORDS: [&str; 28] = [
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
    "more-stories",
    "next-post",
    "prev-post",
    "prev-next",
    "latest-",
    "recent-",
    "upcoming",
    "event-list",
    "testimonial",
    "tweet",
    "ticker",
    "topbar",
    "newsletter",
    "carousel",
];

/// Classes and identifiers of such parts after the headline. Longer ones that begin with them are
/// common within articles: `bbp-reply-author`, `elementor-widget-heading`.
const WHOLE_WORDS: [&str; 23] = [
    "answer",
    "answers",
    "archive",
    "archives",
    "calendar",
    "event",
    "events",
    "feedback",
    "latest",
    "next",
    "prev",
    "previous",
    "promo",
    "quote",
    "quotes",
    "read-more",
    "recent",
    "replies",
    "reply",
    "review",
    "reviews",
    "sidebar",
    "widget",
];

/// Returns whether an element lies in a part beside the main text. Parts that contain the headline
/// too do not count.
pub(super) fn is_apart(page: &Page<'_>, node: u32, headline: Option<u32>) -> bool {
    is_beside(page, node, headline)
        || is_of_other_article(page, node, headline)
        || is_below_article(page, node, headline)
        || is_above_navigation(page, node, headline)
}

fn is_beside(page: &Page<'_>, node: u32, headline: Option<u32>) -> bool {
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
        let is_card = inner < node && is_card(page, inner, (node, headline));
        if is_aside || is_card || is_part_apart(page, inner, (element, headline)) {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns whether an element lies in an `article` without the headline, while the headline lies in
/// another `article`. If it lies in none, the `article` must announce another page, as in a list.
fn is_of_other_article(page: &Page<'_>, node: u32, headline: Option<u32>) -> bool {
    let nodes = page.nodes();
    let Some(headline) = headline else { return false };
    let Some(article) = article_of(page, node) else { return false };
    let end = nodes[article as usize].end;
    if (article..end).contains(&headline) {
        return false;
    }
    let beginning = article..node.min(article + MAX_CARD_NODES);
    article_of(page, headline).is_some() || has_linked_heading(page, beginning, node)
}

/// Returns whether the navigation of the site is between an element and the headline after it, as
/// below a bar with the date of today.
fn is_above_navigation(page: &Page<'_>, node: u32, headline: Option<u32>) -> bool {
    const MAX_NODES: usize = 512;
    let nodes = page.nodes();
    let between = headline
        .and_then(|headline| nodes.get(nodes[node as usize].end as usize..headline as usize));
    let mut between = between.unwrap_or_default().iter().take(MAX_NODES);
    between.any(|between| between.tag == Tag::NAV)
}

/// Returns whether an element comes after the `article` with the headline and its text. A box about
/// the author may be there.
fn is_below_article(page: &Page<'_>, node: u32, headline: Option<u32>) -> bool {
    let Some(headline) = headline else { return false };
    let Some(article) = article_of(page, headline) else { return false };
    node >= page.nodes()[article as usize].end
        && is_after_text(page, node, headline)
        && !is_in_author_box(page, node)
}

/// Returns whether an element lies in a box about the author, by its class or identifier.
fn is_in_author_box(page: &Page<'_>, node: u32) -> bool {
    const MAX_BOX_LEVELS: usize = 8;
    let mut inner = node;
    for _ in 0..MAX_BOX_LEVELS {
        let element = &page.nodes()[inner as usize];
        let names_box = |name| {
            let value = page.attribute(element, name).unwrap_or_default();
            let mut names = truncate_text(value, MAX_BYTES).split_ascii_whitespace();
            names.any(|name| {
                let has = |part: &str| {
                    let mut windows = name.as_bytes().windows(part.len());
                    windows.any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
                };
                has("author")
                    && ["bio", "box", "info", "about", "card", "profile"].into_iter().any(has)
            })
        };
        if [AttributeName::Class, AttributeName::Id].into_iter().any(names_box) {
            return true;
        }
        inner = element.parent;
    }
    false
}

/// Returns the innermost `article` around a node.
fn article_of(page: &Page<'_>, node: u32) -> Option<u32> {
    const MAX_ARTICLE_LEVELS: usize = 256;
    let mut inner = node;
    for _ in 0..MAX_ARTICLE_LEVELS {
        let element = &page.nodes()[inner as usize];
        if element.tag == Tag::ARTICLE {
            return Some(inner);
        }
        inner = element.parent;
    }
    None
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
    const MAX_NODES_BETWEEN: u32 = 60;
    let nodes = page.nodes();
    let end = nodes[aside as usize].end;
    let is_heading =
        |node: &Node| matches!(node.tag, Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6);
    let aside_nodes = aside..end.min(aside + MAX_NODES_BETWEEN);
    headline.is_some_and(|headline| {
        let headline_end = nodes[headline as usize].end;
        aside.saturating_sub(headline_end) <= MAX_NODES_BETWEEN
            && headline.saturating_sub(end) <= MAX_NODES_BETWEEN
    }) && !nodes[aside_nodes.start as usize..aside_nodes.end as usize].iter().any(is_heading)
}

/// Largest number of nodes of an element that announces another page, or of its beginning.
const MAX_CARD_NODES: u32 = 60;

/// Returns whether an element announces another page: it is short, has a heading with a link, and
/// comes after text of the article. The heading may not be the name at `node` itself.
fn is_card(page: &Page<'_>, element: u32, (node, headline): (u32, Option<u32>)) -> bool {
    const MAX_CARD_CHARS: u32 = 400;
    let nodes = page.nodes();
    let Some(headline) = headline else { return false };
    let end = nodes[element as usize].end;
    if end - element > MAX_CARD_NODES
        || chars(page, element) > MAX_CARD_CHARS
        || !is_after_text(page, element, headline)
    {
        return false;
    }
    has_linked_heading(page, element..end, node)
}

/// Returns whether a heading among these nodes has a link or is in one. The name or date at `node`
/// may not be in the heading.
fn has_linked_heading(page: &Page<'_>, within: Range<u32>, node: u32) -> bool {
    let nodes = page.nodes();
    let is_link = |index: u32| nodes[index as usize].tag == Tag::A;
    within.clone().any(|heading| {
        let element = &nodes[heading as usize];
        let holds_node = (heading..element.end).contains(&node)
            || (node..nodes[node as usize].end).contains(&heading);
        matches!(element.tag, Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
            && !holds_node
            && (is_link(element.parent) || (heading..element.end.min(within.end)).any(is_link))
    })
}

/// Returns whether text of the article, and not only a few lines, is between the headline and an
/// element.
fn is_after_text(page: &Page<'_>, element: u32, headline: u32) -> bool {
    const MIN_CHARS: u32 = 300;
    const MAX_RUNS: usize = 1000;
    let nodes = page.nodes();
    let between =
        nodes[headline as usize].run_end as usize..nodes[element as usize].run_start as usize;
    let mut chars = 0_u32;
    page.runs().get(between).is_some_and(|runs| {
        runs.len() > MAX_RUNS
            || runs.iter().any(|run| {
                chars = chars.saturating_add(run.counts.chars);
                chars >= MIN_CHARS
            })
    })
}

fn is_part_apart(page: &Page<'_>, node: u32, (element, headline): (&Node, Option<u32>)) -> bool {
    let is_after_headline = headline.is_none_or(|headline| headline < node);
    let is_tag = matches!(
        element.tag,
        Tag::NAV
            | Tag::LABEL
            | Tag::BUTTON
            | Tag::SELECT
            | Tag::TEXTAREA
            | Tag::DIALOG
            | Tag::BLOCKQUOTE
            | Tag::FIGURE
            | Tag::FIGCAPTION
    );
    is_tag
        || element.tag == Tag::FORM && element.end - node <= MAX_FORM_NODES
        || [AttributeName::Class, AttributeName::Id].into_iter().any(|name| {
            page.attribute(element, name).map(|value| truncate_text(value, MAX_BYTES)).is_some_and(
                |value| is_after_headline && is_whole_word(value) || names_part(value.as_bytes()),
            )
        })
}

/// Returns whether a class is one of the words.
fn is_whole_word(names: &str) -> bool {
    let is_known = |name: &str| WHOLE_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
    names.split_ascii_whitespace().any(is_known)
}

/// Most bytes of a class or identifier that are read. Each element below reads them again, so
/// without a bound the time would grow with the product of both.
const MAX_BYTES: usize = 256;

/// Returns whether a class or identifier has one of the words, at its beginning or after a mark.
fn names_part(names: &[u8]) -> bool {
    (0..names.len()).any(|offset| {
        let begins = offset == 0
            || !names[offset - 1].is_ascii_alphanumeric()
            || names[offset].is_ascii_uppercase() && names[offset - 1].is_ascii_lowercase();
        let has = |word: &str| {
            let candidate = names[offset..].get(..word.len());
            candidate.is_some_and(|candidate| candidate.eq_ignore_ascii_case(word.as_bytes()))
        };
        begins && WORDS.iter().any(|word| has(word))
    })
}
