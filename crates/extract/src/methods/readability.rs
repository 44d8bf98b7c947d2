//! Readability: paragraphs give points to the elements around them; the element with the most is the article.
//!
//! A baseline, after what is publicly known of the reader views of browsers (specification section 6). A paragraph of `n` scalars
//! with `k` commas gives `1 + (k + 1) + min(3, n / 100)` points, all of them to its parent, half to its grandparent and
//! `1 / (3 * level)` of them to three more ancestors. To these come points for the ancestor's tag and for words in its
//! class and id; the sum is weighed down by its share of linked text ([`candidates`]). Then the best element is lifted to
//! an ancestor where that is no worse, siblings like it join, and what looks like furniture inside is cleaned away
//! ([`clean`]). If less than 500 scalars are left, all is done again: without dropping elements by their class, then
//! without weighing classes, then without cleaning. If nothing helps, the longest result stands.
//!
//! What the description leaves open, and what we chose: lengths are of scalars and gaps, as they add up; a `div` is a
//! paragraph if no block element lies below it; an `embed`ded film can't be told from an advertisement, so embedded objects
//! don't count for or against what holds them; a table is data if it has a header or is large and holds no
//! other table. The words are ours ([`words`]).
//!
//! The `tuned` profile removes the set TUNED of the specification (0.6) besides, takes text that stands in a `div` beside block
//! elements for a paragraph of it, and falls back to the P value where it would select nothing.
//! Beside that set it removes small forms and keeps headers of articles (`removal.rs`).
//!
//! Cost: at most four rounds, each of two sweeps over the nodes for sums, one for points and two for cleaning; classes, ids
//! and commas are looked at once.
//!
//! Known failures: text in an element that the words name by chance; articles of many short pieces, such as lists and
//! forum threads; text that stands in a `div` beside block elements gives no points.

mod candidates;
mod clean;
mod measures;
mod words;

use crate::extractor::{Citation, Extractor, Verdict};
use crate::methods::pvalue;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use candidates::Candidates;
use clean::Surroundings;
use huller_page::{Page, Tag};
use measures::Measures;
use words::Words;

pub(crate) const CITATION: Citation = Citation { paper: None, subject: "Readability" };

/// A result with less text than this is tried again.
const ENOUGH: u32 = 500;

pub(crate) static PAPER: Readability = Readability {
    removal: Removal::of(Tags::CORE.and(&[
        Tag::NOSCRIPT,
        Tag::TEMPLATE,
        Tag::IFRAME,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    loose_text: false,
    fall_back: false,
};

pub(crate) static TUNED: Readability = Readability {
    removal: Removal::of(Tags::TUNED.and(&[Tag::NOEMBED, Tag::NOFRAMES]))
        .but_article_headers()
        .and_small_forms(),
    loose_text: true,
    fall_back: true,
};

pub(crate) struct Readability {
    removal: Removal,
    /// Text that stands in a `div` beside block elements gives points as a paragraph does.
    loose_text: bool,
    /// Select something where nothing would be selected.
    fall_back: bool,
}

/// What one round does.
#[derive(Clone, Copy)]
struct Round {
    /// Drop elements whose class, id or role speaks against them.
    strip: bool,
    /// Let words in class and id count.
    weigh: bool,
    /// Remove what looks like furniture within the result.
    clean: bool,
}

const ROUNDS: [Round; 4] = [
    Round { strip: true, weigh: true, clean: true },
    Round { strip: false, weigh: true, clean: true },
    Round { strip: false, weigh: false, clean: true },
    Round { strip: false, weigh: false, clean: false },
];

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    words: Words,
    measures: Measures,
    candidates: Candidates,
    surroundings: Surroundings,
    /// What the longest round so far selected.
    longest: Selection,
}

impl Extractor for Readability {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let Some(body) = page.nodes().iter().position(|node| node.tag == Tag::BODY) else {
            return Verdict::default();
        };
        let body = body as u32;
        let Scratch { words, measures, candidates, surroundings, longest } =
            &mut scratch.readability;
        words.fill(page, body);
        measures.read_runs(page);
        let (mut most, mut score) = (0, None);
        for round in ROUNDS {
            measures.keep(page, body, &self.removal, words, round.strip);
            measures.add_up(page, body);
            candidates.score(page, measures, self.loose_text, round.weigh.then_some(words));
            let top = candidates.choose(page, measures, body, &mut out.roots);
            let text = clean::clean(page, measures, words, surroundings, round, &mut out.roots);
            if text > most {
                most = text;
                score = top;
                measures.removed(page, body, &mut out.removed);
                longest.copy_from(out);
            }
            out.clear();
            if text >= ENOUGH {
                break;
            }
        }
        if most > 0 {
            out.copy_from(longest);
        }
        longest.clear();
        if most == 0 && self.fall_back {
            pvalue::TUNED.extract(page, scratch, out);
        }
        debug_assert!(score.is_none_or(f64::is_finite));
        Verdict { score, ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
