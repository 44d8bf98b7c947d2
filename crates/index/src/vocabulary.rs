//! Looks up words in the dictionaries of an index: words that begin alike, and words one letter
//! away.

use crate::analysis::STEM;
use crate::schema::Fields;
use crate::stems::Language;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Result, Searcher, Term};

/// Most words that a lookup returns: the most frequent ones.
const MAX_WORDS: usize = 32;

/// Most words that a lookup takes from a segment.
const MAX_SEGMENT_WORDS: usize = 4 * MAX_WORDS;

/// The words of an index.
pub(crate) struct Vocabulary<'i> {
    segments: &'i Searcher,
}

impl<'i> Vocabulary<'i> {
    pub(crate) fn new(segments: &'i Searcher) -> Vocabulary<'i> {
        Vocabulary { segments }
    }

    /// Returns the languages with stems that rows of the index have.
    pub(crate) fn languages(&self, fields: &Fields) -> Result<Vec<Language>> {
        let mut present = Vec::new();
        for language in Language::all() {
            for code in language.codes() {
                if self.has(fields.language, code)? {
                    present.push(language);
                    break;
                }
            }
        }
        Ok(present)
    }

    /// Returns whether a row has this term in a field.
    pub(crate) fn has(&self, field: Field, term: &str) -> Result<bool> {
        let term = Term::from_field_text(field, term);
        for segment in self.segments.segment_readers() {
            if segment.inverted_index(field)?.get_term_info(&term)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns words that begin with `prefix`, the most frequent first.
    pub(crate) fn with_prefix(&self, field: Field, prefix: &str) -> Result<Vec<String>> {
        let mut words = Frequencies::default();
        for segment in self.segments.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().range().ge(prefix).into_stream()?;
            while terms.advance() && terms.key().starts_with(prefix.as_bytes()) {
                words.add(terms.key(), terms.value().doc_freq);
            }
            words.end_segment();
        }
        Ok(words.most_frequent())
    }

    /// Returns words that become `word` if one letter is changed, added or removed, or if two
    /// neighbours are swapped, the most frequent first.
    pub(crate) fn one_letter_away(&self, field: Field, word: &str) -> Result<Vec<String>> {
        let query = FuzzyTermQuery::new(Term::from_field_text(field, word), 1, true);
        let mut words = Frequencies::default();
        for segment in self.segments.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().search(query.automaton()?).into_stream()?;
            while terms.advance() {
                if terms.key() != word.as_bytes() {
                    words.add(terms.key(), terms.value().doc_freq);
                }
            }
            words.end_segment();
        }
        Ok(words.most_frequent())
    }
}

/// The most frequent words of a lookup. Of a segment it takes some, so that an index of any size
/// takes no more memory.
#[derive(Default)]
struct Frequencies {
    of_segment: BinaryHeap<Reverse<(u32, Vec<u8>)>>,
    rows: HashMap<Vec<u8>, u64>,
}

impl Frequencies {
    /// Adds a term of the present segment, which `rows` rows have. Stems are left out.
    fn add(&mut self, term: &[u8], rows: u32) {
        if term.first() == Some(&(STEM as u8)) {
            return;
        }
        let is_full = self.of_segment.len() == MAX_SEGMENT_WORDS;
        if is_full && self.of_segment.peek().is_some_and(|Reverse((fewest, _))| *fewest >= rows) {
            return;
        }
        self.of_segment.push(Reverse((rows, term.to_owned())));
        if is_full {
            self.of_segment.pop();
        }
    }

    fn end_segment(&mut self) {
        for Reverse((rows, term)) in self.of_segment.drain() {
            *self.rows.entry(term).or_default() += u64::from(rows);
        }
    }

    fn most_frequent(self) -> Vec<String> {
        let mut words: Vec<_> = self.rows.into_iter().collect();
        words.sort_by(|(one, rows), (other, others)| others.cmp(rows).then_with(|| one.cmp(other)));
        words.truncate(MAX_WORDS);
        words.into_iter().filter_map(|(word, _)| String::from_utf8(word).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::schema::{STRING, Schema};
    use tantivy::{Index, TantivyDocument};

    #[test]
    fn words_are_looked_up_in_all_segments_and_frequent_ones_come_first() {
        let mut schema = Schema::builder();
        let field = schema.add_text_field("word", STRING);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 16 << 20).unwrap();
        for words in [["ferry", "ferries", "fern"], ["ferry", "merry", "\u{1}ferr"]] {
            for word in words {
                let mut document = TantivyDocument::default();
                document.add_text(field, word);
                writer.add_document(document).unwrap();
            }
            writer.commit().unwrap();
        }
        let searcher = index.reader().unwrap().searcher();
        let vocabulary = Vocabulary::new(&searcher);
        assert_eq!(vocabulary.with_prefix(field, "ferr").unwrap(), ["ferry", "ferries"]);
        assert_eq!(vocabulary.with_prefix(field, "fe").unwrap(), ["ferry", "fern", "ferries"]);
        assert_eq!(vocabulary.one_letter_away(field, "ferr").unwrap(), ["ferry", "fern"]);
        assert_eq!(vocabulary.one_letter_away(field, "frery").unwrap(), ["ferry"]);
        assert_eq!(vocabulary.one_letter_away(field, "ferry").unwrap(), ["merry"]);
        assert!(vocabulary.has(field, "fern").unwrap() && !vocabulary.has(field, "fer").unwrap());
    }

    #[test]
    fn a_lookup_keeps_few_words() {
        let mut words = Frequencies::default();
        for n in 0..10_000_u32 {
            words.add(format!("w{n}").as_bytes(), n);
        }
        assert_eq!(words.of_segment.len(), MAX_SEGMENT_WORDS);
        words.end_segment();
        let words = words.most_frequent();
        assert_eq!(
            (words.len(), &*words[0], &*words[MAX_WORDS - 1]),
            (MAX_WORDS, "w9999", "w9968")
        );
    }
}
