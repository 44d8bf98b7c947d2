//! Classifies each character for the identifier: a letter of a script, a mark to skip, or the end
//! of a word.

use super::script::Script;

/// The class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends a word: blanks, signs, digits, letters of unknown scripts.
    Break,
    /// Is skipped inside a word: combining accents, vowel signs of Arabic.
    Pass,
    /// A letter: its script, and its code in n-grams (0 if its script has no n-grams).
    Letter(Script, u16),
}

/// Characters below this are looked up in a table, all others by their block.
const TABLE_CHARS: u32 = 0x2000;

/// The classes of all characters.
#[derive(Debug)]
pub(super) struct Alphabet {
    table: Box<[Class]>,
}

impl Alphabet {
    /// Fills the table of 8,192 characters, in less than a millisecond.
    pub(super) fn new() -> Alphabet {
        let class = |code| char::from_u32(code).map_or(Class::Break, class_of);
        Alphabet { table: (0..TABLE_CHARS).map(class).collect() }
    }

    /// Returns the class of a character.
    #[inline]
    pub(super) fn class(&self, character: char) -> Class {
        match self.table.get(character as usize) {
            Some(&class) => class,
            None => class_above_table(character),
        }
    }
}

fn class_of(character: char) -> Class {
    if is_skipped_mark(character) {
        return Class::Pass;
    }
    if !character.is_alphabetic() || is_word_ending_sign(character) {
        return Class::Break;
    }
    match Script::from_letter(character) {
        Some(script) if script.has_grams() => {
            // Only the first character: İ becomes i and a combining dot, which is skipped.
            let lower = character.to_lowercase().next().unwrap_or(character);
            gram_code(lower).map_or(Class::Break, |code| Class::Letter(script, code))
        }
        Some(script) => Class::Letter(script, 0),
        None => Class::Break,
    }
}

/// Returns the class of a character from U+2000 on. Those have no n-grams, and the blocks of
/// `Script` contain almost only letters.
fn class_above_table(character: char) -> Class {
    Script::from_letter(character).map_or(Class::Break, |script| Class::Letter(script, 0))
}

/// Returns the twelve bits of a letter in an n-gram. They are never 0 or the code of a word
/// boundary.
pub(super) fn gram_code(lower: char) -> Option<u16> {
    let code = u32::from(lower);
    match code {
        0x41..=0x9FF => Some(code as u16),
        // Latin Extended Additional (Vietnamese, Yoruba, Welsh) moves to a range without letters
        // that have n-grams.
        0x1E00..=0x1EFF => Some((code - 0x1000) as u16),
        _ => None,
    }
}

/// Returns whether the character is an accent after Latin and Cyrillic letters, or a vowel sign of
/// Arabic.
fn is_skipped_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{AD}' | '\u{610}'..='\u{61A}' | '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}')
        || matches!(character, '\u{6D6}'..='\u{6DC}' | '\u{6DF}'..='\u{6E4}' | '\u{6E7}' | '\u{6E8}' | '\u{6EA}'..='\u{6ED}')
}

/// Returns whether the character is a vowel sign of Devanagari or Bengali. These end a word,
/// because the corpora behind the tables were cut there.
fn is_word_ending_sign(character: char) -> bool {
    matches!(character, '\u{900}'..='\u{903}' | '\u{93A}'..='\u{93C}' | '\u{93E}'..='\u{94F}' | '\u{951}'..='\u{957}' | '\u{962}' | '\u{963}')
        || matches!(character, '\u{981}'..='\u{983}' | '\u{9BC}' | '\u{9BE}'..='\u{9CD}' | '\u{9D7}' | '\u{9E2}' | '\u{9E3}' | '\u{9FE}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_in_lower_case() {
        let alphabet = Alphabet::new();
        assert_eq!(alphabet.class('A'), alphabet.class('a'));
        assert_eq!(alphabet.class('Ж'), alphabet.class('ж'));
        assert_eq!(alphabet.class('Ế'), alphabet.class('ế'));
        assert_eq!(alphabet.class('İ'), alphabet.class('i'));
    }

    #[test]
    fn codes_have_twelve_bits_and_are_apart() {
        let mut seen = std::collections::HashMap::new();
        for code in (0..TABLE_CHARS).filter_map(char::from_u32) {
            if let Class::Letter(script, gram) = class_of(code) {
                assert_eq!(gram > 1, script.has_grams(), "{code:?}");
                assert!(gram < 1 << 12, "{code:?}");
                if gram > 0 {
                    let lower = code.to_lowercase().next().unwrap();
                    assert_eq!(*seen.entry(gram).or_insert(lower), lower, "{code:?}");
                }
            }
        }
    }

    #[test]
    fn signs_and_digits_end_words() {
        let alphabet = Alphabet::new();
        for sign in [' ', '7', '-', '\'', '。', '٣', '\u{94D}', '\u{10FFFF}', '\0'] {
            assert_eq!(alphabet.class(sign), Class::Break, "{sign:?}");
        }
        assert_eq!(alphabet.class('\u{301}'), Class::Pass);
    }
}
