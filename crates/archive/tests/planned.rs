//! Records that an index names: the same as those of the whole file, however the plan is cut, and
//! linear on plans made to hurt.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_archive::{
    Batch, Entry, Fault, FaultReason, Input, Limits, PlannedRecord, Position, Record, RecordStream,
    Stores, UnpackResult, Unpacker, Visitor, WarcHeader, planned_digest,
};
use huller_testkit::pack::{gzip, lz4, zstd};
use huller_testkit::random::Random;
use huller_testkit::zip::{ZipEntry, wacz};
use huller_testkit::{arc, sample, warc};
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;

type Pack = fn(&[u8]) -> Vec<u8>;

const PACKS: [Pack; 4] = [gzip, zstd, lz4, <[u8]>::to_vec];

/// What was shown: records with their places, header and block, and faults.
#[derive(Debug, Default, PartialEq)]
struct ShownEntries {
    entries: Vec<Result<(Position, Vec<u8>), Fault>>,
    /// Entries after which the visitor is full.
    most: Option<usize>,
    in_batch: usize,
}

impl Visitor for ShownEntries {
    fn record(&mut self, record: Record<'_>) {
        self.entries.push(Ok((record.position, [record.header, record.block].concat())));
        self.in_batch += 1;
    }

    fn line(&mut self, _: &[u8], _: Position) {
        unreachable!("an index leads to records alone")
    }

    fn fault(&mut self, fault: &Fault) {
        self.entries.push(Err(fault.clone()));
        self.in_batch += 1;
    }

    fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.in_batch >= most)
    }
}

type Entries = Vec<Result<(Position, Vec<u8>), Fault>>;

fn limits(batch_bytes: usize) -> Limits {
    Limits { batch_bytes, ..Limits::default() }
}

/// Reads with two unpackers in turn, as two workers do.
fn read(
    path: &Path,
    plan: &Arc<[PlannedRecord]>,
    batch_bytes: usize,
    most: Option<usize>,
) -> Entries {
    let limits = limits(batch_bytes);
    let mut input = Input::planned(path, Arc::clone(plan), &limits).unwrap();
    let mut unpackers = [Unpacker::new(&limits), Unpacker::new(&limits)];
    let (mut batch, mut number) = (Batch::default(), 0);
    let mut found = ShownEntries { most, ..ShownEntries::default() };
    while input.next_batch(&mut batch).unwrap() {
        (found.in_batch, number) = (0, number + 1);
        if let UnpackResult::StoppedAt(at) = unpackers[number % 2].unpack(&mut batch, &mut found) {
            input.restart_at(at).unwrap();
        }
    }
    let seen = planned_digest(&Stores::default(), path, plan, u64::MAX).unwrap();
    assert_eq!(input.prefix_digest(), seen, "what is read again has the same digest");
    found.entries
}

fn of_stream(mut stream: RecordStream) -> Entries {
    let (mut batch, mut entries) = (Batch::default(), Vec::new());
    while stream.next_batch(&mut batch).unwrap() {
        for entry in &batch.entries {
            entries.push(match entry {
                Entry::Record { bytes, position, .. } => {
                    Ok((*position, batch.bytes[bytes.clone()].to_vec()))
                }
                Entry::Fault(fault) => Err(fault.clone()),
                Entry::Line { .. } | Entry::File { .. } => {
                    unreachable!("an index leads to records alone")
                }
            });
        }
    }
    entries
}

fn planned(offset: u64, length: u64) -> PlannedRecord {
    PlannedRecord { offset, url: None, length: NonZeroU64::new(length) }
}

/// The records of a file that have a place of their own.
fn alone(path: &Path) -> Entries {
    let all = of_stream(RecordStream::open(path, &Limits::default()).unwrap());
    all.into_iter().filter(|it| it.as_ref().is_ok_and(|it| it.0.member.is_some())).collect()
}

/// Without the place in the plain stream, which a reader that begins in the middle does not know.
fn without_stream_offset(mut entries: Entries) -> Entries {
    entries.iter_mut().flatten().for_each(|(position, _)| position.stream_offset = None);
    entries
}

#[test]
fn planned_records_are_those_of_the_whole_file_however_the_plan_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    for pack in PACKS {
        let bytes: Vec<u8> = sample::records().iter().flat_map(|record| pack(record)).collect();
        fs::write(&path, bytes).unwrap();
        let whole: Entries = alone(&path).into_iter().step_by(2).collect();
        assert!(whole.len() > 20);
        let places = whole.iter().flatten().map(|(position, _)| position.member.unwrap());
        for with_length in [true, false] {
            let plan = places
                .clone()
                .map(|(offset, length)| planned(offset, if with_length { length } else { 0 }));
            let plan: Arc<[PlannedRecord]> = plan.collect();
            let whole = without_stream_offset(whole.clone());
            for (batch_bytes, most) in [(1 << 20, None), (1, None), (20_000, Some(2))] {
                let found = without_stream_offset(read(&path, &plan, batch_bytes, most));
                assert_eq!(found.len(), whole.len());
                assert!(found == whole, "batches of {batch_bytes} bytes");
            }
        }
    }
}

#[test]
fn any_plan_of_any_file_gives_the_same_however_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let mut random = Random::new(26);
    for round in 0..60 {
        let pack = PACKS[round % 4];
        let records = sample::records();
        let mut bytes: Vec<u8> = records[..20].iter().flat_map(|record| pack(record)).collect();
        fs::write(&path, &bytes).unwrap();
        let mut plan: Vec<PlannedRecord> = alone(&path)
            .iter()
            .flatten()
            .map(|(position, _)| position.member.unwrap())
            .map(|(offset, length)| planned(offset, [length, 0, length / 2][random.within(0, 3)]))
            .collect();
        for _ in 0..random.below(20) {
            let (offset, length) = (random.within(0, bytes.len() + 100), random.below(100_000));
            plan.push(planned(offset as u64, u64::from(length)));
        }
        plan.sort_unstable();
        // The head is left, so that the file is an archive.
        for _ in 0..random.below(30) {
            let at = random.within(2000, bytes.len());
            bytes[at] = bytes[at].wrapping_add(1);
        }
        bytes.truncate(bytes.len() - random.within(0, 2000));
        fs::write(&path, &bytes).unwrap();
        let plan: Arc<[PlannedRecord]> = Arc::from(plan);
        let whole = read(&path, &plan, 1 << 20, None);
        assert_eq!(whole.len(), plan.len(), "one entry for each planned record");
        assert_eq!(whole, read(&path, &plan, 1, None), "round {round}");
        assert_eq!(whole, read(&path, &plan, 9_000, Some(3)), "round {round}");
        let input = Input::planned(&path, Arc::clone(&plan), &Limits::default()).unwrap();
        assert_eq!(whole, of_stream(input.into_stream().unwrap()), "round {round}");
    }
}

#[test]
fn any_plan_of_a_wacz_gives_the_records_of_its_stored_archives_however_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let mut random = Random::new(27);
    let mut packed: Vec<Vec<u8>> = PACKS
        .iter()
        .map(|pack| sample::records()[..9].iter().flat_map(|record| pack(record)).collect())
        .collect();
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>An old page.";
    let old = [arc::version_block(), arc::record("http://a.example/", "text/html", page)];
    packed.push(old.iter().flat_map(|record| gzip(record)).collect());
    for round in 0..40 {
        let mut packed = packed.clone();
        // The first round has no damage.
        for archive in &mut packed {
            for _ in 0..random.below(4).min(round) {
                let at = random.within(archive.len() / 4, archive.len());
                archive[at] = archive[at].wrapping_add(1);
            }
            // A record that is cut by the end of its archive does not go on in the next file.
            if round % 3 == 1 {
                archive.truncate(archive.len() - random.within(1, 40));
            }
        }
        let entry = |(at, data): (usize, &Vec<u8>)| {
            ZipEntry::stored(&format!("archive/{at}.warc"), &data[..])
        };
        let mut entries: Vec<_> = packed.iter().enumerate().map(entry).collect();
        entries.insert(2, ZipEntry::deflated("archive/x.warc", &packed[3]));
        let bytes = wacz(entries);
        fs::write(&path, &bytes).unwrap();
        let whole = alone(&path);
        let place = |it: &Result<(Position, _), _>| it.as_ref().unwrap().0.member.unwrap();
        let mut plan: Vec<PlannedRecord> = whole
            .iter()
            .map(place)
            .map(|(offset, length)| planned(offset, [length, 0][random.within(0, 2)]))
            .collect();
        if round == 0 {
            assert_eq!(plan.len(), 4 * 9 + 2);
            let found = read(&path, &Arc::from(plan.clone()), 1 << 20, None);
            assert!(without_stream_offset(found) == without_stream_offset(whole));
        }
        for _ in 0..random.below(30) {
            let (offset, length) = (random.within(0, bytes.len() + 100), random.below(100_000));
            plan.push(planned(offset as u64, u64::from(length)));
        }
        plan.sort_unstable();
        let plan: Arc<[PlannedRecord]> = Arc::from(plan);
        let found = read(&path, &plan, 1 << 20, None);
        assert_eq!(found.len(), plan.len(), "one entry for each planned record");
        assert_eq!(found, read(&path, &plan, 1, None), "round {round}");
        assert_eq!(found, read(&path, &plan, 9_000, Some(3)), "round {round}");
        let input = Input::planned(&path, Arc::clone(&plan), &Limits::default()).unwrap();
        assert_eq!(found, of_stream(input.into_stream().unwrap()), "round {round}");
    }
}

#[test]
fn records_within_one_another_are_read_a_bounded_number_of_times() {
    // Each record claims all that follows. Read one by one they would take a gigabyte.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let (count, every) = (3_000, 200);
    let mut bytes = Vec::new();
    for number in 0..count {
        let length = (count - number) * every;
        let record = warc::record_with("resource", &length.to_string(), "", &[b'x'; 60]);
        bytes.extend_from_slice(&record);
        bytes.resize((number + 1) * every, b'x');
    }
    bytes.resize(count * every * 2, b'x');
    fs::write(&path, &bytes).unwrap();
    let plan: Arc<[PlannedRecord]> =
        (0..count).map(|number| planned((number * every) as u64, u64::MAX)).collect();
    let found = read(&path, &plan, 1 << 20, None);
    let held: usize = found.iter().flatten().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!(found.len(), count);
    assert!(held < bytes.len() * 10, "{held} bytes");
}

#[test]
fn a_record_with_another_url_is_not_the_planned_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    fs::copy(sample::archive(), &path).unwrap();
    let all = alone(&path);
    let url = |bytes: &[u8]| WarcHeader::parse(bytes).unwrap().target_uri().unwrap().to_vec();
    let with_url: Vec<_> =
        all.iter().flatten().filter(|it| it.1[..400].windows(4).any(|w| w == b"URI:")).collect();
    let place = with_url[0].0.member.unwrap();
    let other = PlannedRecord {
        url: PlannedRecord::url_key(b"http://other/"),
        ..planned(place.0, place.1)
    };
    let right = PlannedRecord {
        url: PlannedRecord::url_key(&url(&with_url[0].1)),
        ..planned(place.0, place.1)
    };
    let mut plan = vec![right, other];
    plan.sort_unstable();
    let found = read(&path, &Arc::from(plan), 1 << 20, None);
    assert!(found[0].is_ok());
    assert_eq!(found[1].as_ref().unwrap_err().reason, FaultReason::NotWhereIndexed);
    let found = read(&path, &Arc::from(vec![other]), 1 << 20, None);
    let detail = &found[0].as_ref().unwrap_err().detail;
    assert!(detail.contains("another URL"), "{detail}");
}
