//! Markdown and clean HTML.

use super::super::*;
use huller_page::PageBuf;

const URL: Option<&str> = Some("https://a.test/b/c");

/// Markdown of a page's body.
pub(in crate::render) fn markdown(html: &str) -> String {
    markdown_with(html, MarkdownOptions::default())
}

fn markdown_with(html: &str, options: MarkdownOptions) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let selection = Selection { roots: vec![page.body()], ..Selection::default() };
    let (mut renderer, mut out) = (Renderer::new(TextStyle::FORMED), String::new());
    renderer.text(&page, &selection, &mut out);
    out.clear();
    renderer.markdown(&page, &selection, URL, options, &mut out);
    out
}

/// Clean HTML of a page's body.
pub(in crate::render) fn clean(html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let selection = Selection { roots: vec![page.body()], ..Selection::default() };
    let (mut renderer, mut out) = (Renderer::new(TextStyle::FORMED), String::new());
    renderer.text(&page, &selection, &mut out);
    out.clear();
    renderer.html(&page, &selection, URL, &mut out);
    out
}

#[track_caller]
fn check(form: impl Fn(&str) -> String, cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(html, wanted)| (*html, *wanted, form(html)))
        .filter(|(_, wanted, found)| wanted != found)
        .collect();
    for (html, wanted, found) in &wrong {
        eprintln!("{html}\n--- wanted\n{wanted}\n--- found\n{found}\n");
    }
    assert!(wrong.is_empty());
}

#[test]
fn blocks_become_markdown() {
    check(
        markdown,
        &[
            (
                "<h2>Rain &amp; <b>wind</b></h2><p>It fell.<div>All day.",
                "## Rain & wind\n\nIt fell.\n\nAll day.",
            ),
            ("<p>a<br>b<br><br>c", "a  \nb\n\nc"),
            (
                "<ul><li>a<li>b<ol><li>c<li>d</ol><li>e</ul><p>f",
                "- a\n- b\n  1. c\n  2. d\n- e\n\nf",
            ),
            ("<ol start=9><li>a<li><p>b<p>c</ol>", "9. a\n10. b\n\n    c"),
            ("<ol reversed><li>a<li value=7>b</ol>", "2. a\n\n7) b"),
            ("<ol role=list><li>a<li>b</ol>", "- a\n- b"),
            ("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol>", "- a\n\n* b\n\n1. c"),
            ("<p>x<li>a<li>b", "x\n\n- a\n- b"),
            (
                "<blockquote>a<p>b<ul><li>c</ul></blockquote><blockquote>d",
                "> a\n>\n> b\n>\n> - c\n\n> d",
            ),
            ("<ul><li><blockquote>a</blockquote>b</ul>", "- > a\n\n  b"),
            ("<p>a<hr><p>b<hr>", "a\n\n---\n\nb"),
            ("<dl><dt>a<dd>b</dl>", "a\n\nb"),
            ("a<div>b</div>c", "a\n\nb\n\nc"),
        ],
    );
}

#[test]
fn code_keeps_its_spaces_and_its_backticks() {
    check(
        markdown,
        &[
            ("<pre>\n  a\n\n    b <i>c</i>\n</pre>", "```\n  a\n\n    b c\n```"),
            ("<pre><code class='language-rust'>fn x</code></pre>", "```rust\nfn x\n```"),
            (
                "<div class='highlight highlight-source-shell'><pre>ls</pre></div>",
                "```shell\nls\n```",
            ),
            ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
            ("<ol><li>x<pre>a\n\n b</pre></ol>", "1. x\n\n   ```\n   a\n\n    b\n   ```"),
            (
                "<p>see <code>a*b</code>, <code>`</code> and <tt>c``d</tt>.",
                "see `a*b`, `` ` `` and `c``d`.",
            ),
            (
                "<p><a href=x><code>f()</code></a> <code>g(<a href=y>h</a>)</code>",
                "[`f()`](https://a.test/b/x) `g(`[`h`](https://a.test/b/y)`)`",
            ),
            (
                "<div style='white-space: pre-wrap'>roses\n  violets\n\nend</div>",
                "roses  \nviolets\n\nend",
            ),
        ],
    );
}

#[test]
fn inline_elements_become_markdown() {
    check(
        markdown,
        &[
            ("a <b>b </b>c <i> d</i>", "a **b** c *d*"),
            ("<b>a</b><b>b</b>", "**ab**"),
            ("<b>a<p>b</p></b>c", "**a**\n\n**b**\n\nc"),
            ("<b>Note:</b>this", "Note:this"),
            ("<b>Note:</b> this", "**Note:** this"),
            ("<b><i>a</i></b> <s>b</s>", "***a*** ~~b~~"),
            ("x<i>y</i>z", "x*y*z"),
            (
                "<a href='d?a=(1)&b'>e <b>f</b></a>!<a href=#>g</a>",
                "[e **f**](https://a.test/b/d?a=(1)&b)!g",
            ),
            ("Look!<a href=x>y</a>", "Look\\![y](https://a.test/b/x)"),
            ("<a href='javascript:x'>y</a>", "y"),
            ("<a href='https://x.test/'>https://x.test/</a>", "<https://x.test/>"),
            (
                "<a href=x><h3>a</h3><p>b</p></a>",
                "### [a](https://a.test/b/x)\n\n[b](https://a.test/b/x)",
            ),
            (
                "<p>a <img src=x.png alt=' a [b] '> b<img src=data:x,y>",
                "a ![a \\[b\\]](https://a.test/b/x.png) b",
            ),
            (
                "<img src=blank.gif data-src=x.png><noscript><img src=x.png></noscript><img width=1 src=t.gif>",
                "![](https://a.test/b/x.png)",
            ),
            ("<img srcset='y.png 1x, z.png 2x' alt=w>", "![w](https://a.test/b/y.png)"),
            (
                "<p>a<button><span><img src=x alt=save></span></button> b <img src=y>",
                "a b ![](https://a.test/b/y)",
            ),
            ("10<sup>15</sup> H<sub>2</sub>O n<sup>x+y</sup>", "10¹⁵ H₂O n^x+y"),
            (
                "<p>a<p><a href=https://x.com/intent/post?u=y><img src=x.png></a> <button>Share</button><p>b",
                "a\n\nb",
            ),
            ("<math alttext='a_1*b'><mi>a</mi></math> is $5", "$a_1*b$ is \\$5"),
            ("x <math alttext='y' display=block></math> z", "x\n\n$$y$$\n\nz"),
            (
                "<pre><code><span class=line>a(</span><span class=line>  b)</span></code></pre>",
                "```\na(\n  b)\n```",
            ),
        ],
    );
    let bare = MarkdownOptions { links: false, images: false };
    assert_eq!(markdown_with("<p><a href=x>a</a> <img src=y> b", bare), "a b");
}

#[test]
fn tables_become_markdown() {
    check(
        markdown,
        &[
            (
                "<table><caption>T</caption><tr><th><b>a|b</b><th>c<tr><td><b>1</b><td><code>x|y</code></table>z",
                "T\n\n| a\\|b | c |\n|---|---|\n| **1** | `x\\|y` |\n\nz",
            ),
            (
                "<table><tr><td colspan=2>a<td>b<tr><td>c<td><td>d<td>e</table>",
                "| a |  | b |  |\n|---|---|---|---|\n| c |  | d | e |",
            ),
            (
                "<table><tr><td>menu<td><h1>Rain</h1><p>It fell.</table>",
                "menu\n\n# Rain\n\nIt fell.",
            ),
            (
                "<ul><li>x<table><tr><th>a<th>b<tr><td>1<td>2</table></ul>",
                "- x\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |",
            ),
        ],
    );
}

#[test]
fn text_is_escaped_where_it_would_be_markup() {
    let cases = [
        ("1. one", "1\\. one"),
        ("2020. one", "2020\\. one"),
        ("1.5 one - two # three", "1.5 one - two # three"),
        ("- a", "\\- a"),
        ("+1 -1 *", "+1 -1 \\*"),
        ("# a", "\\# a"),
        ("#tag", "#tag"),
        ("&gt; a > b", "\\> a > b"),
        ("a * b *c* snake_case _x_", "a * b \\*c\\* snake_case \\_x\\_"),
        ("[1] a[2] b [c](d)", "\\[1] a[2] b [c]\\(d)"),
        ("`a` C:\\Users \\* ", "\\`a\\` C:\\Users \\\\\\*"),
        ("&amp;amp; AT&amp;T & c", "\\&amp; AT&T & c"),
        ("1 &lt; 2 &lt;b&gt; &lt;3", "1 < 2 \\<b> <3"),
        ("~~a~~ ~5 km", "\\~\\~a\\~\\~ ~5 km"),
        ("$5 and $10 or 5$", "$5 and $10 or 5\\$"),
        ("($5) to ($6)", "($5) to (\\$6)"),
        ("---", "\\---"),
        ("a<br>===<br>---", "a  \n\\===  \n\\---"),
        ("<h2>1. C #</h2>", "## 1. C \\#"),
        ("a | b", "a | b"),
        ("<b>1</b>. a", "**1**. a"),
        ("<span>1</span>. a", "1\\. a"),
        ("<b>1. (</b>a", "1\\. (a"),
        ("a *<i>b</i>", "a \\**b*"),
        ("&amp;l<i></i>t; &amp;<i></i>lt;", "&lt\\; &lt\\;"),
    ];
    check(markdown, &cases);
}

#[test]
fn a_sign_that_is_taken_out_leaves_links_and_guards_text() {
    check(
        markdown,
        &[
            // The end of the bold link would end nothing, with a word right after it.
            (
                "<p><b><a href=/x><img src=/i.png alt=i></a></b>Rain",
                "[![i](https://a.test/i.png)](https://a.test/x)Rain",
            ),
            ("<p><b>[x]: y.</b>Rain", "\\[x]: y.Rain"),
            ("<p><b>- x.</b>Rain", "\\- x.Rain"),
        ],
    );
}

#[test]
fn html_is_clean() {
    check(
        clean,
        &[
            (
                "<article class=x onclick=y()><h2>Rain &amp; wind</h2><div><div>It <b>fell</b>.<p>All day.</div></div></article>",
                "<h2>Rain &amp; wind</h2>\n<div>It <b>fell</b>.</div>\n<p>All day.</p>",
            ),
            (
                "<ul><li>a<li><p>b</ul><dl><dt>c<dd>d</dl>",
                "<ul>\n<li>a</li>\n<li>\n<p>b</p></li></ul>\n<dl>\n<dt>c</dt>\n<dd>d</dd></dl>",
            ),
            (
                "<ol start=3 type=a onclick=x><li>a<li><img><li>c<li value=9>d</ol>",
                "<ol start=\"3\" type=\"a\">\n<li>a</li>\n<li value=\"5\">c</li>\n<li value=\"9\">d</li></ol>",
            ),
            (
                "<ol reversed><li>a<li>b</ol><ol class=breadcrumb><li>c</ol>",
                "<ol start=\"2\" reversed=\"\">\n<li>a</li>\n<li>b</li></ol>\n<ol role=\"list\" style=\"list-style: none\">\n<li>c</li></ol>",
            ),
            (
                "<a href=x><p>a</p></a><script>b</script><a href=javascript:c>d</a>",
                "<p><a href=\"https://a.test/b/x\">a</a></p>\n<div>d</div>",
            ),
            (
                "<table><tr><th colspan=2 onclick=x>a<th>b<tr><td><td>c</table>",
                "<table>\n<tr><th colspan=\"2\">a</th><th>b</th></tr>\n<tr><td></td><td>c</td></tr></table>",
            ),
            (
                "<pre><code class=language-c>a\n &lt;b</code></pre>",
                "<pre class=\"language-c\"><code>a\n &lt;b</code></pre>",
            ),
            ("a<br><br>b<hr>c", "<div>a<br><br>b</div>\n<hr>\n<div>c</div>"),
            (
                "<p>x<sup>2</sup> <img src=i.png alt='\"'>",
                "<p>x<sup>2</sup> <img src=\"https://a.test/b/i.png\" alt=\"&quot;\"></p>",
            ),
            ("<blockquote>a<nav></nav>b</blockquote>", "<blockquote>a\n<div>b</div></blockquote>"),
            (
                "<figure><img src=i.png><figcaption>c</figcaption></figure>",
                "<figure><img src=\"https://a.test/b/i.png\" alt=\"\">\n<figcaption>c</figcaption></figure>",
            ),
            (
                "<pre><code><span class=line>a(</span><span class=line>  b)</span></code></pre>",
                "<pre><code>a(\n  b)</code></pre>",
            ),
            ("<math alttext='a<b'></math>", "<div><span class=\"math\">$a&lt;b$</span></div>"),
        ],
    );
}
