//! Finds hidden blocks that repeat a shown one: code that a button copies, an answer for a script,
//! a text for print.
//!
//! The key of a text is the number and a hash of its visible scalars, without white space. The hash
//! of any element's text is a difference of sums over runs. All keys are computed at the first
//! hidden block with as many scalars as another block: O(text + nodes).

use crate::hidden_elements::is_hidden;
use crate::selection::RunRange;
use huller_page::entity::Scalars;
use huller_page::{AttributeName, Node, Page, RunFlags, TagSet};
use std::collections::HashSet;

/// Fewest visible scalars of a copy. The author may have repeated shorter text on purpose.
const MIN_COPY_CHARS: u32 = 8;

/// Factor of the hash. It is odd.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Classes that hide an element on all screens, in lower case.
const CLASSES: &[&str] = &["d-none", "hidden", "hide", "is-hidden", "sr-only", "visually-hidden"];

/// Number of slots for the lengths of blocks. Lengths that share a slot only cost time.
const SLOTS: usize = 1 << 12;

/// The keys of the texts of the shown blocks of one page.
#[derive(Debug, Default)]
pub(super) struct HiddenCopies {
    /// For each run, the number of scalars before it; then those of the page. Empty before the
    /// first hidden block.
    chars: Vec<u32>,
    /// Number of blocks, up to 255, by the remainder of their length.
    slots: Vec<u8>,
    /// Whether the keys were computed.
    is_known: bool,
    /// For each run, the hash and the number of the visible scalars before it; then those of the
    /// page.
    before: Vec<(u64, u32)>,
    /// The keys of the texts of shown blocks. A shown block around nothing but a hidden one is
    /// among them: such wrappers are dialogs and templates.
    shown: HashSet<(u64, u32)>,
}

/// Returns whether attributes hide a block.
#[inline]
pub(super) fn hides(page: &Page<'_>, node: &Node) -> bool {
    !page.attributes(node).is_empty() && (is_hidden(page, node) || is_hidden_by_class(page, node))
}

fn is_hidden_by_class(page: &Page<'_>, node: &Node) -> bool {
    let class = page.attribute(node, AttributeName::Class).unwrap_or_default();
    let mut words = class.split_ascii_whitespace();
    words.any(|word| CLASSES.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

impl HiddenCopies {
    /// Forgets the last page.
    pub(super) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 12;
        self.is_known = false;
        self.chars.clear();
        self.chars.shrink_to(MAX_KEPT_ENTRIES);
        self.before.clear();
        self.before.shrink_to(MAX_KEPT_ENTRIES);
        self.shown.clear();
        self.shown.shrink_to(MAX_KEPT_ENTRIES);
    }

    /// Returns whether a block repeats a shown one. The block is hidden, or is at least half of a
    /// hidden block. `whole` is the hidden block, `chosen` the ranges of the selection.
    pub(super) fn repeats_shown_block(
        &mut self,
        page: &Page<'_>,
        node: &Node,
        whole: &Node,
        chosen: Option<&[RunRange]>,
    ) -> bool {
        if node.run_start >= node.run_end {
            return false;
        }
        if self.chars.is_empty() {
            self.count(page);
        }
        if self.slots[self.slot(node)] <= u8::from(node.is(TagSet::BLOCK)) {
            return false;
        }
        if !std::mem::replace(&mut self.is_known, true) {
            self.read(page, chosen);
        }
        let (hash, count) = self.text(node);
        let is_most = 2 * u64::from(count) >= u64::from(self.text(whole).1);
        count >= MIN_COPY_CHARS && is_most && self.shown.contains(&(hash, count))
    }

    /// Notes the lengths of all blocks.
    fn count(&mut self, page: &Page<'_>) {
        let mut before = 0_u32;
        self.chars.push(0);
        for run in page.runs() {
            before += run.counts.chars;
            self.chars.push(before);
        }
        self.slots.clear();
        self.slots.resize(SLOTS, 0);
        let is_filled = |node: &&Node| node.is(TagSet::BLOCK) && node.run_start < node.run_end;
        for node in page.nodes().iter().filter(is_filled) {
            let slot = self.slot(node);
            self.slots[slot] = self.slots[slot].saturating_add(1);
        }
    }

    /// Returns the slot of an element's length.
    fn slot(&self, node: &Node) -> usize {
        (self.chars[node.run_end as usize] - self.chars[node.run_start as usize]) as usize % SLOTS
    }

    /// Computes the keys of all shown blocks.
    fn read(&mut self, page: &Page<'_>, chosen: Option<&[RunRange]>) {
        let (mut hash, mut count) = (0_u64, 0_u32);
        for run in page.runs() {
            self.before.push((hash, count));
            let source = page.run_source(run);
            let has_references = run.flags.contains(RunFlags::REFERENCES);
            let mut add = |scalar: u32| {
                hash = hash.wrapping_mul(FACTOR).wrapping_add(u64::from(scalar) + 1);
                count += 1;
            };
            if !has_references && source.is_ascii() {
                let is_shown = |byte: &u8| !matches!(byte, b'\t'..=b'\r' | b' ');
                source.bytes().filter(is_shown).for_each(|byte| add(u32::from(byte)));
                continue;
            }
            let scalars =
                if has_references { Scalars::decoded(source) } else { Scalars::verbatim(source) };
            let shown = scalars.map(|(c, _)| c).filter(|c| !c.is_whitespace());
            shown.for_each(|c| add(u32::from(c)));
        }
        self.before.push((hash, count));
        let mut hidden_end = 0;
        for (at, node) in (0_u32..).zip(page.nodes()) {
            if at < hidden_end || node.run_start >= node.run_end {
                continue;
            }
            if hides(page, node) {
                hidden_end = node.end;
                continue;
            }
            let is_chosen = chosen.is_none_or(|chosen| {
                let first = chosen.partition_point(|range| range.run < node.run_start);
                chosen.get(first).is_some_and(|range| range.run < node.run_end)
            });
            if is_chosen && node.is(TagSet::BLOCK) {
                let text = self.text(node);
                self.shown.insert(text);
            }
        }
    }

    /// Returns the hash and the number of the visible scalars of an element.
    fn text(&self, node: &Node) -> (u64, u32) {
        let (before, first) = self.before[node.run_start as usize];
        let (all, last) = self.before[node.run_end as usize];
        let count = last - first;
        (all.wrapping_sub(before.wrapping_mul(FACTOR.wrapping_pow(count))), count)
    }
}
