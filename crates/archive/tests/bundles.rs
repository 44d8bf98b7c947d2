//! ZIP and tar files of pages: what GNU tar and Python wrote is read as it was meant, and damage
//! costs one file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_archive::{
    ArchiveError, ArchivedFile, Batch, Entry, Fault, FaultReason, FileKind, Input, Limits,
    Position, PrefixDigest, Record, UnpackResult, Unpacker, Visitor,
};
use huller_testkit::pack::{gzip, lz4, zstd};
use huller_testkit::random::Random;
use huller_testkit::tar::{TarHeader, entry, file, pax, tar};
use huller_testkit::zip::{ZipEntry, zip};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A file that a visitor was shown, or what was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BundleEntry {
    name: String,
    kind: Option<FileKind>,
    bytes: Vec<u8>,
    reason: Option<FaultReason>,
    position: Position,
}

#[derive(Default)]
struct Collector(Vec<BundleEntry>);

impl Visitor for Collector {
    fn record(&mut self, record: Record<'_>) {
        panic!("a record at {:?}", record.position);
    }

    fn line(&mut self, _: &[u8], position: Position) {
        panic!("a line at {position:?}");
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let ArchivedFile { name, kind, record } = file;
        self.0.push(BundleEntry {
            name: name.to_owned(),
            kind: Some(kind),
            bytes: record.block.to_vec(),
            reason: None,
            position: record.position,
        });
    }

    fn fault(&mut self, fault: &Fault) {
        self.0.push(BundleEntry {
            name: fault.detail.clone(),
            kind: None,
            bytes: Vec::new(),
            reason: Some(fault.reason),
            position: fault.position,
        });
    }
}

fn read_within(path: &Path, limits: &Limits) -> Result<Vec<BundleEntry>, ArchiveError> {
    let mut input = Input::open(path, limits)?;
    let (mut unpacker, mut found, mut batch) =
        (Unpacker::new(limits), Collector::default(), Batch::default());
    while input.next_batch(&mut batch)? {
        assert_eq!(unpacker.unpack(&mut batch, &mut found), UnpackResult::Complete);
    }
    let len = fs::metadata(path).unwrap().len();
    let whole = PrefixDigest::compute(fs::File::open(path).unwrap(), u64::MAX).unwrap();
    assert_eq!(
        (input.prefix_digest(), input.bytes_read()),
        (whole, len),
        "all bytes are seen once"
    );
    let mut stream = Input::open(path, limits)?.into_stream()?;
    let mut again = Collector::default();
    while stream.next_batch(&mut batch)? {
        assert_eq!(unpacker.unpack(&mut batch, &mut again), UnpackResult::Complete);
    }
    assert_eq!(found.0, again.0, "as one stream");
    Ok(found.0)
}

fn read(bytes: &[u8]) -> Vec<BundleEntry> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, bytes).unwrap();
    read_within(&path, &Limits::default()).unwrap()
}

fn reasons(found: &[BundleEntry]) -> Vec<FaultReason> {
    found.iter().filter_map(|found| found.reason).collect()
}

/// Names and bytes of the pages.
fn pages(found: &[BundleEntry]) -> Vec<(&str, &[u8])> {
    let pages = found.iter().filter(|found| found.kind == Some(FileKind::Page));
    pages.map(|found| (&*found.name, &*found.bytes)).collect()
}

/// A folder of files with names and sizes that are at the borders of what headers can say.
fn write_folder(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut random = Random::new(7);
    let mut pages = Vec::new();
    for (name, size) in [
        ("a.html".to_owned(), 0),
        ("b/c.htm".to_owned(), 511),
        ("b/d.html".to_owned(), 512),
        ("b/\u{e9}\u{4e2d}.html".to_owned(), 513),
        (format!("{}.html", "n".repeat(95)), 70_000),
        (format!("{}.html", "m".repeat(96)), 1),
        (format!("{0}/{0}/{0}.html", "k".repeat(60)), 100),
        (format!("{0}/{0}/{0}/{0}.html", "l".repeat(90)), 1_500_000),
    ] {
        let path = root.join(&name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut bytes = b"<p>".repeat(usize::from(size > 0));
        bytes.extend(random.bytes(size));
        fs::write(path, &bytes).unwrap();
        pages.push((name, bytes));
    }
    fs::write(root.join("no-page.css"), "b{}".repeat(3000)).unwrap();
    std::os::unix::fs::symlink("a.html", root.join("link.html")).unwrap();
    pages.sort();
    pages
}

#[track_caller]
fn assert_all_there(archive: &Path, wanted: &[(String, Vec<u8>)], problem: &str) {
    let found = read_within(archive, &Limits::default()).unwrap();
    assert_eq!(reasons(&found), [], "{problem}");
    let mut pages: Vec<_> = pages(&found);
    pages.sort_unstable();
    let wanted: Vec<_> = wanted.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    assert!(
        pages == wanted,
        "{problem}: {:?}",
        pages.iter().map(|page| page.0).collect::<Vec<_>>()
    );
    let others = found.iter().filter(|found| found.kind == Some(FileKind::Other)).count();
    assert_eq!(others, 1, "{problem}");
    // Each leads back to its file.
    let input = Input::open(archive, &Limits::default()).unwrap();
    for one in found.iter().filter(|found| found.position.member.is_some()) {
        let mut batch = Batch::default();
        let (offset, _) = one.position.member.unwrap();
        input.repair_at(offset).unwrap().next_batch(&mut batch).unwrap();
        let Entry::File { name, bytes, header, .. } = &batch.entries[0] else {
            panic!("{problem}")
        };
        assert_eq!(&batch.bytes[name.clone()], one.name.as_bytes(), "{problem}");
        assert!(batch.bytes[bytes.start + header..bytes.end] == one.bytes, "{problem}");
    }
}

#[test]
fn what_gnu_tar_wrote_is_read() {
    let work = tempfile::tempdir().unwrap();
    let root = work.path().join("site");
    let pages = write_folder(&root);
    for format in ["gnu", "oldgnu", "posix"] {
        let archive = work.path().join(format);
        let tar = |archive: &Path| {
            let mut tar = Command::new("tar");
            tar.arg(format!("--format={format}")).arg("-cf").arg(archive).arg("-C").arg(&root);
            assert!(tar.arg(".").status().unwrap().success());
        };
        tar(&archive);
        assert_all_there(&archive, &pages, format);
        let plain = fs::read(&archive).unwrap();
        for (packed, name) in [(gzip(&plain), "gz"), (zstd(&plain), "zst"), (lz4(&plain), "lz4")] {
            fs::write(&archive, packed).unwrap();
            assert_all_there(&archive, &pages, &format!("{format}.{name}"));
        }
        // In members of a few bytes.
        let members: Vec<u8> = plain.chunks(7001).flat_map(gzip).collect();
        fs::write(&archive, members).unwrap();
        assert_all_there(&archive, &pages, &format!("{format} in many members"));
    }
    // What these formats cannot name is left out.
    let short: Vec<_> = pages.into_iter().filter(|(name, _)| name.len() < 90).collect();
    for format in ["v7", "ustar"] {
        let archive = work.path().join(format);
        let mut tar = Command::new("tar");
        tar.arg(format!("--format={format}")).arg("-cf").arg(&archive).arg("-C").arg(&root);
        tar.arg("no-page.css").args(short.iter().map(|(name, _)| name));
        assert!(tar.status().unwrap().success());
        assert_all_there(&archive, &short, format);
    }
}

#[test]
fn what_python_wrote_is_read() {
    const SCRIPT: &str = "
import sys, tarfile, zipfile, os
root, out = sys.argv[1:]
for name, format in (('gnu', tarfile.GNU_FORMAT), ('pax', tarfile.PAX_FORMAT)):
    with tarfile.open(os.path.join(out, name + '.tar'), 'w', format=format) as tar:
        tar.add(root, arcname='.')
for name, method in (('stored', zipfile.ZIP_STORED), ('deflated', zipfile.ZIP_DEFLATED)):
    for zip64 in (False, True):
        with zipfile.ZipFile(os.path.join(out, f'{name}-{zip64}.zip'), 'w', method) as zip:
            for folder, _, files in os.walk(root):
                for file in files:
                    path = os.path.join(folder, file)
                    if os.path.islink(path):
                        continue
                    with zip.open(os.path.relpath(path, root), 'w', force_zip64=zip64) as to:
                        to.write(open(path, 'rb').read())
";
    let work = tempfile::tempdir().unwrap();
    let (root, out) = (work.path().join("site"), work.path().join("out"));
    fs::create_dir(&out).unwrap();
    let pages = write_folder(&root);
    let mut python = Command::new("python3");
    python.env("PYTHONUTF8", "1").arg("-c").arg(SCRIPT).arg(&root).arg(&out);
    assert!(python.status().unwrap().success());
    let archives: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(archives.len(), 6);
    for archive in archives {
        assert_all_there(&archive, &pages, &archive.display().to_string());
    }
}

/// Twenty small pages.
fn twenty() -> Vec<(String, Vec<u8>)> {
    let page = |n: usize| {
        let text = format!("<p>page {n} {}", "and some words ".repeat(40 + n));
        (format!("p/{n:02}.html"), text.into_bytes())
    };
    (0..20).map(page).collect()
}

fn twenty_in_tar() -> Vec<u8> {
    let files: Vec<_> = twenty().iter().map(|(name, bytes)| file(name, bytes)).collect();
    tar(&files)
}

#[track_caller]
fn assert_lost(found: &[BundleEntry], lost: &[usize], problem: &str) {
    let all = twenty();
    let kept = all.iter().enumerate().filter(|(at, _)| !lost.contains(at));
    let kept: Vec<_> = kept.map(|(_, (name, bytes))| (&**name, &**bytes)).collect();
    let names =
        |pages: &[(&str, &[u8])]| pages.iter().map(|it| it.0.to_owned()).collect::<Vec<_>>();
    assert!(pages(found) == kept, "{problem}: {:?}", names(&pages(found)));
}

#[test]
fn a_damaged_header_costs_one_file_of_a_tar_archive() {
    let whole = twenty_in_tar();
    let starts: Vec<u64> =
        read(&whole).iter().map(|found| found.position.member.unwrap().0).collect();
    for (at, start) in starts.iter().enumerate().skip(1) {
        let start = *start as usize;
        for byte in [0, 100, 130, 150, 257, 400] {
            let mut damaged = whole.clone();
            damaged[start + byte] ^= 0x15;
            let found = read(&damaged);
            assert_lost(&found, &[at], &format!("byte {byte} of header {at}"));
            assert_eq!(reasons(&found), [FaultReason::Garbage], "byte {byte} of header {at}");
        }
        // Bytes are missing: the file before is read on into the header.
        let mut shorter = whole.clone();
        shorter.drain(start - 400..start - 300);
        let found = read(&shorter);
        assert_eq!(reasons(&found), [FaultReason::Garbage], "before {at}");
        assert!(pages(&found).len() >= 19 - usize::from(at == 19), "before {at}");
    }
}

#[test]
fn a_cut_tar_archive_loses_what_is_cut() {
    let whole = twenty_in_tar();
    let places: Vec<_> = read(&whole).iter().map(|it| it.position.member.unwrap()).collect();
    for cut in (600..whole.len()).step_by(97) {
        let found = read(&whole[..cut]);
        let ends = places
            .iter()
            .zip(twenty())
            .map(|((start, _), (_, bytes))| *start as usize + 512 + bytes.len());
        let kept = ends.filter(|end| *end <= cut).count();
        assert_lost(&found, &(kept..20).collect::<Vec<_>>(), &format!("cut at {cut}"));
        let begins = places.iter().filter(|(start, _)| (*start as usize) < cut).count();
        let expected = vec![FaultReason::Truncated; usize::from(begins > kept)];
        assert_eq!(reasons(&found), expected, "cut at {cut}");
    }
}

#[test]
fn a_damaged_member_of_gzip_costs_the_files_in_it() {
    let whole = twenty_in_tar();
    let places: Vec<_> = read(&whole).iter().map(|it| it.position.member.unwrap()).collect();
    let member = |(start, len): &(u64, u64)| gzip(&whole[*start as usize..(start + len) as usize]);
    for at in 1..20 {
        let mut packed = Vec::new();
        for (number, place) in places.iter().enumerate() {
            let mut bytes = member(place);
            if number == at {
                let middle = bytes.len() / 2;
                bytes[middle..middle + 8].fill(0xff);
            }
            packed.extend(bytes);
        }
        let found = read(&packed);
        assert_lost(&found, &[at], &format!("member {at}"));
        let faults: Vec<_> = found.iter().filter(|it| it.reason.is_some()).collect();
        assert_eq!(faults.len(), 1, "member {at}: {faults:#?}");
    }
}

#[test]
fn what_is_no_page_is_counted_and_what_is_not_read_fails() {
    let page = b"<p>some words of a page</p>";
    let archive = tar(&[
        entry("folder/", b'5', b""),
        entry("link.html", b'2', b""),
        entry("a.html", b'S', page),
        [entry("x", b'x', &pax("GNU.sparse.major", "1")), file("b.html", page)].concat(),
        [entry("x", b'x', b"no records"), file("c.html", page)].concat(),
        entry("type.html", b'g', page),
        [entry("x", b'x', &pax("comment", &"x".repeat(70_000))), file("d.html", page)].concat(),
        [entry("g", b'g', &pax("comment", "all")), file("e.html", page)].concat(),
        file("inner.tar", &tar(&[file("f.html", page)])),
        file("/../x/../g.html", page),
        file("latin-\u{e9}.html".as_bytes().split_last().unwrap().1, page),
        file(b"latin1-\xe9.html", page),
        file("binary.html", b"\x89PNG\r\n\x1a\n"),
        TarHeader::new("h.html", b'0', 0).size(*b"\x80\0\0\0\0\0\0\0\0\0\0\x03").to_bytes(),
        [b"<p>".to_vec(), vec![0; 509]].concat(),
    ]);
    let found = read(&archive);
    assert_eq!(
        reasons(&found),
        [
            FaultReason::Unsupported,
            FaultReason::Unsupported,
            FaultReason::CorruptMember,
            FaultReason::CorruptMember,
            FaultReason::HeaderTooLarge
        ]
    );
    let kinds: Vec<_> = found.iter().filter_map(|it| Some((&*it.name, it.kind?))).collect();
    assert_eq!(
        kinds,
        [
            ("folder/", FileKind::NoFile),
            ("link.html", FileKind::NoFile),
            ("e.html", FileKind::Page),
            ("inner.tar", FileKind::Archive),
            ("g.html", FileKind::Page),
            ("latin-\u{e9}.htm", FileKind::Page),
            ("latin1-\u{e9}.html", FileKind::Page),
            ("binary.html", FileKind::Page),
            ("h.html", FileKind::Page),
        ]
    );
    assert_eq!(found.last().unwrap().bytes, b"<p>");
}

#[test]
fn a_page_over_the_limit_is_passed_over() {
    let work = tempfile::tempdir().unwrap();
    let limits = Limits { record_bytes: 1000, ..Limits::default() };
    let long = [&b"<p>"[..], &[b'x'; 2000]].concat();
    let tar = tar(&[file("a.html", b"<p>a"), file("b.html", &long), file("c.html", b"<p>c")]);
    let zip = zip(&[
        ZipEntry::stored("a.html", &b"<p>a"[..]),
        ZipEntry::deflated("b.html", &long),
        ZipEntry::stored("c.html", &b"<p>c"[..]),
    ]);
    for archive in [tar, zip] {
        let path = work.path().join("a");
        fs::write(&path, archive).unwrap();
        let found = read_within(&path, &limits).unwrap();
        assert_eq!(reasons(&found), [FaultReason::TooLarge]);
        assert_eq!(pages(&found), [("a.html", &b"<p>a"[..]), ("c.html", b"<p>c")]);
    }
}

#[test]
fn damage_in_a_zip_file_costs_one_file() {
    let entries = |change: Option<(usize, &dyn Fn(ZipEntry) -> ZipEntry)>| -> Vec<u8> {
        let entry = |(at, (name, bytes)): (usize, &(String, Vec<u8>))| {
            let entry = ZipEntry::deflated(name, bytes);
            match change {
                Some((changed, change)) if changed == at => change(entry),
                _ => entry,
            }
        };
        zip(&twenty().iter().enumerate().map(entry).collect::<Vec<_>>())
    };
    let whole = read(&entries(None));
    assert_lost(&whole, &[], "whole");
    let flip = |mut entry: ZipEntry| {
        let middle = entry.data_mut().len() / 2;
        entry.data_mut()[middle] ^= 0xff;
        entry
    };
    let changes: [(&dyn Fn(ZipEntry) -> ZipEntry, FaultReason); 7] = [
        (&flip, FaultReason::CorruptMember),
        (&|entry| entry.crc(1), FaultReason::CorruptMember),
        (&|entry| entry.size(600), FaultReason::CorruptMember),
        (&|entry| entry.size(5000), FaultReason::CorruptMember),
        (&|entry| entry.size(1 << 30), FaultReason::CorruptMember),
        (&|entry| entry.method(14), FaultReason::Unsupported),
        (&ZipEntry::encrypted, FaultReason::Unsupported),
    ];
    for (number, (change, reason)) in changes.iter().enumerate() {
        for at in [0, 7, 19] {
            let found = read(&entries(Some((at, change))));
            let problem = format!("change {number} of {at}");
            assert_eq!(reasons(&found), [*reason], "{problem}");
            assert_lost(&found, &[at], &problem);
        }
    }
    // The header before the bytes.
    for at in [1, 7, 19] {
        let mut bytes = entries(None);
        bytes[whole[at].position.member.unwrap().0 as usize] = b'X';
        let found = read(&bytes);
        assert_eq!(reasons(&found), [FaultReason::CorruptMember], "header {at}");
        assert_lost(&found, &[at], &format!("header {at}"));
    }
}

#[test]
fn hostile_zip_files_of_pages_are_refused() {
    let page = || ZipEntry::stored("a.html", &b"<p>a"[..]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    for (entries, why) in [
        (vec![page(), page().named("../a.html")], "leads out"),
        (vec![page(), page().named("/a.html")], "leads out"),
        (vec![page(), page().at(0)], "overlap"),
    ] {
        fs::write(&path, zip(&entries)).unwrap();
        let error = read_within(&path, &Limits::default()).unwrap_err();
        assert!(matches!(error, ArchiveError::Zip { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let twice = zip(&[page(), page()]);
    fs::write(&path, twice).unwrap();
    let found = read_within(&path, &Limits::default()).unwrap();
    assert_eq!(pages(&found).len(), 2, "one name twice");
    assert_ne!(found[0].position, found[1].position);
}

#[test]
fn a_tar_of_archives_is_searched_for_their_records_as_before() {
    let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
    for (name, bytes) in [("a.warc", warc.to_vec()), ("a.warc.gz", gzip(warc))] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar");
        fs::write(&path, tar(&[file(name, &bytes)])).unwrap();
        let mut stream = Input::open(&path, &Limits::default()).unwrap().into_stream().unwrap();
        let (mut batch, mut records) = (Batch::default(), 0);
        while stream.next_batch(&mut batch).unwrap() {
            let is_record = |entry: &&Entry| matches!(entry, Entry::Record { .. });
            records += batch.entries.iter().filter(is_record).count();
        }
        assert_eq!(records, 1, "{name}");
    }
}

#[test]
fn whatever_is_changed_it_is_read_to_its_end_and_little_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let plain = twenty_in_tar();
    let members: Vec<u8> = plain.chunks(1536).flat_map(gzip).collect();
    let entry = |(name, bytes): &(String, Vec<u8>)| ZipEntry::deflated(name, bytes);
    let zip = zip(&twenty().iter().map(entry).collect::<Vec<_>>());
    let mut random = Random::new(26);
    for (kind, whole) in
        [plain.clone(), gzip(&plain), members, zstd(&plain), zip].iter().enumerate()
    {
        for _ in 0..150 {
            let mut bytes = whole.clone();
            let at = random.within(0, bytes.len());
            let len = random.within(1, 700).min(bytes.len() - at);
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at..at + len].fill(0),
                2 => drop(bytes.drain(at..at + len)),
                _ => drop(bytes.splice(at..at, random.bytes(len))),
            }
            fs::write(&path, &bytes).unwrap();
            let Ok(found) = read_within(&path, &Limits::default()) else {
                assert!(kind == 4 || at < 1024, "{kind}: only a directory can be refused");
                continue;
            };
            let pages = pages(&found).len();
            assert!(kind > 0 || pages >= 17, "{pages} of 20 pages, {len} bytes at {at}");
            let faults: Vec<_> = found.iter().filter(|it| it.reason.is_some()).collect();
            // What one gzip member inflates to after damage is nonsense up to its end. Where bytes
            // of a ZIP file are missing the directory leads to wrong places, once for each file.
            let most = [4, 60, 4, 4, 20][kind];
            assert!(faults.len() <= most, "{kind}, {len} bytes at {at}: {faults:#?}");
        }
    }
}
