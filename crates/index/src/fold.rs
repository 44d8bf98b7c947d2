//! Folds words for comparison: lower case, without optional marks, in one form of Unicode.

use crate::segments::is_invisible;
use unicode_normalization::UnicodeNormalization;

/// Appends a word in lower case and composed form (NFC), the input of stemmers.
pub(crate) fn push_lowercase(word: &str, out: &mut String) {
    if word.is_ascii() {
        push_small(word, out);
        return;
    }
    let visible = word.chars().filter(|c| !is_invisible(*c));
    out.extend(visible.flat_map(char::to_lowercase).nfc());
}

/// Appends a word in lower case without optional marks.
///
/// Optional marks are those on Latin, Greek and Cyrillic letters, vowel signs of Arabic and points
/// of Hebrew. Most writers leave them out or cannot type them. Signs of Indic scripts and of Thai
/// stay, as do the marks of kana, since they make other letters. Compatibility forms (full width,
/// ligatures) become the usual ones.
pub(crate) fn fold(word: &str, out: &mut String) {
    if word.is_ascii() {
        push_small(word, out);
        return;
    }
    let parts = word.chars().nfkd().flat_map(char::to_lowercase).nfd();
    let kept_chars = parts.filter(|c| !is_left_out(*c));
    let plain = kept_chars.flat_map(|c| {
        let (first, second) = to_keyboard_letters(c);
        [Some(first), second].into_iter().flatten()
    });
    out.extend(plain.nfc());
}

/// Appends an ASCII word in lower case.
fn push_small(word: &str, out: &mut String) {
    let start = out.len();
    out.push_str(word);
    out[start..].make_ascii_lowercase();
}

fn is_left_out(c: char) -> bool {
    is_invisible(c)
        || matches!(
            c,
            '\u{300}'..='\u{36F}'
                | '\u{591}'..='\u{5C7}'
                | '\u{610}'..='\u{61A}'
                | '\u{640}'
                | '\u{64B}'..='\u{65F}'
                | '\u{670}'
        )
}

/// Replaces letters that Unicode does not decompose, as people type them on keyboards without these
/// letters.
fn to_keyboard_letters(c: char) -> (char, Option<char>) {
    match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' => ('d', None),
        'ı' => ('i', None),
        'ς' => ('σ', None),
        c => (c, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_marks_and_forms_do_not_count() {
        for (word, folded) in [
            ("Café", "cafe"),
            ("CAFE\u{301}", "cafe"),
            ("Straße", "strasse"),
            ("ÆØ", "aeo"),
            ("İstanbul", "istanbul"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδός", "οδοσ"),
            ("Ёлка", "елка"),
            ("ﬁx", "fix"),
            ("Ａ１", "a1"),
            ("ﾊﾟｿｺﾝ", "パソコン"),
            ("가", "가"),
            ("हिन्दी", "हिन्दी"),
            ("كِتَاب", "كتاب"),
            ("co\u{AD}op", "coop"),
        ] {
            let mut out = String::new();
            fold(word, &mut out);
            assert_eq!(out, folded, "{word}");
            let once = std::mem::take(&mut out);
            fold(&once, &mut out);
            assert_eq!(out, once, "folded twice");
        }
    }
}
