//! Narrows the text of Japanese, Thai, Lao, Khmer and Burmese articles to the blocks that
//! `readability` keeps too.
//!
//! No page of these languages trained the forests. They take links and notices around the article
//! there, which `readability` leaves out. It follows paragraphs and commas, and so depends less on
//! the length of words. Chinese pages trained the forests, and stay as they are.
//!
//! If the two have no block in common, the blocks of the forest stay. Cost: O(n) for `readability`,
//! only on these pages.

use crate::blocks::Segmentation;
use crate::simple_extractors::{SimpleExtractor, SimpleExtractors};
use huller_page::Page;

/// Leaves out the taken blocks that `readability` does not keep, unless it keeps none of them.
pub(crate) fn narrow(
    simple: &mut SimpleExtractors,
    page: &Page<'_>,
    blocks: &Segmentation,
    is_taken: &mut [bool],
) {
    simple.ask(SimpleExtractor::Readability, page, blocks);
    let is_kept = simple.taken(SimpleExtractor::Readability);
    if is_taken.iter().zip(is_kept).any(|(is_taken, is_kept)| *is_taken && *is_kept) {
        is_taken.iter_mut().zip(is_kept).for_each(|(is_taken, is_kept)| *is_taken &= *is_kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns for each block of a page whether it remains, if all blocks were taken.
    fn narrowed(html: &str, is_taken: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let mut taken: Vec<bool> = (0..blocks.blocks.len()).map(is_taken).collect();
        narrow(&mut SimpleExtractors::default(), &page, &blocks, &mut taken);
        taken
    }

    fn page(paragraph: &str) -> String {
        let links = "<li><a href=/x>เรือ</a>".repeat(4);
        let paragraphs = format!("<p>{paragraph}").repeat(3);
        format!("<ul>{links}</ul><div>{paragraphs}</div>")
    }

    const PARAGRAPHS: [&str; 3] = [
        "フェリーは、十一か月ぶりに、造船所から戻ってきた、新しいエンジンと、二隻の救命艇と、静かな座席を備えて。",
        "เรือเฟอร์รี่กลับมาแล้ว, หลังจากอยู่ในอู่สิบเอ็ดเดือน, พร้อมเครื่องยนต์ใหม่, และที่นั่งใหม่",
        "សាឡាងបានត្រឡប់មកវិញ, បន្ទាប់ពីដប់មួយខែ, ជាមួយម៉ាស៊ីនថ្មី, និងកៅអីថ្មី",
    ];

    #[test]
    fn links_around_the_paragraphs_are_left_out() {
        for paragraph in PARAGRAPHS {
            let expected = [false, false, false, false, true, true, true];
            assert_eq!(narrowed(&page(paragraph), |_| true), expected, "{paragraph}");
        }
    }

    #[test]
    fn nothing_is_added() {
        let expected = [false, false, false, false, true, false, false];
        assert_eq!(narrowed(&page(PARAGRAPHS[0]), |block| block < 5), expected);
    }

    #[test]
    fn a_text_that_has_nothing_in_common_with_the_other_stays() {
        let expected = [true, true, false, false, false, false, false];
        assert_eq!(narrowed(&page(PARAGRAPHS[1]), |block| block < 2), expected);
        assert_eq!(narrowed(&page(PARAGRAPHS[1]), |_| false), [false; 7]);
        assert!(narrowed("", |_| true).is_empty());
    }
}
