//! Writes a selection as Markdown of GitHub's flavour (CommonMark 0.31 with tables, strike-through and formulas between dollars).
//!
//! What stands on the page as text is escaped where a renderer would take it for markup, and only there: `docs/text.md` has the rules.
//! What Markdown has no markup for is written as text; no HTML is.

mod blocks;
mod code;
mod emphasis;
mod escape;
mod state;
mod table;

use super::address::Use;
use super::flow::{Element, Sink};
use huller_page::{AttributeName, Tag};
use state::Container;
pub use state::MarkdownOptions;
use state::Table;
pub(super) use state::{Markdown, Memory};

impl Markdown<'_> {
    /// The last scalar of what stands on the line.
    fn last(&self) -> Option<char> {
        self.out[self.line.content..].chars().next_back()
    }

    fn is_in_cell(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.is_in_row)
    }

    /// Prepares for something that begins with the scalar `next`.
    fn begin(&mut self, next: char) {
        self.flush_code();
        self.begin_line();
        self.settle_delimiters(Some(next));
        self.open_delimiters(next);
    }

    fn open_link(&mut self) {
        if self.out.ends_with('!') {
            // Together they would be an image.
            self.out.pop();
            self.out.push_str("\\!");
        }
        self.link = Some(self.out.len());
        self.out.push('[');
    }

    /// Ends the link whose `[` stands here.
    fn close_link(&mut self, start: usize) {
        self.flush_code();
        self.settle_delimiters(Some(']'));
        let address = self.memory.address.as_str();
        let is_plain = address.contains(':') && !address.contains('$');
        if is_plain && self.out[start + 1..] == *address {
            self.out.truncate(start);
            self.out.extend(["<", address, ">"]);
            return;
        }
        self.out.push_str("](");
        escape::address(address, self.is_in_cell(), self.out);
        self.out.push(')');
    }
}

impl Sink for Markdown<'_> {
    const KEEPS_SCRIPTS: bool = false;
    const SPLITS_PARAGRAPHS: bool = true;
    const BREAKS_CELLS: bool = false;

    fn open_block(&mut self, block: Element) {
        self.end_line();
        match block.tag {
            Tag::UL | Tag::OL => self.open_list(block),
            Tag::LI => self.open_item(block),
            Tag::BLOCKQUOTE => self.open_container(Container::Quote),
            Tag::H1 => self.heading = 1,
            Tag::H2 => self.heading = 2,
            Tag::H3 => self.heading = 3,
            Tag::H4 => self.heading = 4,
            Tag::H5 => self.heading = 5,
            Tag::H6 => self.heading = 6,
            Tag::PRE => self.fence = Some(block.node),
            Tag::TABLE => self.table = Some(Table::default()),
            Tag::TR => self.open_row(),
            Tag::TD | Tag::TH => self.open_cell(block),
            _ => {}
        }
    }

    fn close_block(&mut self, block: Element) {
        match block.tag {
            Tag::TD | Tag::TH => return self.close_cell(block),
            Tag::TR => return self.close_row(),
            Tag::PRE => self.write_fence(),
            _ => self.end_line(),
        }
        match block.tag {
            Tag::UL | Tag::OL | Tag::LI | Tag::BLOCKQUOTE => self.close_container(),
            Tag::TABLE => self.close_table(),
            _ => self.heading = 0,
        }
    }

    fn open_inline(&mut self, inline: Element) {
        if self.fence.is_some() {
            return;
        }
        match inline.tag {
            Tag::A => {
                let node = &self.page.nodes()[inline.node as usize];
                let href = self.page.attribute(node, AttributeName::Href);
                let href = href.filter(|_| self.options.links);
                if let Some(address) = href.and_then(|href| self.addresses.resolve(href, Use::Link))
                {
                    self.memory.address.clear();
                    self.memory.address.push_str(address);
                    if self.codes > 0 {
                        self.flush_code();
                    }
                    self.memory.delimiters.expect(Tag::A);
                }
            }
            Tag::CODE | Tag::KBD | Tag::SAMP => self.codes += 1,
            tag => self.open_emphasis(tag),
        }
    }

    fn close_inline(&mut self, inline: Element) {
        if self.fence.is_some() {
            return;
        }
        match inline.tag {
            Tag::A => {
                if let Some(start) = self.link.take() {
                    self.close_link(start);
                } else {
                    self.memory.delimiters.forget(Tag::A);
                }
            }
            Tag::CODE | Tag::KBD | Tag::SAMP => self.codes -= 1,
            tag => self.close_emphasis(tag),
        }
    }

    fn split(&mut self) {
        if self.heading > 0 || self.is_in_cell() {
            self.space();
        } else {
            self.end_line();
        }
    }

    fn rule(&mut self) {
        self.end_line();
        // With the mark of an item before it, it would be something else.
        if self.out.len() > self.start && !self.begins_item() {
            self.begin_line();
            self.out.push_str("---");
            self.end_line();
        }
    }

    fn space(&mut self) {
        if self.codes > 0 && !self.memory.code.is_empty() || self.fence.is_some() {
            self.memory.code.push(' ');
            return;
        }
        self.flush_code();
        self.settle_delimiters(None);
        if self.out.len() > self.line.content {
            self.out.push(' ');
        }
    }

    fn line_breaks(&mut self, count: u32) {
        if self.fence.is_some() {
            (0..count).for_each(|_| self.memory.code.push('\n'));
        } else if self.heading > 0 || self.is_in_cell() {
            self.space();
        } else if self.line.is_begun {
            self.flush_code();
            self.settle_delimiters(None);
            self.break_line();
        }
    }

    fn words(&mut self, words: &str) {
        if self.fence.is_some() {
            self.memory.code.push_str(words);
        } else if self.codes > 0 {
            if self.memory.code.is_empty() {
                self.begin('`');
            }
            self.memory.code.push_str(words);
        } else {
            self.begin(words.chars().next().unwrap_or(' '));
            self.escape(words);
        }
    }

    fn white(&mut self, white: &str) {
        if self.fence.is_some() {
            self.memory.code.push_str(white);
            return;
        }
        let breaks = white.bytes().filter(|byte| *byte == b'\n').count() as u32;
        match breaks {
            0 if white.is_empty() => {}
            0 if self.line.is_begun => self.space(),
            0 => {}
            1 => self.line_breaks(1),
            _ => self.split(),
        }
    }

    fn formula(&mut self, tex: &str, is_display: bool) {
        if self.fence.is_some() {
            self.memory.code.extend(["$", tex, "$"]);
            return;
        }
        self.begin('$');
        self.escape_dollars();
        self.has_formula = true;
        let dollars = if is_display { "$$" } else { "$" };
        self.out.push_str(dollars);
        if self.is_in_cell() {
            escape::pipes(tex, self.out);
        } else {
            self.out.push_str(tex);
        }
        self.out.push_str(dollars);
    }

    fn find_image(&mut self, node: u32) -> bool {
        self.options.images
            && self.fence.is_none()
            && self.memory.image.find(self.page, node, self.addresses)
    }

    fn image(&mut self) {
        self.begin('!');
        self.out.push_str("![");
        let image = std::mem::take(&mut self.memory.image);
        let link = self.link.replace(self.out.len());
        self.escape(image.alt());
        self.link = link;
        self.out.push_str("](");
        escape::address(image.address(), self.is_in_cell(), self.out);
        self.out.push(')');
        self.memory.image = image;
    }
}
