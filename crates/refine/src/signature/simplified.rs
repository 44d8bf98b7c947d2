//! Simplifies texts as datatrove does before it compares them (`utils/text.py`, 0.10.1, with its
//! default `TextNormConfig`).

use crate::scalars::{is_punctuation, is_space};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Writes the simplified text to `out`, which it empties first. The text is in lower case, with `0`
/// for each number, spaces for punctuation, and letters without their marks. Runs of white space
/// become one space; white space at the ends is left out.
pub fn simplify(text: &str, out: &mut String) {
    out.clear();
    let text = text.to_lowercase();
    let mut spaced = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if is_digit(c) {
            rest = after_number(rest);
            push(&mut spaced, '0');
        } else if is_punctuation(c) || is_space(c) {
            push(&mut spaced, ' ');
        } else {
            push(&mut spaced, c);
        }
    }
    let plain = spaced.trim_end().nfd();
    out.extend(plain.filter(|c| c.general_category() != GeneralCategory::NonspacingMark));
    // Marks at the ends have left white space.
    out.truncate(out.trim_end().len());
    let leading = out.len() - out.trim_start().len();
    out.drain(..leading);
}

/// Appends a scalar. A space is left out at the start and after another space.
fn push(spaced: &mut String, c: char) {
    if c != ' ' || !(spaced.is_empty() || spaced.ends_with(' ')) {
        spaced.push(c);
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber)
}

/// Returns the rest after a number whose first digit was taken. The number continues with digits,
/// and at most once with a decimal mark and digits.
fn after_number(mut rest: std::str::Chars<'_>) -> std::str::Chars<'_> {
    let skip = |rest: &mut std::str::Chars<'_>| {
        let text = rest.as_str();
        *rest = text.trim_start_matches(is_digit).chars();
        rest.as_str().len() < text.len()
    };
    skip(&mut rest);
    let mut fraction = rest.clone();
    let mark = fraction.next();
    if matches!(mark, Some('.' | ',' | '،' | '٫' | '\u{2396}' | '\u{2397}' | '\u{2398}'))
        && skip(&mut fraction)
    {
        return fraction;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_simplified_as_datatrove_does() {
        let mut out = String::new();
        for (text, simple) in [
            ("", ""),
            (" \n", ""),
            ("The  Résumé, 3.14 or 1,000,000?", "the resume 0 or 0 0"),
            ("a\u{1C}b\u{85}c\u{A0}d", "a b c d"),
            ("ΟΔΟΣ İ ½ ١٢٣٫٤ 5.", "οδος i ½ 0 0"),
            ("´a¨ \u{301}b", "a¨ b"),
        ] {
            simplify(text, &mut out);
            assert_eq!(out, simple, "{text:?}");
        }
    }
}
