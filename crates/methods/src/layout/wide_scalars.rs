//! Counts the scalars of a text that are one font size wide: Chinese, Japanese, full-width forms
//! (U+2E80 to 9FFF, F900 to FAFF, FF00 to FF60, 20000 to 3FFFF).
//!
//! In UTF-8 a scalar with a lead byte of E3 to E9 is wide. For the lead bytes E2, EF and F0 the
//! next bytes decide. So the lead bytes are counted with vector instructions, and the bytes after
//! E2, EF and F0 are read only if one of these occurs. Cost: O(bytes).

use memchr::memchr3_iter;

/// Counts the wide scalars.
pub(super) fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    // Most texts have only lead bytes below E2, and so no wide scalar.
    if bytes.iter().fold(0, |max_byte, b| max_byte.max(*b)) < 0xE2 {
        return 0;
    }
    // Scalars that are wide by their lead byte alone, and all scalars with a lead byte from E2 on.
    let (mut wide, mut high) = (0, 0);
    // Sixteen lanes with at most 255 rounds. Each count then fits in a byte, and the compiler uses
    // vector instructions.
    for stretch in bytes.chunks(16 * 254) {
        let (mut wides, mut highs) = ([0_u8; 16], [0_u8; 16]);
        let mut add = |sixteen: &[u8; 16]| {
            for (index, b) in sixteen.iter().enumerate() {
                wides[index] += u8::from(b.wrapping_sub(0xE3) <= 0xE9 - 0xE3);
                highs[index] += u8::from(*b >= 0xE2);
            }
        };
        let (sixteens, rest) = stretch.as_chunks::<16>();
        sixteens.iter().for_each(&mut add);
        let mut last_sixteen = [0; 16];
        last_sixteen[..rest.len()].copy_from_slice(rest);
        add(&last_sixteen);
        let sum = |counts: [u8; 16]| counts.iter().map(|count| usize::from(*count)).sum::<usize>();
        wide += sum(wides);
        high += sum(highs);
    }
    if high > wide {
        let is_wide = |index: &usize| match &bytes[*index..] {
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
        let is_wide = |c: &char| huller_page::unspaced::is_cjk_or_full_width(*c);
        text.chars().filter(is_wide).count()
    }

    #[test]
    fn every_scalar_is_classified_as_by_its_range() {
        let mut scratch = [0; 4];
        for c in '\0'..=char::MAX {
            let text = c.encode_utf8(&mut scratch);
            assert_eq!(count(text), naive(text), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn the_count_of_a_text_is_the_sum_over_its_scalars(text in "[a é中。”ｱＡ\u{1F600}\u{20000}]{0,600}") {
            prop_assert_eq!(count(&text), naive(&text));
        }
    }
}
