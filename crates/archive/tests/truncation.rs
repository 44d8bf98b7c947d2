//! A file cut anywhere keeps the records before the cut, and never ends in silence.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod support;

use huller_archive::{FaultReason, Limits};
use std::fs;
use support::drive::{Seen, all_ways};
use support::pack::{gzip, noise, record, zstd};

fn records() -> [Vec<u8>; 3] {
    [
        record("warcinfo", b"software: test\r\n"),
        record("response", &[b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &noise(3, 200)].concat()),
        record("response", b"HTTP/1.1 200 OK\r\n\r\n<p>last"),
    ]
}

/// Cuts the parts, each of which holds the record of the same number, at every byte.
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
            // Only where there is not enough to know what it is.
            assert!(cut < ends[0], "{cut} bytes give an error");
            continue;
        };
        // A plain record is whole before the blank line behind it.
        let kept = ends.iter().filter(|end| cut + blank >= **end).count();
        let good =
            seen.iter().filter(|seen| matches!(seen, Seen::Record { repair: None, .. })).count();
        assert!(good >= kept, "{cut}: {good} of {kept}");
        let at_border = ends.iter().any(|end| (end - blank..=*end).contains(&cut));
        let faults = seen.iter().filter_map(Seen::reason).count();
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
            let reasons: Vec<_> = seen.iter().filter_map(Seen::reason).collect();
            assert_eq!(reasons, [FaultReason::CorruptMember], "{cut}");
            assert!(matches!(seen.last(), Some(Seen::Fault(_))));
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
