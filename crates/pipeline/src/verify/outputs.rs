//! One output against its line of the journal.

use super::{FindingKind, Findings, Severity};
use crate::journal::Entry;
use crate::output::hex;
use flate2::bufread::MultiGzDecoder;
use memchr::memchr;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use uuid::Uuid;

/// What an output holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) is_there: bool,
    pub(super) bytes: u64,
    pub(super) rows: u64,
}

/// Rows longer than this are counted and not looked into: nothing may make us hold them, and the digest speaks for them.
const ROW_BYTES: usize = 64 << 20;

/// So much is read at a time.
const CHUNK: usize = 1 << 17;

/// Reads an output to its end.
pub(super) fn check(root: &Path, path: &Path, entry: &Entry) -> (Facts, Findings) {
    let mut findings = Findings::default();
    let file = match open(&root.join(path)) {
        Ok(file) => file,
        Err(error) => {
            let kind = match error.kind() {
                io::ErrorKind::NotFound => FindingKind::Missing,
                _ => FindingKind::Unreadable,
            };
            findings.damage(kind, &entry.output, error.to_string());
            return (Facts::default(), findings);
        }
    };
    let mut raw = BufReader::with_capacity(CHUNK, Digested::new(file));
    let mut rows = Rows::default();
    let decoded = match path.extension().and_then(|extension| extension.to_str()) {
        Some("zst") => zstd::stream::read::Decoder::with_buffer(&mut raw)
            .and_then(|decoder| rows.read(BufReader::with_capacity(CHUNK, decoder))),
        Some("gz") => rows.read(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(&mut raw))),
        _ => rows.read(&mut raw),
    };
    // What the decoder left, so that the digest is of the whole file.
    let rest = io::copy(&mut raw, &mut io::sink());
    let raw = raw.into_inner();
    let (bytes, digest) = (raw.bytes, format!("sha256:{}", hex(raw.digest)));

    if let Err(error) = rest {
        findings.damage(FindingKind::Unreadable, &entry.output, error.to_string());
    }
    if bytes != entry.output_bytes {
        let noted = entry.output_bytes;
        let detail = format!("{bytes} bytes, the journal says {noted}");
        findings.damage(FindingKind::Size, &entry.output, detail);
    }
    if digest != entry.digest {
        let detail = format!("{digest}, the journal says {}", entry.digest);
        findings.damage(FindingKind::Digest, &entry.output, detail);
    }
    if let Err(error) = decoded {
        let detail = format!("{error}, after {} rows", rows.count);
        findings.damage(FindingKind::Frames, &entry.output, detail);
    }
    if rows.count != entry.account.written {
        let noted = entry.account.written;
        let detail = format!("{} rows, the account says {noted}", rows.count);
        findings.damage(FindingKind::Rows, &entry.output, detail);
    }
    if let Some((number, fault)) = &rows.first_fault {
        let detail = format!("row {number}: {fault}; {} such rows", rows.faults);
        findings.damage(FindingKind::Row, &entry.output, detail);
    }
    let repeated = rows.repeated_ids();
    if repeated > 0 {
        let detail = format!("{repeated} rows have an identifier that came before");
        findings.add(Severity::Note, FindingKind::RepeatedId, &entry.output, detail);
    }
    (Facts { is_there: true, bytes, rows: rows.count }, findings)
}

/// Opens a file, and nothing else: a pipe would never end, or never begin.
fn open(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    File::open(path)
}

/// A file whose bytes are counted and digested as they go by.
struct Digested {
    file: File,
    bytes: u64,
    digest: Sha256,
}

impl Digested {
    fn new(file: File) -> Digested {
        Digested { file, bytes: 0, digest: Sha256::new() }
    }
}

impl Read for Digested {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// The rows of an output.
#[derive(Default)]
struct Rows {
    count: u64,
    faults: u64,
    /// Number of a row, from 1, and what is wrong with it.
    first_fault: Option<(u64, String)>,
    ids: Vec<u128>,
}

/// What a row must have. All else in it is only parsed.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: &'a serde_json::value::RawValue,
}

impl Rows {
    fn read(&mut self, mut plain: impl BufRead) -> io::Result<()> {
        let mut row = Vec::new();
        let mut is_overlong = false;
        loop {
            let bytes = match plain.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                break;
            }
            let end = memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            is_overlong |= row.len() + taken > ROW_BYTES;
            if is_overlong {
                row = Vec::new();
            } else {
                row.extend_from_slice(&bytes[..end.unwrap_or(taken)]);
            }
            plain.consume(taken);
            if end.is_some() {
                self.count += 1;
                if !is_overlong {
                    self.look(&row);
                }
                row.clear();
                is_overlong = false;
            }
        }
        if !row.is_empty() || is_overlong {
            self.fault(self.count + 1, "it has no end".to_owned());
        }
        Ok(())
    }

    fn look(&mut self, row: &[u8]) {
        let head = std::str::from_utf8(row)
            .map_err(|error| error.to_string())
            .and_then(|row| serde_json::from_str::<Head<'_>>(row).map_err(|e| e.to_string()));
        match head {
            Ok(Head { id, text }) if text.get().starts_with('"') => self.ids.push(number(&id)),
            Ok(_) => self.fault(self.count, "`text` is no string".to_owned()),
            Err(error) => self.fault(self.count, error),
        }
    }

    fn fault(&mut self, number: u64, what: String) {
        self.faults += 1;
        self.first_fault.get_or_insert((number, what));
    }

    /// How many rows have an identifier that came before.
    fn repeated_ids(&mut self) -> usize {
        self.ids.sort_unstable();
        self.ids.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }
}

/// An identifier in 16 bytes.
fn number(id: &str) -> u128 {
    Uuid::try_parse(id).map_or_else(
        |_| {
            let digest = Sha256::digest(id.as_bytes());
            let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
            u128::from_le_bytes(*first)
        },
        |id| id.as_u128(),
    )
}
