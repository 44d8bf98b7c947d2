//! Finds the record to which a revisit refers, so that a page which a crawler met again unchanged
//! gives a row too.
//!
//! A revisit names the payload of an earlier record by its digest, and usually by URL and date. The
//! indexes of the user say where records are. A record counts only if its own header agrees.

use huller_archive::{
    ArchiveError, ArchiveFolder, Index, IndexEntry, Limits, PlacedRecords, Record, RecordType,
    Stores, WarcHeader,
};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// The records that indexes list, by the digests of their payloads and by URL and time.
pub struct Revisits {
    folder: ArchiveFolder,
    /// Names of the archives.
    names: Vec<String>,
    places: HashMap<u64, RecordRange>,
    /// Number of entries that give no place of a record.
    pub bad: u64,
    /// SHA-256 of all entries, hexadecimal.
    digest: String,
}

/// The place of a record.
#[derive(Clone, Copy)]
struct RecordRange {
    /// Index of the archive.
    archive: u32,
    /// Offset of the record in the archive, in bytes.
    offset: u64,
    /// Length of its member in bytes; 0 if the index does not state it.
    length: u32,
}

/// The reason why indexes of revisits cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RevisitsError {
    /// An index cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The indexes have more entries than memory allows.
    #[error(
        "the indexes of --revisits-from have more than {0} entries, which need more than their \
         share of --memory"
    )]
    TooMany(usize),
    /// The indexes list no record.
    #[error("the indexes of --revisits-from list no record with a digest or a time")]
    Empty,
}

/// Bytes of memory for each key of a record. A growing table may be twice as large as it must be.
const KEY_BYTES: usize = 2 * (size_of::<u64>() + size_of::<RecordRange>() + 8);

/// The media type of revisits in indexes.
const REVISIT: &str = "warc/revisit";

impl Revisits {
    /// Reads indexes (CDX, CDXJ, or Common Crawl's columns) of archives in `folder`. By default
    /// that is the folder of the first index. The records take at most `memory` bytes.
    ///
    /// # Errors
    ///
    /// An index cannot be read, has too many entries, or lists no record.
    pub fn read(
        indexes: &[PathBuf],
        folder: Option<&Path>,
        memory: usize,
    ) -> Result<Revisits, RevisitsError> {
        let beside = indexes.first().and_then(|index| index.parent()).unwrap_or(Path::new(""));
        let beside = if beside.as_os_str().is_empty() { Path::new(".") } else { beside };
        let mut revisits = Revisits {
            folder: ArchiveFolder::new(folder.unwrap_or(beside).to_owned()),
            names: Vec::new(),
            places: HashMap::new(),
            bad: 0,
            digest: String::new(),
        };
        let (max_keys, mut digest, mut numbers) =
            (memory / KEY_BYTES, Sha256::new(), HashMap::new());
        for index in indexes {
            let mut is_full = false;
            let read = Index::read(&Stores::default(), index, &Limits::default(), &mut |entry| {
                revisits.add(entry, &mut numbers, &mut digest);
                is_full = revisits.places.len() > max_keys;
                if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if is_full {
                return Err(RevisitsError::TooMany(max_keys));
            }
            revisits.bad += read.bad;
        }
        revisits.digest = data_encoding::HEXLOWER.encode(&digest.finalize());
        if revisits.places.is_empty() { Err(RevisitsError::Empty) } else { Ok(revisits) }
    }

    /// Adds an entry of an index, unless it is a revisit itself. The first record of a payload
    /// counts.
    fn add(&mut self, entry: &IndexEntry, numbers: &mut HashMap<String, u32>, digest: &mut Sha256) {
        let (Some(file), Some(offset)) = (&entry.file, entry.offset) else { return };
        if entry.mime.as_deref() == Some(REVISIT) {
            return;
        }
        let line = format!("{file}\n{offset}\n{:?}\n{:?}\n", entry.digest, entry.url);
        digest.update(line.as_bytes());
        let archive = *numbers.entry(file.clone()).or_insert_with(|| {
            self.names.push(file.clone());
            (self.names.len() - 1) as u32
        });
        let length = entry.length.and_then(|length| u32::try_from(length).ok()).unwrap_or(0);
        let range = RecordRange { archive, offset, length };
        if let Some(digest) = &entry.digest {
            self.places.entry(digest_key(digest.as_bytes())).or_insert(range);
        }
        if let (Some(url), Some(time)) = (&entry.url, &entry.time) {
            self.places.entry(capture_key(url.as_bytes(), time.as_bytes())).or_insert(range);
        }
    }

    /// Returns SHA-256 of all entries, hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the places where the record of a revisit may be.
    fn places_of(&self, revisit: &WarcHeader<'_>) -> impl Iterator<Item = RecordRange> {
        let by_digest = revisit.payload_digest().filter(|_| !is_not_modified(revisit));
        let by_digest = by_digest.map(digest_key);
        let capture = refers_to(revisit);
        let by_capture = capture.map(|(url, date)| capture_key(url, date));
        [by_capture, by_digest]
            .into_iter()
            .flatten()
            .filter_map(|key| self.places.get(&key).copied())
    }
}

impl std::fmt::Debug for Revisits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Revisits").field("keys", &self.places.len()).finish_non_exhaustive()
    }
}

/// Returns URL and date of the record to which a revisit refers.
fn refers_to<'a>(revisit: &WarcHeader<'a>) -> Option<(&'a [u8], &'a [u8])> {
    let url = revisit.get("WARC-Refers-To-Target-URI")?;
    let url = url.strip_prefix(b"<").unwrap_or(url);
    Some((url.strip_suffix(b">").unwrap_or(url), revisit.get("WARC-Refers-To-Date")?))
}

/// Returns whether the server only said that the page had not changed. Such a revisit has a digest
/// of no bytes.
fn is_not_modified(revisit: &WarcHeader<'_>) -> bool {
    revisit.get("WARC-Profile").is_some_and(|profile| profile.ends_with(b"server-not-modified"))
}

/// Returns the key of a digest. Indexes leave out the name of SHA-1, which headers state.
fn digest_key(digest: &[u8]) -> u64 {
    let digest = digest.trim_ascii();
    let digest = match digest.split_at_checked(5) {
        Some((name, rest)) if name.eq_ignore_ascii_case(b"sha1:") => rest,
        _ => digest,
    };
    XxHash3_64::oneshot_with_seed(1, &digest.to_ascii_lowercase())
}

/// Returns the key of a URL and a time, of which the first 14 digits count.
fn capture_key(url: &[u8], time: &[u8]) -> u64 {
    let mut key: Vec<u8> = time.iter().copied().filter(u8::is_ascii_digit).take(14).collect();
    key.push(b' ');
    key.extend_from_slice(url);
    XxHash3_64::oneshot_with_seed(2, &key)
}

/// Reads the records of revisits, in a worker.
pub(crate) struct RevisitReader {
    revisits: Arc<Revisits>,
    limits: Limits,
    /// The archives that were used last, the latest first. `None` for one that cannot be read.
    open: Vec<(u32, Option<PlacedRecords>)>,
}

/// Most archives that a worker keeps open.
const MAX_OPEN_ARCHIVES: usize = 4;

impl RevisitReader {
    pub(crate) fn new(revisits: &Arc<Revisits>, limits: &Limits) -> RevisitReader {
        RevisitReader { revisits: Arc::clone(revisits), limits: limits.clone(), open: Vec::new() }
    }

    /// Passes the record of a revisit to `take`. Returns false if no archive has it.
    pub(crate) fn original(
        &mut self,
        revisit: &WarcHeader<'_>,
        take: &mut dyn FnMut(Record<'_>),
    ) -> bool {
        let revisits = Arc::clone(&self.revisits);
        let mut is_found = false;
        for range in revisits.places_of(revisit) {
            let Some(archive) = self.archive(&revisits, range.archive) else { continue };
            let length = (range.length > 0).then_some(u64::from(range.length));
            // An archive that cannot be read lacks the record as a missing one does.
            let _ = archive.read(range.offset, length, &mut |record| {
                let header = WarcHeader::parse(record.header);
                if header.is_some_and(|header| is_original(&header, revisit)) {
                    is_found = true;
                    take(record);
                }
            });
            if is_found {
                break;
            }
        }
        is_found
    }

    /// Returns an archive, which it opens unless it is open.
    fn archive(&mut self, revisits: &Revisits, number: u32) -> Option<&mut PlacedRecords> {
        let known = self.open.iter().position(|(open, _)| *open == number);
        let opened = if let Some(archive_index) = known {
            self.open.remove(archive_index)
        } else {
            let name = &revisits.names[number as usize];
            // Indexes name archives with their paths or their names only.
            let base = name.rsplit('/').next().unwrap_or(name);
            let path = revisits.folder.path_of(name).or_else(|_| revisits.folder.path_of(base));
            let open =
                |path: PathBuf| PlacedRecords::open(&Stores::default(), &path, &self.limits).ok();
            (number, path.ok().and_then(open))
        };
        self.open.insert(0, opened);
        self.open.truncate(MAX_OPEN_ARCHIVES);
        self.open[0].1.as_mut()
    }
}

/// Returns whether a record is the one to which a revisit refers. It has the same payload digest.
/// If one of the two lacks a digest, it has the URL that the revisit names.
fn is_original(header: &WarcHeader<'_>, revisit: &WarcHeader<'_>) -> bool {
    if !matches!(header.record_type(), RecordType::Response | RecordType::Resource) {
        return false;
    }
    match (header.payload_digest(), revisit.payload_digest()) {
        _ if is_not_modified(revisit) => {
            refers_to(revisit).is_some_and(|(url, _)| header.target_uri() == Some(url))
        }
        (Some(left), Some(right)) => digest_key(left) == digest_key(right),
        _ => refers_to(revisit).is_some_and(|(url, _)| header.target_uri() == Some(url)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SHA1: &str = "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A";

    fn record(fields: &str, block: &str) -> String {
        let length = block.len();
        let end = format!("Content-Length: {length}\r\n\r\n{block}\r\n\r\n");
        format!("WARC/1.0\r\n{fields}{end}")
    }

    fn original(fields: &str) -> String {
        record(&format!("WARC-Type: response\r\n{fields}"), "HTTP/1.1 200 OK\r\n\r\n<p>page")
    }

    /// Returns the block of the record that the indexes give for a revisit.
    fn resolve(archive: &str, index: &str, revisit: &str) -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.warc"), archive).unwrap();
        let path = folder.path().join("i.cdxj");
        fs::write(&path, index).unwrap();
        let revisits = Revisits::read(&[path], None, 1 << 20).unwrap();
        let mut reader = RevisitReader::new(&Arc::new(revisits), &Limits::default());
        let revisit = record(&format!("WARC-Type: revisit\r\n{revisit}"), "");
        let (header, mut block) = (WarcHeader::parse(revisit.as_bytes()).unwrap(), None);
        let is_found = reader.original(&header, &mut |record| block = Some(record.block.to_vec()));
        assert_eq!(is_found, block.is_some());
        block
    }

    fn entry(fields: &str) -> String {
        format!("org,a)/ 20240102030405 {{{fields},\"filename\":\"x/a.warc\",\"offset\":\"0\"}}\n")
    }

    #[test]
    fn a_revisit_finds_its_record_by_digest_or_by_url_and_time() {
        let digest = format!("WARC-Payload-Digest: {SHA1}\r\n");
        let capture = "WARC-Refers-To-Target-URI: http://a.org/\r\n\
            WARC-Refers-To-Date: 2024-01-02T03:04:05Z\r\n";
        let by_digest = entry(&format!("\"digest\":\"{}\"", &SHA1[5..].to_lowercase()));
        let by_url = entry("\"url\":\"http://a.org/\"");
        let url = "WARC-Target-URI: http://a.org/\r\n";
        for (archive, index, revisit, is_found) in [
            (original(&digest), &by_digest, digest.as_str(), true),
            (original(url), &by_url, capture, true),
            // The record is another one than the index says.
            (original("WARC-Payload-Digest: sha1:OTHER\r\n"), &by_digest, &digest, false),
            (original("WARC-Target-URI: http://b.org/\r\n"), &by_url, capture, false),
            (original(&digest), &by_digest, "WARC-Payload-Digest: sha1:OTHER\r\n", false),
            // The digest of an answer without a body says nothing.
            (
                original(&digest),
                &by_digest,
                &format!("{digest}WARC-Profile: http://x/server-not-modified\r\n"),
                false,
            ),
            (record("WARC-Type: request\r\n", "x"), &by_url, capture, false),
            (String::from("no archive"), &by_url, capture, false),
        ] {
            assert_eq!(
                resolve(&archive, index, revisit).is_some(),
                is_found,
                "{archive} {revisit}"
            );
        }
    }

    #[test]
    fn indexes_take_no_more_memory_than_they_may() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("i.cdxj");
        let lines: String =
            (0..50).map(|number| entry(&format!("\"digest\":\"{number}\""))).collect();
        fs::write(&path, lines).unwrap();
        let read = |memory| Revisits::read(std::slice::from_ref(&path), None, memory);
        assert!(matches!(read(1000), Err(RevisitsError::TooMany(_))));
        assert!(read(1 << 20).is_ok());
        fs::write(&path, entry("\"mime\":\"warc/revisit\",\"digest\":\"1\"")).unwrap();
        assert!(matches!(read(1 << 20), Err(RevisitsError::Empty)));
    }
}
