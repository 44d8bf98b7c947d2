//! The digest of a text without regard to white space.

use twox_hash::XxHash3_128;

/// Most bytes that the buffer keeps from one row to the next.
const KEPT: usize = 1 << 20;

/// Bytes that are looked at together.
const STEP: usize = 16;

/// The digest of the text with each run of white space as one space, and none at the ends. `buffer` is memory.
pub(super) fn digest(text: &str, buffer: &mut Vec<u8>) -> u128 {
    normalise(text, buffer);
    let digest = XxHash3_128::oneshot(buffer);
    buffer.clear();
    buffer.shrink_to(KEPT);
    digest
}

/// Writes the text with its white space normalised. Scalars are only looked at where sixteen bytes are not plain, and copied in stretches between
/// white space.
fn normalise(text: &str, out: &mut Vec<u8>) {
    out.clear();
    out.reserve(text.len());
    let bytes = text.as_bytes();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        if is_plain(bytes, at) {
            at += STEP;
            continue;
        }
        // A step that isn't plain may end amid a scalar.
        let end = text.ceil_char_boundary(at + STEP);
        for (offset, c) in text[at..end].char_indices() {
            if c.is_whitespace() {
                out.extend_from_slice(&bytes[copied..at + offset]);
                if out.last().is_some_and(|last| *last != b' ') {
                    out.push(b' ');
                }
                copied = at + offset + c.len_utf8();
            }
        }
        at = end;
    }
    out.extend_from_slice(&bytes[copied..]);
    if out.last() == Some(&b' ') {
        out.pop();
    }
}

/// Whether the sixteen bytes from an offset on may be copied whatever stands around them: ASCII, no white space but single spaces, and
/// no space at the first byte. (The last byte may be one: then what follows decides, and it doesn't begin with a space or isn't plain.)
#[inline]
fn is_plain(bytes: &[u8], at: usize) -> bool {
    let Some(step) = bytes.get(at..at + STEP + 1) else { return false };
    let mut is_odd = step[0] == b' ';
    for (byte, next) in step[..STEP].iter().zip(&step[1..]) {
        is_odd |= byte.wrapping_sub(b' ') > 0x7E - b' ';
        // Of all pairs of such bytes, only two spaces have this for their greater one.
        is_odd |= *byte.max(next) == b' ';
    }
    !is_odd
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
    fn case_counts_and_white_space_does_not() {
        let mut buffer = Vec::new();
        let mut of = |text: &str| digest(text, &mut buffer);
        assert_eq!(of("one two\nthree"), of(" one  two\u{A0}three\n"));
        assert_ne!(of("one two"), of("One two"));
        assert_ne!(of("one two"), of("onetwo"));
    }
}
