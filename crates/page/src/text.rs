//! How much text a run holds: scalars, gaps, punctuation.
//!
//! Specification 0.3. White space is Unicode `White_Space`, zero-width scalars count as nothing, everything else counts one.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod blocks;

#[cfg(target_arch = "x86_64")]
use avx2::ThirtyTwo;
use blocks::{Block, Classes, Sixteen, Stops};

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

/// Counts `text`, which holds no character references.
pub fn count(text: &str) -> TextCounts {
    // No byte of UTF-8 is 0xFF.
    count_without(text, 0, text.len(), 0xFF).unwrap_or_default()
}

/// Counts what stands in `page` from `start` to `end`, unless the byte `stop` is there.
#[inline]
pub(crate) fn count_without(page: &str, start: usize, end: usize, stop: u8) -> Option<TextCounts> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has both.
        return unsafe { count_with_avx2(page, start, end, stop) };
    }
    count_blocks::<Sixteen>(page, start, end, stop)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_with_avx2(page: &str, start: usize, end: usize, stop: u8) -> Option<TextCounts> {
    count_blocks::<ThirtyTwo>(page, start, end, stop)
}

/// The same, a block at a time. What cannot be told from bytes alone is decoded, one scalar at a time.
#[inline(always)]
fn count_blocks<B: Block>(page: &str, start: usize, end: usize, stop: u8) -> Option<TextCounts> {
    let mut counter = Counter::NEW;
    let mut at = start;
    while at < end {
        let block = B::load(page.as_bytes(), at);
        let Classes { white, punctuation, continuation, unclear } = block.classes();
        // What follows the text in the page is loaded with it and left out.
        let n = B::LEN.min(end - at).min(unclear.trailing_zeros() as usize);
        if n > 0 {
            let inside = u32::MAX >> (32 - n);
            if block.equal(stop) & inside != 0 {
                return None;
            }
            let visible = !(white | continuation) & inside;
            // What ends a gap: a visible scalar, with white space before.
            let ends = visible & (white << 1 | counter.gap);
            let [chars, gaps, punctuation] = B::ones([visible, ends, punctuation & inside]);
            counter.chars += chars;
            counter.gaps += gaps;
            counter.punctuation += punctuation;
            counter.gap = white >> (n - 1) & 1;
            at += n;
        }
        if n < B::LEN && at < end {
            let c = page[at..].chars().next()?;
            counter = counter.and(char_class(c));
            at += c.len_utf8();
        }
    }
    Some(counter.counts())
}

/// Where a stretch ends that begins at `at` and can be written as it stands: visible scalars, and single blanks between them.
/// The first of them must be such, or a single blank after one. May stop early. Never goes beyond `end`; what `text` holds
/// behind that is looked at too.
pub fn plain_end(text: &str, at: usize, end: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has it.
        return unsafe { plain_end_with_avx2(text, at, end) };
    }
    plain_end_of_blocks::<Sixteen>(text, at, end)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn plain_end_with_avx2(text: &str, at: usize, end: usize) -> usize {
    plain_end_of_blocks::<ThirtyTwo>(text, at, end)
}

#[inline(always)]
fn plain_end_of_blocks<B: Block>(text: &str, mut at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    while at < end {
        let Stops { blank, other } = B::load(bytes, at).stops();
        let stops = other | (blank & ((blank | other) >> 1));
        if stops != 0 {
            at += stops.trailing_zeros() as usize;
            break;
        }
        // What follows a blank in the last place is seen next time.
        at += B::LEN - (blank >> (B::LEN - 1)) as usize;
    }
    if at < end {
        at
    } else if bytes[end - 1] == b' ' {
        // The text ends here, so this blank stands between nothing.
        end - 1
    } else {
        end
    }
}

/// What has been counted of a text.
#[derive(Clone, Copy)]
struct Counter {
    chars: u32,
    /// Visible scalars behind white space; the first scalar is always one of them.
    gaps: u32,
    punctuation: u32,
    /// 1 if white space stands between the last visible scalar and here, or there was none yet; else 0.
    gap: u32,
}

impl Counter {
    const NEW: Counter = Counter { chars: 0, gaps: 0, punctuation: 0, gap: 1 };

    /// With one scalar more.
    #[inline(never)]
    fn and(mut self, class: CharClass) -> Counter {
        match class {
            CharClass::White => self.gap = 1,
            CharClass::ZeroWidth => {}
            CharClass::Visible | CharClass::Punctuation => {
                // Gaps are counted where the next word begins, so trailing white space never counts.
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

    /// Counts as every kind of processor does.
    fn all_ways(text: &str) -> Vec<TextCounts> {
        let portable = count_blocks::<Sixteen>(text, 0, text.len(), 0xFF);
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

    /// The definition of [`plain_end`], byte by byte, for a stretch that begins with a visible byte of ASCII.
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
                    let sixteen = plain_end_of_blocks::<Sixteen>(&text, 0, end);
                    assert_eq!(
                        [plain_end(&text, 0, end), sixteen],
                        [expected; 2],
                        "{text:?} {end}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn equals_the_definition(text in "[ a-z]{0,20}[ a-z,.?!'%:;()\"\n\t]{0,40}[ a-z,.。\u{3000}中文\u{a0}é\u{200b}\0\n]{0,60}[ a-z,.]{0,40}") {
            let expected = naive(&text);
            prop_assert!(all_ways(&text).iter().all(|counts| *counts == expected));
        }
    }
}
