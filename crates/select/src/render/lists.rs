//! Writes the marks of lists in a text: numbers before items of ordered lists, and the indentation
//! of nested lists.
//!
//! A nested list is indented by two more spaces than the list around it, if text comes before it in
//! the item around it. If no item is around it, the text before it in the outer list counts. Items
//! of unordered lists have no mark: a line is enough.

use super::numbers::Numbering;
use huller_page::{Attributes, Page, Tag, TagTable};

/// Spaces before a line, for each level.
const SPACES_PER_LEVEL: usize = 2;

/// The deepest level. Deeper lists are indented like this level, so that the spaces before a line
/// are bounded.
const MAX_DEPTH: u8 = 8;

/// Largest number of elements between an item and its list.
const MAX_ELEMENTS_BETWEEN: usize = 16;

/// Elements that separate an item in them from a list around them.
const PARTS: TagTable = TagTable::NONE.with(&[
    Tag::LI,
    Tag::DL,
    Tag::DT,
    Tag::DD,
    Tag::BLOCKQUOTE,
    Tag::FIGURE,
    Tag::FIGCAPTION,
    Tag::DETAILS,
    Tag::SUMMARY,
    Tag::CAPTION,
]);

/// The lists that the walk is in. Lengths are lengths of the text in bytes.
#[derive(Debug, Default)]
pub(super) struct Lists {
    open: Vec<List>,
    attributes: Attributes,
    /// Number of lists with an item whose number is not written yet.
    waiting: u32,
}

#[derive(Debug)]
struct List {
    /// Index of the element.
    node: u32,
    /// Level of indentation, from 0.
    level: u8,
    numbers: Option<Numbering>,
    /// The number of the present item, until it is written.
    number: Option<i32>,
    /// Length of the text where the list began.
    start: usize,
    /// The present item, and the length of the text where it began.
    item: Option<(u32, usize)>,
}

impl Lists {
    pub(super) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 10;
        self.open.clear();
        self.open.shrink_to(MAX_KEPT_ENTRIES);
        self.waiting = 0;
    }

    /// Begins a list at this length of the text.
    pub(super) fn begin_list(&mut self, page: &Page<'_>, node: u32, start: usize) {
        let level = self.open.last().map_or(0, |outer_list| {
            let is_empty = start == outer_list.item.map_or(outer_list.start, |(_, start)| start);
            outer_list.level + u8::from(!is_empty && outer_list.level < MAX_DEPTH)
        });
        let numbers = Numbering::from_list(page, node, &mut self.attributes);
        self.open.push(List { node, level, numbers, number: None, start, item: None });
    }

    /// Ends a list, if it has begun here.
    pub(super) fn end_list(&mut self, node: u32) {
        if let Some(list) = self.open.pop_if(|list| list.node == node) {
            self.waiting -= u32::from(list.number.is_some());
        }
    }

    /// Begins an item at this length of the text.
    pub(super) fn begin_item(&mut self, page: &Page<'_>, node: u32, start: usize) {
        let Some(list) = self.open.last_mut() else { return };
        let mut ancestor = page.nodes()[node as usize].parent;
        for _ in 0..MAX_ELEMENTS_BETWEEN {
            if ancestor <= list.node || PARTS.contains(page.nodes()[ancestor as usize].tag) {
                break;
            }
            ancestor = page.nodes()[ancestor as usize].parent;
        }
        if ancestor != list.node {
            return;
        }
        list.item = Some((node, start));
        if let Some(numbers) = &mut list.numbers {
            let number = numbers.take(page, node, &mut self.attributes);
            let waited = u32::from(std::mem::replace(&mut list.number, number).is_some());
            self.waiting = self.waiting - waited + u32::from(number.is_some());
        }
    }

    /// Ends an item, if it has begun here.
    pub(super) fn end_item(&mut self, node: u32) {
        if let Some(list) = self.open.last_mut()
            && list.item.is_some_and(|(item, _)| item == node)
        {
            list.item = None;
            self.waiting -= u32::from(list.number.take().is_some());
        }
    }

    /// Writes the marks before the words of a line. Preformatted text is not indented, and a number
    /// before it has a line of its own.
    pub(super) fn begin_line(&mut self, is_preformatted: bool, out: &mut String) {
        let Some(innermost) = self.open.last() else { return };
        let indent = |level: u8, out: &mut String| {
            (0..usize::from(level) * SPACES_PER_LEVEL).for_each(|_| out.push(' '));
        };
        if self.waiting == 0 {
            if !is_preformatted {
                indent(innermost.level, out);
            }
            return;
        }
        let mut is_first = true;
        for list in &mut self.open {
            if let Some(number) = list.number.take()
                && let Some(numbers) = list.numbers
            {
                if std::mem::take(&mut is_first) {
                    indent(list.level, out);
                } else {
                    out.push(' ');
                }
                numbers.push(number, out);
            }
        }
        self.waiting = 0;
        out.push(if is_preformatted { '\n' } else { ' ' });
    }
}
