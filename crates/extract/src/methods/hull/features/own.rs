//! The block's own text and element.

use super::super::blocks::{Block, link_share};
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
        let block = |at: usize| self.block(at);
        out.add("chars", |at| block(at).chars as f32);
        out.add("words", |at| block(at).words as f32);
        out.add("link_share", |at| link_share(block(at)));
        out.add("links", |at| f32::from(block(at).links));
        out.add("punctuation", |at| share(block(at).punctuation, block(at).words));
        out.add("end", |at| end(block(at)));
        out.add("tags", |at| f32::from(block(at).tags));
        out.add("markup", |at| block(at).markup as f32);
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
        let [elements, parents, ..] = &self.around;
        let of = |at: &u32| &self.blocks.containers[*at as usize];
        out.add_of("tag", elements, |at| tag_rank(of(at).tag));
        out.add_of("parent_tag", parents, |at| tag_rank(of(at).tag));
        out.add_of("heading", elements, |at| f32::from(heading_level(of(at).tag)));
        out.add_of("depth", elements, |at| f32::from(of(at).depth));
        for (name, place) in PLACES {
            out.add_of(name, elements, |at| flag(of(at).places.intersects(place)));
        }
        for (group, name) in hints::NEAR.iter().enumerate() {
            out.add_of(name, elements, |at| f32::from(of(at).hints.near(group)));
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
