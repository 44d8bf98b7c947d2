//! Measures the markup of an element: the length of its tags, in scalars.

use super::PageBuilder;
use crate::attribute::{Attribute, AttributeName};
use crate::byte_source::ByteSource;
use crate::columns::OwnAttributes;
use crate::span::Span;
use crate::tag::Tag;
use crate::tokenizer::StartTag;

impl PageBuilder<'_, '_> {
    /// Keeps the known attributes of the tag just read, and measures all attributes that count as
    /// markup.
    #[inline(always)]
    pub(super) fn keep_attributes(&mut self, start: StartTag) -> OwnAttributes {
        let mut chars = self.tree.columns.attributes.markup();
        if chars > 0 && !self.non_ascii.is_outside(start.span) {
            chars -= self.continuation_bytes(start);
        }
        let (start, count) = self.tree.columns.attributes.keep();
        OwnAttributes { start, count, chars }
    }

    /// Returns the length of a tag's name in scalars.
    #[inline(always)]
    pub(super) fn name_chars(&self, start: StartTag) -> u32 {
        let name = start.name();
        if start.tag == Tag::UNKNOWN { self.chars(name) } else { name.len() }
    }

    /// Returns the length of a span of the source in scalars.
    fn chars(&self, span: Span) -> u32 {
        self.tree.html[span.start as usize..span.end as usize].chars().count() as u32
    }

    /// Returns the bytes less the scalars of the attributes of a tag that count as markup.
    #[cold]
    fn continuation_bytes(&mut self, start: StartTag) -> u32 {
        let source = ByteSource::new(self.tree.html.as_bytes());
        self.tree.columns.attributes.reread(source, start.name_end as usize);
        let surplus = |span: Span| span.len() - self.chars(span);
        let name_of = |a: &&Attribute| AttributeName::from_name(a.name.slice(source.bytes()));
        let attributes = self.tree.columns.attributes.list().iter();
        attributes
            .filter(|a| !name_of(a).is_some_and(AttributeName::is_left_out))
            .map(|a| surplus(a.name) + surplus(a.value))
            .sum()
    }
}
