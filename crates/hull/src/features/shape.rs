//! The shape of a page: the distribution of its text and its links over blocks. Pages that list
//! other pages have headings and long texts that are links. Articles have many paragraphs under few
//! headings.

use super::similar_blocks::SimilarBlocks;
use super::values::{heading_level, share};
use crate::blocks::{Block, Segmentation, is_long};
use crate::columns::Columns;
use crate::regions::Regions;

/// Smallest number of Unicode scalars at which a link alone in its block reads like a headline.
const MIN_HEADLINE_CHARS: u32 = 25;

/// A block with fewer Unicode scalars is a label, not a text.
const MIN_TEXT_CHARS: u32 = 20;

/// Sums over the blocks of one page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Number of headings that are links.
    linked_headings: u32,
    /// Number of other headings.
    plain_headings: u32,
    /// Number of blocks that are one long link, and their scalars.
    headlines: u32,
    headline_chars: u32,
    /// Number of scalars in paragraphs: long blocks with few links.
    paragraph_chars: u32,
    /// Number of scalars of the longest block.
    longest: u32,
    /// Number of scalars of the longest block with few links.
    longest_plain: u32,
    /// Number of siblings in the largest list of records.
    records: u32,
    /// Number of scalars outside navigation, header and footer.
    outside: u32,
    /// Number of blocks outside them that are mostly links, and of short ones that are not.
    links_outside: u32,
    labels_outside: u32,
    /// Number of blocks that end like a sentence, and their scalars.
    sentences: u32,
    sentence_chars: u32,
}

impl Shape {
    pub(super) fn from_blocks(blocks: &Segmentation, similar_blocks: &SimilarBlocks) -> Shape {
        let mut shape = Shape::default();
        for block in &blocks.blocks {
            shape.add_block(blocks, similar_blocks, block);
        }
        shape
    }

    fn add_block(&mut self, blocks: &Segmentation, similar_blocks: &SimilarBlocks, block: &Block) {
        let container = &blocks.containers[block.container as usize];
        let chars = block.chars;
        let is_link = 2 * block.linked_chars > chars;
        let has_few_links = 10 * u64::from(block.linked_chars) < 3 * u64::from(chars);
        let boilerplate_regions = Regions::NAV.0 | Regions::HEADER.0 | Regions::FOOTER.0;
        let is_outside = !container.regions.intersects(Regions(boilerplate_regions));
        let is_heading = heading_level(container.tag) > 0;
        let is_headline = is_link && chars >= MIN_HEADLINE_CHARS && block.links == 1;
        let is_sentence = has_few_links && matches!(block.facts.last, b'.' | b'!' | b'?');
        let when = |holds: bool| u32::from(holds).wrapping_neg();
        self.linked_headings += u32::from(is_heading && is_link);
        self.plain_headings += u32::from(is_heading && !is_link);
        self.headlines += u32::from(is_headline);
        self.headline_chars += chars & when(is_headline);
        self.paragraph_chars += chars & when(is_long(block));
        self.longest = self.longest.max(chars);
        self.longest_plain = self.longest_plain.max(chars & when(has_few_links));
        self.records = self.records.max(similar_blocks.list_len(block.container));
        self.outside += chars & when(is_outside);
        self.links_outside += u32::from(is_outside && is_link);
        self.labels_outside += u32::from(is_outside && !is_link && chars < MIN_TEXT_CHARS);
        self.sentences += u32::from(is_sentence && chars >= 2 * MIN_TEXT_CHARS);
        self.sentence_chars += chars & when(is_sentence);
    }

    /// Adds the features of the shape.
    pub(super) fn add(&self, blocks: &Segmentation, out: &mut Columns) {
        let (count, chars) = (blocks.blocks.len() as u32, blocks.chars());
        let headings = self.linked_headings + self.plain_headings;
        out.add_page("kind_linked_headings", self.linked_headings as f32);
        out.add_page("kind_linked_heading_share", share(self.linked_headings, headings));
        out.add_page("kind_headlines", self.headlines as f32);
        out.add_page("kind_headline_share", share(self.headline_chars, chars));
        out.add_page("kind_paragraph_share", share(self.paragraph_chars, chars));
        out.add_page("kind_section", share(self.paragraph_chars, self.plain_headings));
        out.add_page("kind_longest", self.longest as f32);
        out.add_page("kind_longest_plain", self.longest_plain as f32);
        out.add_page("kind_largest_list", self.records as f32);
        out.add_page("kind_outside", share(self.outside, chars));
        out.add_page("kind_links_outside", self.links_outside as f32);
        out.add_page("kind_labels_outside", share(self.labels_outside, count));
        out.add_page("kind_sentences", self.sentences as f32);
        out.add_page("kind_sentence_share", share(self.sentence_chars, chars));
    }
}
