//! Forests that are asked about many blocks: thirty-two at a time, in bytes.
//!
//! All that a forest asks of a feature is whether it is above one of a few borders. So each value becomes the number of borders
//! below it first, a byte; a question is then a comparison of bytes, and its answer one bit of the leaf's number. Leaves are
//! looked up in tables of sixteen bytes, which many processors do for all blocks in one instruction; others look them up one
//! by one. Either way sums are of integers, so that they are the same everywhere.
//!
//! Cost: a comparison for each border, question and sixteenth of a tree's leaves, for 32 blocks together.

#[cfg(target_arch = "x86_64")]
mod avx2;

use super::super::columns::{Columns, LANES};
use super::ModelError;
use super::trees::{Question, Trees};

/// One byte for each of the blocks that are judged together.
pub(super) type Lanes = [u8; LANES];

/// Leaves, or a half of each, that a processor can look up at once.
const TABLE: usize = 16;

/// Trees after which hopeless blocks are left.
const FIRST: usize = 25;

/// Trees whose leaves add up.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct BlockForest {
    scale: f32,
    bias: f32,
    features: Vec<Feature>,
    /// Of all features, each feature's rising.
    borders: Vec<f32>,
    trees: Vec<Tree>,
    questions: Vec<Rank>,
    tables: Vec<[u8; TABLE]>,
}

/// A feature that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Feature {
    /// Among all there are.
    number: u16,
    /// Place of its first border, and how many it has.
    first: u32,
    borders: u8,
}

/// A question for what was counted: are at least so many borders below the value?
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rank {
    /// Place among the features that are asked for.
    feature: u16,
    least: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Tree {
    depth: u8,
    /// How many tables hold the low bytes of the leaves; as many hold the high bytes.
    tables: u8,
}

/// So much too much a leaf counts in the tables, that both its bytes are without a sign.
const TOO_MUCH: i32 = 0x8000;

/// The sums of the blocks of a page, and memory for finding them.
#[derive(Debug, Default)]
pub(in super::super) struct Sums {
    /// For each feature the number of borders below it.
    ranks: Vec<Lanes>,
    hopeful: Hopeful,
    /// Leaves added up, one a block.
    of_leaves: Vec<i32>,
    /// In log-odds, one a block.
    pub(in super::super) log_odds: Vec<f32>,
}

/// What is done for thirty-two blocks at once.
trait Kernel {
    /// How many of the borders are below each value; 255 at most are given.
    fn ranks(values: &[f32; LANES], borders: &[f32]) -> Lanes;

    /// Appends a bit to the number of each block's leaf: 1 where the rank is at least `least`.
    fn answer(leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes;

    /// In tables of sixteen bytes, one after another, the byte at each place.
    fn look_up(tables: &[[u8; TABLE]], places: &Lanes) -> Lanes;
}

/// One block after another, on any processor.
struct OneByOne;

impl Kernel for OneByOne {
    #[inline(always)]
    fn ranks(values: &[f32; LANES], borders: &[f32]) -> Lanes {
        values.map(|value| borders.iter().map(|border| u8::from(value > *border)).sum())
    }

    #[inline(always)]
    fn answer(mut leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes {
        for (leaf, rank) in leaves.iter_mut().zip(ranks) {
            *leaf = *leaf << 1 | u8::from(*rank >= least);
        }
        leaves
    }

    #[inline(always)]
    fn look_up(tables: &[[u8; TABLE]], places: &Lanes) -> Lanes {
        let bytes = tables.as_flattened();
        places.map(|place| bytes[usize::from(place)])
    }
}

impl BlockForest {
    /// The trees in the form in which blocks are judged.
    ///
    /// # Errors
    ///
    /// One of the trees' features has more than 255 borders.
    pub(in super::super) fn new(trees: &Trees) -> Result<BlockForest, ModelError> {
        let mut asked = trees.questions.clone();
        asked.sort_by(|a, b| a.feature.cmp(&b.feature).then(a.border.total_cmp(&b.border)));
        asked.dedup();
        let mut forest = BlockForest {
            scale: trees.scale,
            bias: trees.bias,
            features: Vec::new(),
            borders: asked.iter().map(|question| question.border).collect(),
            trees: Vec::new(),
            questions: Vec::new(),
            tables: Vec::new(),
        };
        let mut first = 0;
        for of_feature in asked.chunk_by(|a, b| a.feature == b.feature) {
            let borders = u8::try_from(of_feature.len());
            let borders =
                borders.map_err(|_| ModelError::Damaged("too many borders of one feature"))?;
            forest.features.push(Feature { number: of_feature[0].feature, first, borders });
            first += u32::from(borders);
        }
        for (questions, leaves) in trees.each() {
            // The last question first: its answer is the highest bit.
            for Question { feature, border } in questions.iter().rev() {
                let place = asked
                    .partition_point(|other| (other.feature, other.border) < (*feature, *border));
                let feature = forest.features.partition_point(|other| other.number < *feature);
                let least = (place as u32 - forest.features[feature].first + 1) as u8;
                forest.questions.push(Rank { feature: feature as u16, least });
            }
            for half in 0..2 {
                forest.tables.extend(leaves.chunks(TABLE).map(|leaves| {
                    let mut table = [0; TABLE];
                    for (byte, leaf) in table.iter_mut().zip(leaves) {
                        *byte = (leaf.cast_unsigned() ^ 0x8000).to_le_bytes()[half];
                    }
                    table
                }));
            }
            let tables = leaves.len().div_ceil(TABLE) as u8;
            forest.trees.push(Tree { depth: questions.len() as u8, tables });
        }
        Ok(forest)
    }

    /// The numbers of the features that are asked for.
    pub(in super::super) fn features(&self) -> impl Iterator<Item = u16> + '_ {
        self.features.iter().map(|feature| feature.number)
    }

    /// The borders of a feature that are asked for, rising.
    fn borders_of(&self, feature: Feature) -> &[f32] {
        &self.borders[feature.first as usize..][..usize::from(feature.borders)]
    }

    /// Appends the sum of every block of the columns, in log-odds. Blocks of which the first trees think less than `hopeless` keep that sum.
    pub(in super::super) fn sums(&self, columns: &Columns, hopeless: f32, sums: &mut Sums) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it.
            return unsafe { self.sums_with_avx2(columns, hopeless, sums) };
        }
        self.sums_of_chunks::<OneByOne>(columns, hopeless, sums);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn sums_with_avx2(&self, columns: &Columns, hopeless: f32, sums: &mut Sums) {
        self.sums_of_chunks::<avx2::Avx2>(columns, hopeless, sums);
    }

    #[inline(always)]
    fn sums_of_chunks<K: Kernel>(&self, columns: &Columns, hopeless: f32, sums: &mut Sums) {
        let Sums { ranks, hopeful, of_leaves: sums, log_odds } = sums;
        let limit = ((hopeless - self.bias) / self.scale) as i32;
        let (first, rest) = self.parts();
        sums.clear();
        hopeful.clear(self.features.len());
        for chunk in 0..columns.chunks() {
            self.rank::<K>(columns, chunk, ranks);
            let of_first = first.sums::<K>(ranks);
            sums.extend(of_first);
            let blocks = columns.blocks() - chunk * LANES;
            for (lane, sum) in of_first.into_iter().enumerate().take(blocks) {
                if sum >= limit {
                    hopeful.take(ranks, lane, chunk * LANES + lane);
                    if hopeful.count == LANES {
                        hopeful.finish::<K>(&rest, sums);
                    }
                }
            }
        }
        hopeful.finish::<K>(&rest, sums);
        log_odds.extend(
            sums[..columns.blocks()].iter().map(|sum| *sum as f32 * self.scale + self.bias),
        );
    }

    /// The first trees, and those that are only asked about hopeful blocks.
    fn parts(&self) -> (Part<'_>, Part<'_>) {
        let (first, rest) = self.trees.split_at(self.trees.len().min(FIRST));
        let (mut questions, mut tables) = (0, 0);
        for tree in first {
            questions += usize::from(tree.depth);
            tables += 2 * usize::from(tree.tables);
        }
        let (questions, tables) =
            (self.questions.split_at(questions), self.tables.split_at(tables));
        let first = Part { trees: first, questions: questions.0, tables: tables.0 };
        (first, Part { trees: rest, questions: questions.1, tables: tables.1 })
    }

    /// Counts the borders below each feature.
    #[inline(always)]
    fn rank<K: Kernel>(&self, columns: &Columns, chunk: usize, ranks: &mut Vec<Lanes>) {
        ranks.clear();
        for feature in &self.features {
            let values = columns.lanes(usize::from(feature.number), chunk);
            ranks.push(K::ranks(values, self.borders_of(*feature)));
        }
    }
}

/// Blocks from several chunks that are not hopeless.
#[derive(Debug, Default)]
struct Hopeful {
    ranks: Vec<Lanes>,
    blocks: [usize; LANES],
    count: usize,
}

impl Hopeful {
    fn clear(&mut self, features: usize) {
        self.ranks.clear();
        self.ranks.resize(features, [0; LANES]);
        self.count = 0;
    }

    /// Takes a lane of a chunk.
    #[inline(always)]
    fn take(&mut self, ranks: &[Lanes], lane: usize, block: usize) {
        for (to, from) in self.ranks.iter_mut().zip(ranks) {
            to[self.count] = from[lane];
        }
        self.blocks[self.count] = block;
        self.count += 1;
    }

    /// Adds what some trees say of the blocks, and lets them go.
    #[inline(always)]
    fn finish<K: Kernel>(&mut self, part: &Part<'_>, sums: &mut [i32]) {
        if self.count > 0 {
            let more = part.sums::<K>(&self.ranks);
            for (block, more) in self.blocks[..self.count].iter().zip(more) {
                sums[*block] += more;
            }
        }
        self.count = 0;
    }
}

/// Some trees of a forest, one after another.
struct Part<'a> {
    trees: &'a [Tree],
    questions: &'a [Rank],
    tables: &'a [[u8; TABLE]],
}

impl Part<'_> {
    /// Leaves added up.
    #[inline(always)]
    fn sums<K: Kernel>(&self, ranks: &[Lanes]) -> [i32; LANES] {
        /// So many can be added up half by half without overflow.
        const MOST: usize = 256;
        let (mut questions, mut tables) = (self.questions, self.tables);
        let mut sums = [0; LANES];
        for trees in self.trees.chunks(MOST) {
            let (mut low, mut high) = ([0_u16; LANES], [0_u16; LANES]);
            for tree in trees {
                let (of_tree, rest) = questions.split_at(usize::from(tree.depth));
                questions = rest;
                let mut leaves = [0_u8; LANES];
                for Rank { feature, least } in of_tree {
                    leaves = K::answer(leaves, &ranks[usize::from(*feature)], *least);
                }
                for half in [&mut low, &mut high] {
                    let (of_tree, rest) = tables.split_at(usize::from(tree.tables));
                    tables = rest;
                    for (sum, byte) in half.iter_mut().zip(K::look_up(of_tree, &leaves)) {
                        *sum += u16::from(byte);
                    }
                }
            }
            let too_much = TOO_MUCH * i32::from(trees.len() as u16);
            for (sum, (low, high)) in sums.iter_mut().zip(low.into_iter().zip(high)) {
                *sum += i32::from(low) + (i32::from(high) << 8) - too_much;
            }
        }
        sums
    }
}

#[cfg(test)]
pub(super) mod tests;
