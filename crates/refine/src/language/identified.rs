//! What is found of a text.

use std::fmt;

/// A language, its script, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identified {
    /// ISO 639-3, as three lower-case letters. Where ISO 639-1 has a code of two letters, it is the
    /// code that corresponds to it: `zho`, `ara`, `fas` and `msa` stand for all their varieties,
    /// except `yue` for Cantonese, `ckb` for Central Kurdish, `nob` and `nno` for Norwegian.
    pub code: Tag<3>,
    /// ISO 15924, as four letters. Chinese is `Hans` or `Hant` by its characters, or `Hani` if they
    /// don't tell; Japanese is `Jpan`, Korean `Kore`.
    pub script: Tag<4>,
    /// How likely it is that the language is right, from 0 to 1.
    pub score: f32,
}

/// A code of so many ASCII letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag<const N: usize>([u8; N]);

impl<const N: usize> Tag<N> {
    /// `None` if a byte is not an ASCII letter.
    pub const fn new(letters: [u8; N]) -> Option<Tag<N>> {
        let mut at = 0;
        while at < N {
            if !letters[at].is_ascii_alphabetic() {
                return None;
            }
            at += 1;
        }
        Some(Tag(letters))
    }

    /// The letters as bytes.
    pub fn letters(self) -> [u8; N] {
        self.0
    }

    /// The letters.
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
