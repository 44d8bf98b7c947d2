//! WACZ: the archives in it are read as files of their own are, damage stays where it is, and a ZIP
//! file that does harm is refused.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use huller_archive::{
    ArchiveError, Batch, Container, FaultReason, Format, Input, Limits, RecordStream, Stores,
    check_wacz,
};
use huller_testkit::pack::{gzip, zstd};
use huller_testkit::random::Random;
use huller_testkit::sample;
use huller_testkit::zip::{ZipEntry, wacz, zip};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use support::drive::{ShownEntry, all_ways};

type Pack = fn(&[u8]) -> Vec<u8>;

/// The records of the sample in two archives, packed as said.
fn halves(pack: Pack) -> [Vec<u8>; 2] {
    let records = sample::records();
    let (one, two) = records.split_at(40);
    [one, two].map(|records| records.iter().flat_map(|record| pack(record)).collect())
}

fn read(path: &Path) -> Vec<ShownEntry> {
    let limits = Limits { batch_bytes: 20_000, ..Limits::default() };
    all_ways(path, &limits).unwrap()
}

/// Header, block and word of each, without places.
fn placeless(seen: &[ShownEntry]) -> Vec<(&[u8], &[u8], String)> {
    seen.iter().map(|seen| (seen.header(), seen.block(), seen.word())).collect()
}

#[test]
fn archives_give_what_they_give_alone_and_offsets_are_those_of_the_wacz() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let packs: [(Pack, &str); 3] =
        [(gzip, "warc.gz"), (zstd, "warc.zst"), (<[u8]>::to_vec, "warc")];
    for (pack, end) in packs {
        let halves = halves(pack);
        let mut alone = Vec::new();
        for half in &halves {
            let file = folder.path().join(format!("alone.{end}"));
            fs::write(&file, half).unwrap();
            alone.extend(read(&file));
        }
        let [one, two] = &halves;
        let [first, second] = ["1", "2"].map(|name| format!("archive/{name}.{end}"));
        let stored = [ZipEntry::stored(&first, &one[..]), ZipEntry::stored(&second, &two[..])];
        fs::write(&path, wacz(stored.to_vec())).unwrap();
        let seen = read(&path);
        assert_eq!(placeless(&seen), placeless(&alone), "{end}");
        let members = seen.iter().filter_map(|seen| match seen {
            ShownEntry::Record { header, member: Some((offset, _)), .. } => Some((header, *offset)),
            _ => None,
        });
        assert_eq!(members.clone().count(), seen.len(), "{end}: each record has a place");
        let input = Input::open(&path, &Limits::default()).unwrap();
        for (header, offset) in members.step_by(7) {
            let mut batch = Batch::default();
            input.repair_at(offset).unwrap().next_batch(&mut batch).unwrap();
            assert!(batch.bytes.starts_with(header), "{end}: what lies at {offset}");
        }

        let deflated = [ZipEntry::deflated(&first, one), ZipEntry::deflated(&second, two)];
        fs::write(&path, wacz(deflated.to_vec())).unwrap();
        let seen = read(&path);
        assert_eq!(placeless(&seen), placeless(&alone), "{end}");
        let has_place =
            |seen: &ShownEntry| matches!(seen, ShownEntry::Record { member: Some(_), .. });
        assert!(!seen.iter().any(has_place), "{end}: what is deflated has no place in the file");
    }
}

#[test]
fn all_bytes_of_the_file_are_seen_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let [one, two] = halves(gzip);
    for entries in [
        vec![
            ZipEntry::stored("archive/1.warc.gz", one.clone()),
            ZipEntry::stored("archive/2.warc.gz", two.clone()),
        ],
        vec![
            ZipEntry::deflated("archive/1.warc.gz", &one),
            ZipEntry::stored("archive/2.warc.gz", two.clone()),
        ],
        vec![
            ZipEntry::stored("archive/1.warc.gz", one.clone()),
            ZipEntry::deflated("archive/2.warc.gz", &two),
        ],
    ] {
        let bytes = wacz(entries);
        fs::write(&path, &bytes).unwrap();
        let mut input = Input::open(&path, &Limits::default()).unwrap();
        let (mut batch, mut before) = (Batch::default(), 0);
        while input.next_batch(&mut batch).unwrap() {
            assert!(input.bytes_read() >= before, "progress goes on");
            before = input.bytes_read();
        }
        let seen = huller_archive::PrefixDigest::compute(&bytes[..], u64::MAX).unwrap();
        assert_eq!(input.prefix_digest(), seen);
        assert_eq!(input.bytes_read(), bytes.len() as u64);
    }
}

#[test]
fn damage_in_one_archive_costs_its_record_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let halves = halves(gzip);
    let mut random = Random::new(7);
    for round in 0..12 {
        let [mut one, mut two] = halves.clone();
        // The last record of an archive too, which ends where the archive does.
        for half in [&mut one, &mut two] {
            let members = sample::members(half);
            let damaged =
                if round == 0 { members.len() - 1 } else { random.within(0, members.len()) };
            let range = members[damaged].0.clone();
            let middle = range.start + (range.end - range.start) / 2;
            half[middle..range.end].fill(0x55);
        }
        let entries = vec![
            ZipEntry::stored("archive/1.warc.gz", one),
            ZipEntry::stored("archive/2.warc.gz", two),
        ];
        fs::write(&path, wacz(entries)).unwrap();
        let seen = read(&path);
        assert_eq!(seen.iter().filter(|seen| seen.reason().is_some()).count(), 2, "round {round}");
        assert_eq!(seen.len(), sample::records().len(), "round {round}");
    }
}

#[test]
fn an_archive_that_is_none_is_one_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let [one, two] = halves(gzip);
    let entries = vec![
        ZipEntry::stored("archive/0.warc.gz", b"neither this nor that ".repeat(40)),
        ZipEntry::stored("archive/1.warc.gz", one),
        ZipEntry::stored("archive/2.warc.gz", ""),
        ZipEntry::deflated("archive/3.warc.gz", &two),
    ];
    fs::write(&path, wacz(entries)).unwrap();
    let seen = read(&path);
    let faults: Vec<usize> =
        (0..seen.len()).filter(|at| seen[*at].reason() == Some(FaultReason::Garbage)).collect();
    assert_eq!(faults, [0, 41]);
    assert_eq!(seen.len(), sample::records().len() + 2);
}

#[test]
fn deflated_data_that_are_damaged_or_too_long_lose_what_follows_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let [one, two] = halves(<[u8]>::to_vec);
    let mut cut = ZipEntry::deflated("archive/1.warc", &one);
    let half = cut.data_mut().len() / 2;
    cut.data_mut()[half..].fill(0xff);
    let long = ZipEntry::deflated("archive/1.warc", &one).size(one.len() as u64 - 1000);
    let short = ZipEntry::deflated("archive/1.warc", &one).size(one.len() as u64 + 1000);
    for (entry, problem) in [
        // Where damage shows depends on the data: they may be no deflate, or go on for too long.
        (cut, "in the WACZ: it"),
        (long, "more bytes than stated"),
        (short, "bytes before the size in the directory"),
    ] {
        fs::write(&path, wacz(vec![entry, ZipEntry::stored("archive/2.warc", &two[..])])).unwrap();
        let seen = read(&path);
        let told = seen.iter().any(|seen| match seen {
            ShownEntry::Fault(fault) => fault.detail.contains(problem),
            _ => false,
        });
        let faults = seen.iter().filter(|seen| seen.reason().is_some()).collect::<Vec<_>>();
        assert!(told, "{problem}: {faults:?}");
        let of_two = sample::records().len() - 40;
        assert!(
            seen[seen.len() - of_two..].iter().all(|seen| seen.reason().is_none()),
            "{problem}"
        );
    }
}

#[test]
fn zip_files_that_do_harm_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let [one, two] = halves(gzip);
    let good = || ZipEntry::stored("archive/1.warc.gz", &one[..]);
    let other = |name: &str| ZipEntry::stored(name, &two[..]);
    let cases = [
        ("leads out of it", vec![good(), other("../../etc/x.warc.gz")]),
        ("leads out of it", vec![good(), other("archive\\..\\..\\x")]),
        ("leads out of it", vec![good(), other("/archive/x.warc.gz")]),
        ("overlap", vec![good(), other("archive/2.warc.gz").at(0)]),
        ("overlap", vec![good().at(0), good().at(0), other("archive/2.warc.gz")]),
        ("too many for 20 deflated bytes", vec![bomb()]),
        ("two different sizes", vec![good().size(7)]),
        ("method 93", vec![good().method(93)]),
    ];
    for (problem, entries) in cases {
        fs::write(&path, zip(&entries)).unwrap();
        let error = Input::open(&path, &Limits::default()).err().unwrap();
        assert!(matches!(error, ArchiveError::Zip { .. }), "{problem}: {error}");
        assert!(error.to_string().contains(problem), "{problem}: {error}");
    }
}

#[test]
fn a_directory_that_lists_fewer_files_than_its_end_states_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    let mut file = zip(&[ZipEntry::stored("a.html", b"<p>a"), ZipEntry::stored("b.html", b"<p>b")]);
    let open = |file: &[u8]| {
        fs::write(&path, file).unwrap();
        Input::open(&path, &Limits::default()).err().map(|error| error.to_string())
    };
    assert_eq!(open(&file), None);
    // The end of the directory is the end of the file: two counts of 16 bits are 14 bytes before.
    let end = file.len();
    (file[end - 14], file[end - 12]) = (9, 9);
    assert!(open(&file).is_some_and(|error| error.contains("2 files of 9")));
}

/// 20 bytes that claim a gigabyte.
fn bomb() -> ZipEntry {
    let mut entry = ZipEntry::deflated("archive/b.warc", b"").size(1 << 30);
    entry.data_mut().resize(20, 0);
    entry
}

#[test]
fn a_zip_file_that_is_no_wacz_is_what_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    let mut text = zip(&[ZipEntry::deflated("a.txt", &[b'x'; 1000])]);
    text.pop();
    text.pop();
    text.pop();
    fs::write(&path, text).unwrap();
    let error = Input::open(&path, &Limits::default()).err().unwrap().to_string();
    assert!(error.contains("a ZIP archive") && error.contains("or unpack it"), "{error}");
    // Archives elsewhere are found by their records too.
    let [one, _] = halves(gzip);
    fs::write(&path, zip(&[ZipEntry::stored("warcs/1.warc.gz", one)])).unwrap();
    let input = Input::open(&path, &Limits::default()).unwrap();
    assert_eq!((input.format(), input.container()), (Format::Warc, Container::Gzip));
    // Without its directory what is stored is found by its records.
    let [one, _] = halves(gzip);
    let mut bytes = zip(&[ZipEntry::stored("archive/1.warc.gz", one)]);
    bytes.truncate(bytes.len() - 50);
    fs::write(&path, bytes).unwrap();
    let mut stream = RecordStream::open(&path, &Limits::default()).unwrap();
    let (mut batch, mut records) = (Batch::default(), 0);
    while stream.next_batch(&mut batch).unwrap() {
        records += batch.entries.len();
    }
    assert!(records >= 40, "{records}");
    assert_eq!(Input::open(&path, &Limits::default()).unwrap().container(), Container::Gzip);
}

#[test]
fn digests_are_compared_with_those_of_the_package() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let [one, two] = halves(gzip);
    let sha =
        |bytes: &[u8]| format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)));
    let package = |first: &str, second: &str| {
        let json = serde_json::json!({ "resources": [
            { "path": "archive/1.warc.gz", "hash": first }, { "path": "archive/2.warc.gz", "hash": second },
        ]});
        let entries = [
            ZipEntry::stored("archive/1.warc.gz", &one[..]),
            ZipEntry::deflated("archive/2.warc.gz", &two),
            ZipEntry::deflated("datapackage.json", json.to_string().as_bytes()),
        ];
        fs::write(&path, zip(&entries)).unwrap();
        check_wacz(&Stores::default(), &path).unwrap()
    };
    assert_eq!(package(&sha(&one), &sha(&two)), Vec::<String>::new());
    let wrong = package(&sha(&two), &sha(&two));
    assert_eq!(wrong.len(), 1);
    assert!(wrong[0].contains("archive/1.warc.gz"), "{wrong:?}");
    assert!(package(&sha(&one), "md5:00")[0].contains("not SHA-256"));
    // As the first version of the format has them.
    let json = serde_json::json!({ "resources": [{
        "path": "archive/1.warc.gz", "hashing": "sha256", "stats": { "hash": &sha(&one)[7..] },
    }]});
    let package = ZipEntry::stored("datapackage.json", json.to_string());
    fs::write(&path, zip(&[ZipEntry::stored("archive/1.warc.gz", &one[..]), package])).unwrap();
    assert_eq!(check_wacz(&Stores::default(), &path).unwrap(), Vec::<String>::new());
    fs::write(&path, zip(&[ZipEntry::stored("archive/1.warc.gz", &one[..])])).unwrap();
    assert!(check_wacz(&Stores::default(), &path).unwrap()[0].contains("no datapackage.json"));
    assert!(check_wacz(&Stores::default(), &sample::archive()).unwrap().is_empty());
}
