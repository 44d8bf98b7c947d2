//! Forests that judge blocks, 32 blocks at a time, with one byte for each block.
//!
//! A forest compares a feature only with a few borders (thresholds). So first each value is
//! replaced by its rank, the number of borders below it, which fits in a byte. A question then
//! compares two bytes, and its answer is one bit of the index of the leaf. Leaves are looked up in
//! tables of 16 bytes. Many processors look up 32 blocks with one instruction; on others the
//! program looks them up one after another. All sums are of integers, so they are the same on every
//! processor.
//!
//! Cost for 32 blocks: one comparison for each border, for each question and for each 16 leaves of
//! a tree.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod kernel;

pub(crate) use kernel::Lanes;

use super::error::ModelError;
use super::trees::{TreeSplit, Trees};
use crate::columns::{Columns, LANES};
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
use kernel::{Kernel, LeafTable, PortableKernel, TABLE};

/// Number of questions and number of leaf tables of a tree from the training script.
const USUAL_TREE_SHAPE: (usize, usize) = (6, 4);

/// A forest in the form for judging blocks: the sum of one leaf from each tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockForest {
    /// Factor from sums of leaves to log-odds.
    scale: f32,
    /// Log-odds that are added to every block.
    bias: f32,
    features: Vec<Feature>,
    /// The borders of all features, one feature after another, in ascending order.
    borders: Vec<f32>,
    trees: Vec<Tree>,
    questions: Vec<RankQuestion>,
    tables: Vec<LeafTable>,
}

/// A feature that the forest asks about.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Feature {
    /// Its number among all features of the program.
    number: u16,
    /// Index of its first border, and the number of its borders.
    first: u32,
    borders: u8,
}

/// A question about a rank: are at least `least` borders below the value?
#[derive(Clone, Copy, Debug, PartialEq)]
struct RankQuestion {
    /// Index of the feature in `BlockForest::features`.
    feature: u16,
    /// Least rank for the answer yes, at least 1.
    least: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Tree {
    /// Number of questions.
    depth: u8,
    /// Number of its leaf tables.
    tables: u8,
}

/// Means of leaves, in steps of the scale. For each tree, first the root, then the nodes below it
/// level by level. A mean of 256 numbers of 16 bits loses at most the last of its 24 bits, and the
/// loss cancels out at the next question.
pub(crate) struct Means(Vec<f32>);

/// Offset added to every leaf so that both its bytes are unsigned; `sums` subtracts it.
const LEAF_OFFSET: i32 = 0x8000;

impl BlockForest {
    /// Converts trees into the form for judging blocks.
    ///
    /// # Errors
    ///
    /// [`ModelError::Damaged`] if the trees ask about more than 255 borders of one feature.
    pub(crate) fn new(trees: &Trees) -> Result<BlockForest, ModelError> {
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
            // The last question comes first, since its answer is the highest bit.
            for TreeSplit { feature, border } in questions.iter().rev() {
                let border_index = asked
                    .partition_point(|other| (other.feature, other.border) < (*feature, *border));
                let feature = forest.features.partition_point(|other| other.number < *feature);
                let least = (border_index as u32 - forest.features[feature].first + 1) as u8;
                forest.questions.push(RankQuestion { feature: feature as u16, least });
            }
            forest.tables.extend(leaves.chunks(TABLE).map(|leaves| {
                let mut table = [[0; TABLE]; 2];
                for (leaf_index, leaf) in leaves.iter().enumerate() {
                    let bytes = (leaf.cast_unsigned() ^ 0x8000).to_le_bytes();
                    (table[0][leaf_index], table[1][leaf_index]) = (bytes[0], bytes[1]);
                }
                table
            }));
            let tables = leaves.len().div_ceil(TABLE) as u8;
            forest.trees.push(Tree { depth: questions.len() as u8, tables });
        }
        Ok(forest)
    }

    /// Returns the numbers of the features that the forest asks about.
    pub(crate) fn features(&self) -> impl Iterator<Item = u16> + '_ {
        self.features.iter().map(|feature| feature.number)
    }

    /// Returns the borders of a feature, in ascending order.
    fn borders_of(&self, feature: Feature) -> &[f32] {
        &self.borders[feature.first as usize..][..usize::from(feature.borders)]
    }

    /// Adds the forest's log-odds to those of the blocks in the columns. `log_odds` has an entry
    /// for every block of the page. `ranks` is a scratch buffer.
    pub(crate) fn judge(&self, columns: &Columns, ranks: &mut Vec<Lanes>, log_odds: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::new() {
            // SAFETY: the token proves that the processor has AVX2.
            return unsafe { self.judge_with_avx2(avx2, columns, ranks, log_odds) };
        }
        self.judge_by(PortableKernel, columns, ranks, log_odds);
    }

    /// # Safety
    ///
    /// The processor must have AVX2; the token `avx2` proves it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn judge_with_avx2(
        &self,
        avx2: Avx2,
        columns: &Columns,
        ranks: &mut Vec<Lanes>,
        log_odds: &mut [f32],
    ) {
        self.judge_by(avx2, columns, ranks, log_odds);
    }

    #[inline(always)]
    fn judge_by(
        &self,
        kernel: impl Kernel,
        columns: &Columns,
        ranks: &mut Vec<Lanes>,
        log_odds: &mut [f32],
    ) {
        for (chunk, blocks) in columns.blocks().chunks(LANES).enumerate() {
            self.rank(kernel, columns, chunk, ranks);
            for (block, sum) in blocks.iter().zip(self.sums(kernel, ranks)) {
                log_odds[*block as usize] += sum as f32 * self.scale + self.bias;
            }
        }
    }

    /// Computes the contribution of each question's feature to the log-odds of a block, and returns
    /// the bias. A contribution is the mean of the leaves below the answer minus the mean before
    /// it. The questions of each tree come from the highest bit on. The means at the roots of the
    /// trees are added to the bias, so that bias and contributions equal the sum of the leaves.
    /// `value` returns the block's features by number; `add` receives each contribution.
    pub(crate) fn contributions(
        &self,
        means: &Means,
        value: impl Fn(usize) -> f32,
        mut add: impl FnMut(u16, f64),
    ) -> f64 {
        let scale = f64::from(self.scale);
        let values: Vec<f32> =
            self.features.iter().map(|feature| value(usize::from(feature.number))).collect();
        let (mut questions, mut means) = (self.questions.as_slice(), means.0.as_slice());
        let mut bias = f64::from(self.bias);
        for Tree { depth, .. } in &self.trees {
            let (asked, of_tree);
            (asked, questions) = questions.split_at(usize::from(*depth));
            (of_tree, means) = means.split_at((2 << depth) - 1);
            // Nodes are stored level by level; the children of node n are at 2n + 1 and 2n + 2.
            let mut node = 0;
            bias += scale * f64::from(of_tree[0]);
            for RankQuestion { feature, least } in asked {
                let feature = usize::from(*feature);
                let border = self.borders_of(self.features[feature])[usize::from(*least) - 1];
                let child = 2 * node + 1 + usize::from(values[feature] > border);
                let change = f64::from(of_tree[child]) - f64::from(of_tree[node]);
                add(self.features[feature].number, scale * change);
                node = child;
            }
        }
        bias
    }

    /// Computes the means of the leaves below every node of every tree.
    pub(crate) fn means(&self) -> Means {
        let (mut tables, mut means) = (self.tables.as_slice(), Vec::new());
        for Tree { depth, tables: count } in &self.trees {
            let (of_tree, rest) = tables.split_at(usize::from(*count));
            tables = rest;
            let leaf = |index: usize| {
                let table = &of_tree[index / TABLE];
                let bytes = [table[0][index % TABLE], table[1][index % TABLE]];
                (i32::from(u16::from_le_bytes(bytes)) - LEAF_OFFSET) as f32
            };
            let leaves = 1_usize << depth;
            let first = means.len();
            means.resize(first + 2 * leaves - 1, 0.0);
            let of_tree = &mut means[first..];
            (0..leaves).for_each(|index| of_tree[leaves - 1 + index] = leaf(index));
            for node in (0..leaves - 1).rev() {
                of_tree[node] = f32::midpoint(of_tree[2 * node + 1], of_tree[2 * node + 2]);
            }
        }
        Means(means)
    }

    /// Computes the ranks of one chunk of blocks, for every feature of the forest.
    #[inline(always)]
    fn rank(&self, kernel: impl Kernel, columns: &Columns, chunk: usize, ranks: &mut Vec<Lanes>) {
        ranks.clear();
        for feature in &self.features {
            let values = columns.lanes(usize::from(feature.number), chunk);
            ranks.push(kernel.ranks(values, self.borders_of(*feature)));
        }
    }

    /// Returns for each block the sum of one leaf from each tree.
    #[inline(always)]
    fn sums(&self, kernel: impl Kernel, ranks: &[Lanes]) -> [i32; LANES] {
        /// Largest number of trees whose bytes can be added in a `u16` without overflow.
        const MAX_TREES: usize = 256;
        let (mut questions, mut tables) = (self.questions.as_slice(), self.tables.as_slice());
        let mut sums = [0; LANES];
        for trees in self.trees.chunks(MAX_TREES) {
            let (mut low, mut high) = ([0_u16; LANES], [0_u16; LANES]);
            for tree in trees {
                let (asked, of_tree);
                (asked, questions) = questions.split_at(usize::from(tree.depth));
                (of_tree, tables) = tables.split_at(usize::from(tree.tables));
                let leaves = match (asked.try_into(), of_tree.try_into()) {
                    // The same as below, with loops whose lengths the compiler knows.
                    (Ok(asked), Ok(of_tree)) => {
                        let (asked, of_tree): (&[_; USUAL_TREE_SHAPE.0], &[_; USUAL_TREE_SHAPE.1]) =
                            (asked, of_tree);
                        leaves(kernel, asked, of_tree, ranks)
                    }
                    _ => leaves(kernel, asked, of_tree, ranks),
                };
                for (sums, bytes) in [&mut low, &mut high].into_iter().zip(leaves) {
                    for (sum, byte) in sums.iter_mut().zip(bytes) {
                        *sum += u16::from(byte);
                    }
                }
            }
            let offset = LEAF_OFFSET * i32::from(trees.len() as u16);
            for (sum, (low, high)) in sums.iter_mut().zip(low.into_iter().zip(high)) {
                *sum += i32::from(low) + (i32::from(high) << 8) - offset;
            }
        }
        sums
    }
}

/// Returns the leaf of one tree for each block: first the low bytes, then the high bytes.
#[inline(always)]
fn leaves(
    kernel: impl Kernel,
    questions: &[RankQuestion],
    tables: &[LeafTable],
    ranks: &[Lanes],
) -> [Lanes; 2] {
    let mut places = [0; LANES];
    for RankQuestion { feature, least } in questions {
        places = kernel.append_split_bit(places, &ranks[usize::from(*feature)], *least);
    }
    kernel.look_up(tables, &places)
}

#[cfg(test)]
pub(super) mod tests;
