//! Counts the mistakes of a text, for the grades that paper 000 (docs/papers.md) gives by hand.
//!
//! The paper counts by eye. Here a token is *covered* if one of the shingles that hold it occurs in
//! the other text. Shingles have four tokens, or as many as the shorter text.
//!
//! * A *lost sentence* is a sentence of the gold with more uncovered than covered tokens. It ends
//!   at a line feed, at one of `。！？`, and at one of `.!?…` before white space.
//! * A *block of noise* is a stretch of lines of the text, each with more uncovered than covered
//!   tokens. A menu with an entry per line is one block. Lines without tokens are passed over.
//! * Up to two mistakes of both kinds together are good. A text that covers no token of the gold is
//!   poor, whatever its length.
//!
//! Cost: O(n log n), for looking up shingles in sorted lists.

use crate::evaluation::Mistakes;
use crate::overlap::Shingle;
use crate::tokens::{normalise, tokens};

/// Number of tokens in a shingle.
const SHINGLE_TOKENS: usize = 4;

/// One of the two texts: its tokens as numbers, its shingles in order, and the text itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: &'t [u32],
    /// [`shingles`](crate::overlap::shingles) of the tokens.
    pub(crate) shingles: &'t [Shingle],
}

/// Buffers for grading, reused from page to page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    covered: Vec<bool>,
}

impl Scratch {
    /// Counts the mistakes of a text.
    pub(crate) fn mistakes(&mut self, gold: Side<'_>, text: Side<'_>) -> Mistakes {
        self.mark_covered(gold, text);
        let are_empty = gold.tokens.is_empty() && text.tokens.is_empty();
        let nothing_found = !are_empty && !self.covered.contains(&true);
        let lost = self.uncovered_parts(cut_into_sentences(gold.text));
        let lost_sentences = lost.filter(|lost| *lost).count() as u32;
        self.mark_covered(text, gold);
        let mut noise_blocks = 0;
        let mut in_noise = false;
        for is_noise in self.uncovered_parts(text.text.lines()) {
            noise_blocks += u32::from(is_noise && !in_noise);
            in_noise = is_noise;
        }
        Mistakes { lost_sentences, noise_blocks, nothing_found }
    }

    /// Sets for each token of `side` whether a shingle that holds it occurs in `other`.
    fn mark_covered(&mut self, side: Side<'_>, other: Side<'_>) {
        let covered = &mut self.covered;
        covered.clear();
        covered.resize(side.tokens.len(), false);
        let width = SHINGLE_TOKENS.min(side.tokens.len()).min(other.tokens.len());
        if width == 0 {
            return;
        }
        // The end of the stretch that the shingles so far cover.
        let mut end = 0;
        for (start, window) in side.tokens.windows(width).enumerate() {
            let is_shared = match <Shingle>::try_from(window) {
                Ok(shingle) => other.shingles.binary_search(&shingle).is_ok(),
                Err(_) => other.tokens.windows(width).any(|other| other == window),
            };
            if is_shared {
                covered[start.max(end)..start + width].fill(true);
                end = start + width;
            }
        }
    }

    /// Returns for each part with tokens whether most of them are uncovered. The parts follow one
    /// another and hold all tokens.
    fn uncovered_parts<'p>(
        &self,
        parts: impl Iterator<Item = &'p str>,
    ) -> impl Iterator<Item = bool> {
        let mut rest = &self.covered[..];
        parts.filter_map(move |part| {
            // A part is normalised apart from its neighbours; where that gives more tokens than the
            // whole text has, the last parts have fewer.
            let count = tokens(&normalise(part)).count().min(rest.len());
            let (covered_part, later_tokens) = rest.split_at(count);
            rest = later_tokens;
            let uncovered = covered_part.iter().filter(|covered| !**covered).count();
            (count > 0).then_some(2 * uncovered > count)
        })
    }
}

/// Cuts a text into sentences.
fn cut_into_sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut char_before = ' ';
        line.split_inclusive(move |c: char| {
            let ends = matches!(c, '。' | '！' | '？')
                || c.is_whitespace() && matches!(char_before, '.' | '!' | '?' | '…');
            char_before = c;
            ends
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::{CostlyScores, Gold, Grade, Reference, Scorer};

    /// Returns lost sentences, noise blocks and the grade.
    fn graded(gold: &str, text: &str) -> (u32, u32, Grade) {
        let gold = Gold { text: Some(gold.to_owned()), ..Gold::default() };
        let reference = Reference::new(&gold);
        let score = reference.score(text, CostlyScores::default(), &mut Scorer::default());
        let mistakes = score.text.unwrap().mistakes;
        (mistakes.lost_sentences, mistakes.noise_blocks, mistakes.grade())
    }

    const GOLD: &str = "Late frost hit the vines last night. Growers lit fires, e.g. of straw, \
        between the rows.\nHalf of the buds are lost! Will more cold come by the end of May?\n\
        The growers hope for help from the state.";

    #[test]
    fn a_text_with_the_gold_is_excellent_whatever_its_lines_and_marks() {
        assert_eq!(graded(GOLD, GOLD), (0, 0, Grade::Excellent));
        assert_eq!(graded(GOLD, &GOLD.replace(['\n', ','], " ")), (0, 0, Grade::Excellent));
        assert_eq!(graded("", ""), (0, 0, Grade::Excellent));
        // One word of a sentence does not lose it.
        assert_eq!(graded(GOLD, &GOLD.replace("last", "this")), (0, 0, Grade::Excellent));
    }

    #[test]
    fn one_or_two_mistakes_are_good_and_more_are_poor() {
        let without = |from: &str, to: &str| GOLD.split(from).next().unwrap().to_owned() + to;
        // "of straw" belongs to the sentence around it, since no sentence ends at "e.g".
        assert_eq!(graded(GOLD, &without("The growers", "")), (1, 0, Grade::Good));
        assert_eq!(graded(GOLD, &without("Will more", "")), (2, 0, Grade::Good));
        assert_eq!(graded(GOLD, &without("Half of", "")), (3, 0, Grade::Poor));
        let menu = "Home\nAll our news\n\nWine and food\n";
        assert_eq!(graded(GOLD, &format!("{menu}{GOLD}")), (0, 1, Grade::Good));
        assert_eq!(graded(GOLD, &format!("{menu}{GOLD}\n{menu}")), (0, 2, Grade::Good));
        let cut = without("The growers", menu);
        assert_eq!(graded(GOLD, &cut), (1, 1, Grade::Good));
        let cut = format!("{menu}{}", without("Will more", menu));
        assert_eq!(graded(GOLD, &cut), (2, 2, Grade::Poor));
    }

    #[test]
    fn a_text_without_the_gold_is_poor_even_if_it_is_short() {
        assert_eq!(graded("Rain fell all day long.", ""), (1, 0, Grade::Poor));
        assert_eq!(graded("", "Home"), (0, 1, Grade::Poor));
        assert_eq!(graded("Rain fell.", "Snow came."), (1, 1, Grade::Poor));
        assert_eq!(graded("Rain fell.", "Rain fell."), (0, 0, Grade::Excellent));
        // Shingles are as short as the shorter text.
        assert_eq!(graded("Rain fell all day in the hills.", "fell all day"), (1, 0, Grade::Good));
    }

    #[test]
    fn chinese_sentences_end_without_white_space() {
        let gold = "图书馆周一搬家。地图展照常开放！欢迎大家来看？";
        assert_eq!(graded(gold, "图书馆周一搬家。欢迎大家来看？"), (1, 0, Grade::Good));
        assert_eq!(graded(gold, "图书馆周一搬家。\n下载客户端"), (2, 1, Grade::Poor));
    }
}
