//! The scratch buffers of one thread that identifies languages.

use super::script::SCRIPTS;
use super::tables::LANGUAGES;

/// Counts of one text, 1.8 KB. Reused from text to text, so that identifying allocates no memory.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Weight of each language of the tables.
    pub(super) weights: [u32; LANGUAGES],
    /// Sums that are not yet in `weights`: 16 bits each, so that the processor adds eight at once.
    pub(super) recent: [u16; LANGUAGES],
    /// N-grams that `recent` contains.
    pub(super) recent_grams: usize,
    /// N-grams of each script that were in the tables.
    pub(super) grams: [u32; SCRIPTS],
    /// Letters of each script.
    pub(super) letters: [u32; SCRIPTS],
    /// Number of characters that only simplified Chinese has.
    pub(super) simplified: u32,
    /// Number of characters that only traditional Chinese has.
    pub(super) traditional: u32,
    /// Number of characters that mark Cantonese.
    pub(super) cantonese: u32,
    /// Number of tokens.
    pub(super) tokens: u32,
    /// Number of tokens that look like code.
    pub(super) code_tokens: u32,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            weights: [0; LANGUAGES],
            recent: [0; LANGUAGES],
            recent_grams: 0,
            grams: [0; SCRIPTS],
            letters: [0; SCRIPTS],
            simplified: 0,
            traditional: 0,
            cantonese: 0,
            tokens: 0,
            code_tokens: 0,
        }
    }
}

/// Most n-grams that `recent` can add up without overflow: each adds at most 255 to a `u16`.
const MAX_RECENT_GRAMS: usize = u16::MAX as usize / u8::MAX as usize;

impl Scratch {
    /// Makes room in `recent` for `more` n-grams.
    #[inline]
    pub(super) fn make_room(&mut self, more: usize) {
        if self.recent_grams + more > MAX_RECENT_GRAMS {
            self.gather();
        }
        self.recent_grams += more;
    }

    /// Adds `recent` to `weights` and clears it.
    pub(super) fn gather(&mut self) {
        for (weight, recent) in self.weights.iter_mut().zip(&mut self.recent) {
            *weight += u32::from(std::mem::take(recent));
        }
        self.recent_grams = 0;
    }
}
