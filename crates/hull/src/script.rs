//! Finds out how the text of an article is written, with spaces between words or without, and
//! applies the rules that depend on it.
//!
//! | script | text | headline |
//! |---|---|---|
//! | with spaces | stays | kept |
//! | Chinese | stays | left to the model |
//! | Japanese, Thai, Lao, Khmer, Burmese | narrowed | kept |
//!
//! Cost: O(blocks), and O(text) on pages without spaces between words.

use crate::blocks::Segmentation;
use crate::headline::take_headline;
use crate::narrow::narrow;
use crate::simple_extractors::SimpleExtractors;
use huller_page::Page;
use huller_page::unspaced::is_word;

/// Applies the rules for the script of the taken blocks of an article. `headlines` are the blocks
/// that may be its headline.
pub(crate) fn follow_script(
    simple: &mut SimpleExtractors,
    page: &Page<'_>,
    blocks: &Segmentation,
    headlines: [Option<usize>; 2],
    is_taken: &mut [bool],
) {
    let script = Script::from_blocks(page, blocks, is_taken);
    if script == Script::Unspaced {
        narrow(simple, page, blocks, is_taken);
    }
    if script != Script::Chinese {
        take_headline(blocks, headlines, is_taken);
    }
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// With spaces between words, as in the Latin, Arabic and Korean scripts.
    Spaced,
    /// Chinese: Han without kana.
    Chinese,
    /// Japanese, Thai, Lao, Khmer or Burmese.
    Unspaced,
}

/// A text with more words per scalar than this may be written without spaces, since each of its
/// letters counts as a word. English has about .2. Columns of numbers have as many, so more than
/// half of the words must be such letters.
const MAX_WORDS_PER_CHAR: f64 = 0.4;

/// One in this many letters of a Japanese text is kana. A Chinese text with a few Japanese names
/// has fewer.
const KANA_DIVISOR: u64 = 5;

/// The first ideograph among the letters that count as words.
const FIRST_HAN: char = '\u{4000}';

impl Script {
    /// Returns the script of the taken blocks. The text counts as it is in the source: a character
    /// reference is not decoded.
    pub(crate) fn from_blocks(page: &Page<'_>, blocks: &Segmentation, is_taken: &[bool]) -> Script {
        let chosen = || (0..is_taken.len()).filter(|block| is_taken[*block]);
        let (mut words, mut chars) = (0_u64, 0_u64);
        for block in chosen() {
            words += u64::from(blocks.blocks[block].words);
            chars += u64::from(blocks.blocks[block].chars);
        }
        if words as f64 <= MAX_WORDS_PER_CHAR * chars as f64 {
            return Script::Spaced;
        }
        let (mut han, mut other_letters) = (0_u64, 0_u64);
        for run in chosen().flat_map(|block| blocks.runs(block)) {
            for letter in page.run_source(&page.runs()[run as usize]).chars() {
                if is_word(letter) {
                    let count = if letter >= FIRST_HAN { &mut han } else { &mut other_letters };
                    *count += 1;
                }
            }
        }
        if 2 * (han + other_letters) <= words {
            Script::Spaced
        } else if KANA_DIVISOR * other_letters > han + other_letters {
            Script::Unspaced
        } else {
            Script::Chinese
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use huller_page::PageBuf;

    /// Returns the script of the blocks of a page that `is_taken` takes.
    fn script_of(html: &str, is_taken: impl Fn(usize) -> bool) -> Script {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let taken: Vec<bool> = (0..blocks.blocks.len()).map(is_taken).collect();
        Script::from_blocks(&page, &blocks, &taken)
    }

    #[test]
    fn each_language_has_its_script() {
        for (script, texts) in [
            (
                Script::Spaced,
                &[
                    "The ferry is back.",
                    "Паром вернулся.",
                    "عادت العبارة.",
                    "नाव लौट आई है।",
                    "페리가 돌아왔습니다 그리고 섬은 기뻐했다.",
                    "1 2 3 4 5 6 7 8 9",
                    "a b c d e f g 漢 h",
                    "",
                ][..],
            ),
            (
                Script::Chinese,
                &[
                    "渡轮在停航十一个月后回来了。",
                    "渡輪回來了",
                    "他说「の」是日文里的一个助词，很常见。",
                    "渡轮 Aurora 回来了",
                ],
            ),
            (
                Script::Unspaced,
                &[
                    "フェリーが十一か月ぶりに戻ってきた。",
                    "渡船が戻る",
                    "เรือเฟอร์รี่กลับมาแล้ว",
                    "ເຮືອກັບມາແລ້ວ",
                    "សាឡាងបានត្រឡប់មកវិញ",
                    "သင်္ဘောပြန်လာပြီ",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(script_of(&format!("<p>{text}"), |_| true), script, "{text}");
            }
        }
    }

    /// Returns for each block of a page whether it is taken in the end. The blocks after the
    /// headline are a button, three paragraphs and a button.
    fn followed(headline: &str, paragraph: &str) -> Vec<bool> {
        let button = "<ul><li><a href=/x>1</a></ul>";
        let paragraphs = format!("<p>{paragraph}").repeat(3);
        let html = format!("<h1>{headline}</h1>{button}<div>{paragraphs}</div>{button}");
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut features = Features::default();
        features.fill(&page);
        let blocks = features.blocks();
        let mut taken: Vec<bool> = (0..blocks.blocks.len()).map(|block| block > 0).collect();
        let mut simple = SimpleExtractors::default();
        follow_script(&mut simple, &page, blocks, features.headlines(), &mut taken);
        taken
    }

    #[test]
    fn each_script_has_its_rules() {
        let chinese =
            "渡轮，在船坞停留了十一个月之后，回来了，带着新的发动机，两艘救生艇，还有安静的座椅。";
        let english =
            "The ferry came back after eleven months in the yard, with a new engine, and seats.";
        assert_eq!(followed("渡轮回来了", chinese), [false, true, true, true, true, true]);
        assert_eq!(followed("The ferry is back", english), [true; 6]);
        for (headline, paragraph) in [
            (
                "フェリーが戻る",
                "フェリーは、十一か月ぶりに、造船所から戻ってきた、新しいエンジンと、二隻の救命艇を備えて。",
            ),
            ("เรือกลับมาแล้ว", "เรือเฟอร์รี่กลับมาแล้ว, หลังจากอยู่ในอู่สิบเอ็ดเดือน, พร้อมเครื่องยนต์ใหม่, และที่นั่งใหม่"),
            ("សាឡាងត្រឡប់មក", "សាឡាងបានត្រឡប់មកវិញ, បន្ទាប់ពីដប់មួយខែ, ជាមួយម៉ាស៊ីនថ្មី, និងកៅអីថ្មី"),
        ] {
            assert_eq!(followed(headline, paragraph), [true, false, true, true, true, false]);
        }
    }

    #[test]
    fn only_the_taken_blocks_count() {
        let html =
            "<p>フェリーが戻ってきた。<p>The ferry came back after eleven months in the yard.";
        assert_eq!(script_of(html, |block| block == 0), Script::Unspaced);
        assert_eq!(script_of(html, |block| block == 1), Script::Spaced);
        assert_eq!(script_of(html, |_| false), Script::Spaced);
    }

    #[test]
    fn most_of_a_mixed_text_decides() {
        let english = "The ferry came back after eleven months in the yard. ".repeat(4);
        let japanese = "フェリーが戻ってきた。".repeat(20);
        assert_eq!(script_of(&format!("{english}フェリー"), |_| true), Script::Spaced);
        assert_eq!(script_of(&format!("{japanese}{english}"), |_| true), Script::Unspaced);
    }
}
