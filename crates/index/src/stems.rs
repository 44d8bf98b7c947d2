//! Stems of words, by the language of the row.

use crate::fold::{fold, push_lowercase};
use crate::word_cache::WordCache;
use frostem::{Algorithm, Stemmer};

/// Languages with stems: codes of ISO 639-3 and 639-1, and the Snowball algorithm.
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

/// A language with stems: its index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language(usize);

impl Language {
    /// Returns the language of a code.
    pub(crate) fn from_code(code: &str) -> Option<Language> {
        LANGUAGES.iter().position(|(codes, _)| codes.contains(&code)).map(Language)
    }

    /// Returns the codes of the language.
    pub(crate) fn codes(self) -> &'static [&'static str] {
        LANGUAGES[self.0].0
    }

    /// Returns all languages with stems.
    pub(crate) fn all() -> impl Iterator<Item = Language> {
        (0..LANGUAGES.len()).map(Language)
    }
}

/// Appends the folded word and its folded stem. The stem is left out if the language has no stems,
/// or if the stem equals the word.
pub(crate) fn forms(
    word: &str,
    language: Option<Language>,
    folded: &mut String,
    stem: &mut String,
) {
    fold(word, folded);
    let Some(Language(language_index)) = language else { return };
    let mut small = String::with_capacity(word.len());
    push_lowercase(word, &mut small);
    fold(&Stemmer::new(LANGUAGES[language_index].1).stem(&small), stem);
    if stem == folded {
        stem.clear();
    }
}

/// Computes the forms of words and caches them, since few words make up most of a text.
#[derive(Clone, Default)]
pub(crate) struct Stems {
    known: WordCache,
}

impl Stems {
    /// Replaces `folded` and `stem` by the forms from [`forms`].
    pub(crate) fn fill_forms(
        &mut self,
        word: &str,
        language: Option<Language>,
        folded: &mut String,
        stem: &mut String,
    ) {
        folded.clear();
        stem.clear();
        let is_ascii = word.is_ascii();
        if is_ascii {
            // An ASCII word is folded directly. Only the stem is looked up, and it is the same in
            // upper and lower case.
            fold(word, folded);
            if language.is_none() {
                return;
            }
        }
        let code = language.map_or(LANGUAGES.len(), |language| language.0) as u8;
        let is_known = if is_ascii {
            self.known.stem(code, folded, stem)
        } else {
            self.known.forms(code, word, folded, stem)
        };
        if is_known {
            return;
        }
        folded.clear();
        forms(word, language, folded, stem);
        if is_ascii {
            self.known.add_stem(code, folded, stem);
        } else {
            self.known.add_forms(code, word, folded, stem);
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
            let (mut folded, mut stem) = ("x".to_owned(), "y".to_owned());
            for _ in 0..2 {
                stems.fill_forms(word, Language::from_code(code), &mut folded, &mut stem);
                assert_eq!((folded.as_str(), stem.as_str()), expected, "{word}");
            }
        }
    }

    #[test]
    fn remembered_forms_are_those_that_are_found_anew() {
        let texts = include_str!("../../../data/gold.jsonl");
        let text =
            format!("{texts} Über die Häuser книги читали Книги ΟΔΟΣ كِتَاب naïve NAÏVE co\u{AD}op");
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '\u{AD}').collect();
        let mut stems = Stems::default();
        let (mut folded, mut stem) = (String::new(), String::new());
        for code in ["eng", "deu", "rus", "tur", "und"] {
            let language = Language::from_code(code);
            for word in &words {
                let (mut expected, mut its_stem) = (String::new(), String::new());
                forms(word, language, &mut expected, &mut its_stem);
                stems.fill_forms(word, language, &mut folded, &mut stem);
                assert_eq!((&folded, &stem), (&expected, &its_stem), "{word} {code}");
            }
        }
    }
}
