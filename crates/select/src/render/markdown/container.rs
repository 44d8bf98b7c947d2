//! Holds the lists, items and quotations around a line of Markdown.
//!
//! CommonMark reads the number of the first item of a list alone, and counts from there. So an item
//! with another number begins a list of its own.

/// A list, an item or a quotation that is open.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenContainer {
    /// A quotation.
    Quote,
    /// A list.
    List {
        /// Whether its items have numbers.
        is_ordered: bool,
        /// The mark of its items: `-` or `*`, `.` or `)`.
        sign: char,
        /// The number that renderers give to the next item; `None` before the first item.
        next: Option<i32>,
    },
    Item {
        /// 0 to 999,999,999; 0 if the item has no number.
        number: i32,
        /// Width of its mark in bytes; 0 until the mark is written.
        width: usize,
    },
    /// The item before a list that is directly in a list: browsers show that list below the item.
    /// Holds the width of the item's mark.
    Reopened { width: usize },
    /// A container that is too deep to be marked.
    Unmarked,
}

impl OpenContainer {
    /// Returns whether the container is an item whose mark is not written yet.
    pub(super) fn is_new(&self) -> bool {
        matches!(self, OpenContainer::Item { width: 0, .. })
    }
}

/// Begins another list, with another sign, where the number of the next item does not follow the
/// number of the item before it. Returns whether it did.
pub(super) fn restart_list(containers: &mut [OpenContainer]) -> bool {
    let Some(item) = containers.iter().position(OpenContainer::is_new) else { return false };
    let OpenContainer::Item { number, .. } = containers[item] else { return false };
    match item.checked_sub(1).map(|list| &mut containers[list]) {
        Some(OpenContainer::List { is_ordered: true, sign, next: Some(next) })
            if *next != number =>
        {
            *sign = other_sign(*sign);
            true
        }
        _ => false,
    }
}

/// Returns the sign that begins another list after a list with this sign.
pub(super) fn other_sign(sign: char) -> char {
    match sign {
        '-' => '*',
        '.' => ')',
        '*' => '-',
        _ => '.',
    }
}
