//! Writes a large corpus with damage of all kinds, and a list of the expected outcome of each
//! record.
//!
//! The records are the pages of the sample, repeated, each with its own identifier. About one
//! record in a hundred is damaged, with a kind chosen by the seed. At least one sound record is
//! between two damaged ones. The list uses the reasons of the program's statistics, and gives the
//! offset of each record in its file. The code of this module is independent of the program.

use super::{length_missing, length_no_number, length_too_long, wrong_checksum};
use crate::pack::{gzip_at, gzip_pieces};
use crate::random::Random;
use crate::sample::{page_records, with_id};
use crate::warc::{Http, Record};
use flate2::bufread::DeflateDecoder;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// One record in this many is damaged.
const RATE: u32 = 100;
/// The most uncompressed bytes of a file. The corpus has several files, because the test compares
/// memory at its end with memory near its beginning.
const FILE_BYTES: u64 = 400_000_000;

/// A line of the list: a record that was written, and its expected outcome.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    file: &'a str,
    /// The byte offset in the file.
    offset: u64,
    /// The UUID of the record; `None` for bytes that are not a record.
    id: Option<String>,
    /// The kind of damage; empty for a sound record.
    kind: &'static str,
    /// The reason for which there is no row. Two possible reasons are joined by ` or `.
    reason: Option<&'static str>,
    /// The name of the repair, if the record is repaired.
    repair: Option<&'static str>,
}

/// The bytes in place of a record, the reason why there is no row, and the repair.
type Damaged = (Vec<u8>, Option<&'static str>, Option<&'static str>);

/// A kind of damage.
#[derive(Clone, Copy)]
enum Kind {
    /// Damage to the uncompressed record.
    Record(&'static str, fn(&[u8]) -> Vec<u8>, Option<&'static str>, Option<&'static str>),
    /// Another record in its place that gives no row.
    Other(&'static str, fn(u64, &[u8]) -> Record, &'static str),
    /// Damage to a gzip member.
    Member(&'static str, fn(&mut Random, &[u8]) -> Damaged),
    /// Bytes before the record. They must count as garbage unless they are a member.
    Before(&'static str, fn(&mut Random) -> Vec<u8>),
}

const GARBAGE: Kind = Kind::Before("garbage", garbage);

const PLAIN_KINDS: [Kind; 11] = [
    Kind::Record("length_missing", length_missing, Some("bad_content_length"), None),
    Kind::Record("length_no_number", length_no_number, Some("bad_content_length"), None),
    Kind::Record("no_version", super::wrong_version, Some("garbage"), None),
    Kind::Other("status", status, "status"),
    Kind::Other("picture", picture, "not_html"),
    Kind::Other("bomb_in_body", bomb_in_body, "decode_ratio"),
    Kind::Other("layers", layers, "too_many_encodings"),
    Kind::Other("endless_head", endless_head, "bad_http_head"),
    Kind::Other("empty", empty, "empty_block"),
    Kind::Other("request", request, "request"),
    GARBAGE,
];

const GZIP_KINDS: [Kind; 6] = [
    Kind::Member("flipped", flipped),
    Kind::Member("cut", cut),
    Kind::Member("checksum", checksum),
    Kind::Before("zeros", |_| vec![0; 512]),
    Kind::Before("empty_member", |_| gzip_at(b"", 1)),
    Kind::Record("length_too_long", length_too_long, None, Some("content_length_too_long")),
];

fn uuid(number: u64) -> String {
    format!("{number:08x}-0000-4000-8000-{number:012}")
}

fn response(number: u64, http: Vec<u8>) -> Record {
    Record::new("response", http)
        .version("WARC/1.1")
        .id(uuid(number))
        .uri(b"http://example.test/")
        .content_type("application/http; msgtype=response")
}

fn status(number: u64, _: &[u8]) -> Record {
    response(number, Http::page("<p>gone").status("404 Not Found").to_bytes())
}

fn picture(number: u64, _: &[u8]) -> Record {
    let body = [&b"\x89PNG\r\n\x1a\n"[..], &[0; 2000]].concat();
    response(number, Http::page(body).content_type("image/png").to_bytes())
}

fn bomb_in_body(number: u64, bomb: &[u8]) -> Record {
    response(number, Http::page(bomb).encoding("gzip").to_bytes())
}

fn layers(number: u64, _: &[u8]) -> Record {
    let body = (0..9).fold(b"x".to_vec(), |body, _| gzip_at(&body, 1));
    response(number, Http::page(body).encoding(&["gzip"; 9].join(", ")).to_bytes())
}

fn endless_head(number: u64, _: &[u8]) -> Record {
    response(number, b"HTTP/1.1 200 OK\r\nContent-Type: text/html".to_vec())
}

fn empty(number: u64, _: &[u8]) -> Record {
    response(number, Vec::new())
}

fn request(number: u64, _: &[u8]) -> Record {
    Record::new("request", "GET / HTTP/1.1\r\n\r\n").version("WARC/1.1").id(uuid(number))
}

/// Returns bytes in which no member and no record begins.
fn garbage(random: &mut Random) -> Vec<u8> {
    let len = random.within(20, 3000);
    (0..len).map(|_| random.within(32, 87) as u8).collect()
}

/// Returns the member with 64 bytes inverted such that it no longer inflates.
fn flipped(random: &mut Random, member: &[u8]) -> Damaged {
    loop {
        let mut member = member.to_vec();
        let offset = random.within(20, member.len() - 100);
        super::invert(&mut member[offset..offset + 64]);
        let data = &member[10..member.len() - 8];
        if io::copy(&mut DeflateDecoder::new(data), &mut io::sink()).is_err() {
            // Alternatively, the header of the record is already wrong.
            return (member, Some("corrupt_member or bad_content_length"), None);
        }
    }
}

fn cut(random: &mut Random, member: &[u8]) -> Damaged {
    let end = random.within(member.len() / 3, member.len() * 2 / 3);
    (member[..end].to_vec(), Some("corrupt_member"), None)
}

fn checksum(_: &mut Random, member: &[u8]) -> Damaged {
    (wrong_checksum(member), None, Some("checksum_mismatch"))
}

struct Writer<'a> {
    random: Random,
    pages: Vec<Vec<u8>>,
    bomb: Vec<u8>,
    list: &'a mut dyn Write,
    /// The number of records written so far.
    number: u64,
}

/// Writes archives of at least `bytes` bytes in all, uncompressed, into a new folder. Also writes
/// the list of expected outcomes, as JSON Lines. Every eighth archive is uncompressed. Returns the
/// number of bytes and of files.
///
/// # Errors
///
/// If the folder exists, or cannot be written to.
pub fn write(folder: &Path, bytes: u64, seed: u32, list: &Path) -> io::Result<(u64, u64)> {
    fs::create_dir_all(folder)?;
    let mut list = BufWriter::new(File::create(list)?);
    let zeros = std::iter::repeat_n(vec![0; 1 << 20], 64);
    let mut writer = Writer {
        random: Random::new(seed),
        pages: page_records(),
        bomb: gzip_pieces(9, zeros),
        list: &mut list,
        number: 0,
    };
    let (mut written, mut files) = (0, 0);
    while written < bytes {
        let extension = if files % 8 == 3 { "warc" } else { "warc.gz" };
        let name = format!("part-{files:04}.{extension}");
        written += writer.file(folder, &name, FILE_BYTES.min(bytes - written))?;
        files += 1;
    }
    list.flush()?;
    Ok((written, files))
}

impl Writer<'_> {
    /// Writes an archive of at least `bytes` uncompressed bytes. Returns the actual number.
    fn file(&mut self, folder: &Path, name: &str, bytes: u64) -> io::Result<u64> {
        let is_gzip = Path::new(name).extension().is_some_and(|extension| extension == "gz");
        let mut kinds = PLAIN_KINDS.to_vec();
        if is_gzip {
            kinds.extend(GZIP_KINDS);
        }
        let mut file = BufWriter::new(File::create(folder.join(name))?);
        let (mut plain_bytes, mut offset) = (0, 0);
        // The first record is sound, and so is the record after a damaged one.
        let mut is_sound_next = true;
        while plain_bytes < bytes {
            let mut kind = None;
            if !is_sound_next && self.random.below(RATE) == 0 {
                kind = Some(kinds[self.random.below(kinds.len() as u32) as usize]);
            }
            is_sound_next = kind.is_some();
            let number = self.number;
            let id = uuid(number);
            let page = &self.pages[(number % self.pages.len() as u64) as usize];
            let plain = with_id(page, &id);
            plain_bytes += plain.len() as u64;
            let pack = |plain: Vec<u8>| if is_gzip { gzip_at(&plain, 1) } else { plain };
            let (kind, (packed, reason, repair)) = match kind {
                None => ("", (pack(plain), None, None)),
                Some(Kind::Record(name, damage, reason, repair)) => {
                    (name, (pack(damage(&plain)), reason, repair))
                }
                Some(Kind::Other(name, other, reason)) => {
                    (name, (pack(other(number, &self.bomb).to_bytes()), Some(reason), None))
                }
                Some(Kind::Member(name, damage)) => {
                    (name, damage(&mut self.random, &gzip_at(&plain, 1)))
                }
                Some(Kind::Before(kind, before)) => {
                    let junk = before(&mut self.random);
                    file.write_all(&junk)?;
                    if kind != "empty_member" {
                        let reason = Some("garbage");
                        self.list(&Entry {
                            file: name,
                            offset,
                            id: None,
                            kind,
                            reason,
                            repair: None,
                        })?;
                    }
                    offset += junk.len() as u64;
                    (kind, (pack(plain), None, None))
                }
            };
            self.list(&Entry { file: name, offset, id: Some(id), kind, reason, repair })?;
            file.write_all(&packed)?;
            offset += packed.len() as u64;
            self.number += 1;
        }
        file.flush()?;
        Ok(plain_bytes)
    }

    fn list(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut *self.list, entry)?;
        self.list.write_all(b"\n")
    }
}
