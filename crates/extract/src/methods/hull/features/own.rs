//! The block's own text and element.

use super::super::blocks::{Block, Container, link_share};
use super::super::columns::Columns;
use super::super::hints;
use super::super::places::Places;
use super::{Features, flag, heading_level, share, tag_rank};

impl Features {
    pub(super) fn add_own(&self, out: &mut Columns) {
        self.add_text(out);
        self.add_element(out);
    }

    fn add_text(&self, out: &mut Columns) {
        let blocks = self.window();
        out.add_of("chars", blocks, |block| block.chars as f32);
        out.add_of("words", blocks, |block| block.words as f32);
        out.add_of("link_share", blocks, link_share);
        out.add_of("links", blocks, |block| f32::from(block.links));
        out.add_of("punctuation", blocks, |block| share(block.punctuation, block.words));
        out.add_of("end", blocks, end);
        out.add_of("tags", blocks, |block| f32::from(block.tags));
        out.add_of("markup", blocks, |block| block.markup as f32);
        out.add("title_share", |at| self.positions.title_share(at));
    }

    fn add_element(&self, out: &mut Columns) {
        const PLACES: [(&str, Places); 16] = [
            ("in_article", Places::ARTICLE),
            ("in_main", Places::MAIN),
            ("in_nav", Places::NAV),
            ("in_header", Places::HEADER),
            ("in_footer", Places::FOOTER),
            ("in_aside", Places::ASIDE),
            ("in_form", Places::FORM),
            ("in_table", Places::TABLE),
            ("in_item", Places::ITEM),
            ("in_quote", Places::QUOTE),
            ("in_code", Places::CODE),
            ("in_figure", Places::FIGURE),
            ("in_definitions", Places::DEFINITIONS),
            ("in_noscript", Places::NOSCRIPT),
            ("in_section", Places::SECTION),
            ("in_hidden", Places::HIDDEN),
        ];
        let elements = self.elements.as_slice();
        let parent = |of: &Container| &self.blocks.containers[of.parent as usize];
        out.add_of("tag", elements, |of| tag_rank(of.tag));
        out.add_of("parent_tag", elements, |of| tag_rank(parent(of).tag));
        out.add_of("heading", elements, |of| f32::from(heading_level(of.tag)));
        out.add_of("depth", elements, |of| f32::from(of.depth));
        for (name, place) in PLACES {
            out.add_of(name, elements, |of| flag(of.places.intersects(place)));
        }
        for (group, name) in hints::NEAR.iter().enumerate() {
            out.add_of(name, elements, |of| f32::from(of.hints.near(group)));
        }
    }
}

/// How the text ends: as a sentence, with a colon, or otherwise.
fn end(block: &Block) -> f32 {
    match block.facts.last {
        b'.' | b'!' | b'?' => 2.0,
        b':' => 1.0,
        _ => 0.0,
    }
}
