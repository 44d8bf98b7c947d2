//! Compares an output with its line in the journal.

use super::finding::{FindingKind, Findings, Severity};
use crate::digest::hex;
use crate::plan::name_of;
use crate::run_files::marks::{OutputMark, SignatureMark};
use crate::signature_file;
use huller_row::formats::format_of_name;
use huller_row::{InspectedFile, Layout, layouts};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use uuid::Uuid;

/// Measurements of an output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OutputMeasurements {
    pub(crate) is_there: bool,
    pub(crate) bytes: u64,
    pub(crate) rows: u64,
}

/// Bytes read at a time.
const CHUNK: usize = 1 << 17;

/// Reads an output to its end. `noted` is its mark in the journal.
pub(crate) fn check(
    root: &Path,
    path: &Path,
    noted: &OutputMark,
    signed: Option<&SignatureMark>,
    layout: &Layout,
) -> (OutputMeasurements, Findings) {
    let output = &*noted.output;
    let mut findings = Findings::default();
    let file = match open(&root.join(path)) {
        Ok(file) => file,
        Err(error) => {
            let kind = match error.kind() {
                io::ErrorKind::NotFound => FindingKind::Missing,
                _ => FindingKind::Unreadable,
            };
            findings.damage(kind, output, error.to_string());
            return (OutputMeasurements::default(), findings);
        }
    };
    let mut raw = DigestedFile(BufReader::with_capacity(CHUNK, DigestingFile::new(file)));
    let (format, compression) = format_of_name(output);
    let layout = &layouts(&[format], &Layout { compression, ..layout.clone() })[0];
    let mut ids = Vec::new();
    let found = format.inspect(layout, &mut raw, &mut |id| ids.push(number(id)));
    // Reads the bytes after the decoder's end, so that the digest covers the whole file.
    let rest = io::copy(&mut raw.0, &mut io::sink());
    let raw = raw.0.into_inner();
    let (bytes, digest) = (raw.bytes, format!("sha256:{}", hex(raw.digest)));

    if let Err(error) = rest {
        findings.damage(FindingKind::Unreadable, output, error.to_string());
    }
    if bytes != noted.bytes {
        let detail = format!("it has {bytes} bytes, but {} in the journal", noted.bytes);
        findings.damage(FindingKind::Size, output, detail);
    }
    if digest != noted.digest {
        let noted = if noted.digest.is_empty() { "nothing" } else { &noted.digest };
        let detail = format!("its digest is {digest}, but {noted} in the journal");
        findings.damage(FindingKind::Digest, output, detail);
    }
    if let Some(error) = found.error {
        let detail = format!("{error}, after {} rows", found.rows);
        findings.damage(FindingKind::Frames, output, detail);
    }
    if found.rows != noted.rows {
        let detail = format!("it has {} rows, but {} in the statistics", found.rows, noted.rows);
        findings.damage(FindingKind::Rows, output, detail);
    }
    if let Some((number, fault)) = &found.first_fault {
        let detail = format!("row {number}: {fault}; {} such rows in all", found.faults);
        findings.damage(FindingKind::Row, output, detail);
    }
    if let Some(noted) = signed {
        signatures(root, output, noted, &mut findings);
    }
    let repeated = count_repeated(&mut ids);
    if repeated > 0 {
        let detail = format!("{repeated} rows repeat the identifier of an earlier row");
        findings.add(Severity::Note, FindingKind::RepeatedId, output, detail);
    }
    (OutputMeasurements { is_there: true, bytes, rows: found.rows }, findings)
}

/// Compares the signature file with its mark in the journal.
fn signatures(root: &Path, output: &str, noted: &SignatureMark, findings: &mut Findings) {
    let path = signature_file::path_of(Path::new(""), output);
    let name = name_of(&path);
    let found = open(&root.join(&path)).and_then(|file| {
        let mut file = BufReader::with_capacity(CHUNK, DigestingFile::new(file));
        io::copy(&mut file, &mut io::sink())?;
        Ok(file.into_inner())
    });
    match found {
        Ok(found) if found.bytes != noted.bytes => {
            let detail = format!("{} bytes, the journal says {}", found.bytes, noted.bytes);
            findings.damage(FindingKind::Size, name, detail);
        }
        Ok(found) => {
            let digest = hex(found.digest);
            if digest != noted.digest {
                let detail = format!("its digest is {digest}, but {} in the journal", noted.digest);
                findings.damage(FindingKind::Digest, name, detail);
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            findings.damage(FindingKind::Missing, name, error.to_string());
        }
        Err(error) => findings.damage(FindingKind::Unreadable, name, error.to_string()),
    }
}

/// Opens a regular file. Reading a pipe might never end.
fn open(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    File::open(path)
}

/// A file whose bytes are counted and hashed as they are read.
struct DigestingFile {
    file: File,
    bytes: u64,
    digest: Sha256,
}

impl DigestingFile {
    fn new(file: File) -> DigestingFile {
        DigestingFile { file, bytes: 0, digest: Sha256::new() }
    }
}

impl Read for DigestingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// A file that is hashed as it is read, except for reads of its tail.
struct DigestedFile(BufReader<DigestingFile>);

impl Read for DigestedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for DigestedFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl InspectedFile for DigestedFile {
    fn tail(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        let length = self.length()?;
        let file = &self.0.get_ref().file;
        let start = length.saturating_sub(bytes as u64);
        let mut tail = vec![0; (length - start) as usize];
        // This read has its own offset, so the next sequential read continues where the last one
        // ended.
        file.read_exact_at(&mut tail, start)?;
        Ok(tail)
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.get_ref().file.metadata()?.len())
    }

    fn as_reader(&mut self) -> &mut dyn BufRead {
        self
    }
}

/// Returns the number of identifiers that occurred before.
fn count_repeated(ids: &mut [u128]) -> usize {
    ids.sort_unstable();
    ids.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

/// Returns an identifier as 16 bytes.
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
