//! Repairs UTF-8 that was read as Windows-1252.
//!
//! Each scalar of such a text represents a byte, and together these bytes are UTF-8. Correct text
//! also contains such sequences of two to four scalars (`MAÇÃ”`, `é »` with a no-break space), so a
//! sequence is certain or possible. A certain one contains a sign that does not follow an accented
//! letter in any language: `€`, `¤`, `‰`, control characters. After the most common first letters,
//! letters such as `š` count too. Possible sequences are repaired only in lines with a certain one.
//! ftfy also repairs other encodings (Mac Roman, cp437, Windows-1251), text damaged twice, and
//! lossy sequences; this module does not.

/// Windows-1252 from 0x80 to 0x9F. Undefined bytes map to control characters, as in the WHATWG's
/// table.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Returns the scalar of a byte.
pub(super) fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Returns the byte of a scalar, if it is above 0x7F.
fn byte_of(c: char) -> Option<u8> {
    match c {
        '\u{80}'..='\u{FF}' => Some(c as u8),
        '\u{152}'..='\u{2122}' => {
            HIGH.iter().position(|high| *high == c).map(|index| 0x80 + index as u8)
        }
        _ => None,
    }
}

/// A sequence of scalars that may be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sequence {
    repaired: char,
    /// Number of bytes of the text that it replaces.
    length: usize,
    is_certain: bool,
}

/// Returns the sequence at the start of a text.
fn first_sequence(text: &str) -> Option<Sequence> {
    let mut chars = text.chars();
    let mut bytes = [byte_of(chars.next()?)?, 0, 0, 0];
    let count = match bytes[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let mut is_certain = false;
    for byte in &mut bytes[1..count] {
        let c = chars.next()?;
        *byte = byte_of(c).filter(|byte| matches!(byte, 0x80..=0xBF))?;
        is_certain |= is_telling(c);
    }
    // Letters after letters make a sequence certain if the first letter is the lead byte of
    // accented letters or of another script.
    let is_common = matches!(bytes[0], 0xC2 | 0xC3 | 0xCE..=0xD1 | 0xD7..=0xD9 | 0xE0..=0xF4);
    let letters = text.chars().skip(1).take(count - 1).any(|c| "ŠŒŽšœžŸªºµ".contains(c));
    let repaired = std::str::from_utf8(&bytes[..count]).ok()?.chars().next()?;
    let length = text.len() - chars.as_str().len();
    // A sequence that decodes to a control character is not text either.
    let is_text = !matches!(repaired, '\u{80}'..='\u{9F}');
    is_text.then_some(Sequence {
        repaired,
        length,
        is_certain: is_certain || (is_common && letters),
    })
}

/// Returns whether `c` never follows an accented letter in correct text.
fn is_telling(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9F}') || "€‚ƒ„†‡ˆ‰‹‘˜¡¢£¤¥¦¨©¬\u{AD}¯±¶¸¼½¾¿³¹".contains(c)
}

/// Writes the text with such sequences repaired. Returns false if no sequence is certain.
pub(super) fn repair(text: &str, out: &mut String) -> bool {
    // The first scalar of a sequence is U+00C2 to U+00F4.
    if !text.as_bytes().contains(&0xC3) {
        return false;
    }
    let mut is_changed = false;
    for line in text.split_inclusive('\n') {
        if is_mangled(line) {
            repair_line(line, out);
            is_changed = true;
        } else {
            out.push_str(line);
        }
    }
    is_changed
}

/// Returns the offset of the next scalar of U+00C0 to U+00FF, the only ones that begin a sequence.
fn next_lead(text: &str) -> Option<usize> {
    memchr::memchr(0xC3, text.as_bytes())
}

fn is_mangled(line: &str) -> bool {
    let mut rest = line;
    while let Some(lead) = next_lead(rest) {
        rest = &rest[lead..];
        match first_sequence(rest) {
            Some(sequence) if sequence.is_certain => return true,
            Some(sequence) => rest = &rest[sequence.length..],
            None => rest = &rest[2..],
        }
    }
    false
}

fn repair_line(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(lead) = next_lead(rest) {
        out.push_str(&rest[..lead]);
        rest = &rest[lead..];
        let length = if let Some(sequence) = first_sequence(rest) {
            out.push(sequence.repaired);
            sequence.length
        } else {
            out.push_str(&rest[..2]);
            2
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mangle(text: &str) -> String {
        text.bytes().map(windows_1252).collect()
    }

    #[test]
    fn what_was_read_as_windows_1252_is_repaired() {
        for text in [
            "café, naïve, Ärger, señor",
            "“quoted” – it’s…",
            "Привет, как дела?",
            "今天下雨。",
            "Ελληνικά κείμενα",
            "مرحبا بالعالم",
            "smile 😀 £5 §2",
            "Zażółć gęślą jaźń",
        ] {
            let mut out = String::new();
            assert!(repair(&mangle(text), &mut out), "{text}");
            assert_eq!(out, text);
            out.clear();
            assert!(!repair(text, &mut out), "{text}");
        }
    }

    #[test]
    fn honest_text_stays() {
        for text in ["MAÇÃ”", "«\u{A0}café\u{A0}»", "NÃO… SÃO–", "É™", "Â", "10 °C Ã", "à\u{A0}»"]
        {
            assert!(!repair(text, &mut String::new()), "{text}");
        }
    }
}
