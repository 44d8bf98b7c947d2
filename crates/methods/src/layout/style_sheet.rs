//! The declarations that a page makes for its elements: in style blocks, in `style` attributes, and
//! in HTML attributes.

use super::declarations::Declarations;
use super::rules::{Classes, StyleRules, tag_name};
use super::selectors::{SelectorKind, simple_selectors};
use huller_page::fnv::hash_lowercase as hash;
use huller_page::{AttributeName, Attributes, Node, Page, Span, Tag, Token, Tokenizer};
use huller_select::AttrCache;
use memchr::{memchr2_iter, memmem};

/// The styles of one page. Created once and refilled.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    rules: StyleRules,
    /// Results for the values of `class` and `style` attributes that occurred earlier on the page.
    classes: AttrCache<Classes>,
    inline: AttrCache<u32>,
    /// The merged declarations of the last node with several.
    merged: Declarations,
    attributes: Attributes,
    plain: String,
}

impl StyleSheet {
    /// Reads all style blocks of a page.
    #[inline(never)]
    pub(super) fn fill(&mut self, page: &Page<'_>) {
        self.rules.clear();
        self.classes.clear();
        self.inline.clear();
        for node in page.nodes().iter().filter(|node| node.tag == Tag::STYLE) {
            let mut plain = std::mem::take(&mut self.plain);
            plain.clear();
            without_comments(self.content(page.node_source(node)), &mut plain);
            self.read(&plain);
            self.plain = plain;
        }
    }

    /// Returns the content of a style element, given its source.
    fn content<'a>(&mut self, source: &'a str) -> &'a str {
        let mut tokenizer = Tokenizer::new(source);
        tokenizer.next(&mut self.attributes);
        match tokenizer.next(&mut self.attributes) {
            Some(Token::Text { span, .. }) => &source[span.start as usize..span.end as usize],
            _ => "",
        }
    }

    /// Adds the rules of one style block. A `{` and the next `}` without another brace between them
    /// enclose a rule's declarations. Rules inside an at-rule are thus read like those outside.
    fn read(&mut self, css: &str) {
        let mut start = 0;
        let mut opened = None;
        for offset in memchr2_iter(b'{', b'}', css.as_bytes()) {
            if css.as_bytes()[offset] == b'{' {
                opened = Some((start, offset));
            } else if let Some((selectors, brace)) = opened.take() {
                self.rule(&css[selectors..brace], &css[brace + 1..offset]);
            }
            start = offset + 1;
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
            self.rules.add(selector, declarations);
        }
    }

    /// Returns the merged declarations for a node. From weak to strong: HTML attributes, tag,
    /// classes, tag with class, id, tag with id, `style` attribute.
    #[inline(always)]
    pub(super) fn style(&mut self, page: &Page<'_>, node: &Node) -> &Declarations {
        let rule = self.rules.rule_of_tag(page, node);
        let matter = self.attributes_that_matter(node);
        if !page.attributes(node).iter().any(|attribute| bit(attribute.name) & matter != 0) {
            return self.rules.declarations_at(rule);
        }
        self.style_with_attributes(page, node, rule, matter)
    }

    /// Returns the attributes that may declare a property for a node, as bits.
    #[inline]
    fn attributes_that_matter(&self, node: &Node) -> u16 {
        DECLARING[node.tag.index()] | if self.rules.has_names() { NAMES } else { 0 }
    }

    /// Computes [`StyleSheet::style`] for a node with attributes that matter.
    #[inline(never)]
    fn style_with_attributes(
        &mut self,
        page: &Page<'_>,
        node: &Node,
        rule: u32,
        matter: u16,
    ) -> &Declarations {
        let attributes = NodeAttributes::collect(page, node, matter);
        let StyleSheet { rules, classes, inline, merged, .. } = self;
        let class = attributes.span(AttributeName::Class);
        let class = class.map(|class| {
            classes.get_or_compute(page, class, |value| rules.rules_of_classes(value))
        });
        let Classes { place, with_tag } = class.unwrap_or_default();
        let id = attributes.value(page, AttributeName::Id).filter(|_| rules.has_names());
        if !with_tag
            && id.is_none()
            && attributes.present & !NAMES == 0
            && (rule == 0 || place == 0)
        {
            // At least one index is 0, so `|` gives the other.
            return rules.declarations_at(rule | place);
        }
        *merged = *rules.declarations_at(rule);
        let mut overlay = |place: u32| {
            if place != 0 {
                merged.overlay(rules.declarations_at(place));
            }
        };
        overlay(place);
        if with_tag || id.is_some() {
            let tag = hash(tag_name(page, node).as_bytes());
            let class = attributes.value(page, AttributeName::Class).filter(|_| with_tag);
            for class in class.unwrap_or_default().split_ascii_whitespace() {
                overlay(rules.rule_of_name(Some(tag), SelectorKind::Class, class));
            }
            if let Some(id) = id {
                overlay(rules.rule_of_name(None, SelectorKind::Id, id));
                overlay(rules.rule_of_name(Some(tag), SelectorKind::Id, id));
            }
        }
        if let Some(style) = attributes.span(AttributeName::Style) {
            let place = inline.get_or_compute(page, style, |value| {
                let mut declarations = Declarations::NONE;
                declarations.read(value);
                rules.push(&declarations)
            });
            if place != 0 {
                merged.overlay(rules.declarations_at(place));
            }
        }
        if let Some(color) = attributes.value(page, AttributeName::Bgcolor) {
            merged.weak_background(color);
        }
        if let Some(width) = attributes.value(page, AttributeName::Width) {
            merged.weak_width(width);
        }
        if let Some(height) = attributes.value(page, AttributeName::Height) {
            merged.weak_height(height);
        }
        merged
    }
}

/// The attributes of one node, indexed by name. The table is filled without branches that the
/// processor could mispredict.
struct NodeAttributes {
    /// The attributes that are present, as bits by name.
    present: u16,
    values: [Span; AttributeName::COUNT],
}

const fn bit(name: AttributeName) -> u16 {
    1 << name as u16
}

const NAMES: u16 = bit(AttributeName::Class) | bit(AttributeName::Id);

impl NodeAttributes {
    /// Collects the attributes of a node. Only those among the bits of `matter` count as present.
    fn collect(page: &Page<'_>, node: &Node, matter: u16) -> NodeAttributes {
        let mut attributes =
            NodeAttributes { present: 0, values: [Span::default(); AttributeName::COUNT] };
        for attribute in page.attributes(node) {
            attributes.values[attribute.name.index()] = attribute.value;
            attributes.present |= bit(attribute.name);
        }
        attributes.present &= matter;
        attributes
    }

    fn span(&self, name: AttributeName) -> Option<Span> {
        let is_there = self.present & bit(name) != 0;
        is_there.then(|| self.values[name.index()])
    }

    fn value<'a>(&self, page: &Page<'a>, name: AttributeName) -> Option<&'a str> {
        self.span(name).map(|span| source(page, span))
    }
}

fn source<'a>(page: &Page<'a>, span: Span) -> &'a str {
    &page.html()[span.start as usize..span.end as usize]
}

/// For each tag, the attributes that declare a property even without a style block, as bits.
static DECLARING: [u16; 256] = {
    const ALWAYS: u16 = bit(AttributeName::Style) | bit(AttributeName::Bgcolor);
    const SIZES: u16 = bit(AttributeName::Width) | bit(AttributeName::Height);
    const SIZED: [Tag; 7] =
        [Tag::TABLE, Tag::TD, Tag::TH, Tag::IMG, Tag::DIV, Tag::HR, Tag::IFRAME];
    let mut declaring = [ALWAYS; 256];
    let mut at = 0;
    while at < SIZED.len() {
        declaring[SIZED[at].index()] |= SIZES;
        at += 1;
    }
    declaring
};

/// Appends style rules to `out`; comments, and a `<!--` before the rules, become spaces.
fn without_comments(css: &str, out: &mut String) {
    let mut remaining = css;
    while let Some(offset) = memmem::find(remaining.as_bytes(), b"/*") {
        out.push_str(&remaining[..offset]);
        out.push(' ');
        remaining = match memmem::find(&remaining.as_bytes()[offset + 2..], b"*/") {
            Some(end) => &remaining[offset + 2 + end + 2..],
            None => "",
        };
    }
    out.push_str(remaining);
    let trimmed = out.trim();
    if trimmed.starts_with("<!--") {
        // `<!--` is removed only at the start. In the middle, a selector with `<!--` is not simple
        // and is skipped.
        let offset = out.len() - out.trim_start().len();
        out.replace_range(offset..offset + 4, "    ");
    }
}

#[cfg(test)]
mod tests {
    use super::super::length::Length;
    use super::*;
    use huller_page::PageBuf;

    /// Returns the widths declared for the elements with an id, in order.
    fn widths(html: &str) -> Vec<Option<f64>> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut sheet = StyleSheet::default();
        sheet.fill(&page);
        let with_id = |node: &&Node| page.attribute(node, AttributeName::Id).is_some();
        let width =
            |node| sheet.style(&page, node).width.map(|length: Length| length.pixels(100.0));
        page.nodes().iter().filter(with_id).map(width).collect()
    }

    #[test]
    fn stronger_selectors_win_in_any_order() {
        let html = "<style>#a{width:5px}div.x{width:4px}.x,.y{width:3px}DIV{width:2px}div#b{width:6px}</style>\
            <div id=a class=x></div><div id=b></div><div id=c class='y X'></div><p id=d class=y></p>\
            <div id=e></div><div id=f class=x style='width:9px'></div><p id=g></p>";
        let expected = [5.0, 6.0, 4.0, 3.0, 2.0, 9.0].map(Some);
        assert_eq!(widths(html), [&expected[..], &[None]].concat());
    }

    #[test]
    fn comments_at_rules_and_broken_rules_are_read_as_specified() {
        let html = "<style><!-- /* #a{width:1px} */ #a /* x */ {/* width:2px; */width:3px} \
            @media (min-width:9px) { #b { width:4px } } #c{color:red{width:5px} } #d>p,#d{width:6px;} -->\
            #e{width:7px</style><style>my-tag{width:8px}</style>\
            <p id=a></p><p id=b></p><p id=c></p><p id=d></p><p id=e></p><my-tag id=f>";
        let expected = [Some(3.0), Some(4.0), None, Some(6.0), None, Some(8.0)];
        assert_eq!(widths(html), expected);
    }

    #[test]
    fn html_attributes_are_weakest() {
        let html =
            "<table id=a width=50%><td id=b width=40 style='width:auto'><p id=c width=40></table>";
        assert_eq!(widths(html), [Some(50.0), None, None]);
    }
}
