//! All text of the page, in document order: the baseline that every extractor must beat.
//!
//! `noscript` counts as text, because some forums put their posts only there. The content of
//! `iframe`, `noembed`, `noframes` and `template` does not count: browsers do not show it. Cost:
//! O(nodes). Known failure: it keeps menus, footers and all other text that is not content.

use huller_page::Tags;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, Method, Profiles, Selection, Verdict, no_content,
};

/// The extractor.
pub static METHOD: &dyn Method = &Profiles {
    card: ExtractorCard {
        name: "body",
        summary: "all text of the page: the baseline for every extractor",
        score: "none",
        citation: Citation { paper: None, subject: "all text of the page" },
        source: "all text of the page",
        selects: "an element",
        cost: "O(n)",
        tuned: "the same",
        failures: "everything that is not content",
    },
    paper: Body,
    tuned: Body,
};

static REMOVAL: Tags =
    no_content::CORE.and(&[Tag::TEMPLATE, Tag::IFRAME, Tag::NOEMBED, Tag::NOFRAMES]);

#[derive(Clone)]
struct Body;

impl Algorithm for Body {
    type Scratch = ();

    fn extract(&self, page: &Page<'_>, (): &mut (), out: &mut Selection) -> Verdict {
        out.clear();
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
        Verdict::default()
    }
}
