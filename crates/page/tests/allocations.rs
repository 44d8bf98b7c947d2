//! A page buffer that has seen pages like these reads them again without allocating.

use huller_page::PageBuf;
use huller_testkit::allocations::{CountingAllocator, count};
use std::fmt::Write;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn the_second_pass_over_the_pages_allocates_nothing() {
    let pages = pages();
    assert!(pages.len() >= 40, "{} pages", pages.len());
    let mut buffer = PageBuf::new();
    let (first, nodes) = pass(&mut buffer, &pages);
    assert!(
        first > 0 && nodes > 20_000,
        "the first pass allocates {first} times for {nodes} nodes"
    );
    assert_eq!(pass(&mut buffer, &pages), (0, nodes));
}

/// Allocations and nodes of one pass.
fn pass(buffer: &mut PageBuf, pages: &[String]) -> (usize, usize) {
    let before = count();
    let nodes = pages.iter().map(|page| buffer.fill(page).nodes().len()).sum();
    (count() - before, nodes)
}

/// Pages written by hand, and each of them many times over.
fn pages() -> Vec<String> {
    let table = "<table><tr><td>a<table><tbody><tr><th colspan=2>b</table>c</table>".to_owned();
    let mut deep = table.clone();
    for _ in 0..8 {
        deep = deep.replace("<td>a", &format!("<td>{table}"));
    }
    let mut many_attributes = "<div".to_owned();
    for i in 0..500 {
        write!(many_attributes, " a{i}='{i} &amp; {i}' CLASS=c{i}").expect("a text takes all");
    }
    let by_hand = [
        "<!doctype html><title>Rain</title><h1>Rain &amp; snow</h1><p>Roads&nbsp;shut.<p>Trains late.",
        "<html lang=zh><head><meta charset=utf-8><title>新闻</title></head><body><div id=main><p>雨下了一天，道路封闭。<p>“晚点”。</div>",
        "<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>d<dd>e<dt>f</dl><select><option>1<option>2</select>",
        "<script>var a = '<p>no</p>';</script><style>p{}</style><textarea>&lt;t&gt;</textarea><iframe><p></iframe><noscript>n</noscript>",
        "<svg viewBox='0 0 1 1'><g><text>t</text><![CDATA[c]]></g></svg><math><mi>x</mi></math><p>after",
        "&lt;&nbsp;&#8217;&#x4e2d;&CounterClockwiseContourIntegral;&notit;&bogus;&amp &copy2 <a href='?a=1&copy=2' title=\"&quot;\">q</a>",
        "<!-- a --><!--> <![CDATA[x]]><?php ?><!x></3></><p <a b=c <d>e</p></p></div>",
        "<my-tag><x-y z>u</x-y></my-tag><h1>é\u{200b}ü</h1> <b> <i> </b> </i>\u{3000}",
        "สวัสดีครับ <p>Добрый день.<p>こんにちは。<p>안녕하세요<p>\u{1f600}\u{1f468}\u{200d}\u{1f469}",
    ];
    let by_hand =
        by_hand.map(str::to_owned).into_iter().chain([table, deep, many_attributes + ">x</div>"]);
    by_hand
        .flat_map(|page| [1, 7, 60, 300].map(|n| page.repeat(n.min(400_000 / page.len()).max(1))))
        .collect()
}
