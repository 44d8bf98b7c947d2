//! Keeps data tables and lists whole: a table without its head, or a row without its name, is
//! misleading.
//!
//! The model judges blocks one by one. If it takes more than half of the words of a data table, the
//! table is taken with all its cells. Otherwise the table is left out. If it takes more than half
//! of the words of a list, the list is taken with all its items. Headings and items that alone are
//! left out between taken siblings are taken too. Cost: O(containers + blocks), plus the cost of
//! recognising data tables.

use crate::blocks::Segmentation;
use crate::regions::Regions;
use huller_page::{Page, Tag};
use huller_select::is_data_table;

/// A gap between elements of one kind is closed if it has at most one word per this many taken
/// words. Pages with fewer taken words are not changed, so a line of an advertisement in an article
/// stays out.
const WORDS_PER_GAP_WORD: f32 = 10_000.0;

/// Completes or removes partly taken lists and data tables.
pub(crate) fn complete_containers(page: &Page<'_>, blocks: &Segmentation, taken: &mut [bool]) {
    // Lists in lists and lists in cells are handled once, with the element around them.
    let mut end = 0;
    for container in &blocks.containers {
        let is_table = container.tag == Tag::TABLE;
        let is_list = matches!(container.tag, Tag::UL | Tag::OL | Tag::DL);
        if !(is_table || is_list) || container.first_block < end {
            continue;
        }
        let range = container.first_block as usize..container.end_block as usize;
        let (mut total, mut chosen_words) = (0.0, 0.0);
        for block in range.clone().filter(|block| !blocks.is_comment(*block)) {
            let words = blocks.words(block);
            total += words;
            chosen_words += if taken[block] { words } else { 0.0 };
        }
        if chosen_words == 0.0
            || chosen_words >= total
            || is_table && !is_data_table(page, container.node)
        {
            continue;
        }
        end = container.end_block;
        let is_whole = 2.0 * chosen_words > total;
        if is_whole || is_table {
            for block in range.filter(|block| !blocks.is_comment(*block)) {
                taken[block] = is_whole;
            }
        }
    }
}

/// Takes gaps between two taken blocks, if all blocks of the gap are siblings of one kind and the
/// gap is small compared with the text.
pub(crate) fn close_gaps(blocks: &Segmentation, taken: &mut [bool]) {
    let words: f32 =
        (0..taken.len()).filter(|block| taken[*block]).map(|block| blocks.words(block)).sum();
    if words < WORDS_PER_GAP_WORD {
        return;
    }
    let kind = |block: usize| {
        let container = &blocks.containers[blocks.blocks[block].container as usize];
        (container.parent, container.tag)
    };
    // The last taken block, and the words since it, as long as all blocks are of its kind.
    let mut previous: Option<(usize, f32)> = None;
    for block in 0..taken.len() {
        let is_alike = previous.is_some_and(|(last_taken, _)| kind(last_taken) == kind(block));
        if !taken[block] {
            previous = previous.filter(|_| is_alike && !blocks.is_comment(block));
            if let Some((_, gap)) = &mut previous {
                *gap += blocks.words(block);
            }
            continue;
        }
        if let Some((last_taken, gap)) = previous.filter(|_| is_alike)
            && gap * WORDS_PER_GAP_WORD <= words
        {
            taken[last_taken..block].fill(true);
        }
        previous = Some((block, 0.0));
    }
}

/// Takes a heading or an item of a list that alone is left out between two taken siblings, unless
/// most of it is linked. The model judges blocks one by one, and misses a few such lines. Headings
/// of the second to fourth level count: those above are titles, those below often label a box.
pub(crate) fn fill_holes(blocks: &Segmentation, taken: &mut [bool]) {
    let holder = |block: usize| &blocks.containers[blocks.blocks[block].container as usize];
    // A block that was taken here does not make the next one a hole.
    let mut is_before_taken = taken.first().copied().unwrap_or_default();
    for block in 1..taken.len().saturating_sub(1) {
        let is_between = is_before_taken && !taken[block] && taken[block + 1];
        is_before_taken = taken[block];
        let parent = holder(block).parent;
        taken[block] |= is_between
            && matches!(holder(block).tag, Tag::H2 | Tag::H3 | Tag::H4 | Tag::LI)
            && holder(block - 1).parent == parent
            && holder(block + 1).parent == parent
            && !blocks.is_mostly_links(block)
            && !blocks.is_comment(block)
            && !holder(block).regions.intersects(Regions::HIDDEN);
    }
}

/// Takes the line that introduces a taken list. The line ends with a colon and is directly before
/// the list, in the same element.
pub(crate) fn take_lead_ins(blocks: &Segmentation, taken: &mut [bool]) {
    /// Largest number of words of such a line. A longer one is a paragraph, which is left to the
    /// model.
    const MAX_LINE_WORDS: f32 = 40.0;
    for block in 0..taken.len().saturating_sub(1) {
        let holder = |block: usize| &blocks.containers[blocks.blocks[block].container as usize];
        let is_lead_in = !taken[block]
            && taken[block + 1]
            && blocks.blocks[block].facts.last == b':'
            && holder(block + 1).tag == Tag::LI
            && holder(block).tag == Tag::P
            && (block + 1) < blocks.containers[holder(block).parent as usize].end_block as usize
            && blocks.words(block) <= MAX_LINE_WORDS
            && !blocks.is_comment(block)
            && !blocks.is_mostly_links(block);
        taken[block] |= is_lead_in;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use huller_page::PageBuf;

    /// Returns the taken blocks of a page with `paragraphs` paragraphs and another element after
    /// the tenth. Blocks 5 to 7 and that element were left out first.
    fn closed(paragraphs: usize, other: &str) -> Vec<bool> {
        let mut html = String::new();
        for number in 0..paragraphs {
            html.push_str("<p>word ");
            html.push_str(&number.to_string());
            if number == 9 {
                html.push_str(other);
            }
        }
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut features = Features::default();
        features.fill(&page);
        let blocks = features.blocks();
        let mut taken = vec![true; blocks.blocks.len()];
        taken[5..8].fill(false);
        taken[10] = false;
        close_gaps(blocks, &mut taken);
        taken
    }

    /// Returns the blocks that are left out of a page. At first all blocks with "out" were.
    fn left_out_of(html: &str) -> Vec<usize> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let is_out = |block: usize| {
            let mut sources =
                blocks.runs(block).map(|run| page.run_source(&page.runs()[run as usize]));
            sources.any(|source| source.contains("out"))
        };
        let mut taken: Vec<bool> = (0..blocks.blocks.len()).map(|block| !is_out(block)).collect();
        fill_holes(&blocks, &mut taken);
        (0..taken.len()).filter(|block| !taken[*block]).collect()
    }

    #[test]
    fn a_heading_or_an_item_alone_between_taken_siblings_is_taken() {
        for html in [
            "<p>one<h2>out</h2><p>two",
            "<p>one<h3>out</h3><p>two",
            "<p>one<h4>out</h4><pre>two</pre>",
            "<p>one<h2>out</h2><p>two<h2>out</h2><p>three",
            "<ul><li>one<li>out<li>two</ul>",
            "<ol><li>one<li>out<li>two<li>out<li>three</ol>",
            "<p>one<h2>out with <a href=/x>a link</a></h2><p>two",
        ] {
            assert!(left_out_of(html).is_empty(), "{html}");
        }
    }

    #[test]
    fn other_blocks_between_taken_ones_stay_out() {
        for html in [
            "<p>one<p>out<p>two",
            "<p>one<h1>out</h1><p>two",
            "<p>one<h5>out</h5><p>two",
            "<p>one<h2><a href=/x>out</a></h2><p>two",
            "<p>one<h2 hidden>out</h2><p>two",
            "<ul><li>one<li><a href=/x>out</a><li>two</ul>",
            "<p>one<div><h2>out</h2></div><p>two",
            "<ul><li>one</ul><ul><li>out</ul><ul><li>two</ul>",
            "<p>one<div class=comments><h2>out</h2></div><p>two",
        ] {
            assert_eq!(left_out_of(html), [1], "{html}");
        }
    }

    #[test]
    fn lines_at_an_end_and_several_in_a_row_stay_out() {
        assert_eq!(left_out_of("<h2>out</h2><p>one"), [0]);
        assert_eq!(left_out_of("<p>one<h2>out</h2>"), [1]);
        assert_eq!(left_out_of("<p>one<h2>out</h2><h3>out</h3><p>two"), [1, 2]);
        assert!(left_out_of("").is_empty() && left_out_of("<p>one").is_empty());
    }

    #[test]
    fn a_few_lines_that_are_missed_in_a_book_are_taken_and_others_stay_out() {
        let other = "<div>Share this</div>";
        let left_out =
            |taken: Vec<bool>| (0..taken.len()).filter(|block| !taken[*block]).collect::<Vec<_>>();
        assert_eq!(left_out(closed(40_000, other)), [10]);
        assert!(left_out(closed(40_000, "<p>word")).is_empty());
        assert_eq!(left_out(closed(4_000, other)), [5, 6, 7, 10]);
    }
}
