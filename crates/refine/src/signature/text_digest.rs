//! The digest of a text with normalised white space.

use twox_hash::XxHash3_128;

/// Most bytes of the buffer that are kept from one row to the next.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Bytes that are compared together.
const CHUNK_BYTES: usize = 16;

/// Returns the digest of the text, with each run of white space replaced by one space and none at
/// the ends. `buffer` is a scratch buffer.
pub(super) fn normalised_digest(text: &str, buffer: &mut Vec<u8>) -> u128 {
    normalise(text, buffer);
    let digest = XxHash3_128::oneshot(buffer);
    buffer.clear();
    buffer.shrink_to(MAX_KEPT_BYTES);
    digest
}

/// Writes the text with its white space normalised. Scalars are decoded only where sixteen bytes
/// may hold white space other than a single space; all bytes between are copied.
fn normalise(text: &str, out: &mut Vec<u8>) {
    out.clear();
    out.reserve(text.len());
    let bytes = text.as_bytes();
    let (mut copied, mut offset) = (0, 0);
    while let Some(white_offset) = next_white_space(bytes, offset) {
        let Some(c) = text[white_offset..].chars().next() else { break };
        offset = white_offset + c.len_utf8();
        if c.is_whitespace() {
            out.extend_from_slice(&bytes[copied..white_offset]);
            if out.last().is_some_and(|last| *last != b' ') {
                out.push(b' ');
            }
            // The run continues to the next scalar that is not white space, and includes single
            // spaces.
            offset = text.len() - text[offset..].trim_start().len();
            copied = offset;
        }
    }
    out.extend_from_slice(&bytes[copied..]);
    if out.last() == Some(&b' ') {
        out.pop();
    }
}

/// Returns the offset of the next scalar that may be white space. Single spaces before other
/// scalars are skipped.
#[inline]
fn next_white_space(bytes: &[u8], mut offset: usize) -> Option<usize> {
    // A space at the start of the text counts as repeated.
    if offset == 0 && bytes.first() == Some(&b' ') {
        return Some(0);
    }
    while let Some(step) =
        bytes.get(offset..offset + CHUNK_BYTES + 1).and_then(|step| step.first_chunk())
    {
        let mask = white_space_mask(step);
        if mask != 0 {
            return Some(offset + mask.trailing_zeros() as usize / 8);
        }
        offset += CHUNK_BYTES;
    }
    let is_begin = |byte: &u8| *byte <= b' ' || matches!(byte, 0xC2 | 0xE1..=0xE3);
    bytes[offset..].iter().position(is_begin).map(|distance| offset + distance)
}

/// Returns a byte other than 0 for each of the first sixteen bytes at which a scalar that may be
/// white space begins. The loop has no branches, so all bytes are compared at once.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "comparisons without branches become those of a vector"
)]
fn white_space_mask(step: &[u8; CHUNK_BYTES + 1]) -> u128 {
    let mut mask = [0; CHUNK_BYTES];
    for (index, marked) in mask.iter_mut().enumerate() {
        let (byte, next_byte) = (step[index], step[index + 1]);
        let is_ascii = (byte <= b' ') & !((byte == b' ') & (next_byte > b' '));
        // U+0085, U+00A0; U+1680; U+2000 to U+205F; U+3000.
        let is_other = ((byte == 0xC2) & ((next_byte == 0x85) | (next_byte == 0xA0)))
            | ((byte == 0xE1) & (next_byte == 0x9A))
            | ((byte == 0xE2) & ((next_byte == 0x80) | (next_byte == 0x81)))
            | ((byte == 0xE3) & (next_byte == 0x80));
        *marked = u8::from(is_ascii | is_other);
    }
    u128::from_le_bytes(mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normalised(text: &str) -> String {
        let mut out = Vec::new();
        normalise(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    proptest! {
        #[test]
        fn white_space_is_normalised(text in "([a-z]{0,20}[ \n\t\u{85}\u{A0}\u{2003}\u{3000}é今]{0,3}){0,12}") {
            let naive: Vec<_> = text.split_whitespace().collect();
            prop_assert_eq!(normalised(&text), naive.join(" "));
        }
    }

    #[test]
    fn spaces_at_the_ends_of_steps_count_once() {
        for spaces in 0..4 {
            for before in 0..40 {
                let text = "x".repeat(before) + &" ".repeat(spaces) + &"y".repeat(40);
                let naive: Vec<_> = text.split_whitespace().collect();
                assert_eq!(normalised(&text), naive.join(" "));
            }
        }
    }

    #[test]
    fn every_white_space_of_unicode_is_seen_at_every_place() {
        let white: Vec<char> = ('\0'..=char::MAX).filter(|c| c.is_whitespace()).collect();
        assert_eq!(white.len(), 25);
        for c in white {
            for before in 0..20 {
                for beside in ["", "今", "、", "é", " "] {
                    let text =
                        format!("{}{beside}{c}{beside}{}", "x".repeat(before), "y".repeat(20));
                    let naive: Vec<_> = text.split_whitespace().collect();
                    assert_eq!(normalised(&text), naive.join(" "), "{c:?} {before} {beside}");
                }
            }
        }
    }

    #[test]
    fn case_counts_and_white_space_does_not() {
        let mut buffer = Vec::new();
        let mut of = |text: &str| normalised_digest(text, &mut buffer);
        assert_eq!(of("one two\nthree"), of(" one  two\u{A0}three\n"));
        assert_ne!(of("one two"), of("One two"));
        assert_ne!(of("one two"), of("onetwo"));
    }
}
