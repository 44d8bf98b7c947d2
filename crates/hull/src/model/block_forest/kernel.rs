//! The three operations on 32 blocks at once, and their portable form.

use crate::columns::LANES;

/// One byte for each of the blocks that are judged together.
pub(crate) type Lanes = [u8; LANES];

/// Number of leaves in a table: the number of bytes that one instruction can look up.
pub(super) const TABLE: usize = 16;

/// Up to 16 leaves of a tree: first their low bytes, then their high bytes.
pub(super) type LeafTable = [[u8; TABLE]; 2];

/// The operations on 32 blocks at once.
pub(super) trait Kernel: Copy {
    /// Returns the rank of each value: the number of borders below it. `borders` has at most 255.
    fn ranks(self, values: &[f32; LANES], borders: &[f32]) -> Lanes;

    /// Appends a bit to the index of each block's leaf: 1 if the rank is at least `least`.
    fn append_split_bit(self, leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes;

    /// Returns the leaf at each place, counted through all tables: first the low bytes, then the
    /// high bytes.
    fn look_up(self, tables: &[LeafTable], places: &Lanes) -> [Lanes; 2];
}

/// The portable form, which handles one block after another.
#[derive(Clone, Copy)]
pub(super) struct PortableKernel;

impl Kernel for PortableKernel {
    #[inline(always)]
    fn ranks(self, values: &[f32; LANES], borders: &[f32]) -> Lanes {
        values.map(|value| borders.iter().map(|border| u8::from(value > *border)).sum())
    }

    #[inline(always)]
    fn append_split_bit(self, mut leaves: Lanes, ranks: &Lanes, least: u8) -> Lanes {
        for (leaf, rank) in leaves.iter_mut().zip(ranks) {
            *leaf = *leaf << 1 | u8::from(*rank >= least);
        }
        leaves
    }

    #[inline(always)]
    fn look_up(self, tables: &[LeafTable], places: &Lanes) -> [Lanes; 2] {
        let leaf = |half: usize, index: usize| tables[index / TABLE][half][index % TABLE];
        [0, 1].map(|half| places.map(|index| leaf(half, usize::from(index))))
    }
}
