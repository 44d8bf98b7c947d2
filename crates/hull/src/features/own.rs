//! Features of a block's own text and element.

use super::element_levels::ElementLevels;
use super::position::Positions;
use super::values::{flag, heading_level, share, tag_rank};
use crate::blocks::{Block, Segmentation, link_share};
use crate::class_words;
use crate::columns::Columns;
use crate::regions::Regions;

/// Adds the features of the blocks and of their elements.
pub(super) fn add(
    blocks: &Segmentation,
    positions: &Positions,
    around: &ElementLevels,
    out: &mut Columns,
) {
    add_text(blocks, positions, out);
    add_element(blocks, around, out);
}

fn add_text(blocks: &Segmentation, positions: &Positions, out: &mut Columns) {
    let block = |at: usize| &blocks.blocks[at];
    out.add("chars", |at| block(at).chars as f32);
    out.add("words", |at| block(at).words as f32);
    out.add("link_share", |at| link_share(block(at)));
    out.add("links", |at| f32::from(block(at).links));
    out.add("punctuation", |at| share(block(at).punctuation, block(at).words));
    out.add("end", |at| end(block(at)));
    out.add("tags", |at| f32::from(block(at).tags));
    out.add("markup", |at| block(at).markup as f32);
    out.add("title_share", |at| positions.title_share(at));
}

fn add_element(blocks: &Segmentation, around: &ElementLevels, out: &mut Columns) {
    const REGIONS: [(&str, Regions); 16] = [
        ("in_article", Regions::ARTICLE),
        ("in_main", Regions::MAIN),
        ("in_nav", Regions::NAV),
        ("in_header", Regions::HEADER),
        ("in_footer", Regions::FOOTER),
        ("in_aside", Regions::ASIDE),
        ("in_form", Regions::FORM),
        ("in_table", Regions::TABLE),
        ("in_item", Regions::ITEM),
        ("in_quote", Regions::QUOTE),
        ("in_code", Regions::CODE),
        ("in_figure", Regions::FIGURE),
        ("in_definitions", Regions::DEFINITIONS),
        ("in_noscript", Regions::NOSCRIPT),
        ("in_section", Regions::SECTION),
        ("in_hidden", Regions::HIDDEN),
    ];
    let [elements, parents, ..] = around;
    let of = |at: &u32| &blocks.containers[*at as usize];
    out.add_of("tag", elements, |at| tag_rank(of(at).tag));
    out.add_of("parent_tag", parents, |at| tag_rank(of(at).tag));
    out.add_of("heading", elements, |at| f32::from(heading_level(of(at).tag)));
    out.add_of("depth", elements, |at| f32::from(of(at).depth));
    for (name, region) in REGIONS {
        out.add_of(name, elements, |at| flag(of(at).regions.intersects(region)));
    }
    for (group, name) in class_words::NEAR.iter().enumerate() {
        out.add_of(name, elements, |at| f32::from(of(at).class_words.distance(group)));
    }
}

/// Returns the kind of the text's end: 2 like a sentence, 1 with a colon, 0 otherwise.
fn end(block: &Block) -> f32 {
    match block.facts.last {
        b'.' | b'!' | b'?' => 2.0,
        b':' => 1.0,
        _ => 0.0,
    }
}
