//! Maximum subsequence segmentation (Pasternack and Roth 2009, unsupervised form): the stretch of the page where words
//! outweigh tags most.
//!
//! The body is a sequence of tokens: start tags, end tags, words. With
//!
//! ```text
//! score(tag) = -3.25          score(word) = 1
//! ```
//!
//! the content is the contiguous stretch of tokens whose scores add up to most; of equal stretches the first. Kadane's
//! algorithm finds it: the sum begins anew where it falls below 0. Scores only fall at tags, so the stretch begins and
//! ends with whole runs. Sums are kept in quarters, so they are exact.
//!
//! Words are those of `words.rs`: in Chinese every character counts one. End tags that the source leaves out count, void
//! elements have none. The paper's other form, in which a token's score comes from a trained model, is not here.
//!
//! The `paper` profile removes scripts, styles, the head and `noscript`; `tuned` removes the set TUNED of the specification
//! (0.6) and falls back to the P value where there is no word.
//! Beside that set it removes small forms (`removal.rs`).
//!
//! Cost: two sweeps over nodes and runs, no memory.
//!
//! Known failures: comments that follow the article with little markup between are taken along; an article in two parts with
//! a list of links between loses one of them.

use crate::events::{Event, Events, around, body};
use crate::extractor::{Citation, Extractor, Scratch, Verdict};
use crate::methods::pvalue;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use crate::words;
use huller_page::{Page, Tag, TagSet};

pub(crate) const CITATION: Citation =
    Citation { paper: None, subject: "maximum subsequence segmentation" };

pub(crate) static PAPER: MaximumSubsequence =
    MaximumSubsequence { removal: Removal::of(Tags::CORE.and(&[Tag::NOSCRIPT])), fall_back: false };

pub(crate) static TUNED: MaximumSubsequence =
    MaximumSubsequence { removal: Removal::of(Tags::TUNED).and_small_forms(), fall_back: true };

/// Score of a word, in quarters.
const WORD: i64 = 4;
/// Score of a tag, in quarters.
const TAG: i64 = -13;

pub(crate) struct MaximumSubsequence {
    removal: Removal,
    /// Select by P value where there is no word.
    fall_back: bool,
}

/// A stretch of whole runs, and what its tokens add up to.
#[derive(Clone, Copy)]
struct Best {
    score: i64,
    first: u32,
    last: u32,
}

impl MaximumSubsequence {
    fn best(&self, page: &Page<'_>) -> Option<Best> {
        let mut best: Option<Best> = None;
        let mut score = 0;
        // First run since the sum began.
        let mut first = None;
        for event in Events::new(page, body(page), &self.removal) {
            match event {
                Event::Run(index) => {
                    let run = &page.runs()[index as usize];
                    score += i64::from(words::count(page, run)) * WORD;
                    let first = *first.get_or_insert(index);
                    if best.is_none_or(|best| score > best.score) {
                        best = Some(Best { score, first, last: index });
                    }
                    continue;
                }
                Event::Close(index) if page.nodes()[index as usize].is(TagSet::VOID) => continue,
                Event::Removed(_) => continue,
                Event::Open(_) | Event::Close(_) => score += TAG,
            }
            if score < 0 {
                score = 0;
                first = None;
            }
        }
        best
    }
}

impl Extractor for MaximumSubsequence {
    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Some(Best { score, first, last }) = self.best(page) else {
            if self.fall_back {
                pvalue::TUNED.extract(page, scratch, out);
            }
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        let root = around(page, first, last);
        out.roots.push(root);
        out.is_partial = true;
        for event in Events::new(page, root, &self.removal) {
            match event {
                Event::Run(run) if (first..=last).contains(&run) => out.push_run(page, run),
                // Its borders would break lines else.
                Event::Removed(node) => out.removed.push(node),
                Event::Run(_) | Event::Open(_) | Event::Close(_) => {}
            }
        }
        Verdict { score: Some(score as f64 / WORD as f64), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Renderer;
    use huller_page::PageBuf;

    fn text(html: &str) -> String {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut selection = Selection::default();
        PAPER.extract(&page, &mut Scratch::default(), &mut selection);
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        text
    }

    #[test]
    fn short_gaps_are_bridged_and_long_ones_are_not() {
        let (five, nine) = ("a b c d e", "a b c d e f g h i");
        assert_eq!(text(&format!("<p>{nine}</p><p>{nine}</p>")), format!("{nine}\n{nine}"));
        // Two tags cost more than five words give.
        assert_eq!(text(&format!("<p>{five}</p><p>{nine}</p>")), nine);
        let menu = "<ul><li>x<li>y</ul>".repeat(3);
        assert_eq!(text(&format!("<p>{nine}</p>{menu}<p>{nine} j</p>")), format!("{nine} j"));
    }

    #[test]
    fn what_is_removed_within_costs_nothing_and_stays_out() {
        let script = "<noscript><b><i>x</i></b></noscript>".repeat(9);
        assert_eq!(text(&format!("<p>a b c {script}d e f</p>")), "a b c d e f");
    }

    #[test]
    fn what_is_removed_within_breaks_no_line() {
        assert_eq!(text("<div>a b c d e <noscript><p>x</p></noscript> f g</div>"), "a b c d e f g");
    }

    #[test]
    fn of_equal_stretches_the_first_wins() {
        assert_eq!(text("<div>a b c</div><p></p><div>d e f</div>"), "a b c");
    }
}
