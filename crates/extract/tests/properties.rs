//! What holds for every method on any page.

use huller_extract::{METHODS, Profile, Renderer, Scratch, Selection};
use huller_page::entity::{Context, decode};
use huller_page::{PageBuf, RunFlags};
use proptest::prelude::*;

/// Memory that has seen other pages.
#[derive(Default)]
struct Used {
    page: PageBuf,
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
}

impl Used {
    fn text(&mut self, html: &str, method: &huller_extract::Method, profile: Profile) -> String {
        let page = self.page.fill(html);
        let verdict =
            method.profile(profile).extract(&page, &mut self.scratch, &mut self.selection);
        assert!(verdict.score.is_none_or(f64::is_finite));
        let mut text = String::new();
        self.renderer.text(&page, &self.selection, &mut text);
        text
    }
}

/// The visible scalars of all runs, in order.
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

proptest! {
    #[test]
    fn text_is_a_clean_subsequence_of_the_page_whatever_came_before(first in html(), second in html()) {
        for method in METHODS {
            for profile in [Profile::Paper, Profile::Tuned] {
                let mut used = Used::default();
                used.text(&first, method, profile);
                let text = used.text(&second, method, profile);
                prop_assert_eq!(&text, &Used::default().text(&second, method, profile), "{}", method.name);
                prop_assert!(is_subsequence(&text, &page_text(&second)), "{}: {:?}", method.name, text);
                prop_assert_eq!(text.trim(), &text);
                prop_assert!(!text.contains("\n\n") && !text.contains("  "));
                prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
            }
        }
    }

    #[test]
    fn a_page_gives_its_text_again_after_another(first in html(), second in html()) {
        // One memory for all methods, as a worker has it.
        let mut used = Used::default();
        for profile in [Profile::Paper, Profile::Tuned] {
            let mut texts = |html: &str| {
                METHODS.iter().map(|method| used.text(html, method, profile)).collect::<Vec<_>>()
            };
            let before = texts(&first);
            texts(&second);
            prop_assert_eq!(texts(&first), before);
        }
    }
}
