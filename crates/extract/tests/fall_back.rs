//! What is selected if an extractor finds nothing.

use huller_extract::{EXTRACTORS, ExtractorFactory, Profile, TextExtractor};

fn text(extractor: &dyn ExtractorFactory, profile: Profile, html: &str) -> String {
    let mut text = String::new();
    TextExtractor::new(extractor, profile).text(html, &mut text);
    text
}

#[test]
fn every_tuned_extractor_falls_back_to_all_text() {
    for extractor in EXTRACTORS {
        for html in ["<header>Only this</header>", "<p><a href=x>Only this</a></p>"] {
            let text = text(*extractor, Profile::Tuned, html);
            // hull has no fall-back: it may judge that the page has no content.
            assert!(
                text == "Only this" || extractor.name() == "hull",
                "{}: {text:?}",
                extractor.name()
            );
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
        let extractor = huller_extract::find(name).expect("it is in the list");
        assert_eq!(text(extractor, Profile::Paper, html), "", "{name}");
        assert_ne!(text(extractor, Profile::Tuned, html), "", "{name}");
    }
}

#[test]
fn an_extractor_with_a_model_of_the_user_falls_back_too() {
    let nb = huller_extract::find("nb").expect("it is in the list");
    let model = include_bytes!("../../methods/models/nb.json");
    let same = nb.with_model(model, Profile::Tuned).expect("nb has a model").expect("it is sound");
    assert_eq!(text(&*same, Profile::Tuned, "<header>Only this</header>"), "Only this");
    assert!(nb.with_model(b"no model", Profile::Tuned).is_some_and(|model| model.is_err()));
    let pvalue = huller_extract::find("pvalue").expect("it is in the list");
    assert!(pvalue.with_model(model, Profile::Tuned).is_none());
}
