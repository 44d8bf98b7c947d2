//! hull, the default: every block of the page is judged by a trained model, over what the papers' methods make of the block,
//! of the elements around it and of its neighbours.
//!
//! 1. `blocks`: the page becomes a row of blocks of text and a tree of the block elements around them.
//! 2. `scores`: sums over every block element, and the papers' figures from them: P value (paper 003), text density and
//!    its sum over children (001), linked and unlinked text of the nearest table cell or div (000), CETD's density, points
//!    as in Readability, the stretch in which words outweigh tags.
//! 3. `features`: these, and counts of the block, its place, its neighbours and those that look like it, as columns.
//! 4. [`model`]: a forest of oblivious trees gives each block the log-odds of being content, its first trees alone where they leave no
//!    hope (`judge`). Which one does is up to the type of the page (`page_types`), which smaller forests tell from features of the
//!    page as a whole.
//! 5. `choice`: those blocks are taken whose expected F1 is largest, which is the page's score.
//!
//! Comments of readers, as class names give them away, are no content; but on a page that is a thread (a forum, questions and
//! answers) they are what the page is for. A page counts as one if that is its likeliest type, if it may be and comments are most of
//! it, or if without its comments little is left to be sure of. Where they are kept apart the selection has them as `comments`.
//!
//! Nothing depends on a language, and nothing on the processor: all figures are sums, products and quotients of IEEE 754, and the
//! exponential comes from a library that is the same everywhere.
//!
//! The model that ships has learned from data sets whose licences permit it (`NOTICE`); `scripts/train-hull.sh` makes it again.
//!
//! Cost: a few sweeps over nodes, runs and blocks, O(m log m) for the choice among m blocks, and the trees: at most as many
//! questions a block as the model has. Known failures: comments without a tell-tale class on pages with little else; grids of
//! teasers; what stands on the page hidden, once more or only so.

mod blocks;
mod choice;
mod columns;
mod eights;
mod features;
mod hints;
mod judge;
pub mod model;
mod page_types;
mod places;
mod scores;
mod text;

use crate::chosen::settle;
use crate::extractor::{Citation, Extractor, PageType, Verdict};
use crate::selection::{Selection, Stretch};
use columns::Columns;
use features::Features;
use huller_page::Page;
use judge::{Content, Judge};
use model::{Model, ModelError};
use page_types::PageTypes;
use std::sync::LazyLock;

pub(crate) const CITATION: Citation =
    Citation { paper: None, subject: "a model over the figures of all five papers" };

/// The method with the model that ships, read when it is first used.
pub(crate) static SHIPPED: LazyLock<Hull> = LazyLock::new(|| {
    let model = Model::from_bytes(include_bytes!("../../../../data/models/hull.bin"));
    model.and_then(|model| Hull::new(&model)).expect("a test reads the model that ships")
});

/// Expected F1 below which a page is looked at as one whose comments may be what it is for.
const DOUBTFUL: f32 = 0.5;

/// Log-odds by which another type may be likelier than a forum on a page with far more comments than other content: a thread of which
/// only the first post would be left.
const FAR_FROM_FORUM: f32 = 4.0;

/// The method with a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    article: Content,
    /// What gives comments away elsewhere is the head of a post here, so this has learned from forums alone.
    forum: Content,
    /// For pages of other types.
    other: Content,
    types: PageTypes,
}

impl Hull {
    /// The method with another model than the one that ships.
    ///
    /// # Errors
    ///
    /// The model lacks a forest that is needed, or one of them asks about more borders of a feature than fit a byte.
    pub fn new(model: &Model) -> Result<Hull, ModelError> {
        Ok(Hull {
            article: Content::new(model, "content:article", -2.0)?,
            forum: Content::new(model, "content:forum", -2.0)?,
            // On these pages a glance is right more often where it is of another opinion than the whole forest.
            other: Content::new(model, "content:other", -1.0)?,
            types: PageTypes::new(model)?,
        })
    }
}

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    features: Features,
    columns: Columns,
    /// For finding the page's type.
    leaves: Vec<u8>,
    judge: Judge,
    second: Judge,
}

impl Extractor for Hull {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let Scratch { features, columns, leaves, judge, second } = &mut scratch.hull;
        features.fill(page);
        let guess = self.types.guess(features, columns, leaves);
        let page_type = guess.likeliest();
        let content = match page_type {
            PageType::Article => &self.article,
            PageType::Forum => &self.forum,
            _ => &self.other,
        };
        let mut is_thread = page_type == PageType::Forum;
        let mut score = judge.judge(content, features, columns, is_thread);
        if score < DOUBTFUL {
            let with_comments = second.judge(&self.other, features, columns, true);
            if with_comments > score {
                (score, is_thread) = (with_comments, true);
                std::mem::swap(judge, second);
            }
        }
        let may_be_forum = !is_thread && guess.above(PageType::Forum) < FAR_FROM_FORUM;
        if may_be_forum && judge.has_more_comments(features.blocks()) {
            score = judge.judge(&self.forum, features, columns, true);
            is_thread = true;
        }
        let blocks = features.blocks();
        let apart = |block: usize| !is_thread && blocks.is_comment(block);
        for (block, taken) in judge.choice.taken.iter().enumerate() {
            if *taken {
                out.stretches.extend(blocks.runs(block).map(|run| Stretch::of(page, run)));
            } else if apart(block) && !blocks.is_mostly_links(block) {
                out.comments.extend(blocks.runs(block).map(|run| Stretch::of(page, run)));
            }
        }
        settle(page, false, scratch, out);
        Verdict {
            score: Some(f64::from(score)),
            has_article: Some(!matches!(page_type, PageType::Listing | PageType::Collection)),
            page_type: Some(page_type),
        }
    }
}

/// The features of a page's blocks, for training.
#[derive(Debug, Default)]
pub struct Table {
    features: Features,
    columns: Columns,
}

impl Table {
    /// The names of all features.
    pub fn names() -> Vec<String> {
        Features::names()
    }

    /// Looks at a page.
    pub fn fill(&mut self, page: &Page<'_>) {
        self.features.fill(page);
        let all = 0..self.features.blocks().blocks.len() as u32;
        self.features.fill_columns(all, &mut self.columns);
    }

    /// The runs of each block: the first, and the one after the last.
    pub fn blocks(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let blocks = self.features.blocks();
        blocks.blocks.iter().map(|block| (block.first_run, block.end_run))
    }

    /// A feature of all blocks.
    pub fn column(&self, feature: usize) -> &[f32] {
        self.columns.column(feature)
    }
}

#[cfg(test)]
mod tests;
