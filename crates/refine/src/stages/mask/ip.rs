//! IPv4 addresses as datatrove's regular expression and Python's `ipaddress` find them.
//!
//! The expression has no word boundaries: `1234.5.6.7` holds `234.5.6.7`. What it matches counts if
//! Python can read it (no number begins with a 0 that is not alone) and, for public ones, if it is
//! in no block of IANA's registry of special addresses. The search goes from dot to dot and looks
//! at no more than 12 bytes around each.

use memchr::memchr;
use std::ops::Range;

/// The first address from an offset on.
pub(super) fn next(text: &str, from: usize, is_public: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut from) = (from, from);
    loop {
        let dot = at + memchr(b'.', &bytes[at..])?;
        at = dot + 1;
        let Some((range, address)) = address(bytes, from, dot) else { continue };
        if address.is_some_and(|address| !is_public || is_global(address)) {
            return Some(range);
        }
        // Matched all the same: nothing in it is looked at again.
        from = range.end;
        at = range.end;
    }
}

/// What the expression matches with its first dot here, and the address if it is one.
fn address(bytes: &[u8], from: usize, dot: usize) -> Option<(Range<usize>, Option<[u8; 4]>)> {
    let before =
        bytes[from..dot].iter().rev().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let start = (dot - before..dot).find(|start| is_octet(&bytes[*start..dot]))?;
    let second = digits(bytes, dot + 1);
    let at = dot + 1 + second.len();
    if !is_octet(second) || bytes.get(at) != Some(&b'.') {
        return None;
    }
    let third = digits(bytes, at + 1);
    let at = at + 1 + third.len();
    if !is_octet(third) || bytes.get(at) != Some(&b'.') {
        return None;
    }
    let fourth = digits(bytes, at + 1);
    let fourth = (1..=fourth.len().min(3))
        .rev()
        .map(|length| &fourth[..length])
        .find(|part| is_octet(part))?;
    let octets = [&bytes[start..dot], second, third, fourth].map(value);
    let address = match octets {
        [Some(a), Some(b), Some(c), Some(d)] => Some([a, b, c, d]),
        _ => None,
    };
    Some((start..at + 1 + fourth.len(), address))
}

/// The digits from here on, four at most.
pub(super) fn digits(bytes: &[u8], at: usize) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    &rest[..length]
}

/// Whether the expression takes this for one of the four numbers.
pub(super) fn is_octet(digits: &[u8]) -> bool {
    match digits {
        [a] => a.is_ascii_digit(),
        [a, b] => a.is_ascii_digit() && b.is_ascii_digit(),
        [b'0' | b'1', b, c] => b.is_ascii_digit() && c.is_ascii_digit(),
        [b'2', b'0'..=b'4', c] => c.is_ascii_digit(),
        [b'2', b'5', b'0'..=b'5'] => true,
        _ => false,
    }
}

/// The value of one of the numbers. `None` if it begins with a 0 and has more digits.
fn value(digits: &[u8]) -> Option<u8> {
    if digits.len() > 1 && digits[0] == b'0' {
        return None;
    }
    digits.iter().try_fold(0_u8, |value, digit| value.checked_mul(10)?.checked_add(digit - b'0'))
}

/// Whether the address is in no block of the IANA IPv4 special-purpose registry that is not
/// globally reachable, as Python's `is_global` has it since 3.13 (before, only 192.0.0.0 to
/// 192.0.0.7 and two more of 192.0.0.0/24 were special).
fn is_global(address: [u8; 4]) -> bool {
    !matches!(
        address,
        [0 | 10 | 127 | 240..=255, ..]
            | [100, 64..=127, ..]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 0, 0, 0..=8 | 11..=255]
            | [192, 0, 2, _]
            | [192, 168, ..]
            | [198, 18..=19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_matched_as_by_the_regular_expression() {
        let all = |text: &str, is_public| {
            let mut from = 0;
            let mut found = Vec::new();
            while let Some(range) = next(text, from, is_public) {
                from = range.end;
                found.push(text[range].to_owned());
            }
            found
        };
        for (text, expected) in [
            ("8.8.8.8 and 1.2.3.4.", &["8.8.8.8", "1.2.3.4"][..]),
            ("1234.5.6.7", &["234.5.6.7"]),
            ("999.5.6.7", &["99.5.6.7"]),
            ("1.2.3.299", &["1.2.3.29"]),
            ("1.2.3.1999", &["1.2.3.199"]),
            ("1.2.3.4.5.6.7.8", &["1.2.3.4", "5.6.7.8"]),
            // The expression takes the first four, which are none.
            ("01.2.3.4.5.6", &[]),
            ("1.2.3 1.2..3.4 1.256.3.4 .1.2.3. v1.2.3.x", &[]),
            (
                "10.0.0.1 127.0.0.1 192.168.1.1 172.20.1.1 100.64.0.1 203.0.113.9 0.1.2.3 255.255.255.255",
                &[],
            ),
        ] {
            assert_eq!(all(text, true), expected, "{text}");
        }
        assert_eq!(all("10.0.0.1", false), ["10.0.0.1"]);
    }
}
