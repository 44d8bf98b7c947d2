//! Decomposes characters and removes their marks, as other programs do before they compare texts.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Calls `take` with each character of the canonical decomposition (NFD) of a text, but for
/// nonspacing marks (general category Mn).
pub(crate) fn each_without_marks(text: &str, mut take: impl FnMut(char)) {
    let mut rest = text;
    while !rest.is_empty() {
        // A decomposition does not reach across a character that begins one and is its own.
        let (plain, unstable) = rest.split_at(rest.find(|c| !is_stable(c)).unwrap_or(rest.len()));
        plain.chars().for_each(&mut take);
        let (unstable, text_after) =
            unstable.split_at(unstable.find(is_stable).unwrap_or(unstable.len()));
        unstable.nfd().filter(|c| !is_nonspacing_mark(*c)).for_each(&mut take);
        rest = text_after;
    }
}

/// Returns whether a character is common, no mark, and its own decomposition, and whether its
/// canonical combining class is 0.
#[inline]
fn is_stable(c: char) -> bool {
    matches!(
        c,
        '\0'..='\x7f'
            | '\u{430}'..='\u{438}' | '\u{43A}'..='\u{44F}' // Cyrillic
            | '\u{2010}'..='\u{2027}' // dashes, quotation marks
            | '\u{4E00}'..='\u{9FFF}' // Chinese characters
    )
}

/// Returns whether the general category of a character is Mn. Common ranges come first, since the
/// library searches a table.
#[inline]
fn is_nonspacing_mark(c: char) -> bool {
    match c {
        '\u{300}'..='\u{36F}' => true,
        ..'\u{300}'
        | '\u{370}'..='\u{482}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309B}'..='\u{3100}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{1100}'..='\u{11FF}' => false,
        _ => c.general_category() == GeneralCategory::NonspacingMark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::char::canonical_combining_class;

    fn without_marks(text: &str) -> String {
        let mut out = String::new();
        each_without_marks(text, |c| out.push(c));
        out
    }

    fn naive(text: &str) -> String {
        text.nfd().filter(|c| c.general_category() != GeneralCategory::NonspacingMark).collect()
    }

    #[test]
    fn every_character_is_classified_as_by_the_library() {
        for c in '\0'..=char::MAX {
            let is_mark = c.general_category() == GeneralCategory::NonspacingMark;
            assert_eq!(is_nonspacing_mark(c), is_mark, "{c:?}");
            let is_own = c.nfd().eq([c]) && canonical_combining_class(c) == 0;
            assert!(!is_stable(c) || (is_own && !is_mark), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn texts_are_decomposed_as_a_whole(
            text in "[aбй中がガ각 \u{301}\u{327}\u{302E}\u{16FF0}\u{1D165}’Å]{0,12}",
            any in ".{0,20}",
        ) {
            prop_assert_eq!(without_marks(&text), naive(&text));
            prop_assert_eq!(without_marks(&any), naive(&any));
        }
    }
}
