//! Features of the page as a whole, which are the same for all its blocks.

use super::similar_blocks::SimilarBlocks;
use super::values::{heading_level, share};
use crate::blocks::{Segmentation, is_long};
use crate::class_words;
use crate::columns::Columns;
use crate::regions::Regions;
use crate::scores::Scores;
use huller_page::{Page, Tag};

/// Tags that are frequent on pages of some types, with text or without. Their counts indicate the
/// type of the page, and nothing about its blocks.
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

/// Names of the features for the share of the page's text in some region or list, or near some
/// class word.
const SHARES: [&str; 11] = [
    "page_in_p",
    "page_in_items",
    "page_in_tables",
    "page_in_code",
    "page_in_articles",
    "page_in_main",
    "page_hidden",
    "page_comments",
    "page_forum",
    "page_products",
    "page_records",
];

/// Sums over one page.
#[derive(Debug, Default)]
pub(super) struct PageTotals {
    /// For each of [`SHARES`], the number of scalars.
    chars_in: [u32; SHARES.len()],
    /// Number of scalars in links.
    linked_chars: u32,
    /// Number of long blocks.
    long_blocks: u32,
    /// Number of headings.
    headings: u32,
    /// Number of currency signs.
    currencies: u32,
    /// Number of `article` elements that hold text.
    articles: u32,
    /// The largest number of points of one element.
    points: f32,
    /// For each tag, the number of its elements.
    tags: Vec<u32>,
}

impl PageTotals {
    pub(super) fn fill(
        &mut self,
        page: &Page<'_>,
        blocks: &Segmentation,
        scores: &Scores,
        similar_blocks: &SimilarBlocks,
    ) {
        let mut tags = std::mem::take(&mut self.tags);
        tags.clear();
        tags.resize(Tag::count(), 0);
        for node in page.nodes() {
            tags[node.tag.index()] += 1;
        }
        let containers = &blocks.containers;
        let is_article = |tag: Tag| u32::from(tag == Tag::ARTICLE);
        *self = PageTotals {
            articles: containers.iter().map(|container| is_article(container.tag)).sum(),
            points: scores.scores().iter().map(|score| score.points).fold(0.0, f32::max),
            tags,
            ..PageTotals::default()
        };
        for block in &blocks.blocks {
            let container = &containers[block.container as usize];
            let is_in = |region| container.regions.intersects(region);
            let is_near = |group| container.class_words.distance(group) < class_words::FAR;
            let stands = [
                container.tag == Tag::P,
                is_in(Regions::ITEM),
                is_in(Regions::TABLE),
                is_in(Regions::CODE),
                is_in(Regions::ARTICLE),
                is_in(Regions::MAIN),
                is_in(Regions::HIDDEN),
                is_near(class_words::COMMENTS),
                is_near(class_words::FORUMS),
                is_near(class_words::PRODUCTS),
                similar_blocks.record(block.container) != 0,
            ];
            for (sum, stands) in self.chars_in.iter_mut().zip(stands) {
                *sum += block.chars & u32::from(stands).wrapping_neg();
            }
            self.linked_chars += block.linked_chars;
            self.long_blocks += u32::from(is_long(block));
            self.headings += u32::from(heading_level(container.tag) > 0);
            self.currencies += block.facts.currencies;
        }
    }
}

impl PageTotals {
    /// Adds the features of the page as a whole.
    pub(super) fn add(&self, blocks: &Segmentation, out: &mut Columns) {
        let PageTotals { chars_in, tags, .. } = self;
        let (blocks, chars) = (blocks.blocks.len() as u32, blocks.chars());
        out.add_page("page_blocks", blocks as f32);
        out.add_page("page_block_chars", share(chars, blocks));
        out.add_page("page_link_share", share(self.linked_chars, chars));
        out.add_page("page_long", self.long_blocks as f32);
        out.add_page("page_headings", self.headings as f32);
        out.add_page("page_articles", self.articles as f32);
        let [shares @ .., records] = SHARES;
        let [chars_in @ .., in_records] = *chars_in;
        for (name, chars_in_part) in shares.into_iter().zip(chars_in) {
            out.add_page(name, share(chars_in_part, chars));
        }
        out.add_page("page_points", self.points);
        out.add_page(records, share(in_records, chars));
        for (name, tag) in TAGS {
            out.add_page(name, tags[tag.index()] as f32);
        }
        out.add_page("kind_currencies", share(self.currencies, blocks));
    }
}
