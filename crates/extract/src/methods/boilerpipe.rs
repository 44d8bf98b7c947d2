//! The word-count rules of boilerpipe (Kohlschütter, Fankhauser and Nejdl 2010; `NumWordsRules`): a decision tree over
//! the words and the link density of a text block and its two neighbours.
//!
//! ```text
//! d = words in links / words
//! content  <=>  d <= 1/3  and  d(previous) <= 5/9 ?  words > 16 or words(next) > 15 or words(previous) > 4
//!                                                 :  words > 40 or words(next) > 17
//! ```
//!
//! A block is the text between two tags of block elements; before the first and behind the last one stands a block without
//! words. What we chose: words are maximal sequences without white space, counted in each run of text (so a word of which
//! a part is set bold counts as two), and a CJK scalar is a word of its own, so that a Chinese sentence counts about one and a
//! half times what its translation does; `br` cuts no block in `paper`.
//!
//! `tuned` removes the set TUNED of the specification (0.6). Beside that set it removes small forms (`removal.rs`).
//!
//! Cost: O(n). Known failures: content in short paragraphs (poems, dialogue, lists) is lost; long notices are kept.

use crate::blocks::{Blocks, Item};
use crate::chosen::settle;
use crate::extractor::{Citation, Extractor, Verdict};
use crate::lines::is_cjk;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class};
use huller_page::{Page, Run, RunFlags, Tag};

pub(crate) const CITATION: Citation =
    Citation { paper: None, subject: "boilerpipe's word-count rules" };

pub(crate) static PAPER: WordRules = WordRules {
    removal: Removal::of(Tags::CORE.and(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    cuts: Tags::BLOCK,
    fall_back: false,
};

pub(crate) static TUNED: WordRules = WordRules {
    removal: Removal::of(Tags::TUNED.and(&[Tag::TITLE, Tag::NOEMBED, Tag::NOFRAMES]))
        .and_small_forms(),
    cuts: Tags::BLOCK,
    fall_back: true,
};

pub(crate) struct WordRules {
    removal: Removal,
    cuts: Tags,
    /// Select what the P value selects where no block is content.
    fall_back: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    blocks: Vec<Block>,
    runs: Vec<u32>,
    decoded: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    words: u32,
    linked_words: u32,
    /// Index after the last of its runs in the list of all that are kept.
    run_end: u32,
}

impl Block {
    /// Whether the share of words in links is at most `parts` of `whole`.
    fn is_link_density_at_most(self, parts: u32, whole: u32) -> bool {
        u64::from(self.linked_words) * u64::from(whole) <= u64::from(self.words) * u64::from(parts)
    }
}

/// The decision tree.
fn is_content(previous: Block, block: Block, next: Block) -> bool {
    if !block.is_link_density_at_most(1, 3) {
        return false;
    }
    if previous.is_link_density_at_most(5, 9) {
        block.words > 16 || next.words > 15 || previous.words > 4
    } else {
        block.words > 40 || next.words > 17
    }
}

/// Counts the words of a run.
fn words(page: &Page<'_>, run: &Run, decoded: &mut String) -> u32 {
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
                let is_own_word = is_cjk(c);
                words += u32::from(is_own_word || !in_word);
                in_word = !is_own_word;
            }
        }
    }
    words
}

impl WordRules {
    /// Makes the blocks of a page.
    fn sweep(
        &self,
        page: &Page<'_>,
        memory: &mut Blocks,
        scratch: &mut Scratch,
        removed: &mut Vec<u32>,
    ) {
        let Scratch { blocks, runs, decoded } = scratch;
        blocks.clear();
        runs.clear();
        let mut is_cut = true;
        memory.walk(page, &self.removal, &self.cuts, removed, |item, begins| {
            is_cut |= begins;
            let Item::Run(index) = item else { return };
            let run = &page.runs()[index as usize];
            if std::mem::take(&mut is_cut) {
                blocks.push(Block::default());
            }
            let Some(block) = blocks.last_mut() else { return };
            let words = words(page, run, decoded);
            block.words += words;
            if run.flags.contains(RunFlags::IN_LINK) {
                block.linked_words += words;
            }
            runs.push(index);
            block.run_end = runs.len() as u32;
        });
    }
}

impl Extractor for WordRules {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let own = &mut scratch.boilerpipe;
        self.sweep(page, &mut scratch.blocks, own, &mut out.removed);
        let mut previous = Block::default();
        let (mut content, mut all) = (0, 0);
        for (index, block) in own.blocks.iter().enumerate() {
            let next = own.blocks.get(index + 1).copied().unwrap_or_default();
            if is_content(previous, *block, next) {
                for run in &own.runs[previous.run_end as usize..block.run_end as usize] {
                    out.push_run(page, *run);
                }
                content += block.words;
            }
            all += block.words;
            previous = *block;
        }
        settle(page, self.fall_back, scratch, out);
        let score = f64::from(content) / f64::from(all.max(1));
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
