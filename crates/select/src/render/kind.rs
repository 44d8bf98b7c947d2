//! The kinds of elements for writers, by tag.

use huller_page::{Tag, Tags};

/// The kind of an element for the writers of a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text continues across the borders of the element.
    Inline,
    /// The element begins and ends a line.
    Block,
    /// A line break.
    Break,
    /// A block or a line break in a cell of a data table, which is one line: a space.
    BlockInCell,
    /// A table of data: its rows are lines.
    Table,
    /// A row of a table of data.
    Row,
    /// A cell of a table of data.
    Cell,
    /// The outermost element whose white space counts.
    Preformatted,
    /// A superscript.
    Superscript,
    /// A subscript.
    Subscript,
    /// The reading of the characters before it, which has no brackets of its own.
    Reading,
    Link,
    /// A button or another control: browsers show it apart from the text around it.
    Apart,
    /// A custom element. Only its style sheet decides whether browsers show it apart.
    Custom,
    Image,
    /// `math`, `script`, or an element that may hold a formula: see `formula`.
    Math,
    Script,
}

/// The kind of each tag, by [`Tag::index`], outside tables of data.
pub(super) static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Inline; 256];
    let blocks = Tags::BLOCK.table();
    let mut number = 0;
    while number < blocks.len() {
        if blocks[number] {
            kinds[number] = Kind::Block;
        }
        number += 1;
    }
    let others = [
        (Tag::BR, Kind::Break),
        (Tag::SUP, Kind::Superscript),
        (Tag::SUB, Kind::Subscript),
        (Tag::RT, Kind::Reading),
        (Tag::RTC, Kind::Reading),
        (Tag::A, Kind::Link),
        (Tag::IMG, Kind::Image),
        (Tag::MATH, Kind::Math),
        (Tag::SCRIPT, Kind::Script),
        (Tag::BUTTON, Kind::Apart),
        (Tag::SELECT, Kind::Apart),
        (Tag::TEXTAREA, Kind::Apart),
        (Tag::OUTPUT, Kind::Apart),
        (Tag::METER, Kind::Apart),
        (Tag::PROGRESS, Kind::Apart),
        (Tag::VIDEO, Kind::Apart),
        (Tag::AUDIO, Kind::Apart),
        (Tag::IFRAME, Kind::Apart),
        (Tag::OBJECT, Kind::Apart),
        (Tag::INPUT, Kind::Apart),
    ];
    let mut i = 0;
    while i < others.len() {
        kinds[others[i].0.index()] = others[i].1;
        i += 1;
    }
    kinds
};
