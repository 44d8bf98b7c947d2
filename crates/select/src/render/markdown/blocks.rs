//! Lines, and the marks of lists and quotations before them.

use super::state::{Container, Markdown};
use crate::render::flow::Element;

/// How deep lists and quotations are marked. Deeper ones are written as part of those around them, so that the marks before a line
/// are bounded.
const DEEPEST: usize = 16;

impl Markdown<'_> {
    pub(super) fn open_container(&mut self, container: Container) {
        let is_deep = self.memory.containers.len() >= DEEPEST;
        self.memory.containers.push(if is_deep { Container::Unmarked } else { container });
    }

    pub(super) fn open_list(&mut self, list: Element) {
        if list.tag == huller_page::Tag::UL {
            self.open_container(Container::List { first: None, sign: '-' });
            return;
        }
        let node = &self.page.nodes()[list.node as usize];
        let start = {
            let mut all = self.page.all_attributes(node, &mut self.memory.attributes);
            all.find(|(name, _)| name.eq_ignore_ascii_case("start")).map(|(_, value)| value)
        };
        let first = start.and_then(|start| start.trim().parse().ok()).unwrap_or(1);
        self.open_container(Container::List { first: Some(first), sign: '.' });
    }

    pub(super) fn open_item(&mut self, item: Element) {
        self.open_container(Container::Item { number: item.number, width: 0 });
    }

    pub(super) fn close_container(&mut self) {
        let Some(container) = self.memory.containers.pop() else { return };
        let depth = self.memory.containers.len();
        self.line.common = self.line.common.min(depth);
        let has_list = matches!(self.memory.containers.last(), Some(Container::List { .. }));
        if matches!(container, Container::Item { .. }) {
            self.line.item_before = Some(depth);
        }
        match container {
            Container::List { first, sign } => {
                self.line.list_before = Some((depth, first.is_some(), sign));
            }
            // An item that no list holds is one of a list that begins here.
            Container::Item { .. } if !has_list => {
                self.line.list_before = Some((depth, false, '-'));
            }
            _ => {}
        }
    }

    /// Whether an item begins whose mark is not written yet.
    pub(super) fn begins_item(&self) -> bool {
        let is_new = |container: &Container| matches!(container, Container::Item { width: 0, .. });
        self.memory.containers.iter().any(is_new)
    }

    /// Ends the block that is being written.
    pub(super) fn end_line(&mut self) {
        self.flush_code();
        self.settle_delimiters(None);
        self.line.is_begun = false;
    }

    /// Begins a block, if none is begun.
    pub(super) fn begin_line(&mut self) {
        if self.line.is_begun {
            return;
        }
        self.line.is_begun = true;
        self.line.is_broken = false;
        self.line.dollar = None;
        self.choose_sign();
        if self.out.len() > self.start {
            self.out.push('\n');
            if !self.is_tight() {
                self.write_marks(self.line.common);
                let trimmed = self.out.trim_end_matches(' ').len();
                self.out.truncate(trimmed);
                self.out.push('\n');
            }
        }
        (self.line.list_before, self.line.item_before) = (None, None);
        self.write_marks(self.memory.containers.len());
        self.line.common = self.memory.containers.len();
        if self.heading > 0 {
            (0..self.heading).for_each(|_| self.out.push('#'));
            self.out.push(' ');
        }
        self.line.content = self.out.len();
    }

    /// Goes on with the block in another line.
    pub(super) fn break_line(&mut self) {
        self.out.push_str("  \n");
        self.write_marks(self.memory.containers.len());
        self.line.content = self.out.len();
        self.line.is_broken = true;
    }

    /// A list directly after one of its kind has another sign, or both would be one list.
    fn choose_sign(&mut self) {
        let Some((depth, is_ordered, before)) = self.line.list_before else { return };
        if depth < self.line.common {
            return;
        }
        if let Some(Container::List { first, sign }) = self.memory.containers.get_mut(depth)
            && first.is_some() == is_ordered
        {
            *sign = match before {
                '-' => '*',
                '.' => ')',
                '*' => '-',
                _ => '.',
            };
        }
    }

    /// Whether no blank line comes before the block: it begins an item after another one of the same list, or a list after the first
    /// words of the item that holds it.
    fn is_tight(&self) -> bool {
        let containers = &self.memory.containers;
        let is_new = |container: &Container| matches!(container, Container::Item { width: 0, .. });
        let Some(item) = containers.iter().position(is_new) else { return false };
        let list = match containers.get(item.wrapping_sub(1)) {
            Some(Container::List { .. }) => item - 1,
            _ => return self.line.list_before.is_some_and(|(depth, ..)| depth == item),
        };
        if self.line.common > list {
            return self.line.item_before == Some(item);
        }
        let is_in_item = self.line.common == list
            && matches!(containers[..list].last(), Some(Container::Item { .. }));
        let can_interrupt = match containers[list] {
            Container::List { first: Some(_), .. } => self.number(item) == 1,
            _ => true,
        };
        is_in_item && can_interrupt && self.line.list_before.is_none()
    }

    /// The number before an item.
    fn number(&self, item: usize) -> u32 {
        /// CommonMark knows numbers of nine digits.
        const LARGEST: u32 = 999_999_999;
        let (
            Some(Container::List { first: Some(first), .. }),
            Some(Container::Item { number, .. }),
        ) = (self.memory.containers.get(item.wrapping_sub(1)), self.memory.containers.get(item))
        else {
            return 0;
        };
        first.saturating_add(number.saturating_sub(1)).min(LARGEST)
    }

    /// Writes what stands before a line in the outermost containers, so many of them.
    pub(super) fn write_marks(&mut self, count: usize) {
        for index in 0..count {
            match self.memory.containers[index] {
                Container::Quote => self.out.push_str("> "),
                Container::List { .. } | Container::Unmarked => {}
                Container::Item { width: 0, .. } => {
                    let start = self.out.len();
                    let list = index.checked_sub(1).map(|list| self.memory.containers[list]);
                    let sign = match list {
                        Some(Container::List { first: Some(_), sign }) => {
                            push_number(self.number(index), self.out);
                            sign
                        }
                        Some(Container::List { sign, .. }) => sign,
                        _ => '-',
                    };
                    self.out.push(sign);
                    self.out.push(' ');
                    let written = self.out.len() - start;
                    if let Container::Item { width, .. } = &mut self.memory.containers[index] {
                        *width = written;
                    }
                }
                Container::Item { width, .. } => (0..width).for_each(|_| self.out.push(' ')),
            }
        }
    }
}

fn push_number(number: u32, out: &mut String) {
    let mut rest = number;
    let mut unit = 1;
    while rest / unit >= 10 {
        unit *= 10;
    }
    while unit > 0 {
        out.push(char::from(b'0' + (rest / unit) as u8));
        rest %= unit;
        unit /= 10;
    }
}
