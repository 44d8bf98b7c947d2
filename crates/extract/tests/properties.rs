//! Properties of every extractor on any page.

use huller_extract::{
    EXTRACTORS, Extractor, LinkPage, Links, PageFacts, Profile, Renderer, Selection, find,
};
use huller_page::entity::{Context, decode};
use huller_page::{PageBuf, RunFlags};
use proptest::prelude::*;

/// One worker of each extractor.
struct UsedWorkers(Vec<Box<dyn Extractor>>);

impl UsedWorkers {
    fn new(profile: Profile) -> UsedWorkers {
        UsedWorkers(EXTRACTORS.iter().map(|extractor| extractor.worker(profile)).collect())
    }

    /// The texts of a page, in the order of the extractors.
    fn texts(&mut self, html: &str) -> Vec<String> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let (mut selection, mut renderer) = (Selection::default(), Renderer::default());
        let texts = self.0.iter_mut().map(|worker| {
            let verdict = worker.extract(&page, &mut selection);
            assert!(verdict.score.is_none_or(f64::is_finite));
            let mut text = String::new();
            renderer.text(&page, &selection, &mut text);
            text
        });
        texts.collect()
    }
}

/// The text of all runs, in order.
fn page_text(html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut text = String::new();
    for run in page.runs() {
        if run.flags.contains(RunFlags::REFERENCES) {
            decode(page.run_source(run), Context::Text, &mut text);
        } else {
            text.push_str(page.run_source(run));
        }
    }
    text
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().filter(|c| !c.is_whitespace()).all(|wanted| rest.any(|c| c == wanted))
}

fn html() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "p", "div", "a", "b", "br", "td", "tr", "table", "li", "ul", "nav", "form", "aside", "h1",
        "script", "span", "header", "footer", "article", "figure", "noscript", "svg", "textarea",
        "title", "select", "pre", "xmp",
    ]);
    let piece = prop_oneof![
        tag.clone().prop_map(|tag| format!("<{tag}>")),
        tag.clone().prop_map(|tag| format!("<{tag} class=\"x y\" href=z>")),
        tag.prop_map(|tag| format!("</{tag}>")),
        "[a-z ,.]{1,40}",
        "[a-zé中。\u{200b}\u{a0}\u{1}\t\n ]{1,20}",
        prop::sample::select(vec!["&amp;", "&nbsp;", "&#8217;", "<!-- c -->", "&", "<", "  \n "])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Lists the links of a page with the blocks that hull found, or with those of the list itself:
/// text, role, and whether the link is kept.
fn links(html: &str, with_segmentation: bool) -> Vec<(String, &'static str, bool)> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut links, mut renderer) = (Links::default(), Renderer::default());
    let mut selection = Selection::default();
    let mut hull = find("hull").expect("an extractor").worker(Profile::Tuned);
    hull.extract(&page, &mut selection);
    renderer.note_places();
    let segmentation = hull.segmentation().filter(|_| with_segmentation);
    assert_eq!(segmentation.is_some(), with_segmentation);
    let facts = PageFacts { title: "a title", author: "x", ..PageFacts::default() };
    let whole = LinkPage { page: &page, segmentation, selection: &selection, facts };
    let mut found = Vec::new();
    links.for_each_link(whole, &mut renderer, |link| {
        found.push((link.text.to_owned(), link.role.name(), link.is_kept));
    });
    found
}

proptest! {
    #[test]
    fn links_are_the_same_with_the_blocks_of_hull_and_with_own_blocks(html in html()) {
        let found = links(&html, true);
        prop_assert_eq!(&found, &links(&html, false));
        for (text, ..) in found {
            prop_assert!(is_subsequence(&text, &page_text(&html)), "{:?}", text);
        }
    }

    #[test]
    fn text_is_a_clean_subsequence_of_the_page_whatever_page_came_before(first in html(), second in html()) {
        for profile in [Profile::Paper, Profile::Tuned] {
            let mut used = UsedWorkers::new(profile);
            let before = used.texts(&first);
            let texts = used.texts(&second);
            prop_assert_eq!(&texts, &UsedWorkers::new(profile).texts(&second));
            for (extractor, text) in EXTRACTORS.iter().zip(&texts) {
                let name = extractor.name();
                prop_assert!(is_subsequence(text, &page_text(&second)), "{}: {:?}", name, text);
                prop_assert_eq!(text.trim(), text);
                prop_assert!(!text.contains("\n\n") && !text.contains("  "));
                prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
            }
            prop_assert_eq!(used.texts(&first), before);
        }
    }
}
