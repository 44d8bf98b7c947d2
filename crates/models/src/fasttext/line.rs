//! The tokens of a line of text.

use super::{END, HASH_START, hash, hash_byte};
use crate::seeded_hash::hash_bytes;

/// Most bytes of buffers that are kept for the next line.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// The tokens of one line and their hashes. They depend on no model, so several models share them.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The bytes of the line, and those of the end token.
    text: Vec<u8>,
    tokens: Vec<Token>,
}

/// A token: its place in the text of the line, and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Offset of its first byte.
    start: u32,
    /// Offset after its last byte.
    end: u32,
    pub(super) hash: u32,
    /// Its hash in dictionaries.
    pub(super) key: u64,
}

impl Line {
    /// Reads a text as one line. Line feeds in it separate words as spaces do. A token `</s>` ends
    /// the line.
    ///
    /// # Panics
    ///
    /// If the text has 4 GiB or more.
    pub fn read(&mut self, text: &str) {
        let Line { text: own_text, tokens } = self;
        u32::try_from(text.len() + END.len()).expect("a text of less than 4 GiB");
        own_text.clear();
        own_text.shrink_to(MAX_KEPT_BYTES);
        tokens.clear();
        tokens.shrink_to(MAX_KEPT_BYTES / size_of::<Token>());
        own_text.extend_from_slice(text.as_bytes());
        let mut begun: Option<(usize, u32)> = None;
        for position in 0..=own_text.len() {
            let byte = own_text.get(position).copied();
            match byte.filter(|byte| !is_separator(*byte)) {
                Some(byte) => {
                    let (start, hash) = begun.unwrap_or((position, HASH_START));
                    begun = Some((start, hash_byte(hash, byte)));
                }
                None => {
                    if let Some((start, hash)) = begun.take() {
                        let token = &own_text[start..position];
                        let key = hash_bytes(token);
                        tokens.push(Token { start: start as u32, end: position as u32, hash, key });
                        if *token == *END {
                            return;
                        }
                    }
                }
            }
        }
        let start = own_text.len() as u32;
        own_text.extend_from_slice(END);
        let end = own_text.len() as u32;
        tokens.push(Token { start, end, hash: hash(END), key: hash_bytes(END) });
    }

    /// Returns whether the line has no token but its end.
    pub fn is_empty(&self) -> bool {
        self.tokens.len() <= 1
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(super) fn bytes(&self, token: Token) -> &[u8] {
        &self.text[token.start as usize..token.end as usize]
    }
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0x0B | 0x0C | 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut line = Line::default();
        line.read("of an earlier line");
        line.read(text);
        let tokens = line.tokens().iter().map(|token| {
            assert_eq!(token.hash, hash(line.bytes(*token)));
            String::from_utf8(line.bytes(*token).to_vec()).unwrap()
        });
        tokens.collect()
    }

    #[test]
    fn tokens_end_at_seven_bytes_and_at_no_other_space() {
        assert_eq!(
            tokens("a b\nc\rd\te\u{b}f\u{c}g\0h"),
            ["a", "b", "c", "d", "e", "f", "g", "h", "</s>"]
        );
        assert_eq!(
            tokens(" a\u{a0}b\u{2003}c\u{85}\u{1f}  d "),
            ["a\u{a0}b\u{2003}c\u{85}\u{1f}", "d", "</s>"]
        );
        assert_eq!(tokens(""), ["</s>"]);
        assert_eq!(tokens("a </s> b"), ["a", "</s>"]);
        assert_eq!(tokens("a</s> </S>"), ["a</s>", "</S>", "</s>"]);
    }

    #[test]
    fn bytes_are_hashed_as_signed_numbers() {
        // Dictionary::hash of fastText 0.9.2.
        assert_eq!(hash(b"</s>"), 3_617_362_777);
        assert_ne!(
            hash("é".as_bytes()),
            "é".bytes().fold(HASH_START, |hash, byte| {
                (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
            })
        );
    }
}
