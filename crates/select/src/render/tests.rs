use super::*;
use crate::Stretch;
use huller_page::PageBuf;

mod forms;

/// The text of a page's body in the style that ships.
fn text(html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let selection = Selection { roots: vec![page.body()], ..Selection::default() };
    let mut text = String::new();
    Renderer::new(TextStyle::FORMED).text(&page, &selection, &mut text);
    text
}

/// Compares texts of pages, all of them before it says which differ.
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
            "a\ndef f():\n    return 1\nf()\nb",
        ),
        ("<pre>\n\n  x\ty\r\n z  </pre>", "  x\ty\n z"),
        ("<pre><code><span>if</span> <span>x</span>:\n<span>  y</span></code></pre>", "if x:\n  y"),
        ("<pre><span>a</span>\n<span>b</span>\n\n<span>c</span></pre>", "a\nb\nc"),
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
fn copies_for_other_screens_come_once() {
    let long = "It rained all day over the hills, and nobody who lived there had seen the like of it before.";
    let twice = |class: &str| format!("<p>{long}</p><p>x</p><p class='{class}'>{long}</p><p>y</p>");
    assert_eq!(text(&twice("d-md-none mobile")), format!("{long}\nx\ny"));
    // What an author repeats stays.
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
    let comments = vec![Stretch::of(&page, last - 1), Stretch::of(&page, last)];
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
