//! VIPS-like segmentation without rendering: cuts the page into visual blocks, and selects the
//! block of the largest semantic importance.
//!
//! Deng Cai, Shipeng Yu, Ji-Rong Wen, Wei-Ying Ma: *VIPS: a Vision-based Page Segmentation
//! Algorithm*, 2003.
//!
//! Layout estimate, separators and importance are those of `dvps` (paper 002). But every block
//! element is a segment, and the heuristic rules of VIPS cut the page. The original needs a
//! browser. Here fonts and colours are known only if the page itself declares them, so the results
//! say nothing about VIPS with a browser.
//!
//! | rule of VIPS | when | then |
//! |---|---|---|
//! | 1 | it has no text | not a block |
//! | 2 | it holds one segment and nothing else | divide |
//! | 4 | it holds no segment, only text and inline elements | keep: 10 if in one font size, else 9 |
//! | 6 | an `hr` directly in it | divide |
//! | 7 | the segments in it have a larger area in sum than itself | divide |
//! | 8 | its background differs from that of a segment in it, both known | divide |
//! | 8 | its background differs from that of the segment around it, both known | keep |
//! | 9 | text directly in it, and less than a tenth of the page's area | keep |
//! | 11 | the segment before it was kept | keep |
//! | 12 | otherwise | divide |
//!
//! The number after "keep" is the degree of coherence. A segment kept by rule 8, 9 or 11 has one by
//! its share of the page's area: 8 below .05, 7 below .15, 6 below .4, else 5. If it is at most the
//! permitted 5.5, the segment is divided after all. The paper gives neither thresholds nor an
//! order: the thresholds are ours, and the rules are tried in the order of their numbers.
//!
//! `paper` selects the block with the largest value of eq (9). `tuned` selects all blocks with at
//! least .8 of that value, and removes the set TUNED and small forms (specification 0.6,
//! `removal.rs`). Cost: O(nodes + runs), besides that of `layout`. Known failures: those of `dvps`;
//! articles with a heading between `div`s, because every block element is a segment.

use crate::dvps::GroupChoice;
use crate::layout::PAGE_WIDTH;
use crate::removal::Removal;
use crate::visual::forest::Segments;
use crate::visual::importance::Weights;
use crate::visual::segment::{JudgedSegment, SegmentContent, SegmentDecision, SegmentRules};
use crate::visual::separators::{BlockGroup, PERMITTED_COHERENCE, SeparatorSettings};
use crate::visual::{CutSettings, NoFunctions, PageView, Scratch};
use huller_page::TagTable;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, ExtractorFactory, Profiles, Rule, RunFigures,
    Selection, Verdict, no_content,
};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "vips",
        summary: "builds visual blocks by the rules of VIPS, without rendering; selects the most \
            important block by text and links",
        score: "semantic importance of the most important block, 0 to 1",
        citation: Citation { paper: None, subject: "VIPS without rendering (Cai 2003)" },
        source: "Cai, Yu, Wen and Ma 2003, *VIPS*",
        selects: "elements or runs",
        cost: "O(n)",
        tuned: "forms; all blocks of at least .8 of the largest importance",
        failures: "headings between divs; only fonts and colours declared in the page itself are \
            known",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: Vips = Vips {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
    ])),
    min_share_of_best: 1.0,
};

const TUNED: Vips = Vips {
    removal: Removal::from_tags(no_content::TUNED).and_small_forms(),
    min_share_of_best: 0.8,
};

/// All block elements except `hr`, which separates blocks, and except `html` and `body`, which
/// contain the whole page.
static SEGMENTS: Segments =
    Segments::from_tags(TagTable::BLOCK.without(&[Tag::HTML, Tag::BODY, Tag::HR]));

/// Rule 9: a segment with a smaller share of the page's area is small.
const SMALL_BELOW_SHARE: f64 = 0.1;

#[derive(Clone)]
pub(crate) struct Vips {
    removal: Removal,
    /// Share of the largest importance that a block needs to be selected, 0 to 1. With 1, only the
    /// first block with the largest importance is selected.
    min_share_of_best: f64,
}

impl Vips {
    fn cutting<'a, R>(&'a self, rules: &'a R) -> CutSettings<'a, R> {
        CutSettings {
            removal: &self.removal,
            segments: &SEGMENTS,
            rules,
            cut_tables: false,
            inner_rules: false,
            separating: SeparatorSettings::SPECIFIED,
            weights: Weights::SPECIFIED,
        }
    }
}

struct VipsRules;

impl SegmentRules for VipsRules {
    fn judge(
        &self,
        view: PageView<'_>,
        subject: JudgedSegment,
        content: &SegmentContent,
    ) -> (SegmentDecision, &'static str) {
        use SegmentDecision::{Divide, Keep};
        let node = subject.node;
        if content.segments == 1 && !content.has_loose_content {
            return (Divide, "2");
        }
        if content.segments == 0 && content.is_virtual_text && !content.has_rule {
            return (Keep(if is_in_one_font(view, node) { 10 } else { 9 }), "4");
        }
        if content.has_rule {
            return (Divide, "6");
        }
        let (layout, page_height) = (view.layout, view.layout.page_height());
        let area = layout.area(node);
        if content.total_area > area {
            return (Divide, "7");
        }
        let page_area = PAGE_WIDTH * page_height.max(1.0);
        let keep_by_size = |rule| {
            let coherence = coherence_by_area(area / page_area);
            if f64::from(coherence) > PERMITTED_COHERENCE {
                (Keep(coherence), rule)
            } else {
                (Divide, rule)
            }
        };
        if content.has_other_background {
            return (Divide, "8");
        }
        let background_above = subject.above.and_then(|above| layout.background(above));
        if let (Some(own_background), Some(background_above)) =
            (layout.background(node), background_above)
            && own_background != background_above
        {
            return keep_by_size("8");
        }
        if content.has_loose_content && area < SMALL_BELOW_SHARE * page_area {
            return keep_by_size("9");
        }
        if subject.follows_kept {
            return keep_by_size("11");
        }
        (Divide, "12")
    }
}

fn coherence_by_area(share: f64) -> u8 {
    match share {
        share if share < 0.05 => 8,
        share if share < 0.15 => 7,
        share if share < 0.4 => 6,
        _ => 5,
    }
}

/// Returns whether all text in a segment has one font size.
fn is_in_one_font(view: PageView<'_>, index: u32) -> bool {
    let runs = &view.page.runs()[view.page.nodes()[index as usize].runs()];
    let mut fonts = runs.iter().map(|run| view.layout.font(run.node)).filter(|font| *font > 0.0);
    let first_font = fonts.next();
    fonts.all(|font| Some(font) == first_font)
}

impl Algorithm for Vips {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        scratch.cut(page, &self.cutting(&VipsRules), &mut out.removed, &mut NoFunctions);
        let semantic = |group: &BlockGroup| group.semantic;
        let Some(choice) =
            GroupChoice::best_groups(&scratch.groups, self.min_share_of_best, semantic)
        else {
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        scratch.select(page, |_, group| choice.selects(group, group.semantic), out);
        Verdict { score: Some(choice.largest), ..Verdict::default() }
    }

    /// Gives each run the semantic importance and the rectangle of its visual block.
    fn figures(&self, _: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        scratch.figures(|group| group.semantic, out);
    }

    /// Lists the terms of the semantic importance.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        Derivations {
            equation: "Imp_y = w4 U / U_page + w5 (1 - L / U) + w6 (1 - tags / tags_page)   (9) of paper 002",
            rule: Rule::Sum,
            terms: scratch.derive(page, runs, &Weights::SPECIFIED, |_, _, _| {}),
        }
    }
}

#[cfg(test)]
mod tests;
