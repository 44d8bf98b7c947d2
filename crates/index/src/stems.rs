//! Stems of words, by the language of the row.

use crate::fold::{fold, lower};
use foldhash::fast::FixedState;
use frostem::{Algorithm, Stemmer};
use std::collections::HashMap;

/// Languages whose words have stems: codes of ISO 639-3 and 639-1, and the algorithm of Snowball.
const LANGUAGES: [(&[&str], Algorithm); 18] = [
    (&["ara", "arb", "ar"], Algorithm::Arabic),
    (&["dan", "da"], Algorithm::Danish),
    (&["nld", "nl"], Algorithm::Dutch),
    (&["eng", "en"], Algorithm::English),
    (&["fin", "fi"], Algorithm::Finnish),
    (&["fra", "fr"], Algorithm::French),
    (&["deu", "de"], Algorithm::German),
    (&["ell", "el"], Algorithm::Greek),
    (&["hun", "hu"], Algorithm::Hungarian),
    (&["ita", "it"], Algorithm::Italian),
    (&["nob", "nno", "nor", "no", "nb", "nn"], Algorithm::Norwegian),
    (&["pol", "pl"], Algorithm::Polish),
    (&["por", "pt"], Algorithm::Portuguese),
    (&["ron", "ro"], Algorithm::Romanian),
    (&["rus", "ru"], Algorithm::Russian),
    (&["spa", "es"], Algorithm::Spanish),
    (&["swe", "sv"], Algorithm::Swedish),
    (&["tur", "tr"], Algorithm::Turkish),
];

/// A language whose words have stems: its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language(usize);

impl Language {
    /// The language of a code.
    pub(crate) fn of(code: &str) -> Option<Language> {
        LANGUAGES.iter().position(|(codes, _)| codes.contains(&code)).map(Language)
    }

    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Language> {
        (0..LANGUAGES.len()).map(Language)
    }
}

/// Words that a cache holds before it is emptied: 6 MB at ten bytes a word.
const MOST_CACHED: usize = 1 << 16;

/// Longest word that is kept in a cache, in bytes.
const LONGEST_CACHED: usize = 64;

type Cache = HashMap<Box<str>, (Box<str>, Box<str>), FixedState>;

/// Folds words and finds their stems, and remembers what it found, since few words make most of a text.
#[derive(Clone, Default)]
pub(crate) struct Stems {
    /// By language; the last is for rows without one.
    caches: Vec<Cache>,
    cached: usize,
    lower: String,
    folded: String,
    stem: String,
}

impl Stems {
    /// The folded word, and its folded stem: empty where the language has no stems, or the stem is the word.
    pub(crate) fn of(&mut self, word: &str, language: Option<Language>) -> (&str, &str) {
        if language.is_none() && word.is_ascii() {
            self.folded.clear();
            fold(word, &mut self.folded);
            return (&self.folded, "");
        }
        let place = language.map_or(LANGUAGES.len(), |language| language.0);
        if self.caches.is_empty() {
            self.caches.resize_with(LANGUAGES.len() + 1, Cache::default);
        }
        if !self.caches[place].contains_key(word) {
            self.find(word, language);
            if word.len() > LONGEST_CACHED {
                return (&self.folded, &self.stem);
            }
            if self.cached == MOST_CACHED {
                self.caches.iter_mut().for_each(HashMap::clear);
                self.cached = 0;
            }
            self.cached += 1;
            let found = (self.folded.as_str().into(), self.stem.as_str().into());
            self.caches[place].insert(word.into(), found);
        }
        let (folded, stem) = &self.caches[place][word];
        (folded, stem)
    }

    fn find(&mut self, word: &str, language: Option<Language>) {
        self.folded.clear();
        self.stem.clear();
        fold(word, &mut self.folded);
        let Some(Language(at)) = language else { return };
        self.lower.clear();
        lower(word, &mut self.lower);
        fold(&Stemmer::new(LANGUAGES[at].1).stem(&self.lower), &mut self.stem);
        if self.stem == self.folded {
            self.stem.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_those_of_the_language_and_folded() {
        let mut stems = Stems::default();
        for (word, code, expected) in [
            ("Running", "eng", ("running", "run")),
            ("run", "eng", ("run", "")),
            ("Häuser", "deu", ("hauser", "haus")),
            ("mangées", "fra", ("mangees", "mang")),
            ("книги", "rus", ("книги", "книг")),
            ("Running", "und", ("running", "")),
            ("Étés", "und", ("etes", "")),
        ] {
            for _ in 0..2 {
                assert_eq!(stems.of(word, Language::of(code)), expected, "{word}");
            }
        }
    }
}
