//! Reads one character reference.

use super::names::{LEGACY, NAMES};
use crate::fnv;

/// The place of a reference. In an attribute value, a name without `;` before `=`, a letter or a
/// digit is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// In text.
    Text,
    /// In an attribute value.
    Attribute,
}

/// Length in bytes of the longest name, without `&` and `;`.
const MAX_NAME_BYTES: usize = 31;
/// Lengths in bytes of the longest and the shortest name that counts without `;`.
const MAX_LEGACY_BYTES: usize = 6;
const MIN_LEGACY_BYTES: usize = 2;

const INDEX_SLOTS: usize = 8192;

/// Returns the slot where the search for a name begins.
const fn slot_of(name: &[u8]) -> usize {
    let mut hash = fnv::EMPTY_32;
    let mut i = 0;
    while i < name.len() {
        hash = fnv::add_32(hash, name[i]);
        i += 1;
    }
    (hash ^ (hash >> 15)) as usize % INDEX_SLOTS
}

/// The place in [`NAMES`], plus one, of the name in each slot; 0 if the slot is empty.
static INDEX: [u16; INDEX_SLOTS] = {
    let mut index = [0; INDEX_SLOTS];
    let mut i = 0;
    while i < NAMES.len() {
        let mut slot = slot_of(NAMES[i].0.as_bytes());
        while index[slot] != 0 {
            slot = (slot + 1) % INDEX_SLOTS;
        }
        index[slot] = i as u16 + 1;
        i += 1;
    }
    index
};

/// Returns the scalars that a name means; `None` if the standard has no such name.
pub(super) fn lookup(name: &[u8]) -> Option<&'static str> {
    let mut slot = slot_of(name);
    loop {
        let (known, value) = NAMES[usize::from(INDEX[slot]).checked_sub(1)?];
        if known.as_bytes() == name {
            return Some(value);
        }
        slot = (slot + 1) % INDEX_SLOTS;
    }
}

/// The meaning of a reference.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// One scalar, given by its number.
    Scalar(char),
    /// One or two scalars.
    Named(&'static str),
}

/// Returns the meaning of the reference that begins at the `&` directly before `after_ampersand`,
/// and its length in bytes without the `&`. Returns `None` if no reference begins there.
pub(super) fn reference(after_ampersand: &[u8], context: Context) -> Option<(Value, usize)> {
    match after_ampersand.first()? {
        b'#' => numeric_reference(after_ampersand),
        first if first.is_ascii_alphanumeric() => named_reference(after_ampersand, context),
        _ => None,
    }
}

fn named_reference(after_ampersand: &[u8], context: Context) -> Option<(Value, usize)> {
    let window = &after_ampersand[..after_ampersand.len().min(MAX_NAME_BYTES + 1)];
    let len = window.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(window.len());
    if window.get(len) == Some(&b';')
        && let Some(value) = lookup(&window[..len])
    {
        return Some((Value::Named(value), len + 1));
    }
    for len in (MIN_LEGACY_BYTES..=len.min(MAX_LEGACY_BYTES)).rev() {
        let Ok(name_index) = LEGACY.binary_search_by(|name| name.as_bytes().cmp(&window[..len]))
        else {
            continue;
        };
        let follows = after_ampersand.get(len);
        if context == Context::Attribute
            && follows.is_some_and(|b| *b == b'=' || b.is_ascii_alphanumeric())
        {
            return None;
        }
        return Some((Value::Named(lookup(LEGACY[name_index].as_bytes())?), len));
    }
    None
}

fn numeric_reference(after_ampersand: &[u8]) -> Option<(Value, usize)> {
    let hex = matches!(after_ampersand.get(1), Some(b'x' | b'X'));
    let (start, radix) = if hex { (2, 16) } else { (1, 10) };
    let mut offset = start;
    let mut code: u32 = 0;
    while let Some(digit) = after_ampersand.get(offset).and_then(|b| char::from(*b).to_digit(radix))
    {
        // All numbers beyond the last code point are the same error, so the number stops growing
        // there.
        code = (code * radix + digit).min(0x0011_0000);
        offset += 1;
    }
    if offset == start {
        return None;
    }
    if after_ampersand.get(offset) == Some(&b';') {
        offset += 1;
    }
    let scalar = match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[code as usize - 0x80],
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some((Value::Scalar(scalar), offset))
}

/// The scalars that numeric references to the C1 controls U+0080-009F mean: pages write them for
/// windows-1252.
static WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];
