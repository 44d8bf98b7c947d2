//! Finds the blocks of Markdown in one pass.
//!
//! The rules are those of CommonMark 0.31 for blocks, and GitHub's for tables. Inline markup does
//! not matter here. Definitions of links are paragraphs, and so is a lone tag of an inline element.
//! Containers deeper than [`MAX_DEPTH`] are part of the text in them.
//!
//! Cost: O(bytes × [`MAX_DEPTH`]). A line is compared with each open container once.

use crate::cursor::Cursor;
use crate::document::{Document, Heading, NO_HEADING, Row, RowFlag, Unit};
use crate::kinds::{Kind, Kinds};
use crate::level::{Level, MAX_DEPTH};
use crate::line_start::{self, Fence, HtmlEnd, ItemMark};

/// An open item or quotation.
#[derive(Clone, Copy, Debug)]
struct Container {
    /// Columns of an item's content. `None` in a quotation.
    indent: Option<usize>,
    /// The sign of an item.
    sign: u8,
    /// Whether an item has no content yet.
    is_empty: bool,
    /// Index of its unit.
    unit: usize,
    /// The row with which it begins.
    row: usize,
    /// Number of headings on the path outside it.
    path: usize,
    kinds: Kinds,
}

/// The open leaf.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    /// No leaf is open.
    None,
    /// A paragraph, from a row and byte offset on.
    Paragraph { row: usize, start: usize },
    /// Code between fences.
    Fence { fence: Fence, unit: usize },
    /// Indented code.
    Indented { unit: usize },
    /// Raw HTML.
    Html(HtmlEnd),
    /// A table.
    Table { unit: usize },
}

/// Scratch buffers of scanners.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    containers: Vec<Container>,
    /// Indices of the headings around the line.
    path: Vec<u32>,
}

/// Finds blocks.
pub(crate) struct Scanner<'a> {
    markdown: &'a str,
    document: &'a mut Document,
    containers: &'a mut Vec<Container>,
    path: &'a mut Vec<u32>,
    leaf: Leaf,
    /// Whether an empty line is directly before this one.
    is_after_empty: bool,
    /// Depth and sign of the item that this line has ended.
    ended_item: Option<(usize, u8)>,
    /// Whether the line before ends in a hard break.
    is_broken: bool,
    /// Byte offset of the line in the Markdown.
    start: usize,
    /// Content of the line before, as byte offsets.
    before: (usize, usize),
}

/// Fills a document with the structure of Markdown.
pub(crate) fn scan(markdown: &str, scratch: &mut Scratch, document: &mut Document) {
    document.clear();
    scratch.containers.clear();
    scratch.path.clear();
    document.bytes = markdown.len();
    let mut scanner = Scanner {
        markdown,
        document,
        containers: &mut scratch.containers,
        path: &mut scratch.path,
        leaf: Leaf::None,
        is_after_empty: true,
        ended_item: None,
        is_broken: false,
        start: 0,
        before: (0, 0),
    };
    let bytes = markdown.as_bytes();
    let mut offset = if markdown.starts_with('\u{FEFF}') { 3 } else { 0 };
    while offset < bytes.len() {
        let end =
            memchr::memchr2(b'\n', b'\r', &bytes[offset..]).map_or(bytes.len(), |end| offset + end);
        let is_pair = bytes[end..].starts_with(b"\r\n");
        scanner.start = offset;
        scanner.line(Cursor::new(&bytes[offset..end]));
        scanner.is_broken = ends_in_break(&bytes[offset..end]);
        offset = (end + 1 + usize::from(is_pair)).min(bytes.len());
    }
    scanner.finish();
}

/// Returns whether a line ends in a hard break.
fn ends_in_break(line: &[u8]) -> bool {
    line.ends_with(b"  ") || line.ends_with(b"\\")
}

impl Scanner<'_> {
    fn line(&mut self, mut cursor: Cursor<'_>) {
        self.ended_item = None;
        let matched = self.continue_containers(&mut cursor);
        let is_inside = matched == self.containers.len();
        if is_inside && self.continue_leaf(&cursor) {
            return;
        }
        if cursor.is_blank() {
            self.close_containers(matched);
            if matches!(self.leaf, Leaf::Paragraph { .. } | Leaf::Table { .. }) {
                self.close_leaf();
            }
            self.is_after_empty = true;
            return;
        }
        let opened = self.open_containers(&mut cursor, matched);
        self.begin_leaf(&cursor, matched, opened);
        self.is_after_empty = false;
        self.before = (
            self.start + cursor.offset(),
            self.start + cursor.offset() + cursor.visible_rest().len(),
        );
    }

    /// Returns the number of containers that the line continues, and moves behind their marks.
    fn continue_containers(&mut self, cursor: &mut Cursor<'_>) -> usize {
        for (index, container) in self.containers.iter_mut().enumerate() {
            let is_continued = match container.indent {
                None => {
                    let is_quote =
                        cursor.indent(4) < 4 && cursor.visible_rest().first() == Some(&b'>');
                    if is_quote {
                        cursor.skip_mark(1);
                        cursor.skip_indent(1);
                    }
                    is_quote
                }
                Some(_) if cursor.is_blank() => !container.is_empty,
                Some(indent) => {
                    let is_deep = cursor.indent(indent) == indent;
                    if is_deep {
                        cursor.skip_indent(indent);
                        container.is_empty = false;
                    }
                    is_deep
                }
            };
            if !is_continued {
                return index;
            }
        }
        self.containers.len()
    }

    /// Adds the line to the open leaf if the leaf can only end in its own way. Returns whether it
    /// has.
    fn continue_leaf(&mut self, cursor: &Cursor<'_>) -> bool {
        match self.leaf {
            Leaf::Fence { fence, .. } => {
                let is_end = cursor.indent(4) < 4 && fence.is_closed_by(cursor.visible_rest());
                if cursor.is_blank() {
                    self.is_after_empty = true;
                    return true;
                }
                if is_end {
                    self.mark_last(RowFlag::Bound);
                }
                self.push_line(Kind::Code);
                if is_end {
                    self.mark_last(RowFlag::Markup);
                    self.close_leaf();
                }
                self.is_after_empty = false;
                true
            }
            Leaf::Indented { .. } if cursor.is_blank() => {
                self.is_after_empty = true;
                true
            }
            Leaf::Indented { .. } if cursor.indent(4) == 4 => {
                self.push_line(Kind::Code);
                self.is_after_empty = false;
                true
            }
            Leaf::Html(HtmlEnd::EmptyLine) if cursor.is_blank() => {
                self.close_leaf();
                false
            }
            Leaf::Html(_) if cursor.is_blank() => {
                self.is_after_empty = true;
                true
            }
            Leaf::Html(end) => {
                self.push_line(Kind::Html);
                if end.is_in(cursor.visible_rest()) {
                    self.close_leaf();
                }
                self.is_after_empty = false;
                true
            }
            Leaf::Indented { .. } => {
                self.close_leaf();
                false
            }
            _ => false,
        }
    }

    /// Opens the containers that begin on the line. Returns the level of a cut before the line if
    /// there are any.
    fn open_containers(&mut self, cursor: &mut Cursor<'_>, matched: usize) -> Option<Level> {
        let mut level = None;
        while cursor.indent(4) < 4 && !cursor.is_blank() {
            let depth = if level.is_none() { matched } else { self.containers.len() };
            if depth >= MAX_DEPTH {
                break;
            }
            let is_paragraph = level.is_none()
                && matched == self.containers.len()
                && matches!(self.leaf, Leaf::Paragraph { .. });
            let line = cursor.visible_rest();
            if line[0] == b'>' {
                self.close_containers(depth);
                self.close_leaf();
                level.get_or_insert(Level::block(depth));
                self.open_container(None, 0, Kind::Quote);
                cursor.skip_mark(1);
                cursor.skip_indent(1);
                continue;
            }
            let Some(mark) = line_start::item(line) else { break };
            let is_underline = is_paragraph && line_start::underline(line).is_some();
            let interrupts = mark.is_first && !mark.is_alone;
            if is_underline || is_paragraph && !interrupts || line_start::is_rule(line) {
                break;
            }
            self.close_containers(depth);
            self.close_leaf();
            let follows = self.ended_item == Some((depth, mark.sign));
            level.get_or_insert(if follows { Level::item(depth) } else { Level::block(depth) });
            self.open_item(cursor, mark);
        }
        level
    }

    fn open_item(&mut self, cursor: &mut Cursor<'_>, mark: ItemMark) {
        let indent = cursor.indent(4);
        cursor.skip_mark(mark.width);
        let spaces = cursor.indent(5);
        let spaces = if (1..5).contains(&spaces) && !cursor.is_blank() { spaces } else { 1 };
        cursor.skip_indent(spaces);
        self.open_container(Some(indent + mark.width + spaces), mark.sign, Kind::List);
        if let Some(container) = self.containers.last_mut() {
            container.is_empty = mark.is_alone;
        }
    }

    fn open_container(&mut self, indent: Option<usize>, sign: u8, kind: Kind) {
        let outer = self.containers.last().map_or(Kinds::default(), |outer| outer.kinds);
        let (row, unit) = (self.document.rows.len(), self.document.units.len());
        if indent.is_some() {
            self.document.units.push(Unit { first: row, end: row, is_table: false });
        }
        let (path, kinds) = (self.path.len(), outer.with(kind));
        self.containers.push(Container { indent, sign, is_empty: false, unit, row, path, kinds });
    }

    /// Begins or continues a leaf with the rest of the line.
    fn begin_leaf(&mut self, cursor: &Cursor<'_>, matched: usize, opened: Option<Level>) {
        let is_inside = opened.is_none() && matched == self.containers.len();
        let is_paragraph = opened.is_none() && matches!(self.leaf, Leaf::Paragraph { .. });
        let is_deep = cursor.indent(4) == 4;
        let line = cursor.visible_rest();
        if is_deep && !is_paragraph && !cursor.is_blank() {
            self.begin_block(matched, opened, Kind::Code);
            self.leaf = Leaf::Indented { unit: self.open_unit(false) };
            return;
        }
        if is_deep || cursor.is_blank() {
            return self.scan_text(cursor, matched, opened, is_paragraph);
        }
        if is_paragraph && is_inside {
            if let Some(level) = line_start::underline(line) {
                return self.underline_paragraph(level);
            }
            if self.begins_table(line) {
                return;
            }
        }
        if let Some(level) = line_start::heading(line) {
            self.scan_heading(cursor, matched, opened, level);
        } else if let Some(fence) = line_start::fence(line) {
            self.begin_block(matched, opened, Kind::Code);
            self.mark_last(RowFlag::Markup);
            self.mark_last(RowFlag::Bound);
            self.leaf = Leaf::Fence { fence, unit: self.open_unit(false) };
        } else if line_start::is_rule(line) {
            self.begin_block(matched, opened, Kind::Rule);
            self.mark_last(RowFlag::Markup);
            // A rule after a heading is no content of its section.
            let rows = &mut self.document.rows;
            if let [.., row_before, rule] = rows.as_mut_slice()
                && row_before.has(RowFlag::Bound)
            {
                rule.set(RowFlag::Bound);
            }
        } else if let Some(end) = line_start::html(line) {
            self.begin_block(matched, opened, Kind::Html);
            self.leaf = if end.is_in(line) { Leaf::None } else { Leaf::Html(end) };
        } else {
            self.scan_text(cursor, matched, opened, is_paragraph);
        }
    }

    /// Begins or continues a paragraph or a table.
    fn scan_text(
        &mut self,
        cursor: &Cursor<'_>,
        matched: usize,
        opened: Option<Level>,
        is_paragraph: bool,
    ) {
        let is_inside = opened.is_none() && matched == self.containers.len();
        if is_paragraph {
            let level = if self.is_broken { Level::LINE } else { Level::SOFT_BREAK };
            self.push(level, Kind::Paragraph);
        } else if is_inside && matches!(self.leaf, Leaf::Table { .. }) {
            self.push(Level::LINE, Kind::Table);
        } else {
            self.begin_block(matched, opened, Kind::Paragraph);
            // The mark of an item without content is followed by no paragraph of the item.
            self.leaf = if cursor.is_blank() {
                Leaf::None
            } else {
                let row = self.document.rows.len() - 1;
                Leaf::Paragraph { row, start: self.start + cursor.offset() }
            };
        }
    }

    /// Turns the open paragraph into a heading.
    fn underline_paragraph(&mut self, level: u8) {
        let Leaf::Paragraph { row, start } = self.leaf else { return };
        self.leaf = Leaf::None;
        self.push(Level::LINE, Kind::Heading);
        self.mark_last(RowFlag::Markup);
        self.push_heading(row, level, start..self.start);
        let section = self.document.headings.len() as u32 - 1;
        let is_outside = self.containers.is_empty();
        let kinds = self.containers.last().map_or(Kinds::default(), |inner| inner.kinds);
        for row in &mut self.document.rows[row..] {
            row.kinds = kinds.with(Kind::Heading);
            row.section = section;
            row.set(RowFlag::Bound);
        }
        if is_outside {
            self.document.rows[row].level = Level::heading(level);
        }
    }

    /// Turns the last line of the open paragraph into the head of a table, if the line has as many
    /// cells as that line. Returns whether it has.
    fn begins_table(&mut self, line: &[u8]) -> bool {
        let Some(columns) = line_start::delimiter_columns(line) else { return false };
        let Leaf::Paragraph { row: first_row, .. } = self.leaf else { return false };
        let (start, end) = self.before;
        if line_start::cells(&self.markdown.as_bytes()[start..end]) != columns {
            return false;
        }
        let depth = self.containers.len();
        let kinds = self.row_kinds(Kind::Table);
        let row = self.document.rows.len() - 1;
        let head = &mut self.document.rows[row];
        head.kinds = kinds;
        head.set(RowFlag::Bound);
        if row > first_row {
            head.level = Level::block(depth);
        }
        let unit = self.open_unit(true);
        self.push(Level::LINE, Kind::Table);
        self.mark_last(RowFlag::Bound);
        self.mark_last(RowFlag::Markup);
        self.leaf = Leaf::Table { unit };
        true
    }

    fn scan_heading(
        &mut self,
        cursor: &Cursor<'_>,
        matched: usize,
        opened: Option<Level>,
        level: u8,
    ) {
        let is_outside = matched == 0 && opened.is_none();
        self.begin_block(matched, opened, Kind::Heading);
        let row = self.document.rows.len() - 1;
        let start = self.start + cursor.offset();
        let content = start + usize::from(level)..start + cursor.visible_rest().len();
        self.push_heading(row, level, content);
        let section = self.document.headings.len() as u32 - 1;
        let row = &mut self.document.rows[row];
        row.section = section;
        row.set(RowFlag::Bound);
        if is_outside {
            row.level = Level::heading(level);
        }
    }

    fn push_heading(&mut self, row: usize, level: u8, content: std::ops::Range<usize>) {
        let outer_path_len = self.containers.last().map_or(0, |inner| inner.path);
        let headings = &mut self.document.headings;
        while self.path.len() > outer_path_len
            && self
                .path
                .last()
                .is_some_and(|last_heading| headings[*last_heading as usize].level >= level)
        {
            self.path.pop();
        }
        let parent = self.path.last().copied().unwrap_or(NO_HEADING);
        self.path.push(headings.len() as u32);
        let text = 0..0;
        headings.push(Heading {
            row,
            level,
            parent,
            content,
            text,
            anchor: None,
            own_anchor: None,
        });
    }

    /// Returns the kinds of a row of a leaf of this kind.
    fn row_kinds(&self, kind: Kind) -> Kinds {
        match self.containers.last() {
            Some(inner) if kind == Kind::Paragraph => inner.kinds,
            Some(inner) => inner.kinds.with(kind),
            None => Kinds::default().with(kind),
        }
    }

    /// Ends the blocks before a leaf that begins on this line, and adds its first row.
    fn begin_block(&mut self, matched: usize, opened: Option<Level>, kind: Kind) {
        if opened.is_none() {
            self.close_containers(matched);
            self.close_leaf();
        }
        let level = opened.unwrap_or(Level::block(self.containers.len()));
        self.push(level, kind);
    }

    /// Adds a row to code or HTML.
    fn push_line(&mut self, kind: Kind) {
        self.push(if self.is_after_empty { Level::EMPTY_LINE } else { Level::LINE }, kind);
    }

    fn push(&mut self, level: Level, kind: Kind) {
        let section = self.path.last().copied().unwrap_or(NO_HEADING);
        let kinds = self.row_kinds(kind);
        let rows = &mut self.document.rows;
        let start = if rows.is_empty() { 0 } else { self.start };
        rows.push(Row::new(start, level, kinds, section));
    }

    fn mark_last(&mut self, flag: RowFlag) {
        if let Some(row) = self.document.rows.last_mut() {
            row.set(flag);
        }
    }

    /// Begins a unit with the last row.
    fn open_unit(&mut self, is_table: bool) -> usize {
        let first_row = self.document.rows.len() - 1;
        self.document.units.push(Unit { first: first_row, end: first_row + 1, is_table });
        self.document.units.len() - 1
    }

    fn close_leaf(&mut self) {
        if let Leaf::Fence { unit, .. } | Leaf::Indented { unit } | Leaf::Table { unit } = self.leaf
        {
            let Document { rows, units, .. } = &mut *self.document;
            units[unit].end = rows.len();
            // The head of a table without rows does not belong to the next block.
            if units[unit].is_table
                && rows.len() == units[unit].first + 2
                && let Some(row) = rows.last_mut()
            {
                row.unset(RowFlag::Bound);
            }
        }
        self.leaf = Leaf::None;
    }

    /// Ends all containers but the outermost `count`.
    fn close_containers(&mut self, count: usize) {
        if count >= self.containers.len() {
            return;
        }
        self.close_leaf();
        while self.containers.len() > count
            && let Some(container) = self.containers.pop()
        {
            let rows = &mut self.document.rows;
            if container.indent.is_some() {
                self.document.units[container.unit].end = rows.len();
                self.ended_item = Some((self.containers.len(), container.sign));
            }
            self.path.truncate(container.path);
            // A heading that ends a container is all of its item, or its last line.
            if rows.len() > container.row
                && let Some(row) = rows.last_mut()
            {
                row.unset(RowFlag::Bound);
            }
        }
    }

    fn finish(mut self) {
        self.close_containers(0);
        self.close_leaf();
        if self.document.rows.is_empty() && !self.markdown.is_empty() {
            self.push(Level::block(0), Kind::Paragraph);
        }
        // The units of an empty container have no rows.
        let rows = self.document.rows.len();
        self.document.units.retain(|unit| unit.first < unit.end && unit.first < rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};
    use std::io::BufRead;

    fn scanned(markdown: &str) -> Document {
        let mut document = Document::default();
        scan(markdown, &mut Scratch::default(), &mut document);
        document
    }

    /// Returns each row with the level of a cut before it and its properties: bound (`b`), markup
    /// (`m`).
    fn rows(markdown: &str) -> Vec<(&str, Level, String)> {
        let document = scanned(markdown);
        let row = |index: usize| {
            let row = &document.rows[index];
            let text = &markdown[row.start..document.start(index + 1)];
            let flags = [(RowFlag::Bound, 'b'), (RowFlag::Markup, 'm')];
            let flags = flags.into_iter().filter(|(flag, _)| row.has(*flag));
            (text, row.level, flags.map(|(_, sign)| sign).collect())
        };
        (0..document.rows.len()).map(row).collect()
    }

    #[test]
    fn rows_have_levels() {
        let (heading, block, item) = (Level::heading, Level::block, Level::item);
        let expected = [
            ("\n# A\n\n", heading(1), "b"),
            ("a\n", block(0), ""),
            ("b  \n", Level::SOFT_BREAK, ""),
            ("c\n\n", Level::LINE, ""),
            ("- d\n", block(0), ""),
            ("- e\n\n", item(0), ""),
            ("  f\n", block(1), ""),
            ("  1. g\n", block(1), ""),
            ("  2. h\n\n", item(1), ""),
            ("> i\n", block(0), ""),
            ("> > j\n\n", block(1), ""),
            ("B\n", heading(2), "b"),
            ("---\n", Level::LINE, "bm"),
            ("***\n", block(0), "bm"),
            ("    x\n\n", block(0), ""),
            ("    y\n", Level::EMPTY_LINE, ""),
        ];
        let markdown: String = expected.iter().map(|(text, ..)| *text).collect();
        let expected = expected.map(|(text, level, flags)| (text, level, flags.to_owned()));
        assert_eq!(rows(&markdown), expected);
    }

    #[test]
    fn heads_of_tables_and_fences_are_bound() {
        let markdown = "p\n| a |\n|---|\n| b |\n\n| c |\n|---|\n\n```\nx\n\ny\n```\n- # h\n";
        let flags: Vec<_> = rows(markdown).into_iter().map(|(.., flags)| flags).collect();
        assert_eq!(flags, ["", "b", "bm", "", "b", "m", "bm", "", "b", "m", ""]);
        let units = scanned(markdown).units;
        let units: Vec<_> =
            units.iter().map(|unit| (unit.first, unit.end, unit.is_table)).collect();
        assert_eq!(units, [(1, 4, true), (4, 6, true), (6, 10, false), (10, 11, false)]);
    }

    #[test]
    fn sections_of_an_item_end_with_it() {
        let markdown = "# A\n\n- ## B\n\n  b\n\na\n\n## C\n\nc\n";
        let document = scanned(markdown);
        let sections: Vec<_> = document.rows.iter().map(|row| row.section).collect();
        assert_eq!(sections, [0, 1, 1, 0, 2, 2]);
        assert_eq!(
            document.headings.iter().map(|one| one.parent).collect::<Vec<_>>(),
            [NO_HEADING, 0, 0]
        );
    }

    #[test]
    fn lines_without_blocks_belong_to_a_row() {
        assert!(rows("").is_empty());
        assert_eq!(rows("\n \n"), [("\n \n", Level::block(0), String::new())]);
        assert_eq!(rows("\u{FEFF}# a"), [("\u{FEFF}# a", Level::heading(1), "b".to_owned())]);
        assert_eq!(rows(&">".repeat(100)).len(), 1);
    }

    /// Returns the kinds and lines of headings, items, code and tables, by this scanner and by
    /// pulldown-cmark.
    fn blocks(markdown: &str) -> [Vec<(usize, &'static str)>; 2] {
        let line = |at: usize| markdown[..at].bytes().filter(|byte| *byte == b'\n').count();
        let document = scanned(markdown);
        let visible = |row: usize| {
            let text = &markdown[document.start(row)..];
            line(document.start(row) + text.len() - text.trim_start().len())
        };
        let kind = |unit: &Unit| {
            let row = &document.rows[unit.first];
            // An item may begin with code.
            let mut nested = document.units.iter().rev().filter(|other| other.first == unit.first);
            let is_innermost = nested.next().is_some_and(|last| std::ptr::eq(last, unit));
            match (unit.is_table, is_innermost && row.kinds.has(Kind::Code)) {
                (true, _) => "table",
                (_, true) => "code",
                _ => "item",
            }
        };
        let units = document.units.iter().map(|unit| (visible(unit.first), kind(unit)));
        let headings = document.headings.iter().map(|one| (visible(one.row), "heading"));
        let mut ours: Vec<_> = units.chain(headings).collect();
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let events = Parser::new_ext(markdown, options).into_offset_iter();
        let theirs = events.filter_map(|(event, range)| match event {
            Event::Start(Tag::Heading { .. }) => Some((line(range.start), "heading")),
            Event::Start(Tag::CodeBlock(_)) => Some((line(range.start), "code")),
            Event::Start(Tag::Table(_)) => Some((line(range.start), "table")),
            Event::Start(Tag::Item) => Some((line(range.start), "item")),
            _ => None,
        });
        let mut theirs: Vec<_> = theirs.collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        [ours, theirs]
    }

    #[test]
    fn blocks_of_the_documents_are_those_of_pulldown_cmark() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
        let mut found = 0;
        for file in std::fs::read_dir(docs).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|end| end == "md") {
                let [ours, theirs] = blocks(&std::fs::read_to_string(&file).unwrap());
                assert_eq!(ours, theirs, "{}", file.display());
                found += ours.len();
            }
        }
        assert!(found > 500);
    }

    #[test]
    #[ignore = "needs rows with Markdown: HULLER_ROWS=FILE.jsonl"]
    fn blocks_of_your_rows_are_those_of_pulldown_cmark() {
        let rows = std::env::var_os("HULLER_ROWS").expect("HULLER_ROWS names a file");
        let rows = std::io::BufReader::new(std::fs::File::open(rows).unwrap());
        let (mut pages, mut different) = (0, 0);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(&row.unwrap()).unwrap();
            let [ours, theirs] = blocks(row["markdown"].as_str().unwrap_or_default());
            pages += 1;
            if ours != theirs {
                different += 1;
                let first = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
                println!("{}: {first:?}", row["id"]);
            }
        }
        println!("{different} of {pages} pages differ");
        assert_eq!(different, 0);
    }
}
