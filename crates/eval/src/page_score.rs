//! Computes all scores of a text against the gold of its page.
//!
//! A [`Reference`] is created once per page: it normalises the gold, cuts it into tokens, and
//! numbers these. Then the tokens of each text get the gold's numbers. A token that the gold lacks
//! is [`ABSENT`] and matches no token, which changes no score.

use crate::evaluation::{PageScore, TextScores};
use crate::gold::Gold;
use crate::grade::{self, Side};
use crate::lcs::{ABSENT, Lcs};
use crate::levenshtein;
use crate::overlap::{Shingle, common, prf, share_of_both, shingles};
use crate::rouge::rouge_lsum;
use crate::snippets::Snippets;
use crate::tokens::{normalise, tokens};
use std::collections::HashMap;

/// Scores that cost more than all others together, so they are computed only on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostlyScores {
    /// ROUGE-LSum.
    pub rouge: bool,
    /// The Levenshtein ratio.
    pub levenshtein: bool,
}

/// Buffers for scoring, reused from page to page.
#[derive(Debug, Default)]
pub struct Scorer {
    lcs: Lcs,
    /// Numbers of the text's tokens.
    tokens: Vec<u32>,
    /// The same numbers in ascending order.
    sorted: Vec<u32>,
    shingles: Vec<Shingle>,
    grading: grade::Scratch,
}

/// The gold of one page, prepared for comparison with texts.
pub struct Reference<'g> {
    text: Option<TextReference<'g>>,
    snippets: Option<Snippets>,
}

struct TextReference<'g> {
    text: &'g str,
    ids: HashMap<String, u32>,
    /// Numbers of the gold text's tokens.
    tokens: Vec<u32>,
    /// The same numbers in ascending order.
    sorted: Vec<u32>,
    shingles: Vec<Shingle>,
}

impl<'g> Reference<'g> {
    /// Prepares the gold's text and snippets, if it has them.
    pub fn new(gold: &'g Gold) -> Reference<'g> {
        let snippets = (gold.with.is_some() || gold.without.is_some()).then(|| {
            let [with_snippets, without_snippets] =
                [&gold.with, &gold.without].map(|side| side.as_deref().unwrap_or(&[]));
            Snippets::new(with_snippets, without_snippets)
        });
        Reference { text: gold.text.as_deref().map(TextReference::new), snippets }
    }

    /// Computes the scores of a text.
    pub fn score(&self, text: &str, extra: CostlyScores, scorer: &mut Scorer) -> PageScore {
        let normalised = normalise(text);
        let text_scores =
            self.text.as_ref().map(|gold| gold.score(text, &normalised, extra, scorer));
        PageScore {
            text: text_scores,
            snippets: self.snippets.as_ref().map(|snippets| snippets.count(&normalised)),
        }
    }
}

impl<'g> TextReference<'g> {
    fn new(text: &'g str) -> TextReference<'g> {
        let mut ids = HashMap::new();
        let mut numbers = Vec::new();
        for token in tokens(&normalise(text)) {
            let id = ids.get(token).copied().unwrap_or_else(|| {
                let id = ids.len() as u32;
                ids.insert(token.to_owned(), id);
                id
            });
            numbers.push(id);
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let mut fours = Vec::new();
        shingles(&numbers, &mut fours);
        TextReference { text, ids, tokens: numbers, sorted, shingles: fours }
    }

    fn score(
        &self,
        text: &str,
        normalised: &str,
        extra: CostlyScores,
        scorer: &mut Scorer,
    ) -> TextScores {
        let Scorer { lcs, tokens: numbers, sorted, shingles: fours, grading } = scorer;
        numbers.clear();
        numbers
            .extend(tokens(normalised).map(|token| self.ids.get(token).copied().unwrap_or(ABSENT)));
        sorted.clone_from(numbers);
        sorted.sort_unstable();
        shingles(numbers, fours);
        let (of_text, of_gold) = (numbers.len(), self.tokens.len());
        let subsequence = lcs.length(&self.tokens, numbers, self.ids.len());
        TextScores {
            gold_tokens: of_gold as u32,
            text_tokens: of_text as u32,
            exact: *numbers == self.tokens,
            lcs: prf(subsequence, of_text, of_gold),
            cleaneval: share_of_both(subsequence, of_text, of_gold),
            mistakes: grading.mistakes(
                Side { text: self.text, tokens: &self.tokens, shingles: &self.shingles },
                Side { text, tokens: numbers, shingles: fours },
            ),
            shingles: prf(common(fours, &self.shingles), fours.len(), self.shingles.len()),
            bag: prf(common(sorted, &self.sorted), of_text, of_gold),
            rouge_lsum: if extra.rouge { rouge_lsum(self.text, text) } else { None },
            levenshtein: extra.levenshtein.then(|| levenshtein::ratio(self.text, text)),
        }
    }
}
