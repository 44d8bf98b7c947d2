//! Blocks and elements that look alike: the same tags and classes.

use super::super::blocks::{Block, Segmentation, is_long};
use super::super::columns::Columns;
use super::{Features, share};
use huller_page::Tag;

/// So many siblings that look alike make a list of records.
const RECORDS: u32 = 3;
/// How far up a record is looked for.
const REACH: u8 = 8;
const NONE: u32 = u32::MAX;

/// What blocks of one look have in common.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    blocks: u32,
    words: u32,
    chars: u32,
    linked: u32,
    long: u32,
}

/// The looks of one page.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// A hash table with open addressing: digest and number.
    table: Vec<(u32, u32)>,
    of_block: Vec<u32>,
    kinds: Vec<Look>,
    /// For each container, the first sibling that looks like it.
    first_alike: Vec<u32>,
    /// For each such first one, how many there are.
    alike: Vec<u32>,
    /// For each container, the nearest one around it that is a record, itself included, 0 for none, and how far up that is.
    records: Vec<(u32, u8)>,
}

impl Looks {
    pub(super) fn fill(&mut self, blocks: &Segmentation) {
        self.number_blocks(blocks);
        self.count_siblings(blocks);
        self.find_records(blocks);
    }

    fn number_blocks(&mut self, Segmentation { blocks, containers, .. }: &Segmentation) {
        clear(&mut self.table, blocks.len());
        self.of_block.clear();
        self.kinds.clear();
        for block in blocks {
            let container = &containers[block.container as usize];
            let digest = mix(container.look, containers[container.parent as usize].look);
            let number = find(&mut self.table, digest, self.kinds.len() as u32);
            if number as usize == self.kinds.len() {
                self.kinds.push(Look::default());
            }
            self.of_block.push(number);
            self.kinds[number as usize].add(block);
        }
    }

    fn count_siblings(&mut self, Segmentation { containers, .. }: &Segmentation) {
        clear(&mut self.table, containers.len());
        self.first_alike.clear();
        self.alike.clear();
        self.alike.resize(containers.len(), 0);
        for (at, container) in containers.iter().enumerate() {
            let digest = mix(container.look, container.parent);
            let first = find(&mut self.table, digest, at as u32);
            self.first_alike.push(first);
            self.alike[first as usize] += 1;
        }
    }

    /// A record is one of several that look alike, and more than a paragraph.
    fn find_records(&mut self, Segmentation { containers, .. }: &Segmentation) {
        self.records.clear();
        for (at, container) in containers.iter().enumerate().map(|(at, of)| (at as u32, of)) {
            let is_one = self.alike(at) >= RECORDS && container.tag != Tag::P;
            let around = self.records.get(container.parent as usize);
            self.records.push(match around {
                Some(_) if is_one => (at, 0),
                Some((record, up)) if up + 1 < REACH => (*record, up + 1),
                _ => (0, 0),
            });
        }
    }

    /// The nearest element around a container that is one of several alike, the container itself included; 0 for none.
    pub(super) fn record(&self, container: u32) -> u32 {
        self.records[container as usize].0
    }

    /// How many siblings look like a container, itself included.
    fn alike(&self, container: u32) -> u32 {
        self.alike[self.first_alike[container as usize] as usize]
    }

    /// Whether two blocks look alike.
    pub(super) fn same(&self, one: usize, other: usize) -> bool {
        self.of_block[one] == self.of_block[other]
    }
}

impl Look {
    fn add(&mut self, block: &Block) {
        self.blocks += 1;
        self.words += block.words;
        self.chars += block.chars;
        self.linked += block.linked;
        self.long += u32::from(is_long(block));
    }
}

fn mix(one: u32, other: u32) -> u32 {
    (one.rotate_left(9) ^ other.wrapping_mul(0xC2B2_AE35)).wrapping_mul(0x85EB_CA6B)
}

/// Empties a table and gives it room for twice as many.
fn clear(table: &mut Vec<(u32, u32)>, entries: usize) {
    table.clear();
    table.resize((2 * entries).next_power_of_two().max(16), (0, NONE));
}

/// The number of a digest, which is `next` if it is new.
fn find(table: &mut [(u32, u32)], digest: u32, next: u32) -> u32 {
    let mask = table.len() - 1;
    let mut at = (digest.wrapping_mul(0x9E37_79B1) >> 7) as usize & mask;
    while table[at].1 != NONE && table[at].0 != digest {
        at = (at + 1) & mask;
    }
    if table[at].1 == NONE {
        table[at] = (digest, next);
    }
    table[at].1
}

impl Features {
    pub(super) fn add_looks(&self, out: &mut Columns) {
        let Features { blocks, scores, looks, around, .. } = self;
        let (count, chars) = (blocks.blocks.len() as u32, blocks.chars());
        let look = |at: usize| &looks.kinds[looks.of_block[at] as usize];
        out.add("look_blocks", |at| look(at).blocks as f32);
        out.add("look_share", |at| share(look(at).blocks, count));
        out.add("look_words", |at| share(look(at).words, look(at).blocks));
        out.add("look_link_share", |at| share(look(at).linked, look(at).chars));
        out.add("look_text_share", |at| share(look(at).chars, chars));
        out.add("look_long", |at| share(look(at).long, look(at).blocks));
        for (name, around) in ["alike_1", "alike_2", "alike_3", "alike_4"].iter().zip(around) {
            out.add_of(name, around, |at| looks.alike(*at) as f32);
        }
        let record = |at: &u32| Some(looks.record(*at)).filter(|record| *record != 0);
        let sums = |container: u32| scores.sums(container);
        out.add_of("record_text_share", &around[0], |at| {
            record(at).map_or(0.0, |at| share(sums(at).chars, chars))
        });
        out.add_of("record_blocks", &around[0], |at| {
            record(at).map_or(0.0, |at| sums(at).blocks as f32)
        });
        out.add_of("record_alike", &around[0], |at| {
            record(at).map_or(0.0, |at| looks.alike(at) as f32)
        });
    }
}
