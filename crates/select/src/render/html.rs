//! Writes a selection as clean HTML. Elements with meaning stay, scripts do not, and images are the
//! only resources that the output loads.
//!
//! The output has only the elements and attributes below, and attributes' values are made here.
//! Addresses are resolved and have known schemes. Numbers are read and written again. Every element
//! is closed, and leaves are not nested, so the result is well-formed. Read again, it has the text
//! of the selection (`docs/text.md`).

mod list;
mod table;

use super::address::{AddressUse, Addresses};
use super::flow::{Element, MarkupSink};
use super::image::Image;
use super::language;
use super::numbers::Numbering;
use huller_page::{AttributeName, Attributes, Page, Tag};

/// Scratch buffers of HTML writers, reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    image: Image,
    attributes: Attributes,
    decoded: String,
    /// The numbering of each open list; `None` if its items have no numbers.
    numbers: Vec<Option<Numbering>>,
}

/// Writes HTML.
pub(super) struct Html<'a> {
    page: &'a Page<'a>,
    scratch: &'a mut Scratch,
    addresses: &'a mut Addresses,
    out: &'a mut String,
    /// Length of `out` before this text.
    start: usize,
    table: Option<OpenTable>,
    /// Whether the writer is in preformatted text, where a line break is a line feed.
    is_preformatted: bool,
    /// Number of open superscripts and subscripts.
    scripts: u32,
    /// Whether the tag of the open link was written.
    has_link: bool,
}

/// The table that is being written.
#[derive(Debug)]
struct OpenTable {
    /// Offset of the end of its tag's name.
    tag: usize,
    has_head: bool,
    /// Number of rows with two cells with text.
    rows: u32,
    /// Number of cells with text in the present row.
    cells: u32,
    has_text: bool,
}

impl OpenTable {
    fn new(tag: usize) -> OpenTable {
        OpenTable { tag, has_head: false, rows: 0, cells: 0, has_text: false }
    }
}

impl<'a> Html<'a> {
    pub(super) fn new(
        page: &'a Page<'a>,
        scratch: &'a mut Scratch,
        addresses: &'a mut Addresses,
        out: &'a mut String,
    ) -> Html<'a> {
        scratch.image.clear();
        scratch.numbers.clear();
        let start = out.len();
        Html {
            page,
            scratch,
            addresses,
            out,
            start,
            table: None,
            is_preformatted: false,
            scripts: 0,
            has_link: false,
        }
    }

    fn open(&mut self, tag: Tag) {
        self.out.extend(["<", tag.name()]);
    }

    fn close_element(&mut self, tag: Tag) {
        self.out.extend(["</", tag.name(), ">"]);
    }

    fn write_attribute(&mut self, name: &str, value: &str) {
        self.out.extend([" ", name, "=\""]);
        push_escaped(value, self.out);
        self.out.push('"');
    }

    /// Returns the value, as written, of an attribute that the page does not keep.
    fn read_attribute(&mut self, node: u32, name: &str) -> Option<&'a str> {
        let node = self.page.nodes().get(node as usize)?;
        let mut attribute_list = self.page.all_attributes(node, &mut self.scratch.attributes);
        attribute_list.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Writes an attribute whose value is text.
    fn write_text_attribute(&mut self, node: u32, name: &str) {
        /// Longest value in bytes. Longer ones are dropped.
        const MAX_VALUE_BYTES: usize = 256;
        let Some(value) =
            self.read_attribute(node, name).filter(|value| value.len() <= MAX_VALUE_BYTES)
        else {
            return;
        };
        let mut decoded = std::mem::take(&mut self.scratch.decoded);
        decoded.clear();
        let context = huller_page::entity::Context::Attribute;
        huller_page::entity::decode(value, context, &mut decoded);
        decoded.retain(|c| !c.is_control());
        self.write_attribute(name, decoded.trim());
        self.scratch.decoded = decoded;
    }

    fn write_language(&mut self, node: u32) {
        if let Some(language) = language::language_of(self.page, node) {
            self.out.extend([" class=\"language-", language, "\""]);
        }
    }

    fn end_line(&mut self) {
        if self.out.len() > self.start {
            self.out.push('\n');
        }
    }
}

impl MarkupSink for Html<'_> {
    const KEEPS_SCRIPTS: bool = true;
    const SPLITS_PARAGRAPHS: bool = false;
    const KEEPS_SPANS: bool = true;
    const BREAKS_CELLS: bool = true;

    fn open_block(&mut self, block: Element) {
        let Element { node, tag, .. } = block;
        match tag {
            Tag::TD | Tag::TH => return self.open_cell(block),
            Tag::TEXTAREA => {
                self.end_line();
                self.out.push_str("<div style=\"white-space: pre-wrap\">");
                self.is_preformatted = true;
                return;
            }
            _ => self.end_line(),
        }
        self.open(tag);
        match tag {
            Tag::OL => self.begin_numbers(node),
            Tag::UL => self.scratch.numbers.push(None),
            Tag::LI => self.write_number(block.number),
            Tag::PRE => {
                self.is_preformatted = true;
                self.write_language(node);
            }
            Tag::TABLE => self.table = Some(OpenTable::new(self.out.len())),
            Tag::TR => self.begin_row(),
            Tag::CAPTION => self.note_head(),
            _ => {}
        }
        self.out.push('>');
    }

    fn close_block(&mut self, block: Element) {
        match block.tag {
            Tag::TEXTAREA => {
                self.is_preformatted = false;
                self.close_element(Tag::DIV);
                return;
            }
            Tag::PRE => self.is_preformatted = false,
            Tag::TR => self.end_row(),
            Tag::TABLE => self.end_table(),
            Tag::OL | Tag::UL => {
                self.scratch.numbers.pop();
            }
            _ => {}
        }
        self.close_element(block.tag);
    }

    fn open_inline(&mut self, inline: Element) {
        let Element { node, tag, .. } = inline;
        match tag {
            Tag::TEXTAREA => {
                self.out.push_str("<span style=\"white-space: pre-wrap\">");
                self.is_preformatted = true;
                return;
            }
            Tag::A => {
                let element = &self.page.nodes()[node as usize];
                let href = self.page.attribute(element, AttributeName::Href);
                let is_link = href
                    .is_some_and(|href| self.addresses.resolve(href, AddressUse::Link).is_some());
                // A link in a superscript distinguishes the mark of a note from an exponent,
                // wherever it leads.
                self.has_link = is_link || self.scripts > 0;
                if is_link {
                    self.out.push_str("<a href=\"");
                    push_escaped(self.addresses.last(), self.out);
                    self.out.push_str("\">");
                } else if self.has_link {
                    self.out.push_str("<a>");
                }
                return;
            }
            Tag::SUP | Tag::SUB => self.scripts += 1,
            _ => {}
        }
        self.open(tag);
        match tag {
            Tag::CODE if !self.is_preformatted => self.write_language(node),
            Tag::TIME => self.write_text_attribute(node, "datetime"),
            Tag::ABBR => self.write_text_attribute(node, "title"),
            _ => {}
        }
        self.out.push('>');
    }

    fn close_inline(&mut self, inline: Element) {
        match inline.tag {
            Tag::TEXTAREA => {
                self.is_preformatted = false;
                self.close_element(Tag::SPAN);
            }
            Tag::A if !std::mem::take(&mut self.has_link) => {}
            tag => {
                self.scripts -= u32::from(matches!(tag, Tag::SUP | Tag::SUB));
                self.close_element(tag);
            }
        }
    }

    fn split(&mut self) {
        self.line_breaks(1);
    }

    fn rule(&mut self) {
        if self.out.len() > self.start {
            self.out.push_str("\n<hr>");
        }
    }

    fn space(&mut self) {
        self.out.push(' ');
    }

    fn line_breaks(&mut self, count: u32) {
        let line_break = if self.is_preformatted { "\n" } else { "<br>" };
        (0..count).for_each(|_| self.out.push_str(line_break));
    }

    fn words(&mut self, words: &str) {
        self.note_text();
        push_escaped(words, self.out);
    }

    fn white(&mut self, white: &str) {
        self.out.push_str(white);
    }

    fn formula(&mut self, tex: &str, _is_display: bool) {
        self.note_text();
        self.out.push_str("<span class=\"math\">$");
        push_escaped(tex, self.out);
        self.out.push_str("$</span>");
    }

    fn find_image(&mut self, node: u32) -> bool {
        self.scratch.image.read(self.page, node, self.addresses)
    }

    fn image(&mut self) {
        self.out.push_str("<img src=\"");
        push_escaped(self.scratch.image.address(), self.out);
        self.out.push_str("\" alt=\"");
        push_escaped(self.scratch.image.alt(), self.out);
        self.out.push_str("\">");
    }
}

/// Writes text, or the value of an attribute.
fn push_escaped(text: &str, out: &mut String) {
    let mut plain_start = 0;
    for (offset, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[plain_start..offset]);
        out.push_str(reference);
        plain_start = offset + 1;
    }
    out.push_str(&text[plain_start..]);
}
