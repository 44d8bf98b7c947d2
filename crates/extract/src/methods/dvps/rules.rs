//! When a segment is divided and when it is kept: Table 1 of paper 002 (specification 3.3).
//!
//! The first rule that applies decides. The order of the paper's table is no order of evaluation; this one is ours [C-5].
//!
//! | rule | when | then |
//! |---|---|---|
//! | R0 (VIPS) | one segment, nothing else | divide |
//! | R1 | an `hr` directly in it | divide |
//! | R2 | no segment, nothing but text and inline elements | keep, 9 |
//! | R5 | a table in a table | divide |
//! | R3 | no segment | keep, 6 to 8 by topic tags |
//! | R6 | fewer than 20 scalars | keep, 6 |
//! | R4 | not the body, no segment of 1 % of the page's area | keep, 7 |
//! | R3 | not the body, all segments' backgrounds known | equal: keep, 6 to 8; else divide |
//! |  | otherwise | divide |
//!
//! The thresholds of R4 and R6 and the degrees between 6 and 8 are not given in the paper [C-4]. R3 needs known backgrounds, since
//! with unknown ones, which are the rule, it would make the whole page one block [C-3].

use crate::layout::PAGE_WIDTH;
use crate::visual::View;
use crate::visual::segment::{
    Backgrounds, Content, Judgement, Rules, Subject, coherence_by_topics,
};

/// R6: shortest text that is worth a cut.
const SHORTEST: u32 = 20;
/// R4: share of the page's area.
const SMALLEST: f64 = 0.01;

/// The rules.
pub(super) struct Table1;

impl Rules for Table1 {
    fn judge(
        &self,
        view: View<'_>,
        subject: Subject,
        content: &Content,
    ) -> (Judgement, &'static str) {
        use Judgement::{Divide, Keep};
        let at = subject.node;
        let node = &view.page.nodes()[at as usize];
        if content.segments == 1 && !content.has_stretch {
            return (Divide, "R0");
        }
        if content.has_rule {
            return (Divide, "R1");
        }
        if content.segments == 0 && content.is_virtual_text {
            return (Keep(9), "R2");
        }
        if view.forest.has_nested_table(at) {
            return (Divide, "R5");
        }
        if content.segments == 0 {
            return (Keep(coherence_by_topics(content.topics)), "R3");
        }
        if view.sums.chars(node) < SHORTEST {
            return (Keep(6), "R6");
        }
        if at != view.body {
            let page_area = PAGE_WIDTH * view.layout.page_height().max(1.0);
            if content.largest_area < SMALLEST * page_area {
                return (Keep(7), "R4");
            }
            match content.backgrounds {
                Backgrounds::Same(_) => {
                    return (Keep(coherence_by_topics(view.forest.topics(at, node))), "R3");
                }
                Backgrounds::Different => return (Divide, "R3"),
                Backgrounds::None | Backgrounds::Unknown => {}
            }
        }
        (Divide, "default")
    }
}
