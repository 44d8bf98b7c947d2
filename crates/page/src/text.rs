//! How much text a run holds: scalars, gaps, punctuation.
//!
//! Specification 0.3. White space is Unicode White_Space, zero-width scalars count as nothing, everything else counts one.

/// Counts of one stretch of text. They add up over any split of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextCounts {
    /// Unicode scalars that are neither white space nor zero width (nc).
    pub chars: u32,
    /// White gaps strictly between such scalars (sp).
    pub gaps: u32,
    /// Punctuation scalars (pu).
    pub punctuation: u32,
}

/// What one scalar counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharClass {
    /// Counts one.
    Visible,
    /// Counts one, and as punctuation.
    Punctuation,
    /// Ends a word.
    White,
    /// Counts as nothing.
    ZeroWidth,
}

/// The class of a scalar.
pub fn char_class(c: char) -> CharClass {
    match c {
        ',' | '.' | '?' | ':' | ';' | '\'' | '"' | '!' | '%' | '(' | ')' => CharClass::Punctuation,
        '，' | '。' | '？' | '！' | '、' | '；' | '：' | '“' | '”' | '‘' | '’' | '《' | '》' | '（' | '）' => {
            CharClass::Punctuation
        }
        // NUL is dropped by the HTML standard wherever it stands in page text.
        '\0' | '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => CharClass::ZeroWidth,
        _ if c.is_whitespace() => CharClass::White,
        _ => CharClass::Visible,
    }
}

/// Classes of bytes in UTF-8. A byte that can begin something else than a visible scalar has a class of its own.
mod byte {
    pub(super) const VISIBLE: u8 = 0;
    pub(super) const PUNCTUATION: u8 = 1;
    pub(super) const WHITE: u8 = 2;
    pub(super) const NOTHING: u8 = 3;
    /// A first byte some of whose scalars are white, zero width or punctuation: decode it.
    pub(super) const DECODE: u8 = 4;
}

static BYTES: [u8; 256] = {
    let mut table = [byte::VISIBLE; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b',' | b'.' | b'?' | b':' | b';' | b'\'' | b'"' | b'!' | b'%' | b'(' | b')' => byte::PUNCTUATION,
            b' ' | 0x09..=0x0D => byte::WHITE,
            // Continuation bytes: their scalar was counted at its first byte.
            0 | 0x80..=0xBF => byte::NOTHING,
            // U+0080-00BF, U+1000-1FFF, U+2000-2FFF, U+3000-3FFF, U+F000-FFFF.
            0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF => byte::DECODE,
            _ => byte::VISIBLE,
        };
        b += 1;
    }
    table
};

/// Counts `text`, which holds no character references.
pub fn count(text: &str) -> TextCounts {
    let mut counts = TextCounts::default();
    let mut gap = false;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let class = match BYTES[bytes[at] as usize] {
            byte::DECODE => {
                let c = text[at..].chars().next().unwrap_or_default();
                at += c.len_utf8() - 1;
                match char_class(c) {
                    CharClass::Visible => byte::VISIBLE,
                    CharClass::Punctuation => byte::PUNCTUATION,
                    CharClass::White => byte::WHITE,
                    CharClass::ZeroWidth => byte::NOTHING,
                }
            }
            class => class,
        };
        at += 1;
        // Gaps are counted where the next word begins, so trailing white space never counts.
        let visible = class <= byte::PUNCTUATION;
        counts.gaps += u32::from(visible & gap);
        counts.chars += u32::from(visible);
        counts.punctuation += u32::from(class == byte::PUNCTUATION);
        gap = (gap & !visible) | ((class == byte::WHITE) & (counts.chars > 0));
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, word by word.
    fn naive(text: &str) -> TextCounts {
        let mut counts = TextCounts::default();
        let mut gap = false;
        for c in text.chars() {
            match char_class(c) {
                CharClass::White => gap = true,
                CharClass::ZeroWidth => {}
                class => {
                    if gap && counts.chars > 0 {
                        counts.gaps += 1;
                    }
                    gap = false;
                    counts.chars += 1;
                    counts.punctuation += u32::from(class == CharClass::Punctuation);
                }
            }
        }
        counts
    }

    #[test]
    fn every_scalar_has_the_class_of_its_bytes() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}b");
            assert_eq!(count(&text), naive(&text), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn equals_the_definition(text in "[ a-z,.。\u{3000}中文\u{a0}é\u{200b}\0\n]{0,60}") {
            prop_assert_eq!(count(&text), naive(&text));
        }
    }
}
