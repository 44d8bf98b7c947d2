//! Cuts texts into words for the identifier.

use super::alphabet::{Alphabet, Class};
use super::grams::{BOUNDARY, MAX_WORD_LETTERS};
use super::script::Script;

/// A receiver of the words and letters of a text.
pub(super) trait Reader {
    /// Receives a word of a script with n-grams: the codes of its letters, between two boundaries.
    fn word(&mut self, script: Script, letters: &[u16]);
    /// Receives a letter of another script.
    fn letter(&mut self, script: Script, letter: char);
    /// Receives a token, a run of characters without blanks, whether it was read or skipped.
    fn token(&mut self, is_code: bool);
}

/// Cuts texts into words.
#[derive(Debug)]
pub struct Words {
    alphabet: Alphabet,
}

impl Words {
    /// Creates the table of characters.
    #[expect(clippy::new_without_default, reason = "it fills a table of 8,192 characters")]
    pub fn new() -> Words {
        Words { alphabet: Alphabet::new() }
    }

    /// Reads a text, token by token.
    #[inline]
    pub(super) fn read(&self, text: &str, reader: &mut impl Reader) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.as_bytes().iter().position(|&byte| byte <= b' ').unwrap_or(rest.len());
            // Both parts are valid UTF-8, because blanks are ASCII.
            let (token, text_after) = rest.split_at(end);
            rest = text_after.get(1..).unwrap_or_default();
            if token.is_empty() {
                continue;
            }
            let kind = Kind::from_token(token.as_bytes());
            reader.token(kind == Kind::Code);
            if kind == Kind::Words {
                self.read_token(token, reader);
            }
        }
    }

    #[inline]
    fn read_token(&self, token: &str, reader: &mut impl Reader) {
        let mut word = Word::new();
        for character in token.chars() {
            match self.alphabet.class(character) {
                Class::Pass => {}
                Class::Break => word.end(reader),
                Class::Letter(script, 0) => {
                    word.end(reader);
                    reader.letter(script, character);
                }
                Class::Letter(script, code) => {
                    if script != word.script {
                        word.end(reader);
                        word.script = script;
                    }
                    word.push(code);
                }
            }
        }
        word.end(reader);
    }
}

/// Calls `found` for each word of a script with n-grams: its script, and the codes of its letters
/// between two boundaries. Tools that make tables count these words; the identifier reads texts the
/// same way.
pub fn for_each_word(words: &Words, text: &str, found: impl FnMut(Script, &[u16])) {
    struct WordsOnly<F>(F);
    impl<F: FnMut(Script, &[u16])> Reader for WordsOnly<F> {
        fn word(&mut self, script: Script, letters: &[u16]) {
            self.0(script, letters);
        }
        fn letter(&mut self, _: Script, _: char) {}
        fn token(&mut self, _: bool) {}
    }
    words.read(text, &mut WordsOnly(found));
}

/// The word that is being read, with the boundary before it, and space for the one after it.
struct Word {
    script: Script,
    letters: [u16; MAX_WORD_LETTERS + 2],
    /// Number of codes in `letters`, or more if the word is too long.
    length: usize,
}

impl Word {
    fn new() -> Word {
        Word { script: Script::Latn, letters: [BOUNDARY; MAX_WORD_LETTERS + 2], length: 1 }
    }

    #[inline]
    fn push(&mut self, code: u16) {
        if let Some(letter_slot) = self.letters[..=MAX_WORD_LETTERS].get_mut(self.length) {
            *letter_slot = code;
        }
        self.length = self.length.saturating_add(1);
    }

    #[inline]
    fn end(&mut self, reader: &mut impl Reader) {
        if self.length > 1 {
            if let Some(end_letter) = self.letters.get_mut(self.length) {
                *end_letter = BOUNDARY;
                reader.word(self.script, &self.letters[..=self.length]);
            }
            self.length = 1;
        }
    }
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A token of words.
    Words,
    /// A number, a URL, or a name with digits. It does not indicate a language.
    Other,
    /// Part of a program, markup, or a table of data.
    Code,
}

/// Classes of bytes, as bits. `PAIRS` combines the first four with the byte after them.
const LOWER: u8 = 1;
const UPPER: u8 = 2;
const DOT: u8 = 4;
const SLASH: u8 = 8;
/// A token with such a byte is not a word.
const NO_WORD: u8 = 16;
const CODE: u8 = 32;
const OPENING: u8 = 64;
const HIGH: u8 = 128;

const BYTES: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'.' => DOT,
            b'/' => SLASH,
            b'0'..=b'9' | b'@' => NO_WORD,
            b'{' | b'}' | b'=' | b'<' | b'_' | b'\\' | b'$' | b'^' => CODE,
            b'(' => OPENING,
            0x80.. => HIGH,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

impl Kind {
    #[inline]
    fn from_token(token: &[u8]) -> Kind {
        let (mut classes, mut boundaries, mut previous_class) = (0, 0, 0);
        for &byte in token {
            let kind = BYTES[byte as usize];
            classes |= kind;
            boundaries |= FORBIDDEN_AFTER[(previous_class & 15) as usize] & kind;
            boundaries |=
                if kind == OPENING && previous_class & (LOWER | UPPER) != 0 { CODE } else { 0 };
            previous_class = kind;
        }
        if classes & HIGH != 0 {
            return Kind::Words;
        }
        // `call(a` and `a;` are code; `word(s)` is not.
        if classes & CODE != 0
            || (boundaries & CODE != 0 && !token.ends_with(b"(s)"))
            || token.ends_with(b";")
        {
            return Kind::Code;
        }
        let is_glued = boundaries & (LOWER | UPPER | SLASH) != 0 && token[0] != b'.';
        if classes & NO_WORD != 0 || is_glued { Kind::Other } else { Kind::Words }
    }
}

/// Classes that may not follow a byte in a word: a capital after a small letter (`fooBar`), a small
/// letter after a dot (`example.com`), a slash after a slash (`http://`).
const FORBIDDEN_AFTER: [u8; 16] = {
    let mut forbidden = [0; 16];
    forbidden[LOWER as usize] = UPPER;
    forbidden[DOT as usize] = LOWER;
    forbidden[SLASH as usize] = SLASH;
    forbidden
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_word(&Words::new(), text, |_, codes| {
            assert_eq!((codes[0], codes[codes.len() - 1]), (BOUNDARY, BOUNDARY));
            let letters = codes[1..codes.len() - 1].iter();
            found.push(letters.filter_map(|&code| char::from_u32(u32::from(code))).collect());
        });
        found
    }

    #[test]
    fn words_are_runs_of_letters_of_one_script() {
        assert_eq!(words("L'homme, le «Café»"), ["l", "homme", "le", "café"]);
        assert_eq!(
            words("Яндекс-Market und AppВКонтакте"),
            ["яндекс", "market", "und", "app", "вконтакте"]
        );
    }

    #[test]
    fn addresses_numbers_and_code_are_passed_over() {
        let text = "see https://example.com/a www.example.com me@example.com foo_bar 12:30 A4 fooBar x = f(y); end.";
        assert_eq!(words(text), ["see", "x", "end"]);
        assert_eq!(words("word(s) and/or R&D (so)"), ["word", "s", "and", "or", "r", "d", "so"]);
    }

    #[test]
    fn runs_that_are_no_words_are_passed_over() {
        assert_eq!(words(&"a".repeat(MAX_WORD_LETTERS)).len(), 1);
        for length in [MAX_WORD_LETTERS + 1, MAX_WORD_LETTERS + 2, 1_000_000] {
            assert!(words(&"a".repeat(length)).is_empty());
        }
        assert_eq!(words(&format!("{} so", "ä".repeat(100))), ["so"]);
    }
}
