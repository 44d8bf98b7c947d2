//! Length of a longest common subsequence, 64 cells of the table at a time.
//!
//! Hyyrö, "Bit-parallel LCS-length computation revisited" (2004): with one bit a token of `a`, all set at first, and M the
//! places of a token in `a`, each token of `b` makes of S
//!
//! ```text
//! S' = (S + (S and M)) or (S and not M)
//! ```
//!
//! and in the end the zeros of S are counted. Where a word of M is zero and no carry comes in, S does not change; so only
//! the words in which the token occurs are visited, and those a carry runs into. On texts of people, where most tokens
//! are rare, that is far less than the table's |a|·|b|/64 words, which is what it costs at worst (the same token over
//! and over). What `a` and `b` have in common at both ends is cut off first. Tokens are numbers; [`ABSENT`] equals nothing.

/// The number of every token that is not among those numbered.
pub const ABSENT: u32 = u32::MAX;

/// Memory for [`Lcs::length`], reused from one pair to the next.
#[derive(Debug, Default)]
pub struct Lcs {
    /// For every token, where its stretch of `masks` begins; one entry more than tokens.
    starts: Vec<u32>,
    /// Words of S in which a token occurs, and the places in them.
    masks: Vec<(u32, u64)>,
    /// How far the stretch of each token is filled.
    filled: Vec<u32>,
    state: Vec<u64>,
}

impl Lcs {
    /// Length of a longest common subsequence. All tokens are below `vocabulary`, or [`ABSENT`].
    pub fn length(&mut self, a: &[u32], b: &[u32], vocabulary: usize) -> usize {
        let both = |(x, y): &(&u32, &u32)| x == y && **x != ABSENT;
        let prefix = a.iter().zip(b).take_while(both).count();
        let (a, b) = (&a[prefix..], &b[prefix..]);
        let suffix = a.iter().rev().zip(b.iter().rev()).take_while(both).count();
        let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
        prefix + suffix + self.middle(a, b, vocabulary)
    }

    fn middle(&mut self, a: &[u32], b: &[u32], vocabulary: usize) -> usize {
        if a.is_empty() || b.is_empty() {
            return 0;
        }
        self.index(a, vocabulary);
        self.state.clear();
        self.state.resize(a.len().div_ceil(64), !0);
        for &token in b.iter().filter(|token| **token != ABSENT) {
            let token = token as usize;
            let range = self.starts[token] as usize..self.filled[token] as usize;
            step(&mut self.state, &self.masks[range]);
        }
        // Bits beyond the end of `a` are in no mask. They stay set, or are set again by a carry, and so never count.
        self.state.iter().map(|word| word.count_zeros() as usize).sum()
    }

    /// Sorts the places of every token of `a` into its own stretch of `masks`.
    fn index(&mut self, a: &[u32], vocabulary: usize) {
        let Lcs { starts, masks, filled, .. } = self;
        starts.clear();
        starts.resize(vocabulary + 1, 0);
        for &token in a.iter().filter(|token| **token != ABSENT) {
            starts[token as usize + 1] += 1;
        }
        for token in 0..vocabulary {
            starts[token + 1] += starts[token];
        }
        filled.clear();
        filled.extend_from_slice(&starts[..vocabulary]);
        masks.clear();
        masks.resize(a.len(), (0, 0));
        for (place, &token) in a.iter().enumerate().filter(|(_, token)| **token != ABSENT) {
            let (word, bit) = ((place / 64) as u32, 1 << (place % 64));
            let end = &mut filled[token as usize];
            if *end > starts[token as usize] && masks[*end as usize - 1].0 == word {
                masks[*end as usize - 1].1 |= bit;
            } else {
                masks[*end as usize] = (word, bit);
                *end += 1;
            }
        }
    }
}

/// One token of `b`: an addition over all of S, of which only the words that change are visited.
fn step(state: &mut [u64], masks: &[(u32, u64)]) {
    let mut masks = masks.iter().peekable();
    let mut carry = false;
    let mut at = 0;
    loop {
        let mask = match masks.peek() {
            Some(&&(word, mask)) if !carry || word as usize == at => {
                at = word as usize;
                masks.next();
                mask
            }
            None if !carry => return,
            _ => 0,
        };
        let Some(word) = state.get_mut(at) else { return };
        let matches = *word & mask;
        let (sum, over) = word.overflowing_add(matches);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        *word = sum | (*word & !mask);
        carry = over || again;
        at += 1;
    }
}

#[cfg(test)]
mod tests;
