//! Writes a selection as Markdown of GitHub's flavour (CommonMark 0.31 with tables, strike-through
//! and formulas between dollars).
//!
//! Text of the page is escaped only where a renderer would take it for markup: `docs/text.md` has
//! the rules. Elements without markup in Markdown are written as text; the output has no HTML.
//!
//! CommonMark reads signs of emphasis by the scalars on both sides. The writer therefore writes a
//! sign when it knows the next scalar. It leaves out a sign that would not begin emphasis, and
//! removes one that cannot be ended. The number of columns of a table is known at its end, so the
//! line below the head is inserted then.

mod container;
mod emphasis;
mod escape;
mod heading_place;
mod literal;
mod open_tex;
mod table;
mod tex;

use super::address::{AddressUse, Addresses};
use super::flow::{Element, MarkupSink};
use super::image::Image;
use super::language;
use super::numbers::{Numbering, push_decimal};
use container::OpenContainer;
pub use heading_place::HeadingPlace;
use huller_page::{AttributeName, Attributes, Page, Tag};
use open_tex::OpenTex;

/// The parts of a selection that its Markdown has besides text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// Links have their addresses; if false, links are text.
    pub links: bool,
    /// Images are written, with their alternative text.
    pub images: bool,
}

impl Default for MarkdownOptions {
    fn default() -> MarkdownOptions {
        MarkdownOptions { links: true, images: true }
    }
}

/// Scratch buffers of Markdown writers, reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    containers: Vec<OpenContainer>,
    delimiters: Delimiters,
    /// The code that is being written, or the inserted lines of a table.
    code: String,
    /// The address of the link that is being written.
    address: String,
    image: Image,
    attributes: Attributes,
    /// The source of the formula in TeX that has begun.
    tex: String,
}

impl Scratch {
    fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 16;
        self.containers.clear();
        self.delimiters.clear();
        self.image.clear();
        for text in [&mut self.code, &mut self.address, &mut self.tex] {
            text.clear();
            text.shrink_to(MAX_KEPT_ENTRIES);
        }
    }
}

/// Writes Markdown.
pub(super) struct Markdown<'a> {
    page: &'a Page<'a>,
    scratch: &'a mut Scratch,
    addresses: &'a mut Addresses,
    options: MarkdownOptions,
    out: &'a mut String,
    /// Length of `out` before this text.
    start: usize,
    line: OpenLine,
    /// Level of the heading that is being written; 0 in other text.
    heading: usize,
    /// Index of the element of that heading.
    heading_node: u32,
    /// The places of the headings, if the caller wants them.
    headings: Option<&'a mut Vec<HeadingPlace>>,
    /// The node of the fenced code that is being written.
    fence: Option<u32>,
    /// Number of open inline code elements.
    codes: u32,
    table: Option<OpenTable>,
    /// Offset of the `[` of the link that is being written.
    link: Option<usize>,
    has_formula: bool,
    /// Whether the page shows TeX in its text.
    shows_tex: bool,
    /// The formula in TeX that has begun in the text.
    tex: Option<OpenTex>,
}

impl<'a> Markdown<'a> {
    pub(super) fn new(
        page: &'a Page<'a>,
        scratch: &'a mut Scratch,
        addresses: &'a mut Addresses,
        options: MarkdownOptions,
        out: &'a mut String,
    ) -> Markdown<'a> {
        scratch.clear();
        let start = out.len();
        Markdown {
            page,
            scratch,
            addresses,
            options,
            out,
            start,
            line: OpenLine::new(start),
            heading: 0,
            heading_node: 0,
            headings: None,
            fence: None,
            codes: 0,
            table: None,
            link: None,
            has_formula: false,
            shows_tex: open_tex::is_shown_on(page),
            tex: None,
        }
    }

    /// Records the places of the headings.
    pub(super) fn note_headings(&mut self, headings: Option<&'a mut Vec<HeadingPlace>>) {
        self.headings = headings;
        if let Some(headings) = &mut self.headings {
            headings.clear();
        }
    }
}

/// The line that is being written.
#[derive(Clone, Copy, Debug)]
struct OpenLine {
    is_begun: bool,
    /// Offset of its content, after the marks.
    content: usize,
    /// Number of outer containers that are the same as on the line before.
    common: usize,
    /// Whether the line follows a line break in its block.
    is_broken: bool,
    /// Offset of the first unescaped dollar of the block.
    dollar: Option<usize>,
    /// If the last output ended an item: its depth, and the width of its mark.
    item_before: Option<(usize, usize)>,
    /// If the last output was a list: its depth, whether it is ordered, its sign.
    list_before: Option<(usize, bool, char)>,
}

impl OpenLine {
    fn new(start: usize) -> OpenLine {
        OpenLine {
            is_begun: false,
            content: start,
            common: 0,
            is_broken: false,
            dollar: None,
            item_before: None,
            list_before: None,
        }
    }
}

/// The table that is being written.
#[derive(Debug, Default)]
struct OpenTable {
    /// Offset of the end of its first row, and the number of cells of that row.
    head: Option<(usize, usize)>,
    /// The largest number of cells in a row.
    columns: usize,
    /// Number of cells of the present row.
    cells: usize,
    is_in_row: bool,
    is_in_head: bool,
}

/// The signs that wait, are written, or must be ended.
#[derive(Debug, Default)]
struct Delimiters {
    /// Links and emphasis that begin before the next words.
    expected: Vec<Tag>,
    open: Vec<OpenDelimiter>,
    /// Number of entries at the end of `open` that have ended.
    ended: usize,
    /// Whether an ending sign is directly before the next output.
    has_closed: bool,
}

#[derive(Clone, Copy, Debug)]
struct OpenDelimiter {
    sign: &'static str,
    /// Offset of the sign; `None` if it is left out.
    at: Option<usize>,
}

impl Delimiters {
    fn clear(&mut self) {
        self.expected.clear();
        self.open.clear();
        self.ended = 0;
    }

    fn expect(&mut self, tag: Tag) {
        self.expected.push(tag);
    }

    fn forget(&mut self, tag: Tag) {
        let _ = self.expected.pop_if(|expected| *expected == tag);
    }
}

impl Markdown<'_> {
    /// Returns the last scalar of the content of the line.
    fn last_char(&self) -> Option<char> {
        self.out[self.line.content..].chars().next_back()
    }

    fn is_in_cell(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.is_in_row)
    }

    /// Prepares for output that begins with the scalar `next_char`.
    fn prepare_for(&mut self, next_char: char) {
        self.flush_code();
        self.begin_line();
        self.settle_delimiters(Some(next_char));
        self.open_delimiters(next_char);
    }

    fn open_link(&mut self) {
        if self.out.ends_with('!') {
            // Together, `!` and `[` would be an image.
            self.out.pop();
            self.out.push_str("\\!");
        }
        self.link = Some(self.out.len());
        self.out.push('[');
    }

    /// Ends the link whose `[` is at `start`.
    fn close_link(&mut self, start: usize) {
        self.flush_code();
        self.settle_delimiters(Some(']'));
        let address = self.scratch.address.as_str();
        let is_plain = address.contains(':') && !address.contains('$');
        if is_plain && self.out[start + 1..] == *address {
            self.out.truncate(start);
            self.out.extend(["<", address, ">"]);
            return;
        }
        self.out.push_str("](");
        literal::address(address, self.is_in_cell(), self.out);
        self.out.push(')');
    }
}

impl MarkupSink for Markdown<'_> {
    const KEEPS_SCRIPTS: bool = false;
    const SPLITS_PARAGRAPHS: bool = true;
    const KEEPS_SPANS: bool = false;
    const BREAKS_CELLS: bool = false;

    fn open_block(&mut self, block: Element) {
        self.end_line();
        self.heading_node = block.node;
        match block.tag {
            Tag::UL | Tag::OL => self.open_list(block),
            Tag::LI => self.open_item(block),
            Tag::BLOCKQUOTE => self.open_container(OpenContainer::Quote),
            Tag::H1 => self.heading = 1,
            Tag::H2 => self.heading = 2,
            Tag::H3 => self.heading = 3,
            Tag::H4 => self.heading = 4,
            Tag::H5 => self.heading = 5,
            Tag::H6 => self.heading = 6,
            Tag::PRE => self.fence = Some(block.node),
            Tag::TABLE => self.table = Some(OpenTable::default()),
            Tag::TR => self.open_row(),
            Tag::TD | Tag::TH => self.open_cell(block),
            _ => {}
        }
    }

    fn close_block(&mut self, block: Element) {
        match block.tag {
            Tag::TD | Tag::TH => return self.close_cell(),
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
        self.tex = None;
        if self.fence.is_some() {
            return;
        }
        match inline.tag {
            Tag::A => {
                let node = &self.page.nodes()[inline.node as usize];
                let href = self.page.attribute(node, AttributeName::Href);
                let href = href.filter(|_| self.options.links);
                if let Some(address) =
                    href.and_then(|href| self.addresses.resolve(href, AddressUse::Link))
                {
                    self.scratch.address.clear();
                    self.scratch.address.push_str(address);
                    if self.codes > 0 {
                        self.flush_code();
                    }
                    self.scratch.delimiters.expect(Tag::A);
                }
            }
            Tag::CODE | Tag::KBD | Tag::SAMP => self.codes += 1,
            tag => self.open_emphasis(tag),
        }
    }

    fn close_inline(&mut self, inline: Element) {
        self.tex = None;
        if self.fence.is_some() {
            return;
        }
        match inline.tag {
            Tag::A => {
                if let Some(start) = self.link.take() {
                    self.close_link(start);
                } else {
                    self.scratch.delimiters.forget(Tag::A);
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
        // After the mark of an item, `---` would be other markup.
        if self.out.len() > self.start && !self.begins_item() {
            self.begin_line();
            self.out.push_str("---");
            self.end_line();
        }
    }

    fn space(&mut self) {
        if self.codes > 0 && !self.scratch.code.is_empty() || self.fence.is_some() {
            self.scratch.code.push(' ');
            return;
        }
        self.flush_code();
        self.settle_delimiters(None);
        self.push_tex(" ");
        if self.out.len() > self.line.content {
            self.out.push(' ');
        }
    }

    fn line_breaks(&mut self, count: u32) {
        if self.fence.is_some() {
            (0..count).for_each(|_| self.scratch.code.push('\n'));
        } else if self.heading > 0 || self.is_in_cell() {
            self.space();
        } else if self.line.is_begun {
            self.flush_code();
            self.settle_delimiters(None);
            self.push_tex(" ");
            self.break_line();
        }
    }

    fn words(&mut self, words: &str) {
        if self.fence.is_some() {
            self.scratch.code.push_str(words);
        } else if self.codes > 0 {
            self.tex = None;
            if self.scratch.code.is_empty() {
                self.prepare_for('`');
            }
            self.scratch.code.push_str(words);
        } else {
            self.prepare_for(words.chars().next().unwrap_or(' '));
            if self.shows_tex {
                self.escape_around_tex(words);
            } else {
                self.escape(words);
            }
        }
    }

    fn white(&mut self, white: &str) {
        if self.fence.is_some() {
            self.scratch.code.push_str(white);
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
            self.scratch.code.extend(["$", tex, "$"]);
            return;
        }
        self.tex = None;
        self.prepare_for('$');
        self.escape_dollars();
        self.has_formula = true;
        let dollars = if is_display { "$$" } else { "$" };
        self.out.push_str(dollars);
        if self.is_in_cell() {
            literal::pipes(tex, self.out);
        } else {
            self.out.push_str(tex);
        }
        self.out.push_str(dollars);
    }

    fn find_image(&mut self, node: u32) -> bool {
        self.options.images
            && self.fence.is_none()
            && self.scratch.image.read(self.page, node, self.addresses)
    }

    fn image(&mut self) {
        self.tex = None;
        self.prepare_for('!');
        self.out.push_str("![");
        let image = std::mem::take(&mut self.scratch.image);
        let link = self.link.replace(self.out.len());
        self.escape(image.alt());
        self.link = link;
        self.out.push_str("](");
        literal::address(image.address(), self.is_in_cell(), self.out);
        self.out.push(')');
        self.scratch.image = image;
    }
}

/// Deepest level of lists and quotations that is marked. Deeper ones are written as part of those
/// around them, so that the marks before a line are bounded.
const MAX_DEPTH: usize = 16;

impl Markdown<'_> {
    fn open_container(&mut self, container: OpenContainer) {
        let is_deep = self.scratch.containers.len() >= MAX_DEPTH;
        self.scratch.containers.push(if is_deep { OpenContainer::Unmarked } else { container });
    }

    fn open_list(&mut self, list: Element) {
        let is_ordered =
            Numbering::from_list(self.page, list.node, &mut self.scratch.attributes).is_some();
        let sign = if is_ordered { '.' } else { '-' };
        self.reopen_item();
        self.open_container(OpenContainer::List { is_ordered, sign, next: None });
    }

    fn open_item(&mut self, item: Element) {
        /// CommonMark reads numbers of at most nine digits.
        const MAX_ITEM_NUMBER: i32 = 999_999_999;
        let is_in_numbers = matches!(
            self.scratch.containers.last(),
            Some(OpenContainer::List { is_ordered: true, .. })
        );
        if is_in_numbers && item.number.is_none() {
            return self.open_container(OpenContainer::Unmarked);
        }
        let number = item.number.unwrap_or_default().clamp(0, MAX_ITEM_NUMBER);
        self.open_container(OpenContainer::Item { number, width: 0 });
    }

    /// Puts a list that is directly in a list into the item before it.
    fn reopen_item(&mut self) {
        let depth = self.scratch.containers.len();
        if depth + 1 < MAX_DEPTH
            && let Some(OpenContainer::List { .. }) = self.scratch.containers.last()
            && let Some((item_before, width)) = self.line.item_before
            && item_before == depth
            && width > 0
        {
            self.scratch.containers.push(OpenContainer::Reopened { width });
            if self.line.common == depth {
                self.line.common = depth + 1;
            }
        }
    }

    fn close_container(&mut self) {
        let Some(container) = self.scratch.containers.pop() else { return };
        let depth = self.scratch.containers.len();
        self.line.common = self.line.common.min(depth);
        let has_list = matches!(self.scratch.containers.last(), Some(OpenContainer::List { .. }));
        if let OpenContainer::Item { width, .. } = container {
            self.line.item_before = Some((depth, width));
        }
        match container {
            OpenContainer::List { is_ordered, sign, .. } => {
                self.line.list_before = Some((depth, is_ordered, sign));
                if let Some(OpenContainer::Reopened { width }) =
                    self.scratch.containers.last().copied()
                {
                    self.scratch.containers.pop();
                    let depth = self.scratch.containers.len();
                    self.line.common = self.line.common.min(depth);
                    self.line.item_before = Some((depth, width));
                }
            }
            // An item outside a list begins a list of its own.
            OpenContainer::Item { .. } if !has_list => {
                self.line.list_before = Some((depth, false, '-'));
            }
            _ => {}
        }
    }

    /// Returns whether an item begins whose mark is not written yet.
    fn begins_item(&self) -> bool {
        self.scratch.containers.iter().any(OpenContainer::is_new)
    }

    /// Ends the block that is being written.
    fn end_line(&mut self) {
        self.tex = None;
        self.flush_code();
        self.settle_delimiters(None);
        self.line.is_begun = false;
    }

    /// Begins a block, unless a block has begun.
    fn begin_line(&mut self) {
        if self.line.is_begun {
            return;
        }
        self.line.is_begun = true;
        self.line.is_broken = false;
        self.line.dollar = None;
        self.choose_sign();
        let is_restarted = container::restart_list(&mut self.scratch.containers);
        if self.out.len() > self.start {
            self.out.push('\n');
            if is_restarted || !self.is_tight() {
                self.write_marks(self.line.common);
                let trimmed = self.out.trim_end_matches(' ').len();
                self.out.truncate(trimmed);
                self.out.push('\n');
            }
        }
        (self.line.list_before, self.line.item_before) = (None, None);
        self.write_marks(self.scratch.containers.len());
        self.line.common = self.scratch.containers.len();
        if self.heading > 0 {
            if let Some(headings) = &mut self.headings {
                headings.push(HeadingPlace { at: self.out.len(), node: self.heading_node });
            }
            (0..self.heading).for_each(|_| self.out.push('#'));
            self.out.push(' ');
        }
        self.line.content = self.out.len();
    }

    /// Continues the block on another line.
    fn break_line(&mut self) {
        self.out.push_str("  \n");
        self.write_marks(self.scratch.containers.len());
        self.line.content = self.out.len();
        self.line.is_broken = true;
    }

    /// Chooses another sign for a list directly after one of its kind, because with equal signs
    /// both would be one list.
    fn choose_sign(&mut self) {
        let Some((depth, was_ordered, sign_before)) = self.line.list_before else { return };
        if depth < self.line.common {
            return;
        }
        if let Some(OpenContainer::List { is_ordered, sign, .. }) =
            self.scratch.containers.get_mut(depth)
            && *is_ordered == was_ordered
        {
            *sign = container::other_sign(sign_before);
        }
    }

    /// Returns whether the block has no blank line before it. Such a block begins an item after
    /// another one of the same list. Or it begins a list after the first words of the item that
    /// holds it.
    fn is_tight(&self) -> bool {
        let containers = &self.scratch.containers;
        let Some(item) = containers.iter().position(OpenContainer::is_new) else { return false };
        let list = match containers.get(item.wrapping_sub(1)) {
            Some(OpenContainer::List { .. }) => item - 1,
            _ => return self.line.list_before.is_some_and(|(depth, ..)| depth == item),
        };
        if self.line.common > list {
            return self.line.item_before.is_some_and(|(depth, _)| depth == item);
        }
        let is_in_item = self.line.common == list
            && matches!(
                containers[..list].last(),
                Some(OpenContainer::Item { .. } | OpenContainer::Reopened { .. })
            );
        let can_interrupt = match (containers[list], containers[item]) {
            (OpenContainer::List { is_ordered: true, .. }, OpenContainer::Item { number, .. }) => {
                number == 1
            }
            _ => true,
        };
        is_in_item && can_interrupt && self.line.list_before.is_none()
    }

    /// Writes the marks of the `count` outermost containers before a line.
    fn write_marks(&mut self, count: usize) {
        for index in 0..count {
            match self.scratch.containers[index] {
                OpenContainer::Quote => self.out.push_str("> "),
                OpenContainer::List { .. } | OpenContainer::Unmarked => {}
                OpenContainer::Item { width: 0, number } => {
                    let start = self.out.len();
                    let list = index.checked_sub(1).map(|list| &mut self.scratch.containers[list]);
                    let sign = match list {
                        Some(OpenContainer::List { is_ordered: true, sign, next }) => {
                            *next = Some(number + 1);
                            push_decimal(number, self.out);
                            *sign
                        }
                        Some(OpenContainer::List { sign, .. }) => *sign,
                        _ => '-',
                    };
                    self.out.push(sign);
                    self.out.push(' ');
                    let written = self.out.len() - start;
                    if let OpenContainer::Item { width, .. } = &mut self.scratch.containers[index] {
                        *width = written;
                    }
                }
                OpenContainer::Item { width, .. } | OpenContainer::Reopened { width } => {
                    (0..width).for_each(|_| self.out.push(' '));
                }
            }
        }
    }
}

/// Returns the length of the longest row of backticks.
fn longest_row(code: &str) -> usize {
    if memchr::memchr(b'`', code.as_bytes()).is_none() {
        return 0;
    }
    code.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

impl Markdown<'_> {
    /// Writes the collected inline code.
    fn flush_code(&mut self) {
        if self.scratch.code.is_empty() || self.fence.is_some() {
            return;
        }
        if memchr::memchr(b'$', self.scratch.code.as_bytes()).is_some() {
            self.escape_dollars();
        }
        let ends_in_space = self.scratch.code.ends_with(' ');
        let code = self.scratch.code.trim_end_matches(' ');
        // A row of backticks delimits the code if its length differs from all rows within. One
        // backtick is usual.
        let longest = longest_row(code);
        let has_single = longest > 0 && code.split(|c| c != '`').any(|row| row.len() == 1);
        let ticks = if has_single { longest + 1 } else { 1 };
        let is_padded = code.starts_with('`') || code.ends_with('`');
        (0..ticks).for_each(|_| self.out.push('`'));
        if is_padded {
            self.out.push(' ');
        }
        if self.table.as_ref().is_some_and(|table| table.is_in_row) {
            literal::pipes(code, self.out);
        } else {
            self.out.push_str(code);
        }
        if is_padded {
            self.out.push(' ');
        }
        (0..ticks).for_each(|_| self.out.push('`'));
        self.scratch.code.clear();
        if ends_in_space {
            self.out.push(' ');
        }
    }

    /// Writes the collected code as a block.
    fn write_fence(&mut self) {
        let Some(node) = self.fence.take() else { return };
        let code = std::mem::take(&mut self.scratch.code);
        if !code.is_empty() {
            self.begin_line();
            let ticks = longest_row(&code).max(2) + 1;
            let write_ticks = |out: &mut String| (0..ticks).for_each(|_| out.push('`'));
            write_ticks(self.out);
            if let Some(language) = language::language_of(self.page, node) {
                self.out.push_str(language);
            }
            for line in code.split('\n') {
                self.next_line();
                self.out.push_str(line);
                if line.is_empty() {
                    let trimmed = self.out.trim_end_matches(' ').len();
                    self.out.truncate(trimmed);
                }
            }
            self.next_line();
            write_ticks(self.out);
        }
        self.scratch.code = code;
        self.scratch.code.clear();
        self.end_line();
    }
}
