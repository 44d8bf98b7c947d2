//! The lists of blocks, on the bundled pages and on pages that are made to be odd.

use huller_extract::{
    Blocks, EXTRACTORS, PageFacts, Profile, Renderer, Role, Selection, TextStyle, find,
};
use huller_page::PageBuf;

/// A block, in memory of its own.
#[derive(Debug)]
struct OwnedBlock {
    role: Role,
    text: String,
    place: Option<std::ops::Range<usize>>,
    is_kept: bool,
    scores: Vec<Option<f32>>,
}

/// The text of the first extractor, and the blocks with what all of them found.
fn list(html: &str, extractors: &[&str], title: &str) -> (String, Vec<OwnedBlock>) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let (mut selection, mut text) = (Selection::default(), String::new());
    let mut renderer = Renderer::new(TextStyle::FORMED);
    renderer.note_places();
    let mut blocks = Blocks::default();
    for (at, name) in extractors.iter().enumerate() {
        let mut worker = find(name).expect("an extractor").worker(Profile::Tuned);
        worker.extract(&page, &mut selection);
        if at == 0 {
            renderer.text(&page, &selection, &mut text);
            blocks.begin(&page, renderer.places(), 0);
        }
        blocks.add(&page, &*worker, &selection);
    }
    blocks.finish(&page, &mut renderer);
    let facts = PageFacts { text: &text, title, author: "Ann Ray" };
    let listed = blocks.list(&page, facts).map(|block| OwnedBlock {
        role: block.role,
        text: block.text.to_owned(),
        place: block.place.clone(),
        is_kept: block.judgements().next().is_some_and(|first| first.is_kept),
        scores: block.judgements().map(|judgement| judgement.score).collect(),
    });
    let listed = listed.collect();
    (text, listed)
}

fn visible(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// What stands at a place that is told in scalars.
fn at(text: &str, place: &std::ops::Range<usize>) -> String {
    text.chars().skip(place.start).take(place.len()).collect()
}

#[test]
fn roles_places_and_scores() {
    let paragraph = "<p>The ferry came back after eleven months in the yard, with a new engine and seats that do not creak.</p>";
    let html = format!(
        "<body><nav><ul><li><a href=/>Home</a><li><a href=/w>Weather</a></ul></nav><main><h1>The ferry – is back</h1><p class=byline>By Ann Ray</p>\
         {}<pre>a\n  b</pre></main><div class=comments><p>We waved from the pier, all of us.</div>\
         <footer><p>© 2020 Island News. All rights reserved.</footer>",
        paragraph.repeat(5)
    );
    let (text, blocks) =
        list(&html, &["hull", "pvalue", "nb", "tsd", "dvps", "ceds"], "The ferry – is back");
    let role = |start: &str| {
        let block = blocks.iter().find(|block| block.text.starts_with(start)).unwrap();
        block.role.name()
    };
    assert_eq!(role("Home"), "navigation");
    assert_eq!(role("The ferry –"), "title");
    assert_eq!(role("By Ann"), "byline");
    assert_eq!(role("The ferry came"), "content");
    assert_eq!(role("We waved"), "comment");
    assert_eq!(role("©"), "copyright");
    let first = blocks.iter().find(|block| block.text.starts_with("The ferry came")).unwrap();
    assert!(first.is_kept && first.scores.iter().all(Option::is_some), "{first:?}");
    let code = blocks.iter().find(|block| block.text.starts_with('a')).unwrap();
    assert_eq!(code.text, "a\n  b");
    assert_eq!(at(&text, code.place.as_ref().unwrap()), "a\n  b", "places are scalars, not bytes");
}

#[test]
fn blocks_stand_where_they_say_and_all_text_belongs_to_one() {
    let mut kept = 0;
    for file in huller_testkit::sample::pages() {
        let Ok(html) = String::from_utf8(std::fs::read(&file).unwrap()) else { continue };
        let (text, blocks) = list(&html, &["hull"], "");
        let mut of_blocks = String::new();
        let mut before = 0;
        for OwnedBlock { text: own, place, is_kept, .. } in &blocks {
            assert!(!own.is_empty() && own.trim() == own, "{own:?}");
            let Some(place) = place else { continue };
            assert!(*is_kept && place.start >= before, "{place:?} {own}");
            before = place.end;
            let there = at(&text, place);
            assert_eq!(visible(&there), visible(own), "{}", file.display());
            of_blocks.push_str(&there);
            kept += 1;
        }
        assert_eq!(visible(&of_blocks), visible(&text), "{}", file.display());
    }
    assert!(kept > 500, "{kept}");
}

#[test]
fn every_extractor_can_be_listed_on_any_page() {
    let names: Vec<_> = EXTRACTORS.iter().map(|extractor| extractor.name()).collect();
    for html in
        ["", "x", "<p>", "<table>a<td>b<svg><title>c", "<select><option>d", "<a>e<a>f", "<math>g"]
    {
        let (_, blocks) = list(html, &names, "");
        assert!(blocks.iter().all(|block| block.scores.len() == names.len()), "{html}");
    }
}
