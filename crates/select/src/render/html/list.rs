//! Writes ordered lists. Items keep their numbers even if items without text are left out.

use super::Html;
use crate::render::numbers::Numbering;
use std::fmt::Write;

impl Html<'_> {
    /// Writes the numbering of the items of a list.
    pub(super) fn begin_numbers(&mut self, list: u32) {
        let numbers = Numbering::from_list(self.page, list, &mut self.scratch.attributes);
        self.scratch.numbers.push(numbers);
        let Some(numbers) = numbers else {
            // Some browsers do not announce a list without marks, unless it has the role.
            self.out.push_str(" role=\"list\" style=\"list-style: none\"");
            return;
        };
        if numbers.next() != 1 || numbers.is_reversed() {
            self.integer("start", numbers.next());
        }
        if numbers.is_reversed() {
            self.out.push_str(" reversed=\"\"");
        }
        if let Some(name) = numbers.type_name() {
            self.write_attribute("type", name);
        }
    }

    /// Writes the number of an item if it does not follow the number of the item before. An
    /// item of a list with numbers may be shown without its own.
    pub(super) fn write_number(&mut self, number: Option<i32>) {
        let Some(Some(numbers)) = self.scratch.numbers.last_mut() else { return };
        let Some(number) = number else {
            numbers.follow(numbers.next());
            self.out.push_str(" style=\"list-style: none\"");
            return;
        };
        if numbers.follow(number) != number {
            self.integer("value", number);
        }
    }

    fn integer(&mut self, name: &str, value: i32) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, " {name}=\"{value}\"");
    }
}
