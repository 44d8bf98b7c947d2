//! Lines, and the marks of lists and quotations before them.

use super::state::{Container, Markdown};
use crate::render::flow::Element;
use crate::render::numbers::{Numbers, push_decimal};

/// How deep lists and quotations are marked. Deeper ones are written as part of those around them, so that the marks before a line
/// are bounded.
const DEEPEST: usize = 16;

impl Markdown<'_> {
    pub(super) fn open_container(&mut self, container: Container) {
        let is_deep = self.memory.containers.len() >= DEEPEST;
        self.memory.containers.push(if is_deep { Container::Unmarked } else { container });
    }

    pub(super) fn open_list(&mut self, list: Element) {
        let is_ordered = Numbers::of(self.page, list.node, &mut self.memory.attributes).is_some();
        let sign = if is_ordered { '.' } else { '-' };
        self.open_container(Container::List { is_ordered, sign });
    }

    pub(super) fn open_item(&mut self, item: Element) {
        /// CommonMark knows numbers of nine digits.
        const LARGEST: i32 = 999_999_999;
        let number = item.number.unwrap_or_default().clamp(0, LARGEST);
        self.open_container(Container::Item { number, width: 0 });
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
            Container::List { is_ordered, sign } => {
                self.line.list_before = Some((depth, is_ordered, sign));
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
        let Some((depth, was_ordered, before)) = self.line.list_before else { return };
        if depth < self.line.common {
            return;
        }
        if let Some(Container::List { is_ordered, sign }) = self.memory.containers.get_mut(depth)
            && *is_ordered == was_ordered
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
        let can_interrupt = match (containers[list], containers[item]) {
            (Container::List { is_ordered: true, .. }, Container::Item { number, .. }) => {
                number == 1
            }
            _ => true,
        };
        is_in_item && can_interrupt && self.line.list_before.is_none()
    }

    /// Writes what stands before a line in the outermost containers, so many of them.
    pub(super) fn write_marks(&mut self, count: usize) {
        for index in 0..count {
            match self.memory.containers[index] {
                Container::Quote => self.out.push_str("> "),
                Container::List { .. } | Container::Unmarked => {}
                Container::Item { width: 0, number } => {
                    let start = self.out.len();
                    let list = index.checked_sub(1).map(|list| self.memory.containers[list]);
                    let sign = match list {
                        Some(Container::List { is_ordered: true, sign }) => {
                            push_decimal(number, self.out);
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
