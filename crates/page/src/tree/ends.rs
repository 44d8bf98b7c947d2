//! Decides which open elements an end tag ends (HTML standard, section 13.2.6.4).
//!
//! The end tag of a formatting element, such as `b`, ends it and the ordinary elements in it. It
//! leaves special elements open, such as `p`. For text this equals the standard's adoption agency.
//! The end tag of an ordinary element, such as `span`, does nothing if a special element is
//! between. Most other end tags end all that is open in their element, within their scope.

use super::open_tree::OpenTree;
use super::starts::HEADINGS;
use crate::open_elements::{ElementKind, INTEGRATION_POINTS, OpenElement};
use crate::span::Span;
use crate::tag::{Tag, TagSet};
use crate::tokenizer::EndTag;

impl OpenTree<'_, '_> {
    /// Closes the innermost element, whose end tag ends at `offset`. [`OpenTree::end`] would do the
    /// same, since bounds never hide the innermost element. This is the usual case, and this code
    /// is faster.
    #[inline(always)]
    pub(super) fn end_current(&mut self, offset: u32) {
        self.last_start = Tag::UNKNOWN;
        if self.suppressed > 0 {
            self.suppressed -= 1;
        } else {
            self.close_current(offset);
        }
    }

    /// Applies an end tag.
    pub(super) fn end(&mut self, end: EndTag) {
        let EndTag { span, name, tag } = end;
        self.last_start = Tag::UNKNOWN;
        let breaks = tag == Tag::BR || tag == Tag::P;
        if matches!(tag, Tag::HTML | Tag::BODY) {
            // These tags end no element, but only a page with a body has them.
            if !self.has_frames && self.open.topmost(Tag::TEMPLATE) == 0 {
                self.ensure_body(span.start);
            }
            return;
        }
        if tag.is(TagSet::VOID) && !breaks {
            return;
        }
        if self.suppressed > 0 && tag != Tag::BR {
            self.suppressed -= 1;
            return;
        }
        if self.open.current().is_foreign() {
            if breaks {
                self.leave_foreign(span.start);
            } else if self.end_foreign(name, tag, span) {
                return;
            }
        }
        let bounds = self.open.bounds();
        let (index, bound) = match tag {
            Tag::BR => {
                if !self.has_frames {
                    self.ensure_body(span.start);
                    self.lone_end_tag(tag, span);
                }
                return;
            }
            Tag::P => {
                let p = self.open.topmost(tag);
                if p <= self.button_scope() {
                    if self.body.is_some() {
                        self.lone_end_tag(tag, span);
                    }
                    return;
                }
                (p, 1)
            }
            Tag::LI => {
                let lists = self.open.topmost_of(&[Tag::UL, Tag::OL]);
                (self.open.topmost(tag), bounds.scope().max(lists))
            }
            Tag::DD | Tag::DT => (self.open.topmost(tag), bounds.scope()),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                (self.open.topmost_of(&HEADINGS), bounds.scope())
            }
            Tag::FORM => return self.end_form(span),
            Tag::TEMPLATE => (self.open.topmost(tag), 1),
            Tag::UNKNOWN => {
                let kind = ElementKind::unknown(name.slice(self.html.as_bytes()));
                let index = self
                    .open
                    .topmost_unknown(kind, bounds.special(), |open| self.is_named(open, name));
                (index, 1)
            }
            _ if tag.is(TagSet::FORMATTING) => return self.end_formatting(tag, span),
            _ if tag.is(TagSet::TABLE_PART) => return self.end_table_part(tag, span),
            _ if tag.is(TagSet::ENDS_IN_SCOPE) => (self.open.topmost(tag), bounds.scope()),
            _ => {
                // The end tag of an HTML element does not end an element of a drawing.
                let foreign = self.open.is_foreign(bounds.special());
                (self.open.topmost(tag), bounds.special() + usize::from(foreign))
            }
        };
        // A search can still find the element that bounds it.
        if index >= bound.max(1) {
            self.end_at(index, span);
        }
    }

    /// Closes the element at `index` and all in it, for an end tag.
    fn end_at(&mut self, index: usize, span: Span) {
        self.close_down_to(index + 1, span.start);
        self.close_current(span.end);
    }

    /// Ends a formatting element, and all ordinary elements in the innermost special element in it.
    /// `span` is the end tag, or an empty span before the start tag that implies the end.
    pub(super) fn end_formatting(&mut self, tag: Tag, span: Span) {
        let index = self.open.topmost(tag);
        let bounds = self.open.bounds();
        if index <= bounds.scope() {
            return;
        }
        if index > bounds.special() {
            self.end_at(index, span);
        } else {
            self.close_down_to(bounds.special() + 1, span.start);
            self.open.kill(index);
        }
    }

    /// Ends the form, while elements that were opened in it stay open.
    fn end_form(&mut self, span: Span) {
        let index = self.open.topmost(Tag::FORM);
        let in_scope = index > self.open.bounds().scope();
        if self.open.topmost(Tag::TEMPLATE) > 0 {
            if in_scope {
                self.end_at(index, span);
            }
            return;
        }
        if std::mem::take(&mut self.in_form) && in_scope {
            self.close_implied(Tag::UNKNOWN, span.start);
            self.close_around(index, span.end);
        }
    }

    /// Ends a table or a part of one. The standard adds `tbody` and `tr` where their tags are
    /// missing. Here their end tags end the content that these would have.
    fn end_table_part(&mut self, tag: Tag, span: Span) {
        let table = self.open.topmost(Tag::TABLE).max(self.open.topmost(Tag::TEMPLATE));
        let index = self.open.topmost(tag);
        if index >= table.max(1) {
            return self.end_at(index, span);
        }
        let context = self.open.bounds().table_context();
        let in_cell = self.open.tag(context).is_any_of(&[Tag::TD, Tag::TH]);
        let row = self.open.topmost(Tag::TR);
        let section = self.open.topmost_of(&[Tag::TBODY, Tag::THEAD, Tag::TFOOT]);
        if tag == Tag::TR && in_cell && table > 0 {
            self.close_down_to(context, span.start);
        } else if tag == Tag::TBODY && section < table && (in_cell || row > table) {
            self.close_down_to(table + 1, span.start);
        }
    }

    /// Ends the nearest element of that name in the innermost drawing or formula. Returns whether
    /// there is such an element.
    fn end_foreign(&mut self, name: Span, tag: Tag, span: Span) -> bool {
        let root = self.open.topmost(Tag::SVG).max(self.open.topmost(Tag::MATH));
        let index = if tag.is_any_of(&FOREIGN_BY_TAG) {
            self.open.topmost(tag)
        } else {
            let kind = ElementKind::unknown(name.slice(self.html.as_bytes()));
            self.open.topmost_unknown(kind, root, |open| self.is_named(open, name))
        };
        let is_found = index >= root.max(1);
        if is_found {
            self.end_at(index, span);
        }
        is_found
    }

    /// Closes the open elements of a drawing or formula, up to an element that may hold HTML.
    pub(super) fn leave_foreign(&mut self, offset: u32) {
        while self.open.current().is_foreign()
            && !self.open.current().tag.is_any_of(&INTEGRATION_POINTS)
        {
            self.close_current(offset);
        }
    }

    /// Returns whether the name of an open element, as written, is `name` in any letter case.
    fn is_named(&self, open: OpenElement, name: Span) -> bool {
        let html = self.html.as_bytes();
        let name = name.slice(html);
        let start = self.columns.nodes[open.node as usize].byte_start as usize + 1;
        let rest = &html[start..];
        rest.len() > name.len()
            && rest[..name.len()].eq_ignore_ascii_case(name)
            && matches!(rest[name.len()], b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
    }
}

/// Elements of drawings and formulas that are found by their tags. Others with a known tag are
/// found by their names, so that no search for an HTML element finds them.
pub(super) const FOREIGN_BY_TAG: [Tag; 5] =
    [Tag::SVG, Tag::MATH, Tag::FOREIGNOBJECT, Tag::DESC, Tag::TITLE];
