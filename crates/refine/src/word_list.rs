//! Finds the entries of a list in texts, at the boundaries of words: the algorithm of Aho and
//! Corasick (1975) over words in place of bytes.
//!
//! A list is cut into words, and each different word has a number. The automaton steps from word to
//! word. A text of 7 KB has about 1,200 words and takes 1,200 look-ups. An automaton over its bytes
//! would take 7,000 steps, and is larger than the caches. No match can begin or end within a word.
//!
//! Letters, digits, combining marks and `_` next to each other form a word. Every other scalar is a
//! word by itself, and so is each scalar of scripts without spaces between words (Chinese,
//! Japanese, Thai, Lao, Khmer, Burmese). White space separates words and is otherwise ignored.

use crate::scalars::{is_space, is_unspaced};
use crate::table::Table;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::ops::Range;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The node before any word.
const ROOT: u32 = 0;

/// A list of words and phrases. Matches do not overlap: of entries that do, the one that ends first
/// counts. If several end at the same place, the longest counts.
#[derive(Debug, Default)]
pub(crate) struct WordList {
    /// Finds the number of a word.
    table: Table,
    /// A bit for the hash of each word. A text has mostly other words, and these bits are in the
    /// cache where the table is not.
    bits: Vec<u64>,
    /// All different words, one after another.
    bytes: String,
    /// The byte range of each word in `bytes`.
    places: Vec<Range<u32>>,
    /// The node after the root for each word, or the root.
    first: Vec<u32>,
    /// The node after another node and a word, by both numbers.
    next: HashMap<u64, u32, RandomState>,
    /// Failure link of each node: the node of the longest proper suffix that begins an entry.
    fail: Vec<u32>,
    /// For each node, the number of words of the longest entry that ends there, or 0.
    ends: Vec<u32>,
}

/// Buffers of a search.
#[derive(Debug, Default)]
pub(crate) struct WordSearch {
    /// Offsets of the words on the path to the current node.
    starts: Vec<usize>,
}

impl WordList {
    /// Creates a list of these entries. An entry without words is left out.
    pub(crate) fn new<'e>(entries: impl Iterator<Item = &'e str> + Clone) -> WordList {
        let mut list = WordList::default();
        let words = entries.clone().map(|entry| WordRanges::new(entry).count()).sum();
        list.table.begin(words);
        list.bits = vec![0; (words * BITS_PER_WORD / 64).next_power_of_two()];
        list.ends.push(0);
        // For each node that before it, its word, and the words up to it.
        let mut nodes = vec![(ROOT, 0, 0_u32)];
        for entry in entries {
            let mut node = ROOT;
            for range in WordRanges::new(entry) {
                let word = list.add_word(&entry[range]);
                let known = list.child(node, word);
                node = known.unwrap_or_else(|| list.add_node(node, word, &mut nodes));
            }
            if node != ROOT {
                list.ends[node as usize] = nodes[node as usize].2;
            }
        }
        list.link_nodes(&nodes);
        list
    }

    /// Returns the number of a word, which is new if the list does not have it.
    fn add_word(&mut self, word: &str) -> u32 {
        let WordList { table, bits, bytes, places, first, .. } = self;
        let number = places.len() as u32;
        let is_equal = |known: u32| slice(bytes, &places[known as usize]) == word;
        let hash = hash_word(table, word, 0..word.len());
        let (index, bit) = place_of_bit(hash, bits.len());
        bits[index] |= bit;
        let known_number = table.find_or_insert(hash, number, is_equal);
        if known_number == number {
            let start = bytes.len() as u32;
            bytes.push_str(word);
            places.push(start..bytes.len() as u32);
            first.push(ROOT);
        }
        known_number
    }

    fn add_node(&mut self, parent: u32, word: u32, nodes: &mut Vec<(u32, u32, u32)>) -> u32 {
        let node = nodes.len() as u32;
        nodes.push((parent, word, nodes[parent as usize].2 + 1));
        self.ends.push(0);
        if parent == ROOT {
            self.first[word as usize] = node;
        } else {
            self.next.insert(child_key(parent, word), node);
        }
        node
    }

    /// Links each node to the longest other beginning of an entry that ends there.
    fn link_nodes(&mut self, nodes: &[(u32, u32, u32)]) {
        self.fail = vec![ROOT; nodes.len()];
        let mut order: Vec<u32> = (1..nodes.len() as u32).collect();
        // The node to link to has fewer words, so that it is ready.
        order.sort_by_key(|node| nodes[*node as usize].2);
        for node in order {
            let (parent, word, words) = nodes[node as usize];
            if words > 1 {
                let fallback = self.next_node(self.fail[parent as usize], word);
                self.fail[node as usize] = fallback;
                if self.ends[node as usize] == 0 {
                    self.ends[node as usize] = self.ends[fallback as usize];
                }
            }
        }
    }

    fn child(&self, node: u32, word: u32) -> Option<u32> {
        if node == ROOT {
            Some(self.first[word as usize]).filter(|node| *node != ROOT)
        } else {
            self.next.get(&child_key(node, word)).copied()
        }
    }

    /// Returns the node after a word.
    #[inline]
    fn next_node(&self, mut node: u32, word: u32) -> u32 {
        while node != ROOT {
            if let Some(next) = self.next.get(&child_key(node, word)) {
                return *next;
            }
            node = self.fail[node as usize];
        }
        self.first[word as usize]
    }

    /// Calls `visit` with the byte range of each match, until it returns false.
    pub(crate) fn search(
        &self,
        text: &str,
        search: &mut WordSearch,
        mut visit: impl FnMut(Range<usize>) -> bool,
    ) {
        const MAX_KEPT_ENTRIES: usize = 1 << 16;
        let WordSearch { starts } = search;
        starts.clear();
        starts.shrink_to(MAX_KEPT_ENTRIES);
        let mut node = ROOT;
        for range in WordRanges::new(text) {
            let word = &text[range.clone()];
            let is_equal = |known: u32| slice(&self.bytes, &self.places[known as usize]) == word;
            let hash = hash_word(&self.table, text, range.clone());
            let (index, bit) = place_of_bit(hash, self.bits.len());
            let has_bit = self.bits[index] & bit != 0;
            let number = if has_bit { self.table.find(hash, is_equal) } else { None };
            node = number.map_or(ROOT, |number| self.next_node(node, number));
            if node == ROOT {
                starts.clear();
                continue;
            }
            starts.push(range.start);
            let words = self.ends[node as usize] as usize;
            if words > 0 {
                let start = starts[starts.len() - words];
                starts.clear();
                node = ROOT;
                if !visit(start..range.end) {
                    return;
                }
            }
        }
    }
}

/// Bits for each word of a list.
const BITS_PER_WORD: usize = 8;

/// Returns the hash of a word in a text. Most words have at most eight bytes, which are one number.
#[inline]
fn hash_word(table: &Table, text: &str, word: Range<usize>) -> u64 {
    let bytes = text.as_bytes();
    if word.len() > 8 {
        return table.hash_bytes(&bytes[word]);
    }
    let number = if let Some(eight) = bytes[word.start..].first_chunk() {
        u64::from_le_bytes(*eight)
    } else {
        let mut eight = [0; 8];
        eight[..word.len()].copy_from_slice(&bytes[word.clone()]);
        u64::from_le_bytes(eight)
    };
    // A word has at least one byte.
    table.hash_number(number & (u64::MAX >> (64 - 8 * word.len())))
}

/// Returns the bit of a hash among so many words of bits, a power of two.
#[inline]
fn place_of_bit(hash: u64, words: usize) -> (usize, u64) {
    // The table takes the lowest and the highest bits.
    let middle = (hash >> 6) as usize;
    (middle & (words - 1), 1 << (hash & 63))
}

fn slice<'a>(bytes: &'a str, range: &Range<u32>) -> &'a str {
    &bytes[range.start as usize..range.end as usize]
}

fn child_key(node: u32, word: u32) -> u64 {
    u64::from(node) << 32 | u64::from(word)
}

/// The highest bit of each of eight bytes.
const EACH_HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns the highest bit of each of eight bytes that is an ASCII part of a word.
#[inline]
fn ascii_parts(bytes: u64) -> u64 {
    let each = |byte: u8| u64::from_le_bytes([byte; 8]);
    let low = bytes & !EACH_HIGH;
    // No sum reaches the next byte, since both parts are below 128.
    let in_range =
        |low: u64, first: u8, last: u8| (low + each(0x80 - first)) & !(low + each(0x7f - last));
    let letters = in_range(low | each(0x20), b'a', b'z');
    let digits_and_underscore = in_range(low, b'0', b'9') | in_range(low, b'_', b'_');
    (letters | digits_and_underscore) & !bytes & EACH_HIGH
}

/// The words of a text as byte ranges.
#[derive(Clone)]
struct WordRanges<'t> {
    text: &'t str,
    /// Byte offset of the next word.
    at: usize,
}

/// The role of a scalar in words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalarKind {
    /// Between words.
    Space,
    /// A part of a word.
    Part,
    /// A word by itself.
    Alone,
}

static ASCII: [ScalarKind; 128] = {
    let mut kinds = [ScalarKind::Alone; 128];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b'\t'..=b'\r' | 0x1C..=0x1F | b' ' => ScalarKind::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => ScalarKind::Part,
            _ => ScalarKind::Alone,
        };
        byte += 1;
    }
    kinds
};

impl<'t> WordRanges<'t> {
    fn new(text: &'t str) -> WordRanges<'t> {
        WordRanges { text, at: 0 }
    }

    /// Returns the kind and the bytes of the next scalar.
    #[inline]
    fn peek(&self) -> Option<(ScalarKind, usize)> {
        let byte = *self.text.as_bytes().get(self.at)?;
        if byte < 0x80 { Some((ASCII[usize::from(byte)], 1)) } else { self.peek_beyond_ascii() }
    }

    /// Skips ASCII parts of a word, eight at a time. Most words end within the first eight bytes.
    /// For them there is one branch, and not one for each byte.
    #[inline]
    fn skip_ascii_parts(&mut self) {
        while let Some(bytes) = self.text.as_bytes()[self.at..].first_chunk() {
            let other_bytes = !ascii_parts(u64::from_le_bytes(*bytes)) & EACH_HIGH;
            self.at += (other_bytes.trailing_zeros() / 8) as usize;
            if other_bytes != 0 {
                return;
            }
        }
    }

    fn peek_beyond_ascii(&self) -> Option<(ScalarKind, usize)> {
        let c = self.text[self.at..].chars().next()?;
        let kind = if is_space(c) {
            ScalarKind::Space
        } else if is_unspaced(c) {
            ScalarKind::Alone
        } else if c.is_alphanumeric() || c.general_category_group() == GeneralCategoryGroup::Mark {
            ScalarKind::Part
        } else {
            ScalarKind::Alone
        };
        Some((kind, c.len_utf8()))
    }
}

impl Iterator for WordRanges<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let (kind, mut bytes) = self.peek()?;
        let mut kind = kind;
        while kind == ScalarKind::Space {
            self.at += bytes;
            (kind, bytes) = self.peek()?;
        }
        let start = self.at;
        self.at += bytes;
        if kind == ScalarKind::Part {
            self.skip_ascii_parts();
            while let Some((ScalarKind::Part, bytes)) = self.peek() {
                self.at += bytes;
            }
        }
        Some(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'t>(entries: &[&str], text: &'t str) -> Vec<&'t str> {
        let list = WordList::new(entries.iter().copied());
        let (mut search, mut found) = (WordSearch::default(), Vec::new());
        list.search(text, &mut search, |range| {
            found.push(&text[range]);
            true
        });
        found
    }

    #[test]
    fn eight_bytes_are_classified_as_each_of_them() {
        for byte in 0..=255u8 {
            let is_part = byte < 0x80 && ASCII[usize::from(byte)] == ScalarKind::Part;
            for place in 0..8 {
                let mut bytes = *b"a\xff_ 9\x80`z";
                bytes[place] = byte;
                let found = ascii_parts(u64::from_le_bytes(bytes)) >> (place * 8) & 0xff;
                assert_eq!(found, if is_part { 0x80 } else { 0 }, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn entries_match_whole_words_alone() {
        let entries = ["art", "New York", "C++", "don't", "x_1", "naïve"];
        assert_eq!(found(&entries, "party art, Art. art"), ["art", "art"]);
        assert_eq!(found(&entries, "new York New\n York, New Yorker"), ["New\n York"]);
        assert_eq!(found(&entries, "C++ C+ C++11 don't dont naïve na\u{308}ive x_1 x_12").len(), 5);
        assert!(found(&[], "a").is_empty() && found(&["a"], "").is_empty());
        assert!(found(&["", " \n"], "a \n").is_empty());
    }

    #[test]
    fn entries_in_scripts_without_spaces_match_anywhere() {
        assert_eq!(found(&["北京"], "我爱北京天安门"), ["北京"]);
        assert_eq!(found(&["แมว"], "รักแมวมาก"), ["แมว"]);
        assert_eq!(found(&["서울"], "서울에서 서울"), ["서울"]);
    }

    #[test]
    fn the_entry_that_ends_first_counts() {
        assert_eq!(found(&["b", "a b", "a b c"], "a b c b"), ["a b", "b"]);
        assert_eq!(found(&["a b c d", "b c"], "a b c d"), ["b c"]);
        assert_eq!(found(&["a b x", "b c"], "a b c a b x"), ["b c", "a b x"]);
    }

    proptest! {
        /// Compared with a search that tries every entry at every word.
        #[test]
        fn matches_are_those_of_a_naive_search(
            entries in prop::collection::vec("[ab]( [abc]){0,3}", 1..5),
            text in "([abcd],? ){0,30}",
        ) {
            let words: Vec<_> = WordRanges::new(&text).collect();
            let entries: Vec<_> = entries.iter().map(String::as_str).collect();
            let split: Vec<Vec<_>> = entries.iter().map(|entry| entry.split(' ').collect()).collect();
            let (mut expected, mut from) = (Vec::new(), 0);
            for end in 1..=words.len() {
                let ends_here = |entry: &&Vec<&str>| {
                    let Some(start) = end.checked_sub(entry.len()) else { return false };
                    start >= from && words[start..end].iter().map(|word| &text[word.clone()]).eq(entry.iter().copied())
                };
                if let Some(longest) = split.iter().filter(ends_here).map(Vec::len).max() {
                    expected.push(&text[words[end - longest].start..words[end - 1].end]);
                    from = end;
                }
            }
            prop_assert_eq!(found(&entries, &text), expected);
        }
    }
}
