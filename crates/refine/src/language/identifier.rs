//! Identifies the language of texts.

use super::confidence;
use super::error::LanguageModelError;
use super::han::{self, Han};
use super::identified_language::{IdentifiedLanguage, Tag};
use super::sample::pieces;
use super::scratch::Scratch;
use super::script::{SCRIPTS, Script};
use super::tables::Tables;
use super::words::{Reader, Words};
use std::sync::LazyLock;

/// The built-in tables.
const BUILT_IN: &[u8] = include_bytes!("../../models/language.bin");

/// The fewest letters by which a text is identified.
const MIN_LETTERS: u32 = 3;

/// A syllable of Hangul or a Chinese character counts as this many letters of an alphabet.
const LETTERS_PER_CHARACTER: u32 = 3;

/// The largest share of tokens that are code, in percent. A text with more has no language.
const MAX_CODE_PERCENT: u32 = 30;

/// An identifier of languages. All threads share its tables.
#[derive(Debug)]
pub struct Identifier {
    tables: Tables,
    words: Words,
    han: Han,
}

impl Identifier {
    /// Returns the identifier with the built-in tables. The first call reads and checks them.
    pub fn built_in() -> &'static Identifier {
        static SHARED: LazyLock<Identifier> = LazyLock::new(|| {
            Identifier::read(BUILT_IN).expect("a test reads the tables that ship")
        });
        &SHARED
    }

    /// Creates an identifier with other tables: the bytes of a file that `write_tables` made.
    ///
    /// # Errors
    ///
    /// Every byte is checked: [`LanguageModelError::NotAModel`] if the file is of another kind,
    /// [`LanguageModelError::Version`] if this program cannot read its version,
    /// [`LanguageModelError::Damaged`] if its size or digest is wrong,
    /// [`LanguageModelError::Invalid`] if its contents break the format.
    pub fn read(bytes: &[u8]) -> Result<Identifier, LanguageModelError> {
        Ok(Identifier { tables: Tables::read(bytes)?, words: Words::new(), han: Han::new() })
    }

    /// Returns the codes of all languages that can be found, sorted.
    pub fn languages(&self) -> Vec<Tag<3>> {
        let characters = [*b"jpn", *b"kor", *b"yue", *b"zho"].into_iter().filter_map(Tag::new);
        let mut codes: Vec<_> =
            self.tables.languages.iter().map(|language| language.code).chain(characters).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Returns the language of most of the text. `None` in three cases: the text has fewer than
    /// three letters, more than 30 % of its tokens are program code, or its script belongs to no
    /// language of the tables.
    ///
    /// Takes time linear in the bytes it reads, at most `MAX_WHOLE_BYTES` (`sample.rs`), and
    /// allocates no memory.
    pub fn identify(&self, text: &str, scratch: &mut Scratch) -> Option<IdentifiedLanguage> {
        *scratch = Scratch::default();
        for piece in pieces(text) {
            self.words.read(piece, &mut Counter { identifier: self, scratch });
        }
        scratch.gather();
        if scratch.code_tokens * 100 > scratch.tokens * MAX_CODE_PERCENT {
            return None;
        }
        let characters = [Script::Hang, Script::Kana, Script::Hani];
        let count = |script: Script| scratch.letters[script as usize];
        let east =
            LETTERS_PER_CHARACTER * characters.iter().map(|&script| count(script)).sum::<u32>();
        let is_other = |number: &usize| {
            Script::from_number(*number).is_some_and(|script| !characters.contains(&script))
        };
        let main_script = (0..SCRIPTS)
            .filter(is_other)
            .max_by_key(|&number| (scratch.letters[number], std::cmp::Reverse(number)))?;
        let other_letters: u32 =
            (0..SCRIPTS).filter(is_other).map(|number| scratch.letters[number]).sum();
        let letters = scratch.letters[main_script];
        let all_letters = (east + other_letters) as f32;
        if east.max(letters) < MIN_LETTERS {
            return None;
        }
        if east >= letters {
            let found = han::decide(scratch);
            let score = found.likely * east as f32 / all_letters;
            return Some(IdentifiedLanguage {
                code: Tag::new(found.code)?,
                script: Tag::new(found.script)?,
                score,
            });
        }
        let (first, end) = self.tables.of_script[main_script];
        let (best, likely) = match end - first {
            0 => return None,
            1 => (first, letters as f32 / (letters as f32 + 1.0)),
            _ => confidence::best_language(
                &self.tables,
                first..end,
                scratch.grams[main_script],
                scratch,
            )?,
        };
        let language = self.tables.languages[best];
        Some(IdentifiedLanguage {
            code: language.code,
            script: Tag::new(language.script.tag())?,
            score: likely * letters as f32 / all_letters,
        })
    }
}

/// Counts the words and letters that are read of a text.
struct Counter<'a> {
    identifier: &'a Identifier,
    scratch: &'a mut Scratch,
}

impl Reader for Counter<'_> {
    #[inline]
    fn word(&mut self, script: Script, letters: &[u16]) {
        self.scratch.letters[script as usize] += letters.len() as u32 - 2;
        self.scratch.make_room(letters.len() - 1);
        let known_grams = self.identifier.tables.add(letters, &mut self.scratch.recent);
        self.scratch.grams[script as usize] += known_grams;
    }

    #[inline]
    fn letter(&mut self, script: Script, letter: char) {
        self.scratch.letters[script as usize] += 1;
        if script == Script::Hani {
            self.identifier.han.count(letter, self.scratch);
        }
    }

    #[inline]
    fn token(&mut self, is_code: bool) {
        self.scratch.tokens += 1;
        self.scratch.code_tokens += u32::from(is_code);
    }
}
