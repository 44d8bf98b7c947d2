//! What is known of every block, as numbers for the model.
//!
//! Each feature is a name and a definition, in one place: a call of [`Columns::add`]. The calls come in the same order for every
//! page, so that a feature is known by its number, and one that no model asks for costs nothing. None depends on a language, on
//! words of the text, or on anything beyond the page.

mod address;
mod around;
mod looks;
mod neighbours;
mod own;
mod page;
mod position;
mod title;

use super::blocks::{Block, Container, Segmentation};
use super::columns::Columns;
use super::scores::Scores;
use address::Address;
use huller_page::{Attributes, Page, PageBuf, Tag};
use looks::Looks;
use page::Whole;
use position::Positions;

/// Elements around a block that are looked at.
const LEVELS: usize = 4;

/// All that features are made of, for one page. Made once and refilled.
#[derive(Debug, Default)]
pub(super) struct Features {
    blocks: Segmentation,
    scores: Scores,
    looks: Looks,
    positions: Positions,
    /// For every block that is asked about the elements around it, its own first. The root counts again where there are fewer.
    around: [Vec<u32>; LEVELS],
    whole: Whole,
    address: Address,
    attributes: Attributes,
}

impl Features {
    /// The names of all features, by their numbers.
    pub(super) fn names() -> Vec<String> {
        let mut columns = Columns::naming();
        let mut features = Features::default();
        features.fill(&PageBuf::new().fill(""));
        features.fill_columns([], &mut columns);
        columns.into_names()
    }

    /// Looks at a page.
    pub(super) fn fill(&mut self, page: &Page<'_>) {
        self.blocks.fill(page);
        self.scores.fill(page, &self.blocks);
        self.looks.fill(&self.blocks);
        self.positions.fill(page, &self.blocks);
        self.whole.fill(page, &self.blocks, &self.scores, &self.looks);
        self.address = Address::of(page, &mut self.attributes);
    }

    /// Fills the columns that are wanted for some of the page's blocks, by their numbers.
    pub(super) fn fill_columns(
        &mut self,
        blocks: impl IntoIterator<Item = u32>,
        out: &mut Columns,
    ) {
        out.begin(blocks);
        let Segmentation { blocks, containers, .. } = &self.blocks;
        self.around.iter_mut().for_each(Vec::clear);
        for block in out.blocks() {
            let mut container = blocks[*block as usize].container;
            for level in &mut self.around {
                level.push(container);
                container = containers[container as usize].parent;
            }
        }
        self.add_own(out);
        self.add_position(out);
        self.add_looks(out);
        self.add_around(out);
        self.add_neighbours(out);
        self.add_page(out);
        self.add_address(out);
    }

    /// The blocks of the page that was filled last.
    pub(super) fn blocks(&self) -> &Segmentation {
        &self.blocks
    }

    fn block(&self, at: usize) -> &Block {
        &self.blocks.blocks[at]
    }

    fn container(&self, block: usize) -> &Container {
        &self.blocks.containers[self.block(block).container as usize]
    }
}

/// `part` of `whole`; 0 of nothing.
fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// 1 or 0.
fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// The level of a heading, 0 for other elements.
fn heading_level(tag: Tag) -> u8 {
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

/// A number for each kind of element, the higher the more often its own text is content.
fn tag_rank(tag: Tag) -> f32 {
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

/// How far a block is from a stretch of blocks: below 0 before it, above 1 behind it, a half inside.
fn from_stretch(block: usize, first: u32, end: u32) -> f32 {
    let block = block as u32;
    if block < first {
        -((first - block) as f32)
    } else if block < end {
        0.5
    } else {
        (block - end + 1) as f32
    }
}
