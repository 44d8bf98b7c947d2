//! Computes the probability that each block of a page is content, and chooses the blocks.
//!
//! A judgement has up to three rounds. The first is the glance: the first sixteenth of the trees
//! find the hopeless blocks, about two thirds of a page. They need half of the features.
//! Then the other trees judge the remaining blocks. If the expected F1 is still low, the other
//! trees judge the hopeless blocks as well.

use super::block_selector::{BlockOdds, BlockSelector};
use super::blocks::Segmentation;
use super::columns::Columns;
use super::features::Features;
use super::model::{BlockForest, Lanes, Model, ModelError};

/// One tree in this many belongs to the glance.
const GLANCE_DIVISOR: usize = 16;

/// Factor for the log-odds of hopeless blocks after the glance, because the other trees would
/// mostly agree with the glance.
pub(super) const GLANCE_FACTOR: f32 = 1.3;

/// Expected F1 below which the hopeless blocks are judged in full as well.
const MIN_EXPECTED_F1: f32 = 0.7;

/// Number of blocks for which columns are filled at a time; nearly all pages have fewer.
const BLOCKS_PER_CHUNK: usize = 1 << 15;

/// The forest that recognises content on pages of some types, in two parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContentForest {
    pub(super) glance: BlockForest,
    pub(super) rest: BlockForest,
    /// Its name in the model.
    pub(super) name: &'static str,
    /// Log-odds below which a block is hopeless after the glance.
    hopeless: f32,
}

impl ContentForest {
    /// Returns the forest with this name; its first trees are the glance. `hopeless` is in
    /// log-odds.
    ///
    /// # Errors
    ///
    /// The model lacks the forest, or one of the forest's features has more than 255 borders.
    pub(super) fn new(
        model: &Model,
        name: &'static str,
        hopeless: f32,
    ) -> Result<ContentForest, ModelError> {
        let forest = model.forest(name)?;
        let (glance, remaining_trees) = forest.split_at(forest.count() / GLANCE_DIVISOR);
        Ok(ContentForest {
            glance: BlockForest::new(&glance)?,
            rest: BlockForest::new(&remaining_trees)?,
            name,
            hopeless,
        })
    }
}

/// The judgement of a page's blocks, and its buffers.
#[derive(Debug, Default)]
pub(super) struct Judge {
    /// For every block of the page, the log-odds that it is content.
    log_odds: Vec<f32>,
    /// Indices of the blocks that the next trees judge.
    open: Vec<u32>,
    /// Indices of the blocks that were hopeless after the glance.
    hopeless: Vec<u32>,
    ranks: Vec<Lanes>,
    odds: Vec<BlockOdds>,
    /// The name of the forest that judged last.
    forest_name: &'static str,
    /// Whether that forest judged the hopeless blocks in full.
    is_full: bool,
    pub(super) selector: BlockSelector,
}

impl Judge {
    /// Chooses blocks. Returns the expected F1, 0 to 1. Without `with_comments`, readers' comments
    /// are never chosen.
    pub(super) fn judge(
        &mut self,
        content: &ContentForest,
        features: &mut Features,
        columns: &mut Columns,
        with_comments: bool,
    ) -> f32 {
        let count = features.blocks().blocks.len();
        (self.forest_name, self.is_full) = (content.name, false);
        self.log_odds.clear();
        self.log_odds.resize(count, 0.0);
        self.open.clear();
        self.open.extend(0..count as u32);
        self.add_log_odds(&content.glance, features, columns);
        self.move_hopeless(content.hopeless);
        self.add_log_odds(&content.rest, features, columns);
        let score = self.choose(features.blocks(), with_comments);
        if score >= MIN_EXPECTED_F1 {
            return score;
        }
        self.is_full = true;
        for block in &self.hopeless {
            self.log_odds[*block as usize] /= GLANCE_FACTOR;
        }
        // Copied, not swapped, so that each buffer keeps the capacity that it needs for the next
        // page.
        self.open.clone_from(&self.hopeless);
        self.add_log_odds(&content.rest, features, columns);
        self.choose(features.blocks(), with_comments)
    }

    /// Returns for every block of the page the log-odds that it is content.
    pub(super) fn log_odds(&self) -> &[f32] {
        &self.log_odds
    }

    /// Returns the name of the forest that judged.
    pub(super) fn forest_name(&self) -> &'static str {
        self.forest_name
    }

    /// Returns the blocks that the glance alone judged, in ascending order. Their log-odds are
    /// those of the glance times [`GLANCE_FACTOR`].
    pub(super) fn glanced(&self) -> &[u32] {
        if self.is_full { &[] } else { &self.hopeless }
    }

    /// Adds the log-odds that a forest gives to the open blocks.
    fn add_log_odds(
        &mut self,
        forest: &BlockForest,
        features: &mut Features,
        columns: &mut Columns,
    ) {
        columns.want(forest.features());
        for blocks in self.open.chunks(BLOCKS_PER_CHUNK) {
            features.fill_columns(blocks.iter().copied(), columns);
            forest.judge(columns, &mut self.ranks, &mut self.log_odds);
        }
    }

    /// Moves the blocks below the limit from `open` to `hopeless`.
    fn move_hopeless(&mut self, limit: f32) {
        let Judge { log_odds, open, hopeless, .. } = self;
        hopeless.clear();
        open.retain(|block| {
            let log_odds = &mut log_odds[*block as usize];
            let is_open = *log_odds >= limit;
            if !is_open {
                *log_odds *= GLANCE_FACTOR;
                hopeless.push(*block);
            }
            is_open
        });
    }

    /// Returns whether comments hold more than three times as many words as the chosen blocks.
    pub(super) fn has_more_comments(&self, blocks: &Segmentation) -> bool {
        const MIN_COMMENT_RATIO: f32 = 3.0;
        let is_comment =
            |block: &usize| blocks.is_comment(*block) && !blocks.is_mostly_links(*block);
        let block_indices = || 0..blocks.blocks.len();
        let words = |block: usize| blocks.words(block);
        let comments: f32 = block_indices().filter(is_comment).map(words).sum();
        let chosen: f32 =
            block_indices().filter(|block| self.selector.taken[*block]).map(words).sum();
        comments > MIN_COMMENT_RATIO * chosen
    }

    fn choose(&mut self, blocks: &Segmentation, with_comments: bool) -> f32 {
        let Judge { log_odds, odds, selector, .. } = self;
        let is_excluded = |block: usize| !with_comments && blocks.is_comment(block);
        odds.clear();
        odds.extend(log_odds.iter().enumerate().map(|(block_index, log_odds)| {
            BlockOdds::new(
                blocks.words(block_index),
                if is_excluded(block_index) { f32::NEG_INFINITY } else { *log_odds },
            )
        }));
        selector.choose(odds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    fn shipped() -> ContentForest {
        let bytes = include_bytes!("../model/hull.bin");
        ContentForest::new(&Model::from_bytes(bytes).unwrap(), "content:article", -2.0).unwrap()
    }

    /// Regression test for the attacks `html-unclosed-p` and `html-million-blocks`: a page of a
    /// million blocks took 838 MB.
    #[test]
    fn html_million_blocks_are_judged_in_parts() {
        let html = "<p>a".repeat(2 * BLOCKS_PER_CHUNK + 7);
        let mut buffer = PageBuf::new();
        let (mut features, mut columns, mut judge) = <(Features, Columns, Judge)>::default();
        features.fill(&buffer.fill(&html));
        judge.judge(&shipped(), &mut features, &mut columns, false);
        assert_eq!(judge.log_odds.len(), 2 * BLOCKS_PER_CHUNK + 7);
        judge.open = (0..2 * BLOCKS_PER_CHUNK as u32 + 7).collect();
        judge.log_odds.fill(0.0);
        judge.add_log_odds(&shipped().rest, &mut features, &mut columns);
        assert_eq!(columns.blocks().len(), 7);
        assert!(judge.log_odds.iter().all(|log_odds| *log_odds != 0.0));
    }

    #[test]
    fn hopeless_blocks_keep_the_log_odds_of_the_glance_times_a_factor() {
        let mut judge = Judge {
            log_odds: vec![-3.0, -2.0, 0.5, -2.5],
            open: vec![0, 1, 2, 3],
            ..Judge::default()
        };
        judge.move_hopeless(-2.0);
        assert_eq!((judge.open, judge.hopeless), (vec![1, 2], vec![0, 3]));
        assert_eq!(judge.log_odds, [-3.0 * GLANCE_FACTOR, -2.0, 0.5, -2.5 * GLANCE_FACTOR]);
    }

    #[test]
    fn all_blocks_are_judged_in_full_if_nothing_is_sure() {
        let content = ContentForest { hopeless: f32::INFINITY, ..shipped() };
        let mut buffer = PageBuf::new();
        let (mut features, mut columns, mut judge) = <(Features, Columns, Judge)>::default();
        features.fill(&buffer.fill("<ul><li><a href=/>Home</a><li><a href=/w>Weather</a></ul>"));
        let score = judge.judge(&content, &mut features, &mut columns, false);
        let mut whole = Judge { log_odds: vec![0.0; 2], open: vec![0, 1], ..Judge::default() };
        whole.add_log_odds(&content.glance, &mut features, &mut columns);
        whole.add_log_odds(&content.rest, &mut features, &mut columns);
        let same = judge.log_odds.iter().zip(&whole.log_odds).all(|(a, b)| (a - b).abs() < 1e-4);
        assert!(same && score > 0.0, "{:?} {:?}", judge.log_odds, whole.log_odds);
    }
}
