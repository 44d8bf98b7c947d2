//! Finds IPv4 addresses like datatrove's regular expression and Python's `ipaddress`.
//!
//! The expression has no word boundaries: `1234.5.6.7` contains `234.5.6.7`. A match counts if
//! Python can read it: a number of two or three digits must not begin with 0. A public address must
//! also lie outside the blocks of IANA's registry of special addresses. The search goes from dot to
//! dot and reads at most 12 bytes around each.

use memchr::memchr;
use std::ops::Range;

/// Returns the first address from an offset on.
pub(super) fn next(text: &str, from: usize, is_public: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut search_start, mut from) = (from, from);
    loop {
        let dot = search_start + memchr(b'.', &bytes[search_start..])?;
        search_start = dot + 1;
        let Some((range, address)) = address_at(bytes, from, dot) else { continue };
        if address.is_some_and(|address| !is_public || is_global(address)) {
            return Some(range);
        }
        // The expression has matched these bytes, so the search continues after them.
        from = range.end;
        search_start = range.end;
    }
}

/// Returns the match of the expression whose first dot is at `dot`, and the address if Python can
/// read it.
fn address_at(bytes: &[u8], from: usize, dot: usize) -> Option<(Range<usize>, Option<[u8; 4]>)> {
    let before =
        bytes[from..dot].iter().rev().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let start = (dot - before..dot).find(|start| is_octet(&bytes[*start..dot]))?;
    let second = digits(bytes, dot + 1);
    let next_dot = dot + 1 + second.len();
    if !is_octet(second) || bytes.get(next_dot) != Some(&b'.') {
        return None;
    }
    let third = digits(bytes, next_dot + 1);
    let next_dot = next_dot + 1 + third.len();
    if !is_octet(third) || bytes.get(next_dot) != Some(&b'.') {
        return None;
    }
    let fourth = digits(bytes, next_dot + 1);
    let fourth = (1..=fourth.len().min(3))
        .rev()
        .map(|length| &fourth[..length])
        .find(|octet| is_octet(octet))?;
    let octets = [&bytes[start..dot], second, third, fourth].map(parse_octet);
    let address = match octets {
        [Some(a), Some(b), Some(c), Some(d)] => Some([a, b, c, d]),
        _ => None,
    };
    Some((start..next_dot + 1 + fourth.len(), address))
}

/// Returns the digits from `offset` on, at most four.
pub(super) fn digits(bytes: &[u8], offset: usize) -> &[u8] {
    let rest = bytes.get(offset..).unwrap_or_default();
    let length = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    &rest[..length]
}

/// Returns whether the expression accepts `digits` as one of the four numbers.
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

/// Returns the value of one of the numbers. `None` if it has several digits and begins with 0.
fn parse_octet(digits: &[u8]) -> Option<u8> {
    if digits.len() > 1 && digits[0] == b'0' {
        return None;
    }
    digits.iter().try_fold(0_u8, |value, digit| value.checked_mul(10)?.checked_add(digit - b'0'))
}

/// Returns whether the address is global: outside all blocks of the IANA IPv4 special-purpose
/// registry that are not globally reachable. The blocks equal those of
/// `ipaddress.IPv4Address.is_global` in Python 3.13 and newer. Before, only 192.0.0.0 to 192.0.0.7
/// and two more of 192.0.0.0/24 were special.
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
            // The expression matches the first four numbers, which are not an address.
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
