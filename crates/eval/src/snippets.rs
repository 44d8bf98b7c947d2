//! Snippets that a text must contain, and snippets that it must not contain.
//!
//! Snippet and text are both converted to NFKC and lower case, and every sequence of white space
//! becomes one space. Then the text either contains the snippet or not, as in trafilatura's
//! evaluation. White space is that of Python's `str.isspace`: Rust's, and the four separators
//! U+001C to U+001F.
//!
//! Cost: O(n) per snippet.

use crate::evaluation::SnippetCounts;
use crate::tokens::normalise;
use memchr::memmem;

/// The snippets of one page, prepared for searching.
#[derive(Clone, Debug, Default)]
pub struct Snippets {
    with: Vec<String>,
    without: Vec<String>,
}

impl Snippets {
    /// Prepares wanted (`with`) and unwanted (`without`) snippets.
    pub fn new(with: &[String], without: &[String]) -> Snippets {
        let ready = |snippets: &[String]| {
            snippets
                .iter()
                .map(|snippet| {
                    squeeze_white_space(&normalise(snippet)).trim_matches(' ').to_owned()
                })
                .collect()
        };
        Snippets { with: ready(with), without: ready(without) }
    }

    /// Returns as bits the wanted snippets that a normalised piece of text contains, and the
    /// snippets that contain the piece with more than half of their bytes. Snippets after the 64th
    /// are left out.
    pub(crate) fn contained_snippets(&self, normalised: &str) -> u64 {
        if self.with.is_empty() {
            return 0;
        }
        let text = squeeze_white_space(normalised);
        let text = text.trim_matches(' ');
        let holds = |snippet: &str| {
            !snippet.is_empty()
                && (text.contains(snippet)
                    || (2 * text.len() > snippet.len() && snippet.contains(text)))
        };
        let bits = self.with.iter().take(64).zip(0..).filter(|(snippet, _)| holds(snippet));
        bits.map(|(_, bit)| 1_u64 << bit).sum()
    }

    /// Counts the snippets found and not found in a normalised text.
    pub fn count(&self, normalised: &str) -> SnippetCounts {
        let text = squeeze_white_space(normalised);
        let count_found = |snippets: &[String]| {
            let is_in_text =
                |snippet: &&String| memmem::find(text.as_bytes(), snippet.as_bytes()).is_some();
            snippets.iter().filter(is_in_text).count() as u32
        };
        let (with, without) = (count_found(&self.with), count_found(&self.without));
        SnippetCounts {
            true_positives: with,
            false_negatives: self.with.len() as u32 - with,
            false_positives: without,
            true_negatives: self.without.len() as u32 - without,
        }
    }
}

/// Returns the text with every sequence of white space replaced by one space.
fn squeeze_white_space(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_space = false;
    for c in text.chars() {
        let space = c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}');
        if !space {
            out.push(c);
        } else if !in_space {
            out.push(' ');
        }
        in_space = space;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(with: &[&str], without: &[&str], text: &str) -> [u32; 4] {
        let [with, without] = [with, without]
            .map(|side| side.iter().map(|&snippet| snippet.to_owned()).collect::<Vec<_>>());
        let counts = Snippets::new(&with, &without).count(&normalise(text));
        [
            counts.true_positives,
            counts.false_negatives,
            counts.false_positives,
            counts.true_negatives,
        ]
    }

    #[test]
    fn case_width_and_space_do_not_matter() {
        let text = "The  Ferry\u{a0}returns\n\tafter eleven\u{1c}months. Ｎｅｗ";
        assert_eq!(
            count(&[" the ferry RETURNS ", "eleven months", "new"], &[], text),
            [3, 0, 0, 0]
        );
        assert_eq!(count(&["ferryreturns"], &["months.", "menu"], text), [0, 1, 1, 1]);
    }

    #[test]
    fn every_text_contains_the_empty_snippet_and_an_empty_text_no_other() {
        assert_eq!(count(&["", "a"], &[" ", "b"], ""), [1, 1, 1, 1]);
    }

    #[test]
    fn white_space_is_that_of_python() {
        for c in "\t\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{1f} \u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}".chars() {
            assert_eq!(squeeze_white_space(&format!("a{c}{c}b")), "a b", "{c:?}");
        }
        assert_eq!(squeeze_white_space("a\u{200b}b\u{180e}c"), "a\u{200b}b\u{180e}c");
    }
}
