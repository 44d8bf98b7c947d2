//! The rules of a page's style blocks, by simple selectors.

use super::declarations::Declarations;
use super::secret::Secret;
use super::selectors::{Kind, Selector, simple_selectors};
use crate::remembered::Remembered;
use crate::tags::Tags;
use huller_page::{AttributeName, Attributes, Node, Page, Span, Tag, Token, Tokenizer};
use memchr::{memchr2_iter, memmem};
use std::collections::HashMap;

/// Rules of one page. Made once and refilled.
#[derive(Debug)]
pub(super) struct Sheet {
    rules: Vec<Declarations>,
    /// Place in `rules` of the rule for each known tag, plus one; 0 for none.
    of_tag: [u32; Tag::count()],
    /// Places in `rules` by [`key`], of all others.
    places: HashMap<u64, u32, Secret>,
    /// One bit for every 4,096th name of a class or an id, by [`look`]: most have no rule, and this says so without reading them.
    names: [u64; 64],
    has: Kinds,
    /// Whether a rule may name one of the classes of a `class` attribute.
    classes: Remembered<bool>,
    /// What several rules say of one node together.
    merged: Declarations,
    attributes: Attributes,
    plain: String,
}

/// Which kinds of rules there are, so that nothing is looked up in vain.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    names: bool,
    /// Names of classes or ids together with a tag.
    tags_with_name: bool,
    unknown_tags: bool,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet {
            rules: Vec::new(),
            of_tag: [0; Tag::count()],
            places: HashMap::default(),
            names: [0; 64],
            has: Kinds::default(),
            classes: Remembered::default(),
            merged: Declarations::NONE,
            attributes: Attributes::default(),
            plain: String::new(),
        }
    }
}

/// What is declared for most nodes.
static NOTHING: Declarations = Declarations::NONE;

impl Sheet {
    /// Reads all style blocks of a page.
    pub(super) fn fill(&mut self, page: &Page<'_>) {
        // A giant sheet must not keep its memory for the rest of the run.
        const KEEP: usize = 1 << 12;
        self.places.clear();
        self.places.shrink_to(KEEP);
        self.rules.clear();
        self.rules.shrink_to(KEEP);
        self.of_tag.fill(0);
        self.names.fill(0);
        self.has = Kinds::default();
        self.classes.clear();
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
        for selector in simple_selectors(selectors) {
            let declarations = read.get_or_insert_with(|| {
                let mut declarations = Declarations::NONE;
                declarations.read(body);
                declarations
            });
            if declarations.is_empty() {
                return;
            }
            let place = self.place_of(selector);
            match self.rules.get_mut(place) {
                Some(rule) => rule.overlay(declarations),
                None => self.rules.push(*declarations),
            }
        }
    }

    /// The place of the rule with a selector in `rules`; the one behind the last if there is none yet.
    fn place_of(&mut self, selector: Selector<'_>) -> usize {
        let next = self.rules.len() as u32;
        let Selector { tag, kind, name } = selector;
        let known = Tag::from_name(tag.as_bytes());
        if kind == Kind::Tag && known != Tag::UNKNOWN {
            let place = &mut self.of_tag[known.index()];
            if *place == 0 {
                *place = next + 1;
            }
            return *place as usize - 1;
        }
        if kind == Kind::Tag {
            self.has.unknown_tags = true;
        } else {
            self.has.names = true;
            self.has.tags_with_name |= !tag.is_empty();
            let look = look(name);
            self.names[look / 64] |= 1 << (look % 64);
        }
        let tag = if tag.is_empty() { 0 } else { hash(tag.as_bytes()) };
        *self.places.entry(key(tag, kind, hash(name.as_bytes()))).or_insert(next) as usize
    }

    /// Whether a rule may name that class or id.
    #[inline]
    fn may_have(&self, name: &str) -> bool {
        may_be_in(&self.names, name)
    }

    /// All that is declared for a node, weakest first: tag, classes, tag with class, id, tag with id, `style` attribute, and
    /// where these say nothing the attributes of HTML.
    #[inline]
    pub(super) fn style(&mut self, page: &Page<'_>, node: &Node) -> &Declarations {
        let rule = self.rule_of_tag(page, node);
        if page.attributes(node).is_empty() {
            return rule.map_or(&NOTHING, |rule| &self.rules[rule]);
        }
        self.style_with_attributes(page, node, rule)
    }

    fn style_with_attributes(
        &mut self,
        page: &Page<'_>,
        node: &Node,
        rule: Option<usize>,
    ) -> &Declarations {
        let own = Own::of(page, node);
        let class = own.class(self.has.names).filter(|class| self.names_one_of(page, *class));
        let id =
            own.value(page, AttributeName::Id).filter(|id| self.has.names && self.may_have(id));
        if class.is_none() && id.is_none() && !own.declares(node) {
            return rule.map_or(&NOTHING, |rule| &self.rules[rule]);
        }
        self.merged = rule.map_or(NOTHING, |rule| self.rules[rule]);
        let class = class.map_or("", |class| source(page, class));
        self.add_names(page, node, class, id);
        let style = &mut self.merged;
        if let Some(declarations) = own.value(page, AttributeName::Style) {
            let mut inline = Declarations::NONE;
            inline.read(declarations);
            style.overlay(&inline);
        }
        if let Some(color) = own.value(page, AttributeName::Bgcolor) {
            style.weak_background(color);
        }
        if SIZED.contains(node.tag) {
            if let Some(width) = own.value(page, AttributeName::Width) {
                style.weak_width(width);
            }
            if let Some(height) = own.value(page, AttributeName::Height) {
                style.weak_height(height);
            }
        }
        style
    }

    /// The place of the rule for a node's tag alone.
    #[inline]
    fn rule_of_tag(&self, page: &Page<'_>, node: &Node) -> Option<usize> {
        if node.tag != Tag::UNKNOWN {
            return (self.of_tag[node.tag.index()] as usize).checked_sub(1);
        }
        if !self.has.unknown_tags {
            return None;
        }
        let tag = hash(tag_name(page, node).as_bytes());
        self.places.get(&key(tag, Kind::Tag, hash(b""))).map(|place| *place as usize)
    }

    /// Whether a rule may name one of the classes of a `class` attribute.
    fn names_one_of(&mut self, page: &Page<'_>, attribute: Span) -> bool {
        let Sheet { classes, names, .. } = self;
        let find_out =
            |value: &str| value.split_ascii_whitespace().any(|class| may_be_in(names, class));
        classes.of(page, attribute, find_out)
    }

    /// Adds the rules that name a node's classes or its id.
    fn add_names(&mut self, page: &Page<'_>, node: &Node, class: &str, id: Option<&str>) {
        if class.is_empty() && id.is_none() {
            return;
        }
        let with_tag = self.has.tags_with_name.then(|| hash(tag_name(page, node).as_bytes()));
        for tag in [Some(0), with_tag].into_iter().flatten() {
            for class in class.split_ascii_whitespace() {
                self.add(tag, Kind::Class, class);
            }
        }
        for tag in [Some(0), with_tag].into_iter().flatten() {
            if let Some(id) = id {
                self.add(tag, Kind::Id, id);
            }
        }
    }

    fn add(&mut self, tag: u64, kind: Kind, name: &str) {
        if self.may_have(name)
            && let Some(place) = self.places.get(&key(tag, kind, hash(name.as_bytes())))
        {
            self.merged.overlay(&self.rules[*place as usize]);
        }
    }
}

/// The attributes of one node, each in the place of its name: no branch has to be foretold.
struct Own {
    /// Bits by name.
    present: u16,
    values: [Span; 16],
}

const fn bit(name: AttributeName) -> u16 {
    1 << name as u16
}

impl Own {
    fn of(page: &Page<'_>, node: &Node) -> Own {
        let mut own = Own { present: 0, values: [Span::default(); 16] };
        for attribute in page.attributes(node) {
            own.values[attribute.name as usize & 15] = attribute.value;
            own.present |= bit(attribute.name);
        }
        own
    }

    /// The value of the `class` attribute, if it matters.
    fn class(&self, matters: bool) -> Option<Span> {
        let is_there = matters && self.present & bit(AttributeName::Class) != 0;
        is_there.then(|| self.values[AttributeName::Class as usize])
    }

    fn value<'a>(&self, page: &Page<'a>, name: AttributeName) -> Option<&'a str> {
        let is_there = self.present & bit(name) != 0;
        is_there.then(|| source(page, self.values[name as usize & 15]))
    }

    /// Whether anything is declared without a rule.
    fn declares(&self, node: &Node) -> bool {
        const ALWAYS: u16 = bit(AttributeName::Style) | bit(AttributeName::Bgcolor);
        const SIZES: u16 = bit(AttributeName::Width) | bit(AttributeName::Height);
        self.present & if SIZED.contains(node.tag) { ALWAYS | SIZES } else { ALWAYS } != 0
    }
}

fn source<'a>(page: &Page<'a>, span: Span) -> &'a str {
    &page.html()[span.start as usize..span.end as usize]
}

/// Elements whose `width` and `height` attributes count.
static SIZED: Tags =
    Tags::NONE.and(&[Tag::TABLE, Tag::TD, Tag::TH, Tag::IMG, Tag::DIV, Tag::HR, Tag::IFRAME]);

/// One number for a simple selector.
fn key(tag: u64, kind: Kind, name: u64) -> u64 {
    let mixed = tag.rotate_left(23) ^ name ^ (kind as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 29)
}

#[inline]
fn may_be_in(names: &[u64; 64], name: &str) -> bool {
    let look = look(name);
    names[look / 64] >> (look % 64) & 1 != 0
}

/// A number below 4,096 by a name's length and three of its bytes, the same for any case of its letters.
#[inline]
fn look(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return 0 };
    let letter = |b: &u8| u64::from(*b | 0x20);
    let some = bytes.len() as u64
        | letter(first) << 16
        | letter(&bytes[bytes.len() / 2]) << 24
        | letter(last) << 32;
    (some.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// FNV-1a over bytes in lower case.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, b| {
        (hash ^ u64::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01B3)
    })
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
