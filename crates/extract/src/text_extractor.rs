//! Converts HTML to text in one call.

use huller_page::PageBuf;
use huller_select::{
    Extractor, ExtractorFactory, Profile, Renderer, Selection, TextStyle, Verdict,
};

/// Parses pages, selects their content with one extractor, and writes it as text. Owns and reuses
/// its buffers; keep one for each thread.
///
/// ```
/// use huller_extract::{Profile, TextExtractor, find};
///
/// let html = "<div><a href=/>Home</a></div><div id=main><p>Rain fell all day.</p><p>Roads shut.</p></div>";
/// let mut extractor = TextExtractor::new(find("pvalue").unwrap(), Profile::Paper);
/// let mut text = String::new();
/// let verdict = extractor.text(html, &mut text);
/// assert_eq!(verdict.has_article, Some(true));
/// assert_eq!(text, "Rain fell all day.\nRoads shut.");
/// ```
pub struct TextExtractor {
    page: PageBuf,
    worker: Box<dyn Extractor>,
    selection: Selection,
    renderer: Renderer,
}

impl TextExtractor {
    /// Returns a text extractor that uses this extractor in this profile.
    pub fn new(extractor: &dyn ExtractorFactory, profile: Profile) -> TextExtractor {
        TextExtractor {
            page: PageBuf::new(),
            worker: extractor.worker(profile),
            selection: Selection::default(),
            renderer: Renderer::new(TextStyle::for_profile(profile)),
        }
    }

    /// Appends the text of a page to `out`, and returns the verdict on the page. `html` is source
    /// that is already decoded to UTF-8.
    pub fn text(&mut self, html: &str, out: &mut String) -> Verdict {
        let page = self.page.fill(html);
        let verdict = self.worker.extract(&page, &mut self.selection);
        let start = out.len();
        self.renderer.text(&page, &self.selection, out);
        verdict.with_selection(&page, &self.selection, &out[start..])
    }
}
