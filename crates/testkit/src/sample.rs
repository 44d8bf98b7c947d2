//! The bundled sample: pages, and the archive of them.

use crate::pack::gzip_at;
use flate2::bufread::GzDecoder;
use std::io::Read;
use std::ops::Range;
use std::path::PathBuf;

/// Returns the root of the repository.
pub fn repository() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository is there")
}

/// Returns the path of the bundled archive, which has one gzip member per record.
pub fn archive() -> PathBuf {
    repository().join("data/sample.warc.gz")
}

/// Returns the paths of the bundled HTML pages, in byte order of their names.
pub fn pages() -> Vec<PathBuf> {
    let folder = repository().join("data/pages").read_dir().expect("the pages are there");
    let mut pages: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "html"));
    pages.sort();
    pages
}

/// Returns the byte range and the record of each member of a gzip file.
pub fn members(file: &[u8]) -> Vec<(Range<usize>, Vec<u8>)> {
    let mut members = Vec::new();
    let mut start = 0;
    while start < file.len() {
        let mut member = GzDecoder::new(&file[start..]);
        let mut record = Vec::new();
        member.read_to_end(&mut record).expect("the member is sound");
        let end = file.len() - member.into_inner().len();
        members.push((start..end, record));
        start = end;
    }
    members
}

/// Returns the records of the bundled archive, uncompressed.
pub fn records() -> Vec<Vec<u8>> {
    let file = std::fs::read(archive()).expect("the sample is there");
    members(&file).into_iter().map(|(_, record)| record).collect()
}

/// Returns the records that give a row: responses with status 200 that hold HTML.
pub fn page_records() -> Vec<Vec<u8>> {
    let is_page = |record: &Vec<u8>| {
        let text = record.to_ascii_lowercase();
        let Some(head) = text.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
            return false;
        };
        let (head, block) = text.split_at(head + 4);
        let block = &block[..block.len().min(2000)];
        contains(head, b"\r\nwarc-type: response\r\n")
            && block.starts_with(b"http/1.")
            && block.get(8..10) == Some(b" 2")
            && contains(block, b"text/html")
    };
    records().into_iter().filter(is_page).collect()
}

/// Repeats the records of the bundled archive without end, each with its own identifier.
pub fn endless_records() -> impl Iterator<Item = Vec<u8>> {
    let records = records();
    (0_u32..).flat_map(move |round| {
        let again = |record: &Vec<u8>| with_id(record, &format!("{round:08x}{}", &id(record)[8..]));
        records.iter().map(again).collect::<Vec<_>>()
    })
}

/// Returns an archive of [`endless_records`] records, at least `bytes` bytes uncompressed, one gzip
/// member per record.
pub fn large_archive(bytes: usize) -> Vec<u8> {
    let mut bytes_done = 0;
    let is_within = |record: &Vec<u8>| {
        let is_within = bytes_done < bytes;
        bytes_done += record.len();
        is_within
    };
    endless_records().take_while(is_within).flat_map(|record| gzip_at(&record, 1)).collect()
}

/// Returns the UUID of a record. Panics if it has none.
pub fn id(record: &[u8]) -> String {
    let start = id_start(record);
    String::from_utf8(record[start..start + UUID].to_vec()).expect("a UUID is text")
}

/// Returns the record with its identifier replaced. Panics if it has none.
#[must_use]
pub fn with_id(record: &[u8], uuid: &str) -> Vec<u8> {
    let start = id_start(record);
    [&record[..start], uuid.as_bytes(), &record[start + UUID..]].concat()
}

/// The length of a UUID in characters.
const UUID: usize = 36;

fn id_start(record: &[u8]) -> usize {
    const FIELD: &[u8] = b"\r\nWARC-Record-ID: <urn:uuid:";
    let field_start = record.windows(FIELD.len()).position(|bytes| bytes == FIELD);
    field_start.expect("a record has an identifier") + FIELD.len()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|bytes| bytes == part)
}
