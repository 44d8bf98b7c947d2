//! Writes the signs of emphasis, strong emphasis and strike-through around words.
//!
//! CommonMark reads these signs by the scalars on both sides. The writer therefore writes a sign
//! when it knows the next scalar. It leaves out a sign that would not begin emphasis, and removes
//! one that cannot be ended.

use super::{Markdown, OpenDelimiter};
use huller_page::Tag;

fn sign_of(tag: Tag) -> Option<&'static str> {
    match tag {
        Tag::EM | Tag::I => Some("*"),
        Tag::STRONG | Tag::B => Some("**"),
        Tag::S | Tag::DEL => Some("~~"),
        _ => None,
    }
}

/// Returns whether CommonMark counts a scalar as punctuation. Symbols and marks of all scripts
/// count, so every scalar except for letters, numbers and white space does.
fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace()
}

impl Markdown<'_> {
    pub(super) fn open_emphasis(&mut self, tag: Tag) {
        let Some(sign) = sign_of(tag) else { return };
        let delimiters = &mut self.scratch.delimiters;
        // Two equal elements that touch become one.
        if delimiters.ended == 1
            && delimiters.expected.is_empty()
            && delimiters.open.last().is_some_and(|open| open.sign == sign)
        {
            delimiters.ended = 0;
            return;
        }
        delimiters.expect(tag);
    }

    pub(super) fn close_emphasis(&mut self, tag: Tag) {
        let Some(ending) = sign_of(tag) else { return };
        let delimiters = &mut self.scratch.delimiters;
        if delimiters.expected.pop_if(|expected| sign_of(*expected) == Some(ending)).is_some() {
            return;
        }
        let unended = delimiters.open.len() - delimiters.ended;
        if unended > 0 && delimiters.open[unended - 1].sign == ending {
            delimiters.ended += 1;
        }
    }

    /// Moves the recorded offsets after `offset` by one, because a byte was inserted there.
    pub(super) fn move_marks(&mut self, offset: usize) {
        let open = self.scratch.delimiters.open.iter_mut().filter_map(|open| open.at.as_mut());
        let marks = open.chain(self.link.as_mut()).chain(self.line.dollar.as_mut());
        for at in marks.filter(|at| **at > offset) {
            *at += 1;
        }
        if self.line.content > offset {
            self.line.content += 1;
        }
    }

    /// Writes the signs of ended elements, before the scalar `next_char`; `None` is white space.
    pub(super) fn settle_delimiters(&mut self, next_char: Option<char>) {
        self.scratch.delimiters.has_closed = false;
        if self.scratch.delimiters.ended == 0 {
            return;
        }
        let last_char = self.last_char();
        let ends_word = last_char.is_some_and(|last_char| !last_char.is_whitespace())
            && (!last_char.is_some_and(is_punctuation)
                || next_char.is_none_or(|next_char| {
                    next_char.is_whitespace() || is_punctuation(next_char)
                }));
        while self.scratch.delimiters.ended > 0 {
            self.scratch.delimiters.ended -= 1;
            let delimiter = self.scratch.delimiters.open.pop();
            let Some(OpenDelimiter { sign, at: Some(at) }) = delimiter else { continue };
            if ends_word {
                self.out.push_str(sign);
                self.scratch.delimiters.has_closed = true;
            } else {
                self.take_out(at, sign);
            }
        }
    }

    /// Removes the sign of an element that cannot be ended.
    fn take_out(&mut self, offset: usize, sign: &str) {
        self.out.replace_range(offset..offset + sign.len(), "");
        if let Some(dollar) = self.line.dollar.as_mut().filter(|dollar| **dollar > offset) {
            *dollar -= sign.len();
        }
        if offset == self.line.content && self.heading == 0 && !self.is_in_cell() {
            self.guard_line_start();
        }
    }

    /// Writes the signs before the scalar `next_char`, and the beginning of a link.
    pub(super) fn open_delimiters(&mut self, next_char: char) {
        if self.scratch.delimiters.expected.is_empty() {
            return;
        }
        let mut char_before = self.last_char();
        let mut expected = std::mem::take(&mut self.scratch.delimiters.expected);
        let has_open = self.scratch.delimiters.open.iter().any(|open| open.at.is_some());
        let link = expected.iter().position(|tag| *tag == Tag::A);
        for (index, tag) in expected.drain(..).enumerate() {
            let Some(sign) = sign_of(tag) else {
                self.open_link();
                char_before = Some('[');
                self.scratch.delimiters.has_closed = false;
                continue;
            };
            let next_char = if link.is_some_and(|link| link > index) { '[' } else { next_char };
            let begins_word = !next_char.is_whitespace()
                && (!is_punctuation(next_char)
                    || char_before.is_none_or(|c| c.is_whitespace() || is_punctuation(c)));
            // A sign that may also end emphasis would end the open one.
            let may_end = char_before.is_some_and(|c| {
                !c.is_whitespace() && (!is_punctuation(c) || is_punctuation(next_char))
            });
            let is_clear = !may_end || !has_open;
            let is_open = self
                .scratch
                .delimiters
                .open
                .iter()
                .any(|open| open.sign == sign && open.at.is_some());
            let is_strong_anyway = sign == "**" && (self.heading > 0 || self.is_in_head_cell());
            let is_written = begins_word
                && is_clear
                && !is_open
                && !is_strong_anyway
                && !self.scratch.delimiters.has_closed;
            let at = is_written.then_some(self.out.len());
            if is_written {
                self.out.push_str(sign);
            }
            self.scratch.delimiters.open.push(OpenDelimiter { sign, at });
        }
        self.scratch.delimiters.expected = expected;
    }
}
