//! A file cut at any byte gives the records before the cut, and a fault unless the cut lies between
//! two records.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod support;

use huller_archive::{FaultReason, Limits};
use huller_testkit::pack::{gzip, noise, zstd};
use huller_testkit::warc::record;
use std::fs;
use support::drive::{ShownEntry, all_ways};

fn records() -> [Vec<u8>; 3] {
    [
        record("warcinfo", b"software: test\r\n"),
        record("response", &[b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &noise(3, 200)].concat()),
        record("response", b"HTTP/1.1 200 OK\r\n\r\n<p>last"),
    ]
}

/// Joins the parts, each of which holds one record, and cuts them at every byte. `blank` is the
/// number of bytes at the end of a part that its record can do without.
fn cut_everywhere(parts: &[Vec<u8>], blank: usize) {
    let whole = parts.concat();
    let mut ends = Vec::new();
    for part in parts {
        ends.push(ends.last().unwrap_or(&0) + part.len());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let Ok(seen) = all_ways(&path, &Limits::default()) else {
            // Only if too little is left to find out what it is.
            assert!(cut < ends[0], "{cut} bytes give an error");
            continue;
        };
        // A plain record is whole without the blank line after it.
        let kept = ends.iter().filter(|end| cut + blank >= **end).count();
        let good = seen
            .iter()
            .filter(|seen| matches!(seen, ShownEntry::Record { repair: None, .. }))
            .count();
        assert!(good >= kept, "{cut}: {good} of {kept}");
        let at_border = ends.iter().any(|end| (end - blank..=*end).contains(&cut));
        let faults = seen.iter().filter_map(ShownEntry::reason).count();
        assert_eq!(faults, usize::from(!at_border), "{cut}: {seen:?}");
        assert_eq!(good + faults, seen.len());
    }
}

#[test]
fn plain() {
    cut_everywhere(&records(), 4);
}

#[test]
fn gzip_members() {
    cut_everywhere(&records().map(|record| gzip(&record)), 0);
}

#[test]
fn zstd_frames() {
    cut_everywhere(&records().map(|record| zstd(&record)), 0);
}

#[test]
fn one_member_for_all() {
    for pack in [gzip, zstd] {
        let whole = pack(&records().concat());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut");
        for cut in 60..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let Ok(seen) = all_ways(&path, &Limits::default()) else { continue };
            let reasons: Vec<_> = seen.iter().filter_map(ShownEntry::reason).collect();
            assert_eq!(reasons, [FaultReason::CorruptMember], "{cut}");
            assert!(matches!(seen.last(), Some(ShownEntry::Fault(_))));
        }
    }
}

#[test]
fn a_truncated_record_keeps_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut");
    let bytes = records().concat();
    fs::write(&path, &bytes[..bytes.len() - 8]).unwrap();
    let seen = all_ways(&path, &Limits::default()).unwrap();
    assert_eq!(seen[2].reason(), Some(FaultReason::Truncated));
    assert_eq!(seen[2].block(), b"HTTP/1.1 200 OK\r\n\r\n<p>");
    assert!(seen[2].header().ends_with(b"\r\n\r\n"));
}

#[test]
fn a_record_that_the_end_of_the_file_cuts_keeps_what_is_there() {
    let body = noise(5, 100_000);
    let last = record("response", &[b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &body].concat());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut");
    let packs = [<[u8]>::to_vec, gzip as fn(&[u8]) -> Vec<u8>, zstd];
    for (number, pack) in packs.into_iter().enumerate() {
        let first = pack(&records()[0]);
        let packed = pack(&last);
        let cut = packed.len() / 2;
        fs::write(&path, [first.as_slice(), &packed[..cut]].concat()).unwrap();
        let seen = all_ways(&path, &Limits::default()).unwrap();
        let ShownEntry::Fault(fault) = &seen[1] else { panic!("{number}: {seen:?}") };
        let at = fault.at_end.unwrap();
        assert_eq!(at.member, Some((first.len() as u64, cut as u64)), "{number}");
        // zstd gives whole blocks only.
        let fewest = if number == 2 { 0 } else { 40_000 };
        assert!((fewest..60_000).contains(&fault.block.len()), "{number}: {}", fault.block.len());
        assert!(last.windows(fault.block.len()).any(|part| part == fault.block), "{number}");

        // Not where another record follows, since then there may be more damage than the missing
        // end.
        fs::write(&path, [&first, &packed[..cut], &first].concat()).unwrap();
        let seen = all_ways(&path, &Limits::default()).unwrap();
        let at_end =
            |seen: &ShownEntry| matches!(seen, ShownEntry::Fault(fault) if fault.at_end.is_some());
        assert!(!seen.iter().any(at_end), "{number}: {seen:?}");
    }
}
