//! Decides which elements a start tag ends before its own element opens (HTML standard, section
//! 13.2.6.4).

use super::open_tree::OpenTree;
use crate::span::Span;
use crate::tag::{Tag, TagSet};

impl OpenTree<'_, '_> {
    /// Closes the elements that the start tag of `tag` ends without an end tag. Returns whether the
    /// tag then opens an element.
    #[inline]
    pub(super) fn imply_ends(&mut self, tag: Tag, offset: u32) -> bool {
        if tag.is(TagSet::IMPLIES_END) && !self.end_by_own_rule(tag, offset) {
            return false;
        }
        if tag.is(TagSet::ENDS_P) {
            self.end_p(offset);
        }
        true
    }

    /// Closes the open `p`, unless an element that bounds the search for it is between.
    #[inline]
    fn end_p(&mut self, offset: u32) {
        let p = self.open.topmost(Tag::P);
        if p > self.button_scope() {
            self.close_down_to(p, offset);
        }
    }

    /// Applies the rules for single tags. Returns whether the tag opens an element.
    fn end_by_own_rule(&mut self, tag: Tag, offset: u32) -> bool {
        match tag {
            Tag::A | Tag::NOBR => self.end_formatting(tag, Span { start: offset, end: offset }),
            Tag::LI => self.end_item(&[Tag::LI], offset),
            Tag::DT | Tag::DD => self.end_item(&[Tag::DT, Tag::DD], offset),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.end_p(offset);
                if self.open.current().tag.is_any_of(&HEADINGS) {
                    self.close_current(offset);
                }
            }
            Tag::BUTTON => {
                let button = self.open.topmost(Tag::BUTTON);
                if button > self.open.bounds().scope() {
                    self.close_down_to(button, offset);
                }
            }
            Tag::FORM => return self.may_open_form(),
            Tag::RB | Tag::RTC | Tag::RP | Tag::RT => {
                if self.open.topmost(Tag::RUBY) > self.open.bounds().scope() {
                    let rtc = tag.is_any_of(&[Tag::RP, Tag::RT]);
                    self.close_implied(if rtc { Tag::RTC } else { Tag::UNKNOWN }, offset);
                }
            }
            Tag::SELECT | Tag::INPUT | Tag::OPTION | Tag::OPTGROUP | Tag::HR => {
                return self.end_in_select(tag, offset);
            }
            _ => return self.end_table_parts(tag, offset),
        }
        true
    }

    /// Closes the nearest list item of one of the tags, unless a special element is between.
    fn end_item(&mut self, tags: &[Tag], offset: u32) {
        let item = self.open.bounds().list_item();
        if item > 0 && self.open.tag(item).is_any_of(tags) {
            self.close_down_to(item, offset);
        }
    }

    /// Returns whether a form may open: a form does not open in another. A form stays open until
    /// its end tag, even if an element around it ends.
    fn may_open_form(&mut self) -> bool {
        let in_template = self.open.topmost(Tag::TEMPLATE) > 0;
        in_template || !std::mem::replace(&mut self.in_form, true)
    }

    /// Applies the rules of tags that concern `select`. Returns whether the tag opens an element.
    fn end_in_select(&mut self, tag: Tag, offset: u32) -> bool {
        // A `select` bounds searches itself.
        let select = self.open.bounds().scope();
        let in_select = select > 0 && self.open.tag(select) == Tag::SELECT;
        match tag {
            Tag::SELECT | Tag::INPUT => {
                if in_select {
                    self.close_down_to(select, offset);
                }
                return tag == Tag::INPUT || !in_select;
            }
            Tag::HR => {
                self.end_p(offset);
                if in_select {
                    self.close_implied(Tag::UNKNOWN, offset);
                }
            }
            _ if in_select => {
                let option = tag == Tag::OPTION;
                self.close_implied(if option { Tag::OPTGROUP } else { Tag::UNKNOWN }, offset);
            }
            _ => {
                if self.open.current().tag == Tag::OPTION {
                    self.close_current(offset);
                }
            }
        }
        true
    }

    /// Closes the elements that a tag of a table or of its parts ends. Returns whether the tag
    /// opens an element: parts of a table open no element outside a table.
    fn end_table_parts(&mut self, tag: Tag, offset: u32) -> bool {
        let mut context = self.open.bounds().table_context();
        if tag == Tag::TABLE {
            if self.open.tag(context) == Tag::TABLE {
                self.close_down_to(context, offset);
            }
            return true;
        }
        if self.open.tag(context).is_any_of(&[Tag::TD, Tag::TH, Tag::CAPTION]) {
            self.close_down_to(context, offset);
            context = self.open.bounds().table_context();
        }
        if context == 0 {
            return false;
        }
        let sections = [Tag::TBODY, Tag::THEAD, Tag::TFOOT];
        let around = match tag {
            Tag::TD | Tag::TH => self.open.topmost_of(&sections).max(self.open.topmost(Tag::TR)),
            Tag::TR => self.open.topmost_of(&sections),
            Tag::COL => self.open.topmost(Tag::COLGROUP),
            _ => 0,
        };
        self.close_down_to(around.max(context) + 1, offset);
        true
    }

    /// Closes elements that end without an end tag, up to the first other element or the first of
    /// tag `except`.
    pub(super) fn close_implied(&mut self, except: Tag, offset: u32) {
        loop {
            let current = self.open.current();
            if !current.tag.is(TagSet::IMPLIED) || current.tag == except || current.is_foreign() {
                break;
            }
            self.close_current(offset);
        }
    }

    /// Returns the index of the nearest element that bounds searches for `p`.
    #[inline]
    pub(super) fn button_scope(&self) -> usize {
        self.open.bounds().scope().max(self.open.topmost(Tag::BUTTON))
    }
}

pub(super) const HEADINGS: [Tag; 6] = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];
