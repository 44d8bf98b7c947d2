//! One file of a dirty corpus: its lines, its container, its damage.

use super::rows::{DirtyLine, LineOutcome, lines, text};
use crate::damage::Container;
use crate::pack::{gzip, lz4, zstd};
use crate::random::Random;
use std::collections::BTreeMap;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Lines,
    Array,
    /// A table with this separator.
    Table(char),
    /// A Parquet table, written by the program from these lines.
    Parquet,
    /// A file without rows.
    Other,
}

/// Damage to the bytes on disk. Positions are fractions of the file, in units of 1/65,536.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Cut(u32),
    Flip(u32, u8),
    Zeros(u32, usize),
    Garbage(u32),
}

/// A file of a corpus.
#[derive(Clone, Debug)]
pub(super) struct DirtyFile {
    /// The path below the folder of the corpus.
    pub(super) path: String,
    pub(super) format: Format,
    has_mark: bool,
    pub(super) lines: Vec<DirtyLine>,
    line_end: &'static str,
    ends_open: bool,
    container: Container,
    /// The number of lines in each member.
    member_lines: usize,
    damages: Vec<Damage>,
}

/// The counts that an undamaged file must give.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ExpectedCounts {
    pub(super) written: u64,
    pub(super) reasons: BTreeMap<String, u64>,
}

impl DirtyFile {
    pub(super) fn new(random: &mut Random, folder: &str, stem: &str, first: u32) -> DirtyFile {
        let format = match random.below(20) {
            11 => Format::Array,
            12..=14 => Format::Table([',', ',', '\t', ';'][random.below(4) as usize]),
            15 | 16 => Format::Parquet,
            17 => Format::Other,
            _ => Format::Lines,
        };
        let mut container = Container::ALL[[0, 0, 1, 2, 3][random.below(5) as usize]];
        if matches!(format, Format::Parquet | Format::Other) {
            container = Container::Plain;
        }
        let ending = match format {
            Format::Lines | Format::Array => random.pick(&[".jsonl", ".jsonl", ".ndjson"]),
            Format::Table('\t') => random.pick(&[".tsv", ".tab"]),
            Format::Table(_) => ".csv",
            Format::Parquet => ".parquet",
            Format::Other => random.pick(&[
                ".bin",
                ".html",
                ".warc",
                ".txt.bak",
                ".json",
                ".jsonl.tmp",
                ".JSONL",
            ]),
        };
        let packed = match container {
            Container::Plain => "",
            Container::Gzip => ".gz",
            Container::Zstd => ".zst",
            Container::Lz4 => ".lz4",
        };
        // A name may promise a compression that the file lacks. `dedup` and `index` refuse the
        // opposite, since they compress their outputs according to the names of their inputs.
        let packed = match random.below(16) {
            0 if format != Format::Other && format != Format::Parquet => ".gz",
            _ => packed,
        };
        let lines = match format {
            Format::Table(separator) => table(random, separator, first),
            Format::Other => vec![DirtyLine::new(other_file(ending, first), LineOutcome::Unknown)],
            _ => {
                let most = [0, 1, 2, 5, 12, 25][random.below(6) as usize];
                (0..most).flat_map(|number| lines(random, first + number)).collect()
            }
        };
        // A table and rows with one stem share one output in `dedup`, which refuses that. `refine`
        // keeps them apart.
        let of_table = match format {
            Format::Table(_) | Format::Parquet => format!("-{first}"),
            _ => String::new(),
        };
        let mut file = DirtyFile {
            path: format!("{folder}{stem}{of_table}{ending}{packed}"),
            format,
            has_mark: random.below(6) == 0,
            lines,
            line_end: ["\n", "\n", "\n", "\r\n", "\r\n", "\r"][random.below(6) as usize],
            ends_open: random.below(3) == 0,
            container,
            member_lines: [1, 3, 1000][random.below(3) as usize],
            damages: Vec::new(),
        };
        if random.below(4) == 0 {
            file.damages = (0..=random.below(2)).map(|_| damage(random)).collect();
        }
        file
    }

    /// Returns the bytes on disk. `parquet` turns lines into a table.
    pub(super) fn bytes<E>(
        &self,
        parquet: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let mut pieces: Vec<Vec<u8>> = Vec::new();
        let line_end = if self.format == Format::Parquet { "\n" } else { self.line_end };
        for (nth, line) in self.lines.iter().enumerate() {
            let is_last = nth + 1 == self.lines.len();
            let mut piece = line.bytes.clone();
            if self.format == Format::Array {
                piece = [if nth == 0 { &b"["[..] } else { b"," }, &piece].concat();
                piece.extend_from_slice(if is_last { b"]" } else { b"" });
            }
            if !(is_last && self.ends_open) && self.format != Format::Other {
                piece.extend_from_slice(line_end.as_bytes());
            }
            pieces.push(piece);
        }
        if self.has_mark && !matches!(self.format, Format::Parquet | Format::Other) {
            pieces.insert(0, b"\xef\xbb\xbf".to_vec());
        }
        let mut bytes = match (self.format, self.container) {
            (Format::Parquet, _) => parquet(&pieces.concat())?,
            (_, Container::Plain) => pieces.concat(),
            (_, container) => {
                let pack = match container {
                    Container::Gzip => gzip,
                    Container::Zstd => zstd,
                    _ => lz4,
                };
                pieces.chunks(self.member_lines).flat_map(|lines| pack(&lines.concat())).collect()
            }
        };
        self.damages.iter().for_each(|damage| damage.apply_to(&mut bytes));
        Ok(bytes)
    }

    /// Returns the counts that the lines of the file must give, if the lines alone decide them.
    pub(super) fn expected(&self) -> Option<ExpectedCounts> {
        let is_sound = self.damages.is_empty()
            && self.line_end != "\r"
            && self.format == Format::Lines
            && self.lines.iter().all(|line| line.fate != LineOutcome::Unknown);
        if !is_sound {
            return None;
        }
        let count = |fate| self.lines.iter().filter(|line| line.fate == fate).count() as u64;
        let reasons =
            [("no_text_key", LineOutcome::NoText), ("invalid_json", LineOutcome::Invalid)];
        let reasons = reasons.map(|(reason, fate)| (reason.to_owned(), count(fate)));
        let reasons = reasons.into_iter().filter(|(_, count)| *count > 0).collect();
        Some(ExpectedCounts { written: count(LineOutcome::Row), reasons })
    }

    pub(super) fn is_damaged(&self) -> bool {
        !self.damages.is_empty()
    }

    /// Returns simpler forms of the file, for a search of one that still fails.
    pub(super) fn smaller(&self) -> Vec<DirtyFile> {
        let mut smaller = Vec::new();
        let mut push = |change: &dyn Fn(&mut DirtyFile)| {
            let mut file = self.clone();
            change(&mut file);
            smaller.push(file);
        };
        let half = self.lines.len() / 2;
        if half > 1 {
            push(&|file| drop(file.lines.drain(..half)));
            push(&|file| drop(file.lines.drain(half..)));
        }
        for nth in 0..self.lines.len() {
            push(&|file| drop(file.lines.remove(nth)));
        }
        for nth in 0..self.damages.len() {
            push(&|file| file.damages.truncate(nth));
        }
        if self.has_mark {
            push(&|file| file.has_mark = false);
        }
        if self.line_end != "\n" {
            push(&|file| file.line_end = "\n");
        }
        if self.ends_open {
            push(&|file| file.ends_open = false);
        }
        smaller
    }
}

impl Damage {
    fn apply_to(self, bytes: &mut Vec<u8>) {
        let place = |at: u32| ((bytes.len() as u64 * u64::from(at)) >> 16) as usize;
        match self {
            Damage::Cut(at) => bytes.truncate(place(at)),
            Damage::Flip(at, mask) => {
                let at = place(at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= mask;
                }
            }
            Damage::Zeros(at, len) => {
                let at = place(at);
                let end = (at + len).min(bytes.len());
                bytes[at..end].fill(0);
            }
            Damage::Garbage(seed) => bytes.extend(Random::new(seed).bytes(40)),
        }
    }
}

fn damage(random: &mut Random) -> Damage {
    let fraction = random.below(1 << 16);
    match random.below(5) {
        0 => Damage::Cut(fraction),
        1 | 2 => Damage::Flip(fraction, 1 << random.below(8)),
        3 => Damage::Zeros(fraction, [8, 300, 5000, 20_000][random.below(4) as usize]),
        _ => Damage::Garbage(fraction),
    }
}

/// Returns the lines of a table: header and rows, quoted or not, some of the wrong length.
fn table(random: &mut Random, separator: char, first: u32) -> Vec<DirtyLine> {
    let row = |fields: [&str; 4]| fields.join(&separator.to_string());
    let header = match random.below(8) {
        0 => row(["id", "url", "words", "note"]),
        1 => row(["html", "text", "url", "id"]),
        _ => row(["id", "url", "text", "html"]),
    };
    let mut lines = vec![DirtyLine::new(header, LineOutcome::Unknown)];
    for number in 0..random.below(12) {
        let text = text(random, first + number).replace(['"', ',', '\t', ';'], " ");
        let quoted = format!("\"{text}\"");
        let plain = row(["1", "http://a.test/", &quoted, "<p>x</p>"]).into_bytes();
        lines.push(DirtyLine::new(
            match random.below(10) {
                0 => row(["", "", "", ""]).into_bytes(),
                1 => b"one,two".to_vec(),
                2 => b"\"".to_vec(),
                3 => [&plain[..8], &vec![0; 20_000], &plain[8..]].concat(),
                4 => [&plain[..8], b"\xff\xfe", &plain[8..]].concat(),
                5 => row(["2", "u", "\"two\nlines \"\"quoted\"\"\"", "<p>x</p>"]).into_bytes(),
                6 => Vec::new(),
                _ => plain,
            },
            LineOutcome::Unknown,
        ));
    }
    lines
}

/// Returns a file without rows, or a file of rows with a misleading name.
fn other_file(ending: &str, number: u32) -> Vec<u8> {
    let page = "<!DOCTYPE html><html><body><p>A page of its own.</p></body></html>";
    match ending {
        ".html" => page.into(),
        ".warc" => crate::warc::record("response", page.as_bytes()),
        ".bin" => crate::pack::noise(u64::from(number), 300),
        _ => format!("{{\"text\":\"mk{number:05}\",\"html\":\"<p>x</p>\"}}\n").into(),
    }
}
