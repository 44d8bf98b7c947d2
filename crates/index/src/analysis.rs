//! Makes the terms of a text for the index, and the terms of a query to look up.
//!
//! | in the text | terms, and where |
//! |---|---|
//! | a word | the folded word; if it differs, its folded stem after [`STEM`], at the same place |
//! | a run of *n* scalars of a script without spaces | at each of *n* places its scalar, and it and the next as a pair |
//!
//! So a phrase is a sequence of folded words and pairs. A run that a user types is also found
//! within a longer run. Words longer than [`MAX_WORD_BYTES`] take a position but have no term.

use crate::fold::fold;
use crate::segments::{Segment, next};
use crate::stems::{Language, Stems};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::UnicodeNormalization;

/// The name of the tokenizer in the schema.
pub(crate) const NAME: &str = "huller";

/// Prefix of stems, which keeps them apart from words.
pub(crate) const STEM: char = '\u{1}';

/// Separates the language code from the text in a value for the index.
pub(crate) const LANGUAGE_END: char = '\0';

/// Longest language code that is recognized, in bytes.
const MAX_CODE_BYTES: usize = 8;

/// Longest folded word that has a term, in bytes.
pub(crate) const MAX_WORD_BYTES: usize = 128;

/// Returns the value for the tokenizer: the text after its language code.
pub(crate) fn with_language(code: &str, text: &str) -> String {
    let code = if code.len() <= MAX_CODE_BYTES && !code.contains(LANGUAGE_END) { code } else { "" };
    [code, text].join(LANGUAGE_END.encode_utf8(&mut [0; 1]))
}

/// Splits a value into language and text.
fn language_of(value: &str) -> (Option<Language>, &str) {
    match value.bytes().take(MAX_CODE_BYTES + 1).position(|byte| byte == 0) {
        Some(end) => (Language::from_code(&value[..end]), &value[end + 1..]),
        None => (None, value),
    }
}

/// The tokenizer for titles and texts of rows.
#[derive(Clone, Default)]
pub(crate) struct Analysis {
    stems: Stems,
}

/// The terms of one text.
pub(crate) struct Terms<'a> {
    stems: &'a mut Stems,
    text: &'a str,
    language: Option<Language>,
    token: Token,
    /// Byte offset where the next segment may begin.
    at: usize,
    /// Position of the next segment, in words.
    place: usize,
    /// The stem to emit after the word, or empty.
    stem: String,
    /// The scalars of a run, the index of the next one, and whether its pair is next.
    run: Vec<char>,
    in_run: usize,
    is_pair: bool,
    /// Byte offset of that scalar if the run is as written; otherwise of the run.
    run_at: usize,
    is_as_written: bool,
}

impl Tokenizer for Analysis {
    type TokenStream<'a> = Terms<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Terms<'a> {
        let (language, text) = language_of(text);
        Terms {
            stems: &mut self.stems,
            text,
            language,
            token: Token::default(),
            at: 0,
            place: 0,
            stem: String::new(),
            run: Vec::new(),
            in_run: 0,
            is_pair: false,
            run_at: 0,
            is_as_written: true,
        }
    }
}

impl Terms<'_> {
    /// Takes the next word. Returns false if it has no term.
    fn begin_word(&mut self, segment: Segment) -> bool {
        let word = &self.text[segment.start..segment.end];
        self.stems.fill_forms(word, self.language, &mut self.token.text, &mut self.stem);
        self.token.position = self.place;
        self.place += 1;
        if self.token.text.is_empty() || self.token.text.len() > MAX_WORD_BYTES {
            self.stem.clear();
            return false;
        }
        true
    }

    /// Emits the next term of the run. Returns false at its end.
    fn next_in_run(&mut self) -> bool {
        let Some(&scalar) = self.run.get(self.in_run) else {
            self.run.clear();
            return false;
        };
        self.token.text.clear();
        self.token.text.push(scalar);
        self.token.position = self.place;
        if self.is_as_written {
            self.token.offset_from = self.run_at;
            self.token.offset_to = self.run_at + scalar.len_utf8();
        }
        match self.run.get(self.in_run + 1) {
            Some(&second) if self.is_pair => {
                self.token.text.push(second);
                self.token.offset_to += if self.is_as_written { second.len_utf8() } else { 0 };
            }
            Some(_) => {
                self.is_pair = true;
                return true;
            }
            None => {}
        }
        self.is_pair = false;
        self.in_run += 1;
        self.run_at += scalar.len_utf8();
        self.place += 1;
        true
    }
}

/// Returns the scalars of a run in compatibility form (NFKC), without invisible characters.
fn scalars(run: &str) -> impl Iterator<Item = char> {
    run.chars().filter(|c| !crate::segments::is_invisible(*c)).nfkc()
}

impl TokenStream for Terms<'_> {
    fn advance(&mut self) -> bool {
        if !self.stem.is_empty() {
            self.token.text.clear();
            self.token.text.push(STEM);
            self.token.text.push_str(&self.stem);
            self.stem.clear();
            return true;
        }
        if !self.run.is_empty() && self.next_in_run() {
            return true;
        }
        while let Some(segment) = next(self.text, self.at) {
            self.at = segment.end;
            (self.token.offset_from, self.token.offset_to) = (segment.start, segment.end);
            if segment.is_run {
                let run = &self.text[segment.start..segment.end];
                self.run.extend(scalars(run));
                self.is_as_written = run.chars().eq(self.run.iter().copied());
                (self.in_run, self.run_at) = (0, segment.start);
                if self.next_in_run() {
                    return true;
                }
            } else if self.begin_word(segment) {
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryWord {
    /// Its position in the phrase.
    pub(crate) place: usize,
    /// The term required at this position.
    pub(crate) term: String,
    /// The word as typed. Empty for pairs and scalars of runs, which have no stems.
    pub(crate) word: String,
}

/// Returns the terms that a phrase requires. The error is a word that is too long to be found.
pub(crate) fn query_words(phrase: &str) -> Result<Vec<QueryWord>, String> {
    let (mut asked, mut offset, mut position) = (Vec::new(), 0, 0);
    while let Some(segment) = next(phrase, offset) {
        offset = segment.end;
        let word = &phrase[segment.start..segment.end];
        if !segment.is_run {
            let mut folded = String::new();
            fold(word, &mut folded);
            if folded.len() > MAX_WORD_BYTES {
                return Err(word.to_owned());
            }
            if !folded.is_empty() {
                asked.push(QueryWord { place: position, term: folded, word: word.to_owned() });
            }
            position += 1;
            continue;
        }
        let run: Vec<char> = scalars(word).collect();
        let pairs = run.windows(2).map(|pair| pair.iter().collect::<String>());
        let alone = (run.len() == 1).then(|| run[0].to_string());
        for (offset_in_word, term) in pairs.chain(alone).enumerate() {
            asked.push(QueryWord { place: position + offset_in_word, term, word: String::new() });
        }
        position += run.len();
    }
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(code: &str, text: &str) -> Vec<(usize, String)> {
        let value = with_language(code, text);
        let mut analysis = Analysis::default();
        let mut stream = analysis.token_stream(&value);
        let mut found = Vec::new();
        while stream.advance() {
            found.push((stream.token().position, stream.token().text.clone()));
        }
        found
    }

    #[test]
    fn words_come_with_their_stems_at_one_place() {
        let expected = [(0, "running"), (0, "\u{1}run"), (1, "dogs"), (1, "\u{1}dog"), (2, "be")];
        assert_eq!(terms("eng", "Running dogs: be!"), expected.map(|(at, t)| (at, t.to_owned())));
        let expected = [(0, "running"), (1, "dogs")];
        assert_eq!(terms("", "Running dogs"), expected.map(|(at, t)| (at, t.to_owned())));
        let long = format!("a {} b", "x".repeat(MAX_WORD_BYTES + 1));
        assert_eq!(terms("und", &long), [(0, "a".to_owned()), (2, "b".to_owned())]);
    }

    #[test]
    fn runs_come_as_scalars_and_pairs() {
        let expected = [(0, "東"), (0, "東京"), (1, "京"), (2, "a"), (3, "都")];
        assert_eq!(terms("jpn", "東京 a 都"), expected.map(|(at, t)| (at, t.to_owned())));
    }

    #[test]
    fn what_is_asked_for_is_in_the_text_at_the_same_distances() {
        let text = "Das Haus in 東京大学 (Tōkyō-Daigaku) หอสมุด 3.5";
        let has = terms("deu", text);
        for phrase in ["haus in", "in 東京", "京大", "学 tokyo daigaku", "สมุ", "3.5", "大学 TŌKYŌ"]
        {
            let asked = query_words(phrase).unwrap();
            assert!(!asked.is_empty());
            let stands = has.iter().any(|(from, _)| {
                asked.iter().all(|a| has.contains(&(from + a.place, a.term.clone())))
            });
            assert!(stands, "{phrase}: {asked:?}");
        }
        assert!(query_words(&"y".repeat(MAX_WORD_BYTES + 1)).is_err());
        assert!(query_words("— !").unwrap().is_empty());
    }
}
