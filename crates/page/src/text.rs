//! How much text a run holds: scalars, gaps, punctuation.
//!
//! Specification 0.3. White space is Unicode `White_Space`, zero-width scalars count as nothing, everything else counts one.

use crate::lanes::{Lanes, first_lanes, sixteen};

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
        // The second half are full-width forms and the quotation marks of Chinese.
        ',' | '.' | '?' | ':' | ';' | '\'' | '"' | '!' | '%' | '(' | ')' | '，' | '。' | '？'
        | '！' | '、' | '；' | '：' | '“' | '”' | '‘' | '’' | '《' | '》' | '（' | '）' => {
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
            b',' | b'.' | b'?' | b':' | b';' | b'\'' | b'"' | b'!' | b'%' | b'(' | b')' => {
                byte::PUNCTUATION
            }
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
    // No byte of UTF-8 is 0xFF.
    count_without(text, 0, text.len(), 0xFF).unwrap_or_default()
}

/// Counts what stands in `page` from `start` to `end`, unless the byte `stop` is there.
#[inline]
pub(crate) fn count_without(page: &str, start: usize, end: usize, stop: u8) -> Option<TextCounts> {
    let mut counter = Counter::default();
    let bytes = page.as_bytes();
    let mut at = start;
    while at < end {
        // What follows the text in the page is loaded with it and left out.
        let inside = first_lanes(end - at);
        if let Some(lanes) = sixteen(bytes, at) {
            if lanes.equal(stop).bits() & inside != 0 {
                return None;
            }
            if counter.sixteen(lanes, inside) {
                at += 16;
                continue;
            }
        }
        // What is not ASCII is counted byte by byte up to the next sixteen.
        let piece = end.min(at + 16);
        while at < piece {
            if bytes[at] == stop {
                return None;
            }
            at += counter.scalar(page, at);
        }
    }
    Some(counter.counts)
}

/// How many bytes of `text` from `at` on can be written as they stand: visible scalars, and single blanks between them.
/// The first of them must be such, or a single blank after one. May stop early, but not before a visible byte
/// that ASCII has.
pub fn plain_len(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while let Some(lanes) = sixteen(bytes, end) {
        let blank = lanes.equal(b' ').bits();
        // Control characters, and first bytes of scalars that may be white, zero width or control characters.
        let other = lanes
            .at_most(0x1F)
            .or(lanes.equal(0x7F))
            .or(lanes.equal(0xC2))
            .or(lanes.between(0xE1, 0xE3));
        let other = other.or(lanes.equal(0xEF)).bits();
        let stops = other | (blank & ((blank | other) >> 1));
        if stops != 0 {
            return end + stops.trailing_zeros() as usize - at;
        }
        // What follows a blank in the last lane is seen next time.
        end += if blank >> 15 == 1 { 15 } else { 16 };
    }
    end - at
}

/// How many bits are set in each of three sixteens. In one go, since the instruction for it is not in every x86-64.
#[inline(always)]
fn ones(a: u32, b: u32, c: u32) -> [u32; 3] {
    let bits = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F;
    let sums = bytes + (bytes >> 8);
    [sums, sums >> 16, sums >> 32].map(|sum| sum as u32 & 0x1F)
}

#[derive(Default)]
struct Counter {
    counts: TextCounts,
    /// White space stands between the last visible scalar and here.
    gap: bool,
}

impl Counter {
    /// Counts those of sixteen bytes whose bits are set in `counted`, the first so many, if all are ASCII and none is NUL.
    #[inline]
    fn sixteen(&mut self, lanes: Lanes, counted: u32) -> bool {
        if (lanes.bits() | lanes.equal(0).bits()) & counted != 0 {
            return false;
        }
        let white = lanes.equal(b' ').or(lanes.between(9, 13)).bits();
        let visible = !white & counted;
        // Lanes that end a gap: visible, with white space before.
        let mut ends = visible & (white << 1 | u32::from(self.gap));
        if self.counts.chars == 0 {
            // Before the first visible scalar there is no gap.
            ends &= !(visible & visible.wrapping_neg());
        }
        let punctuation = lanes
            .between(b'!', b'"')
            .or(lanes.equal(b'%'))
            .or(lanes.between(b'\'', b')'))
            .or(lanes.equal(b','))
            .or(lanes.equal(b'.'))
            .or(lanes.between(b':', b';'))
            .or(lanes.equal(b'?'))
            .bits();
        let [visible, ends, punctuation] = ones(visible, ends, punctuation & counted);
        self.counts.chars += visible;
        self.counts.gaps += ends;
        self.counts.punctuation += punctuation;
        self.gap = white & counted & !(counted >> 1) != 0 && self.counts.chars > 0;
        true
    }

    /// Counts the scalar that begins at `at`, or the rest of one; gives its length in bytes.
    #[inline]
    fn scalar(&mut self, text: &str, at: usize) -> usize {
        let mut len = 1;
        let class = match BYTES[text.as_bytes()[at] as usize] {
            byte::DECODE => {
                let c = text[at..].chars().next().unwrap_or_default();
                len = c.len_utf8();
                match char_class(c) {
                    CharClass::Visible => byte::VISIBLE,
                    CharClass::Punctuation => byte::PUNCTUATION,
                    CharClass::White => byte::WHITE,
                    CharClass::ZeroWidth => byte::NOTHING,
                }
            }
            class => class,
        };
        // Gaps are counted where the next word begins, so trailing white space never counts.
        let visible = class <= byte::PUNCTUATION;
        self.counts.gaps += u32::from(visible & self.gap);
        self.counts.chars += u32::from(visible);
        self.counts.punctuation += u32::from(class == byte::PUNCTUATION);
        let white = class == byte::WHITE && self.counts.chars > 0;
        self.gap = !visible && (self.gap || white);
        len
    }
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
        fn equals_the_definition(text in "[ a-z]{0,20}[ a-z,.?!'%:;()\"\n\t]{0,40}[ a-z,.。\u{3000}中文\u{a0}é\u{200b}\0\n]{0,60}[ a-z,.]{0,40}") {
            prop_assert_eq!(count(&text), naive(&text));
        }
    }
}
