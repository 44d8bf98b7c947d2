//! Keeps data tables and lists whole: a table without its head, or a row without its name, is
//! misleading.
//!
//! The model judges blocks one by one. If it takes more than half of the words of a data table, the
//! table is taken with all its cells. Otherwise the table is left out. If it takes more than half
//! of the words of a list, the list is taken with all its items. Cost: O(containers + blocks), plus
//! the cost of recognising data tables.

use crate::blocks::Segmentation;
use huller_page::{Page, Tag};
use huller_select::is_data_table;

/// A gap between elements of one kind is closed if it has at most one word per this many taken
/// words. Pages with fewer taken words are not changed, so a line of an advertisement in an article
/// stays out.
const WORDS_A_GAP_WORD: f32 = 10_000.0;

/// Completes or removes partly taken lists and data tables.
pub(crate) fn make_whole(page: &Page<'_>, blocks: &Segmentation, taken: &mut [bool]) {
    // Lists in lists and lists in cells are handled once, with the element around them.
    let mut end = 0;
    for container in &blocks.containers {
        let is_table = container.tag == Tag::TABLE;
        let is_list = matches!(container.tag, Tag::UL | Tag::OL | Tag::DL);
        if !(is_table || is_list) || container.first_block < end {
            continue;
        }
        let range = container.first_block as usize..container.end_block as usize;
        let (mut all, mut chosen) = (0.0, 0.0);
        for block in range.clone().filter(|block| !blocks.is_comment(*block)) {
            let words = blocks.words(block);
            all += words;
            chosen += if taken[block] { words } else { 0.0 };
        }
        if chosen == 0.0 || chosen >= all || is_table && !is_data_table(page, container.node) {
            continue;
        }
        end = container.end_block;
        let is_whole = 2.0 * chosen > all;
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
    if words < WORDS_A_GAP_WORD {
        return;
    }
    let kind = |block: usize| {
        let container = &blocks.containers[blocks.blocks[block].container as usize];
        (container.parent, container.tag)
    };
    // The last taken block, and the words since it, as long as all blocks are of its kind.
    let mut before: Option<(usize, f32)> = None;
    for block in 0..taken.len() {
        let is_alike = before.is_some_and(|(last, _)| kind(last) == kind(block));
        if !taken[block] {
            before = before.filter(|_| is_alike && !blocks.is_comment(block));
            if let Some((_, gap)) = &mut before {
                *gap += blocks.words(block);
            }
            continue;
        }
        if let Some((last, gap)) = before.filter(|_| is_alike)
            && gap * WORDS_A_GAP_WORD <= words
        {
            taken[last..block].fill(true);
        }
        before = Some((block, 0.0));
    }
}

/// Takes the line that introduces a taken list. The line ends with a colon and is directly before
/// the list, in the same element.
pub(crate) fn take_lead_ins(blocks: &Segmentation, taken: &mut [bool]) {
    /// Largest number of words of such a line. A longer one is a paragraph, which is left to the
    /// model.
    const LONGEST: f32 = 40.0;
    for block in 0..taken.len().saturating_sub(1) {
        let holder = |block: usize| &blocks.containers[blocks.blocks[block].container as usize];
        let is_lead_in = !taken[block]
            && taken[block + 1]
            && blocks.blocks[block].facts.last == b':'
            && holder(block + 1).tag == Tag::LI
            && holder(block).tag == Tag::P
            && (block + 1) < blocks.containers[holder(block).parent as usize].end_block as usize
            && blocks.words(block) <= LONGEST
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
