//! A worker that has seen pages like these extracts them again without allocating: every method, the title and the date.

#[path = "../../page/tests/support/counting.rs"]
mod counting;

use counting::{CALLS, Counting};
use huller_extract::{METHODS, Metadata, MetadataReader, Profile, Renderer, Scratch, Selection};
use huller_page::PageBuf;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// All memory of a worker.
#[derive(Default)]
struct Worker {
    page: PageBuf,
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
    reader: MetadataReader,
    metadata: Metadata,
    text: String,
}

impl Worker {
    /// Allocations while all pages are gone through.
    fn pass(&mut self, pages: &[String], profile: Profile, method: usize) -> usize {
        let before = CALLS.get();
        for html in pages {
            let page = self.page.fill(html);
            let extractor = METHODS[method].profile(profile);
            extractor.extract(&page, &mut self.scratch, &mut self.selection);
            self.text.clear();
            self.renderer.text(&page, &self.selection, &mut self.text);
            self.reader.read(&page, Some("https://x.test/a/b"), &mut self.metadata);
        }
        CALLS.get() - before
    }
}

/// An article among navigation, comments and lists; what the page says of itself; text in links, in tables, in nothing.
fn pages() -> Vec<String> {
    let link = "<li><a href='/x?a=1&amp;b=2' class='nav item'>Some place</a>";
    let paragraph = "<p>Rain fell, and the river rose &mdash; by <b>two</b> metres.<br>今天下雨，河水上涨。</p>";
    let ld = r#"<script type="application/ld+json">{"headline": "\u0052ain", "author": ["\u0041nn &amp; Bob"], "dateCreated": "Jan 5, 2010"}</script>"#;
    let byline = "<p class=author>By <a rel=author>Ann &amp; B&eacute;</a> on 5 May 2010</p><time datetime=soon></time>";
    let (stated, unstated) = (ld, "<meta name=description content='&lt; all &gt;'>");
    [(1, stated), (3, unstated), (40, stated)].map(|(n, ld)| {
        format!(
            "<title>Rain &amp; rivers - Daily</title><meta name=date content='no &lt; date'>{ld}<header><ul>{}</ul></header>\
             <div class=main><h1>Rain &amp; <i>rivers</i></h1>{byline}{}<table><tr><td>1<td>2</table></div>\
             <div>{}</div><form><label>Search<input></label></form>5月6日",
            link.repeat(n),
            paragraph.repeat(n),
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
    for (method, name) in METHODS.iter().map(|method| method.name).enumerate() {
        for profile in [Profile::Paper, Profile::Tuned] {
            let mut worker = Worker::default();
            let first = worker.pass(&pages, profile, method);
            assert!(first > 0, "{name}: memory comes from somewhere");
            assert_eq!(worker.pass(&pages, profile, method), 0, "{name} {}", profile.name());
        }
    }
}
