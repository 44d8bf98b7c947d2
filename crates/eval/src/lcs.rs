//! Computes the length of a longest common subsequence, 64 table cells at a time.
//!
//! Hyyrö, "Bit-parallel LCS-length computation revisited" (2004): S has one bit per token of `a`,
//! all set at first. With M the places in `a` of a token of `b`, that token changes S to
//!
//! ```text
//! S' = (S + (S and M)) or (S and not M)
//! ```
//!
//! and the length is the number of zeros in S at the end. If a 64-bit word of M is zero and no
//! carry comes in, S does not change there. So only two kinds of words are visited: words in which
//! the token occurs, and words that a carry reaches. In natural text most tokens are rare, so this
//! is far less than |a|·|b|/64 words, the cost in the worst case (one token repeated). The common
//! beginning and end of `a` and `b` are cut off first. Tokens are numbers; [`ABSENT`] equals no
//! token, not even itself.

/// The number of every token without a number of its own.
pub const ABSENT: u32 = u32::MAX;

/// Buffers for [`Lcs::length`], reused from one pair to the next.
#[derive(Debug, Default)]
pub struct Lcs {
    /// For each token, the start of its range of `masks`. One more element holds the end of the
    /// last range.
    starts: Vec<u32>,
    /// For each token, the words of S in which it occurs, and the bits of its places in them.
    masks: Vec<(u32, u64)>,
    /// For each token, the end of the filled part of its range.
    filled: Vec<u32>,
    /// The bit vector of S, in words of 64 bits.
    state: Vec<u64>,
}

impl Lcs {
    /// Returns the length of a longest common subsequence. All tokens must be below `vocabulary` or
    /// equal to [`ABSENT`].
    pub fn length(&mut self, a: &[u32], b: &[u32], vocabulary: usize) -> usize {
        let are_equal = |(x, y): &(&u32, &u32)| x == y && **x != ABSENT;
        let prefix = a.iter().zip(b).take_while(are_equal).count();
        let (a, b) = (&a[prefix..], &b[prefix..]);
        let suffix = a.iter().rev().zip(b.iter().rev()).take_while(are_equal).count();
        let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
        prefix + suffix + self.split_point(a, b, vocabulary)
    }

    fn split_point(&mut self, a: &[u32], b: &[u32], vocabulary: usize) -> usize {
        if a.is_empty() || b.is_empty() {
            return 0;
        }
        self.index_tokens(a, vocabulary);
        self.state.clear();
        self.state.resize(a.len().div_ceil(64), !0);
        for &token in b.iter().filter(|token| **token != ABSENT) {
            let token = token as usize;
            let range = self.starts[token] as usize..self.filled[token] as usize;
            process_token(&mut self.state, &self.masks[range]);
        }
        // Bits beyond the end of `a` are in no mask. They stay set, or a carry sets them again, so
        // they are never counted.
        self.state.iter().map(|word| word.count_zeros() as usize).sum()
    }

    /// Sorts the places of every token of `a` into its range of `masks`.
    fn index_tokens(&mut self, a: &[u32], vocabulary: usize) {
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
        for (position, &token) in a.iter().enumerate().filter(|(_, token)| **token != ABSENT) {
            let (word, bit) = ((position / 64) as u32, 1 << (position % 64));
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

/// Processes one token of `b`: an addition over all of S that visits only the changing words.
fn process_token(state: &mut [u64], masks: &[(u32, u64)]) {
    let mut masks = masks.iter().peekable();
    let mut carry = false;
    let mut index = 0;
    loop {
        let mask = match masks.peek() {
            Some(&&(word, mask)) if !carry || word as usize == index => {
                index = word as usize;
                masks.next();
                mask
            }
            None if !carry => return,
            _ => 0,
        };
        let Some(word) = state.get_mut(index) else { return };
        let matches = *word & mask;
        let (sum, over) = word.overflowing_add(matches);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        *word = sum | (*word & !mask);
        carry = over || again;
        index += 1;
    }
}

#[cfg(test)]
mod tests;
