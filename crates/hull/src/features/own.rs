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
    levels: &ElementLevels,
    out: &mut Columns,
) {
    add_text(blocks, positions, out);
    add_element(blocks, levels, out);
}

fn add_text(blocks: &Segmentation, positions: &Positions, out: &mut Columns) {
    let block = |index: usize| &blocks.blocks[index];
    out.add("chars", |index| block(index).chars as f32);
    out.add("words", |index| block(index).words as f32);
    out.add("link_share", |index| link_share(block(index)));
    out.add("links", |index| f32::from(block(index).links));
    out.add("punctuation", |index| share(block(index).punctuation, block(index).words));
    out.add("end", |index| text_end_kind(block(index)));
    out.add("tags", |index| f32::from(block(index).tags));
    out.add("markup", |index| block(index).markup as f32);
    out.add("title_share", |index| positions.title_share(index));
}

fn add_element(blocks: &Segmentation, levels: &ElementLevels, out: &mut Columns) {
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
    let [elements, parents, ..] = levels;
    let container_of = |index: &u32| &blocks.containers[*index as usize];
    out.add_of("tag", elements, |index| tag_rank(container_of(index).tag));
    out.add_of("parent_tag", parents, |index| tag_rank(container_of(index).tag));
    out.add_of("heading", elements, |index| f32::from(heading_level(container_of(index).tag)));
    out.add_of("depth", elements, |index| f32::from(container_of(index).depth));
    for (name, region) in REGIONS {
        out.add_of(name, elements, |index| flag(container_of(index).regions.intersects(region)));
    }
    for (group, name) in class_words::NEAR.iter().enumerate() {
        out.add_of(name, elements, |index| {
            f32::from(container_of(index).class_words.distance(group))
        });
    }
}

/// Returns the kind of the text's end: 2 like a sentence, 1 with a colon, 0 otherwise.
fn text_end_kind(block: &Block) -> f32 {
    match block.facts.last {
        b'.' | b'!' | b'?' => 2.0,
        b':' => 1.0,
        _ => 0.0,
    }
}
