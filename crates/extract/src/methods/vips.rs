//! VIPS-like segmentation without rendering (Cai et al., 2003): the page is cut into visual blocks at every block element, and
//! the block of the largest semantic importance is the content.
//!
//! The same estimate, separators and importance as `dvps` (paper 002), but every block element is a segment and VIPS's own
//! heuristic rules cut. The original needs a browser; fonts and colours are known here only where the page itself
//! declares them, so figures of this method say nothing of VIPS with a browser.
//!
//! | rule of VIPS | when | then |
//! |---|---|---|
//! | 1 | no text | is no block |
//! | 2 | one segment, nothing else | divide |
//! | 4 | no segment, only text and inline elements | keep, 10 if in one font size, else 9 |
//! | 6 | an `hr` directly in it | divide |
//! | 7 | segments larger than it in sum | divide |
//! | 8 | its background differs from a segment's, both known | divide; keep that segment |
//! | 9 | text directly in it, less than a tenth of the page's area | keep |
//! | 11 | the segment before it was kept | keep |
//! | 12 | otherwise | divide |
//!
//! Kept by rules 8, 9 or 11 it has a degree of coherence by its share of the page's area: 8 below a twentieth, 7 below three
//! twentieths, 6 below two fifths, else 5. A segment that is no more coherent than permitted (5.5) is divided after all. The paper
//! gives no thresholds; these are ours, as is the order, which is that of the numbers.
//!
//! `paper` selects the block of the largest eq (9); `tuned` all of at least .8 of that, without the set TUNED of the
//! specification (0.6), and falls back to P value. Cost: O(nodes + runs) beyond the layout. Known failures: as `dvps`; articles
//! with a heading between `div`s, since every block element is a cut.
//! Beside that set it removes small forms (`removal.rs`).

use crate::extractor::{Citation, Extractor, Verdict};
use crate::layout::PAGE_WIDTH;
use crate::methods::dvps::Choice;
use crate::methods::pvalue;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use crate::visual::View;
use crate::visual::forest::Segments;
use crate::visual::segment::{Content, Judgement, Rules, Subject};
use crate::visual::separators::{Group, PERMITTED_COHERENCE};
use huller_page::{Page, Tag};

pub(crate) const CITATION: Citation =
    Citation { paper: None, subject: "VIPS without rendering (Cai 2003)" };

pub(crate) static PAPER: Vips = Vips {
    removal: Removal::of(Tags::CORE.and(&[Tag::NOSCRIPT, Tag::IFRAME, Tag::TEMPLATE])),
    chosen: 1.0,
    fall_back: false,
};

pub(crate) static TUNED: Vips =
    Vips { removal: Removal::of(Tags::TUNED).and_small_forms(), chosen: 0.8, fall_back: true };

/// All block elements but `hr`, which is a rule, and those that are the whole page.
static SEGMENTS: Segments = Segments::of(Tags::BLOCK.without(&[Tag::HTML, Tag::BODY, Tag::HR]));

/// Rule 9: share of the page's area.
const SMALL: f64 = 0.1;

pub(crate) struct Vips {
    removal: Removal,
    /// What part of the largest importance a block must have; 1 is the first of the largest alone.
    chosen: f64,
    /// Select what P value selects where nothing else would be selected.
    fall_back: bool,
}

struct Heuristics;

impl Rules for Heuristics {
    fn judge(
        &self,
        view: View<'_>,
        subject: Subject,
        content: &Content,
    ) -> (Judgement, &'static str) {
        use Judgement::{Divide, Keep};
        let at = subject.node;
        if content.segments == 1 && !content.has_stretch {
            return (Divide, "2");
        }
        if content.segments == 0 && content.is_virtual_text && !content.has_rule {
            return (Keep(if is_in_one_font(view, at) { 10 } else { 9 }), "4");
        }
        if content.has_rule {
            return (Divide, "6");
        }
        let (layout, page_height) = (view.layout, view.layout.page_height());
        let area = layout.area(at);
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
        let above = subject.above.and_then(|above| layout.background(above));
        if let (Some(own), Some(above)) = (layout.background(at), above)
            && own != above
        {
            return keep_by_size("8");
        }
        if content.has_stretch && area < SMALL * page_area {
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

/// Whether all text in a segment without segments has one font size.
fn is_in_one_font(view: View<'_>, at: u32) -> bool {
    let runs = &view.page.runs()[view.page.nodes()[at as usize].runs()];
    let mut fonts = runs.iter().map(|run| view.layout.font(run.node)).filter(|font| *font > 0.0);
    let first = fonts.next();
    fonts.all(|font| Some(font) == first)
}

impl Extractor for Vips {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let crate::Scratch { sums, visual, .. } = scratch;
        visual.cut(page, sums, &self.removal, &SEGMENTS, &Heuristics, &mut out.removed);
        let semantic = |group: &Group| group.semantic;
        let Some(choice) = Choice::of(&mut visual.groups, self.chosen, semantic, |_| false) else {
            if self.fall_back {
                pvalue::TUNED.extract(page, scratch, out);
            }
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        let is_chosen = |group: &Group| choice.holds(group, group.semantic);
        visual.select(page, is_chosen, out);
        Verdict { score: Some(choice.largest), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
