//! The rules of a page's style blocks, by simple selectors.

use super::declarations::Declarations;
use huller_page::{AttributeName, Attributes, Node, Page, Tag, Token, Tokenizer};
use memchr::{memchr2_iter, memmem};
use std::collections::HashMap;

/// Rules of one page. Made once and refilled.
#[derive(Debug)]
pub(super) struct Sheet {
    /// Places in `rules` by [`key`]. The map's own hash has a secret, so that no page can make its keys collide there.
    places: HashMap<u64, u32>,
    rules: Vec<Declarations>,
    /// One bit for every 4,096th key: most classes have no rule, and this says so in one load.
    filter: [u64; 64],
    /// Whether a rule names a class, or an id, together with a tag.
    has_tag_and_name: bool,
    attributes: Attributes,
    plain: String,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet {
            places: HashMap::new(),
            rules: Vec::new(),
            filter: [0; 64],
            has_tag_and_name: false,
            attributes: Attributes::default(),
            plain: String::new(),
        }
    }
}

impl Sheet {
    /// Reads all style blocks of a page.
    pub(super) fn fill(&mut self, page: &Page<'_>) {
        // A giant sheet must not keep its memory for the rest of the run.
        const KEEP: usize = 1 << 12;
        self.places.clear();
        self.places.shrink_to(KEEP);
        self.rules.clear();
        self.rules.shrink_to(KEEP);
        self.filter = [0; 64];
        self.has_tag_and_name = false;
        for node in page.nodes().iter().filter(|node| node.tag == Tag::STYLE) {
            let mut plain = std::mem::take(&mut self.plain);
            plain.clear();
            without_comments(self.content(page.node_source(node)), &mut plain);
            self.read(&plain);
            self.plain = plain;
        }
    }

    /// What stands between the tags of a style block.
    fn content<'a>(&mut self, source: &'a str) -> &'a str {
        let mut tokenizer = Tokenizer::new(source);
        tokenizer.next(&mut self.attributes);
        match tokenizer.next(&mut self.attributes) {
            Some(Token::Text { span, .. }) => &source[span.start as usize..span.end as usize],
            _ => "",
        }
    }

    /// Adds the rules of one style block. A rule is what stands between two braces without a brace between, so the inside of
    /// an at-rule is read like the outside.
    fn read(&mut self, css: &str) {
        let mut start = 0;
        let mut opened = None;
        for at in memchr2_iter(b'{', b'}', css.as_bytes()) {
            if css.as_bytes()[at] == b'{' {
                opened = Some((start, at));
            } else if let Some((selectors, brace)) = opened.take() {
                self.rule(&css[selectors..brace], &css[brace + 1..at]);
            }
            start = at + 1;
        }
    }

    fn rule(&mut self, selectors: &str, body: &str) {
        let mut read = None;
        for selector in selectors.split(',') {
            let Some(Selector { key, has_tag_and_name }) = simple_selector(selector.trim()) else {
                continue;
            };
            let declarations = read.get_or_insert_with(|| {
                let mut declarations = Declarations::default();
                declarations.read(body);
                declarations
            });
            if declarations.is_empty() {
                return;
            }
            let next = self.rules.len() as u32;
            let place = *self.places.entry(key).or_insert(next);
            if place == next {
                self.rules.push(*declarations);
                self.filter[(key >> 6) as usize & 63] |= 1 << (key & 63);
                self.has_tag_and_name |= has_tag_and_name;
            } else {
                self.rules[place as usize].overlay(declarations);
            }
        }
    }

    #[inline]
    fn find(&self, key: u64) -> Option<&Declarations> {
        if self.filter[(key >> 6) as usize & 63] >> (key & 63) & 1 == 0 {
            return None;
        }
        self.places.get(&key).map(|place| &self.rules[*place as usize])
    }

    /// All that is declared for a node, weakest first: tag, classes, tag with class, id, tag with id, `style` attribute, and
    /// where these say nothing the attributes of HTML.
    pub(super) fn style(&self, page: &Page<'_>, node: &Node) -> Declarations {
        let mut style = Declarations::default();
        let attribute = |name| page.attribute(node, name);
        if !self.rules.is_empty() {
            let tag = hash(tag_name(page, node).as_bytes());
            let mut add = |key| {
                if let Some(rule) = self.find(key) {
                    style.overlay(rule);
                }
            };
            add(key(tag, Kind::Tag, 0));
            let tags = if self.has_tag_and_name { &[0, tag][..] } else { &[0] };
            if let Some(classes) = attribute(AttributeName::Class) {
                for tag in tags {
                    for class in classes.split_ascii_whitespace() {
                        add(key(*tag, Kind::Class, hash(class.as_bytes())));
                    }
                }
            }
            if let Some(id) = attribute(AttributeName::Id) {
                let id = hash(id.as_bytes());
                for tag in tags {
                    add(key(*tag, Kind::Id, id));
                }
            }
        }
        if page.attributes(node).is_empty() {
            return style;
        }
        if let Some(own) = attribute(AttributeName::Style) {
            let mut inline = Declarations::default();
            inline.read(own);
            style.overlay(&inline);
        }
        if let Some(color) = attribute(AttributeName::Bgcolor) {
            style.weak_background(color);
        }
        let sized = [Tag::TABLE, Tag::TD, Tag::TH, Tag::IMG, Tag::DIV, Tag::HR, Tag::IFRAME];
        if sized.contains(&node.tag) {
            if let Some(width) = attribute(AttributeName::Width) {
                style.weak_width(width);
            }
            if let Some(height) = attribute(AttributeName::Height) {
                style.weak_height(height);
            }
        }
        style
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Tag,
    Class,
    Id,
}

/// One number for a simple selector.
fn key(tag: u64, kind: Kind, name: u64) -> u64 {
    let mixed = tag.rotate_left(23) ^ name ^ (kind as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 29)
}

/// FNV-1a over bytes in lower case.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, b| {
        (hash ^ u64::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01B3)
    })
}

struct Selector {
    key: u64,
    has_tag_and_name: bool,
}

/// What a selector selects, if it is a simple one.
fn simple_selector(selector: &str) -> Option<Selector> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-') || b >= 0x80)
    };
    match selector.bytes().position(|b| matches!(b, b'.' | b'#')) {
        None => is_name(selector).then(|| Selector {
            key: key(hash(selector.as_bytes()), Kind::Tag, 0),
            has_tag_and_name: false,
        }),
        Some(at) => {
            let (tag, name) = (&selector[..at], &selector[at + 1..]);
            if !is_name(name) || !(tag.is_empty() || is_name(tag)) {
                return None;
            }
            let kind = if selector.as_bytes()[at] == b'.' { Kind::Class } else { Kind::Id };
            let has_tag_and_name = !tag.is_empty();
            let tag = if has_tag_and_name { hash(tag.as_bytes()) } else { 0 };
            Some(Selector { key: key(tag, kind, hash(name.as_bytes())), has_tag_and_name })
        }
    }
}

/// The name of an element in the case it is written in; of one with an unknown tag it stands in the source.
fn tag_name<'a>(page: &Page<'a>, node: &Node) -> &'a str {
    if node.tag != Tag::UNKNOWN {
        return node.tag.name();
    }
    let source = page.node_source(node);
    let name = source.strip_prefix('<').unwrap_or_default();
    let ends = |b: u8| b.is_ascii_whitespace() || matches!(b, b'/' | b'>');
    &name[..name.bytes().position(ends).unwrap_or(name.len())]
}

/// Appends style rules to `out` with comments, and what hides them from old browsers, as blanks.
fn without_comments(css: &str, out: &mut String) {
    let mut rest = css;
    while let Some(at) = memmem::find(rest.as_bytes(), b"/*") {
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = match memmem::find(&rest.as_bytes()[at + 2..], b"*/") {
            Some(end) => &rest[at + 2 + end + 2..],
            None => "",
        };
    }
    out.push_str(rest);
    let trimmed = out.trim();
    if trimmed.starts_with("<!--") {
        // Only there do they occur; in the middle a selector with them is none.
        let at = out.len() - out.trim_start().len();
        out.replace_range(at..at + 4, "    ");
    }
}

#[cfg(test)]
mod tests {
    use super::super::length::Length;
    use super::*;
    use huller_page::PageBuf;

    /// The widths declared for the elements with an id, in order.
    fn widths(html: &str) -> Vec<Option<f64>> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut sheet = Sheet::default();
        sheet.fill(&page);
        let with_id = |node: &&Node| page.attribute(node, AttributeName::Id).is_some();
        let width =
            |node| sheet.style(&page, node).width.map(|length: Length| length.pixels(100.0));
        page.nodes().iter().filter(with_id).map(width).collect()
    }

    #[test]
    fn stronger_selectors_win_wherever_they_stand() {
        let html = "<style>#a{width:5px}div.x{width:4px}.x,.y{width:3px}DIV{width:2px}div#b{width:6px}</style>\
            <div id=a class=x></div><div id=b></div><div id=c class='y X'></div><p id=d class=y></p>\
            <div id=e></div><div id=f class=x style='width:9px'></div><p id=g></p>";
        let expected = [5.0, 6.0, 4.0, 3.0, 2.0, 9.0].map(Some);
        assert_eq!(widths(html), [&expected[..], &[None]].concat());
    }

    #[test]
    fn comments_at_rules_and_broken_rules() {
        let html = "<style><!-- /* #a{width:1px} */ #a /* x */ {/* width:2px; */width:3px} \
            @media (min-width:9px) { #b { width:4px } } #c{color:red{width:5px} } #d>p,#d{width:6px;} -->\
            #e{width:7px</style><style>my-tag{width:8px}</style>\
            <p id=a></p><p id=b></p><p id=c></p><p id=d></p><p id=e></p><my-tag id=f>";
        let expected = [Some(3.0), Some(4.0), None, Some(6.0), None, Some(8.0)];
        assert_eq!(widths(html), expected);
    }

    #[test]
    fn attributes_of_html_are_weakest() {
        let html =
            "<table id=a width=50%><td id=b width=40 style='width:auto'><p id=c width=40></table>";
        assert_eq!(widths(html), [Some(50.0), None, None]);
    }
}
