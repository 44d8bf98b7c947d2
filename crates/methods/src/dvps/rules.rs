//! Decides whether a segment is divided or kept: Table 1 of paper 002 (specification 3.3).
//!
//! The first rule that applies decides. The paper does not give the order of its rules; this order
//! is ours [C-5].
//!
//! | rule | when | then |
//! |---|---|---|
//! | R0 (VIPS) | it holds one segment and nothing else | divide |
//! | R1 | an `hr` in it (by a setting: directly in it) | divide |
//! | R2 | it holds no segment, only text and inline elements | keep, 9 |
//! | R5 | it holds a table in a table, or (a setting) a table whose cells differ in background or font; each cell becomes a segment | divide |
//! | R3 | it holds no segment | keep, 6 to 8 by its number of topic tags |
//! | R6 | it holds fewer than 20 scalars | keep, 6 |
//! | R4 | it is not the body, and each segment in it has less than 1 % of the page's area | keep, 7 |
//! | R3 | it is not the body, and the backgrounds of all segments in it are known | all equal: keep, 6 to 8; else divide |
//! |  | otherwise | divide |
//!
//! The number after "keep" is the degree of coherence. The paper does not give the thresholds of R4
//! and R6 and the degrees between 6 and 8 [C-4]. R3 applies only to known backgrounds. Most are
//! unknown; if unknown ones counted as equal, the whole page would be one block [C-3].

use crate::layout::PAGE_WIDTH;
use crate::visual::PageView;
use crate::visual::segment::{
    Backgrounds, JudgedSegment, SegmentContent, SegmentDecision, SegmentRules, coherence_by_topics,
};

/// R6: a segment with fewer scalars than this is kept.
const MIN_CHARS: u32 = 20;
/// R4: a segment is kept if each segment in it has a smaller share of the page's area than this.
const MIN_AREA_SHARE: f64 = 0.01;

/// The rules of Table 1.
pub(super) struct DvpsRules;

impl SegmentRules for DvpsRules {
    fn judge(
        &self,
        view: PageView<'_>,
        subject: JudgedSegment,
        content: &SegmentContent,
    ) -> (SegmentDecision, &'static str) {
        use SegmentDecision::{Divide, Keep};
        let node_index = subject.node;
        let node = &view.page.nodes()[node_index as usize];
        if content.segments == 1 && !content.has_loose_content {
            return (Divide, "R0");
        }
        if content.has_rule || view.forest.holds_rule(node_index, node) {
            return (Divide, "R1");
        }
        if content.segments == 0 && content.is_virtual_text {
            return (Keep(9), "R2");
        }
        if view.forest.has_nested_table(node_index)
            || view.forest.contains_split_table(node_index, node)
        {
            return (Divide, "R5");
        }
        if content.segments == 0 {
            return (Keep(coherence_by_topics(content.topics)), "R3");
        }
        if view.sums.chars(node) < MIN_CHARS {
            return (Keep(6), "R6");
        }
        if node_index != view.body {
            let page_area = PAGE_WIDTH * view.layout.page_height().max(1.0);
            if content.largest_area < MIN_AREA_SHARE * page_area {
                return (Keep(7), "R4");
            }
            match content.backgrounds {
                Backgrounds::Same(_) => {
                    return (Keep(coherence_by_topics(view.forest.topics(node_index, node))), "R3");
                }
                Backgrounds::Different => return (Divide, "R3"),
                Backgrounds::None | Backgrounds::Unknown => {}
            }
        }
        (Divide, "default")
    }
}
