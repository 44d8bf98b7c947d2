//! html5ever as an oracle, on crawled pages: its tokenizer against ours, its tree against our
//! columns.
//!
//! A normal run takes every eighth page of the shared data sets, one with `HULLER_FULL` set takes
//! all. Crawled pages are tame, so the tokenizers also read pages that are made up to be wild.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

mod support {
    pub(crate) mod pages;
}

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    self as peer, BufferQueue, TagKind, TokenSink, TokenSinkResult, TokenizerOpts,
};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use huller_page::entity::{self, Context};
use huller_page::{Attributes, PageBuf, Span, Tag, TagSet, TextKind, Token, Tokenizer, text};
use huller_testkit::datasets::each_text;
use huller_testkit::needs_shared;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use std::cell::RefCell;
use support::pages::{deep_page, html_page, mixed_page, soup};

needs_shared!(
    the_tokenizer_agrees_with_html5ever_on_crawled_pages,
    the_columns_hold_the_text_of_the_tree_of_html5ever,
);

/// Pages on which the tokenizers may differ: data set and number, reason.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[];

fn step() -> usize {
    if std::env::var_os("HULLER_FULL").is_some() { 1 } else { 8 }
}

/// What both tokenizers give.
#[derive(Clone, Debug, PartialEq)]
enum TokenPiece {
    /// `<name name="value">` or `</name>`
    Tag(String),
    /// Whatever stands between two tags, comments left out.
    Text(String),
}

#[derive(Debug, Default)]
struct Trace(Vec<TokenPiece>);

impl Trace {
    fn tag(&mut self, tag: String) {
        self.0.push(TokenPiece::Tag(tag));
    }

    fn text(&mut self, text: &str) {
        if let Some(TokenPiece::Text(before)) = self.0.last_mut() {
            before.push_str(text);
        } else {
            self.0.push(TokenPiece::Text(text.to_owned()));
        }
    }
}

fn start_tag(name: &str, attributes: impl Iterator<Item = (String, String)>) -> String {
    attributes
        .fold(format!("<{name}"), |tag, (name, value)| tag + " " + &name + "=\"" + &value + "\"")
        + ">"
}

/// The tokens of html5ever, all of the page being HTML content.
struct PeerTrace(RefCell<Trace>);

impl TokenSink for PeerTrace {
    type Handle = ();

    fn process_token(&self, token: peer::Token, _line: u64) -> TokenSinkResult<()> {
        let mut trace = self.0.borrow_mut();
        match token {
            peer::Token::CharacterTokens(text) => trace.text(&text),
            peer::Token::NullCharacterToken => trace.text("\0"),
            peer::Token::TagToken(tag) if tag.kind == TagKind::EndTag => {
                trace.tag(format!("</{}>", tag.name));
            }
            peer::Token::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                trace.tag(start_tag(
                    &tag.name,
                    attributes.map(|a| (a.name.local.to_string(), a.value.to_string())),
                ));
                return match &*tag.name {
                    "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                    "style" | "xmp" | "iframe" | "noembed" | "noframes" => {
                        TokenSinkResult::RawData(RawKind::Rawtext)
                    }
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    "plaintext" => TokenSinkResult::Plaintext,
                    _ => TokenSinkResult::Continue,
                };
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn peer_trace(html: &str) -> Trace {
    let sink = PeerTrace(RefCell::default());
    let tokenizer = peer::Tokenizer::new(
        sink,
        TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() },
    );
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.take()
}

fn our_trace(html: &str) -> Trace {
    let mut tokenizer = Tokenizer::new(html);
    let mut attributes = Attributes::default();
    let mut trace = Trace::default();
    // The standard does this to the input before it is read, and to NUL on the way.
    let source = |span: Span| {
        html[span.start as usize..span.end as usize].replace("\r\n", "\n").replace('\r', "\n")
    };
    let without_nul = |span: Span| source(span).replace('\0', "\u{fffd}");
    while let Some(token) = tokenizer.next(&mut attributes) {
        match token {
            Token::Text { span, kind: TextKind::Data } => {
                trace.text(&decode(&source(span), Context::Text));
            }
            Token::Text { span, kind: TextKind::Rcdata } => {
                trace.text(&decode(&without_nul(span), Context::Text));
            }
            Token::Text { span, kind: TextKind::Raw } => trace.text(&without_nul(span)),
            Token::Start { name, .. } => {
                let read = attributes.list().iter().map(|attribute| {
                    let name = without_nul(attribute.name).to_ascii_lowercase();
                    (name, decode(&without_nul(attribute.value), Context::Attribute))
                });
                trace.tag(start_tag(&without_nul(name).to_ascii_lowercase(), read));
            }
            Token::End { name, .. } => {
                trace.tag(format!("</{}>", without_nul(name).to_ascii_lowercase()));
            }
            Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    trace
}

fn decode(text: &str, context: Context) -> String {
    let mut out = String::new();
    entity::decode(text, context, &mut out);
    out
}

fn the_tokenizer_agrees_with_html5ever_on_crawled_pages() {
    let mut differences = Vec::new();
    let mut known = 0;
    let (mut bytes, mut tags) = (0, 0);
    let pages = each_text(step(), |page| {
        let (ours, peers) = (our_trace(&page.html).0, peer_trace(&page.html).0);
        bytes += page.html.len();
        tags += peers.len();
        if ours == peers {
            return;
        }
        if KNOWN_DIFFERENCES.iter().any(|(label, _)| *label == page.label) {
            known += 1;
            return;
        }
        let at = ours
            .iter()
            .zip(&peers)
            .position(|(a, b)| a != b)
            .unwrap_or(ours.len().min(peers.len()));
        differences.push(format!(
            "{} at token {at}:\n  ours  {:?}\n  peer  {:?}",
            page.label,
            ours.get(at),
            peers.get(at)
        ));
    });
    eprintln!(
        "tokens: {pages} pages, {} MB, {tags} tags and texts; {} differ, {known} for a known reason",
        bytes / 1_000_000,
        differences.len()
    );
    assert!(pages > 500, "only {pages} pages found");
    assert!(differences.is_empty(), "{} pages:\n{}", differences.len(), differences.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn the_tokenizer_agrees_with_html5ever_on_wild_pages(
        html in prop_oneof![8 => html_page(), 8 => soup(), 4 => mixed_page(), 1 => deep_page()],
    ) {
        prop_assert_eq!(our_trace(&html).0, peer_trace(&html).0);
    }
}

/// Elements whose text nobody sees. What stands in a `template` is no child of it in the oracle's
/// tree.
const UNSEEN: [Tag; 6] =
    [Tag::SCRIPT, Tag::STYLE, Tag::HEAD_ELEMENT, Tag::TEMPLATE, Tag::IFRAME, Tag::NOFRAMES];

/// Visible scalars of the oracle's tree.
fn peer_chars(html: &str) -> u32 {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let dom = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() })
        .one(html);
    let mut chars = 0;
    // The depth of a page is no bound on our stack.
    let mut open: Vec<Handle> = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        match &node.data {
            NodeData::Text { contents } => chars += text::count(&contents.borrow()).chars,
            NodeData::Element { name, .. }
                if UNSEEN.contains(&Tag::from_name(name.local.as_bytes())) =>
            {
                continue;
            }
            _ => {}
        }
        open.extend(node.children.borrow().iter().cloned());
    }
    chars
}

/// Visible scalars of our columns.
fn our_chars(buffer: &mut PageBuf, html: &str) -> u32 {
    let page = buffer.fill(html);
    let mut chars = 0;
    let mut run = 0;
    let mut node = 0;
    while let Some(here) = page.nodes().get(node) {
        // Where there is no `head` tag, what belongs in it stands below `html`.
        let implied_head = node > 0 && here.parent == 0 && here.is(TagSet::HEAD);
        let unseen = implied_head || UNSEEN.contains(&here.tag);
        // Runs before the next node begins, or all runs of an unseen one.
        let next = if unseen { here.end as usize } else { node + 1 };
        if unseen {
            run = here.run_end as usize;
        }
        let until =
            page.nodes().get(next).map_or(page.runs().len(), |next| next.run_start as usize);
        chars += page.runs()[run..until].iter().map(|run| run.counts.chars).sum::<u32>();
        run = until;
        node = next;
    }
    chars
}

/// What remains is known: a byte order mark or the text of a `noscript` in the head opens the body
/// there, not here; an element in a `template` in the head opens the body here, not there.
fn the_columns_hold_the_text_of_the_tree_of_html5ever() {
    const TOLERANCE_PER_MILLE: u32 = 5;
    let mut buffer = PageBuf::new();
    let mut off = Vec::new();
    let mut equal = 0;
    let pages = each_text(step(), |page| {
        let (ours, peers) = (our_chars(&mut buffer, &page.html), peer_chars(&page.html));
        equal += usize::from(ours == peers);
        if ours.abs_diff(peers) * 1_000 > peers * TOLERANCE_PER_MILLE {
            off.push(format!("{}: ours {ours}, html5ever {peers}", page.label));
        }
    });
    eprintln!(
        "text: {pages} pages, {equal} equal, {:.2} % within 0.5 %; the others:\n  {}",
        (pages - off.len()) as f64 / pages as f64 * 100.0,
        off.join("\n  ")
    );
    assert!(off.len() * 100 <= pages * 3, "{} of {pages} pages are off", off.len());
}
