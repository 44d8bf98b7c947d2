//! Reads the article that a page states in JSON-LD and does not show.
//!
//! A page that scripts fill has menus and small print in its markup, and may state its article in
//! JSON-LD. Then the article is read as a page of its own: its lines are paragraphs, and tags and
//! character references in it count. It is taken only if the markup lacks it. This requires that
//! most of its letters are missing from the markup in this order, and that the unlinked text of the
//! markup is shorter.
//!
//! Cost: O(bytes), on pages that name a member for the text of an article.

use crate::json_ld::JsonLd;
use crate::line::unicode_escape;
use huller_page::entity::{Context, decode};
use huller_page::memory::clear_and_shrink;
use huller_page::{Attributes, NodeFlags, Page, PageBuf, RunFlags, Tag, TagTable};
use huller_select::no_content;
use memchr::memmem;
use std::collections::HashSet;

/// Members of JSON-LD for the text of an article, with their quotes.
const MEMBERS: [&[u8]; 3] = [b"\"articleBody\"", b"\"reviewBody\"", b"\"text\""];

/// Smallest length of a text that counts as an article, in bytes.
const MIN_TEXT_BYTES: usize = 250;

/// Largest length that is read, in bytes. The bound keeps memory small.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Number of letters and digits that are compared at once.
const WINDOW: usize = 20;

/// One window in this many is compared, selected by its content.
const SAMPLED: u64 = 8;

/// Samples whose memory is kept after a page; the memory of more samples is released.
const MAX_KEPT_SAMPLES: usize = 1 << 14;

/// The markup has the article if it contains at least one in this many of the article's windows.
const COVERED: usize = 4;

/// Finds the articles that pages state and do not show. Owns and reuses its buffers; each worker
/// has one.
///
/// ```
/// use huller_metadata::StatedArticle;
/// use huller_page::PageBuf;
///
/// let text = "Rain fell all day, and the roads were shut.\\n".repeat(9);
/// let html = format!("<script type='application/ld+json'>{{\"articleBody\":\"{text}\"}}</script><div id=root></div>");
/// let mut buffer = PageBuf::new();
/// let mut article = StatedArticle::default();
/// assert_eq!(article.article_page(&buffer.fill(&html)).unwrap().runs().len(), 9);
/// ```
#[derive(Default)]
pub struct StatedArticle {
    attributes: Attributes,
    /// The text without the escapes of JSON.
    text: String,
    html: String,
    page: PageBuf,
    samples: HashSet<u64>,
    decoded: String,
}

impl std::fmt::Debug for StatedArticle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StatedArticle").field("html", &self.html).finish_non_exhaustive()
    }
}

impl StatedArticle {
    /// Returns the article as a page. `None` if the page states no article, or has it in its
    /// markup.
    pub fn article_page(&mut self, page: &Page<'_>) -> Option<Page<'_>> {
        let StatedArticle { attributes, text, html, page: buffer, samples, decoded } = self;
        let stated = article_text(page, attributes)?;
        unescape(stated, text);
        write_html(text, html);
        let article = buffer.fill(html);
        let mut windows = Windows::default();
        samples.clear();
        let length = letters(&article, decoded, |letter| {
            windows.add(letter).into_iter().for_each(|window| _ = samples.insert(window));
            true
        });
        let (all, mut windows) = (samples.len(), Windows::default());
        let lacks = |samples: &HashSet<u64>| (all - samples.len()) * COVERED < all;
        let shown = letters(page, decoded, |letter| {
            windows.add(letter).is_none_or(|window| {
                samples.remove(&window);
                lacks(samples)
            })
        });
        let is_lacking = lacks(samples);
        if samples.capacity() > MAX_KEPT_SAMPLES {
            *samples = HashSet::new();
        }
        (shown < length && is_lacking).then_some(article)
    }
}

/// Returns the text of the article that the scripts of a page state, as an escaped JSON string.
fn article_text<'a>(page: &Page<'a>, attributes: &mut Attributes) -> Option<&'a str> {
    let scripts = page.nodes().iter().filter(|node| node.tag == Tag::SCRIPT);
    let names_text =
        |json: &str| MEMBERS.iter().any(|m| memmem::find(json.as_bytes(), m).is_some());
    if !scripts.clone().any(|script| page.json_ld(script, attributes).is_some_and(names_text)) {
        return None;
    }
    let mut found = JsonLd::default();
    scripts.for_each(|script| {
        page.json_ld(script, attributes).into_iter().for_each(|json| found.read(json));
    });
    found.body().filter(|body| (MIN_TEXT_BYTES..=MAX_TEXT_BYTES).contains(&body.len()))
}

/// Writes a JSON string without its escapes. Keeps line breaks.
fn unescape(string: &str, out: &mut String) {
    empty(out);
    let mut rest = string;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut escape = rest[at + 1..].chars();
        match escape.next() {
            Some('u') => {
                let (c, after) = unicode_escape(escape.as_str());
                out.push(c);
                rest = after;
                continue;
            }
            Some('n' | 'r') => out.push('\n'),
            Some('t' | 'b' | 'f') => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
        rest = escape.as_str();
    }
    out.push_str(rest);
}

/// Writes the text of an article as HTML. Tags in it stay tags. If it has no block tags, its lines
/// become paragraphs.
fn write_html(text: &str, html: &mut String) {
    const BLOCKS: &[&str] =
        &["p", "div", "h1", "h2", "h3", "h4", "ul", "ol", "table", "blockquote", "section"];
    const INLINE: &[&str] =
        &["a", "b", "i", "em", "strong", "span", "br", "img", "sup", "sub", "u", "code"];
    empty(html);
    let escaped;
    let has_escaped = |names: &[&str]| names.iter().any(|name| has_tag(text, "&lt;", name));
    let text = if !has_any_tag(text, BLOCKS) && (has_escaped(BLOCKS) || has_escaped(INLINE)) {
        // The tags were escaped for HTML before they were escaped for JSON.
        escaped = text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&");
        &escaped
    } else {
        text
    };
    html.push_str("<!DOCTYPE html><body><article>");
    if has_any_tag(text, BLOCKS) {
        html.push_str(text);
    } else {
        let has_tags = has_any_tag(text, INLINE);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            html.push_str("<p>");
            if has_tags {
                html.push_str(line);
            } else {
                let mut rest = line;
                while let Some(at) = rest.find('<') {
                    html.push_str(&rest[..at]);
                    html.push_str("&lt;");
                    rest = &rest[at + 1..];
                }
                html.push_str(rest);
            }
            html.push_str("</p>\n");
        }
    }
    html.push_str("</article>");
}

fn has_any_tag(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| has_tag(text, "<", name))
}

/// Returns whether a text has a start or end tag of this name, after the signs in `opening`.
fn has_tag(text: &str, opening: &str, name: &str) -> bool {
    /// Largest length in bytes of a recognised tag.
    const MAX_TAG_BYTES: usize = 1000;
    memmem::find_iter(text.as_bytes(), opening.as_bytes()).any(|at| {
        let tag = &text.as_bytes()[at + opening.len()..];
        let tag = tag.strip_prefix(b"/").unwrap_or(tag);
        let Some(start) = tag.get(..name.len()) else { return false };
        let after = &tag[name.len()..tag.len().min(MAX_TAG_BYTES)];
        let ends = |byte: &u8| matches!(byte, b'>' | b'/' | b'&') || byte.is_ascii_whitespace();
        let own = memmem::find(after, opening.as_bytes()).unwrap_or(after.len());
        let closing: &[u8] = if opening == "<" { b">" } else { b"&gt;" };
        start.eq_ignore_ascii_case(name.as_bytes())
            && after.first().is_some_and(ends)
            && memmem::find(&after[..own], closing).is_some()
    })
}

fn empty(text: &mut String) {
    const MAX_KEPT_BYTES: usize = 1 << 16;
    let mut bytes = std::mem::take(text).into_bytes();
    clear_and_shrink(&mut bytes, MAX_KEPT_BYTES);
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// Elements whose text readers do not see as text.
static SKIPPED: TagTable =
    no_content::CORE.with(&[Tag::TEMPLATE, Tag::IFRAME, Tag::NOEMBED, Tag::NOFRAMES]);

/// Calls `take` with the letters and digits of a page in document order, in lower case, until it
/// returns false. Returns the number of unlinked ones.
fn letters(page: &Page<'_>, decoded: &mut String, mut take: impl FnMut(char) -> bool) -> usize {
    let nodes = page.nodes();
    let body = &nodes[page.body() as usize];
    let mut unlinked = 0;
    // Returns whether it reached the end of the range.
    let mut runs = |range: std::ops::Range<u32>| {
        for run in &page.runs()[range.start as usize..range.end.max(range.start) as usize] {
            let is_linked = nodes[run.node as usize].flags.contains(NodeFlags::IN_LINK);
            let mut source = page.run_source(run);
            if run.flags.contains(RunFlags::REFERENCES) {
                decoded.clear();
                decode(source, Context::Text, decoded);
                source = decoded;
            }
            let mut take_next = |letter| {
                unlinked += usize::from(!is_linked);
                take(letter)
            };
            for c in source.chars() {
                let goes_on = if c.is_ascii() {
                    !c.is_ascii_alphanumeric() || take_next(c.to_ascii_lowercase())
                } else {
                    !c.is_alphanumeric() || c.to_lowercase().all(&mut take_next)
                };
                if !goes_on {
                    return false;
                }
            }
        }
        true
    };
    let (mut at, mut run) = (page.body() as usize, body.run_start);
    while at < body.end as usize {
        let node = &nodes[at];
        if SKIPPED.contains(node.tag) {
            if !runs(run..node.run_start) {
                return unlinked;
            }
            run = run.max(node.run_end);
            at = node.end as usize;
        } else {
            at += 1;
        }
    }
    runs(run..body.run_end);
    unlinked
}

/// Hashes of windows over a sequence of letters.
#[derive(Debug, Default)]
struct Windows {
    letters: [u32; WINDOW],
    /// Index of the oldest letter, which the next one replaces.
    oldest: usize,
    count: usize,
    hash: u64,
}

impl Windows {
    const FACTOR: u64 = 0x0100_0000_01B3;

    /// Adds a letter. Returns the hash of the window that ends at it, if that window is sampled.
    fn add(&mut self, letter: char) -> Option<u64> {
        /// `FACTOR` to the power of `WINDOW`.
        const OLDEST: u64 = {
            let (mut power, mut at) = (1_u64, 0);
            while at < WINDOW {
                power = power.wrapping_mul(Windows::FACTOR);
                at += 1;
            }
            power
        };
        let oldest = std::mem::replace(&mut self.letters[self.oldest], u32::from(letter));
        self.oldest = if self.oldest + 1 == WINDOW { 0 } else { self.oldest + 1 };
        self.hash = (self.hash.wrapping_mul(Windows::FACTOR))
            .wrapping_add(u64::from(letter))
            .wrapping_sub(u64::from(oldest).wrapping_mul(OLDEST));
        self.count += 1;
        let mixed = self.hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        (self.count >= WINDOW && mixed.is_multiple_of(SAMPLED)).then_some(self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 4] = [
        "The reed boats are tied at the same quay, and every spring the owners meet to repair them.",
        "The hardest part is not the weaving but the drying, since the reeds must lie in the shade.",
        "Last year the council offered the old tannery, whose roof leaked in two places.",
        "A compromise was found in autumn: the hall is open from April to June only.",
    ];

    /// Returns the text of the article on a page that states it with this JSON string and shows
    /// this markup.
    fn article(json: &str, markup: &str) -> Option<String> {
        let html = format!(
            "<title>Boats</title><script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"articleBody\":\"{json}\"}}</script>{markup}"
        );
        let mut buffer = PageBuf::new();
        let mut article = StatedArticle::default();
        let page = article.article_page(&buffer.fill(&html))?;
        let (mut renderer, mut text) = (huller_select::Renderer::default(), String::new());
        renderer.body_text(&page, &mut text);
        Some(text)
    }

    #[test]
    fn lines_and_tags_become_blocks() {
        let expected = Some(LINES.join("\n"));
        let joined = |between: &str| LINES.join(between);
        let paragraphs = |open: &str, close: &str| -> String {
            LINES.iter().flat_map(|line| [open, *line, close]).collect()
        };
        for json in [
            joined(r"\n"),
            joined(r"\r\n\r\n"),
            joined("\n"),
            joined(r"<br\/>\n"),
            paragraphs("<p>", r"<\/p>"),
            paragraphs(r#"<p class=\"x\">"#, "</p>"),
            paragraphs(r"\u003cp\u003e", r"\u003c/p\u003e"),
            paragraphs("&lt;p&gt;", "&lt;/p&gt;"),
            paragraphs("<div>", "</div><script>x()</script>").replace("<script>x()</script>", ""),
        ] {
            assert_eq!(article(&json, "<div id=root></div>"), expected, "{json}");
        }
    }

    #[test]
    fn references_escapes_and_signs_are_text() {
        let end = r" \u00fcber &amp; &#252;ber, 1 < 2 and a<b \ud83d\ude00 &ldquo;so&rdquo;";
        let text = article(&format!("{}{end}", LINES.join(" ")), "").unwrap();
        assert!(text.ends_with(" über & über, 1 < 2 and a<b 😀 “so”"), "{text}");
    }

    #[test]
    fn the_markup_wins_where_it_has_the_article() {
        let json = LINES.join(r"\n");
        let shown: String = LINES.iter().flat_map(|line| ["<p>", *line]).collect();
        let coded = shown.replace('e', "&#101;").replace("the", "<b>the</b>");
        let hidden = format!("<div hidden>{shown}</div>");
        let noscript = format!("<noscript>{shown}</noscript>");
        for markup in [&shown, &coded, &hidden, &noscript, &shown.to_uppercase()] {
            assert_eq!(article(&json, markup), None, "{markup}");
        }
        let other = "<p>Another text, of a page that has much to state by itself. ".repeat(9);
        assert_eq!(article(&json, &other), None);
        let menu = "<a href=/w>The weather in all the towns around the lake</a>".repeat(20);
        let script = format!("<script>let text = '{}'</script>", LINES.join(" "));
        for markup in [&menu, &script, "<p>© 2021. All rights reserved.", LINES[0]] {
            assert!(article(&json, markup).is_some(), "{markup}");
        }
    }

    #[test]
    fn short_long_and_absent_texts_are_no_articles() {
        assert_eq!(article("It rained.", ""), None);
        assert_eq!(article(&" ".repeat(MIN_TEXT_BYTES), ""), None);
        assert_eq!(article(&"rain ".repeat(MAX_TEXT_BYTES / 5 + 1), ""), None);
        let mut buffer = PageBuf::new();
        assert!(
            StatedArticle::default().article_page(&buffer.fill("<p>\"articleBody\"")).is_none()
        );
    }

    #[test]
    fn a_text_in_a_script_without_spaces_is_found() {
        let json = "芦苇船停在同一个码头，每年春天船主们聚在一起修理。".repeat(2)
            + "最难的不是编织而是晾干，因为芦苇必须在阴凉处放三个星期，谁也没有足够的谷仓。";
        assert_eq!(article(&json, "<p>天气").as_deref(), Some(json.as_str()));
        assert_eq!(article(&json, &format!("<p>{json}")), None);
    }

    #[test]
    fn windows_depend_on_their_letters_alone() {
        let last = |text: &str| {
            let mut windows = Windows::default();
            text.chars().for_each(|letter| _ = windows.add(letter));
            windows.hash
        };
        let end = "abcdefghijklmnopqrst";
        assert_eq!(last(end), last(&format!("something else {end}")));
        assert_ne!(last(end), last("abcdefghijklmnopqrsu"));
    }
}
