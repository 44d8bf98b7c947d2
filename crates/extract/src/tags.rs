//! Sets of tags, and which elements hold no content (specification 0.6).

use huller_page::Tag;

/// A set of tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tags([bool; 256]);

impl Tags {
    /// None.
    pub(crate) const NONE: Tags = Tags([false; 256]);

    /// Scripts, style sheets and the head: there is never page text in them.
    pub(crate) const CORE: Tags = Tags::NONE.and(&[Tag::SCRIPT, Tag::STYLE, Tag::HEAD_ELEMENT]);

    /// What the tuned profiles remove.
    pub(crate) const TUNED: Tags = Tags::CORE.and(&[
        Tag::NOSCRIPT,
        Tag::TEMPLATE,
        Tag::IFRAME,
        Tag::SVG,
        Tag::MATH,
        Tag::CANVAS,
        Tag::OBJECT,
        Tag::EMBED,
        Tag::SELECT,
        Tag::OPTION,
        Tag::DATALIST,
        Tag::BUTTON,
        Tag::INPUT,
        Tag::TEXTAREA,
        Tag::VIDEO,
        Tag::AUDIO,
        Tag::HEADER,
        Tag::FOOTER,
        Tag::NAV,
        Tag::ASIDE,
    ]);

    /// The set with more tags in it.
    pub(crate) const fn and(mut self, tags: &[Tag]) -> Tags {
        let mut i = 0;
        while i < tags.len() {
            self.0[tags[i].index()] = true;
            i += 1;
        }
        self
    }

    /// Whether the tag is one of them.
    #[inline]
    pub(crate) fn contains(&self, tag: Tag) -> bool {
        self.0[tag.index() & 0xFF]
    }
}
