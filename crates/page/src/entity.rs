//! Character references (`&amp;`, `&#8217;`, `&nbsp`) by the HTML standard, section 13.2.5.72 and following.
//!
//! Cost is O(n): a reference is looked at once, over at most 32 bytes of name, and digits are read to their end without
//! going back. A name that is none stays as written.

mod names;
mod scalars;

pub use scalars::Scalars;

use memchr::memchr;
use names::{LEGACY, NAMES};

/// Where a reference stands: in an attribute value a name without `;` before `=` or a letter is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// In text.
    Text,
    /// In an attribute value.
    Attribute,
}

/// Longest name, without `&` and `;`.
const LONGEST_NAME: usize = 31;
/// Longest and shortest name that counts without `;`.
const LONGEST_LEGACY: usize = 6;
const SHORTEST_LEGACY: usize = 2;

const INDEX_SLOTS: usize = 8192;

/// FNV-1a: short keys, no state.
const fn hash(name: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < name.len() {
        hash = (hash ^ name[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash ^ (hash >> 15)) as usize % INDEX_SLOTS
}

/// From the hash of a name to its place in [`NAMES`] plus one.
static INDEX: [u16; INDEX_SLOTS] = {
    let mut index = [0; INDEX_SLOTS];
    let mut i = 0;
    while i < NAMES.len() {
        let mut slot = hash(NAMES[i].0.as_bytes());
        while index[slot] != 0 {
            slot = (slot + 1) % INDEX_SLOTS;
        }
        index[slot] = i as u16 + 1;
        i += 1;
    }
    index
};

fn lookup(name: &[u8]) -> Option<&'static str> {
    let mut slot = hash(name);
    loop {
        let (known, value) = NAMES[usize::from(INDEX[slot]).checked_sub(1)?];
        if known.as_bytes() == name {
            return Some(value);
        }
        slot = (slot + 1) % INDEX_SLOTS;
    }
}

/// What a reference stands for.
#[derive(Clone, Copy)]
enum Value {
    Scalar(char),
    /// One or two scalars.
    Named(&'static str),
}

/// Appends `text` to `out` with its character references decoded.
pub fn decode(text: &str, context: Context, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match reference(rest.as_bytes(), context) {
            Some((value, taken)) => {
                match value {
                    Value::Scalar(c) => out.push(c),
                    Value::Named(scalars) => out.push_str(scalars),
                }
                rest = &rest[taken..];
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
}

/// What the reference whose `&` stands before `rest` stands for, and the bytes it takes of `rest`; `None` if it is none.
fn reference(rest: &[u8], context: Context) -> Option<(Value, usize)> {
    match rest.first()? {
        b'#' => numeric(rest),
        first if first.is_ascii_alphanumeric() => named(rest, context),
        _ => None,
    }
}

fn named(rest: &[u8], context: Context) -> Option<(Value, usize)> {
    let window = &rest[..rest.len().min(LONGEST_NAME + 1)];
    let len = window.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(window.len());
    if window.get(len) == Some(&b';')
        && let Some(value) = lookup(&window[..len])
    {
        return Some((Value::Named(value), len + 1));
    }
    for len in (SHORTEST_LEGACY..=len.min(LONGEST_LEGACY)).rev() {
        let Ok(at) = LEGACY.binary_search_by(|name| name.as_bytes().cmp(&window[..len])) else {
            continue;
        };
        let follows = rest.get(len);
        if context == Context::Attribute
            && follows.is_some_and(|b| *b == b'=' || b.is_ascii_alphanumeric())
        {
            return None;
        }
        return Some((Value::Named(lookup(LEGACY[at].as_bytes())?), len));
    }
    None
}

fn numeric(rest: &[u8]) -> Option<(Value, usize)> {
    let hex = matches!(rest.get(1), Some(b'x' | b'X'));
    let (start, radix) = if hex { (2, 16) } else { (1, 10) };
    let mut at = start;
    let mut code: u32 = 0;
    while let Some(digit) = rest.get(at).and_then(|b| char::from(*b).to_digit(radix)) {
        // Anything over the last code point is the same error, so the number may stop growing there.
        code = (code * radix + digit).min(0x0011_0000);
        at += 1;
    }
    if at == start {
        return None;
    }
    if rest.get(at) == Some(&b';') {
        at += 1;
    }
    let scalar = match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[code as usize - 0x80],
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some((Value::Scalar(scalar), at))
}

/// What numeric references to C1 controls mean, since pages use them for windows-1252.
static WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        let mut out = String::new();
        decode(source, Context::Text, &mut out);
        out
    }

    #[test]
    fn every_name_is_found() {
        for (name, value) in &NAMES {
            assert_eq!(text(&format!("<&{name};>")), format!("<{value}>"), "{name}");
        }
        for name in &LEGACY {
            assert_eq!(
                text(&format!("&{name} ")),
                format!("{} ", lookup(name.as_bytes()).unwrap()),
                "{name}"
            );
        }
    }

    #[test]
    fn the_longest_name_wins_and_others_stay() {
        assert_eq!(text("&notin; &notit; &nosuch; &;& &amp;amp;"), "∉ ¬it; &nosuch; &;& &amp;");
    }

    #[test]
    fn numbers_out_of_range_become_replacements() {
        assert_eq!(
            text("&#0;&#xD800;&#x110000;&#99999999999999999999;"),
            "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(text("&#146;&#X41&#65;&#;&#x;"), "\u{2019}AA&#;&#x;");
    }

    #[test]
    fn an_attribute_keeps_query_strings() {
        let mut out = String::new();
        decode("?a=1&copy=2&lt=3&amp;x&not", Context::Attribute, &mut out);
        assert_eq!(out, "?a=1&copy=2&lt=3&x¬");
    }
}
