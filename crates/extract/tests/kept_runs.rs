//! `Selection::kept_runs` gives the runs that the renderer writes.

use huller_extract::{EXTRACTORS, Profile, Renderer, Selection};
use huller_page::PageBuf;
use proptest::prelude::*;

proptest! {
    /// Each run's text is different from all others, so equal texts mean equal runs.
    #[test]
    fn kept_runs_are_what_the_renderer_writes(parts in prop::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<p>", "</p>", "<nav>", "</nav>", "<table><tr><td>", "</table>", "<a>", "</a>", "W", "W. ",
    ]), 0..60)) {
        let mut html = String::new();
        for (at, part) in parts.iter().enumerate() {
            html.push_str(&part.replace('W', &format!(" word{at} and more words, ")));
        }
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        for extractor in EXTRACTORS {
            for profile in [Profile::Paper, Profile::Tuned] {
                let mut selection = Selection::default();
                extractor.worker(profile).extract(&page, &mut selection);
                if selection.is_partial {
                    continue;
                }
                let mut text = String::new();
                Renderer::default().text(&page, &selection, &mut text);
                let mut kept = String::new();
                for run in selection.kept_runs(&page) {
                    kept.push_str(page.run_source(&page.runs()[run as usize]));
                }
                let squeeze = |text: &str| text.split_whitespace().collect::<String>();
                prop_assert_eq!(squeeze(&text), squeeze(&kept), "{}", extractor.name());
            }
        }
    }
}
