//! What is selected if a method finds nothing.

use huller_extract::{EXTRACTORS, ExtractorFactory, Profile, TextExtractor};

fn text(method: &dyn ExtractorFactory, profile: Profile, html: &str) -> String {
    let mut text = String::new();
    TextExtractor::new(method, profile).text(html, &mut text);
    text
}

#[test]
fn every_tuned_method_falls_back_to_all_text() {
    for method in EXTRACTORS {
        for html in ["<header>Only this</header>", "<p><a href=x>Only this</a></p>"] {
            let text = text(*method, Profile::Tuned, html);
            // hull has no fall-back: it may judge that the page has no content.
            assert!(text == "Only this" || method.name() == "hull", "{}: {text:?}", method.name());
        }
    }
}

#[test]
fn the_paper_profile_has_no_fall_back() {
    let links = "<div><a>Home</a> <button>News</button></div>";
    for (name, html) in [
        ("pvalue", "<p><a href=x>only links</a></p>"),
        ("cetd", links),
        ("boilerpipe", "<p>Short.</p>"),
        ("ccb", "<p>short</p>"),
        ("fe", "<p>text<img></p>"),
        ("tsd", "<div><p>!</p></div>"),
    ] {
        let method = huller_extract::find(name).expect("it is in the list");
        assert_eq!(text(method, Profile::Paper, html), "", "{name}");
        assert_ne!(text(method, Profile::Tuned, html), "", "{name}");
    }
}

#[test]
fn a_method_with_a_model_of_the_user_falls_back_too() {
    let nb = huller_extract::find("nb").expect("it is in the list");
    let model = include_bytes!("../../methods/models/nb.json");
    let same = nb.with_model(model, Profile::Tuned).expect("nb has a model").expect("it is sound");
    assert_eq!(text(&*same, Profile::Tuned, "<header>Only this</header>"), "Only this");
    assert!(nb.with_model(b"no model", Profile::Tuned).is_some_and(|model| model.is_err()));
    let pvalue = huller_extract::find("pvalue").expect("it is in the list");
    assert!(pvalue.with_model(model, Profile::Tuned).is_none());
}
