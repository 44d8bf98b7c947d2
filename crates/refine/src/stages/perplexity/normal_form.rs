//! The normal form in which `CCNet` cuts texts into pieces.
//!
//! These steps follow one another:
//!
//! 1. White space at the ends is removed, and letters become lower case.
//! 2. Characters are decomposed (NFD), and marks are removed (general category Mn).
//! 3. Digits become 0, and a table of signs applies.
//! 4. Control characters are removed, line feeds included.

use crate::decomposed::each_without_marks;
use crate::lines::trim;
use crate::scalars::is_digit;

/// Writes the normal form of a text to `out`.
pub(super) fn write(text: &str, out: &mut String) {
    out.clear();
    let text = trim(text);
    if text.is_ascii() {
        let digit = |byte: u8| if byte.is_ascii_digit() { '0' } else { char::from(byte) };
        let bytes = text.bytes().filter(|byte| !byte.is_ascii_control());
        return out.extend(bytes.map(|byte| digit(byte.to_ascii_lowercase())));
    }
    // The end of a word matters for the lower case of a Greek letter.
    each_without_marks(&text.to_lowercase(), |c| match c {
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => {}
        '0'..='9' => out.push('0'),
        ' '..='~' => out.push(c),
        _ if is_digit(c) => out.push('0'),
        _ => push_sign(c, out),
    });
}

/// Appends a character, or what the table of signs has for it.
fn push_sign(c: char, out: &mut String) {
    out.push_str(match c {
        '，' | '、' => ",",
        '。' => ".",
        '．' => ". ",
        '„' | '”' | '“' | '«' | '»' | '」' | '「' | '《' | '》' => "\"",
        '´' | '’' => "'",
        '∶' | '：' => ":",
        '？' => "?",
        '！' => "!",
        '（' => "(",
        '）' => ")",
        '；' => ";",
        '–' | '━' | '►' => "-",
        '—' => " - ",
        '～' => "~",
        '…' => "...",
        '〈' => "<",
        '〉' => ">",
        '【' => "[",
        '】' => "]",
        '％' => "%",
        _ => return out.push(c),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_normalised_as_ccnet_does_it() {
        let mut out = String::new();
        for (text, expected) in [
            ("  Rain FELL,\n12 °C \t", "rain fell,00 °c"),
            ("Ärger — „so“ … １２３ ②", "arger  -  \"so\" ... 000 ②"),
            ("\u{85}A\u{a0}B\u{2003}", "a\u{a0}b"),
            ("İΣΑΣ ½", "iσας ½"),
            ("한글 が। ٣", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af} か। 0"),
            ("\u{7f}x\u{80}y\u{9f}", "xy"),
            (" \n", ""),
        ] {
            write(text, &mut out);
            assert_eq!(out, expected, "{text:?}");
        }
    }
}
