//! Kinds of markup that extractors often get wrong: each with variants.

use super::forms::{clean, markdown};
use super::text;
use proptest::prelude::*;

#[track_caller]
fn check(form: impl Fn(&str) -> String, cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(html, wanted)| (*html, *wanted, form(html)))
        .filter(|(_, wanted, found)| wanted != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn formulas_without_tex_are_written_on_one_line() {
    let formula = |inside: &str| text(&format!("a <math>{inside}</math> b"));
    check(
        formula,
        &[
            ("<mfrac><mi>F</mi><mi>A</mi></mfrac><mo>=</mo><mn>12</mn>", "a F/A=12 b"),
            ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "a (a+b)/2 b"),
            ("<msqrt><mi>x</mi></msqrt>", "a √x b"),
            ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "a √(x+1) b"),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>", "a ³√x b"),
            (
                "<mn>1.33</mn><mo>×</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>4</mn></mrow></msup>",
                "a 1.33×10⁻⁴ b",
            ),
            ("<msup><mi>x</mi><mi>q</mi></msup>", "a x^q b"),
            ("<msup><mi>x</mi><mrow><mi>p</mi><mo>/</mo><mn>2</mn></mrow></msup>", "a x^(p/2) b"),
            ("<msub><mi>v</mi><mtext>max</mtext></msub>", "a vₘₐₓ b"),
            ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "a x₁² b"),
            (
                "<mn>2</mn><mn>3</mn><mo>,</mo><mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>",
                "a 2 3,sin x b",
            ),
            ("<mfenced><mi>x</mi><mi>y</mi></mfenced>", "a (x,y) b"),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
                "a 1, 2; 3 b",
            ),
            ("<mn>2</mn><mo>&InvisibleTimes;</mo><mi>x</mi>", "a 2x b"),
            ("<mi>k</mi><mtext>&nbsp;is odd&nbsp;</mtext><mi>m</mi>", "a k is odd m b"),
            ("<mi>k</mi><mtext>\u{2003}for\u{2002}</mtext><mi>m</mi>", "a k for m b"),
            ("<mi>k</mi><mtext>&nbsp;</mtext><mi>m</mi><mo>&emsp;</mo><mi>n</mi>", "a k m n b"),
            ("<mi>k</mi><mo> = </mo><mn>&#160;1</mn>", "a k= 1 b"),
            ("<mtext>&nbsp;odd&nbsp;</mtext>", "a odd b"),
            ("<msub><mi>k</mi><mtext>&nbsp;odd&nbsp;</mtext></msub><mi>m</mi>", "a k_odd m b"),
            ("<mi>x</mi><mphantom><mi>y</mi></mphantom>", "a x b"),
            (
                "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>",
                "a lim_(x→0) b",
            ),
            (
                "<semantics><mrow><mi>p</mi><mo>&lt;</mo><mi>q</mi></mrow><annotation-xml encoding='MathML-Content'><apply><lt/><ci>p</ci></apply></annotation-xml></semantics>",
                "a p<q b",
            ),
            (
                "<semantics><mi>x</mi><annotation encoding='StarMath 5.0'>x over y</annotation></semantics>",
                "a x b",
            ),
            (
                "<semantics><mi>x</mi><annotation encoding='text/plain'>ex</annotation></semantics>",
                "a x b",
            ),
        ],
    );
    let cells =
        "<table><tr><th>A<th>B<tr><td>x<td><math><mn>1.33</mn><mo>×</mo><mi>y</mi></math></table>";
    assert_eq!(text(cells), "A\tB\nx\t1.33×y");
    assert_eq!(markdown(cells), "| A | B |\n|---|---|\n| x | 1.33×y |");
    assert_eq!(clean("<p>a <math><mi>p</mi><mo>&lt;</mo><mi>q</mi></math></p>"), "<p>a p&lt;q</p>");
    let display = "<p>a</p><math display=block><mi>x</mi></math><p>b</p>";
    assert_eq!(text(display), "a\nx\nb");
}

#[test]
fn annotations_in_tex_count_whatever_their_encoding_is_called() {
    for encoding in [
        "application/x-tex",
        "APPLICATION/X-TEX",
        "application/x-latex",
        "TeX",
        "tex",
        "TEX",
        "LaTeX",
        "latex",
        "LATEX",
        "text/x-tex",
        "application/x-tex; charset=utf-8",
        " TeX ",
    ] {
        let html = format!(
            "a <math><semantics><mi>k</mi><annotation encoding='{encoding}'>k_1</annotation></semantics></math> b"
        );
        assert_eq!(text(&html), "a $k_1$ b", "{encoding}");
    }
    let upper =
        "<MATH><SEMANTICS><MI>k</MI><ANNOTATION ENCODING='TeX'>k_1</ANNOTATION></SEMANTICS></MATH>";
    assert_eq!(text(upper), "$k_1$");
}

#[test]
fn readings_stand_in_brackets() {
    check(
        text,
        &[
            ("<p><ruby>東京<rt>とうきょう</rt></ruby>に", "東京(とうきょう)に"),
            ("<p><ruby>住<rp>(</rp><rt>す</rt><rp>)</rp></ruby>む", "住(す)む"),
            ("<p><ruby>住<rp>（</rp><rt>す</rt><rp>）</rp></ruby>む", "住（す）む"),
            ("<p><ruby><rb>葦</rb><rt>あし</rt></ruby>", "葦(あし)"),
            ("<p>The <ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby> x", "The 漢(kan)字(ji) x"),
            ("<p><ruby>漢<rt>kan<rp></rp></ruby>", "漢(kan)"),
            // Browsers show no white space between the parts.
            ("<p><ruby>漢 <rt> kan </rt> </ruby>x", "漢(kan)x"),
            (
                "<p>a <ruby>\n 漢\n <rp>（</rp>\n <rt>かん</rt>\n <rp>）</rp>\n</ruby>字",
                "a 漢（かん）字",
            ),
            ("<p>字\n<ruby>\n <rb>漢</rb>\n <rt>かん</rt>\n</ruby>\n字", "字 漢(かん) 字"),
            ("<p><ruby>\n漢\n<rt>kan</rt>\n字\n<rt>ji</rt>\n</ruby>x", "漢(kan)字(ji)x"),
            ("<p><ruby><rb>漢</rb> <rb>字</rb> <rt>kan</rt> <rt>ji</rt></ruby>x", "漢字(kan)(ji)x"),
            (
                "<p><ruby>the <b>big</b> reed<rt> x </rt> lake<rt>y</rt></ruby> z",
                "the big reed(x) lake(y) z",
            ),
            ("<p><ruby>漢<rt> <b>k</b> a </rt></ruby> z", "漢(k a) z"),
            ("<p><ruby>漢<rt></rt>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>x", "漢字(ji)x"),
            ("<p><ruby>漢<rp></rp><rt>kan</rt><rp></rp></ruby>x", "漢(kan)x"),
            ("<p><ruby>漢<rp>(</rp><rt></rt><rp>)</rp></ruby>x", "漢x"),
            (
                "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt> </rt><rp>)</rp></ruby>x",
                "漢(kan)字x",
            ),
            ("<p><ruby>漢<rt></rt></ruby>x", "漢x"),
            ("<p><ruby>漢<rtc>kan</rtc></ruby>x", "漢(kan)x"),
            ("<p><ruby>漢<rtc><rt>kan</rt></rtc></ruby>x", "漢(kan)x"),
            ("<p><ruby>漢<rt><b>k</b>an</rt></ruby>x", "漢(kan)x"),
            ("<p><a href=/x><ruby>漢<rt>kan</rt></ruby></a>", "漢(kan)"),
            (
                "<table><tr><th>a<td><ruby>漢<rt>kan</rt></ruby><tr><th>b<td>c</table>",
                "a\t漢(kan)\nb\tc",
            ),
        ],
    );
    assert_eq!(markdown("<p><ruby>東京<rt>とう</rt></ruby>に"), "東京(とう)に");
    let indented = "<p>a <ruby>\n 漢\n <rp>（</rp>\n <rt>かん</rt>\n <rp>）</rp>\n</ruby>字";
    assert_eq!(markdown(indented), "a 漢（かん）字");
    assert_eq!(clean(indented), "<p>a 漢（かん）字</p>");
    assert_eq!(clean("<p><ruby>東京<rt>とう</rt></ruby>に"), "<p>東京(とう)に</p>");
}

#[test]
fn tex_in_the_text_of_pages_that_show_it_is_not_escaped() {
    let with = |html: &str| {
        markdown(&format!("<script src='https://cdn.test/mathjax@3/es5/tex.js'></script>{html}"))
    };
    check(
        with,
        &[
            (r"<p>we write \(a_1 &lt; a_2\) and *y*", r"we write \(a_1 < a_2\) and \*y\*"),
            (r"<p>with $b_1^* = c_{ij}$ for", r"with $b_1^* = c_{ij}$ for"),
            (r"<p>\[\left[ x_1^* , x_2 \right]\]</p>", r"\[\left[ x_1^* , x_2 \right]\]"),
            (r"<p>$$E_k = \frac{1}{2} m v^2$$</p>", r"$$E_k = \frac{1}{2} m v^2$$"),
            ("<p>$$a_1\n  *b_1*$$", "$$a_1 *b_1*$$"),
            (r"<p>$a_1$ and $b_2$ and _c_", r"$a_1$ and $b_2$ and \_c\_"),
            (r"<p>\(a_1\)<p>*b*", "\\(a_1\\)\n\n\\*b\\*"),
            (r"<p>costs $5 and $6_x_", r"costs $5 and $6_x\_"),
            (r"<p>\[ a_1 <br> + b_1 \] *", r"\[ a_1 + b_1 \] \*"),
            (r"<p>open \(a_1 *", r"open \\(a_1 \*"),
            (
                "<p>\\begin{equation}\na_1 * b_1 * c_{ij}\n\\end{equation} *",
                r"\begin{equation} a_1 * b_1 * c_{ij} \end{equation} \*",
            ),
            (
                r"<p>As \begin{align*} a_1 &amp;= b*c \\ e_2 &amp;= f_{i} \end{align*} and \begin{gather}x_1*y_1\end{gather}",
                r"As \begin{align*} a_1 &= b*c \\ e_2 &= f_{i} \end{align*} and \begin{gather}x_1*y_1\end{gather}",
            ),
            (
                r"<div>\begin{eqnarray}\label{eq:a_b} a_1*b_1<br>\begin{split} c_1 \end{split} \end{eqnarray}</div>",
                r"\begin{eqnarray}\label{eq:a_b} a_1*b_1 \begin{split} c_1 \end{split} \end{eqnarray}",
            ),
            (r"<p>\begin{itemize} a_1 *b \end{itemize}", r"\begin{itemize} a_1 \*b \end{itemize}"),
            (r"<p>\begin{align} a_ \end{align*} *b", r"\begin{align} a\_ \end{align\*} \*b"),
            (r"<p>\\begin{align} a_ \end{align}", r"\\\begin{align} a\_ \end{align}"),
            (r"<ul><li>\(x_1\)<li>$y_1$</ul>", "- \\(x_1\\)\n- $y_1$"),
            (
                "<table><tr><th>a<th>b<tr><td>$|x_1|$<td>c</table>",
                "| a | b |\n|---|---|\n| $\\|x_1\\|$ | c |",
            ),
            ("<h2>On \\(n_1\\)</h2>", "## On \\(n_1\\)"),
            ("<p><code>$a_1</code> and _b_$", "`$a_1` and \\_b\\_$"),
        ],
    );
    for loader in [
        "<script>window.MathJax = {}</script>",
        "<link rel=stylesheet href='/katex/katex.min.css'>",
        "<script type='text/x-mathjax-config'>MathJax.Hub.Config({})</script>",
        "<script src=/auto-render.KaTeX.js></script>",
    ] {
        let html = format!(r"{loader}<p>with $b_1^*$ for \(c_2\)");
        assert_eq!(markdown(&html), r"with $b_1^*$ for \(c_2\)", "{loader}");
    }
    assert_eq!(markdown(r"<p>with $b_1^*$ for \(c_2_\)"), r"with $b_1^\*\$ for \\(c_2\_\\)");
}

#[test]
fn lists_directly_in_lists_are_nested_and_numbers_go_on() {
    check(
        markdown,
        &[
            (
                "<ol><li>One<li>Two</li><ol><li>a<li>b</ol><li>Three</ol>",
                "1. One\n2. Two\n   1. a\n   2. b\n3. Three",
            ),
            ("<ul><li>Oak</li><ul><li>white</ul><li>Elm</ul>", "- Oak\n  - white\n- Elm"),
            ("<ol><li>One</li><ul><li>a</ul><li>Two</ol>", "1. One\n   - a\n2. Two"),
            ("<ul><li>a</li><ol><li>One<li>Two</ol><li>b</ul>", "- a\n  1. One\n  2. Two\n- b"),
            (
                "<ul><li>a</li><ul><li>b</li><ul><li>c</ul></ul><li>d</ul>",
                "- a\n  - b\n    - c\n- d",
            ),
            ("<ul><li>a</li><div><ul><li>b</ul></div><li>c</ul>", "- a\n  - b\n- c"),
            ("<ol start=3><li>One</li><ol><li>a</ol><li>Two</ol>", "3. One\n   1. a\n4. Two"),
            ("<ul><ul><li>a</ul><li>b</ul>", "- a\n\n- b"),
            ("<ul><li>a</li><ul><li>b</ul></ul><p>c", "- a\n  - b\n\nc"),
            ("<ol><li>One</li><ol></ol><li>Two</ol>", "1. One\n2. Two"),
            ("<ul><li>a<p>b</li><ul><li>c</ul><li>d</ul>", "- a\n\n  b\n  - c\n- d"),
        ],
    );
    assert_eq!(
        text("<ol><li>One<li>Two</li><ol><li>a<li>b</ol><li>Three</ol>"),
        "1. One\n2. Two\n  1. a\n  2. b\n3. Three"
    );
}

#[test]
fn styles_of_lists_and_items_set_their_numbers() {
    check(
        text,
        &[
            ("<ol style='list-style-type: lower-alpha'><li>x<li>y</ol>", "a. x\nb. y"),
            (
                "<ol style='color:red;LIST-STYLE:Upper-Roman inside !important'><li>x<li>y</ol>",
                "I. x\nII. y",
            ),
            ("<ol type=1 style='list-style-type:lower-roman'><li>x<li>y</ol>", "i. x\nii. y"),
            ("<ol style='list-style-type:upper-latin' start=3><li>x</ol>", "C. x"),
            ("<ol style='list-style-image:none;display:block'><li>x<li>y</ol>", "1. x\n2. y"),
            ("<ol style='list-style: none outside'><li>x<li>y</ol>", "x\ny"),
            ("<ol style='list-style: square'><li>x<li>y</ol>", "x\ny"),
            (
                "<ol><li style='list-style-type:lower-alpha'>x<li style='list-style-type:lower-alpha'>y</ol>",
                "a. x\nb. y",
            ),
            (
                "<ol><li style='list-style:none'>x<li>y<li style='list-style-type:none'><b>z</b><li>w</ol>",
                "x\n2. y\nz\n4. w",
            ),
            ("<ol type=a><li style='list-style:none'>x<ol><li>p</ol><li>y</ol>", "x\n  1. p\nb. y"),
        ],
    );
    let mixed = "<ol><li style='list-style:none'>x<li>y<li style='list-style:none'>z<li>w</ol><p>v";
    assert_eq!(markdown(mixed), "x\n\n2. y\n\nz\n\n4) w\n\nv");
    let letters = "<ol style='list-style-type:lower-alpha'><li>x<li>y</ol>";
    assert_eq!(clean(letters), "<ol type=\"a\">\n<li>x</li>\n<li>y</li></ol>");
    for html in [mixed, letters] {
        assert_eq!(text(&clean(html)), text(html));
    }
}

#[test]
fn items_whose_numbers_do_not_follow_begin_another_list() {
    check(
        markdown,
        &[
            ("<ol><li>a<li value=5>b<li>c</ol>", "1. a\n\n5) b\n6) c"),
            ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n\n2) b\n\n1. c"),
            ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
            ("<ol><li>a<li value=2>b</ol>", "1. a\n2. b"),
            ("<ol><li>a<li value=1>b</ol>", "1. a\n\n1) b"),
            ("<ol><li>a<li><li>c</ol>", "1. a\n\n3) c"),
            ("<ol><li>a<li value=4>b</ol><ol><li>c</ol>", "1. a\n\n4) b\n\n1. c"),
            ("<ol><li value=7>a<li value=3>b<p>c</p><li>d</ol>", "7. a\n\n3) b\n\n   c\n4) d"),
            ("<ul><li value=5>a<li>b</ul>", "- a\n- b"),
            ("<ol><li>a<ol><li>x<li value=9>y</ol><li>b</ol>", "1. a\n   1. x\n\n   9) y\n2. b"),
        ],
    );
}

#[test]
fn shadow_roots_are_shown_and_other_templates_are_not() {
    check(
        text,
        &[
            ("<x-a><template shadowrootmode=open><p>a</p></template></x-a>b", "a\nb"),
            ("<x-a><template shadowrootmode='closed'>a</template></x-a>", "a"),
            ("<x-a><TEMPLATE ShadowRootMode=OPEN>a</TEMPLATE></x-a>", "a"),
            (
                "<x-a><template shadowrootmode=open>a<x-b><template shadowrootmode=open>b</template></x-b></template></x-a>",
                "ab",
            ),
            (
                "<div><template shadowrootmode=open shadowrootdelegatesfocus><p>a</template></div>b",
                "a\nb",
            ),
            ("<div><template id=t shadowrootmode=open><p>a</template><p>b</div>", "a\nb"),
            (
                "<x-a><template shadowrootmode=open><table><tr><td>a</table></template></x-a><p>b",
                "a\nb",
            ),
            ("<x-a><template shadowrootmode=open>a<slot></slot></template>b</x-a>, c", "a b, c"),
            ("<p>x <x-a><template shadowrootmode=open>a</template>b</x-a>, c", "x a, c"),
        ],
    );
    let kept = |html: &str| {
        let mut buffer = huller_page::PageBuf::new();
        let page = buffer.fill(html);
        let templates = page.nodes().iter().filter(|node| node.tag == huller_page::Tag::TEMPLATE);
        templates.count()
    };
    for html in [
        "<template>a</template>",
        "<template shadowrootmode>a</template>",
        "<a><template shadowrootmode=open>a</template></a>",
        "<template shadowrootmode=x>a</template>",
        "<template data-x='shadowrootmode=open'>a</template>",
        "<template shadowroot=open>a</template>",
    ] {
        assert_eq!(kept(html), 1, "{html}");
    }
}

#[test]
fn hidden_words_in_a_line_are_no_text() {
    check(
        text,
        &[
            (
                "<p>Height <span style='display:none' class=sortkey>0180</span>1.80 m",
                "Height 1.80 m",
            ),
            ("<p>Born <span hidden>(1950-01-01)</span>in 1950", "Born in 1950"),
            ("<p>Now <span style='DISPLAY : none !important'>30</span>25 coins", "Now 25 coins"),
            ("<p>Now <del style='display:none'>30</del>25 coins", "Now 25 coins"),
            ("<p>Now <b hidden=hidden><i>was</i> 30 </b>25 coins", "Now 25 coins"),
            ("<p>See <a hidden href=/x>all of it</a>the lake", "See the lake"),
            ("<p>Lake<sup style='display:none'>1</sup> Ombrell", "Lake Ombrell"),
            ("<p>Lake <span class=hidden aria-hidden=true>icon</span>Ombrell", "Lake Ombrell"),
            (
                "<p>Lake <span class='sr-only x' aria-hidden='true'>icon</span>Ombrell",
                "Lake Ombrell",
            ),
            ("<p>Now <span style='visibility:hidden'>0</span>25 coins", "Now 25 coins"),
            ("<table><tr><th>a<td><span hidden>01</span>1<tr><th>b<td>2</table>", "a\t1\nb\t2"),
            ("<table><tr><th>a<td><div hidden>01</div>1<tr><th>b<td>2</table>", "a\t1\nb\t2"),
            // Seen by those who look, or by those who listen.
            ("<p>Lake <span aria-hidden=true>Om</span>brell", "Lake Ombrell"),
            ("<p>Lake <span class=sr-only>Ombrell</span> is", "Lake Ombrell is"),
            // A block is a matter of judgement.
            ("<p>a</p><p hidden>b</p>", "a\nb"),
            ("<p><span hidden>All of the line</span></p>", "All of the line"),
        ],
    );
    assert_eq!(markdown("<p>Now <span hidden>30</span>**25**"), "Now \\*\\*25\\*\\*");
    assert_eq!(clean("<p>Now <span hidden>30</span>25"), "<p>Now 25</p>");
}

#[test]
fn hidden_blocks_that_repeat_a_shown_one_are_no_text() {
    check(
        text,
        &[
            (
                "<pre>a(\"soft\")   # A\nb(1)\n</pre><p style='display:none'>a(\"soft\")   # A\nb(1)</p><p>c",
                "a(\"soft\")   # A\nb(1)\nc",
            ),
            ("<p hidden>The reed boats</p><p>The reed boats</p>", "The reed boats"),
            (
                "<p>The reed boats</p><div hidden><p>The <b>reed</b> boats</p></div>",
                "The reed boats",
            ),
            ("<p>The reed boats</p><p>x</p><div hidden>The reed boats</div>", "The reed boats\nx"),
            (
                "<p>The reed boats</p><div hidden><p>The reed boats</p><p>and more</p></div>",
                "The reed boats\nand more",
            ),
            (
                "<p>The reed &amp; boats</p><div class=d-none>The reed & boats</div>",
                "The reed & boats",
            ),
            (
                "<ul><li>The reed boats<li>lie</ul><ul hidden><li>The reed boats<li>lie</ul>",
                "The reed boats\nlie",
            ),
            (
                "<blockquote>The reed boats</blockquote><div style='display: none'>The reed\nboats</div>",
                "The reed boats",
            ),
            ("<div class='hide'><h2>Lake Ombrell</h2></div><h2>Lake Ombrell</h2>", "Lake Ombrell"),
            (
                "<p>The reed boats</p><p class='visually-hidden'>The reed boats</p>",
                "The reed boats",
            ),
            // What is shown may stand twice, and what is hidden may be new.
            (
                "<p>The reed boats</p><p>x</p><p>The reed boats</p>",
                "The reed boats\nx\nThe reed boats",
            ),
            ("<p>The reed boats</p><p hidden>Other boats</p>", "The reed boats\nOther boats"),
        ],
    );
    let html = "<p>The reed boats</p><p>x</p><p hidden>The reed boats</p>";
    assert_eq!(markdown(html), "The reed boats\n\nx");
    assert_eq!(clean(html), "<p>The reed boats</p>\n<p>x</p>");
}

#[test]
fn escaped_markup_in_noscript_is_no_text() {
    for inside in [
        "&lt;img src=\"a.jpg\" /&gt;",
        " &lt;img src=\"a.jpg\"&gt; ",
        "&#60;img src=a&#62;",
        "&#x3c;img src=a&#x3e;",
        "&#x3C;iframe src=a&gt;&lt;/iframe&gt;",
        "&lt;!-- x --&gt;",
        "&amp;lt;img src=a&amp;gt;",
        "&LT;img src=a&GT;",
        "<p>&lt;img src=a&gt;</p>",
        "<span><b>&lt;iframe height=0&gt;</b></span>",
        "&lt;/div&gt;",
    ] {
        assert_eq!(text(&format!("<p>a</p><noscript>{inside}</noscript><p>b")), "a\nb", "{inside}");
    }
    assert_eq!(text("<noscript>Rain &lt; snow</noscript>"), "Rain < snow");
    assert_eq!(text("<p>&lt;img src&gt; is a tag"), "<img src> is a tag");
}

#[test]
fn signs_that_lead_back_from_footnotes_are_no_text() {
    for sign in ["↩", "&#8617;", "↩&#xFE0E;", "↩&#xFE0F;", "^", "↑", "⏎", "[↩]", "⤴", "(↑)", "↵"]
    {
        let html = format!("<ol role=list><li>In 1782. <a href='#fnref1'>{sign}</a></ol>");
        assert_eq!(text(&html), "In 1782.", "{sign}");
    }
    assert_eq!(text("<p>Go <a href=/up>↑</a> on"), "Go ↑ on");
}

/// A formula of tokens in rows, fractions and roots, and its tokens in order.
fn formulas() -> impl Strategy<Value = (String, Vec<String>)> {
    let token = prop_oneof![
        "[a-z]".prop_map(|name| (format!("<mi>{name}</mi>"), vec![name])),
        "[0-9]{1,3}".prop_map(|number| (format!("<mn>{number}</mn>"), vec![number])),
        "[+=,]".prop_map(|sign| (format!("<mo>{sign}</mo>"), vec![sign])),
    ];
    token.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| {
                let inside: String = parts.iter().map(|part| part.0.as_str()).collect();
                let tokens = parts.into_iter().flat_map(|part| part.1).collect();
                (format!("<mrow>{inside}</mrow>"), tokens)
            }),
            (inner.clone(), inner.clone()).prop_map(|(over, under)| {
                let html = format!("<mfrac>{}{}</mfrac>", over.0, under.0);
                (html, [over.1, under.1].concat())
            }),
            inner.prop_map(|part| (format!("<msqrt>{}</msqrt>", part.0), part.1)),
        ]
    })
}

proptest! {
    #[test]
    fn every_token_of_a_formula_is_in_the_text((html, tokens) in formulas()) {
        let found = text(&format!("<p>a <math>{html}</math>"));
        let squeezed: String = found.chars().filter(|c| !" ()/√".contains(*c)).collect();
        prop_assert_eq!(squeezed, format!("a{}", tokens.concat()), "{}", found);
    }

    #[test]
    fn a_hidden_block_never_repeats_a_shown_one(
        blocks in prop::collection::vec((0..3_usize, any::<bool>()), 1..8),
    ) {
        let words = ["the reed boats", "return to the lake", "every single spring"];
        let block = |(words_of, is_hidden): &(usize, bool)| {
            let hidden = if *is_hidden { " hidden" } else { "" };
            format!("<p{hidden}>{}</p>", words[*words_of])
        };
        let html = blocks.iter().map(block).collect::<Vec<_>>().concat();
        let found = text(&html);
        for (at, line) in words.iter().enumerate() {
            let shown = blocks.iter().filter(|block| block.0 == at && !block.1).count();
            if shown > 0 {
                prop_assert!(found.matches(line).count() <= shown, "{}", html);
            }
        }
    }

    /// Numbers of a list go on after a list directly in it.
    #[test]
    fn numbers_go_on_after_lists_in_lists(kinds in prop::collection::vec(any::<bool>(), 1..8)) {
        let mut html = String::from("<ol><li>item</li>");
        for is_list in &kinds {
            html.push_str(if *is_list { "<ol><li>inner</li></ol>" } else { "<li>item</li>" });
        }
        let found = markdown(&html);
        let items: Vec<&str> = found.lines().filter(|line| line.ends_with("item")).collect();
        for (at, item) in items.iter().enumerate() {
            prop_assert_eq!(*item, format!("{}. item", at + 1));
        }
        prop_assert!(found.lines().filter(|line| line.ends_with("inner")).all(|line| line.starts_with("   ")));
    }
}

#[test]
fn options_are_in_the_line_of_their_select() {
    let html = "<p>Choose<select><optgroup><option>reeds<option>boats</select>from it</p>";
    assert_eq!(text(html), "Choose reeds boats from it");
    assert_eq!(markdown(html), "Choose reeds boats from it");
    assert_eq!(clean(html), "<p>Choose reeds boats from it</p>");
}

#[test]
fn a_select_whose_options_are_not_selected_is_a_space() {
    use crate::{RunRange, Selection};
    for html in [
        "<p>Choose <select><option>reeds<option>boats</select> from it",
        "<p>Choose<select><option>reeds</select>from it",
        "<p>Choose <select></select> from it",
    ] {
        let mut buffer = huller_page::PageBuf::new();
        let page = buffer.fill(html);
        let is_kept = |run: &huller_page::Run| {
            page.nodes()[run.node as usize].tag != huller_page::Tag::OPTION
        };
        let kept = (0_u32..).zip(page.runs()).filter(|(_, run)| is_kept(run));
        let ranges = kept.map(|(run, _)| RunRange::whole_run(&page, run)).collect();
        let roots = vec![page.body()];
        let selection = Selection { roots, ranges, is_partial: true, ..Selection::default() };
        let mut renderer = crate::Renderer::new(crate::TextStyle::FORMED);
        let (mut text, mut markdown) = (String::new(), String::new());
        renderer.text(&page, &selection, &mut text);
        renderer.markdown(
            &page,
            &selection,
            None,
            crate::MarkdownOptions::default(),
            &mut markdown,
        );
        assert_eq!(
            (text.as_str(), markdown.as_str()),
            ("Choose from it", "Choose from it"),
            "{html}"
        );
    }
}
