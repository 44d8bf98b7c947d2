//! Turns the segments of UAX #29 into words, where both differ.
//!
//! Rules for words, Gopher's above all, were set with tokenizers that keep some segments together
//! and cut others. Six rules bring decisions on texts in alphabets in line with them. spaCy's
//! English tokenizer, which datatrove uses, has the same rules or similar ones:
//!
//! 1. Dots in a row are one word, and so are hyphens: `...`, `--`.
//! 2. Digits with `:` or `/` between them are one word, and so are a letter and a digit with `-`
//!    between: `12:30`, `24/11/2026`, `MI-11`.
//! 3. English endings after an apostrophe are words: `it` `'s`, `do` `n't`, `we` `'ll`.
//! 4. A URL with `://`, or a host with a path, is one word up to the next white space, without
//!    punctuation at its end.
//! 5. An e-mail address is one word.
//! 6. The dot after one letter or an abbreviation belongs to the word: `J.`, `U.S.`, `Mr.`
//!
//! Each decision needs only the new segment and the words before it, so the time is linear.

use super::Word;
use crate::abbreviations::is_abbreviation;
use crate::scalars::is_space;
use unicode_segmentation::UnicodeSegmentation;

/// A collector that turns segments into words.
pub(super) struct Joiner<'a> {
    text: &'a str,
    words: &'a mut Vec<Word>,
    /// Segments before this offset are part of a URL or e-mail address.
    pub(super) end: usize,
}

impl<'a> Joiner<'a> {
    pub(super) fn new(text: &'a str, words: &'a mut Vec<Word>) -> Joiner<'a> {
        Joiner { text, words, end: 0 }
    }

    /// Adds the next segment that is not all white space.
    #[inline]
    pub(super) fn push(&mut self, word: Word) {
        let bytes = self.text.as_bytes();
        let start = word.start as usize;
        if start < self.end {
            return;
        }
        let is_done = match bytes[start] {
            b'.' | b'-' | b'/' | b'@' | b'0'..=b'9' => self.join_segment(word),
            b'A'..=b'Z' | b'a'..=b'z' => {
                start > 0 && bytes[start - 1] == b'-' && self.follows_hyphen(word)
            }
            _ => false,
        };
        if is_done || (word.end - word.start > 2 && self.cut_english_ending(word)) {
            return;
        }
        self.words.push(word);
    }

    /// Joins the segment with words before it, if a rule applies. Returns whether it did.
    fn join_segment(&mut self, word: Word) -> bool {
        let bytes = self.text.as_bytes();
        let (start, end) = (word.start as usize, word.end as usize);
        let Some(last_word) =
            self.words.last().copied().filter(|last_word| last_word.end == word.start)
        else {
            return false;
        };
        let first_byte = bytes[start];
        let last_bytes = &bytes[last_word.range()];
        match first_byte {
            b'.' | b'-' => {
                // A segment with this first byte is longer only if combining marks follow.
                let is_joined = end == start + 1
                    && last_bytes.first() == Some(&first_byte)
                    && last_bytes.last() == Some(&first_byte);
                if is_joined && let Some(last_word) = self.words.last_mut() {
                    last_word.end = word.end;
                    last_word.chars += 1;
                }
                is_joined
                    || (first_byte == b'.'
                        && end == start + 1
                        && bytes.get(end) != Some(&b'.')
                        && self.is_abbreviated(last_word, end))
            }
            b'0'..=b'9' => {
                let [.., word_before, _] = self.words.as_slice() else { return false };
                let end_before = bytes[word_before.end as usize - 1];
                let is_joined = word_before.end == last_word.start
                    && match last_bytes {
                        b":" | b"/" => end_before.is_ascii_digit(),
                        b"-" => end_before.is_ascii_alphabetic(),
                        _ => false,
                    };
                if is_joined {
                    self.join_three(word);
                }
                is_joined
            }
            b'/' => {
                let begin = if last_bytes == b"/" {
                    self.scheme_start()
                } else {
                    looks_like_host(last_bytes).then_some(last_word.start)
                };
                begin.is_some_and(|begin| self.join_address(begin as usize, end))
            }
            _ => {
                let rest = &bytes[end..];
                let is_part =
                    |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
                let domain = &rest[..rest.iter().take_while(is_part).count()];
                let marks =
                    domain.iter().rev().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
                let domain = &domain[..domain.len() - marks];
                // An e-mail address is not extended by a further `@`. Otherwise a text could be one
                // address that grows with each `@`.
                let is_joined = last_word.end as usize != self.end
                    && last_bytes[0].is_ascii_alphanumeric()
                    && domain.contains(&b'.')
                    && is_border(&self.text[end + domain.len()..]);
                if is_joined {
                    self.end = end + domain.len();
                    self.replace_last(last_word.start as usize, self.end);
                }
                is_joined
            }
        }
    }

    /// Joins letters with a number before them, if a hyphen lies between.
    fn follows_hyphen(&mut self, word: Word) -> bool {
        let [.., word_before, hyphen] = self.words.as_slice() else { return false };
        let bytes = self.text.as_bytes();
        let is_joined = hyphen.end == word.start
            && hyphen.end - hyphen.start == 1
            && bytes[hyphen.start as usize] == b'-'
            && word_before.end == hyphen.start
            && bytes[word_before.end as usize - 1].is_ascii_digit();
        if is_joined {
            self.join_three(word);
        }
        is_joined
    }

    /// Joins the last two words and this one. The time does not depend on their lengths.
    fn join_three(&mut self, word: Word) {
        let middle = self.words.pop();
        for word in middle.into_iter().chain([word]) {
            if let Some(last_word) = self.words.last_mut() {
                last_word.end = word.end;
                last_word.chars += word.chars;
                last_word.is_symbol &= word.is_symbol;
                last_word.has_letter |= word.has_letter;
            }
        }
    }

    /// Joins the dot that ends at `end` with the word before it, if that word is one letter,
    /// letters with dots, or an abbreviation.
    fn is_abbreviated(&mut self, word: Word, end: usize) -> bool {
        let text = &self.text[word.range()];
        let is_joined = match text.as_bytes() {
            [letter] | [.., b'.', letter] => letter.is_ascii_alphabetic(),
            _ => is_abbreviation(text),
        };
        if is_joined {
            self.replace_last(word.start as usize, end);
        }
        is_joined
    }

    /// Returns the start of a URL whose scheme, `:` and `/` are the last words.
    fn scheme_start(&self) -> Option<u32> {
        let [.., scheme, colon, slash] = self.words.as_slice() else { return None };
        let is_scheme = scheme.end == colon.start
            && colon.end == slash.start
            && self.text.as_bytes()[colon.range()] == *b":"
            && self.text.as_bytes()[scheme.range()].iter().all(u8::is_ascii_alphabetic);
        is_scheme.then_some(scheme.start)
    }

    /// Makes everything from `begin` to the next white space one word.
    fn join_address(&mut self, begin: usize, start: usize) -> bool {
        let rest = &self.text[start..];
        let rest = &rest[..rest.find(is_space).unwrap_or(rest.len())];
        let is_mark =
            |c: char| c.is_ascii_punctuation() && !matches!(c, '/' | '_' | '=' | '&' | '#' | '-');
        let trimmed = rest.trim_end_matches(is_mark);
        let rest = if keeps_apostrophe(rest, trimmed.len()) { rest } else { trimmed };
        self.end = start + rest.len();
        while self.words.last().is_some_and(|word| word.start as usize > begin) {
            self.words.pop();
        }
        self.replace_last(begin, self.end);
        true
    }

    /// Replaces the last word.
    fn replace_last(&mut self, start: usize, end: usize) {
        self.words.pop();
        self.words.push(Word::at_range(self.text, start..end));
    }

    /// Cuts off an English ending. Returns whether there was one.
    #[inline]
    fn cut_english_ending(&mut self, word: Word) -> bool {
        let bytes = &self.text.as_bytes()[word.range()];
        let (second, third) = (bytes[bytes.len() - 2], bytes[bytes.len() - 3]);
        // An apostrophe, or the last byte of a curly one.
        let is_apostrophe = |byte| matches!(byte, b'\'' | 0x99);
        (is_apostrophe(second) || is_apostrophe(third)) && self.cut(word)
    }

    #[cold]
    fn cut(&mut self, word: Word) -> bool {
        let text = &self.text[word.range()];
        let Some(apostrophe) = text.rfind(['\'', '’']) else { return false };
        let ending = text[apostrophe..].trim_start_matches(['\'', '’']);
        let is_any =
            |endings: &[&str]| endings.iter().any(|known| ending.eq_ignore_ascii_case(known));
        let apostrophe = if is_any(&["s", "m", "d", "re", "ve", "ll"]) {
            apostrophe
        } else if is_any(&["t"]) && text[..apostrophe].ends_with(['n', 'N']) {
            apostrophe - 1
        } else {
            return false;
        };
        if apostrophe == 0 {
            return false;
        }
        let (start, end) = (word.start as usize, word.end as usize);
        self.words.push(Word::at_range(self.text, start..start + apostrophe));
        self.words.push(Word::at_range(self.text, start + apostrophe..end));
        true
    }
}

/// Returns whether the segment that ends at `offset` continues with an apostrophe. UAX #29 keeps an
/// apostrophe after a Hebrew letter and its marks.
fn keeps_apostrophe(text: &str, offset: usize) -> bool {
    let is_hebrew = |c| matches!(c, '\u{5D0}'..='\u{5F2}' | '\u{FB1D}'..='\u{FB4F}');
    text[offset..].starts_with('\'')
        && text[..offset].rfind(is_hebrew).is_some_and(|letter| {
            text[letter..]
                .split_word_bounds()
                .next()
                .is_some_and(|first| letter + first.len() > offset)
        })
}

/// Returns whether a segment of letters and digits certainly ends before `rest`. Otherwise a
/// segment might reach beyond the address, and the part beyond it would be lost.
fn is_border(rest: &str) -> bool {
    let mut following_chars = rest.chars();
    let Some(next) = following_chars.next() else { return true };
    match next {
        '_' => false,
        // Marks that occur within words and numbers.
        '.' | ':' | '\'' | ',' | ';' => following_chars
            .next()
            .is_none_or(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_'),
        _ => next.is_ascii() || "、。，；）」』》”»".contains(next),
    }
}

/// Returns whether this looks like the name of a host: parts with dots between, the last with at
/// least two letters.
fn looks_like_host(word: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', word) else { return false };
    let last_label = &word[dot + 1..];
    dot > 0 && last_label.len() > 1 && last_label.iter().all(u8::is_ascii_alphabetic)
}
