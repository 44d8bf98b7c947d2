//! Simplifies texts as datatrove does before it compares them (`utils/text.py`, 0.10.1, with its
//! default `TextNormConfig`).

use crate::decomposed::each_without_marks;
use crate::scalars::{is_digit, is_punctuation, is_space};

/// Writes the simplified text to `out`, which it empties first. The text is in lower case, with `0`
/// for each number, spaces for punctuation, and letters without their marks. Runs of white space
/// become one space; white space at the ends is left out.
pub fn simplify(text: &str, out: &mut String) {
    out.clear();
    let mut spaced = String::with_capacity(text.len());
    // Only the lower case of this letter depends on the letters around it.
    if text.contains('Σ') {
        push_simplified(&text.to_lowercase(), &mut spaced);
    } else {
        push_simplified(text, &mut spaced);
    }
    if spaced.is_ascii() {
        out.push_str(&spaced);
    } else {
        out.reserve(spaced.len());
        each_without_marks(&spaced, |c| out.push(c));
    }
    // Marks at the ends have left white space.
    out.truncate(out.trim_end().len());
    let leading = out.len() - out.trim_start().len();
    out.drain(..leading);
}

/// Appends a text in lower case, with `0` for each number and one space for punctuation and white
/// space that follow each other.
fn push_simplified(text: &str, spaced: &mut String) {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c.is_ascii_alphabetic() {
            spaced.push(c.to_ascii_lowercase());
        } else if is_digit(c) {
            rest = after_number(rest);
            spaced.push('0');
        } else if is_punctuation(c) || is_space(c) {
            if !(spaced.is_empty() || spaced.ends_with(' ')) {
                spaced.push(' ');
            }
        } else {
            spaced.extend(c.to_lowercase());
        }
    }
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
    let separator = fraction.next();
    if matches!(separator, Some('.' | ',' | '،' | '٫' | '\u{2396}' | '\u{2397}' | '\u{2398}'))
        && skip(&mut fraction)
    {
        return fraction;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

    /// Simplifies a text step by step, as the function of datatrove does.
    fn naive(text: &str) -> String {
        let mut spaced = String::new();
        let lower = text.to_lowercase();
        let mut rest = lower.chars();
        while let Some(c) = rest.next() {
            if c.general_category() == GeneralCategory::DecimalNumber {
                rest = after_number(rest);
                spaced.push('0');
            } else if is_punctuation(c) || is_space(c) {
                spaced.push(' ');
            } else {
                spaced.push(c);
            }
        }
        let words: Vec<_> = spaced.split(' ').filter(|word| !word.is_empty()).collect();
        let is_mark = |c: &char| c.general_category() == GeneralCategory::NonspacingMark;
        words.join(" ").nfd().filter(|c| !is_mark(c)).collect::<String>().trim().to_owned()
    }

    proptest! {
        #[test]
        fn texts_are_simplified_as_step_by_step(
            text in "[aBбЙ中ガΣσ٣７1.,’ \n\u{301}\u{302E}İÅ。-]{0,16}",
            any in ".{0,30}",
        ) {
            let mut out = String::new();
            for text in [text, any] {
                simplify(&text, &mut out);
                prop_assert_eq!(&out, &naive(&text));
            }
        }
    }

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
