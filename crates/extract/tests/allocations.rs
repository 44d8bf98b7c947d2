//! A worker that has seen some pages extracts them again without allocating, with every extractor.

use huller_extract::{
    EXTRACTORS, Extractor, ExtractorFactory, MarkdownOptions, Profile, Renderer, Selection,
};
use huller_page::PageBuf;
use huller_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// All the memory of a worker.
struct Worker {
    page: PageBuf,
    extractor: Box<dyn Extractor>,
    selection: Selection,
    renderer: Renderer,
    text: String,
}

impl Worker {
    fn new(extractor: &dyn ExtractorFactory, profile: Profile) -> Worker {
        Worker {
            page: PageBuf::new(),
            extractor: extractor.worker(profile),
            selection: Selection::default(),
            renderer: Renderer::default(),
            text: String::new(),
        }
    }

    /// Extracts all pages; returns the number of allocations.
    fn pass(&mut self, pages: &[String]) -> usize {
        let before = count();
        for html in pages {
            let page = self.page.fill(html);
            self.extractor.extract(&page, &mut self.selection);
            self.text.clear();
            self.renderer.text(&page, &self.selection, &mut self.text);
            self.text.clear();
            let (url, options) = (Some("https://a.test/b"), MarkdownOptions::default());
            self.renderer.markdown(&page, &self.selection, url, options, &mut self.text);
            self.text.clear();
            self.renderer.html(&page, &self.selection, url, &mut self.text);
        }
        count() - before
    }
}

/// Pages with an article, navigation, comments, lists, metadata, links and tables, and pages with
/// hardly any markup.
fn pages() -> Vec<String> {
    let link = "<li><a href='/x?a=1&amp;b=2' class='nav item'>Some place</a>";
    let paragraph = "<p>Rain fell, and the river rose &mdash; by <b>two</b> metres.<br>今天下雨，河水上涨。</p>";
    let form = "<ol start=3><li>a <i><b>b</b></i><li><img src=i.png alt='a &amp; b'></ol><pre class=language-c>x\n  y `</pre>\
                <blockquote><p>see <a href=../d><code>f(x)</code></a> $5<sup>2</sup></blockquote>\
                <table><caption>T<tr><th>a<th colspan=2>b<tr><td>1<br>2<td>3<td>4</table>";
    let ld = r#"<script type="application/ld+json">{"headline": "\u0052ain", "author": ["\u0041nn &amp; Bob"], "dateCreated": "Jan 5, 2010"}</script>"#;
    let byline = "<p class=author>By <a rel=author>Ann &amp; B&eacute;</a> on 5 May 2010</p><time datetime=soon></time>";
    let (stated, unstated) = (ld, "<meta name=description content='&lt; all &gt;'>");
    [(1, stated), (3, unstated), (40, stated)].map(|(n, ld)| {
        format!(
            "<title>Rain &amp; rivers - Daily</title><meta name=date content='no &lt; date'>{ld}<header><ul>{}</ul></header>\
             <div class=main><h1>Rain &amp; <i>rivers</i></h1>{byline}{}<table><tr><td>1<td>2</table></div>\
             <div>{}</div><form><label>Search<input></label></form>5月6日",
            link.repeat(n),
            format!("{paragraph}{form}").repeat(n),
            "<div><span>Ann</span> wrote: yes!</div>".repeat(n),
        )
    })
    .into_iter()
    .chain([String::new(), link.repeat(9), "only text".to_owned()])
    .collect()
}

#[test]
fn the_second_pass_allocates_nothing() {
    let pages = pages();
    for extractor in EXTRACTORS {
        let name = extractor.name();
        for profile in [Profile::Paper, Profile::Tuned] {
            let mut worker = Worker::new(*extractor, profile);
            let first = worker.pass(&pages);
            assert!(first > 0, "{name}: memory comes from somewhere");
            assert_eq!(worker.pass(&pages), 0, "{name} {}", profile.name());
        }
    }
}
