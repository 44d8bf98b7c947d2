//! What each character is to the identifier: a letter of a script, a mark to pass over, or the end
//! of a word.

use super::script::Script;

/// What a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends a word: blanks, signs, digits, letters of unknown scripts.
    Break,
    /// Neither a letter nor the end of a word: accents that stand alone, vowel signs of Arabic.
    Pass,
    /// A letter; its script, and its code in n-grams, 0 if its script has none.
    Letter(Script, u16),
}

/// Characters below this are looked up in a table, the others by their block.
const TABLE: u32 = 0x2000;

/// Classes of all characters.
#[derive(Debug)]
pub(super) struct Alphabet {
    table: Box<[Class]>,
}

impl Alphabet {
    /// Fills the table: 8,192 characters, which takes less than a millisecond.
    pub(super) fn new() -> Alphabet {
        let class = |code| char::from_u32(code).map_or(Class::Break, class_of);
        Alphabet { table: (0..TABLE).map(class).collect() }
    }

    /// What a character is.
    #[inline]
    pub(super) fn class(&self, character: char) -> Class {
        match self.table.get(character as usize) {
            Some(&class) => class,
            None => class_beyond(character),
        }
    }
}

fn class_of(character: char) -> Class {
    if is_passed_over(character) {
        return Class::Pass;
    }
    if !character.is_alphabetic() || is_sign_within_a_word(character) {
        return Class::Break;
    }
    match Script::of(character) {
        Some(script) if script.has_grams() => {
            // The first character only: İ becomes i and a dot of its own, which counts for nothing.
            let lower = character.to_lowercase().next().unwrap_or(character);
            gram_code(lower).map_or(Class::Break, |code| Class::Letter(script, code))
        }
        Some(script) => Class::Letter(script, 0),
        None => Class::Break,
    }
}

/// Characters from U+2000 on have no n-grams, and the blocks of `Script` have hardly anything but
/// letters.
fn class_beyond(character: char) -> Class {
    Script::of(character).map_or(Class::Break, |script| Class::Letter(script, 0))
}

/// The twelve bits that stand for a letter in an n-gram; never 0, nor that of a word's boundary.
pub(super) fn gram_code(lower: char) -> Option<u16> {
    let code = u32::from(lower);
    match code {
        0x41..=0x9FF => Some(code as u16),
        // Latin Extended Additional (Vietnamese, Yoruba, Welsh) moves to where no letter with
        // n-grams is.
        0x1E00..=0x1EFF => Some((code - 0x1000) as u16),
        _ => None,
    }
}

/// Accents after Latin and Cyrillic letters, and vowel signs of Arabic.
fn is_passed_over(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{AD}' | '\u{610}'..='\u{61A}' | '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}')
        || matches!(character, '\u{6D6}'..='\u{6DC}' | '\u{6DF}'..='\u{6E4}' | '\u{6E7}' | '\u{6E8}' | '\u{6EA}'..='\u{6ED}')
}

/// Vowel signs of Devanagari and Bengali. They end a word, since the corpora that the tables come
/// from were cut there.
fn is_sign_within_a_word(character: char) -> bool {
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
        for code in (0..TABLE).filter_map(char::from_u32) {
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
