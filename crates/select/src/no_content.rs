//! Tags of elements that hold no content (specification 0.6).

use huller_page::{Tag, TagTable};

/// Scripts, style sheets and the head. They hold no text of the page.
pub const CORE: TagTable = TagTable::NONE.with(&[Tag::SCRIPT, Tag::STYLE, Tag::HEAD_ELEMENT]);

/// [`CORE`], embedded objects, drawings, templates and form controls. Their content is not text of
/// the page.
pub const EMBEDDED: TagTable = CORE.with(&[
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

/// [`EMBEDDED`], and the parts of a page around its content. The tuned profiles remove these.
pub const TUNED: TagTable =
    EMBEDDED.with(&[Tag::NOSCRIPT, Tag::INPUT, Tag::HEADER, Tag::FOOTER, Tag::NAV, Tag::ASIDE]);
