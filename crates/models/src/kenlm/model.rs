//! A model of KenLM, and the score of a sentence.

use super::hash::{extend, hash};
use super::table::{Slot, Table};
use crate::bytes::Reader;
use crate::error::ModelError;
use crate::file::ModelFile;
use std::ops::Range;
use std::sync::Arc;

/// The text at the beginning of all binary files of KenLM, up to the version of the format.
const MAGIC: &[u8] = b"mmap lm http://kheafield.com/code format version ";

/// The version of the format, and numbers of each type: 0.0, 1.0, -0.5, 1 and the largest of 32
/// bits, and 1 of 64 bits. They show the machine that wrote the file.
const REST: &[u8] = b"5\n\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\xbf\x01\0\0\0\xff\xff\xff\xff\0\0\0\0\x01\0\0\0\0\0\0\0";

/// The largest order.
const MAX_ORDER: usize = 6;

/// The bits of the backoff of an n-gram that is the beginning of no longer one.
const NO_LONGER: u32 = (-0.0f32).to_bits();

/// An n-gram model of KenLM. All threads share it.
#[derive(Debug)]
pub struct Model {
    file: Arc<ModelFile>,
    /// Words of the longest n-grams.
    order: usize,
    vocabulary: Table,
    /// Byte range of the weights of single words.
    words: Range<usize>,
    /// The tables of n-grams of 2 words and more, up to one less than the order.
    middle: Vec<Table>,
    longest: Table,
    /// Number of the word `<s>`, the beginning of a sentence.
    begin: u32,
    /// Number of the word `</s>`, the end of a sentence.
    end: u32,
}

/// The header of a file.
struct Header {
    multiplier: f32,
    has_strings: bool,
    /// The number of n-grams of each order.
    counts: Vec<u64>,
}

/// The logarithm and the backoff of an n-gram.
#[derive(Clone, Copy)]
struct Weights {
    /// Base 10.
    logarithm: f32,
    /// Logarithm of the backoff, base 10.
    backoff: f32,
    /// Whether the model has this n-gram with a word before it.
    has_longer: bool,
}

/// The words before the next one, the last first, and the backoffs of the n-grams that end with
/// the last.
#[derive(Clone, Copy, Default)]
struct Context {
    /// Numbers of the words.
    words: [u32; MAX_ORDER],
    /// Logarithms of the backoffs, base 10, by length of the n-gram.
    backoffs: [f32; MAX_ORDER],
    /// Number of words that count.
    len: usize,
}

impl Header {
    fn read(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<Header, ModelError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ModelError::NotAModel {
                expected: "binary model of KenLM, as `build_binary probing MODEL.arpa` writes it",
            });
        }
        reader.range(MAGIC.len() as u64)?;
        let rest = reader.range(REST.len() as u64)?;
        if bytes[rest] != *REST {
            let feature = "a model of KenLM from another version or machine".to_owned();
            return Err(ModelError::Unsupported { feature });
        }
        let order = usize::from(reader.u8()?);
        reader.range(3)?;
        let multiplier = f32::from_bits(reader.i32()?.cast_unsigned());
        let kind = match reader.i32()? {
            0 => None,
            1 => Some("a model of KenLM with lower-order costs"),
            2 | 4 => Some("a trie of KenLM"),
            3 | 5 => Some("a quantised trie of KenLM"),
            _ => return Err(reader.damaged("the type of the model is unknown")),
        };
        if let Some(kind) = kind {
            let feature =
                format!("{kind}, instead of a file of `build_binary probing MODEL.arpa`,");
            return Err(ModelError::Unsupported { feature });
        }
        let has_strings = reader.flag()?;
        reader.range(3)?;
        let version = reader.i32()?;
        if version != 0 {
            return Err(ModelError::Unsupported {
                feature: format!("version {version} of tables"),
            });
        }
        if !(2..=MAX_ORDER).contains(&order) {
            return Err(ModelError::Unsupported { feature: format!("an order of {order}") });
        }
        if !(multiplier > 1. && multiplier.is_finite()) {
            return Err(reader.damaged("the multiplier is not above 1"));
        }
        let counts = (0..order).map(|_| reader.long_count()).collect::<Result<_, _>>()?;
        let padding = reader.offset().next_multiple_of(size_of::<u64>()) - reader.offset();
        reader.range(padding as u64)?;
        Ok(Header { multiplier, has_strings, counts })
    }
}

impl Model {
    /// Reads a model and checks all of it, in time linear in the file.
    ///
    /// # Errors
    ///
    /// The file is no probing model of KenLM of order 2 to 6, or a value in it breaks the format.
    pub fn read(file: Arc<ModelFile>) -> Result<Model, ModelError> {
        let bytes = file.bytes();
        let reader = &mut Reader::new(bytes);
        let Header { multiplier, has_strings, counts } = Header::read(reader, bytes)?;
        let version = reader.i32()?;
        if version != 0 {
            let feature = format!("version {version} of the vocabulary");
            return Err(ModelError::Unsupported { feature });
        }
        let known = reader.count()?;
        // The count may leave out the word `<unk>`.
        let words = u32::try_from(counts[0]).ok().and_then(|words| words.checked_add(1));
        let words = words.filter(|words| (1..=*words).contains(&known));
        let words = words.ok_or_else(|| reader.damaged("the number of words is wrong"))?;
        let is_word = |values: &[u8]| {
            let is_known = u32_at(values, 0) < known;
            (!is_known).then_some("a word has a number beyond the vocabulary")
        };
        let vocabulary = Table::read(reader, bytes, (counts[0], multiplier), 12, is_word)?;
        let numbers = |values: &[u8]| {
            let are_finite = values.chunks_exact(4).all(|number| f32_at(number, 0).is_finite());
            (!are_finite).then_some("a number is not finite")
        };
        let words = reader.range(u64::from(words) * 8)?;
        if let Some(problem) = numbers(&bytes[words.clone()]) {
            return Err(ModelError::Damaged { offset: words.start, problem });
        }
        let Some((last, middle)) = counts[1..].split_last() else {
            return Err(reader.damaged("the order is less than 2"));
        };
        let middle = middle
            .iter()
            .map(|count| Table::read(reader, bytes, (*count, multiplier), 16, numbers))
            .collect::<Result<_, _>>()?;
        let longest = Table::read(reader, bytes, (*last, multiplier), 12, numbers)?;
        let strings = &bytes[reader.offset()..];
        let count = strings.split(|byte| *byte == 0).count() - 1;
        if count != if has_strings { known as usize } else { 0 } || strings.last() > Some(&0) {
            return Err(reader.damaged("the strings of the words are not as many as the words"));
        }
        let order = counts.len();
        let model = Model { order, vocabulary, words, middle, longest, begin: 0, end: 0, file };
        let (begin, end) = (model.number_of(b"<s>"), model.number_of(b"</s>"));
        Ok(Model { begin, end, ..model })
    }

    /// Returns the words of the longest n-grams.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the digest of the file.
    pub fn digest(&self) -> &str {
        self.file.digest()
    }

    /// Returns the logarithm to base 10 of the probability of a sentence of these words, between
    /// the marks of its beginning and its end.
    pub fn score<'w>(&self, words: impl Iterator<Item = &'w [u8]>) -> f32 {
        let begin = self.word(self.begin);
        let mut context = Context::default();
        context.push(self.begin, &[begin.backoff]);
        let words = words.map(|word| self.number_of(word)).chain([self.end]);
        words.fold(0., |sum, word| sum + self.score_word(word, &mut context))
    }

    /// Returns the logarithm of a word after a context, and adds the word to the context.
    fn score_word(&self, word: u32, context: &mut Context) -> f32 {
        let unigram = self.word(word);
        let mut backoffs = [unigram.backoff, 0., 0., 0., 0., 0.];
        let (mut matched, mut logarithm, mut has_longer) =
            (1, unigram.logarithm, unigram.has_longer);
        let mut slots = [(0, Slot::default()); MAX_ORDER];
        let mut key = u64::from(word);
        if has_longer {
            for (table, earlier_word) in context.words[..context.len].iter().enumerate() {
                key = extend(key, *earlier_word);
                slots[table] = (key, self.table(table).slot(self.file.bytes(), key));
            }
        }
        for (table, (key, slot)) in slots[..context.len].iter().enumerate() {
            if !has_longer {
                break;
            }
            let Some(weights) = self.ngram(table, *key, *slot) else { break };
            Weights { logarithm, has_longer, .. } = weights;
            backoffs[matched] = weights.backoff;
            matched += 1;
        }
        // The context is longer than the n-gram that was found.
        let shorter = context.backoffs[..context.len].iter().skip(matched - 1);
        let score = shorter.fold(logarithm, |sum, backoff| sum + backoff);
        context.push(word, &backoffs[..matched.min(self.order - 1)]);
        score
    }

    /// Returns the number of a word: 0 if the model does not know it.
    fn number_of(&self, word: &[u8]) -> u32 {
        let found = self.vocabulary.find(self.file.bytes(), hash(word));
        found.map_or(0, |values| u32_at(values, 0))
    }

    fn word(&self, word: u32) -> Weights {
        let words = &self.file.bytes()[self.words.clone()];
        // The number may have changed in the file since it was checked.
        words.get(word as usize * 8..).map_or(Weights::ZERO, Weights::read)
    }

    fn table(&self, table: usize) -> &Table {
        self.middle.get(table).unwrap_or(&self.longest)
    }

    /// Returns the weights of the n-gram with this key, whose first slot is known.
    fn ngram(&self, table: usize, key: u64, slot: Slot) -> Option<Weights> {
        let values = self.table(table).find_from(self.file.bytes(), key, slot)?;
        if table < self.middle.len() {
            return Some(Weights::read(values));
        }
        Some(Weights { logarithm: -f32_at(values, 0).abs(), ..Weights::ZERO })
    }
}

impl Weights {
    const ZERO: Weights = Weights { logarithm: 0., backoff: 0., has_longer: false };

    fn read(values: &[u8]) -> Weights {
        let logarithm = f32_at(values, 0);
        Weights {
            logarithm: -logarithm.abs(),
            backoff: f32_at(values, 4),
            has_longer: logarithm.is_sign_positive(),
        }
    }
}

impl Context {
    /// Adds a word. The backoffs are those of the n-grams that end with it, the shortest first.
    fn push(&mut self, word: u32, backoffs: &[f32]) {
        let is_beginning = |backoff: &f32| backoff.to_bits() != NO_LONGER;
        self.len = backoffs.iter().rposition(is_beginning).map_or(0, |longest| longest + 1);
        self.words.copy_within(..MAX_ORDER - 1, 1);
        self.words[0] = word;
        self.backoffs[..self.len].copy_from_slice(&backoffs[..self.len]);
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    bytes
        .get(offset..offset + 4)
        .map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes")))
}

fn f32_at(bytes: &[u8], offset: usize) -> f32 {
    f32::from_bits(u32_at(bytes, offset))
}
