//! Which elements hold no content (specification 0.6).

use huller_page::Tag;

/// A set of tags whose elements are removed with all they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Removal([bool; 256]);

impl Removal {
    /// Scripts, style sheets and the head: there is never page text in them.
    pub(crate) const CORE: Removal =
        Removal([false; 256]).and(&[Tag::SCRIPT, Tag::STYLE, Tag::HEAD_ELEMENT]);

    /// What the tuned profiles remove.
    pub(crate) const TUNED: Removal = Removal::CORE.and(&[
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
    pub(crate) const fn and(mut self, tags: &[Tag]) -> Removal {
        let mut i = 0;
        while i < tags.len() {
            self.0[tags[i].index()] = true;
            i += 1;
        }
        self
    }

    /// Whether elements of that tag are removed.
    #[inline]
    pub(crate) fn contains(&self, tag: Tag) -> bool {
        self.0[tag.index() & 0xFF]
    }
}
