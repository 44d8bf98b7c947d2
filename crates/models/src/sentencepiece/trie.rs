//! A trie of byte strings with scores: 13 bytes a node, and at most two nodes a string.
//!
//! Nodes are in the order of their depth, so the children of a node follow one another. A node has
//! the byte that leads to it, and a tail: the bytes that all its strings have next.

use memchr::memchr;
use std::ops::Range;

/// Nodes with more children are searched with wide instructions.
const MAX_SCANNED_CHILDREN: usize = 4;

/// A trie of byte strings, each with a score.
#[derive(Clone, Debug, Default)]
pub(super) struct Trie {
    /// The nodes, and one more for their ends.
    nodes: Vec<Node>,
    /// The byte that leads to each node from the node above it.
    bytes: Vec<u8>,
    /// Bytes of each node after the one in `bytes`, node after node.
    tails: Vec<u8>,
    /// The children of the root by their bytes, or 0. Every search begins there.
    first: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The first child. The children end where those of the next node begin. Before the node is
    /// made: the first of its strings.
    children: u32,
    /// The start of the tail. It ends where that of the next node begins. Before the node is made:
    /// its depth.
    tail: u32,
    /// The score of the string that ends here, or NaN.
    score: f32,
}

impl Trie {
    /// Makes a trie of `count` strings. `string` returns the string of a place, in ascending order,
    /// and its score. The strings must have fewer than 2³² bytes together. `None` if a string
    /// occurs twice.
    pub(super) fn new<'s>(count: usize, string: impl Fn(usize) -> (&'s [u8], f32)) -> Option<Trie> {
        if (1..count).any(|index| string(index - 1).0 == string(index).0) {
            return None;
        }
        // Pieces of words need 1.4 nodes each.
        let expected = count * 3 / 2 + 2;
        let mut trie = Trie {
            nodes: Vec::with_capacity(expected),
            bytes: Vec::with_capacity(expected),
            ..Trie::default()
        };
        trie.add(0, 0, 0);
        let mut node_index = 0;
        while let Some(node) = trie.nodes.get_mut(node_index) {
            let (first_string, depth) = (node.children as usize, node.tail as usize);
            (node.children, node.tail) = (trie.bytes.len() as u32, trie.tails.len() as u32);
            if count > 0 {
                trie.complete_subtree(node_index, first_string, depth, count, &string);
            }
            node_index += 1;
        }
        trie.add(0, trie.bytes.len(), trie.tails.len());
        trie.nodes.shrink_to_fit();
        trie.bytes.shrink_to_fit();
        trie.first = vec![0; 256];
        let of_root = trie.nodes[0].children..trie.nodes[1].children;
        of_root.for_each(|child| trie.first[usize::from(trie.bytes[child as usize])] = child);
        Some(trie)
    }

    /// Adds a node to be made, with its byte, its first string and its depth.
    fn add(&mut self, byte: u8, first_string: usize, depth: usize) {
        self.bytes.push(byte);
        self.nodes.push(Node {
            children: first_string as u32,
            tail: depth as u32,
            score: f32::NAN,
        });
    }

    /// Makes the node of the strings that have the first `depth` bytes of the string
    /// `first_string`.
    fn complete_subtree<'s>(
        &mut self,
        node: usize,
        mut first_string: usize,
        depth: usize,
        count: usize,
        string: &impl Fn(usize) -> (&'s [u8], f32),
    ) {
        let (text, score) = string(first_string);
        let end =
            end_of_run(first_string, count, |index| string(index).0.starts_with(&text[..depth]));
        let last_string = string(end - 1).0;
        let shared =
            text[depth..].iter().zip(&last_string[depth..]).take_while(|(a, b)| a == b).count();
        let depth = depth + shared;
        self.tails.extend_from_slice(&text[depth - shared..depth]);
        if text.len() == depth {
            self.nodes[node].score = score;
            first_string += 1;
        }
        while first_string < end {
            let byte = string(first_string).0[depth];
            self.add(byte, first_string, depth + 1);
            first_string = end_of_run(first_string, end, |index| string(index).0[depth] == byte);
        }
    }

    /// Visits the strings at the beginning of a text, the shortest first: the bytes of each, and
    /// its score.
    #[inline]
    pub(super) fn visit_prefixes(&self, text: &[u8], mut visit: impl FnMut(usize, f32)) {
        let (mut node, mut len) = (0, 0);
        while let [Node { children, tail, score }, end] = self.nodes[node..node + 2] {
            if tail != end.tail {
                let tail = &self.tails[tail as usize..end.tail as usize];
                if !text[len..].starts_with(tail) {
                    return;
                }
                len += tail.len();
            }
            if !score.is_nan() {
                visit(len, score);
            }
            let Some(byte) = text.get(len) else { return };
            let child = if node == 0 {
                self.first[usize::from(*byte)] as usize
            } else {
                self.child_of(children as usize..end.children as usize, *byte)
            };
            if child == 0 {
                return;
            }
            (node, len) = (child, len + 1);
        }
    }

    /// Returns the node among children that a byte leads to, or 0.
    #[inline]
    fn child_of(&self, children: Range<usize>, byte: u8) -> usize {
        let bytes = &self.bytes[children.clone()];
        let index = if bytes.len() <= MAX_SCANNED_CHILDREN {
            bytes.iter().position(|of_child| *of_child == byte)
        } else {
            memchr(byte, bytes)
        };
        index.map_or(0, |index| children.start + index)
    }
}

/// Returns the end of the places from `first` at which a condition holds. It holds at `first`. The
/// time is logarithmic in the places, so the condition must hold nowhere after that end.
fn end_of_run(first: usize, count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let mut step = 1;
    while first + step < count && holds(first + step) {
        step *= 2;
    }
    let (mut low, mut high) = (first + step / 2 + 1, (first + step).min(count));
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_testkit::random::Random;

    fn prefixes(trie: &Trie, text: &[u8]) -> Vec<(usize, f32)> {
        let mut prefixes = Vec::new();
        trie.visit_prefixes(text, |len, score| prefixes.push((len, score)));
        prefixes
    }

    #[test]
    fn strings_are_found_as_in_a_list() {
        let mut random = Random::new(7);
        for round in 0..90 {
            let (letters, longest) = [(20, 5), (2, 9), (1, 30)][round % 3];
            let mut string = |longest| -> Vec<u8> {
                (0..=random.below(longest)).map(|_| random.below(letters) as u8 * 12).collect()
            };
            let mut strings: Vec<Vec<u8>> =
                (0..round * round / 20).map(|_| string(longest)).collect();
            strings.sort();
            strings.dedup();
            let trie = Trie::new(strings.len(), |at| (&*strings[at], at as f32)).unwrap();
            for _ in 0..200 {
                let text = string(longest + 2);
                let known = strings.iter().enumerate();
                let known = known.filter(|(_, string)| text.starts_with(string));
                let expected: Vec<_> =
                    known.map(|(at, string)| (string.len(), at as f32)).collect();
                assert_eq!(prefixes(&trie, &text), expected);
            }
        }
        let long = Trie::new(1, |_| (b"abc", 0.)).unwrap();
        assert!(prefixes(&long, b"ab").is_empty());
        assert!(Trie::new(2, |_| (b"a", 0.)).is_none());
    }
}
