//! Readability: paragraphs give points to their ancestors, and the element with the most points is
//! the article.
//!
//! A baseline, after the public descriptions of the reader views of browsers (specification section
//! 6). A paragraph of `n` scalars with `k` commas gives `1 + (k + 1) + min(3, n / 100)` points. Its
//! parent gets all of them, its grandparent half, and the next three ancestors a sixth, a ninth and
//! a twelfth. Each ancestor also has points for its tag and for words in its class and id. The sum
//! is multiplied by 1 less its share of linked text (`candidates.rs`).
//!
//! An ancestor replaces the best element if it is at least as good. Similar siblings join the
//! element, and boilerplate inside is removed (`furniture.rs`). If fewer than 500 scalars remain,
//! everything is repeated: first without dropping elements by their class, then without points for
//! classes, then without cleaning. If no round gives 500 scalars, the longest result is selected.
//!
//! Our choices where the description is open:
//!
//! - Lengths are scalars plus gaps, so that they add up.
//! - A `div` is a paragraph if it holds no block element.
//! - Embedded objects count neither for nor against an element, because an embedded film cannot be
//!   distinguished from an advertisement.
//! - A table holds data if it has a header, or is large, and holds no other table.
//! - The lists of words are ours (`words.rs`).
//!
//! The `tuned` profile removes the set TUNED and small forms, and keeps headers of articles
//! (specification 0.6, `removal.rs`). It treats the loose text of a `div` (text beside block
//! elements) as a paragraph.
//!
//! Cost: at most four rounds, each with two sweeps over the nodes for sums, one for points and two
//! for cleaning. Classes, ids and commas are read once.
//!
//! Known failures: an element whose class contains one of the words by chance. Articles of many
//! short pieces, such as lists and forum threads. In profile `paper`, loose text of a `div` gives
//! no points.

mod candidates;
mod element_counts;
mod furniture;
mod points;
mod rounds;
mod words;

pub use points::{MIN_PARAGRAPH_CHARS, SHARES, points};

use crate::removal::Removal;
use candidates::Candidates;
use element_counts::PageCounts;
use furniture::Surroundings;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict, no_content,
};
use rounds::{MIN_RESULT_LEN, ROUNDS};
use words::ClassWords;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "readability",
        summary: "selects the element around the paragraphs with most text and commas, adds \
            similar siblings, and removes boilerplate",
        score: "points of the best element: about one per comma and one per hundred characters",
        citation: Citation { paper: None, subject: "Readability" },
        source: "reader views of browsers",
        selects: "elements",
        cost: "O(n)",
        tuned: "forms, headers; loose text of a div counts as a paragraph",
        failures: "lists, threads; text in elements whose class names look like boilerplate",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: Readability = Readability {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::TEMPLATE,
        Tag::IFRAME,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    loose_text: false,
};

const TUNED: Readability = Readability {
    removal: Removal::from_tags(no_content::TUNED.with(&[Tag::NOEMBED, Tag::NOFRAMES]))
        .but_article_headers()
        .and_small_forms(),
    loose_text: true,
};

#[derive(Clone)]
pub(crate) struct Readability {
    removal: Removal,
    /// Whether the loose text of a `div` (text beside block elements) gives points like a
    /// paragraph.
    loose_text: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    words: ClassWords,
    page_counts: PageCounts,
    candidates: Candidates,
    surroundings: Surroundings,
    /// The longest selection of the rounds so far.
    longest: Selection,
}

impl Algorithm for Readability {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let body = page.body();
        let Scratch { words, page_counts, candidates, surroundings, longest } = scratch;
        words.fill(page, body);
        page_counts.read_runs(page);
        let (mut max_chars, mut score) = (0, None);
        for round in ROUNDS {
            page_counts.keep(page, body, &self.removal, words, round.strip);
            page_counts.sum_counts(page, body);
            candidates.score(page, page_counts, self.loose_text, round.weigh.then_some(words));
            let top = candidates.choose(page, page_counts, body, &mut out.roots);
            let text = furniture::drop_furniture(
                page,
                page_counts,
                words,
                surroundings,
                round,
                &mut out.roots,
            );
            if text > max_chars {
                max_chars = text;
                score = top;
                page_counts.append_removed(page, body, &mut out.removed);
                longest.copy_from(out);
            }
            out.clear();
            if text >= MIN_RESULT_LEN {
                break;
            }
        }
        if max_chars > 0 {
            out.copy_from(longest);
        }
        longest.clear();
        debug_assert!(score.is_none_or(f64::is_finite));
        Verdict { score, ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
