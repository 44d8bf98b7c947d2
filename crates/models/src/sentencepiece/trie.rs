//! A trie of byte strings: 17 bytes a node, made in time linear in the strings.
//!
//! Nodes are in the order of their depth, so the children of a node follow one another. A node has
//! the bytes of few children itself. A node with more has a set of their bytes, in which the number
//! of smaller bytes is the place of a child.

/// Nodes with more children have a set.
const FEW: usize = 3;

/// A trie of byte strings, each with a number.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    sets: Vec<Set>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The first child.
    children: u32,
    /// The number of the string that ends here, or [`NONE`].
    value: u32,
    /// The set of the children's bytes, or [`NONE`].
    set: u32,
    /// The number of children, if the node has no set.
    count: u8,
    /// Their bytes.
    bytes: [u8; FEW],
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    words: [u64; 4],
    /// The number of bytes in the words before each.
    before: [u8; 4],
}

const NONE: u32 = u32::MAX;

impl Trie {
    /// The node of the empty string.
    pub(super) const ROOT: usize = 0;

    /// Makes a trie of strings and their numbers. `Err` returns the number of a string that occurs
    /// twice. The strings must have fewer than 2³² bytes together.
    pub(super) fn new(mut strings: Vec<(&[u8], u32)>) -> Result<Trie, u32> {
        strings.sort_unstable();
        if let Some(twice) = strings.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(twice[1].1);
        }
        let mut trie = Trie { nodes: Vec::new(), sets: Vec::new() };
        let mut known = 1;
        // The strings below each node.
        let mut ranges = std::collections::VecDeque::from([(0..strings.len(), 0)]);
        while let Some((mut below, depth)) = ranges.pop_front() {
            let mut value = NONE;
            if let Some((string, number)) = strings[below.clone()].first()
                && string.len() == depth
            {
                value = *number;
                below.start += 1;
            }
            let (children, mut bytes) = (known, Vec::new());
            let of = |string: &(&[u8], u32)| string.0[depth];
            for group in strings[below.clone()].chunk_by(|one, other| of(one) == of(other)) {
                bytes.push(of(&group[0]));
                ranges.push_back((below.start..below.start + group.len(), depth + 1));
                below.start += group.len();
            }
            known += bytes.len() as u32;
            let set = trie.add_set(&bytes);
            let mut node = Node { children, value, set, count: 0, bytes: [0; FEW] };
            if set == NONE {
                node.count = bytes.len() as u8;
                node.bytes[..bytes.len()].copy_from_slice(&bytes);
            }
            trie.nodes.push(node);
        }
        Ok(trie)
    }

    /// Adds the set of the bytes of a node's children, if they are many.
    fn add_set(&mut self, bytes: &[u8]) -> u32 {
        if bytes.len() <= FEW {
            return NONE;
        }
        let mut set = Set::default();
        for byte in bytes {
            set.words[usize::from(byte / 64)] |= 1 << (byte % 64);
        }
        for word in 1..4 {
            set.before[word] = set.before[word - 1] + set.words[word - 1].count_ones() as u8;
        }
        self.sets.push(set);
        self.sets.len() as u32 - 1
    }

    /// Returns the child of a node by a byte.
    #[inline]
    pub(super) fn child(&self, node: usize, byte: u8) -> Option<usize> {
        let Node { children, set, count, bytes, .. } = self.nodes[node];
        if set == NONE {
            let at = (0..FEW).find(|at| bytes[*at] == byte)?;
            return (at < usize::from(count)).then_some(children as usize + at);
        }
        let (Set { words, before }, word) = (self.sets[set as usize], usize::from(byte / 64));
        let bit = 1u64 << (byte % 64);
        if words[word] & bit == 0 {
            return None;
        }
        let smaller = (words[word] & (bit - 1)).count_ones() + u32::from(before[word]);
        Some((children + smaller) as usize)
    }

    /// Returns the number of the string that ends at a node.
    #[inline]
    pub(super) fn value(&self, node: usize) -> Option<u32> {
        Some(self.nodes[node].value).filter(|value| *value != NONE)
    }

    /// Returns the bytes of the longest string at the beginning of a text.
    pub(super) fn longest(&self, text: &[u8]) -> Option<usize> {
        let (mut node, mut longest) = (Trie::ROOT, None);
        for (at, byte) in text.iter().enumerate() {
            let Some(child) = self.child(node, *byte) else { break };
            node = child;
            longest = self.value(node).map(|_| at + 1).or(longest);
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_testkit::random::Random;

    #[test]
    fn strings_are_found_as_in_a_list() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let mut strings: Vec<Vec<u8>> = (0..random.below(200))
                .map(|_| (0..=random.below(5)).map(|_| random.below(20) as u8 * 12).collect())
                .collect();
            strings.sort();
            strings.dedup();
            let numbered = strings.iter().zip(0..).map(|(string, number)| (&string[..], number));
            let trie = Trie::new(numbered.collect()).unwrap();
            for _ in 0..200 {
                let text: Vec<u8> =
                    (0..random.below(7)).map(|_| random.below(21) as u8 * 12).collect();
                let known = strings.iter().filter(|string| text.starts_with(string));
                let longest = known.map(Vec::len).max();
                assert_eq!(trie.longest(&text), longest);
                if let Some(longest) = longest {
                    let node = text[..longest]
                        .iter()
                        .fold(Trie::ROOT, |node, byte| trie.child(node, *byte).unwrap());
                    let number = trie.value(node).unwrap() as usize;
                    assert_eq!(strings[number], text[..longest]);
                }
            }
        }
        assert_eq!(Trie::new(Vec::new()).unwrap().longest(b"a"), None);
        assert_eq!(Trie::new(vec![(b"a", 3), (b"b", 4), (b"a", 5)]).unwrap_err(), 5);
    }
}
