//! Features of blocks and elements that look alike: those with the same tag and the same class.

use super::element_levels::ElementLevels;
use super::values::share;
use crate::blocks::{Block, Segmentation, is_long};
use crate::columns::Columns;
use crate::scores::Scores;
use huller_page::Tag;

/// Fewest similar siblings that form a list of records.
const MIN_RECORDS: u32 = 3;
/// Largest distance of a block from its record, in block elements.
const MAX_RECORD_DISTANCE: u8 = 8;
const FREE: u32 = u32::MAX;

/// Sums over the blocks of one look, which is their tag and class.
#[derive(Clone, Copy, Debug, Default)]
struct LookSums {
    /// Number of blocks.
    blocks: u32,
    /// Number of words.
    words: u32,
    /// Number of scalars.
    chars: u32,
    /// Number of scalars in links.
    linked_chars: u32,
    /// Number of long blocks.
    long_blocks: u32,
}

/// The blocks and elements of one page that look alike.
#[derive(Debug, Default)]
pub(super) struct SimilarBlocks {
    /// A hash table with open addressing. An entry is a digest and a number.
    table: Vec<(u32, u32)>,
    /// For each block, the number of its look.
    of_block: Vec<u32>,
    /// Sums over all blocks that look alike, by the number of the look.
    look_sums: Vec<LookSums>,
    /// For each container, the index of the first sibling that looks like it.
    group_of: Vec<u32>,
    /// For each such first sibling, the number of siblings that look like it, itself included.
    group_sizes: Vec<u32>,
    /// For each container, the index of its record, and the distance to it in elements. The record
    /// is the nearest one that is or contains the container; (0, 0) if there is no record near.
    records: Vec<(u32, u8)>,
}

impl SimilarBlocks {
    pub(super) fn fill(&mut self, blocks: &Segmentation) {
        self.number_blocks(blocks);
        self.count_siblings(blocks);
        self.find_records(blocks);
    }

    /// Numbers the looks of the blocks, and sums over the blocks of each.
    fn number_blocks(&mut self, Segmentation { blocks, containers, .. }: &Segmentation) {
        clear(&mut self.table, blocks.len());
        self.of_block.clear();
        self.look_sums.clear();
        for block in blocks {
            let container = &containers[block.container as usize];
            let digest = mix(container.look, containers[container.parent as usize].look);
            let number = find_or_insert(&mut self.table, digest, self.look_sums.len() as u32);
            if number as usize == self.look_sums.len() {
                self.look_sums.push(LookSums::default());
            }
            self.of_block.push(number);
            self.look_sums[number as usize].add(block);
        }
    }

    /// Counts the siblings that look alike.
    fn count_siblings(&mut self, Segmentation { containers, .. }: &Segmentation) {
        clear(&mut self.table, containers.len());
        self.group_of.clear();
        self.group_sizes.clear();
        self.group_sizes.resize(containers.len(), 0);
        for (index, container) in containers.iter().enumerate() {
            let digest = mix(container.look, container.parent);
            let first_index = find_or_insert(&mut self.table, digest, index as u32);
            self.group_of.push(first_index);
            self.group_sizes[first_index as usize] += 1;
        }
    }

    /// Finds the records: members of a group of at least three siblings that look alike and are not
    /// paragraphs.
    fn find_records(&mut self, Segmentation { containers, .. }: &Segmentation) {
        self.records.clear();
        for (index, container) in (0..).zip(containers) {
            let is_record = self.similar_siblings(index) >= MIN_RECORDS && container.tag != Tag::P;
            let parent_record = self.records.get(container.parent as usize);
            self.records.push(match parent_record {
                Some(_) if is_record => (index, 0),
                Some((record, up)) if up + 1 < MAX_RECORD_DISTANCE => (*record, up + 1),
                _ => (0, 0),
            });
        }
    }

    /// Returns the index of the nearest record around a container, possibly the container itself; 0
    /// if there is no record.
    pub(super) fn record(&self, container: u32) -> u32 {
        self.records[container as usize].0
    }

    /// Returns the number of records in the list that a container is in; 0 if it is not in a list.
    pub(super) fn list_len(&self, container: u32) -> u32 {
        match self.record(container) {
            0 => 0,
            record => self.similar_siblings(record),
        }
    }

    /// Returns the number of siblings that look like a container, itself included.
    fn similar_siblings(&self, container: u32) -> u32 {
        self.group_sizes[self.group_of[container as usize] as usize]
    }

    /// Returns whether two blocks look alike.
    pub(super) fn are_similar(&self, left: usize, right: usize) -> bool {
        self.of_block[left] == self.of_block[right]
    }
}

impl LookSums {
    fn add(&mut self, block: &Block) {
        self.blocks += 1;
        self.words += block.words;
        self.chars += block.chars;
        self.linked_chars += block.linked_chars;
        self.long_blocks += u32::from(is_long(block));
    }
}

fn mix(hash: u32, value: u32) -> u32 {
    (hash.rotate_left(9) ^ value.wrapping_mul(0xC2B2_AE35)).wrapping_mul(0x85EB_CA6B)
}

/// Empties a table and resizes it so that it will be at most half full.
fn clear(table: &mut Vec<(u32, u32)>, entries: usize) {
    table.clear();
    table.resize((2 * entries).next_power_of_two().max(16), (0, FREE));
}

/// Returns the number stored for a digest. If the digest is new, stores and returns `new_number`.
fn find_or_insert(table: &mut [(u32, u32)], digest: u32, new_number: u32) -> u32 {
    let mask = table.len() - 1;
    let mut slot = (digest.wrapping_mul(0x9E37_79B1) >> 7) as usize & mask;
    while table[slot].1 != FREE && table[slot].0 != digest {
        slot = (slot + 1) & mask;
    }
    if table[slot].1 == FREE {
        table[slot] = (digest, new_number);
    }
    table[slot].1
}

impl SimilarBlocks {
    /// Adds the features of blocks and elements that look alike.
    pub(super) fn add(
        &self,
        blocks: &Segmentation,
        scores: &Scores,
        levels: &ElementLevels,
        out: &mut Columns,
    ) {
        let (count, chars) = (blocks.blocks.len() as u32, blocks.chars());
        let look = |at: usize| &self.look_sums[self.of_block[at] as usize];
        out.add("look_blocks", |at| look(at).blocks as f32);
        out.add("look_share", |at| share(look(at).blocks, count));
        out.add("look_words", |at| share(look(at).words, look(at).blocks));
        out.add("look_link_share", |at| share(look(at).linked_chars, look(at).chars));
        out.add("look_text_share", |at| share(look(at).chars, chars));
        out.add("look_long", |at| share(look(at).long_blocks, look(at).blocks));
        for (name, elements) in ["alike_1", "alike_2", "alike_3", "alike_4"].iter().zip(levels) {
            out.add_of(name, elements, |at| self.similar_siblings(*at) as f32);
        }
        let record = |at: &u32| Some(self.record(*at)).filter(|record| *record != 0);
        let sums = |container: u32| scores.sums(container);
        out.add_of("record_text_share", &levels[0], |at| {
            record(at).map_or(0.0, |at| share(sums(at).chars, chars))
        });
        out.add_of("record_blocks", &levels[0], |at| {
            record(at).map_or(0.0, |at| sums(at).blocks as f32)
        });
        out.add_of("record_alike", &levels[0], |at| {
            record(at).map_or(0.0, |at| self.similar_siblings(at) as f32)
        });
    }
}
