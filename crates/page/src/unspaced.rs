//! Scripts that are written without spaces: the scalars that count as words of their own.
//!
//! Several parts of the program ask this for different purposes, and their sets differ. Each set
//! decides what a program writes or what a model was trained on. A change of a set changes results.
//! This table shows all of them side by side.
//!
//! | scalars | [`is_cjk`] | [`is_cjk_or_full_width`] | [`is_token`] | [`is_word`] |
//! |---|---|---|---|---|
//! | Thai, Lao (U+0E00-0EFF) | | | yes | yes |
//! | Myanmar (U+1000-107F), Khmer (U+1780-17FF) | | | yes | yes |
//! | Myanmar, extended (U+1080-109F), hangul jamo (U+1100-11FF) | | | yes | |
//! | CJK radicals, descriptions, marks (U+2E80-303F) | yes | yes | only U+3005-3007 | |
//! | kana (U+3040-30FF) | yes | yes | yes | yes |
//! | bopomofo (U+3100-312F), small katakana (U+31F0-31FF) | yes | yes | yes | |
//! | the rest of U+3130-33FF (compatibility jamo, enclosed letters) | yes | yes | | |
//! | rare ideographs (U+3400-3FFF) | yes | yes | yes | |
//! | rare ideographs (U+4000-4DBF) | yes | yes | yes | yes |
//! | hexagrams (U+4DC0-4DFF) | yes | yes | | yes |
//! | ideographs (U+4E00-9FFF) | yes | yes | yes | yes |
//! | hangul syllables (U+AC00-D7AF) | | | yes | |
//! | compatibility ideographs (U+F900-FAFF) | yes | yes | yes | |
//! | full-width forms (U+FF00-FF60) | | yes | | |
//! | ideographs of planes 2 and 3 (U+20000-3FFFF) | | yes | yes | |
//!
//! Korean is written with spaces between words, so three of the sets leave hangul syllables out.
//! [`is_token`] has them, because the scoring program takes each one as a token.

/// Returns whether a scalar belongs to a CJK block of the basic plane: ideographs, kana, bopomofo,
/// and the marks among them. The ideographic space (U+3000) is one of these marks, so a caller that
/// splits text at white space must test for white space first.
#[inline]
pub const fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Returns whether [`is_cjk`] holds, or the scalar is a full-width form or an ideograph beyond the
/// basic plane. A line of text may be broken before any of these.
#[inline]
pub const fn is_cjk_or_full_width(c: char) -> bool {
    is_cjk(c) || matches!(c, '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns whether a scalar is a token by itself where two texts are compared. The set is that of
/// the scoring program whose figures ours must equal.
#[inline]
pub const fn is_token(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}' // Thai, Lao
            | '\u{1000}'..='\u{109F}' // Myanmar
            | '\u{1100}'..='\u{11FF}' // hangul jamo
            | '\u{1780}'..='\u{17FF}' // Khmer
            | '\u{3005}'..='\u{3007}' // iteration mark, closing mark, zero
            | '\u{3040}'..='\u{30FF}' // kana
            | '\u{3100}'..='\u{312F}' // bopomofo
            | '\u{31F0}'..='\u{31FF}' // small katakana
            | '\u{3400}'..='\u{4DBF}' // ideographs, and from here on
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7AF}' // hangul syllables
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Returns whether a scalar counts as a word by itself in the features of models that read a page's
/// bytes. The ranges end where they do because the first two bytes of the UTF-8 decide it
/// ([`is_word_utf8`]).
#[inline]
pub const fn is_word(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}' // Thai, Lao
            | '\u{1000}'..='\u{107F}' // Myanmar
            | '\u{1780}'..='\u{17FF}' // Khmer
            | '\u{3040}'..='\u{30FF}' // kana
            | '\u{4000}'..='\u{9FFF}' // ideographs
    )
}

/// Returns [`is_word`] of the scalar whose UTF-8 begins with these two bytes.
#[inline]
pub const fn is_word_utf8(first: u8, second: u8) -> bool {
    matches!(
        (first, second),
        (0xE0, 0xB8..=0xBB) | (0xE1, 0x80..=0x81 | 0x9E..=0x9F) | (0xE3, 0x81..=0x83) | (0xE4..=0xE9, _)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the module's documentation: first and last scalar, and which sets hold them.
    const TABLE: &[(u32, u32, [bool; 4])] = &[
        (0x0E00, 0x0EFF, [false, false, true, true]),
        (0x1000, 0x107F, [false, false, true, true]),
        (0x1080, 0x109F, [false, false, true, false]),
        (0x1100, 0x11FF, [false, false, true, false]),
        (0x1780, 0x17FF, [false, false, true, true]),
        (0x2E80, 0x3004, [true, true, false, false]),
        (0x3005, 0x3007, [true, true, true, false]),
        (0x3008, 0x303F, [true, true, false, false]),
        (0x3040, 0x30FF, [true, true, true, true]),
        (0x3100, 0x312F, [true, true, true, false]),
        (0x3130, 0x31EF, [true, true, false, false]),
        (0x31F0, 0x31FF, [true, true, true, false]),
        (0x3200, 0x33FF, [true, true, false, false]),
        (0x3400, 0x3FFF, [true, true, true, false]),
        (0x4000, 0x4DBF, [true, true, true, true]),
        (0x4DC0, 0x4DFF, [true, true, false, true]),
        (0x4E00, 0x9FFF, [true, true, true, true]),
        (0xAC00, 0xD7AF, [false, false, true, false]),
        (0xF900, 0xFAFF, [true, true, true, false]),
        (0xFF00, 0xFF60, [false, true, false, false]),
        (0x20000, 0x3FFFF, [false, true, true, false]),
    ];

    #[test]
    fn every_scalar_is_where_the_table_says() {
        for c in '\0'..=char::MAX {
            let row =
                TABLE.iter().find(|(first, last, _)| (*first..=*last).contains(&u32::from(c)));
            let expected = row.map_or([false; 4], |(_, _, sets)| *sets);
            let sets = [is_cjk(c), is_cjk_or_full_width(c), is_token(c), is_word(c)];
            assert_eq!(sets, expected, "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn two_bytes_decide_what_is_a_word() {
        for c in '\0'..=char::MAX {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes);
            assert_eq!(is_word_utf8(bytes[0], bytes[1]), is_word(c), "U+{:04X}", u32::from(c));
        }
    }
}
