//! A reader that has seen some pages reads their metadata again without allocating.

use huller_metadata::{Metadata, MetadataReader};
use huller_page::PageBuf;
use huller_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Pages with an article, navigation, comments, lists, metadata, links and tables, and pages with
/// hardly any markup.
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
    let (mut page, mut reader, mut metadata) =
        (PageBuf::new(), MetadataReader::default(), Metadata::default());
    let mut pass = || {
        let before = count();
        for html in &pages {
            reader.read(&page.fill(html), Some("https://x.test/a/b"), &mut metadata);
        }
        count() - before
    };
    assert!(pass() > 0, "the first pass needs memory");
    assert_eq!(pass(), 0);
}
