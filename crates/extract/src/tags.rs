//! Sets of tags, and which elements hold no content (specification 0.6).

use huller_page::Tag;

/// A set of tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tags(pub(crate) [bool; 256]);

impl Tags {
    /// None.
    pub(crate) const NONE: Tags = Tags([false; 256]);

    /// Scripts, style sheets and the head: there is never page text in them.
    pub(crate) const CORE: Tags = Tags::NONE.and(&[Tag::SCRIPT, Tag::STYLE, Tag::HEAD_ELEMENT]);

    /// The block elements (specification 0.5).
    pub(crate) const BLOCK: Tags = Tags::NONE.and(&[
        Tag::ADDRESS,
        Tag::ARTICLE,
        Tag::ASIDE,
        Tag::BLOCKQUOTE,
        Tag::BODY,
        Tag::CAPTION,
        Tag::CENTER,
        Tag::DD,
        Tag::DETAILS,
        Tag::DIALOG,
        Tag::DIR,
        Tag::DIV,
        Tag::DL,
        Tag::DT,
        Tag::FIELDSET,
        Tag::FIGCAPTION,
        Tag::FIGURE,
        Tag::FOOTER,
        Tag::FORM,
        Tag::H1,
        Tag::H2,
        Tag::H3,
        Tag::H4,
        Tag::H5,
        Tag::H6,
        Tag::HEADER,
        Tag::HGROUP,
        Tag::HR,
        Tag::HTML,
        Tag::LEGEND,
        Tag::LI,
        Tag::MAIN,
        Tag::MENU,
        Tag::NAV,
        Tag::OL,
        Tag::OPTION,
        Tag::P,
        Tag::PRE,
        Tag::SECTION,
        Tag::SUMMARY,
        Tag::TABLE,
        Tag::TBODY,
        Tag::TD,
        Tag::TFOOT,
        Tag::TH,
        Tag::THEAD,
        Tag::TR,
        Tag::UL,
    ]);

    /// [`Tags::CORE`], embedded objects, drawings, templates and form controls: what is in them is no text of the page.
    pub(crate) const EMBEDDED: Tags = Tags::CORE.and(&[
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
        Tag::TEXTAREA,
        Tag::VIDEO,
        Tag::AUDIO,
    ]);

    /// What the tuned profiles remove.
    pub(crate) const TUNED: Tags = Tags::EMBEDDED.and(&[
        Tag::NOSCRIPT,
        Tag::INPUT,
        Tag::HEADER,
        Tag::FOOTER,
        Tag::NAV,
        Tag::ASIDE,
    ]);

    /// The set with more tags in it.
    pub(crate) const fn and(self, tags: &[Tag]) -> Tags {
        self.set(tags, true)
    }

    /// The set without some tags.
    pub(crate) const fn without(self, tags: &[Tag]) -> Tags {
        self.set(tags, false)
    }

    const fn set(mut self, tags: &[Tag], contained: bool) -> Tags {
        let mut i = 0;
        while i < tags.len() {
            self.0[tags[i].index()] = contained;
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

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::{PageBuf, TagSet};

    #[test]
    fn block_elements_are_those_that_make_line_breaks() {
        // Some elements of every kind there is, and none twice in each other.
        let names = "a b br span img article p li td h1 hr option legend form select iframe pre dd center hgroup";
        for name in names.split(' ') {
            let mut buffer = PageBuf::new();
            let html = format!("<{name}>");
            let page = buffer.fill(&html);
            for node in page.nodes() {
                assert_eq!(Tags::BLOCK.contains(node.tag), node.is(TagSet::BLOCK), "{name}");
            }
        }
    }
}
