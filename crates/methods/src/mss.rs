//! Maximum subsequence segmentation (unsupervised form): selects the stretch of the page where
//! words outweigh tags most.
//!
//! Jeff Pasternack, Dan Roth: *Extracting Article Text from the Web with Maximum Subsequence
//! Segmentation*, 2009.
//!
//! The body is a sequence of tokens: start tags, end tags, words. With
//!
//! ```text
//! score(tag) = -3.25          score(word) = 1
//! ```
//!
//! the content is the contiguous stretch of tokens with the largest sum of scores; of equal
//! stretches, the first. Kadane's algorithm finds it: whenever the sum falls below 0, it restarts
//! there. Only tags lower the sum, so the stretch begins and ends with whole runs. Sums are kept in
//! quarters, so they are exact.
//!
//! Words are those of `words.rs`: each Chinese character is a word. An end tag that the source
//! omits is a token; void elements have no end tag. The paper's other forms, in which a trained
//! model gives the scores, are not implemented.
//!
//! The `paper` profile removes scripts, styles, the head and `noscript`. The `tuned` profile
//! removes the set TUNED and small forms (specification 0.6, `removal.rs`).
//!
//! Cost: two sweeps over nodes and runs; no memory.
//!
//! Known failures: it also selects comments that follow the article with little markup between. If
//! a list of links divides an article into two parts, it loses one part.

use crate::removal::Removal;
use crate::sweep::events::{Event, Events};
use crate::sweep::run_words;
use huller_page::{Page, Tag, TagSet};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict,
    element_around, no_content,
};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "mss",
        summary: "selects the part of the page with the largest excess of words over tags",
        score: "words of the part minus 3.25 for each of its tags; 0 if it has no words",
        citation: Citation { paper: None, subject: "maximum subsequence segmentation" },
        source: "Pasternack and Roth 2009, *… Maximum Subsequence Segmentation*",
        selects: "runs",
        cost: "O(t)",
        tuned: "forms",
        failures: "comments after the article are included",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: MaximumSubsequence =
    MaximumSubsequence { removal: Removal::from_tags(no_content::CORE.with(&[Tag::NOSCRIPT])) };

const TUNED: MaximumSubsequence =
    MaximumSubsequence { removal: Removal::from_tags(no_content::TUNED).and_small_forms() };

/// Score of a word, in quarters.
pub const WORD: i64 = 4;
/// Score of a tag, in quarters.
pub const TAG: i64 = -13;

#[derive(Clone)]
pub(crate) struct MaximumSubsequence {
    removal: Removal,
}

/// The best range of whole runs, and the sum of its tokens' scores in quarters.
#[derive(Clone, Copy)]
struct BestRange {
    /// Sum of the scores, in quarters.
    score: i64,
    /// Index of the first run.
    first: u32,
    /// Index of the last run.
    last: u32,
}

impl MaximumSubsequence {
    fn best_range(&self, page: &Page<'_>) -> Option<BestRange> {
        let mut best: Option<BestRange> = None;
        let mut score = 0;
        // The first run since the sum was last reset.
        let mut first = None;
        for event in Events::new(page, page.body(), &self.removal) {
            match event {
                Event::Run(index) => {
                    let run = &page.runs()[index as usize];
                    score += i64::from(run_words::count(page, run)) * WORD;
                    let first = *first.get_or_insert(index);
                    if best.is_none_or(|best| score > best.score) {
                        best = Some(BestRange { score, first, last: index });
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

impl Algorithm for MaximumSubsequence {
    type Scratch = ();

    fn extract(&self, page: &Page<'_>, (): &mut (), out: &mut Selection) -> Verdict {
        out.clear();
        let Some(BestRange { score, first, last }) = self.best_range(page) else {
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        let root = element_around(page, first, last);
        out.roots.push(root);
        out.is_partial = true;
        for event in Events::new(page, root, &self.removal) {
            match event {
                Event::Run(run) if (first..=last).contains(&run) => out.push_run(page, run),
                // Without this entry, the borders of the removed element would break lines in the
                // text.
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
    use huller_page::PageBuf;
    use huller_select::Renderer;

    fn text(html: &str) -> String {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut selection = Selection::default();
        PAPER.extract(&page, &mut (), &mut selection);
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        text
    }

    #[test]
    fn short_gaps_are_bridged_and_long_ones_are_not() {
        let (five, nine) = ("a b c d e", "a b c d e f g h i");
        assert_eq!(text(&format!("<p>{nine}</p><p>{nine}</p>")), format!("{nine}\n{nine}"));
        // Two tags lower the sum by more than five words raise it.
        assert_eq!(text(&format!("<p>{five}</p><p>{nine}</p>")), nine);
        let menu = "<ul><li>x<li>y</ul>".repeat(3);
        assert_eq!(text(&format!("<p>{nine}</p>{menu}<p>{nine} j</p>")), format!("{nine} j"));
    }

    #[test]
    fn a_removed_element_within_the_stretch_costs_nothing_and_is_left_out() {
        let script = "<noscript><b><i>x</i></b></noscript>".repeat(9);
        assert_eq!(text(&format!("<p>a b c {script}d e f</p>")), "a b c d e f");
    }

    #[test]
    fn a_removed_element_within_the_stretch_breaks_no_line() {
        assert_eq!(text("<div>a b c d e <noscript><p>x</p></noscript> f g</div>"), "a b c d e f g");
    }

    #[test]
    fn of_equal_stretches_the_first_wins() {
        assert_eq!(text("<div>a b c</div><p></p><div>d e f</div>"), "a b c");
    }
}
