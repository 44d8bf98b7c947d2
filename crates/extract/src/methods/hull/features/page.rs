//! The page as a whole: the same for all its blocks.

use super::super::blocks::{Block, Container, is_long};
use super::super::columns::Columns;
use super::super::hints;
use super::super::places::Places;
use super::{Features, heading_level, share};
use huller_page::Tag;

/// Elements that pages of some types have many of, with text or without. They tell what kind a page is, and nothing of its blocks.
const TAGS: [(&str, Tag); 10] = [
    ("kind_images", Tag::IMG),
    ("kind_buttons", Tag::BUTTON),
    ("kind_inputs", Tag::INPUT),
    ("kind_forms", Tag::FORM),
    ("kind_times", Tag::TIME),
    ("kind_frames", Tag::IFRAME),
    ("kind_links", Tag::A),
    ("kind_code", Tag::CODE),
    ("kind_h2", Tag::H2),
    ("kind_h3", Tag::H3),
];

impl Features {
    pub(super) fn add_page(&self, out: &mut Columns) {
        let containers = &self.blocks.containers;
        let blocks = || {
            let blocks = self.blocks.blocks.iter();
            blocks.map(|block| (block, &containers[block.container as usize]))
        };
        let chars = self.blocks.chars();
        let sum = |of: &dyn Fn(&Block, &Container) -> u32| -> u32 {
            blocks().map(|(block, container)| of(block, container)).sum()
        };
        let text_where = |holds: &dyn Fn(&Container) -> bool| {
            let inside = blocks().filter(|(_, container)| holds(container));
            share(inside.map(|(block, _)| block.chars).sum(), chars)
        };
        let text_in = |place| text_where(&|container| container.places.intersects(place));
        let text_near = |group| text_where(&|container| container.hints.near(group) < hints::FAR);
        let mut add = |name, value: &dyn Fn() -> f32| out.add_page(name, value);
        add("page_blocks", &|| self.blocks.blocks.len() as f32);
        add("page_block_chars", &|| share(chars, self.blocks.blocks.len() as u32));
        add("page_link_share", &|| share(sum(&|block, _| block.linked), chars));
        add("page_long", &|| sum(&|block, _| u32::from(is_long(block))) as f32);
        add("page_headings", &|| {
            sum(&|_, container| u32::from(heading_level(container.tag) > 0)) as f32
        });
        add("page_articles", &|| {
            containers.iter().filter(|container| container.tag == Tag::ARTICLE).count() as f32
        });
        add("page_in_p", &|| text_where(&|container| container.tag == Tag::P));
        add("page_in_items", &|| text_in(Places::ITEM));
        add("page_in_tables", &|| text_in(Places::TABLE));
        add("page_in_code", &|| text_in(Places::CODE));
        add("page_in_articles", &|| text_in(Places::ARTICLE));
        add("page_in_main", &|| text_in(Places::MAIN));
        add("page_hidden", &|| text_in(Places::HIDDEN));
        add("page_comments", &|| text_near(hints::COMMENTS));
        add("page_forum", &|| text_near(hints::FORUMS));
        add("page_products", &|| text_near(hints::PRODUCTS));
        add("page_points", &|| {
            self.scores.all().iter().map(|score| score.points).fold(0.0, f32::max)
        });
        add("page_records", &|| {
            let in_record = |block: &Block| self.looks.record(containers, block.container) != 0;
            share(sum(&|block, _| if in_record(block) { block.chars } else { 0 }), chars)
        });
        for (name, tag) in TAGS {
            add(name, &|| self.tags[tag.index()] as f32);
        }
        add("kind_currencies", &|| {
            share(sum(&|block, _| block.facts.currencies), self.blocks.blocks.len() as u32)
        });
    }
}
