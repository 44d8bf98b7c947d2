use super::*;
use crate::RunRange;
use huller_page::{PageBuf, Tag};

pub(super) mod forms;
mod kinds;

/// Returns the text of a page's body in the style that ships.
pub(super) fn text(html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let selection = Selection { roots: vec![page.body()], ..Selection::default() };
    let mut text = String::new();
    Renderer::new(TextStyle::FORMED).text(&page, &selection, &mut text);
    text
}

#[test]
fn a_removal_in_what_is_passed_over_stops_no_later_one() {
    let html = "<p>a</p><a href='https://twitter.com/intent/tweet?u=x'>t<b>u</b></a><p>b</p><p id=c>c</p><p>d</p>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let is_removed = |node: &huller_page::Node| {
        node.tag == Tag::B || page.attribute(node, huller_page::AttributeName::Id).is_some()
    };
    let removed: Vec<u32> =
        (0_u32..).zip(page.nodes()).filter(|it| is_removed(it.1)).map(|it| it.0).collect();
    assert_eq!(removed.len(), 2);
    let selection = Selection { roots: vec![page.body()], removed, ..Selection::default() };
    let mut text = String::new();
    Renderer::new(TextStyle::FORMED).text(&page, &selection, &mut text);
    assert_eq!(text, "a\nb\nd");
}

/// Compares texts of pages. It reads all of them before it reports the differences.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(html, wanted)| (*html, *wanted, text(html)))
        .filter(|(_, w, t)| w != t)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn preformatted_text_keeps_its_lines_and_indentation() {
    check(&[
        (
            "<p>a</p><pre>def f():\n    return 1\n\nf()\n</pre><p>b",
            "a\ndef f():\n    return 1\n\nf()\nb",
        ),
        ("<pre>\n\n  x\ty\r\n z  </pre>", "  x\ty\n z"),
        ("<pre><code><span>if</span> <span>x</span>:\n<span>  y</span></code></pre>", "if x:\n  y"),
        ("<pre><span>a</span>\n<span>b</span>\n\n<span>c</span></pre>", "a\nb\n\nc"),
        ("<pre>a\n\n \n\n\n\n  b</pre>", "a\n\n\n  b"),
        ("<pre>a<br>b<br>  c</pre>", "a\nb\n  c"),
        ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
        ("<div style='white-space: pre-wrap'>roses\n  violets</div>", "roses\n  violets"),
        ("a<span style='white-space:pre'>\t</span>b", "a b"),
        ("<pre>a &lt; b &amp;&amp; c\n</pre>", "a < b && c"),
        ("<p>see <code>a  b</code></p>", "see a b"),
        ("<pre>a</pre><pre>b</pre>", "a\nb"),
        ("<pre> </pre>x", "x"),
    ]);
}

#[test]
fn stanzas_are_set_apart_by_empty_lines() {
    check(&[
        (
            "<p>Roses<br>are red.<br><br>Violets<br>are blue.</p><p>x",
            "Roses\nare red.\n\nViolets\nare blue.\n\nx",
        ),
        (
            "<p>Roses<br>are red.</p>\n<p>Violets<br>are blue.</p>",
            "Roses\nare red.\n\nViolets\nare blue.",
        ),
        ("<div><p>Roses<br>are red.</div><div><p>Violets", "Roses\nare red.\n\nViolets"),
        ("<div style='white-space: pre-wrap'>roses\n\n\tviolets</div>", "roses\n\n\tviolets"),
        // Paragraphs between line breaks are lines, like others.
        ("a<br><br>b<br><br>c", "a\nb\nc"),
        ("<p>a<br>b</p><h2>c</h2><p>d", "a\nb\nc\nd"),
        ("<p>a<br>b</p><ul><li><p>c</ul>", "a\nb\n\nc"),
        ("<p>a<br>b</p><div>c</div>", "a\nb\nc"),
        ("<div>a<br>b<p></p><p>c</div>", "a\nb\nc"),
        ("<p>a<br></p><p>b", "a\nb"),
        ("<p>a<br>b</p><p><span></span></p><div>c</div>", "a\nb\nc"),
    ]);
}

#[test]
fn ordered_lists_have_numbers_and_lists_in_lists_are_indented() {
    check(&[
        ("<p>x<ol><li>a<li>b</ol>y", "x\n1. a\n2. b\ny"),
        ("<ul><li>a<ol><li>b<ul><li>c</ul><li>d</ol>e<li>f</ul>", "a\n  1. b\n    c\n  2. d\ne\nf"),
        ("<ul><li>a<ul><li>b</ul></ul>", "a\n  b"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "a\n  b"),
        ("<ol start=9><li>a<li value=20>b<li>c</ol>", "9. a\n20. b\n21. c"),
        ("<ol reversed><li>a<li>b<ul><li>x</ul><li>c</ol>", "3. a\n2. b\n  x\n1. c"),
        ("<ol type=a><li>a<li>b</ol><ol type=I><li>c</ol>", "a. a\nb. b\nI. c"),
        ("<ol><li><img><li>a<li><p>b<p>c</ol>", "2. a\n3. b\nc"),
        ("<ol><li><ol><li>a</ol><li>b</ol>", "1. 1. a\n2. b"),
        ("<ol><li>a<table><tr><th>b<th>c<tr><td>d<td>e</table></ol>", "1. a\nb\tc\nd\te"),
        (
            "<ol><li><pre>\n  a\n  b</pre><li>c<ul><li>d<pre> e\n  f</pre></ul></ol>",
            "1.\n  a\n  b\n2. c\n  d\n e\n  f",
        ),
        // A list that only holds another one does not count as a level.
        ("<ul><li><ul><li>a<li>b</ul></ul>", "a\nb"),
        ("<ol style='list-style: none'><li>a</ol><ol role=list><li>b</ol>", "a\nb"),
        ("<ol class='breadcrumbs x'><li>a</ol><ol class=repost><li>b</ol>", "a\n1. b"),
        ("<ol><blockquote><li>a</blockquote></ol><li>b", "a\nb"),
        ("<pre><ol><li>a<li>b</ol></pre>", "a\nb"),
    ]);
    let deep = "<ul><li>a".repeat(400);
    assert!(text(&deep).lines().all(|line| line.len() <= 17));
}

#[test]
fn numbers_of_lines_beside_code_are_no_text() {
    check(&[
        (
            "<table><tr><td class=gutter><pre>1\n2\n</pre></td><td class=code><pre>a\n  b</pre></table>",
            "a\n  b",
        ),
        ("<table><tr><td><pre>7\n8\n9</pre></td><td><pre>a\nb\nc</pre></table>", "a\nb\nc"),
        ("<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>  b</pre>", "a\n  b"),
        (
            "<table><td class='gutter x'><pre><span class=line>1</span><br><span class=line>2</span></pre>",
            "",
        ),
        ("<div class=gutter><div>1</div><div>2</div></div>x", "x"),
        // Numbers that are text.
        (
            "<pre class=line-numbers><code><span class=token>42</span> + <span class=token>1</span></code></pre>",
            "42 + 1",
        ),
        ("<pre>1\n2\n3</pre>", "1\n2\n3"),
        ("<table><tr><td><pre>1\n2\n4</pre></table>", "1\n2\n4"),
        ("<div class=gutter>12 <b>men</b></div>", "12 men"),
    ]);
}

#[test]
fn a_bare_text_has_lines_and_words_alone() {
    let html = "<ol><li>a<ol><li>b</ol></ol><p>c<br>d<br><br>e<pre>f\n\ng</pre>10<sup>2</sup>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let selection = Selection { roots: vec![page.body()], ..Selection::default() };
    let mut text = String::new();
    Renderer::new(TextStyle::Formed(TextForm::BARE)).text(&page, &selection, &mut text);
    assert_eq!(text, "a\nb\nc\nd\ne\nf\ng\n102");
}

#[test]
fn rows_of_data_are_lines_with_tabs() {
    check(&[
        ("<table><tr><th>Month<th>Rate<tr><td>36<td>2 %</table>tail", "Month\tRate\n36\t2 %\ntail"),
        (
            "<table><tr><td><th>A<th>B<tr><th>x<td>1<td><tr><th>y<td><td>2</table>",
            "\tA\tB\nx\t1\t\ny\t\t2",
        ),
        (
            "<table><tr><td>a<br>b<td><p>c</p><p>d</p></tr><tr><td>e<td><ul><li>f<li>g</ul></table>",
            "a b\tc d\ne\tf g",
        ),
        ("<table><caption>T</caption><tr><td>a<td>b</table>", "T\na\tb"),
        // Tables that place parts of the page.
        ("<table><tr><td>menu<td><h1>Rain</h1><p>It fell.</table>", "menu\nRain\nIt fell."),
        ("<table><tr><td>a<td>b</table>", "a\nb"),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\nb\nc\nd"),
        (
            "<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>",
            "x\na\tb\n1\t2",
        ),
    ]);
}

#[test]
fn powers_and_indices_are_marked() {
    check(&[
        ("10<sup>15</sup> m", "10¹⁵ m"),
        ("3×10<sup>-8</sup>", "3×10⁻⁸"),
        ("H<sub>2</sub>O", "H₂O"),
        ("x<sup>n+1</sup>", "xⁿ⁺¹"),
        ("2<sup>ab</sup>", "2^ab"),
        ("v<sub>max</sub>", "vₘₐₓ"),
        ("T<sub>Curie</sub>", "T_Curie"),
        ("the 1<sup>st</sup> of May, M<sup>me</sup>", "the 1st of May, Mme"),
        ("Rain<sup>[1]</sup> and<sup><a href=#f>2</a></sup>", "Rain[1] and2"),
        ("Acme<sup>TM</sup>", "AcmeTM"),
        ("see <sup>1</sup>", "see 1"),
    ]);
}

#[test]
fn lines_of_code_that_are_elements_are_lines() {
    check(&[
        (
            "<pre><code><span class=line><b>npm</b> i</span><span class=line>  <b>cd</b> x</span></code></pre>",
            "npm i\n  cd x",
        ),
        (
            "<pre><span class=line>a</span>\n<span class=line>  b</span>\n\n<span class=line>c</span></pre>",
            "a\n  b\n\nc",
        ),
        (
            "<pre>a\n\n<span class=gatsby-highlight-code-line>  b(</span><span class=gatsby-highlight-code-line>  )</span>c</pre>",
            "a\n\n  b(\n  )\nc",
        ),
        ("<pre><span class='token-line x'>a\n</span><span class=token-line>b</span></pre>", "a\nb"),
        // An empty line has no text, and stays if line breaks are around it.
        (
            "<pre><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>",
            "a\n\nb",
        ),
        ("<pre>a <span class=underline>b</span> <span class=new-line>c</span></pre>", "a b c"),
        ("<p>a <span class=line>b</span> c", "a b c"),
    ]);
}

#[test]
fn formulas_are_written_once_as_tex() {
    check(&[
        (
            r#"<p>so <span class="mwe-math-element"><span style="display:none"><math alttext="{\displaystyle E=mc^{2}}"><semantics><mi>E</mi><annotation encoding="application/x-tex">{\displaystyle E=mc^{2}}</annotation></semantics></math></span><img class="mwe-math-fallback-image-inline" alt="{\displaystyle E=mc^{2}}"></span>, says he.</p>"#,
            "so $E=mc^{2}$, says he.",
        ),
        (
            r#"<p>a <span class="katex"><span class="katex-mathml"><math><mi>x</mi><annotation encoding="application/x-tex">x &lt; 1</annotation></math></span><span class="katex-html">x<1</span></span> b"#,
            "a $x < 1$ b",
        ),
        (
            r#"a <span class="MathJax_Preview">x2</span><script type="math/tex">x^2</script> b"#,
            "a $x^2$ b",
        ),
        (
            r#"<p>a</p><div class="mwe-math-element"><div style="display: none"><math display="block" alttext="x"><mi>x</mi></math></div><img class="mwe-math-fallback-image-display" alt="x"></div>b"#,
            "a\n$x$\nb",
        ),
        // A picture beside MathML without TeX has the TeX.
        (
            r#"<div class="mwe-math-element"><div><math><mi>x</mi></math></div><img class="mwe-math-fallback-image-display" alt="y"></div>"#,
            "x\n$y$",
        ),
        (r#"a <img class="latex" alt="\pi"> b"#, r"a $\pi$ b"),
        ("a <math><mi>x</mi><mo>=</mo><mn>2</mn></math> b", "a x=2 b"),
        ("a <script>var x</script>b", "a b"),
    ]);
}

#[test]
fn inline_elements_do_not_glue_words() {
    check(&[
        ("<a href=1>Python</a><a href=2>Node.js</a>", "Python Node.js"),
        ("<button>Python</button><button>Node.js</button>", "Python Node.js"),
        ("<span>Merrell</span><span>Moab 3</span>", "Merrell Moab 3"),
        ("<span>$116.97</span><span>$145</span><span>19% off</span>", "$116.97$145 19% off"),
        ("<b>T</b><span>he rain</span>", "The rain"),
        ("<span>Governanc</span><span>e</span>", "Governance"),
        (
            "<a href=1>Scam</a><a href=2>s</a>, <a href=1>Arte</a><a href=1>mis</a>",
            "Scams, Artemis",
        ),
        ("<a href=1>tools</a><a href=2>develop</a>", "tools develop"),
        // Formatters of source put line breaks into tags, where they are no white space.
        ("<a href=1\n  >living abroad</a\n  ><a href=2\n  >news</a\n>", "living abroad news"),
        ("<a href=1>tools</A \t><a href=2>develop</a >", "tools develop"),
        ("<span>Merrell</span\n\n      ><span>Moab 3</span\n>", "Merrell Moab 3"),
        ("<b>T</b\n><span>he rain</span>", "The rain"),
        ("<span>Governanc</span\n  ><span>e</span>", "Governance"),
        ("<a href=1>Arte</a\n  ><a href=1>mis</a>", "Artemis"),
        ("<code><span>builder</span><span>Services</span></code>", "builderServices"),
        ("(<my-tip>1</my-tip>)", "(1)"),
        ("<strong>Care</strong><strong>:</strong>", "Care:"),
        ("un<wbr>believ&shy;able", "unbelievable"),
        ("<p>x<ul><li>y</ul>tail</p>next", "x\ny\ntail\nnext"),
        ("a</br>b", "a\nb"),
        ("<div><button>x</div><p>article", "x\narticle"),
    ]);
}

#[test]
fn marks_beside_headings_and_glyphs_are_no_text() {
    check(&[
        ("<h2>Settings<a class=headerlink href=#settings>¶</a></h2>", "Settings"),
        ("<h2><a href=#x>#</a> Use</h2>", "Use"),
        ("<p>Issue <a href=/1>#</a>1", "Issue #1"),
        ("<i>\u{e801}</i> Print", "Print"),
        ("<i class=material-icons>arrow_forward</i> Next", "Next"),
    ]);
}

#[test]
fn buttons_for_sharing_and_printing_are_no_text() {
    let sharer = "https://www.facebook.com/sharer.php?u=x";
    check(&[
        (
            &format!(
                "<p>Rain.<p><a href={sharer}>f</a> <a href='mailto:?body=x'>Senden</a><p>Snow."
            ),
            "Rain.\nSnow.",
        ),
        (
            "<p>Rain.<p><a href=#>Share</a> | <a href=#>Print this article</a><p>Snow.",
            "Rain.\nSnow.",
        ),
        (
            "<p>Rain.<ul><li><button>Tweet</button><li><button>12 Shares</button></ul>",
            "Rain.\n12 Shares",
        ),
        ("<p>Rain.<div class='social-share'><p>Share this:<p>Facebook<p>Twitter</div>", "Rain."),
        // Words of an author about them.
        (
            &format!(
                "<p>You can use <a href={sharer}>the page of Facebook</a> for that, and others too."
            ),
            "You can use the page of Facebook for that, and others too.",
        ),
        // A bar in the block of other text leaves no mark of its line.
        ("<p><a href=#>Tweet</a><br>Written by Ann</p><p>Snow.", "Written by Ann\nSnow."),
        (
            "<h3>Share</h3><p>A share is a part.<ul><li>Facebook<li>Print</ul>",
            "Share\nA share is a part.\nFacebook\nPrint",
        ),
        ("<p><a href=/x>Share prices fall</a>", "Share prices fall"),
        ("<p><a href=https://twitter.com/ann>Twitter</a>", "Twitter"),
    ]);
}

#[test]
fn copies_for_other_screens_come_once() {
    let long = "It rained all day over the hills, and nobody who lived there had seen the like of it before.";
    let twice = |class: &str| format!("<p>{long}</p><p>x</p><p class='{class}'>{long}</p><p>y</p>");
    assert_eq!(text(&twice("d-md-none mobile")), format!("{long}\nx\ny"));
    // Repetition by the author stays.
    assert_eq!(text(&twice("chorus")), format!("{long}\nx\n{long}\ny"));
    assert_eq!(text(&format!("<p>{long}</p><div>{long}</div>z")), format!("{long}\nz"));
    assert_eq!(
        text("<p>Row, row, row your boat,<br>Row, row, row your boat,</p>").lines().count(),
        2
    );
    check(&[
        (
            "<span>EUR 355.58</span><span aria-hidden=true>EUR <b>355</b>.58</span> each",
            "EUR 355.58 each",
        ),
        ("<b>ha</b><b>ha</b>", "haha"),
    ]);
}

#[test]
fn comments_are_no_copies_of_the_text() {
    let long = "It rained all day over the hills, and nobody who lived there had seen the like of it before.";
    let html = format!(
        "<div><p>{}</p><p>{long}</p></div><p>a<p class=mobile>{long}</p>",
        "Snow. ".repeat(40)
    );
    let mut buffer = PageBuf::new();
    let page = buffer.fill(&html);
    let div = page.nodes().iter().position(|node| node.tag == huller_page::Tag::DIV).unwrap();
    let last = page.runs().len() as u32 - 1;
    let comments = vec![RunRange::whole_run(&page, last - 1), RunRange::whole_run(&page, last)];
    let selection = Selection { roots: vec![div as u32], comments, ..Selection::default() };
    let mut renderer = Renderer::new(TextStyle::FORMED);
    let (mut text, mut comments) = (String::new(), String::new());
    renderer.text(&page, &selection, &mut text);
    renderer.comments(&page, &selection, &mut comments);
    assert!(text.ends_with(long));
    assert_eq!(comments, format!("a\n{long}"));
}

#[test]
fn the_style_of_the_specification_knows_blocks_and_breaks_alone() {
    let html = "<table><tr><th>a<th>b<tr><td>1<td>2</table><pre>x\n  y</pre>10<sup>15</sup><a>b</a><a>c</a>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let selection = Selection { roots: vec![page.body()], ..Selection::default() };
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    assert_eq!(text, "a\nb\n1\n2\nx y\n1015bc");
}
