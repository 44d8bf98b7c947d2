//! Inputs of a store give what they give as local files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_archive::{
    Batch, Fault, Input, Limits, PlannedRecord, Position, Record, RemoteFile, Store, Stores,
    UnpackResult, Unpacker, Visitor,
};
use huller_testkit::pack::{gzip, lz4, zstd};
use huller_testkit::random::Random;
use huller_testkit::sample;
use huller_testkit::zip::{ZipEntry, wacz, zip};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A store of local files, at `mem://` and their paths.
#[derive(Debug)]
struct LocalStore;

#[derive(Debug)]
struct BytesFile(Vec<u8>);

impl Store for LocalStore {
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>> {
        let path = address.strip_prefix("mem://").ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(BytesFile(std::fs::read(path)?)))
    }

    fn max_memory_bytes(&self) -> usize {
        0
    }
}

impl RemoteFile for BytesFile {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn identity(&self) -> Option<&str> {
        Some("one")
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let read = rest.len().min(buffer.len());
        buffer[..read].copy_from_slice(&rest[..read]);
        Ok(read)
    }

    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync> {
        let rest = self.0.get(offset as usize..).unwrap_or_default().to_vec();
        // In odd pieces, as a network gives them.
        Box::new(ShortReads(Cursor::new(rest), 0))
    }
}

struct ShortReads(Cursor<Vec<u8>>, usize);

impl Read for ShortReads {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = (self.1 * 7 + 13) % 5000;
        let most = buffer.len().min(self.1 + 1);
        self.0.read(&mut buffer[..most])
    }
}

/// What visitors are shown.
#[derive(Default)]
struct ShownRecords(Vec<String>);

impl Visitor for ShownRecords {
    fn record(&mut self, record: Record<'_>) {
        let Record { header, block, position, repair, .. } = record;
        self.0.push(format!("{position:?} {repair:?} {header:?} {block:?}"));
    }

    fn line(&mut self, line: &[u8], position: Position) {
        self.0.push(format!("{position:?} {line:?}"));
    }

    fn fault(&mut self, fault: &Fault) {
        self.0.push(format!("{fault:?}"));
    }
}

/// Everything that an input gives, and what was seen of it.
fn given(mut input: Input) -> (Vec<String>, String) {
    let limits = Limits::default();
    let (mut shown, mut unpacker) = (ShownRecords::default(), Unpacker::new(&limits));
    let mut batch = Batch::default();
    while input.next_batch(&mut batch).unwrap() {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut shown) {
            input.restart_at(offset).unwrap();
        }
    }
    (shown.0, format!("{:?} {:?} {:?}", input.prefix_digest(), input.format(), input.container()))
}

fn address(path: &Path) -> PathBuf {
    PathBuf::from(format!("mem://{}", path.display()))
}

/// Files of all kinds, in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let records = sample::records();
    let plain = records.concat();
    let members = |pack: fn(&[u8]) -> Vec<u8>| -> Vec<u8> {
        records.iter().flat_map(|record| pack(record)).collect()
    };
    let mut damaged = members(gzip);
    for place in [damaged.len() / 3, damaged.len() / 2] {
        damaged[place..place + 30].fill(0x55);
    }
    let cut = damaged[..damaged.len() - 100].to_vec();
    let made = [
        ("a.warc", plain.clone()),
        ("a.warc.gz", members(gzip)),
        ("large.warc.gz", sample::large_archive(8 << 20)),
        ("damaged.warc.gz", damaged),
        ("cut.warc.gz", cut),
        ("whole.warc.gz", gzip(&plain)),
        ("a.warc.zst", members(zstd)),
        ("a.warc.lz4", members(lz4)),
        (
            "a.wacz",
            wacz(vec![
                ZipEntry::stored("archive/a.warc.gz", members(gzip)),
                ZipEntry::deflated("archive/b.warc", &plain),
            ]),
        ),
        ("a.jsonl", b"{\"html\":\"<p>one\"}\n{\"html\":\"<p>two\"}\n".to_vec()),
        ("a.csv", b"url,html\nhttp://a/,<p>one\n".to_vec()),
    ];
    let mut paths: Vec<PathBuf> = made
        .into_iter()
        .map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        })
        .collect();
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables");
    paths.push(tables.join("scalars-groups.parquet"));
    paths.push(tables.join("duckdb-v2-zstd.parquet"));
    paths
}

#[test]
fn every_kind_gives_what_it_gives_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (stores, limits) = (Stores::with_store(Arc::new(LocalStore)), Limits::default());
    for path in files(folder.path()) {
        let here = Input::open(&path, &limits).unwrap();
        let there = Input::open_in(&stores, &address(&path), &limits).unwrap();
        assert_eq!(here.len(), there.len());
        assert!(there.version().is_some() && there.version() != here.version());
        let (here, there) = (given(here), given(there));
        assert!(!here.0.is_empty(), "{}", path.display());
        assert!(here == there, "{}", path.display());
    }
}

#[test]
fn planned_records_and_single_ones_are_read_of_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let archive = sample::large_archive(4 << 20);
    std::fs::write(&path, &archive).unwrap();
    let (stores, limits) = (Stores::with_store(Arc::new(LocalStore)), Limits::default());
    let members = sample::members(&archive);
    let plan: Arc<[PlannedRecord]> = (members.iter().step_by(5))
        .map(|(member, _)| PlannedRecord { offset: member.start as u64, url: None, length: None })
        // One is not there.
        .chain([PlannedRecord { offset: archive.len() as u64 + 5, url: None, length: None }])
        .collect();
    let here = Input::planned(&path, Arc::clone(&plan), &limits).unwrap();
    let there = Input::open_planned(&stores, &address(&path), Arc::clone(&plan), &limits).unwrap();
    assert_eq!(given(here), given(there));
    let seen = huller_archive::planned_digest(&stores, &address(&path), &plan, u64::MAX).unwrap();
    assert_eq!(
        seen,
        huller_archive::planned_digest(&Stores::default(), &path, &plan, u64::MAX).unwrap()
    );
    let there = Input::open_in(&stores, &address(&path), &limits).unwrap();
    let mut batch = Batch::default();
    let offset = members[7].0.start as u64;
    assert!(there.repair_at(offset).unwrap().next_batch(&mut batch).unwrap());
    let here = Input::open(&path, &limits).unwrap();
    let mut same = Batch::default();
    assert!(here.repair_at(offset).unwrap().next_batch(&mut same).unwrap());
    assert_eq!(batch.bytes, same.bytes);
}

/// A store of local files of which the first reading fails that comes beyond a place. Later ones go
/// well.
#[derive(Debug)]
struct FailingStore {
    from: u64,
    kind: io::ErrorKind,
    has_failed: Arc<AtomicBool>,
}

#[derive(Debug)]
struct BrokenFile {
    file: Arc<BytesFile>,
    from: u64,
    kind: io::ErrorKind,
    has_failed: Arc<AtomicBool>,
}

impl Store for FailingStore {
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>> {
        let path = address.strip_prefix("mem://").ok_or(io::ErrorKind::NotFound)?;
        let file = Arc::new(BytesFile(std::fs::read(path)?));
        let FailingStore { from, kind, .. } = *self;
        Ok(Arc::new(BrokenFile { file, from, kind, has_failed: Arc::clone(&self.has_failed) }))
    }

    fn max_memory_bytes(&self) -> usize {
        0
    }
}

impl RemoteFile for BrokenFile {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn identity(&self) -> Option<&str> {
        Some("one")
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // The end is where directories of ZIP files and tables lie: those can be read.
        let is_directory = offset + 4000 > self.len();
        let is_beyond = !is_directory && offset + buffer.len() as u64 > self.from;
        if is_beyond && !self.has_failed.swap(true, Ordering::Relaxed) {
            return Err(self.kind.into());
        }
        self.file.read_at(buffer, offset)
    }

    fn read_from(self: Arc<Self>, offset: u64) -> Box<dyn Read + Send + Sync> {
        let sound = Arc::clone(&self.file).read_from(offset);
        let rest = Arc::clone(&self.file).read_from(self.from.max(offset));
        let failing = FailingFile(self.kind, Arc::clone(&self.has_failed));
        Box::new(sound.take(self.from.saturating_sub(offset)).chain(failing).chain(rest))
    }
}

/// Fails, or is empty where something has failed before.
struct FailingFile(io::ErrorKind, Arc<AtomicBool>);

impl Read for FailingFile {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        if self.1.swap(true, Ordering::Relaxed) { Ok(0) } else { Err(self.0.into()) }
    }
}

/// The first error, or everything that an input gives.
fn tried(stores: &Stores, path: &Path) -> Result<Vec<String>, String> {
    let limits = Limits::default();
    let mut input = Input::open_in(stores, path, &limits).map_err(|error| error.to_string())?;
    let (mut shown, mut unpacker) = (ShownRecords::default(), Unpacker::new(&limits));
    let mut batch = Batch::default();
    while input.next_batch(&mut batch).map_err(|error| error.to_string())? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut shown) {
            input.restart_at(offset).map_err(|error| error.to_string())?;
        }
    }
    Ok(shown.0)
}

#[test]
fn a_store_that_fails_is_an_error_and_never_damage() {
    let folder = tempfile::tempdir().unwrap();
    let deflated = folder.path().join("deflated.wacz");
    let records = sample::records().concat();
    std::fs::write(&deflated, wacz(vec![ZipEntry::deflated("archive/b.warc", &records)])).unwrap();
    let pages = folder.path().join("pages.zip");
    let page = [b"<!DOCTYPE html><p>", &*Random::new(3).bytes(60_000)].concat();
    let entries = [ZipEntry::stored("a.html", &page[..]), ZipEntry::deflated("b.html", &page)];
    std::fs::write(&pages, zip(&entries)).unwrap();
    for path in files(folder.path()).into_iter().chain([deflated, pages]) {
        if path.extension().is_some_and(|it| it == "parquet") {
            // A page that cannot be read is told by the reader of tables, not here.
            continue;
        }
        let length = path.metadata().unwrap().len();
        for kind in [io::ErrorKind::Other, io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof]
        {
            for tenths in [2, 5, 7, 9] {
                let from = length * tenths / 10;
                let has_failed = Arc::new(AtomicBool::new(false));
                let broken = FailingStore { from, kind, has_failed: Arc::clone(&has_failed) };
                let given = tried(&Stores::with_store(Arc::new(broken)), &address(&path));
                assert!(has_failed.load(Ordering::Relaxed));
                assert!(given.is_err(), "{} from {from} on, {kind}: {given:?}", path.display());
            }
        }
    }
}

#[test]
fn what_a_store_does_not_have_is_an_error_with_a_name_that_may_be_shown() {
    let (stores, limits) = (Stores::with_store(Arc::new(LocalStore)), Limits::default());
    let error = Input::open_in(&stores, Path::new("https://me:secret@host/a?sig=secret"), &limits);
    let error = error.err().unwrap().to_string();
    assert!(error.starts_with("cannot read 'https://host/a': "), "{error}");
    assert!(!error.contains("secret"), "{error}");
}

/// Which bytes make a batch does not depend on who reads them: of a store all are read by the
/// thread that cuts, of a file of members only the ends of stretches.
#[test]
fn cuts_are_the_same_whoever_reads_the_batches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let small = sample::large_archive(3 << 20);
    // Noise does not get smaller: a member that is longer than all that is looked at for a cut, and
    // one longer than batches.
    let noise = |len: usize| {
        let mut state = 7_u64;
        let block: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        })
        .take(len)
        .collect();
        let header = format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {len}\r\n\r\n");
        gzip(&[header.as_bytes(), &block, b"\r\n\r\n"].concat())
    };
    let archive =
        [&small[..], &noise(300_000), &small, &noise(3_000_000), &noise(10), &small].concat();
    std::fs::write(&path, &archive).unwrap();
    let stores = Stores::with_store(Arc::new(LocalStore));
    for batch_bytes in [1, 5000, 50_000, 100_000, 1 << 20, 100 << 20] {
        let limits = Limits { batch_bytes, ..Limits::default() };
        let batches = |mut input: Input| {
            let (mut batch, mut found) = (Batch::default(), Vec::new());
            while input.cut_batch(&mut batch).unwrap() {
                let (weight, end) = (batch.weight(), batch.end());
                let seen = batch.read().unwrap();
                assert!(seen.is_none_or(|seen| seen.bytes >= end));
                assert_eq!((batch.weight(), batch.end()), (weight, end));
                found.push((batch.start, batch.bytes.clone()));
            }
            (found, input.prefix_digest())
        };
        let here = batches(Input::open(&path, &limits).unwrap());
        let there = batches(Input::open_in(&stores, &address(&path), &limits).unwrap());
        assert!(here == there, "{batch_bytes}");
        assert_eq!(here.0.iter().flat_map(|(_, bytes)| bytes).count(), archive.len());
    }
}

#[test]
fn a_file_that_is_cut_while_it_is_read_gives_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let archive = sample::large_archive(8 << 20);
    std::fs::write(&path, &archive).unwrap();
    let limits = Limits { batch_bytes: 300_000, ..Limits::default() };
    let mut input = Input::open(&path, &limits).unwrap();
    let [mut first, mut second, mut third] = [(); 3].map(|()| Batch::default());
    for batch in [&mut first, &mut second, &mut third] {
        assert!(input.cut_batch(batch).unwrap());
    }
    assert_eq!(input.complete_prefix_digest(), None);
    let left = second.start + 100;
    std::fs::File::options().write(true).open(&path).unwrap().set_len(left).unwrap();
    for batch in [&mut first, &mut second, &mut third] {
        batch.read().unwrap();
    }
    assert_eq!((second.bytes.len(), third.bytes.len()), (100, 0));
    assert_eq!(
        (input.prefix_digest().bytes, input.complete_prefix_digest()),
        (left, Some(input.prefix_digest()))
    );
}
