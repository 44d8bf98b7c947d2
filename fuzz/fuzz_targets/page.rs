//! Any text as a page: spans of tokens are valid, ranges of nodes nest, and every extractor returns
//! only text of the page, in order.

#![no_main]

use huller_extract::{
    EXTRACTORS, Extractor, MarkdownOptions, Profile, Renderer, Selection, Verdict,
};
use huller_metadata::{Metadata, MetadataReader};
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class};
use huller_page::{Attributes, Page, PageBuf, RunFlags, Span, Token, Tokenizer};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    /// Buffers that were used for all earlier pages.
    static USED: RefCell<PageTools> = RefCell::new(PageTools::new());
}

struct PageTools {
    buffer: PageBuf,
    /// One worker of every extractor in both profiles.
    workers: Vec<Box<dyn Extractor>>,
    renderer: Renderer,
    metadata: MetadataReader,
}

impl PageTools {
    fn new() -> PageTools {
        let profiles = [Profile::Paper, Profile::Tuned];
        let workers =
            EXTRACTORS.iter().flat_map(|extractor| profiles.map(|one| extractor.worker(one)));
        PageTools {
            buffer: PageBuf::new(),
            workers: workers.collect(),
            renderer: Renderer::default(),
            metadata: MetadataReader::default(),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let html = huller_fuzz::text(bytes);
    check_tokens(&html);
    let fresh = read(&mut PageTools::new(), &html);
    let used = USED.with_borrow_mut(|tools| read(tools, &html));
    assert_eq!(fresh, used, "a page must not depend on those before it");
});

/// Checks that tokens are in order, do not overlap, and begin and end at the boundaries of scalars.
fn check_tokens(html: &str) {
    let mut tokenizer = Tokenizer::new(html);
    let mut attributes = Attributes::default();
    let mut end = 0;
    while let Some(token) = tokenizer.next(&mut attributes) {
        let (Token::Text { span, .. }
        | Token::Start { span, .. }
        | Token::End { span, .. }
        | Token::Comment(span)
        | Token::Doctype(span)) = token;
        assert!(end <= span.start, "{token:?} begins before {end}");
        slice(html, span);
        end = span.end;
        match token {
            Token::Start { name, .. } => {
                check_inside(html, name, span);
                for attribute in attributes.list() {
                    check_inside(html, attribute.name, span);
                    check_inside(html, attribute.value, span);
                }
            }
            Token::End { name, .. } => check_inside(html, name, span),
            _ => {}
        }
        assert!(end as usize <= tokenizer.position(), "{token:?} ends behind the tokenizer");
    }
    assert_eq!(tokenizer.position(), html.len(), "all is read");
}

fn check_inside(html: &str, inner: Span, outer: Span) {
    // An attribute without a value has an empty span, which may be anywhere.
    assert!(
        inner.is_empty() || (outer.start <= inner.start && inner.end <= outer.end),
        "{inner:?} in {outer:?}"
    );
    slice(html, inner);
}

fn slice(html: &str, span: Span) -> &str {
    &html[span.start as usize..span.end as usize]
}

/// Reads a page and checks its invariants. Returns the results of all extractors, and the metadata.
fn read(tools: &mut PageTools, html: &str) -> (Vec<(Verdict, Selection, String)>, Metadata) {
    let PageTools { buffer, workers, renderer, metadata } = tools;
    let page = buffer.fill(html);
    check_tree(&page);
    let visible = visible_text(&page);
    let mut made = Vec::new();
    for (place, worker) in workers.iter_mut().enumerate() {
        let mut selection = Selection::default();
        let verdict = worker.extract(&page, &mut selection);
        let name = EXTRACTORS[place / 2].name();
        assert!(verdict.score.is_none_or(f64::is_finite), "{name}: {verdict:?}");
        check_disjoint(&page, &selection.roots);
        check_disjoint(&page, &selection.removed);

        let (mut text, mut source) = (String::new(), String::new());
        renderer.text(&page, &selection, &mut text);
        check_subsequence(&text, &visible);
        renderer.source_html(&page, &selection, &mut source);
        source.clear();
        renderer.markdown(&page, &selection, None, MarkdownOptions::default(), &mut source);
        source.clear();
        renderer.html(&page, &selection, None, &mut source);
        made.push((verdict, selection, text));
    }
    let mut title = String::new();
    renderer.runs(&page, page.title(), &mut title);
    check_subsequence(&title, &visible);
    let mut found = Metadata::default();
    metadata.read(&page, Some(html), &mut found);
    for (field, longest) in [(&found.title, 200), (&found.author, 200), (&found.description, 1000)]
    {
        assert!(field.chars().count() <= longest && !field.contains('\n'), "{field:?}");
    }
    (made, found)
}

/// Checks that the children of a node are within it, one after another, by nodes, runs and bytes.
fn check_tree(page: &Page<'_>) {
    let (nodes, runs) = (page.nodes(), page.runs());
    let all = (nodes.len() as u32, runs.len() as u32, page.html().len() as u32);
    assert_eq!(
        (nodes[0].end, nodes[0].run_end, nodes[0].byte_end),
        all,
        "the root holds everything"
    );
    let mut before: Vec<(u32, u32, u32)> =
        nodes.iter().map(|node| (0, node.run_start, node.byte_start)).collect();
    for (i, node) in (0..).zip(nodes).skip(1) {
        let (parent, last) = (&nodes[node.parent as usize], &mut before[node.parent as usize]);
        assert!(
            node.parent < i && i < node.end && node.end <= parent.end && last.0 <= i,
            "{i} {node:?}"
        );
        assert!(
            last.1 <= node.run_start
                && node.run_start <= node.run_end
                && node.run_end <= parent.run_end,
            "{i} {node:?}"
        );
        assert!(
            last.2 <= node.byte_start
                && node.byte_start <= node.byte_end
                && node.byte_end <= parent.byte_end,
            "{i} {node:?}"
        );
        assert_eq!(node.level, parent.level + 1, "{i} {node:?}");
        *last = (node.end, node.run_end, node.byte_end);
        page.node_source(node);
        for attribute in page.attributes(node) {
            slice(page.html(), attribute.value);
        }
    }
    let mut end = 0;
    for (k, run) in runs.iter().enumerate() {
        let node = &nodes[run.node as usize];
        let bytes = node.byte_start..=node.byte_end;
        assert!(
            node.runs().contains(&k)
                && bytes.contains(&run.byte_start)
                && bytes.contains(&run.byte_end),
            "{run:?}"
        );
        assert!(
            end <= run.byte_start && run.byte_start < run.byte_end && run.counts.chars > 0,
            "{run:?}"
        );
        end = run.byte_end;
        page.run_source(run);
    }
}

/// Checks that the indices are those of nodes and ascend, and that each node begins after the one
/// before it ends.
fn check_disjoint(page: &Page<'_>, indices: &[u32]) {
    let ranges = indices.iter().map(|index| *index..page.nodes()[*index as usize].end);
    let disjoint = |a: &Range<u32>, b: &Range<u32>| a.end <= b.start;
    assert!(ranges.clone().zip(ranges.skip(1)).all(|(a, b)| disjoint(&a, &b)), "{indices:?}");
}

/// Returns the visible scalars of all runs.
fn visible_text(page: &Page<'_>) -> String {
    let mut text = String::new();
    for run in page.runs() {
        if run.flags.contains(RunFlags::REFERENCES) {
            entity::decode(page.run_source(run), Context::Text, &mut text);
        } else {
            text.push_str(page.run_source(run));
        }
    }
    text.retain(|c| matches!(char_class(c), CharClass::Visible | CharClass::Punctuation));
    text
}

/// Checks that the text consists of the page's scalars in order, with only single spaces and
/// newlines between them.
fn check_subsequence(text: &str, visible: &str) {
    assert_eq!(text.trim(), text, "nothing stands around a text");
    let mut rest = visible.chars();
    let mut white = false;
    for c in text.chars() {
        if matches!(c, ' ' | '\n') {
            assert!(!white, "white space is single: {text:?}");
            white = true;
        } else {
            white = false;
            assert!(rest.any(|other| other == c), "{c:?} of {text:?} is not of the page");
        }
    }
}
