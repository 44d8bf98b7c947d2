//! The result of identifying a text.

use std::fmt;

/// A language, its script, and the probability that the language is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdentifiedLanguage {
    /// ISO 639-3, as three lower-case letters. If ISO 639-1 has a code of two letters, this is the
    /// corresponding code. So `zho`, `ara`, `fas` and `msa` cover all their varieties, except `yue`
    /// for Cantonese, `ckb` for Central Kurdish, `nob` and `nno` for Norwegian.
    pub code: Tag<3>,
    /// ISO 15924, as four letters. Chinese is `Hans` or `Hant` by its characters, or `Hani` if they
    /// fit both; Japanese is `Jpan`, Korean `Kore`.
    pub script: Tag<4>,
    /// Probability that the language is right, 0 to 1.
    pub score: f32,
}

/// A code of `N` ASCII letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag<const N: usize>([u8; N]);

impl<const N: usize> Tag<N> {
    /// Creates a code. `None` if a byte is not an ASCII letter.
    pub const fn new(letters: [u8; N]) -> Option<Tag<N>> {
        let mut length = 0;
        while length < N {
            if !letters[length].is_ascii_alphabetic() {
                return None;
            }
            length += 1;
        }
        Some(Tag(letters))
    }

    /// Returns the letters as bytes.
    pub fn letters(self) -> [u8; N] {
        self.0
    }

    /// Returns the letters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Display for Tag<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Tag<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
