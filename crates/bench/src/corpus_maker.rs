//! Writes a corpus of a requested size from any archives, so that two people can measure the same
//! bytes.
//!
//! The maker writes records that hold pages one after another, each as one gzip member, in the
//! order of the inputs. If the inputs hold too much, a hash of the seed and the page's number
//! decides about each page. The chosen pages are thus spread over all inputs. If the inputs hold
//! too little, the maker repeats all pages, as captures with other identifiers and URLs. It reads
//! the inputs once or twice, and then once for every repetition. It holds at most one batch in
//! memory.

use crate::corpus::combine_digests;
use crate::error::BenchError;
use huller_archive::{
    Batch, Fault, Input, InputDigest, Limits, PageRecord, Position, Record, UnpackResult, Unpacker,
    Visitor, WarcHeader,
};
use huller_pipeline::PartFile;
use libdeflater::{CompressionLvl, Compressor};
use serde::Serialize;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The sample of this project: 41 small pages.
const SAMPLE: &[u8] = include_bytes!("../sample.warc.gz");

/// The gzip level that crawlers use.
const GZIP_LEVEL: i32 = 6;

/// The corpus that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WrittenCorpus {
    /// The number of records, each with a page.
    pub records: u64,
    /// The number of distinct pages. The other records repeat these.
    pub distinct: u64,
    /// The bytes before compression.
    pub raw_bytes: u64,
    /// The size of the file in bytes.
    pub packed_bytes: u64,
    /// The digest that [`Corpus::survey`](crate::Corpus::survey) gives for this file alone.
    pub digest: String,
}

/// A compressor of records into gzip members.
pub(crate) struct Packer {
    compressor: Compressor,
    record: Vec<u8>,
}

impl Packer {
    pub(crate) fn new() -> Packer {
        let level = CompressionLvl::new(GZIP_LEVEL).unwrap_or_default();
        Packer { compressor: Compressor::new(level), record: Vec::new() }
    }

    /// Appends the record of these parts, and the line ends after it, to `members`. Returns its
    /// bytes before compression.
    pub(crate) fn member(&mut self, parts: &[&[u8]], members: &mut Vec<u8>) -> u64 {
        let Packer { compressor, record } = self;
        record.clear();
        for bytes in parts {
            record.extend_from_slice(bytes);
        }
        record.extend_from_slice(b"\r\n\r\n");
        let start = members.len();
        members.resize(start + compressor.gzip_compress_bound(record.len()), 0);
        let packed = compressor.gzip_compress(record, &mut members[start..]);
        members.truncate(start + packed.expect("the bound of the library is enough"));
        record.len() as u64
    }
}

/// Writes `megabytes` (millions of bytes before compression) of pages from these archives to `out`.
/// Without archives, it uses the sample. The last page may exceed the size.
///
/// # Errors
///
/// An archive cannot be read, no archive holds a page, or the file cannot be written.
pub fn make(
    archives: &[PathBuf],
    megabytes: u64,
    seed: u64,
    out: &Path,
) -> Result<WrittenCorpus, BenchError> {
    let wanted_bytes = megabytes.saturating_mul(1_000_000);
    let mut total = PageCopier::default();
    each_archive(archives, &mut total)?;
    if total.seen == 0 {
        return Err(BenchError::NoPages);
    }
    let mut file = PartFile::create(out).map_err(BenchError::io(out))?;
    let result = write(archives, wanted_bytes, seed, &total, &mut file);
    if result.is_err() {
        file.remove();
    }
    result
}

fn write(
    archives: &[PathBuf],
    wanted_bytes: u64,
    seed: u64,
    total: &PageCopier,
    file: &mut PartFile,
) -> Result<WrittenCorpus, BenchError> {
    let out = file.path().to_owned();
    let failed = || BenchError::io(out.clone());
    let mut writer = PageCopier {
        // A fraction of 2^32; larger values take every page.
        share: (u128::from(wanted_bytes) << 32)
            .checked_div(u128::from(total.raw_bytes))
            .map_or(u64::MAX, |share| u64::try_from(share).unwrap_or(u64::MAX)),
        seed,
        wanted: wanted_bytes,
        sink: Some(PackedFile::new(file.file().try_clone().map_err(failed())?)),
        ..PageCopier::default()
    };
    let mut written = 0;
    while !writer.is_enough() {
        writer.seen = 0;
        each_archive(archives, &mut writer)?;
        if let Some(error) = writer.sink.as_mut().and_then(|sink| sink.error.take()) {
            return Err(failed()(error));
        }
        if writer.made.records == written {
            // The requested size is so small that no page was taken. Take the next page.
            writer.share = u64::MAX;
        }
        written = writer.made.records;
        writer.copy += 1;
    }
    let sink = writer.sink.take().expect("it was put there");
    let (packed_bytes, digest) = sink.end().map_err(failed())?;
    file.finish()?;
    Ok(WrittenCorpus { packed_bytes, digest, ..writer.made })
}

/// Shows every record of the archives, or of the sample, until the visitor has enough.
fn each_archive(archives: &[PathBuf], pages: &mut PageCopier) -> Result<(), BenchError> {
    let limits = Limits::default();
    if archives.is_empty() {
        let sample: Box<dyn Read + Send> = Box::new(SAMPLE);
        return each_record(Input::from_named_reader("the sample", sample, &limits)?, pages);
    }
    for path in archives {
        each_record(Input::open(path, &limits)?, pages)?;
        if pages.is_enough() {
            break;
        }
    }
    Ok(())
}

fn each_record(mut input: Input, pages: &mut PageCopier) -> Result<(), BenchError> {
    let (mut unpacker, mut batch) = (Unpacker::new(&pages.limits), Batch::default());
    while !pages.is_enough() && input.next_batch(&mut batch)? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, pages) {
            input.restart_at(offset)?;
        }
        batch.clear();
    }
    Ok(())
}

/// A visitor that counts pages, or writes the chosen ones.
#[derive(Default)]
struct PageCopier {
    limits: Limits,
    /// The number of pages seen in this pass.
    seen: u64,
    /// The bytes of their records.
    raw_bytes: u64,
    /// Seed of the hash that chooses pages.
    seed: u64,
    /// A page is taken if its hash is below this, of 2^32.
    share: u64,
    /// Bytes of records, before compression, that the corpus should have.
    wanted: u64,
    /// The number of earlier passes over all pages.
    copy: u64,
    sink: Option<PackedFile>,
    made: WrittenCorpus,
    /// Scratch buffer for the header of a copy.
    header: Vec<u8>,
}

impl PageCopier {
    /// Returns whether enough is written. It is always false while pages are counted.
    fn is_enough(&self) -> bool {
        self.sink.as_ref().is_some_and(|sink| sink.error.is_some())
            || (self.sink.is_some() && self.made.raw_bytes >= self.wanted.max(1))
    }

    fn is_taken(&self) -> bool {
        let hash = mix_bits(self.seed ^ mix_bits(self.seen)) >> 32;
        self.copy > 0 || hash < self.share
    }
}

/// Mixes the bits of a number: any two numbers give results that differ in about half of their bits
/// (the end of `SplitMix64`).
fn mix_bits(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Visitor for PageCopier {
    fn record(&mut self, record: Record<'_>) {
        let Record { header: bytes, block, repair, .. } = record;
        if repair.is_some() || self.is_enough() {
            return;
        }
        let Some(header) = WarcHeader::parse(bytes) else { return };
        // A record decoded in place is written in its original form.
        let is_page = PageRecord::new(&header, block, false, &self.limits).is_ok();
        if !is_page {
            return;
        }
        self.seen += 1;
        self.raw_bytes += (bytes.len() + block.len()) as u64 + 4;
        if self.sink.is_none() || !self.is_taken() {
            return;
        }
        self.header.clear();
        push_header(&header, self.copy, block.len(), &mut self.header);
        let Some(sink) = &mut self.sink else { return };
        self.made.raw_bytes += sink.write(&self.header, block);
        self.made.records += 1;
        self.made.distinct += u64::from(self.copy == 0);
    }

    fn line(&mut self, _: &[u8], _: Position) {}

    fn fault(&mut self, _: &Fault) {}
}

/// Appends the header of a record. A repetition gets its own identifier and URL.
fn push_header(header: &WarcHeader<'_>, copy: u64, block: usize, out: &mut Vec<u8>) {
    let field = |name: &str, value: &[u8], out: &mut Vec<u8>| {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b": ");
        out.extend_from_slice(value);
        out.extend_from_slice(b"\r\n");
    };
    let value = |name: &str| header.get(name).unwrap_or_default();
    let (id, uri) = (value("WARC-Record-ID"), header.target_uri().unwrap_or_default());
    out.extend_from_slice(b"WARC/1.0\r\n");
    field("WARC-Type", value("WARC-Type"), out);
    if copy == 0 {
        field("WARC-Record-ID", id, out);
        field("WARC-Target-URI", uri, out);
    } else {
        let name = [b"huller-bench:", id, b"#", copy.to_string().as_bytes()].concat();
        let id = format!("<urn:uuid:{}>", Uuid::new_v5(&Uuid::NAMESPACE_URL, &name));
        field("WARC-Record-ID", id.as_bytes(), out);
        let separator = if uri.contains(&b'?') { '&' } else { '?' };
        field(
            "WARC-Target-URI",
            &[uri, format!("{separator}copy={copy}").as_bytes()].concat(),
            out,
        );
    }
    for name in
        ["WARC-Date", "WARC-Payload-Digest", "WARC-Identified-Payload-Type", "WARC-Truncated"]
    {
        if let Some(value) = header.get(name) {
            field(name, value, out);
        }
    }
    field("Content-Type", value("Content-Type"), out);
    field("Content-Length", block.to_string().as_bytes(), out);
    out.extend_from_slice(b"\r\n");
}

/// The output file.
struct PackedFile {
    file: BufWriter<std::fs::File>,
    packer: Packer,
    /// Scratch buffer for compressed members.
    member: Vec<u8>,
    /// Number of bytes written so far.
    bytes: u64,
    digest: InputDigest,
    /// The first error; the sink writes nothing after it.
    error: Option<std::io::Error>,
}

impl PackedFile {
    fn new(file: std::fs::File) -> PackedFile {
        PackedFile {
            file: BufWriter::new(file),
            packer: Packer::new(),
            member: Vec::new(),
            bytes: 0,
            digest: InputDigest::default(),
            error: None,
        }
    }

    /// Writes a record. Returns its bytes before compression.
    fn write(&mut self, header: &[u8], block: &[u8]) -> u64 {
        self.member.clear();
        let raw = self.packer.member(&[header, block], &mut self.member);
        self.bytes += self.member.len() as u64;
        self.digest.update(&self.member);
        if self.error.is_none() {
            self.error = self.file.write_all(&self.member).err();
        }
        raw
    }

    fn end(mut self) -> std::io::Result<(u64, String)> {
        self.file.flush()?;
        Ok((self.bytes, combine_digests(&[self.digest.prefix_digest().digest()])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(archives: &[PathBuf], megabytes: u64, seed: u64) -> (WrittenCorpus, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("c.warc.gz");
        let made = make(archives, megabytes, seed, &out).unwrap();
        (made, std::fs::read(&out).unwrap())
    }

    /// Returns the URLs and identifiers of the records of an archive.
    fn records(bytes: &[u8]) -> Vec<(String, String)> {
        struct Names(Vec<(String, String)>);
        impl Visitor for Names {
            fn record(&mut self, record: Record<'_>) {
                assert_eq!(record.repair, None);
                let header = WarcHeader::parse(record.header).unwrap();
                let text = |bytes: Option<&[u8]>| {
                    String::from_utf8(bytes.unwrap_or_default().to_vec()).unwrap()
                };
                self.0.push((text(header.target_uri()), text(header.record_id())));
            }
            fn line(&mut self, _: &[u8], _: Position) {
                panic!("a WARC has no lines");
            }
            fn fault(&mut self, fault: &Fault) {
                panic!("{}", fault.detail);
            }
        }
        let limits = Limits::default();
        let reader: Box<dyn Read + Send> = Box::new(std::io::Cursor::new(bytes.to_vec()));
        let mut input = Input::from_named_reader("made", reader, &limits).unwrap();
        let (mut batch, mut names) = (Batch::default(), Names(Vec::new()));
        while input.next_batch(&mut batch).unwrap() {
            assert_eq!(
                Unpacker::new(&limits).unpack(&mut batch, &mut names),
                UnpackResult::Complete
            );
            batch.clear();
        }
        names.0
    }

    #[test]
    fn the_sample_repeats_under_other_names_until_there_is_enough() {
        let (made, bytes) = made(&[], 3, 1);
        assert!((3_000_000..4_000_000).contains(&made.raw_bytes), "{made:?}");
        assert!(made.distinct > 30 && made.records > made.distinct, "{made:?}");
        assert_eq!(made.packed_bytes, bytes.len() as u64);
        let mut names = records(&bytes);
        assert_eq!(names.len() as u64, made.records);
        names.sort();
        names.dedup();
        assert!(names.windows(2).all(|two| two[0].1 != two[1].1), "identifiers repeat");
    }

    #[test]
    fn the_same_wish_gives_the_same_bytes_and_another_seed_others() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large.warc.gz");
        make(&[], 4, 1, &large).unwrap();
        let large = [large];
        let (one, bytes) = made(&large, 1, 1);
        assert_eq!(made(&large, 1, 1), (one.clone(), bytes));
        assert_ne!(made(&large, 1, 2).0.digest, one.digest);
        assert!(one.raw_bytes >= 1_000_000 && one.raw_bytes < 2_000_000, "{one:?}");
    }

    #[test]
    fn what_holds_no_page_makes_no_corpus() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none.warc");
        std::fs::write(
            &path,
            "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
        )
        .unwrap();
        let out = folder.path().join("out.warc.gz");
        assert!(matches!(make(&[path], 1, 1, &out), Err(BenchError::NoPages)));
        assert!(!out.exists());
    }
}
