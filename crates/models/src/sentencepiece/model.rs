//! A unigram model, and the best pieces of a text.

use super::message::{Message, Value};
use super::normaliser::Normaliser;
use super::trie::Trie;
use crate::error::ModelError;
use crate::file::ModelFile;
use std::ops::Range;
use std::sync::LazyLock;

/// Most bytes of a model file. The largest in use have 5 MB.
const MAX_FILE_BYTES: usize = 32 << 20;

/// Most bytes of a piece.
const MAX_PIECE_BYTES: usize = 4096;

/// Most elements of a buffer that are kept for the next text.
const MAX_KEPT_ELEMENTS: usize = 1 << 18;

/// Sums below this start again at 0, as in version 0.2.3. Single precision would be too coarse.
const LOWEST_SUM: f32 = -100_000.;

/// The score of an unknown character is that of the worst piece without this.
const UNKNOWN_COST: f32 = 10.;

/// The pieces of bytes.
static BYTE_PIECES: LazyLock<[String; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| format!("<0x{byte:02X}>")));

/// A unigram model of `SentencePiece`. All threads share it.
#[derive(Debug)]
pub struct Model {
    digest: String,
    normaliser: Normaliser,
    /// The pieces with their scores.
    pieces: Trie,
    /// Score of a character that no piece has.
    unknown_score: f32,
    /// Whether unknown characters become bytes.
    has_bytes: bool,
}

/// The buffers of one thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    text: String,
    /// The best way to each byte of the text.
    paths: Vec<BestPath>,
    pieces: Vec<Piece>,
}

/// The best pieces up to a byte of the text.
#[derive(Clone, Copy, Debug)]
struct BestPath {
    /// Sum of the scores of the pieces.
    score: f32,
    /// The start of the last piece, or [`BestPath::UNREACHED`].
    start: u32,
    is_unknown: bool,
}

impl BestPath {
    const UNREACHED: u32 = u32::MAX;
    const NEW: BestPath = BestPath { score: 0., start: BestPath::UNREACHED, is_unknown: false };

    /// Notes a way to this place, if it is better than the one known.
    #[inline]
    fn offer_way(&mut self, score: f32, start: u32, is_unknown: bool) {
        if self.start == BestPath::UNREACHED || score > self.score {
            *self = BestPath { score, start, is_unknown };
        }
    }
}

#[derive(Clone, Debug)]
struct Piece {
    /// Byte range in the normalised text.
    range: Range<u32>,
    is_unknown: bool,
}

/// Kinds of pieces, by their number in files.
mod kind {
    pub(super) const NORMAL: u64 = 1;
    pub(super) const UNKNOWN: u64 = 2;
    pub(super) const OF_USER: u64 = 4;
}

/// A piece that occurs in texts: its range in the file, and its score.
#[derive(Clone, Copy)]
struct PieceEntry {
    start: u32,
    len: u16,
    is_user_defined: bool,
    score: f32,
}

impl PieceEntry {
    /// Returns the piece, from the file that it is in.
    fn text(self, file: &[u8]) -> &[u8] {
        &file[self.start as usize..][..usize::from(self.len)]
    }
}

/// The pieces of a model while it is read.
struct PieceList {
    pieces: Vec<PieceEntry>,
    /// The lowest score of a normal piece.
    lowest: Option<f32>,
    /// The number of pieces for unknown characters.
    unknown: usize,
}

impl PieceList {
    /// Creates the list of a file, with room for its pieces.
    fn new(message: &Message<'_>) -> Result<PieceList, ModelError> {
        let (mut message, mut count) = (message.clone(), 0);
        while let Some((field, _)) = message.next()? {
            count += usize::from(field == 1);
        }
        Ok(PieceList { pieces: Vec::with_capacity(count), lowest: None, unknown: 0 })
    }

    /// Reads the message `SentencePiece` in a range of a file.
    fn add(&mut self, bytes: &[u8], range: Range<usize>) -> Result<(), ModelError> {
        let mut message = Message::new(bytes, range)?;
        let (mut piece, mut score, mut kind) = (0..0, 0f32, kind::NORMAL);
        while let Some((field, value)) = message.next()? {
            match (field, value) {
                (1, Value::Bytes(range)) => piece = range,
                (2, Value::Bits(bits)) => score = f32::from_bits(bits),
                (3, Value::Number(number)) => kind = number,
                _ => {}
            }
        }
        let is_text = str::from_utf8(&bytes[piece.clone()]).is_ok();
        if piece.is_empty() || !is_text || !score.is_finite() {
            return Err(message.damaged("a piece is empty or no UTF-8, or its score is not finite"));
        }
        if piece.len() > MAX_PIECE_BYTES {
            return Err(message.damaged("a piece has more than 4096 bytes"));
        }
        match kind {
            kind::NORMAL => {
                self.lowest = Some(self.lowest.map_or(score, |lowest| lowest.min(score)));
            }
            kind::OF_USER => {}
            // Texts have no pieces of other kinds: control symbols, bytes, unused ones.
            _ => {
                self.unknown += usize::from(kind == kind::UNKNOWN);
                return Ok(());
            }
        }
        // The file has at most 32 MiB.
        let (start, len) = (piece.start as u32, piece.len() as u16);
        self.pieces.push(PieceEntry { start, len, is_user_defined: kind == kind::OF_USER, score });
        Ok(())
    }

    /// Makes the trie of the pieces. `None` if a piece occurs twice.
    fn trie(&mut self, bytes: &[u8]) -> Option<Trie> {
        self.pieces.sort_unstable_by(|left, right| left.text(bytes).cmp(right.text(bytes)));
        let piece = |index: usize| (self.pieces[index].text(bytes), self.pieces[index].score);
        Trie::new(self.pieces.len(), piece)
    }
}

/// The settings of training that matter later.
#[derive(Default)]
struct TrainerSpec {
    kind: Option<u64>,
    has_bytes: bool,
    space_is_suffix: bool,
}

impl TrainerSpec {
    /// Reads the message `TrainerSpec` in a range of a file.
    fn read(&mut self, bytes: &[u8], range: Range<usize>) -> Result<(), ModelError> {
        let mut message = Message::new(bytes, range)?;
        while let Some((field, value)) = message.next()? {
            match (field, value) {
                (3, Value::Number(number)) => self.kind = Some(number),
                (24, Value::Number(flag)) => self.space_is_suffix = flag != 0,
                (35, Value::Number(flag)) => self.has_bytes = flag != 0,
                _ => {}
            }
        }
        Ok(())
    }
}

impl Model {
    /// Reads a model and checks all of it, in time linear in the file.
    ///
    /// # Errors
    ///
    /// The file is no model of `SentencePiece` or is larger than 32 MiB, its type is not unigram,
    /// or a value in it breaks the format.
    pub fn read(file: &ModelFile) -> Result<Model, ModelError> {
        let bytes = file.bytes();
        // A model begins with its first piece.
        if bytes.first() != Some(&0x0a) {
            return Err(ModelError::NotAModel { expected: "model of SentencePiece" });
        }
        if bytes.len() > MAX_FILE_BYTES {
            let feature = "a model of SentencePiece of more than 32 MiB".to_owned();
            return Err(ModelError::Unsupported { feature });
        }
        let mut message = Message::new(bytes, 0..bytes.len())?;
        let (mut list, mut trained) = (PieceList::new(&message)?, TrainerSpec::default());
        let mut normaliser = Normaliser::default();
        while let Some((field, value)) = message.next()? {
            match (field, value) {
                (1, Value::Bytes(range)) => list.add(bytes, range)?,
                (2, Value::Bytes(range)) => trained.read(bytes, range)?,
                (3, Value::Bytes(range)) => normaliser.read(bytes, range)?,
                _ => {}
            }
        }
        // The number 1 is the default.
        if let Some(kind @ 2..) = trained.kind {
            let name = match kind {
                2 => "BPE",
                3 => "word",
                4 => "char",
                _ => "unknown",
            };
            let feature = format!("the type {name}, instead of unigram,");
            return Err(ModelError::Unsupported { feature });
        }
        if list.unknown != 1 {
            return Err(message.damaged("the model has not one piece for unknown characters"));
        }
        let twice = || message.damaged("a piece occurs twice");
        let pieces = list.trie(bytes).ok_or_else(twice)?;
        list.pieces.retain(|piece| piece.is_user_defined);
        let own_rules = (!list.pieces.is_empty()).then(|| list.trie(bytes).ok_or_else(twice));
        normaliser.complete(own_rules.transpose()?, trained.space_is_suffix);
        Ok(Model {
            digest: file.digest().to_owned(),
            normaliser,
            pieces,
            unknown_score: list.lowest.unwrap_or(f32::MAX) - UNKNOWN_COST,
            has_bytes: trained.has_bytes,
        })
    }

    /// Returns the digest of the file.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the pieces of a text. A text of 4 GiB or more has none.
    pub fn encode<'s>(
        &self,
        text: &str,
        scratch: &'s mut Scratch,
    ) -> impl Iterator<Item = &'s str> + use<'s> {
        let Scratch { text: normalised, paths, pieces } = scratch;
        normalised.clear();
        normalised.shrink_to(MAX_KEPT_ELEMENTS);
        pieces.clear();
        pieces.shrink_to(MAX_KEPT_ELEMENTS);
        self.normaliser.normalise(text, normalised);
        if normalised.len() < BestPath::UNREACHED as usize {
            self.find_ways(normalised, paths);
            collect_pieces(paths, pieces);
        }
        let (normalised, has_bytes): (&'s str, _) = (normalised, self.has_bytes);
        pieces.iter().flat_map(move |piece| {
            let text = &normalised[piece.range.start as usize..piece.range.end as usize];
            let are_bytes = has_bytes && piece.is_unknown;
            let bytes = if are_bytes { text.as_bytes() } else { &[] };
            let bytes = bytes.iter().map(|byte| BYTE_PIECES[usize::from(*byte)].as_str());
            (!are_bytes).then_some(text).into_iter().chain(bytes)
        })
    }

    /// Finds the best pieces up to each character.
    fn find_ways(&self, text: &str, paths: &mut Vec<BestPath>) {
        paths.clear();
        paths.shrink_to(MAX_KEPT_ELEMENTS);
        paths.resize(text.len() + 1, BestPath::NEW);
        let bytes = text.as_bytes();
        let (mut start, mut reached) = (0, 0);
        while let Some(first_char) = text[start..].chars().next() {
            if paths[start].score < LOWEST_SUM {
                subtract_score(paths[start].score, &mut paths[start..=reached]);
            }
            let score_before = paths[start].score;
            let single = start + first_char.len_utf8();
            let mut has_single = false;
            self.pieces.visit_prefixes(&bytes[start..], |len, score| {
                let (end, score) = (start + len, score + score_before);
                paths[end].offer_way(score, start as u32, false);
                reached = reached.max(end);
                has_single |= end == single;
            });
            if !has_single {
                paths[single].offer_way(self.unknown_score + score_before, start as u32, true);
            }
            reached = reached.max(single);
            start = single;
        }
    }
}

/// Subtracts a score from those of all places that a way has reached.
fn subtract_score(score: f32, paths: &mut [BestPath]) {
    for path in paths.iter_mut().filter(|path| path.start != BestPath::UNREACHED) {
        path.score -= score;
    }
}

/// Collects the pieces of the best way. Unknown pieces that follow one another become one.
fn collect_pieces(paths: &[BestPath], pieces: &mut Vec<Piece>) {
    let mut end = paths.len() - 1;
    while end > 0 {
        let BestPath { start, is_unknown, .. } = paths[end];
        match pieces.last_mut() {
            Some(following_piece) if is_unknown && following_piece.is_unknown => {
                following_piece.range.start = start;
            }
            _ => pieces.push(Piece { range: start..end as u32, is_unknown }),
        }
        end = start as usize;
    }
    pieces.reverse();
}
