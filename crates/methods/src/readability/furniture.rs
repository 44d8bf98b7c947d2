//! Removes boilerplate within the content: forms, lists of links, boxes. The code calls it
//! furniture.

use super::element_counts::{ElementCounts, PageCounts};
use super::rounds::{MIN_RESULT_LEN, RoundSettings};
use super::words::ClassWords;
use huller_page::{Node, Page, Tag};

/// The kinds of ancestors of one element.
#[derive(Clone, Copy, Debug, Default)]
struct AncestorKinds {
    /// Whether it is in a data table or in code. Their content is kept whole.
    whole: bool,
    figure: bool,
}

/// The kinds of ancestors of every element.
#[derive(Debug, Default)]
pub(super) struct Surroundings(Vec<AncestorKinds>);

impl Surroundings {
    fn fill(&mut self, page: &Page<'_>, page_counts: &PageCounts) {
        self.0.clear();
        self.0.resize(page.nodes().len(), AncestorKinds::default());
        let (mut whole_end, mut figure_end) = (0, 0);
        for index in page_counts.kept_nodes() {
            let node = &page.nodes()[*index as usize];
            if node.tag == Tag::CODE || is_data_table(node, page_counts.get(*index)) {
                whole_end = whole_end.max(node.end);
            }
            self.0[*index as usize] =
                AncestorKinds { whole: *index < whole_end, figure: *index < figure_end };
            if node.tag == Tag::FIGURE {
                figure_end = figure_end.max(node.end);
            }
        }
    }
}

/// Returns whether a table holds data rather than layout.
fn is_data_table(node: &Node, counts: &ElementCounts) -> bool {
    let ElementCounts { rows, cells, .. } = *counts;
    let is_large =
        rows >= 10 || (rows > 1 && cells > 4 * rows) || (cells > 10 && cells >= 2 * rows);
    node.tag == Tag::TABLE && counts.tables == 1 && (counts.table_headers > 0 || is_large)
}

/// Drops furniture below the roots, and roots that are furniture. Returns the length of the
/// remaining text in scalars and gaps.
pub(super) fn drop_furniture(
    page: &Page<'_>,
    page_counts: &mut PageCounts,
    words: &ClassWords,
    surroundings: &mut Surroundings,
    round: RoundSettings,
    roots: &mut Vec<u32>,
) -> u32 {
    surroundings.fill(page, page_counts);
    let mut text = 0;
    roots.retain(|root| {
        page_counts.sum_and_prune(page, *root, |index, node, counts| {
            let weight = if round.weigh { words.weight(index) } else { 0.0 };
            is_apart(node.tag)
                || (matches!(node.tag, Tag::H1 | Tag::H2) && weight < 0.0)
                || (words.is_for_sharing(index) && counts.text < MIN_RESULT_LEN)
                || (round.clean
                    && is_furniture(node.tag, counts, weight, surroundings.0[index as usize]))
        });
        if page_counts.is_kept(*root) {
            text += page_counts.get(*root).text;
        }
        page_counts.is_kept(*root)
    });
    text
}

/// Returns whether elements with this tag are always dropped, because their text is separate from
/// the text around them.
fn is_apart(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::OBJECT
            | Tag::FOOTER
            | Tag::ASIDE
            | Tag::IFRAME
            | Tag::TEXTAREA
            | Tag::SELECT
            | Tag::BUTTON
    )
}

/// Returns whether an element looks like furniture, judged by its content.
fn is_furniture(
    tag: Tag,
    counts: &ElementCounts,
    weight: f64,
    ancestor_kinds: AncestorKinds,
) -> bool {
    if ancestor_kinds.whole
        || !matches!(tag, Tag::FORM | Tag::FIELDSET | Tag::TABLE | Tag::UL | Tag::DIV)
    {
        return false;
    }
    if weight < 0.0 {
        return true;
    }
    // An element with ten commas holds prose.
    if counts.commas >= 10 {
        return false;
    }
    let ElementCounts { text, paragraphs, images, items, inputs, .. } = *counts;
    let is_list = tag == Tag::UL || counts.share(counts.lists) > 0.9;
    let density = counts.link_density();
    let is_gallery = images > 1 && paragraphs * 2 < images && !ancestor_kinds.figure;
    let is_link_list = !is_list && items > paragraphs + 100;
    let is_form = matches!(tag, Tag::FORM | Tag::FIELDSET) && inputs > paragraphs / 3;
    let is_label = !is_list
        && !ancestor_kinds.figure
        && counts.share(counts.headings) < 0.9
        && text < 25
        && (images == 0 || images > 2)
        && density > 0.0;
    let is_linked = if weight < 25.0 { !is_list && density > 0.2 } else { density > 0.5 };
    is_gallery || is_link_list || is_form || is_label || is_linked
}
