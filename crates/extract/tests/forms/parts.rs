//! The parts of a form that are compared.

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, local_name, ns, parse_fragment};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// What a form holds. Texts are without white space.
#[derive(Debug, Default)]
pub(crate) struct FormParts {
    pub(crate) text: String,
    /// Their level and text.
    pub(crate) headings: Vec<String>,
    pub(crate) items: Vec<String>,
    /// Numbers of the items of ordered lists.
    pub(crate) numbers: Vec<String>,
    /// Cells that are not empty.
    pub(crate) cells: Vec<String>,
    /// All code in lines. A line break ends code in Markdown, and two that touch are one.
    pub(crate) code: String,
    /// Preformatted text, to the byte.
    pub(crate) blocks: Vec<String>,
    /// Targets of links, each once.
    pub(crate) links: Vec<String>,
    pub(crate) images: Vec<String>,
}

/// Text without what the forms write in different ways: white space, dollars around formulas, marks
/// of powers.
pub(crate) fn plain(text: &str) -> String {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ";
    const PLAIN: &str = "0123456789+-−=()ni0123456789+-−=()aeoxhklmnpstijruv";
    let one = |c: char| {
        let c = if c == '−' { '-' } else { c };
        let at = RAISED.chars().position(|raised| raised == c);
        at.and_then(|at| PLAIN.chars().nth(at)).unwrap_or(c)
    };
    text.chars().filter(|c| !c.is_whitespace() && !"$^_".contains(*c)).map(one).collect()
}

impl FormParts {
    fn finish(mut self) -> FormParts {
        self.links.sort();
        self.links.dedup();
        for texts in [&mut self.headings, &mut self.items, &mut self.cells] {
            for text in texts.iter_mut() {
                *text = plain(text);
            }
            texts.retain(|text| !text.is_empty());
        }
        self.text = plain(&self.text);
        self.code = plain(&self.code);
        self
    }
}

pub(crate) fn of_markdown(source: &str) -> FormParts {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut parts = FormParts::default();
    // Places in the text where open elements began.
    let mut open: Vec<usize> = Vec::new();
    let mut items: Vec<(usize, usize)> = Vec::new();
    // The next number of each open list.
    let mut lists: Vec<Option<u64>> = Vec::new();
    let mut in_image = 0;
    let mut block: Option<String> = None;
    for event in Parser::new_ext(source, options) {
        match event {
            Event::Start(tag) => {
                match &tag {
                    Tag::Image { dest_url, .. } => {
                        in_image += 1;
                        parts.images.push(dest_url.to_string());
                    }
                    Tag::Link { dest_url, .. } => parts.links.push(dest_url.to_string()),
                    Tag::CodeBlock(kind) => {
                        assert!(matches!(kind, CodeBlockKind::Fenced(_)), "{source}");
                        block = Some(String::new());
                    }
                    Tag::List(start) => lists.push(*start),
                    Tag::Item => {
                        if let Some(Some(number)) = lists.last_mut() {
                            parts.numbers.push(number.to_string());
                            *number += 1;
                        }
                        items.push((parts.items.len(), parts.text.len()));
                        parts.items.push(String::new());
                    }
                    _ => {}
                }
                open.push(parts.text.len());
            }
            Event::End(end) => {
                let start = open.pop().expect("what ends has begun");
                match end {
                    TagEnd::Image => in_image -= 1,
                    TagEnd::List(_) => drop(lists.pop()),
                    TagEnd::Heading(level) => {
                        let level = match level {
                            HeadingLevel::H1 => 1,
                            HeadingLevel::H2 => 2,
                            HeadingLevel::H3 => 3,
                            HeadingLevel::H4 => 4,
                            HeadingLevel::H5 => 5,
                            HeadingLevel::H6 => 6,
                        };
                        parts.headings.push(format!("{level} {}", &parts.text[start..]));
                    }
                    TagEnd::Item => {
                        let (place, start) = items.pop().expect("what ends has begun");
                        parts.text[start..].clone_into(&mut parts.items[place]);
                    }
                    TagEnd::TableCell => parts.cells.push(parts.text[start..].to_owned()),
                    TagEnd::CodeBlock => {
                        let code = block.take().expect("what ends has begun");
                        parts.text.push_str(&code);
                        parts.blocks.push(code.strip_suffix('\n').unwrap_or(&code).to_owned());
                    }
                    _ => {}
                }
            }
            Event::Text(text) => match &mut block {
                Some(block) => block.push_str(&text),
                None if in_image == 0 => parts.text.push_str(&text),
                None => {}
            },
            Event::Code(code) => {
                parts.text.push_str(&code);
                parts.code.push_str(&code);
            }
            Event::InlineMath(tex) | Event::DisplayMath(tex) => parts.text.push_str(&tex),
            Event::SoftBreak | Event::HardBreak => parts.text.push(' '),
            other @ (Event::Html(_) | Event::InlineHtml(_)) => panic!("{other:?} in {source}"),
            _ => {}
        }
    }
    parts.finish()
}

/// Parts of HTML, and the errors that its parser met.
pub(crate) fn of_html(source: &str) -> (FormParts, Vec<String>) {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { exact_errors: true, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let context = html5ever::QualName::new(None, ns!(html), local_name!("body"));
    let dom = parse_fragment(RcDom::default(), options, context, vec![], false).one(source);
    let mut parts = FormParts::default();
    walk(&dom.document, &mut parts, false, false);
    parts.numbers = numbers(&dom.document);
    let errors = dom.errors.borrow().iter().map(ToString::to_string).collect();
    (parts.finish(), errors)
}

fn walk(node: &Handle, parts: &mut FormParts, is_block: bool, is_code: bool) {
    let children = || node.children.borrow().clone();
    match &node.data {
        NodeData::Text { contents } => parts.text.push_str(&contents.borrow()),
        NodeData::Element { name, attrs, .. } => {
            let attribute = |name: &str| {
                let attrs = attrs.borrow();
                attrs.iter().find(|a| &*a.name.local == name).map(|a| a.value.to_string())
            };
            let start = parts.text.len();
            let place = parts.items.len();
            if &*name.local == "li" {
                parts.items.push(String::new());
            }
            if &*name.local == "img" {
                parts.images.extend(attribute("src"));
            }
            let is_pre = is_block || &*name.local == "pre";
            let is_inline = matches!(&*name.local, "code" | "kbd" | "samp") && !is_code && !is_pre;
            // A list directly in a list is shown below the item before it, and belongs to it.
            let mut item_before = None;
            for child in &children() {
                let (child_start, child_place) = (parts.text.len(), parts.items.len());
                walk(child, parts, is_pre, is_code || is_inline);
                if is_list(&name.local) {
                    match &child.data {
                        NodeData::Element { name, .. } if is_list(&name.local) => {
                            if let Some(item) = item_before {
                                let nested = parts.text[child_start..].to_owned();
                                String::push_str(&mut parts.items[item], &nested);
                            }
                        }
                        NodeData::Element { name, .. } if &*name.local == "li" => {
                            item_before = Some(child_place);
                        }
                        _ => {}
                    }
                }
            }
            let text = parts.text[start..].to_owned();
            match &*name.local {
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                    parts.headings.push(format!("{} {text}", &name.local[1..]));
                }
                "li" => parts.items[place] = text,
                "td" | "th" => parts.cells.push(text),
                "pre" => parts.blocks.push(text),
                "a" if !is_pre => parts.links.extend(attribute("href")),
                _ if is_inline => parts.code.push_str(&text),
                _ => {}
            }
        }
        _ => {
            for child in &children() {
                walk(child, parts, is_block, is_code);
            }
        }
    }
}

fn is_list(name: &str) -> bool {
    matches!(name, "ol" | "ul")
}

/// Numbers of the items of ordered lists, as browsers count them.
fn numbers(node: &Handle) -> Vec<String> {
    let mut found = Vec::new();
    count(node, &mut None, &mut found);
    found
}

/// The next number of a list, and the step to the one after it.
type Count = Option<(i64, i64)>;

fn count(node: &Handle, list: &mut Count, found: &mut Vec<String>) {
    let number_of = |name: &str| match &node.data {
        NodeData::Element { attrs, .. } => {
            let attrs = attrs.borrow();
            let value = attrs.iter().find(|a| &*a.name.local == name).map(|a| a.value.to_string());
            value.map(|value| value.parse().unwrap_or_default())
        }
        _ => None,
    };
    let name = match &node.data {
        NodeData::Element { name, .. } => &*name.local,
        _ => "",
    };
    let children = || node.children.borrow().clone();
    let has_style = match &node.data {
        NodeData::Element { attrs, .. } => attrs.borrow().iter().any(|a| &*a.name.local == "style"),
        _ => false,
    };
    let mut own = match name {
        // The style of a list says that it has no numbers.
        "ol" if !has_style => {
            let is_item = |child: &&Handle| match &child.data {
                NodeData::Element { name, .. } => &*name.local == "li",
                _ => false,
            };
            let is_reversed = number_of("reversed").is_some();
            let items = children().iter().filter(is_item).map(|_| 1_i64).sum();
            let first = if is_reversed { items } else { 1 };
            Some((number_of("start").unwrap_or(first), if is_reversed { -1 } else { 1 }))
        }
        _ => None,
    };
    if name == "li"
        && let Some((next, step)) = list
    {
        let number = number_of("value").unwrap_or(*next);
        found.push(number.to_string());
        *next = number + *step;
    }
    for child in &children() {
        count(child, if is_list(name) { &mut own } else { list }, found);
    }
}
