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
        let of = |at: usize| self.block(at);
        out.add("chars", |at| of(at).chars as f32);
        out.add("words", |at| of(at).words as f32);
        out.add("link_share", |at| link_share(of(at)));
        out.add("links", |at| f32::from(of(at).links));
        out.add("punctuation", |at| share(of(at).punctuation, of(at).words));
        out.add("end", |at| end(of(at)));
        out.add("tags", |at| f32::from(of(at).tags));
        out.add("markup", |at| of(at).markup as f32);
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
        let of = |at: usize| self.container(at);
        let parent = |at: usize| &self.blocks.containers[of(at).parent as usize];
        out.add("tag", |at| tag_rank(of(at).tag));
        out.add("parent_tag", |at| tag_rank(parent(at).tag));
        out.add("heading", |at| f32::from(heading_level(of(at).tag)));
        out.add("depth", |at| f32::from(of(at).depth));
        for (name, place) in PLACES {
            out.add(name, |at| flag(of(at).places.intersects(place)));
        }
        for (group, name) in hints::NEAR.iter().enumerate() {
            out.add(name, |at| f32::from(of(at).hints.near(group)));
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
