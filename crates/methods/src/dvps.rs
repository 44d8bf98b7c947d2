//! `DIV_FOREST` and DVPS (paper 002 in docs/papers.md): cuts the page into visual blocks of `div` subtrees and weighs each block
//! by its place and its text; the block of the largest importance is the theme block.
//!
//! 1. `layout` estimates where elements lie. The paper renders pages; we do not.
//! 2. The body and every `div` with text are segments. Table 1 of the paper cuts them top-down (`dvps/rules.rs`).
//! 3. Function blocks (fewer than 200 scalars, at least two phrases of the thesaurus) are taken out (`dvps/functions.rs`), before
//!    they could be joined with a neighbour that says something.
//! 4. Neighbouring blocks with a light separator between them are joined (`visual/separators.rs`).
//! 5. Equations (5) and (9) give each block's importance (`visual/importance.rs`).
//!
//! `paper` selects the block of the largest importance. `tuned` selects all blocks with at least .8 of that importance, removes
//! the set TUNED and small forms, and keeps headers of articles (specification 0.6, `removal.rs`).
//!
//! What the paper leaves open, and what we chose (specification section 3): a rule instead of the paper's tag lists says what
//! counts as content [C-1]; stretches of content between child segments are blocks of their own [C-2]; the conditions and the
//! order of the rules [C-3..C-5]; the weights of separators [C-6]; (5) is taken as printed [C-7, C-8]; a page without text
//! selects nothing [C-9]; how (5) and (9) are combined [C-10]. The paper does not say what becomes of a function block; here it
//! is never selected.
//!
//! Cost: O(nodes + runs), besides that of `layout`. Known failures: pages whose article is cut into many `div`s (`tuned`
//! helps), pages without `div` (one block), comments that outweigh a short article.

mod functions;
mod rules;

use crate::removal::Removal;
use crate::visual;
use crate::visual::forest::Segments;
use crate::visual::segment::{Rules, VisualBlock};
use crate::visual::separators::Group;
use functions::Phrases;
pub use functions::{is_function_text, speaks_of_rights};
use huller_page::Tags;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Card, Citation, Method, Profiles, RunFigures, Selection, Verdict, no_content,
};

/// The method.
pub static METHOD: &dyn Method = &Profiles {
    card: Card {
        name: "dvps",
        summary: "visual blocks of div subtrees, without a browser; the block that weighs most by place, text and links",
        score: "importance of the block that weighs most, equations (5) and (9) of the paper; below 1 but for odd layouts",
        citation: Citation { paper: Some("002"), subject: "DIV_FOREST and DVPS" },
        source: "DIV_FOREST and DVPS ([paper 002](papers.md#002-div_forest-and-dvps))",
        selects: "elements or runs",
        cost: "O(n)",
        tuned: "forms, headers; all blocks of at least .8 of the largest importance",
        failures: "articles cut into many divs; pages without div",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: Dvps = Dvps {
    removal: Removal::of(no_content::CORE.and(&[Tag::NOSCRIPT, Tag::IFRAME, Tag::TEMPLATE])),
    chosen: 1.0,
};

const TUNED: Dvps = Dvps {
    removal: Removal::of(no_content::TUNED).but_article_headers().and_small_forms(),
    chosen: 0.8,
};

static SEGMENTS: Segments = Segments::of(Tags::NONE.and(&[Tag::DIV]));

/// What a worker keeps from page to page.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    visual: visual::Memory,
    phrases: Phrases,
}

#[derive(Clone)]
pub(crate) struct Dvps {
    removal: Removal,
    /// Share of the largest importance that a block needs to be selected, 0 to 1. With 1, only the first of the largest is.
    chosen: f64,
}

impl Dvps {
    /// Cuts the page and weighs its blocks. Returns lambda; `None` if the page has no block but function blocks.
    fn weigh(
        &self,
        page: &Page<'_>,
        memory: &mut Memory,
        rules: &impl Rules,
        removed: &mut Vec<u32>,
    ) -> Option<f64> {
        let Memory { visual, phrases } = memory;
        let is_functional =
            |block: &VisualBlock, removed: &[u32]| phrases.is_function_block(page, removed, block);
        visual.cut(page, &self.removal, &SEGMENTS, rules, removed, is_functional)
    }

    /// Decides which blocks are selected; `None` if there are none to select.
    fn choose(&self, memory: &Memory) -> Option<Choice> {
        Choice::of(&memory.visual.groups, self.chosen, |group| group.importance)
    }
}

impl Algorithm for Dvps {
    type Memory = Memory;

    fn extract(&self, page: &Page<'_>, memory: &mut Memory, out: &mut Selection) -> Verdict {
        out.clear();
        self.weigh(page, memory, &rules::Table1, &mut out.removed);
        let Some(choice) = self.choose(memory) else {
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        let is_chosen = |group: &Group| choice.holds(group, group.importance);
        memory.visual.select(page, is_chosen, out);
        Verdict { score: Some(choice.largest), ..Verdict::default() }
    }

    /// The importance of the visual block, and its rectangle. Function blocks have neither.
    fn figures(&self, _: &Page<'_>, memory: &Memory, out: &mut RunFigures) {
        memory.visual.figures(|group| group.importance, out);
    }
}

/// The decision which groups of a page are selected.
pub(crate) struct Choice {
    /// The largest value of a group.
    pub(crate) largest: f64,
    /// The value that a group needs; `None` if only the best group is selected.
    least: Option<f64>,
    best: Group,
}

impl Choice {
    /// Selects the groups whose value is at least `part` of the largest; with a `part` of 1, only the first group with the
    /// largest value. `None` if there is no group.
    pub(crate) fn of(groups: &[Group], part: f64, value: impl Fn(&Group) -> f64) -> Option<Choice> {
        let mut best: Option<(Group, f64)> = None;
        for group in groups {
            let value = value(group);
            if best.is_none_or(|(_, largest)| value > largest) {
                best = Some((*group, value));
            }
        }
        let (best, largest) = best?;
        let least = (part < 1.0).then(|| largest - (1.0 - part) * largest.abs());
        Some(Choice { largest, least, best })
    }

    /// Whether a group with this value is selected.
    pub(crate) fn holds(&self, group: &Group, value: f64) -> bool {
        self.least.map_or(group.blocks() == self.best.blocks(), |least| value >= least)
    }
}

#[cfg(test)]
pub(crate) mod inspect;
#[cfg(test)]
mod tests;
