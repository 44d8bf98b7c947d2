//! The fallback for low confidence. It replaces the forest's choice if the forest is unsure and two
//! simpler extractors agree that less of the page is content.
//!
//! The model learned from some kinds of sites. On pages of other kinds it is unsure, and takes
//! sidebars and lists of other articles with the text. `readability` and `tsd` were not trained on
//! sites: `readability` follows paragraphs and commas, `tsd` the text density in the tree. If they
//! choose nearly the same, they are rarely both wrong. The steps:
//!
//! 1. If the expected F1 is below [`FALLBACK_BELOW_F1`], `readability` extracts the page.
//! 2. `tsd` extracts it too if `readability` chose fewer words than the forest, and other blocks
//!    (F1 of the words below [`DIFFERENT_BELOW_F1`]).
//! 3. If the F1 of the words of these two is above [`MIN_AGREEMENT`], the blocks that
//!    `readability` keeps are the text.
//!
//! If the two choose more than the forest, the additional text is mostly comments or lists, which
//! the forest rightly left out.
//!
//! Cost: O(n) for both extractors, only on pages where they run: about one in twenty.

use crate::blocks::Segmentation;
use crate::simple_extractors::{SimpleExtractor, SimpleExtractors};
use huller_page::Page;

/// Expected F1 below which `readability` runs.
const FALLBACK_BELOW_F1: f32 = 0.8;

/// The choices of the forest and of `readability` differ if the F1 of their words is below this.
const DIFFERENT_BELOW_F1: f32 = 0.85;

/// The two extractors agree if the F1 of the words of `readability` and `tsd` is above this.
const MIN_AGREEMENT: f32 = 0.7;

/// The expected F1 of pages where the two extractors replace the forest. It is .84 on average on
/// these dev pages, and does not depend on how unsure the forest was.
const REPLACED_PAGE_F1: f32 = 0.84;

/// Replaces the blocks that the forest took if the two extractors agree on fewer words. `score` is
/// the expected F1 before; returns the expected F1 after.
pub(crate) fn raise(
    simple: &mut SimpleExtractors,
    page: &Page<'_>,
    blocks: &Segmentation,
    score: f32,
    taken: &mut Vec<bool>,
) -> f32 {
    if score >= FALLBACK_BELOW_F1 || blocks.blocks.is_empty() {
        return score;
    }
    simple.ask(SimpleExtractor::Readability, page, blocks);
    let words = |taken: &[bool]| words_where(blocks, |block| taken[block]);
    let readability = simple.taken(SimpleExtractor::Readability);
    if words(readability) >= words(taken)
        || agreement(blocks, readability, taken) >= DIFFERENT_BELOW_F1
    {
        return score;
    }
    simple.ask(SimpleExtractor::Tsd, page, blocks);
    let readability = simple.taken(SimpleExtractor::Readability);
    if agreement(blocks, readability, simple.taken(SimpleExtractor::Tsd)) <= MIN_AGREEMENT {
        return score;
    }
    taken.clear();
    taken.extend_from_slice(readability);
    REPLACED_PAGE_F1
}

/// Returns the F1 of the words of two choices of blocks: 1 if they are the same, 0 if they have no
/// block in common.
fn agreement(blocks: &Segmentation, left: &[bool], right: &[bool]) -> f32 {
    let common = words_where(blocks, |block| left[block] && right[block]);
    let word_sum =
        words_where(blocks, |block| left[block]) + words_where(blocks, |block| right[block]);
    (2.0 * common / word_sum.max(1.0)) as f32
}

fn words_where(blocks: &Segmentation, is_counted: impl Fn(usize) -> bool) -> f64 {
    let counted = (0..blocks.blocks.len()).filter(|block| is_counted(*block));
    counted.map(|block| f64::from(blocks.words(block))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    const PARAGRAPH: &str = "<p>The ferry came back after eleven months in the yard, with a new engine, two more \
        lifeboats, and seats that do not creak, and on its first crossing the captain let the children blow the horn.</p>";

    /// Returns the blocks that are taken on a page with the paragraphs of an article and teasers
    /// after it. `taken` are the blocks that the forest took.
    fn raised(score: f32, taken: impl Fn(usize) -> bool) -> Vec<bool> {
        let teaser = "<div><a href=/x>Ferry seats that creak are mended on Monday</a></div>";
        let html = format!("<div>{}</div><div>{}</div>", PARAGRAPH.repeat(5), teaser.repeat(10));
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let mut taken: Vec<bool> = (0..blocks.blocks.len()).map(taken).collect();
        let mut simple = SimpleExtractors::default();
        let raised = raise(&mut simple, &page, &blocks, score, &mut taken);
        assert!(
            raised.to_bits() == score.to_bits() || raised.to_bits() == REPLACED_PAGE_F1.to_bits()
        );
        taken
    }

    #[test]
    fn two_extractors_that_agree_on_less_win_where_the_forest_is_unsure() {
        let article: Vec<bool> = (0..15).map(|block| block < 5).collect();
        assert_eq!(raised(FALLBACK_BELOW_F1 - 0.01, |_| true), article);
        assert_eq!(
            raised(FALLBACK_BELOW_F1, |_| true),
            [true; 15],
            "a forest that is sure is not asked"
        );
    }

    #[test]
    fn what_the_forest_left_out_stays_out() {
        let some: Vec<bool> = (0..15).map(|block| block < 2).collect();
        assert_eq!(raised(0.1, |block| block < 2), some);
    }

    #[test]
    fn a_choice_that_differs_little_stays() {
        let most: Vec<bool> = (0..15).map(|block| block < 6).collect();
        assert_eq!(raised(0.1, |block| block < 6), most);
    }

    #[test]
    fn pages_without_text_have_no_floor() {
        let mut buffer = PageBuf::new();
        let page = buffer.fill("<select><option>x</select>");
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let mut taken = Vec::new();
        let mut simple = SimpleExtractors::default();
        let score = raise(&mut simple, &page, &blocks, 0.0, &mut taken);
        assert!(taken.is_empty() && score.abs() < 1e-6);
    }
}
