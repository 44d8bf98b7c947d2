//! What holds of the columns of every page, however broken: checked by naive code that walks
//! parents, not ranges.

mod support {
    pub(crate) mod pages;
}

use huller_page::entity::{self, Context};
use huller_page::{
    AttributeName, Attributes, Node, NodeFlags, Page, PageBuf, Run, RunFlags, Tag, TextCounts,
    TextKind, Token, Tokenizer, text,
};
use huller_testkit::utf8;
use proptest::prelude::*;
use std::collections::HashSet;
use support::pages::{deep_page, html_page, mixed_page, soup};

/// The deepest level: elements at the cap hold all that is deeper.
const MAX_DEPTH: u16 = 513;

/// So many times the number of cases that proptest makes if not told.
fn times(factor: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { failure_persistence: None, cases: config.cases * factor, ..config }
}

proptest! {
    #![proptest_config(times(4))]

    #[test]
    fn columns_of_html_are_sound(html in html_page()) {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        check_tree(&page);
        check_against_tokens(&page);
    }

    #[test]
    fn columns_of_html_with_drawings_are_sound(html in mixed_page()) {
        check_tree(&PageBuf::new().fill(&html));
    }

    #[test]
    fn columns_of_markup_soup_are_sound(html in soup()) {
        check_tree(&PageBuf::new().fill(&html));
    }

    #[test]
    fn columns_of_any_bytes_are_sound(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_tree(&PageBuf::new().fill(&utf8::lossy(&bytes)));
    }

    #[test]
    fn nothing_leaks_from_one_page_to_the_next(first in mixed_page(), second in mixed_page()) {
        let mut used = PageBuf::new();
        used.fill(&first);
        let after_another = dump(&used.fill(&second));
        prop_assert_eq!(after_another, dump(&PageBuf::new().fill(&second)));
    }
}

proptest! {
    // The naive code is slow on these.
    #![proptest_config(times(1))]

    #[test]
    fn columns_of_deep_pages_are_sound(html in deep_page()) {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        check_tree(&page);
        if !html.contains("<svg>") {
            check_against_tokens(&page);
        }
    }
}

#[test]
fn the_source_of_a_node_ends_where_it_was_closed() {
    let mut buffer = PageBuf::new();
    let page =
        buffer.fill("<div><p><b>x</p ><i>y</div><p>z<br>w<p>v</section><ul><li>u<li>t</ul>s");
    let sources =
        page.nodes().iter().skip(2).map(|node| page.node_source(node)).collect::<Vec<_>>();
    let expected = [
        "<div><p><b>x</p ><i>y</div>",
        "<p><b>x</p >",
        "<b>x",
        "<i>y",
        "<p>z<br>w",
        "<br>",
        "<p>v</section>",
        "<ul><li>u<li>t</ul>",
        "<li>u",
        "<li>t",
    ];
    assert_eq!(sources, expected);
}

#[test]
fn a_byte_order_mark_at_the_start_opens_no_body_but_other_text_does() {
    let mut buffer = PageBuf::new();
    for (html, in_body) in [
        ("\u{feff}<!doctype html><title>t</title>x", false),
        ("\u{feff} \n<title>t</title>x", false),
        ("<title>t</title>x", false),
        ("<head>\u{feff}<title>t</title>x", true),
        ("\u{a0}<title>t</title>x", true),
    ] {
        let page = buffer.fill(html);
        let title = page.nodes().iter().find(|node| node.tag == Tag::TITLE).expect("a title");
        assert_eq!(page.nodes()[title.parent as usize].tag == Tag::BODY, in_body, "{html:?}");
    }
}

#[test]
fn every_scalar_counts_as_it_is_defined() {
    for c in '\0'..=char::MAX {
        let text = format!("a{c}b {c}{c} c");
        assert_eq!(text::count(&text), naive_counts(&text), "{c:?}");
    }
}

#[test]
fn text_after_a_nest_deeper_than_the_tree_stands_where_it_would_without() {
    let mut buffer = PageBuf::new();
    let (open, close) = (|n| "<div>".repeat(n), |n| "</div>".repeat(n));
    let html = format!("<body>{}inner{}half{}<p>after", open(600), close(200), close(400));
    let page = buffer.fill(&html);
    let levels = page.runs().iter().map(|run| page.nodes()[run.node as usize].level);
    assert_eq!(levels.collect::<Vec<_>>(), [MAX_DEPTH - 1, 2 + 400, 3]);
}

#[test]
fn drawings_hold_text_and_code_as_svg_has_it() {
    let mut buffer = PageBuf::new();
    for (html, expected) in [
        (
            "<svg><title>a &amp; b</title><text>t<![CDATA[c <d>]]></svg>e<![CDATA[f]]>",
            &["a &amp; b", "t", "c <d>", "e"][..],
        ),
        ("<svg><script>if (a<b) '<p>'</script><text>t</svg>e", &["t", "e"]),
        ("<svg><script/><style/><title/><text>t</svg>e", &["t", "e"]),
        (
            "<svg><desc><textarea><b></textarea><![CDATA[x]]></desc><![CDATA[y]]></svg>",
            &["<b>", "y"],
        ),
        (
            "<math><mi>x</mi><![CDATA[y]]></math><svg><g>a<p>b<![CDATA[z]]>c",
            &["x", "y", "a", "b", "c"],
        ),
        (
            "<script>if (a<b) '<p>'</script><title>a<b></title><xmp><p>&amp;</p></xmp>",
            &["a<b>", "<p>&amp;</p>"],
        ),
    ] {
        let page = buffer.fill(html);
        let texts = page.runs().iter().map(|run| page.run_source(run)).collect::<Vec<_>>();
        assert_eq!(texts, expected, "{html}");
    }
}

/// All that a page says, as text.
fn dump(page: &Page<'_>) -> String {
    let attributes = page.nodes().iter().map(|node| page.attributes(node)).collect::<Vec<_>>();
    format!("{:?}\n{:?}\n{attributes:?}\n{:?}", page.nodes(), page.runs(), page.title())
}

/// The definition of the counts, by words.
fn naive_counts(text: &str) -> TextCounts {
    let counted = |c: &char| {
        !matches!(
            c,
            '\0' | '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}'
        )
    };
    let words =
        text.split(char::is_whitespace).map(|word| word.chars().filter(counted).count() as u32);
    let words = words.filter(|chars| *chars > 0).collect::<Vec<_>>();
    let punctuation =
        text.chars().filter(|c| ",.?:;'\"!%()，。？！、；：“”‘’《》（）".contains(*c)).count()
            as u32;
    TextCounts {
        chars: words.iter().sum(),
        gaps: words.len().saturating_sub(1) as u32,
        punctuation,
    }
}

fn decoded(text: &str) -> String {
    let mut out = String::new();
    entity::decode(text, Context::Text, &mut out);
    out
}

/// The nodes from the root to `node`, in ascending order.
fn path(nodes: &[Node], node: u32) -> Vec<u32> {
    let mut path = vec![node];
    while path[path.len() - 1] != 0 {
        path.push(nodes[path[path.len() - 1] as usize].parent);
    }
    path.reverse();
    path
}

/// What the columns promise of themselves.
fn check_tree(page: &Page<'_>) {
    let (nodes, runs) = (page.nodes(), page.runs());
    let (node_count, run_count, bytes) =
        (nodes.len() as u32, runs.len() as u32, page.html().len() as u32);
    let root = &nodes[0];
    assert_eq!((root.tag, root.parent, root.level, root.end), (Tag::HTML, 0, 1, node_count));
    assert_eq!(
        (root.byte_start, root.byte_end, root.run_start, root.run_end),
        (0, bytes, 0, run_count)
    );
    let bodies = (0..node_count).filter(|i| nodes[*i as usize].tag == Tag::BODY);
    assert!(bodies.eq([page.body()]), "one body, at {}", page.body());

    let moved = MovedNodes::of(page);
    let mut children = vec![0; nodes.len()];
    // Where the last child so far of each node ended: bytes, then nodes, then runs.
    let mut last: Vec<(u32, u32, u32)> =
        nodes.iter().map(|node| (node.byte_start, 0, node.run_start)).collect();
    for (i, node) in nodes.iter().enumerate().skip(1) {
        let parent = &nodes[node.parent as usize];
        assert!(node.parent < i as u32 && node.end > i as u32, "{i}: {node:?}");
        assert!(
            i as u32 >= last[node.parent as usize].1 && node.end <= parent.end,
            "nodes of {i}: {node:?} in {parent:?}"
        );
        let is_moved = moved.is(node.byte_start, i as u32);
        assert!(
            is_moved || last[node.parent as usize].0 <= node.byte_start,
            "bytes of {i}: {node:?} begins in its brother"
        );
        assert!(
            node.byte_start <= node.byte_end && node.byte_end <= parent.byte_end,
            "bytes of {i}: {node:?} in {parent:?}"
        );
        assert!(last[node.parent as usize].2 <= node.run_start, "runs of {i}: {node:?}");
        assert!(
            node.run_start <= node.run_end && node.run_end <= parent.run_end,
            "runs of {i}: {node:?} in {parent:?}"
        );
        let ended = if is_moved { last[node.parent as usize].0 } else { node.byte_end };
        last[node.parent as usize] = (ended, node.end, node.run_end);
        assert_eq!(node.level, parent.level + 1, "{i}: {node:?}");
        assert!(node.level <= MAX_DEPTH, "{i}: {node:?}");
        children[node.parent as usize] += u32::from(node.tag != Tag::BR && node.tag != Tag::WBR);
        // Both slices must lie on the borders of scalars.
        let source = page.node_source(node);
        for attribute in page.attributes(node) {
            let value = page.attribute(node, attribute.name).expect("the attribute is kept");
            assert!(node.tag == Tag::BODY || source.contains(value), "{attribute:?} of {source:?}");
        }
        let names: HashSet<AttributeName> =
            page.attributes(node).iter().map(|attribute| attribute.name).collect();
        assert_eq!(names.len(), page.attributes(node).len(), "each name once");
        let ancestors = path(nodes, i as u32);
        let tags = || ancestors.iter().map(|ancestor| nodes[*ancestor as usize].tag);
        // A link may end before an element in it does.
        assert!(
            !node.flags.contains(NodeFlags::IN_LINK) || tags().any(|tag| tag == Tag::A),
            "{i}: {node:?}"
        );
        let foreign = tags().any(|tag| tag == Tag::SVG || tag == Tag::MATH);
        assert!(foreign || !node.flags.contains(NodeFlags::FOREIGN), "{i}: {node:?}");
    }

    let mut before: Option<&Run> = None;
    for (k, run) in runs.iter().enumerate() {
        let node = &nodes[run.node as usize];
        assert!(node.runs().contains(&k), "{k}: {run:?} of {node:?}");
        let innermost =
            nodes.iter().filter(|node| node.runs().contains(&k)).map(|node| node.level).max();
        assert_eq!(innermost, Some(node.level), "{k}: {run:?} belongs to a child of its node");
        assert!(run.byte_start < run.byte_end, "{k}: {run:?} is empty");
        assert!(
            node.byte_start <= run.byte_start && run.byte_end <= node.byte_end,
            "{k}: {run:?} of {node:?}"
        );
        children[run.node as usize] += 1;

        let source = page.run_source(run);
        let text = if run.flags.contains(RunFlags::REFERENCES) {
            decoded(source)
        } else {
            source.to_owned()
        };
        assert_eq!(run.counts, naive_counts(&text), "{k}: {text:?}");
        assert!(run.counts.chars > 0, "{k}: {run:?} holds nothing");
        assert!(
            !run.flags.contains(RunFlags::IN_LINK) || node.flags.contains(NodeFlags::IN_LINK),
            "{k}: {run:?}"
        );
        assert_eq!(
            run.flags.contains(RunFlags::PREFORMATTED),
            node.flags.contains(NodeFlags::PREFORMATTED),
            "{k}: {run:?}"
        );

        // Between two runs the builder climbs to the lowest node that has both, and no further.
        let common = before.map_or(1, |before| {
            let (a, b) = (path(nodes, before.node), path(nodes, run.node));
            a.iter().zip(&b).take_while(|(a, b)| a == b).count()
        });
        assert_eq!(usize::from(run.min_level), common, "{k}: {run:?} after {before:?}");
        before = Some(run);
    }

    let mut white_before = (0, 0);
    for white in page.white_runs() {
        let node = &nodes[white.node as usize];
        assert!(node.flags.contains(NodeFlags::PREFORMATTED), "{white:?}");
        assert!((node.run_start..=node.run_end).contains(&white.run), "{white:?} of {node:?}");
        assert!((white.run, white.span.start) >= white_before, "{white:?} is in the wrong order");
        white_before = (white.run, white.span.end);
        let text =
            decoded(std::str::from_utf8(white.span.slice(page.html().as_bytes())).expect("text"));
        assert_eq!(naive_counts(&text).chars, 0, "{white:?}");
    }

    let mut in_source = runs.iter().collect::<Vec<_>>();
    if moved.any(page) {
        in_source.sort_by_key(|run| run.byte_start);
    }
    assert!(
        in_source.windows(2).all(|pair| pair[0].byte_end <= pair[1].byte_start),
        "runs overlap or stand in the wrong order"
    );

    let paths = runs.iter().map(|run| path(nodes, run.node)).collect::<Vec<_>>();
    for (i, node) in nodes.iter().enumerate() {
        assert_eq!(u32::from(node.children), children[i], "children of {i}: {node:?}");
        let inside =
            runs.iter().zip(&paths).filter(|(_, path)| path.binary_search(&(i as u32)).is_ok());
        let chars = inside.map(|(run, _)| run.counts.chars).sum::<u32>();
        assert_eq!(
            runs[node.runs()].iter().map(|run| run.counts.chars).sum::<u32>(),
            chars,
            "text of {i}: {node:?}"
        );
    }
}

/// Which nodes and runs stand in a table and were moved before it.
struct MovedNodes<'a> {
    nodes: &'a [Node],
    tables: Vec<u32>,
}

impl MovedNodes<'_> {
    fn of<'a>(page: &Page<'a>) -> MovedNodes<'a> {
        let nodes = page.nodes();
        let tables = (0..nodes.len() as u32).filter(|i| nodes[*i as usize].tag == Tag::TABLE);
        MovedNodes { nodes, tables: tables.collect() }
    }

    /// Whether what begins at offset `at`, a node or a text of it, does.
    fn is(&self, at: u32, node: u32) -> bool {
        self.tables.iter().any(|table| {
            let Node { byte_start, byte_end, end, .. } = self.nodes[*table as usize];
            (byte_start + 1..byte_end).contains(&at) && !(*table..end).contains(&node)
        })
    }

    /// Whether any run does.
    fn any(&self, page: &Page<'_>) -> bool {
        page.runs().iter().any(|run| self.is(run.byte_start, run.node))
    }
}

/// What a token does, in a page of HTML content only.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Visible,
    White,
    /// Comments, document types, scripts, text that is only zero-width.
    Nothing,
    Start,
    End,
}

/// What the columns owe to the tokens. The page must not hold `svg` or `math`, where tokens depend
/// on the tree.
fn check_against_tokens(page: &Page<'_>) {
    let html = page.html();
    let mut tokenizer = Tokenizer::new(html);
    let mut attributes = Attributes::default();
    let mut last_start = Tag::UNKNOWN;
    let mut tokens: Vec<(Role, u32, u32)> = Vec::new();
    let mut chars = 0;
    let mut roots = [Some(canonical("html", &[])), Some(canonical("body", &[]))];
    let mut in_source = page.runs().iter().collect::<Vec<_>>();
    in_source.sort_by_key(|run| run.byte_start);
    let mut runs = in_source.into_iter();
    while let Some(token) = tokenizer.next(&mut attributes) {
        tokens.push(match token {
            Token::Text { span, kind: TextKind::Raw }
                if matches!(last_start, Tag::SCRIPT | Tag::STYLE) =>
            {
                (Role::Nothing, span.start, span.end)
            }
            Token::Text { span, kind } => {
                let source = &html[span.start as usize..span.end as usize];
                let text = if kind == TextKind::Raw { source.to_owned() } else { decoded(source) };
                let counts = naive_counts(&text);
                chars += counts.chars;
                let role = if counts.chars > 0 {
                    let run = runs.next().expect("each visible text is a run");
                    assert_eq!(
                        (run.byte_start, run.byte_end, run.counts),
                        (span.start, span.end, counts)
                    );
                    Role::Visible
                } else if text.contains(char::is_whitespace) {
                    Role::White
                } else {
                    Role::Nothing
                };
                (role, span.start, span.end)
            }
            Token::Start { span, tag, name, .. } => {
                last_start = tag;
                let name =
                    std::str::from_utf8(name.slice(html.as_bytes())).expect("a name is text");
                let attributes = attributes.list().iter().map(|attribute| {
                    let text =
                        |span: huller_page::Span| &html[span.start as usize..span.end as usize];
                    (text(attribute.name), text(attribute.value))
                });
                let length = canonical(name, &attributes.collect::<Vec<_>>());
                // The attributes of the first `html` and `body` tag count.
                let root = [Tag::HTML, Tag::BODY].iter().position(|root| *root == tag);
                if let Some(root) = root {
                    if let Some(length_without) = roots[root].take() {
                        let node = page
                            .nodes()
                            .iter()
                            .find(|node| node.tag == tag)
                            .expect("both are there");
                        assert_eq!(node.markup_chars, length.max(length_without), "{tag:?}");
                    }
                } else if let Some(node) = page
                    .nodes()
                    .iter()
                    .find(|node| node.byte_start == span.start && node.tag == tag)
                {
                    assert_eq!(node.markup_chars, length, "{:?}", page.node_source(node));
                } else {
                    assert!(MAY_OPEN_NONE.contains(&tag), "{tag:?} is left out");
                }
                (Role::Start, span.start, span.end)
            }
            Token::End { span, .. } => (Role::End, span.start, span.end),
            Token::Comment(span) | Token::Doctype(span) => (Role::Nothing, span.start, span.end),
        });
    }
    assert!(runs.next().is_none(), "a run that is no visible text");
    assert_eq!(page.runs().iter().map(|run| run.counts.chars).sum::<u32>(), chars, "the naive sum");

    let body =
        page.nodes().iter().find(|node| node.tag == Tag::BODY).expect("there is a body").byte_start;
    let spaces = Spaces { tokens, body, page };
    let moved = MovedNodes::of(page);
    for run in page.runs().iter().filter(|run| !moved.is(run.byte_start, run.node)) {
        spaces.check(run.byte_start, run.flags.contains(RunFlags::SPACE_BEFORE), run);
    }
    for (i, node) in page.nodes().iter().enumerate() {
        let is_root = matches!(node.tag, Tag::HTML | Tag::BODY);
        if !is_root && !moved.is(node.byte_start, i as u32) {
            spaces.check(node.byte_start, node.flags.contains(NodeFlags::SPACE_BEFORE), node);
        }
        if node.flags.contains(NodeFlags::SPACE_AT_END) {
            let end =
                spaces.tokens.iter().find(|token| token.0 == Role::End && token.2 == node.byte_end);
            assert!(
                spaces.before(end.map_or(node.byte_end, |end| end.1)).1,
                "no white space at the end of {node:?}"
            );
        }
    }
}

/// Tags that open no element where they mean nothing: a late head, a form in a form, a part of a
/// table outside of one.
const MAY_OPEN_NONE: [Tag; 12] = [
    Tag::HEAD_ELEMENT,
    Tag::FORM,
    Tag::SELECT,
    Tag::CAPTION,
    Tag::COL,
    Tag::COLGROUP,
    Tag::TBODY,
    Tag::TFOOT,
    Tag::THEAD,
    Tag::TR,
    Tag::TD,
    Tag::TH,
];

/// Length of the tags of an element in canonical form.
fn canonical(name: &str, attributes: &[(&str, &str)]) -> u32 {
    const VOID: &str = " area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr ";
    let name_chars = name.chars().count();
    let is_void = VOID.contains(&format!(" {} ", name.to_ascii_lowercase()));
    let tags = 2 + name_chars + if is_void { 0 } else { 3 + name_chars };
    let kept = attributes
        .iter()
        .filter(|(name, _)| !["id", "class", "style"].contains(&&*name.to_ascii_lowercase()));
    let value = |value: &str| if value.is_empty() { 0 } else { 3 + value.chars().count() };
    (tags + kept.map(|(name, v)| 1 + name.chars().count() + value(v)).sum::<usize>()) as u32
}

/// Where white space stands between tokens.
struct Spaces<'a> {
    tokens: Vec<(Role, u32, u32)>,
    /// White space before the body does not count.
    body: u32,
    page: &'a Page<'a>,
}

impl Spaces<'_> {
    /// Whether white space stands directly before the token that begins at `at`, and whether it
    /// does so across tags that mean nothing (end tags that end no element, a second `body`).
    fn before(&self, at: u32) -> (bool, bool) {
        let mut direct = true;
        for (role, start, end) in self.tokens.iter().rev().filter(|token| token.1 < at) {
            match role {
                Role::White => return (direct && *start >= self.body, *start >= self.body),
                Role::Nothing => {}
                Role::Visible => return (false, false),
                Role::End | Role::Start => {
                    // A lone `</p>` begins an element.
                    let means_something = |node: &Node| {
                        let begins = node.byte_start == *start && node.tag != Tag::HTML;
                        let ends = node.byte_end == *end || node.byte_end == *start;
                        begins || *role == Role::End && ends
                    };
                    if self.page.nodes().iter().any(means_something) {
                        return (false, false);
                    }
                    direct = false;
                }
            }
        }
        (false, false)
    }

    fn check(&self, at: u32, flag: bool, of: &dyn std::fmt::Debug) {
        let (direct, across) = self.before(at);
        // An element that ends there comes first.
        let ends_here =
            |node: &Node| node.byte_end == at && node.flags.contains(NodeFlags::SPACE_AT_END);
        assert!(
            flag || !direct || self.page.nodes().iter().any(ends_here),
            "white space before {of:?} goes unnoticed"
        );
        assert!(!flag || across, "no white space before {of:?}");
    }
}
