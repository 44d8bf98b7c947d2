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
pub(in super::super) type Lanes = [u8; LANES];

/// Leaves that a processor can look up at once, if a byte each.
const TABLE: usize = 16;

/// Leaves of a tree: their low bytes, and their high ones.
type Table = [[u8; TABLE]; 2];

/// Questions of a tree as trees are trained, and its tables.
const USUAL: (usize, usize) = (6, 4);

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
    tables: Vec<Table>,
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
    tables: u8,
}

/// So much too much a leaf counts in the tables, that both its bytes are without a sign.
const TOO_MUCH: i32 = 0x8000;

/// What is done for thirty-two blocks at once.
trait Kernel {
    /// How many of the borders are below each value; 255 at most are given.
    fn ranks(values: &[f32; LANES], borders: &[f32]) -> Lanes;

    /// Appends a bit to the number of each block's leaf: 1 where the rank is at least `least`.
    fn answer(leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes;

    /// In tables one after another the leaf at each place: its low byte and its high one.
    fn look_up(tables: &[Table], places: &Lanes) -> [Lanes; 2];
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
    fn look_up(tables: &[Table], places: &Lanes) -> [Lanes; 2] {
        let leaf = |half: usize, place: usize| tables[place / TABLE][half][place % TABLE];
        [0, 1].map(|half| places.map(|place| leaf(half, usize::from(place))))
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
            forest.tables.extend(leaves.chunks(TABLE).map(|leaves| {
                let mut table = [[0; TABLE]; 2];
                for (at, leaf) in leaves.iter().enumerate() {
                    let bytes = (leaf.cast_unsigned() ^ 0x8000).to_le_bytes();
                    (table[0][at], table[1][at]) = (bytes[0], bytes[1]);
                }
                table
            }));
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

    /// Adds to the log-odds of each block of the columns, which are those of a page's blocks by their numbers. `ranks` is memory.
    pub(in super::super) fn judge(
        &self,
        columns: &Columns,
        ranks: &mut Vec<Lanes>,
        log_odds: &mut [f32],
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it.
            return unsafe { self.judge_with_avx2(columns, ranks, log_odds) };
        }
        self.judge_by::<OneByOne>(columns, ranks, log_odds);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn judge_with_avx2(&self, columns: &Columns, ranks: &mut Vec<Lanes>, log_odds: &mut [f32]) {
        self.judge_by::<avx2::Avx2>(columns, ranks, log_odds);
    }

    #[inline(always)]
    fn judge_by<K: Kernel>(&self, columns: &Columns, ranks: &mut Vec<Lanes>, log_odds: &mut [f32]) {
        for (chunk, blocks) in columns.blocks().chunks(LANES).enumerate() {
            self.rank::<K>(columns, chunk, ranks);
            for (block, sum) in blocks.iter().zip(self.sums::<K>(ranks)) {
                log_odds[*block as usize] += sum as f32 * self.scale + self.bias;
            }
        }
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

    /// Leaves added up.
    #[inline(always)]
    fn sums<K: Kernel>(&self, ranks: &[Lanes]) -> [i32; LANES] {
        /// So many can be added up half by half without overflow.
        const MOST: usize = 256;
        let (mut questions, mut tables) = (self.questions.as_slice(), self.tables.as_slice());
        let mut sums = [0; LANES];
        for trees in self.trees.chunks(MOST) {
            let (mut low, mut high) = ([0_u16; LANES], [0_u16; LANES]);
            for tree in trees {
                let (asked, of_tree);
                (asked, questions) = questions.split_at(usize::from(tree.depth));
                (of_tree, tables) = tables.split_at(usize::from(tree.tables));
                let leaves = match (asked.try_into(), of_tree.try_into()) {
                    // The same with loops of known length.
                    (Ok(asked), Ok(of_tree)) => {
                        let (asked, of_tree): (&[_; USUAL.0], &[_; USUAL.1]) = (asked, of_tree);
                        leaves::<K>(asked, of_tree, ranks)
                    }
                    _ => leaves::<K>(asked, of_tree, ranks),
                };
                for (sums, bytes) in [&mut low, &mut high].into_iter().zip(leaves) {
                    for (sum, byte) in sums.iter_mut().zip(bytes) {
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

/// The leaf of a tree for each block: low bytes and high bytes.
#[inline(always)]
fn leaves<K: Kernel>(questions: &[Rank], tables: &[Table], ranks: &[Lanes]) -> [Lanes; 2] {
    let mut places = [0; LANES];
    for Rank { feature, least } in questions {
        places = K::answer(places, &ranks[usize::from(*feature)], *least);
    }
    K::look_up(tables, &places)
}

#[cfg(test)]
pub(super) mod tests;
