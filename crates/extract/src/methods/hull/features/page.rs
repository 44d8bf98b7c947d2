//! The page as a whole: the same for all its blocks.

use super::super::blocks::{Segmentation, is_long};
use super::super::columns::Columns;
use super::super::hints;
use super::super::places::Places;
use super::super::scores::Scores;
use super::looks::Looks;
use super::{Features, heading_level, share};
use huller_page::{Page, Tag};

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

/// Shares of the page's text, by where it stands.
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
pub(super) struct Whole {
    /// Scalars that stand where each of the [`SHARES`] says.
    chars_in: [u32; SHARES.len()],
    linked: u32,
    long: u32,
    headings: u32,
    currencies: u32,
    /// Block elements that hold text.
    articles: u32,
    /// The most of one element.
    points: f32,
    /// How many elements of each kind the page has.
    tags: Vec<u32>,
}

impl Whole {
    pub(super) fn fill(
        &mut self,
        page: &Page<'_>,
        blocks: &Segmentation,
        scores: &Scores,
        looks: &Looks,
    ) {
        let mut tags = std::mem::take(&mut self.tags);
        tags.clear();
        tags.resize(Tag::count(), 0);
        for node in page.nodes() {
            tags[node.tag.index()] += 1;
        }
        let containers = &blocks.containers;
        let is_article = |tag: Tag| u32::from(tag == Tag::ARTICLE);
        *self = Whole {
            articles: containers.iter().map(|container| is_article(container.tag)).sum(),
            points: scores.all().iter().map(|score| score.points).fold(0.0, f32::max),
            tags,
            ..Whole::default()
        };
        for block in &blocks.blocks {
            let container = &containers[block.container as usize];
            let is_in = |place| container.places.intersects(place);
            let is_near = |group| container.hints.near(group) < hints::FAR;
            let stands = [
                container.tag == Tag::P,
                is_in(Places::ITEM),
                is_in(Places::TABLE),
                is_in(Places::CODE),
                is_in(Places::ARTICLE),
                is_in(Places::MAIN),
                is_in(Places::HIDDEN),
                is_near(hints::COMMENTS),
                is_near(hints::FORUMS),
                is_near(hints::PRODUCTS),
                looks.record(block.container) != 0,
            ];
            for (sum, stands) in self.chars_in.iter_mut().zip(stands) {
                *sum += block.chars & u32::from(stands).wrapping_neg();
            }
            self.linked += block.linked;
            self.long += u32::from(is_long(block));
            self.headings += u32::from(heading_level(container.tag) > 0);
            self.currencies += block.facts.currencies;
        }
    }
}

impl Features {
    pub(super) fn add_page(&self, out: &mut Columns) {
        let Whole { chars_in, tags, .. } = &self.whole;
        let (blocks, chars) = (self.blocks.blocks.len() as u32, self.blocks.chars());
        out.add_page("page_blocks", blocks as f32);
        out.add_page("page_block_chars", share(chars, blocks));
        out.add_page("page_link_share", share(self.whole.linked, chars));
        out.add_page("page_long", self.whole.long as f32);
        out.add_page("page_headings", self.whole.headings as f32);
        out.add_page("page_articles", self.whole.articles as f32);
        let [shares @ .., records] = SHARES;
        let [chars_in @ .., in_records] = *chars_in;
        for (name, part) in shares.into_iter().zip(chars_in) {
            out.add_page(name, share(part, chars));
        }
        out.add_page("page_points", self.whole.points);
        out.add_page(records, share(in_records, chars));
        for (name, tag) in TAGS {
            out.add_page(name, tags[tag.index()] as f32);
        }
        out.add_page("kind_currencies", share(self.whole.currencies, blocks));
    }
}
