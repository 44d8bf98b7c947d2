//! Keeps tables of data and lists whole: a table that lacks its head, or a row its name, says what is not so.
//!
//! The model judges blocks one by one. Where it takes more than half of the words of a table of data, the table is taken with all its
//! cells, else none of them; where it takes more than half of the words of a list, the list is taken with all its items. Cost:
//! O(containers + blocks), and what it costs to tell tables of data from others.

use crate::blocks::Segmentation;
use huller_page::{Page, Tag};
use huller_select::is_data_table;

/// Makes the choice among a page's blocks whole.
pub(crate) fn make_whole(page: &Page<'_>, blocks: &Segmentation, taken: &mut [bool]) {
    // Lists in lists and lists in cells are looked at once, with what is around them.
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
