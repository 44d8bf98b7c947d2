//! How each element is rendered, by its tag.

use huller_page::{Tag, TagTable};

/// The kind of an element for the writers of a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RenderKind {
    /// Text continues across the borders of the element.
    Inline,
    /// The element begins and ends a line.
    Block,
    /// A line break.
    LineBreak,
    /// A block or a line break in a cell of a data table, which is one line: a space.
    BlockInCell,
    /// A table of data: its rows are lines.
    Table,
    /// A row of a table of data.
    Row,
    /// A cell of a table of data.
    Cell,
    /// The outermost element in which white space is preserved.
    Preformatted,
    /// A superscript.
    Superscript,
    /// A subscript.
    Subscript,
    /// Ruby text: the pronunciation of the preceding characters, written without brackets.
    RubyText,
    /// A link.
    Link,
    /// A button or another control: browsers show it apart from the text around it.
    Control,
    /// A custom element. Only its style sheet decides whether browsers show it apart.
    Custom,
    /// An image.
    Image,
    /// `math`, `script`, or an element that may hold a formula: see `formula`.
    Math,
    Script,
}

/// The kind of each tag, by [`Tag::index`], outside tables of data.
pub(super) static KIND_OF_TAG: [RenderKind; 256] = {
    let mut kinds = [RenderKind::Inline; 256];
    let blocks = TagTable::BLOCK.table();
    let mut number = 0;
    while number < blocks.len() {
        if blocks[number] {
            kinds[number] = RenderKind::Block;
        }
        number += 1;
    }
    let others = [
        (Tag::BR, RenderKind::LineBreak),
        (Tag::SUP, RenderKind::Superscript),
        (Tag::SUB, RenderKind::Subscript),
        (Tag::RT, RenderKind::RubyText),
        (Tag::RTC, RenderKind::RubyText),
        (Tag::A, RenderKind::Link),
        (Tag::IMG, RenderKind::Image),
        (Tag::MATH, RenderKind::Math),
        (Tag::SCRIPT, RenderKind::Script),
        (Tag::BUTTON, RenderKind::Control),
        (Tag::SELECT, RenderKind::Control),
        (Tag::TEXTAREA, RenderKind::Control),
        (Tag::OUTPUT, RenderKind::Control),
        (Tag::METER, RenderKind::Control),
        (Tag::PROGRESS, RenderKind::Control),
        (Tag::VIDEO, RenderKind::Control),
        (Tag::AUDIO, RenderKind::Control),
        (Tag::IFRAME, RenderKind::Control),
        (Tag::OBJECT, RenderKind::Control),
        (Tag::INPUT, RenderKind::Control),
    ];
    let mut i = 0;
    while i < others.len() {
        kinds[others[i].0.index()] = others[i].1;
        i += 1;
    }
    kinds
};
