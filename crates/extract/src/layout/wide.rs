//! How many scalars of a text are one font size wide: Chinese, Japanese, full-width forms (U+2E80-9FFF, F900-FAFF, FF00-FF60,
//! 20000-3FFFF).
//!
//! In UTF-8 a lead byte of E3 to E9 says so; after E2, EF and F0 the next bytes do. So texts are counted by bytes, many at a
//! time, and only behind those three leads byte by byte. Cost: O(bytes).

use memchr::memchr3_iter;

/// Counts the wide scalars.
pub(super) fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    // Counts of a chunk fit a byte, so that the loop over it is one of vectors.
    let (mut wide, mut doubtful) = (0, false);
    for chunk in bytes.chunks(255) {
        let (mut in_chunk, mut doubtful_in_chunk) = (0_u8, 0_u8);
        for b in chunk {
            in_chunk += u8::from(matches!(b, 0xE3..=0xE9));
            doubtful_in_chunk |= u8::from(matches!(b, 0xE2 | 0xEF | 0xF0));
        }
        wide += usize::from(in_chunk);
        doubtful |= doubtful_in_chunk != 0;
    }
    if doubtful {
        let is_wide = |at: &usize| match &bytes[*at..] {
            [0xE2, second, ..] => *second >= 0xBA,
            [0xEF, 0xA4..=0xAB | 0xBC, ..] => true,
            [0xEF, 0xBD, third, ..] => *third <= 0xA0,
            [0xF0, second, ..] => *second >= 0xA0,
            _ => false,
        };
        wide += memchr3_iter(0xE2, 0xEF, 0xF0, bytes).filter(is_wide).count();
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(text: &str) -> usize {
        let is_wide = |c: &char| matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}');
        text.chars().filter(is_wide).count()
    }

    #[test]
    fn every_scalar_is_what_its_number_says() {
        let mut memory = [0; 4];
        for c in '\0'..=char::MAX {
            let text = c.encode_utf8(&mut memory);
            assert_eq!(count(text), naive(text), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn texts_are_the_sum_of_their_scalars(text in "[a é中。”ｱＡ\u{1F600}\u{20000}]{0,600}") {
            prop_assert_eq!(count(&text), naive(&text));
        }
    }
}
