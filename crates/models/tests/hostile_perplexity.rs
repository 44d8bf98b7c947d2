//! Damaged and hostile models of `SentencePiece` and KenLM are refused, or read without panics.
//!
//! By default 300 mutants of each model are tried; with `HULLER_FULL=1` 2,000.

use huller_models::{ModelError, ModelFile, kenlm, sentencepiece};
use huller_testkit::allocations::{CountingAllocator, most_bytes};
use huller_testkit::perplexity::{MODELS, PLAIN_PIECES, WORDS, model};
use huller_testkit::random::Random;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const TEXT: &str = "  the rain <sep> \u{a0}Straßen\u{3000}ﬁ \u{301}河水 <c> ☃☃ the ";

/// Offsets of fields in files of KenLM.
const ORDER: usize = 88;
const MULTIPLIER: usize = 92;
const KIND: usize = 96;
const HAS_WORDS: usize = 100;
const TABLES: usize = 104;
const COUNTS: usize = 108;

fn read_words(bytes: Vec<u8>) -> Result<kenlm::Model, ModelError> {
    kenlm::Model::read(Arc::new(ModelFile::from_bytes(bytes)))
}

fn read_pieces(bytes: Vec<u8>) -> Result<sentencepiece::Model, ModelError> {
    sentencepiece::Model::read(&ModelFile::from_bytes(bytes))
}

fn is_words(bytes: &[u8]) -> bool {
    bytes.starts_with(b"mmap")
}

/// Reads a model and uses it. Returns the problem, if it is refused.
fn use_model(bytes: Vec<u8>) -> Result<(), String> {
    if is_words(&bytes) {
        let model = read_words(bytes).map_err(|error| error.to_string())?;
        let words = "▁the ▁f er r y <unk> the▁ </s> l l ▁ the".split(' ');
        assert!(!model.score(words.map(str::as_bytes)).is_nan());
        return Ok(());
    }
    let model = read_pieces(bytes).map_err(|error| error.to_string())?;
    let mut scratch = sentencepiece::Scratch::default();
    let len: usize = model.encode(TEXT, &mut scratch).map(str::len).sum();
    assert!(len < 100_000);
    Ok(())
}

/// Returns the file with other bytes at an offset.
fn with(bytes: &[u8], offset: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[offset..offset + new.len()].copy_from_slice(new);
    bytes
}

/// Returns the offset of the vocabulary in a model of this order.
fn vocabulary(order: usize) -> usize {
    (COUNTS + order * 8).next_multiple_of(8)
}

#[test]
fn hostile_models_of_words_are_refused_with_their_problem() {
    let at = vocabulary(3);
    let first = (at + 8..).step_by(12).find(|at| WORDS[*at..*at + 8] != [0; 8]).unwrap();
    let count = u64::from_le_bytes(WORDS[COUNTS..COUNTS + 8].try_into().unwrap());
    let words = at + 8 + (count as usize * 3 / 2) * 12;
    let number = |number: i32| number.to_le_bytes();
    let trie = "build_binary probing";
    for (name, bytes, problem) in [
        ("empty", Vec::new(), "not a binary model of KenLM"),
        ("ARPA", b"\\data\\\nngram 1=2\n".to_vec(), "build_binary probing"),
        ("another version", with(WORDS, 49, b"4"), "another version or machine"),
        ("another machine", with(WORDS, 60, &[0x3f, 0x80, 0, 0]), "another version or machine"),
        ("order 1", with(WORDS, ORDER, &[1]), "an order of 1 is not supported"),
        ("order 255", with(WORDS, ORDER, &[255]), "an order of 255 is not supported"),
        ("lower orders", with(WORDS, KIND, &number(1)), trie),
        ("trie", with(WORDS, KIND, &number(2)), "a trie of KenLM"),
        ("quantised", with(WORDS, KIND, &number(3)), "a quantised trie of KenLM"),
        ("compressed", with(WORDS, KIND, &number(4)), trie),
        ("both", with(WORDS, KIND, &number(5)), trie),
        ("unknown kind", with(WORDS, KIND, &number(-1)), "type of the model is unknown"),
        ("small tables", with(WORDS, MULTIPLIER, &0.5f32.to_le_bytes()), "multiplier"),
        ("no number", with(WORDS, MULTIPLIER, &f32::NAN.to_le_bytes()), "multiplier"),
        ("endless", with(WORDS, MULTIPLIER, &f32::INFINITY.to_le_bytes()), "multiplier"),
        ("huge tables", with(WORDS, MULTIPLIER, &f32::MAX.to_le_bytes()), "too early"),
        ("flag", with(WORDS, HAS_WORDS, &[7]), "flag"),
        ("tables", with(WORDS, TABLES, &number(1)), "version 1 of tables"),
        ("negative count", with(WORDS, COUNTS + 8, &(-1i64).to_le_bytes()), "negative"),
        ("huge count", with(WORDS, COUNTS + 16, &i64::MAX.to_le_bytes()), "too early"),
        ("many words", with(WORDS, COUNTS, &(1i64 << 40).to_le_bytes()), "number of words"),
        ("vocabulary", with(WORDS, at, &number(3)), "version 3 of the vocabulary"),
        ("no words", with(WORDS, at + 4, &number(0)), "number of words"),
        ("more words", with(WORDS, at + 4, &number(i32::MAX)), "number of words"),
        ("wild number", with(WORDS, first + 8, &number(-1)), "beyond the vocabulary"),
        ("full table", with(WORDS, at + 8, &[1; 3000]), "beyond the vocabulary"),
        ("infinity", with(WORDS, words, &f32::INFINITY.to_le_bytes()), "not finite"),
        ("more bytes", [WORDS, b"x"].concat(), "strings"),
        ("more strings", [WORDS, b"x\0"].concat(), "strings"),
    ] {
        let error = read_words(bytes).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(problem), "{name}: {error:?}");
    }
}

/// Returns a field of a message: its number, and bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let (low, high) = (bytes.len() & 0x7f | 0x80, bytes.len() >> 7);
    [&[number << 3 | 2, low as u8, high as u8], bytes].concat()
}

/// Returns a piece of a kind with a score.
fn piece(text: &[u8], score: f32, kind: u8) -> Vec<u8> {
    let score = [&[2 << 3 | 5][..], &score.to_le_bytes()].concat();
    field(1, &[field(1, text), score, vec![3 << 3, kind]].concat())
}

#[test]
fn hostile_models_of_pieces_are_refused_with_their_problem() {
    let unknown = piece(b"<unk>", 0., 2);
    let with_unknown = |more: Vec<u8>| [unknown.clone(), more].concat();
    let charsmap = |table: &[u8]| with_unknown(field(3, &field(2, table)));
    for (name, bytes, problem) in [
        ("empty", Vec::new(), "not a model of SentencePiece"),
        ("text", b"<unk>\t0".to_vec(), "not a model of SentencePiece"),
        ("ten", vec![0x0a], "too early"),
        ("no end", [&unknown[..], &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat(), "too early"),
        ("long number", [&unknown[..], &[0x08], &[0xff; 11]].concat(), "too long"),
        ("groups", [&unknown[..], &[0x0b]].concat(), "unknown type"),
        ("no unknown", piece(b"a", 0., 1), "not one piece for unknown"),
        ("two unknown", [unknown.clone(), unknown.clone()].concat(), "not one piece"),
        ("empty piece", with_unknown(piece(b"", 0., 1)), "empty"),
        ("no UTF-8", with_unknown(piece(b"\xff", 0., 1)), "no UTF-8"),
        ("no score", with_unknown(piece(b"a", f32::NAN, 1)), "not finite"),
        ("long piece", with_unknown(piece(&[b'a'; 4097], 0., 1)), "4096 bytes"),
        ("twice", with_unknown([piece(b"a", 0., 1), piece(b"a", 0., 4)].concat()), "occurs twice"),
        ("BPE", with_unknown(field(2, &[3 << 3, 2])), "the type BPE, instead of unigram"),
        ("word", with_unknown(field(2, &[3 << 3, 3])), "the type word"),
        ("char", with_unknown(field(2, &[3 << 3, 4])), "the type char"),
        ("another type", with_unknown(field(2, &[3 << 3, 77])), "the type unknown"),
        ("cut table", charsmap(&[9, 0, 0, 0, 1]), "too early"),
        ("odd table", charsmap(&[3, 0, 0, 0, 1, 1, 1]), "whole number"),
        ("table", charsmap(&[4, 0, 0, 0, 1, 1, 1, 1, 0xff]), "not UTF-8"),
        ("large", vec![0x0a; (32 << 20) + 1], "more than 32 MiB"),
    ] {
        let error = read_pieces(bytes).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(problem), "{name}: {error:?}");
    }
}

/// Returns how many times the bytes of a model are allocated to read it. The first 16 KiB are free.
fn memory(bytes: Vec<u8>) -> f64 {
    let len = bytes.len();
    let file = ModelFile::from_bytes(bytes);
    let (most, model) = most_bytes(|| sentencepiece::Model::read(&file));
    assert!(model.is_ok());
    most.saturating_sub(16 << 10) as f64 / len as f64
}

#[test]
fn models_take_at_most_twice_their_bytes() {
    let unknown = piece(b"<unk>", 0., 2);
    let mut random = Random::new(5);
    let mut with = |count: u32, piece_of: &mut dyn FnMut(u32, &mut Random) -> Vec<u8>| {
        let pieces = (0..count).flat_map(|at| piece(&piece_of(at, &mut random), -1., 1));
        memory(unknown.iter().copied().chain(pieces).collect())
    };
    let letters = |len: u32, random: &mut Random| -> Vec<u8> {
        (0..len).map(|_| b'a' + random.below(26) as u8).collect()
    };
    // Each byte of long pieces was a node once, and pairs of them share nearly all bytes.
    let long = with(2_000, &mut |_, random| letters(4_000, random));
    let mut last = Vec::new();
    let pairs = with(2_000, &mut |at, random| {
        last = if at % 2 == 0 { letters(3_999, random) } else { last.clone() };
        [&last[..], &[b'0' + (at % 2) as u8]].concat()
    });
    // The shortest pieces of which there are many.
    let short = with(110 * 110 * 20, &mut |at, _| {
        [at % 110, at / 110 % 110, at / 110 / 110].map(|byte| byte as u8 + 1).to_vec()
    });
    assert!(long < 1.2 && pairs < 1.2 && short < 2., "{long}, {pairs}, {short}");
}

#[test]
fn models_that_are_cut_are_refused_or_read() {
    for (name, bytes) in MODELS {
        assert_eq!(use_model(bytes.to_vec()), Ok(()), "{name}");
        for len in (0..bytes.len()).step_by(13) {
            let cut = use_model(bytes[..len].to_vec());
            // A message may end after any field, so the pieces at the end can be missing.
            assert!(!is_words(bytes) || cut.is_err(), "{name}, {len} bytes");
        }
    }
}

#[test]
fn mutants_are_refused_or_read() {
    let runs = if std::env::var_os("HULLER_FULL").is_some() { 2_000 } else { 300 };
    let mut read_anyway = 0;
    for (kind, (name, bytes)) in MODELS.iter().enumerate() {
        for seed in 0..runs {
            let mut random = Random::new(seed * 8 + kind as u32);
            let mut mutant = bytes.to_vec();
            for _ in 0..=random.below(2) {
                let among = if random.below(2) > 0 { bytes.len() as u32 - 8 } else { 150 };
                let at = random.below(among) as usize;
                let number = random.other_than(mutant[at].into());
                let len = [1, 4, 8][random.below(3) as usize];
                mutant = with(&mutant, at, &number.to_le_bytes()[..len]);
            }
            let start = Instant::now();
            read_anyway += u32::from(use_model(mutant).is_ok());
            assert!(start.elapsed() < Duration::from_secs(1), "{name}, seed {seed}");
        }
    }
    assert!(read_anyway > 0);
}

#[test]
fn long_texts_take_time_that_grows_with_them() {
    let pieces = read_pieces(PLAIN_PIECES.to_vec()).unwrap();
    let words = read_words(model("order-6").to_vec()).unwrap();
    let mut scratch = sentencepiece::Scratch::default();
    let mut took = |text: &str| {
        let start = Instant::now();
        let found = pieces.encode(text, &mut scratch);
        assert!(words.score(found.map(str::as_bytes)) < 0.);
        start.elapsed()
    };
    for part in ["the ", "☃", "a", "ﬁ", "\u{301}", " "] {
        let (short, long) = (took(&part.repeat(20_000)), took(&part.repeat(200_000)));
        assert!(long < short * 40 + Duration::from_millis(500), "{part:?}: {short:?}, {long:?}");
    }
}
