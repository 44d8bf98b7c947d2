//! What one thread needs to identify languages.

use super::script::SCRIPTS;
use super::tables::LANGUAGES;

/// Counts of one text. Reused from text to text, so that identifying allocates nothing; 1.8 KB.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Weight of each language of the tables.
    pub(super) weights: [u32; LANGUAGES],
    /// What is not yet in `weights`: sums of 16 bits, of which the machine adds eight at once.
    pub(super) recent: [u16; LANGUAGES],
    /// N-grams that `recent` counts.
    pub(super) recent_grams: usize,
    /// N-grams that were found, of each script.
    pub(super) grams: [u32; SCRIPTS],
    /// Letters of each script.
    pub(super) letters: [u32; SCRIPTS],
    pub(super) simplified: u32,
    pub(super) traditional: u32,
    pub(super) cantonese: u32,
    pub(super) tokens: u32,
    pub(super) code_tokens: u32,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
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

/// So many n-grams fit into `recent`, as each adds at most 255.
const FULL: usize = u16::MAX as usize / u8::MAX as usize;

impl Memory {
    /// Makes room in `recent` for `more` n-grams.
    #[inline]
    pub(super) fn make_room(&mut self, more: usize) {
        if self.recent_grams + more > FULL {
            self.gather();
        }
        self.recent_grams += more;
    }

    /// Moves `recent` to `weights`.
    pub(super) fn gather(&mut self) {
        for (weight, recent) in self.weights.iter_mut().zip(&mut self.recent) {
            *weight += u32::from(std::mem::take(recent));
        }
        self.recent_grams = 0;
    }
}
