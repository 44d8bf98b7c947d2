//! Finds the segments between the word boundaries of UAX #29 that are not all white space, and
//! passes them to the [`Joiner`].
//!
//! The rules for plain letters, digits, marks and Chinese characters are few, and one pass over the
//! bytes applies them. At any other scalar ([`Class::Hard`]) the library `unicode-segmentation`
//! cuts the stretch from the segment before it to the next ASCII white space. A boundary lies at
//! both ends in any case. Tests compare the result with the library alone.

use super::Word;
use super::classes::{self, ASCII, Class};
use super::joins::Joiner;
use crate::scalars::{is_space, is_symbol};
use unicode_segmentation::UnicodeSegmentation;

/// Appends the words of a text.
pub(super) fn append_words(text: &str, words: &mut Vec<Word>) {
    assert!(u32::try_from(text.len()).is_ok(), "texts are shorter than 4 GiB");
    let bytes = text.as_bytes();
    let mut words = Joiner::new(text, words);
    let mut offset = 0;
    // The start of the white space before `offset`, if there is any.
    let mut white = None;
    while offset < bytes.len() {
        let (class, length) = classes::class_at(text, offset);
        let start = offset;
        match class {
            Class::White => {
                white.get_or_insert(offset);
                offset += length;
                while offset < bytes.len() && ASCII[usize::from(bytes[offset])] == Class::White {
                    offset += 1;
                }
                continue;
            }
            Class::Letter | Class::Digit | Class::Under | Class::Katakana => {
                match joined_word(text, start, class, length) {
                    Some(word) => {
                        offset = word.end as usize;
                        words.push(word);
                    }
                    None => offset = push_library_words(text, start, start, &mut words),
                }
            }
            Class::Hard => {
                offset = push_library_words(text, white.unwrap_or(start), start, &mut words);
            }
            Class::MidLetter | Class::MidNum | Class::Mid | Class::Lone | Class::Other => {
                offset += length;
                if offset < bytes.len()
                    && bytes[offset] >= 0x80
                    && classes::class_at(text, offset).0 == Class::Hard
                {
                    offset = push_library_words(text, start, offset, &mut words);
                } else {
                    let is_symbol = length == 1
                        || (class != Class::Lone
                            && text[start..].chars().next().is_some_and(is_symbol));
                    let (start, end) = (start as u32, offset as u32);
                    let has_letter = class == Class::Lone;
                    words.push(Word { start, end, chars: 1, is_symbol, has_letter });
                }
            }
        }
        offset = offset.max(words.end);
        white = None;
    }
}

/// Classes of the bytes of plain words: letters 1, digits 2, underscores 4.
static PLAIN: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match ASCII[b] {
            Class::Letter => 1,
            Class::Digit => 2,
            Class::Under => 4,
            _ => 0,
        };
        b += 1;
    }
    table
};

/// Returns the word of letters, digits and underscores that begins at `start`. `None` if a hard
/// scalar may belong to it.
#[inline]
fn joined_word(text: &str, start: usize, first_class: Class, length: usize) -> Option<Word> {
    use Class::{Digit, Hard, Katakana, Letter, Mid, MidLetter, MidNum, Under};
    let bytes = text.as_bytes();
    let mut offset = start + length;
    let mut last_class = first_class;
    // Bytes that are not the first of their scalar.
    let mut behind = length - 1;
    let mut has_letter = matches!(first_class, Letter | Katakana);
    let mut is_symbol = first_class == Under;
    loop {
        // Most words consist of this run alone.
        if last_class != Katakana {
            let run = offset;
            let mut plain = 0;
            while let Some(byte) = bytes.get(offset)
                && PLAIN[usize::from(*byte)] != 0
            {
                plain |= PLAIN[usize::from(*byte)];
                offset += 1;
            }
            if offset > run {
                last_class = ASCII[usize::from(bytes[offset - 1])];
                has_letter |= plain & 1 != 0;
                is_symbol &= plain == 4;
            }
        }
        if offset == bytes.len() {
            break;
        }
        let (class, length) = classes::class_at(text, offset);
        match (last_class, class) {
            (Letter | Digit | Under, Letter | Digit | Under)
            | (Katakana | Under, Katakana)
            | (Katakana, Under) => {
                offset += length;
                behind += length - 1;
                last_class = class;
                has_letter |= matches!(class, Letter | Katakana);
                is_symbol &= class == Under;
            }
            (Letter, Mid | MidLetter) | (Digit, Mid | MidNum) => {
                if offset + length == bytes.len() {
                    break;
                }
                let (next, next_length) = classes::class_at(text, offset + length);
                if next == Hard {
                    return None;
                }
                if next != last_class {
                    break;
                }
                offset += length + next_length;
                behind += length + next_length - 2;
            }
            (_, Hard) => return None,
            _ => break,
        }
    }
    let chars = (offset - start - behind) as u32;
    Some(Word { start: start as u32, end: offset as u32, chars, is_symbol, has_letter })
}

/// Appends the words from `start` to the first ASCII white space after `hard`, and returns the
/// offset of that white space. White space after other white space does not end the stretch, since
/// the next scalar may belong to both.
#[cold]
fn push_library_words(text: &str, start: usize, hard: usize, words: &mut Joiner<'_>) -> usize {
    let bytes = text.as_bytes();
    let is_end = |offset: &usize| {
        ASCII[usize::from(bytes[*offset])] == Class::White
            && !text[hard..*offset].chars().next_back().is_none_or(is_space)
    };
    let end = (hard..bytes.len()).find(is_end).unwrap_or(text.len());
    for (offset, segment) in text[start..end].split_word_bound_indices() {
        if !segment.chars().all(is_space) {
            words.push(Word::at_range(text, start + offset..start + offset + segment.len()));
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The words by the library alone.
    fn expected(text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        let mut joiner = Joiner::new(text, &mut words);
        for (at, segment) in text.split_word_bound_indices() {
            if !segment.chars().all(is_space) {
                joiner.push(Word::at_range(text, at..at + segment.len()));
            }
        }
        words
    }

    fn is_as_expected(text: &str) -> bool {
        let mut words = Vec::new();
        append_words(text, &mut words);
        words == expected(text)
    }

    /// Strings beside a scalar that may change where words end.
    const BOUNDARY_STRINGS: [&str; 26] = [
        "a@b.c", "a@.A", "/", "-", "@", "://", "a", "é", "1", "_", ".", ",", ":", "'", " ", "\n",
        "カ", "中", "\u{308}", "\u{200D}", "א", "\"", "🇦", "😀", "\u{3000}", "...",
    ];

    #[test]
    fn every_scalar_of_the_basic_plane_is_cut_as_by_the_library() {
        let mut text = String::new();
        let mut wrong = Vec::new();
        for c in ('\0'..='\u{FFFF}').chain(['𝐀', '😀', '🇦', '\u{E0001}', '𠀀', '\u{1D173}'])
        {
            let (class, length) = classes::class_at(c.encode_utf8(&mut [0; 4]), 0);
            assert_eq!(length, c.len_utf8());
            assert!(classes::agrees_on_letters(class, c), "{c:?} {class:?}");
            assert!((class == Class::White) <= is_space(c), "{c:?}");
            text.clear();
            for before in BOUNDARY_STRINGS {
                for after in ["a", "1", "_", "カ", " ", "\u{308}", "."] {
                    text.push_str(before);
                    text.push(c);
                    text.push_str(after);
                    text.push(' ');
                }
            }
            for twice in ["", "'", ".", ",", ":"] {
                for side in ["a", "1", "カ"] {
                    text.extend([side, twice]);
                    text.push(c);
                    text.extend([twice, side, " "]);
                    text.push(c);
                    text.push_str(twice);
                    text.push(c);
                    text.push('\n');
                }
            }
            if !is_as_expected(&text) {
                wrong.push((c, class));
            }
        }
        assert_eq!(wrong, []);
    }

    #[test]
    fn words_are_what_their_description_says() {
        let words = |text: &str| {
            let mut found = Vec::new();
            append_words(text, &mut found);
            found.iter().map(|word| text[word.range()].to_owned()).collect::<Vec<_>>()
        };
        for (text, expected) in [
            ("Don't (3.5, a-b)...", "Do|n't|(|3.5|,|a|-|b|)|..."),
            ("今天 ひらカタカナ。ก็ดี", "今|天|ひ|ら|カタカナ|。|ก็|ดี"),
            ("\u{1C}\u{85}\u{A0} \u{3000}\r\n", ""),
            ("-- at 12:30 on 24/11/2026, a/b 1:a", "--|at|12:30|on|24/11/2026|,|a|/|b|1|:|a"),
            ("It's we’ll I'M o'clock 't n't 60's", "It|'s|we|’ll|I|'M|o'clock|'|t|n't|60|'|s"),
            (
                "(see https://a.b/c?d=e#f), t.co/x. www.a.org",
                "(|see|https://a.b/c?d=e#f|)|,|t.co/x|.|www.a.org",
            ),
            (
                "J. Doe, Mr. U.S. end. MI-11 11-day a-b",
                "J.|Doe|,|Mr.|U.S.|end|.|MI-11|11-day|a|-|b",
            ),
            ("ann.b@site.org. a@b @c", "ann.b@site.org|.|a|@|b|@|c"),
            ("a@b.org。a@b.org: a@b.org, a@b.c_d", "a@b.org|。|a@b.org|:|a@b.org|,|a|@|b.c_d"),
            ("a@b.cÀ a@b.c.é a@b.1,2 a@.AÀ", "a|@|b.cÀ|a|@|b.c.é|a|@|b.|1,2|a|@|.|AÀ"),
        ] {
            assert_eq!(words(text).join("|"), expected);
        }
    }

    #[test]
    fn hard_scalars_everywhere_are_cut_in_linear_time() {
        // Each hard scalar begins a stretch for the library. The stretches must not overlap much.
        let text = "a\u{308} ".repeat(200_000) + &"\u{308}".repeat(200_000) + &"a'".repeat(200_000);
        assert!(is_as_expected(&text));
    }

    #[test]
    fn an_apostrophe_at_the_end_of_an_address_stays_with_a_hebrew_letter_and_its_marks() {
        for text in
            ["a://a@b.cא\u{308}'", "a://א'", "a://א\u{AD}\u{308}'. b", "a://אa'", "a://a\u{308}'"]
        {
            assert!(is_as_expected(text), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn any_text_is_cut_as_by_the_library(
            parts in proptest::collection::vec(
                prop_oneof![
                    6 => proptest::sample::select(&BOUNDARY_STRINGS[..]).prop_map(str::to_owned),
                    1 => any::<char>().prop_map(String::from),
                    1 => "[a-z]{1,3}",
                    1 => "[ \\u{85}\\u{A0}\\u{2028}\\u{1C}]{1,3}",
                    1 => "[\\u{80}-\\u{7FF}]{1,3}",
                ],
                0..24,
            ),
        ) {
            prop_assert!(is_as_expected(&parts.concat()));
        }
    }
}
