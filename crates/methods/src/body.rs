//! All text of the page, in document order: the baseline that every extractor must beat.
//!
//! `noscript` counts as text, because some forums put their posts only there. The content of
//! `iframe`, `noembed`, `noframes` and `template` does not count: browsers do not show it. Profile
//! `tuned` leaves out more that no browser shows. That is text for browsers without `video` or
//! `audio`, a `datalist`, and the titles and descriptions of drawings. Cost: O(nodes). Known
//! failure: it keeps menus, footers and all other text that is not content.

use huller_page::TagTable;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict, no_content,
};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "body",
        summary: "all text of the page: the baseline for every extractor",
        score: "none",
        citation: Citation { paper: None, subject: "all text of the page" },
        source: "all text of the page",
        selects: "an element",
        cost: "O(n)",
        tuned: "without the texts of `video`, `audio`, `datalist` and of drawings' titles",
        failures: "everything that is not content",
    },
    paper: Body { removal: PAPER },
    tuned: Body { removal: TUNED },
};

const PAPER: TagTable =
    no_content::CORE.with(&[Tag::TEMPLATE, Tag::IFRAME, Tag::NOEMBED, Tag::NOFRAMES]);

const TUNED: TagTable = PAPER.with(&[Tag::VIDEO, Tag::AUDIO, Tag::DATALIST, Tag::TITLE, Tag::DESC]);

#[derive(Clone)]
struct Body {
    removal: TagTable,
}

impl Algorithm for Body {
    type Scratch = ();

    fn extract(&self, page: &Page<'_>, (): &mut (), out: &mut Selection) -> Verdict {
        out.clear();
        let nodes = page.nodes();
        let mut index = 0;
        while index < nodes.len() {
            let node = &nodes[index];
            if self.removal.contains(node.tag) {
                out.removed.push(index as u32);
                index = node.end as usize;
            } else {
                if node.tag == Tag::BODY && out.roots.is_empty() {
                    out.roots.push(index as u32);
                }
                index += 1;
            }
        }
        Verdict::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns the runs that the extractor keeps.
    fn kept(html: &str, removal: TagTable) -> String {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut selection = Selection::default();
        Body { removal }.extract(&page, &mut (), &mut selection);
        let nodes = page.nodes();
        let is_removed = |node: u32| {
            let within = |root: &u32| (*root..nodes[*root as usize].end).contains(&node);
            selection.removed.iter().any(within)
        };
        let runs = page.runs().iter().filter(|run| !is_removed(run.node));
        runs.map(|run| page.run_source(run).trim()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_no_browser_shows_is_left_out() {
        for hidden in [
            "<video src=v><p>No video here</p></video>",
            "<video><source src=v>No video here</video>",
            "<audio controls>No audio here</audio>",
            "<svg><title>Menu</title><path d=m /></svg>",
            "<svg><desc>Drawn with a pen</desc></svg>",
            "<svg><g><title>Close</title><desc>x</desc></g></svg>",
            "<input list=l><datalist id=l><option>Ann<option>Bo</datalist>",
            "<title>A second title</title>",
            "<template><p>x</template>",
            "<iframe>x</iframe>",
            "<noframes>x</noframes>",
        ] {
            let html = format!("<body><p>Rain</p>{hidden}<p>Snow</p>");
            assert_eq!(kept(&html, TUNED), "Rain|Snow", "{html}");
        }
        for shown in [
            "<svg><text>x</text></svg>",
            "<noscript><p>x</noscript>",
            "<canvas>x</canvas>",
            "<object>x</object>",
            "<select><option>x</select>",
            "<button>x</button>",
            "<details><p>x</details>",
            "<math><mi>x</math>",
        ] {
            let html = format!("<body><p>Rain</p>{shown}<p>Snow</p>");
            assert_eq!(kept(&html, TUNED), "Rain|x|Snow", "{html}");
        }
        let html = "<body><p>Rain<video>No video</video><svg><title>Menu</title></svg>";
        assert_eq!(kept(html, PAPER), "Rain|No video|Menu");
    }
}
