//! The text of a row, with cached results of stages.

use crate::kept_lines::KeptLines;
use crate::perplexity::Perplexity;
use crate::signature::Signature;
use crate::words::{NumberedWords, Word, WordBuf, Words};
use std::ops::Range;

/// Most bytes of a buffer that are kept from one row to the next. Memory beyond that is released.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// The text of a row in progress. It caches the words, their numbers and the length for later
/// stages, and clears the cache when the text changes. The worker that owns this value reuses its
/// memory for every row.
///
/// ```
/// use huller_refine::Text;
///
/// let mut text = Text::default();
/// text.begin().push_str("Rain fell. Rain!");
/// let words: Vec<&str> = text.words().iter().collect();
/// assert_eq!(words, ["Rain", "fell", ".", "Rain", "!"]);
/// assert_eq!(text.numbered_words().numbers, [0, 1, 2, 0, 3]);
/// assert_eq!(text.chars(), 16);
/// ```
#[derive(Debug, Default)]
pub struct Text {
    content: String,
    /// The buffer in which the next text is written while this one is read.
    spare: String,
    /// The parts of a text that the next one keeps.
    kept: KeptLines,
    /// Number of Unicode scalars, once counted.
    chars: Option<usize>,
    words: WordBuf,
    signature: Signature,
    is_signed: bool,
    /// Number of tokens, once counted.
    tokens: Option<u64>,
    /// The classes of the row's text as JSON. Empty if no stage has found them.
    classes: String,
    /// The statements of rights as JSON. Empty if no stage has added any.
    rights: String,
    /// The perplexity of the row's text, if a stage has measured it.
    perplexity: Option<Perplexity>,
}

impl Text {
    /// Begins the text of the next row. The caller writes into the returned string.
    pub fn begin(&mut self) -> &mut String {
        self.forget();
        self.classes.clear();
        self.rights.clear();
        self.perplexity = None;
        clear(&mut self.content);
        clear(&mut self.spare);
        &mut self.content
    }

    /// Exchanges the text for another one, without copying either.
    pub fn swap(&mut self, text: &mut String) {
        self.forget();
        self.classes.clear();
        self.rights.clear();
        self.perplexity = None;
        std::mem::swap(&mut self.content, text);
    }

    /// Exchanges the text back, after [`Text::swap`]. The cache is cleared. The signature, the
    /// number of tokens, the classes, the statements of rights and the perplexity stay until
    /// another text is set.
    pub fn give_back(&mut self, text: &mut String) {
        let (is_signed, tokens, perplexity) = (self.is_signed, self.tokens, self.perplexity);
        let [classes, rights] = [&mut self.classes, &mut self.rights].map(std::mem::take);
        self.swap(text);
        (self.classes, self.rights) = (classes, rights);
        (self.is_signed, self.tokens, self.perplexity) = (is_signed, tokens, perplexity);
    }

    /// Returns the signature of the text, if a stage has made one. It is also available after
    /// [`Text::give_back`].
    pub fn signature(&self) -> Option<&Signature> {
        self.is_signed.then_some(&self.signature)
    }

    /// Sets the signature of the text, which stays until the text changes. `signature` receives the
    /// previous one, so that its memory can be reused.
    pub fn set_signature(&mut self, signature: &mut Signature) {
        std::mem::swap(&mut self.signature, signature);
        self.is_signed = true;
    }

    /// Returns the number of tokens of the text, if a stage has counted them. It is also available
    /// after [`Text::give_back`].
    pub fn tokens(&self) -> Option<u64> {
        self.tokens
    }

    /// Sets the number of tokens, which stays until the text changes.
    pub(crate) fn set_tokens(&mut self, tokens: u64) {
        self.tokens = Some(tokens);
    }

    /// Returns the classes of the text as a JSON object, if a stage has found them. They are those
    /// of the text as that stage saw it, and stay when later stages change the text. They are also
    /// available after [`Text::give_back`].
    pub fn classes(&self) -> Option<&str> {
        (!self.classes.is_empty()).then_some(&self.classes)
    }

    /// Calls `write` with an empty string for the classes and with the text.
    pub(crate) fn set_classes(&mut self, write: impl FnOnce(&mut String, &str)) {
        self.classes.clear();
        write(&mut self.classes, &self.content);
    }

    /// Returns the statements of rights as a JSON list, if a stage has added some to those of the
    /// row. They are also available after [`Text::give_back`].
    pub fn rights(&self) -> Option<&str> {
        (!self.rights.is_empty()).then_some(&self.rights)
    }

    /// Returns an empty string for the statements of rights.
    pub(crate) fn begin_rights(&mut self) -> &mut String {
        self.rights.clear();
        &mut self.rights
    }

    /// Returns the perplexity of the text, if a stage has measured it. It is that of the text as
    /// that stage saw it, as for [`Text::classes`].
    pub fn perplexity(&self) -> Option<Perplexity> {
        self.perplexity
    }

    /// Sets the perplexity of the text.
    pub(crate) fn set_perplexity(&mut self, perplexity: Perplexity) {
        self.perplexity = Some(perplexity);
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// Returns the number of Unicode scalars.
    pub fn chars(&mut self) -> usize {
        *self.chars.get_or_insert_with(|| self.content.chars().count())
    }

    /// Returns the words, in the order of the text.
    pub fn words(&mut self) -> Words<'_> {
        self.words.fill(&self.content);
        Words {
            text: &self.content,
            spans: self.words.spans(),
            are_external: self.words.are_external(),
        }
    }

    /// Returns the words and a number for each. Equal words have equal numbers.
    pub fn numbered_words(&mut self) -> NumberedWords<'_> {
        self.words.fill(&self.content);
        self.words.number(&self.content);
        let words = Words {
            text: &self.content,
            spans: self.words.spans(),
            are_external: self.words.are_external(),
        };
        NumberedWords { words, numbers: self.words.numbers(), counts: self.words.counts() }
    }

    /// Sets the words of the text until it changes, so that rules can be applied to the words of
    /// another tokenizer. `words` are byte ranges in ascending order that are not empty and do not
    /// overlap.
    ///
    /// # Panics
    ///
    /// If a range does not lie on scalar boundaries of the text.
    pub fn set_words(&mut self, words: impl IntoIterator<Item = Range<usize>>) {
        let text = &self.content;
        self.words.set(words.into_iter().map(|range| Word::at_range(text, range)));
    }

    /// Calls `write` with the old text and an empty string. If `write` returns true, that string
    /// becomes the text and the cache is cleared; otherwise everything stays unchanged. Returns the
    /// result of `write`.
    pub fn replace_with(&mut self, write: impl FnOnce(&str, &mut String) -> bool) -> bool {
        self.spare.clear();
        let is_new = write(&self.content, &mut self.spare);
        if is_new {
            std::mem::swap(&mut self.content, &mut self.spare);
            self.forget();
        }
        is_new
    }

    /// Does the same as [`Text::replace_with`] for a new text that consists of whole lines of the
    /// old one, with or without the white space at their ends. `write` notes each line in
    /// [`KeptLines`]. The words found so far stay valid, because a word boundary lies at both ends
    /// of a line.
    pub(crate) fn keep_lines(
        &mut self,
        write: impl FnOnce(&str, &mut String, &mut KeptLines) -> bool,
    ) -> bool {
        self.spare.clear();
        self.kept.begin();
        let is_new = write(&self.content, &mut self.spare, &mut self.kept);
        if is_new {
            std::mem::swap(&mut self.content, &mut self.spare);
            self.forget_figures();
            self.words.follow(self.kept.lines(), &self.spare);
        }
        is_new
    }

    /// Leaves out the lines for which `is_removed` returns true, with their line feeds. If the last
    /// line goes, the line feeds that then end the text go too. Returns the number of these lines.
    pub(crate) fn remove_lines(&mut self, mut is_removed: impl FnMut(&str) -> bool) -> u32 {
        let mut removed = 0;
        self.keep_lines(|old, new, all_kept| {
            // The start of the lines that are not copied yet.
            let mut copied_to = 0;
            for line in old.split_inclusive('\n') {
                if is_removed(line.trim_end_matches('\n')) {
                    let start = line.as_ptr().addr() - old.as_ptr().addr();
                    all_kept.push(copied_to..start, new.len());
                    new.push_str(&old[copied_to..start]);
                    copied_to = start + line.len();
                    removed += 1;
                }
            }
            if removed == 0 {
                return false;
            }
            all_kept.push(copied_to..old.len(), new.len());
            new.push_str(&old[copied_to..]);
            if copied_to == old.len() {
                let length = new.trim_end_matches('\n').len();
                new.truncate(length);
            }
            true
        });
        removed
    }

    fn forget(&mut self) {
        self.forget_figures();
        self.words.forget();
    }

    fn forget_figures(&mut self) {
        self.chars = None;
        self.is_signed = false;
        self.tokens = None;
    }
}

/// Empties a string, and releases memory that only a very large row needed.
fn clear(text: &mut String) {
    text.clear();
    text.shrink_to(MAX_KEPT_BYTES);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_in_progress::RowInProgress;
    use crate::signals::Signals;
    use crate::stage::Stage;
    use crate::stages::{C4, C4Settings, Lines};
    use proptest::prelude::*;

    /// Returns the text, its scalars, its words.
    fn measure(text: &mut Text) -> (String, usize, usize) {
        (text.as_str().to_owned(), text.chars(), text.words().len())
    }

    #[test]
    fn what_was_found_is_forgotten_when_the_text_changes() {
        let mut text = Text::default();
        text.begin().push_str("one two");
        assert_eq!(measure(&mut text), ("one two".to_owned(), 7, 2));
        assert!(!text.replace_with(|_, new| {
            new.push_str("thrown away");
            false
        }));
        assert_eq!(measure(&mut text), ("one two".to_owned(), 7, 2));
        assert!(text.replace_with(|old, new| {
            new.push_str(&old[..3]);
            true
        }));
        assert_eq!(measure(&mut text), ("one".to_owned(), 3, 1));
        text.swap(&mut String::from("今 天 .."));
        assert_eq!(measure(&mut text), ("今 天 ..".to_owned(), 6, 3));
        text.begin();
        assert_eq!(measure(&mut text), (String::new(), 0, 0));
    }

    #[test]
    fn a_signature_is_there_until_another_text_comes() {
        let (mut text, mut content) = (Text::default(), String::from("one"));
        assert_eq!(text.signature(), None);
        text.swap(&mut content);
        text.set_signature(&mut Signature { chars: 3, ..Signature::default() });
        text.give_back(&mut content);
        assert_eq!((content.as_str(), text.signature().unwrap().chars), ("one", 3));
        text.swap(&mut content);
        assert_eq!(text.signature(), None);
        text.set_signature(&mut Signature::default());
        text.replace_with(|_, _| true);
        assert_eq!(text.signature(), None);
    }

    #[test]
    fn words_may_be_given() {
        let mut text = Text::default();
        text.begin().push_str("don't — é");
        text.set_words([0..2, 2..5, 6..9, 10..12]);
        let words: Vec<_> = text.words().iter().collect();
        assert_eq!(words, ["do", "n't", "—", "é"]);
        let spans = text.words().spans;
        assert!(spans[2].is_symbol && !spans[2].has_letter && spans[2].chars == 1);
        assert!(!spans[3].is_symbol && spans[3].has_letter);
        assert_eq!(text.numbered_words().numbers, [0, 1, 2, 3]);
    }

    proptest! {
        #[test]
        fn words_of_lines_that_are_kept_are_those_of_the_new_text(
            content in "((a|one two|http://a.b/c|é|don't|x@y.z| |\u{308}|\u{3000}|\u{85}|\r|\u{1C}|[.] |[0-9]-|日本|Mr[.]|use cookies|[12]){0,5}\n){0,6}"
        ) {
            let c4 = C4::new(C4Settings { min_sentences: 0, min_words_per_line: 2, ..C4Settings::default() });
            let stages: [&dyn Stage; 2] = [&c4, &Lines::default()];
            for stage in stages {
                let (mut text, mut fresh, mut signals) = (Text::default(), Text::default(), Signals::disabled());
                text.begin().push_str(&content);
                text.numbered_words();
                let _ = stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals));
                fresh.begin().push_str(text.as_str());
                prop_assert_eq!(text.words().spans, fresh.words().spans);
                prop_assert_eq!(text.numbered_words().numbers, fresh.numbered_words().numbers);
            }
        }
    }
}
