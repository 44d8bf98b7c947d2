//! Counts the text of a run: scalars, gaps, punctuation.
//!
//! By specification 0.3, white space is Unicode `White_Space`, zero-width scalars count nothing,
//! and any other scalar counts one.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod register;

use crate::bytes16::Bytes16;
#[cfg(target_arch = "x86_64")]
use crate::simd::Avx2;
#[cfg(target_arch = "x86_64")]
use avx2::Bytes32;
use register::{Classes, Register, StopBits};

/// Counts of one text. The counts of a subtree are the sums over its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextCounts {
    /// Unicode scalars that are neither white space nor zero width (nc).
    pub chars: u32,
    /// Stretches of white space strictly between such scalars (sp).
    pub gaps: u32,
    /// Punctuation scalars (pu).
    pub punctuation: u32,
}

/// How one scalar counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharClass {
    /// The scalar counts one.
    Visible,
    /// The scalar counts one, and as punctuation.
    Punctuation,
    /// The scalar ends a word.
    White,
    /// The scalar counts nothing.
    ZeroWidth,
}

/// Returns the class of a scalar.
pub fn char_class(c: char) -> CharClass {
    match c {
        // ASCII first, then full-width forms and the quotation marks of Chinese.
        ',' | '.' | '?' | ':' | ';' | '\'' | '"' | '!' | '%' | '(' | ')' | '，' | '。' | '？'
        | '！' | '、' | '；' | '：' | '“' | '”' | '‘' | '’' | '《' | '》' | '（' | '）' => {
            CharClass::Punctuation
        }
        // The HTML standard drops NUL from page text.
        '\0' | '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => CharClass::ZeroWidth,
        _ if c.is_whitespace() => CharClass::White,
        _ => CharClass::Visible,
    }
}

/// Counts `text` as written: character references are not decoded.
pub fn count(text: &str) -> TextCounts {
    // UTF-8 has no byte 0xFF.
    count_without(text, 0, text.len(), 0xFF).unwrap_or_default()
}

/// Counts the text of `page` from `start` to `end`; `None` if the text holds the byte `stop`.
#[inline]
pub(crate) fn count_without(page: &str, start: usize, end: usize, stop: u8) -> Option<TextCounts> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::new() {
        // SAFETY: an `Avx2` exists only where the processor has AVX2 and POPCNT.
        return unsafe { count_by_avx2(avx2, page, start, end, stop) };
    }
    count_by::<Bytes16>((), page, start, end, stop)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_by_avx2(avx2: Avx2, page: &str, start: usize, end: usize, stop: u8) -> Option<TextCounts> {
    count_by::<Bytes32>(avx2, page, start, end, stop)
}

/// Does the same as [`count_without`], but reads one register of bytes at a time. If the first byte
/// of a scalar does not decide its class, the scalar is decoded.
#[inline(always)]
fn count_by<R: Register>(
    proof: R::Proof,
    page: &str,
    start: usize,
    end: usize,
    stop: u8,
) -> Option<TextCounts> {
    let mut counter = Counter::NEW;
    let mut offset = start;
    while offset < end {
        let register = R::load_at(proof, page.as_bytes(), offset);
        let Classes { white, punctuation, continuation, unclear } = register.classes();
        // The register may reach beyond the end of the text; only its first `n` bytes count.
        let n = R::LEN.min(end - offset).min(unclear.trailing_zeros() as usize);
        if n > 0 {
            let valid_bits = u32::MAX >> (32 - n);
            if register.equal_bits(stop) & valid_bits != 0 {
                return None;
            }
            let visible = !(white | continuation) & valid_bits;
            // A gap ends at a visible scalar directly after white space.
            let ends = visible & (white << 1 | counter.gap);
            let [chars, gaps, punctuation] =
                R::count_ones([visible, ends, punctuation & valid_bits]);
            counter.chars += chars;
            counter.gaps += gaps;
            counter.punctuation += punctuation;
            counter.gap = white >> (n - 1) & 1;
            offset += n;
        }
        if n < R::LEN && offset < end {
            let c = page[offset..].chars().next()?;
            counter = counter.and(char_class(c));
            offset += c.len_utf8();
        }
    }
    Some(counter.counts())
}

/// Returns the end of a stretch of `text` that begins at `offset` and can be copied as written:
/// visible scalars with single blanks between them. At `offset` must be such a scalar, or a single
/// blank after one. The stretch ends at `end` at the latest, and may be shorter than possible. If
/// `offset` is `end` or after it, the result is `offset`.
///
/// The function reads bytes of `text` after `end`, but they do not change the result. `offset` and
/// `end` are offsets in bytes.
///
/// # Panics
///
/// If `end` lies beyond the end of `text`.
///
/// ```
/// use huller_page::text::plain_end;
///
/// assert_eq!(plain_end("Roads  shut.", 0, 12), 5);
/// assert_eq!(plain_end("Roads shut.", 0, 11), 11);
/// assert_eq!(plain_end("", 0, 0), 0);
/// ```
pub fn plain_end(text: &str, offset: usize, end: usize) -> usize {
    assert!(end <= text.len(), "a stretch of text ends within the text");
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::new() {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        return unsafe { plain_end_by_avx2(avx2, text, offset, end) };
    }
    plain_end_by::<Bytes16>((), text, offset, end)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn plain_end_by_avx2(avx2: Avx2, text: &str, offset: usize, end: usize) -> usize {
    plain_end_by::<Bytes32>(avx2, text, offset, end)
}

/// Finds the end as [`plain_end`] does, one register of bytes at a time.
#[inline(always)]
fn plain_end_by<R: Register>(proof: R::Proof, text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut offset = start;
    while offset < end {
        let StopBits { blank, other } = R::load_at(proof, bytes, offset).stops();
        let stops = other | (blank & ((blank | other) >> 1));
        if stops != 0 {
            offset += stops.trailing_zeros() as usize;
            break;
        }
        // A blank in the last place is loaded again, together with the byte after it.
        offset += R::LEN - (blank >> (R::LEN - 1)) as usize;
    }
    if offset < end || start >= end {
        offset
    } else if bytes[end - 1] == b' ' {
        // The stretch would end with a blank without a scalar after it.
        end - 1
    } else {
        end
    }
}

/// The counts of the text read so far.
#[derive(Clone, Copy)]
struct Counter {
    /// Number of visible scalars.
    chars: u32,
    /// Visible scalars that follow white space or are the first.
    gaps: u32,
    /// Number of punctuation scalars.
    punctuation: u32,
    /// 1 if white space has come since the last visible scalar, or if no visible scalar has come
    /// yet; else 0.
    gap: u32,
}

impl Counter {
    const NEW: Counter = Counter { chars: 0, gaps: 0, punctuation: 0, gap: 1 };

    /// Returns the counts after one more scalar.
    #[inline(never)]
    fn and(mut self, class: CharClass) -> Counter {
        match class {
            CharClass::White => self.gap = 1,
            CharClass::ZeroWidth => {}
            CharClass::Visible | CharClass::Punctuation => {
                // A gap counts where the next word begins, so trailing white space never counts.
                self.gaps += std::mem::take(&mut self.gap);
                self.chars += 1;
                self.punctuation += u32::from(class == CharClass::Punctuation);
            }
        }
        self
    }

    fn counts(self) -> TextCounts {
        let Counter { chars, gaps, punctuation, .. } = self;
        TextCounts { chars, gaps: gaps.saturating_sub(1), punctuation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Counts as the definition says, scalar by scalar.
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

    /// Returns the counts from the code for each kind of processor.
    fn all_ways(text: &str) -> Vec<TextCounts> {
        let portable = count_by::<Bytes16>((), text, 0, text.len(), 0xFF);
        vec![portable.expect("no byte of UTF-8 is 0xFF"), count(text)]
    }

    #[test]
    fn every_scalar_has_the_class_of_its_bytes() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}b a{c} b and so on, for as long as it takes");
            let expected = naive(&text);
            assert!(all_ways(&text).iter().all(|counts| *counts == expected), "{c:?}");
        }
    }

    #[test]
    fn a_byte_to_stop_at_is_found_inside_only() {
        let page = format!("&{}&{}", "a".repeat(70), "中文。".repeat(9));
        for end in 1..page.len() {
            let expected = (end <= 71).then(|| end as u32 - 1);
            let end = page.floor_char_boundary(end);
            assert_eq!(count_without(&page, 1, end, b'&').map(|counts| counts.chars), expected);
        }
    }

    /// Finds the end as the definition of [`plain_end`] says, byte by byte, for a stretch that
    /// begins with a visible byte of ASCII.
    fn naive_plain_end(text: &str, end: usize) -> usize {
        let bytes = text.as_bytes();
        let is_other = |b: u8| matches!(b, 0..=0x1F | 0x7F | 0xC2 | 0xE1..=0xE3 | 0xEF);
        let stops = |at: usize| match bytes[at] {
            b' ' => at + 1 == end || bytes[at + 1] == b' ' || is_other(bytes[at + 1]),
            b => is_other(b),
        };
        (0..end).find(|at| stops(*at)).unwrap_or(end)
    }

    #[test]
    fn plain_stretches_end_where_the_definition_says() {
        for c in
            ["x", "  ", " ", "\n", "\u{7f}", "\u{a0}", "é", "中", "。", "，", "\u{2003}", "\u{1}"]
        {
            for before in 1..70 {
                let text = format!("{} b{c}d{}", "a".repeat(before), "e".repeat(40));
                for end in [before + 1, before + 2, before + 2 + c.len(), text.len()] {
                    let expected = naive_plain_end(&text, end);
                    let portable = plain_end_by::<Bytes16>((), &text, 0, end);
                    assert_eq!(
                        [plain_end(&text, 0, end), portable],
                        [expected; 2],
                        "{text:?} {end}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_stretch_that_is_empty_ends_where_it_begins() {
        for text in ["", " ", "a b", &" ".repeat(40)] {
            for at in 0..=text.len() {
                for end in 0..=at {
                    let portable = plain_end_by::<Bytes16>((), text, at, end);
                    assert_eq!(
                        [plain_end(text, at, end), portable],
                        [at; 2],
                        "{text:?} {at} {end}"
                    );
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "within the text")]
    fn a_stretch_beyond_the_text_is_refused() {
        plain_end("Rain", 0, 5);
    }

    proptest! {
        #[test]
        fn equals_the_definition(text in "[ a-z]{0,20}[ a-z,.?!'%:;()\"\n\t]{0,40}[ a-z,.。\u{3000}中文\u{a0}é\u{200b}\0\n]{0,60}[ a-z,.]{0,40}") {
            let expected = naive(&text);
            prop_assert!(all_ways(&text).iter().all(|counts| *counts == expected));
        }
    }
}
