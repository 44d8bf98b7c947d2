//! All text of the page, in document order: the floor that every method must beat.
//!
//! `noscript` counts as text, since the posts of some forums stand only there. Frames, `noembed`, `noframes` and templates do
//! not: what they hold is markup for other readers. Cost: O(nodes). Known failure: everything that is not content.

use crate::extractor::{Citation, Extractor, Scratch, Verdict};
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::{Page, Tag};

pub(crate) const CITATION: Citation = Citation { paper: None, subject: "all text of the page" };

pub(crate) static BODY: Body = Body;

static REMOVAL: Tags = Tags::CORE.and(&[Tag::TEMPLATE, Tag::IFRAME, Tag::NOEMBED, Tag::NOFRAMES]);

pub(crate) struct Body;

impl Extractor for Body {
    fn extract(&self, page: &Page<'_>, _: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        select_body(page, out);
        Verdict::default()
    }
}

/// Adds the body to an empty selection; also what methods fall back to.
pub(crate) fn select_body(page: &Page<'_>, out: &mut Selection) {
    let nodes = page.nodes();
    let mut at = 0;
    while at < nodes.len() {
        let node = &nodes[at];
        if REMOVAL.contains(node.tag) {
            out.removed.push(at as u32);
            at = node.end as usize;
        } else {
            if node.tag == Tag::BODY && out.roots.is_empty() {
                out.roots.push(at as u32);
            }
            at += 1;
        }
    }
}
