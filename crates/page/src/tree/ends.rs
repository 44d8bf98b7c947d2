//! Which open elements a tag ends: start tags that imply it, and end tags.

use super::open_tree::OpenTree;
use crate::open_elements::{Kind, Open};
use crate::tag::{Tag, TagSet};
use crate::tokenizer::EndTag;

impl OpenTree<'_, '_> {
    /// Closes what the start tag of `tag` ends without an end tag.
    pub(super) fn imply_ends(&mut self, tag: Tag, at: u32) {
        if tag.is(TagSet::ENDS_P) {
            self.close_above(self.open.topmost(Tag::P), self.open.scope(), at);
        }
        if !tag.is(TagSet::IMPLIES_END) {
            return;
        }
        let table = self.open.topmost(Tag::TABLE).max(1);
        match tag {
            Tag::A => self.close_above(self.open.topmost(Tag::A), self.open.scope(), at),
            Tag::LI => {
                let bound =
                    self.open.topmost_of(&[Tag::UL, Tag::OL, Tag::MENU]).max(self.open.scope());
                self.close_above(self.open.topmost(Tag::LI), bound, at);
            }
            Tag::DT | Tag::DD => {
                let bound = self.open.topmost(Tag::DL).max(self.open.scope());
                self.close_above(self.open.topmost_of(&[Tag::DT, Tag::DD]), bound, at);
            }
            Tag::OPTION | Tag::OPTGROUP => {
                let bound = self.open.topmost(Tag::SELECT).max(self.open.scope());
                self.close_above(self.open.topmost(Tag::OPTION), bound, at);
            }
            _ => {
                self.close_above(self.open.topmost_of(&[Tag::TD, Tag::TH]), table, at);
                if tag != Tag::TD && tag != Tag::TH {
                    self.close_above(self.open.topmost(Tag::TR), table, at);
                    if tag != Tag::TR {
                        let sections = [Tag::TBODY, Tag::THEAD, Tag::TFOOT];
                        self.close_above(self.open.topmost_of(&sections), table, at);
                    }
                }
            }
        }
    }

    /// Closes the innermost element, whose end tag ends at `at`. [`OpenTree::end`] would do the same, since no bound hides the
    /// innermost element, but this is the usual case and is faster.
    #[inline(always)]
    pub(super) fn end_current(&mut self, at: u32) {
        self.last_start = Tag::UNKNOWN;
        if self.suppressed > 0 {
            self.suppressed -= 1;
        } else {
            self.close_current(at);
        }
    }

    /// Closes the element that an end tag belongs to, and all elements in it. An end tag that belongs to no open element closes
    /// nothing.
    pub(super) fn end(&mut self, EndTag { span, name, tag }: EndTag) {
        self.last_start = Tag::UNKNOWN;
        if matches!(tag, Tag::HTML | Tag::BODY) || tag.is(TagSet::VOID) {
            return;
        }
        if self.suppressed > 0 {
            self.suppressed -= 1;
            return;
        }
        let (place, bound) = if tag == Tag::UNKNOWN {
            let html = self.html.as_bytes();
            let name = name.of(html);
            let same = |open: Open| {
                let start = self.columns.nodes[open.node as usize].byte_start as usize + 1;
                let rest = &html[start..];
                rest.len() > name.len()
                    && rest[..name.len()].eq_ignore_ascii_case(name)
                    && matches!(
                        rest[name.len()],
                        b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>'
                    )
            };
            (self.open.topmost_unknown(Kind::unknown(name), same), 1)
        } else if tag.is(TagSet::TABLE_PART) {
            (self.open.topmost(tag), self.open.topmost(Tag::TABLE).max(1))
        } else {
            (self.open.topmost(tag), self.open.scope().max(1))
        };
        // An element that bounds searches can still be found itself.
        if place >= bound {
            self.close_down_to(place + 1, span.start);
            self.close_current(span.end);
        }
    }

    /// Closes the element at `place` and all in it, if it stands above `bound` on the stack.
    #[inline]
    fn close_above(&mut self, place: usize, bound: usize, at: u32) {
        if place > bound {
            self.close_down_to(place, at);
        }
    }
}
