//! Helpers that compute the values of several features.

use huller_page::Tag;

/// Returns `part` divided by `whole`, or by 1 if `whole` is 0.
pub(super) fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// Returns 1 for true, 0 for false.
pub(super) fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Returns the level of a heading, 1 to 6; 0 for other elements.
pub(super) fn heading_level(tag: Tag) -> u8 {
    match tag {
        Tag::H1 => 1,
        Tag::H2 => 2,
        Tag::H3 => 3,
        Tag::H4 => 4,
        Tag::H5 => 5,
        Tag::H6 => 6,
        _ => 0,
    }
}

/// Returns a rank for each tag. It is higher the more often the element's own text is content.
pub(super) fn tag_rank(tag: Tag) -> f32 {
    match tag {
        Tag::P => 10.0,
        Tag::BLOCKQUOTE => 9.0,
        Tag::PRE => 8.0,
        tag if heading_level(tag) > 0 => 7.0,
        Tag::ARTICLE | Tag::MAIN => 6.0,
        Tag::SECTION => 5.0,
        Tag::FIGCAPTION | Tag::FIGURE => 4.5,
        Tag::DD | Tag::DT | Tag::DL => 4.0,
        Tag::TD | Tag::TH | Tag::TR | Tag::TABLE | Tag::TBODY => 3.0,
        Tag::DIV => 2.0,
        Tag::LI | Tag::UL | Tag::OL => 1.0,
        _ => 0.0,
    }
}

/// Returns the distance of a block from a stretch of blocks: below 0 before the stretch, 0.5
/// inside, 1 and above after it.
pub(super) fn from_stretch(block: usize, first_block: u32, end_block: u32) -> f32 {
    let block = block as u32;
    if block < first_block {
        -((first_block - block) as f32)
    } else if block < end_block {
        0.5
    } else {
        (block - end_block + 1) as f32
    }
}
