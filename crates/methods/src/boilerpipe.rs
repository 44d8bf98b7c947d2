//! The word-count rules of boilerpipe (`NumWordsRules`): a decision tree over the number of words
//! and the link density of a text block and its two neighbours.
//!
//! Christian Kohlschütter, Peter Fankhauser, Wolfgang Nejdl: *Boilerplate Detection using Shallow
//! Text Features*, 2010.
//!
//! ```text
//! d = words in links / words
//! content  <=>  d <= 1/3  and  (d(previous) <= 5/9 ?  words > 16 or count_words(next) > 15 or count_words(previous) > 4
//!                                                  :  words > 40 or count_words(next) > 17)
//! ```
//!
//! A block is the text between two tags of block elements. The first and the last block have an
//! empty block as their missing neighbour. Our choices:
//!
//! - A word is a maximal sequence without white space. Words are counted in each text run, so a
//!   word that is partly bold counts as two.
//! - Each CJK scalar is a word. A Chinese sentence thus counts about one and a half times as many
//!   words as its English translation.
//! - `br` does not end a block.
//!
//! `tuned` removes the set TUNED, `title`, `noembed`, `noframes` and small forms (specification
//! 0.6, `removal.rs`).
//!
//! Cost: O(n). Known failures: it loses content in short paragraphs (poems, dialogue, lists) and
//! keeps long notices.

use crate::removal::Removal;
use crate::sweep::blocks::{BlockItem, BlockWalk};
use huller_page::TagTable;
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class};
use huller_page::unspaced::is_cjk_or_full_width;
use huller_page::{Page, Run, RunFlags, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict, no_content,
};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "boilerpipe",
        summary: "selects blocks by their number of words, that of their neighbours, and their \
            fraction of linked words",
        score: "fraction of the page's words in the kept blocks, 0 to 1",
        citation: Citation { paper: None, subject: "boilerpipe's word-count rules" },
        source: "Kohlschütter, Fankhauser and Nejdl 2010, *Boilerplate Detection using Shallow Text Features*",
        selects: "runs",
        cost: "O(n)",
        tuned: "forms",
        failures: "short paragraphs: poems, dialogue, lists",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: WordRules = WordRules {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    cuts: TagTable::BLOCK,
};

const TUNED: WordRules = WordRules {
    removal: Removal::from_tags(no_content::TUNED.with(&[Tag::TITLE, Tag::NOEMBED, Tag::NOFRAMES]))
        .and_small_forms(),
    cuts: TagTable::BLOCK,
};

#[derive(Clone)]
pub(crate) struct WordRules {
    removal: Removal,
    cuts: TagTable,
}

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    walk: BlockWalk,
    blocks: Vec<TextBlock>,
    /// Indices of the kept runs.
    runs: Vec<u32>,
    decoded: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct TextBlock {
    /// Number of words.
    words: u32,
    /// Number of words in links.
    linked_words: u32,
    /// One more than the index of its last run in the list of kept runs.
    run_end: u32,
}

impl TextBlock {
    /// Returns whether the share of linked words is at most `numerator` / `denominator`.
    fn is_link_density_at_most(self, numerator: u32, denominator: u32) -> bool {
        u64::from(self.linked_words) * u64::from(denominator)
            <= u64::from(self.words) * u64::from(numerator)
    }
}

/// Applies the decision tree.
fn is_content(previous: TextBlock, block: TextBlock, next: TextBlock) -> bool {
    if !block.is_link_density_at_most(1, 3) {
        return false;
    }
    if previous.is_link_density_at_most(5, 9) {
        block.words > 16 || next.words > 15 || previous.words > 4
    } else {
        block.words > 40 || next.words > 17
    }
}

/// Returns the number of words in a run.
fn count_words(page: &Page<'_>, run: &Run, decoded: &mut String) -> u32 {
    let mut text = page.run_source(run);
    if text.is_ascii() && !run.flags.contains(RunFlags::REFERENCES) {
        return run.counts.gaps + 1;
    }
    if run.flags.contains(RunFlags::REFERENCES) {
        decoded.clear();
        entity::decode(text, Context::Text, decoded);
        text = decoded;
    }
    let mut words = 0;
    let mut in_word = false;
    for c in text.chars() {
        match char_class(c) {
            CharClass::White => in_word = false,
            CharClass::ZeroWidth => {}
            _ => {
                let is_own_word = is_cjk_or_full_width(c);
                words += u32::from(is_own_word || !in_word);
                in_word = !is_own_word;
            }
        }
    }
    words
}

impl WordRules {
    /// Fills in the blocks of a page.
    fn fill_blocks(&self, page: &Page<'_>, scratch: &mut Scratch, removed: &mut Vec<u32>) {
        let Scratch { walk, blocks, runs, decoded } = scratch;
        blocks.clear();
        runs.clear();
        let mut is_cut = true;
        walk.walk(page, &self.removal, &self.cuts, removed, |item, begins| {
            is_cut |= begins;
            let BlockItem::Run(index) = item else { return };
            let run = &page.runs()[index as usize];
            if std::mem::take(&mut is_cut) {
                blocks.push(TextBlock::default());
            }
            let Some(block) = blocks.last_mut() else { return };
            let words = count_words(page, run, decoded);
            block.words += words;
            if run.flags.contains(RunFlags::IN_LINK) {
                block.linked_words += words;
            }
            runs.push(index);
            block.run_end = runs.len() as u32;
        });
    }
}

impl Algorithm for WordRules {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        self.fill_blocks(page, scratch, &mut out.removed);
        let mut previous = TextBlock::default();
        let (mut content, mut total_words) = (0, 0);
        for (index, block) in scratch.blocks.iter().enumerate() {
            let next = scratch.blocks.get(index + 1).copied().unwrap_or_default();
            if is_content(previous, *block, next) {
                for run in &scratch.runs[previous.run_end as usize..block.run_end as usize] {
                    out.push_run(page, *run);
                }
                content += block.words;
            }
            total_words += block.words;
            previous = *block;
        }
        out.finish_ranges(page);
        let score = f64::from(content) / f64::from(total_words.max(1));
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
