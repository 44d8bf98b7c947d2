//! Cuts a text into words, and into runs of scripts without spaces.
//!
//! A word is a longest sequence of letters, digits and marks. UAX #29 uses the same letters, but
//! also joins words over some punctuation (`example.com`, `l'homme`, `3.5`). Here they are
//! separate, so that `example` finds `example.com` and `homme` finds `l'homme`. A query with the
//! joined form is a phrase, and finds the same places.

use unicode_normalization::char::is_combining_mark;

/// A segment of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Byte offset of its start.
    pub(crate) start: usize,
    /// Byte offset of its end.
    pub(crate) end: usize,
    /// Whether it is a run of a script without spaces.
    pub(crate) is_run: bool,
}

/// The class of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A letter or digit of a script with spaces.
    Word,
    /// A letter of a script without spaces, such as Chinese.
    Run,
    /// Continues a word or a run.
    Mark,
    /// A scalar that no word has.
    Other,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Word } else { Class::Other };
    }
    if is_invisible(c) || is_combining_mark(c) {
        return Class::Mark;
    }
    match c.is_alphanumeric() {
        false => Class::Other,
        true if is_unspaced(c) => Class::Run,
        true => Class::Word,
    }
}

/// Whether a scalar is invisible within words: a soft hyphen, or a joiner or non-joiner of letters.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}')
}

/// Whether a letter belongs to a script whose words are found by their scalars. These are scripts
/// without spaces between words, and Korean, which writes endings on words.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}' // Thai, Lao
            | '\u{1000}'..='\u{109F}' // Myanmar
            | '\u{1100}'..='\u{11FF}' // hangul jamo
            | '\u{1780}'..='\u{17FF}' // Khmer
            | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{318F}' // kana, bopomofo, compatibility jamo
            | '\u{31A0}'..='\u{31FF}'
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{A9E0}'..='\u{A9FF}' // Myanmar, extended
            | '\u{AA60}'..='\u{AA7F}'
            | '\u{AC00}'..='\u{D7FF}' // hangul
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FFDC}' // kana and hangul of half width
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Returns the first segment at or after a byte offset.
pub(crate) fn next(text: &str, from: usize) -> Option<Segment> {
    let bytes = text.as_bytes();
    let mut start = from;
    let is_run = loop {
        let first = *bytes.get(start)?;
        if first.is_ascii() {
            if first.is_ascii_alphanumeric() {
                break false;
            }
            start += 1;
            continue;
        }
        let c = text[start..].chars().next()?;
        match class(c) {
            Class::Word => break false,
            Class::Run => break true,
            // A mark without a letter before it.
            Class::Mark | Class::Other => start += c.len_utf8(),
        }
    };
    let wanted = if is_run { Class::Run } else { Class::Word };
    let mut end = start;
    while let Some(&first) = bytes.get(end) {
        if first.is_ascii() {
            if is_run || !first.is_ascii_alphanumeric() {
                break;
            }
            end += 1;
            continue;
        }
        let Some(c) = text[end..].chars().next() else { break };
        let class = class(c);
        if class != wanted && class != Class::Mark {
            break;
        }
        end += c.len_utf8();
    }
    Some(Segment { start, end, is_run })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(&str, bool)> {
        let mut at = 0;
        std::iter::from_fn(|| {
            let found = next(text, at)?;
            at = found.end;
            Some((&text[found.start..found.end], found.is_run))
        })
        .collect()
    }

    #[test]
    fn words_end_at_punctuation_and_scripts_without_spaces_are_runs() {
        assert_eq!(cut("l'homme, 3.5 x_y"), ["l", "homme", "3", "5", "x", "y"].map(|w| (w, false)));
        assert_eq!(cut("naïve cafe\u{301}!"), [("naïve", false), ("cafe\u{301}", false)]);
        assert_eq!(cut("हिन्दी भाषा"), [("हिन्दी", false), ("भाषा", false)]);
        assert_eq!(
            cut("東京Tower、スカイツリー"),
            [("東京", true), ("Tower", false), ("スカイツリー", true)]
        );
        assert_eq!(cut("iPhone을 산"), [("iPhone", false), ("을", true), ("산", true)]);
        assert_eq!(cut("ภาษาไทย ดี"), [("ภาษาไทย", true), ("ดี", true)]);
        assert!(cut(" \u{301}—«» ").is_empty());
    }

    #[test]
    fn every_letter_is_in_one_segment() {
        let text = "aß 1\u{AD}2 漢字かな交じり文 กขค\u{E48} x\u{200D}y ½ Ⅷ";
        let mut at = 0;
        let mut covered = String::new();
        while let Some(found) = next(text, at) {
            assert!(found.end > found.start && found.start >= at);
            covered.push_str(&text[found.start..found.end]);
            at = found.end;
        }
        let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let found: String = covered.chars().filter(|c| c.is_alphanumeric()).collect();
        assert_eq!(found, letters);
    }
}
