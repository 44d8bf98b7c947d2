//! Files damaged at random: all ways of reading agree, and every loss is reported.

mod support;

use huller_archive::Limits;
use huller_testkit::arc;
use huller_testkit::pack::{gzip, lz4, noise, stored, zstd};
use huller_testkit::warc::record;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fs;
use support::drive::{ShownEntry, all_ways, words};

/// One change to a file. Places are modulo its length.
#[derive(Clone, Debug)]
enum FileChange {
    Flip(usize, u8),
    Remove(usize, usize),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
    Zero(usize, usize),
}

fn change() -> impl Strategy<Value = FileChange> {
    let place = any::<usize>;
    let inserts = prop_oneof![
        (0_u64..99, 1_usize..300).prop_map(|(seed, len)| noise(seed, len)),
        Just(b"\x1f\x8b\x08".to_vec()),
        Just(b"\r\nWARC/1.0\r\nWARC-Type: resource\r\n".to_vec()),
        Just(gzip(&record("resource", b"inserted"))),
        Just(zstd(&record("resource", b"inserted"))),
        Just(lz4(&arc::record("http://inserted/", "text/html", b"inserted"))),
        Just(arc::record("http://inserted/", "text/html", b"inserted")),
        Just(gzip(b"")),
    ];
    prop_oneof![
        4 => (place(), 1_u8..).prop_map(|(at, bits)| FileChange::Flip(at, bits)),
        2 => (place(), 1_usize..600).prop_map(|(at, len)| FileChange::Remove(at, len)),
        2 => (place(), inserts).prop_map(|(at, bytes)| FileChange::Insert(at, bytes)),
        1 => (place(), 1_usize..3000).prop_map(|(at, len)| FileChange::Repeat(at, len)),
        1 => (place(), 1_usize..600).prop_map(|(at, len)| FileChange::Zero(at, len)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &FileChange) {
    if bytes.is_empty() {
        return;
    }
    let part = |at: usize, len: usize, all: usize| at % all..(at % all + len).min(all);
    match change {
        FileChange::Flip(at, bits) => {
            let at = at % bytes.len();
            bytes[at] ^= bits;
        }
        FileChange::Remove(at, len) => {
            bytes.drain(part(*at, *len, bytes.len()));
        }
        FileChange::Insert(at, more) => {
            let at = at % bytes.len();
            bytes.splice(at..at, more.iter().copied());
        }
        FileChange::Repeat(at, len) => {
            let part = part(*at, *len, bytes.len());
            let more = bytes[part.clone()].to_vec();
            bytes.splice(part.end..part.end, more);
        }
        FileChange::Zero(at, len) => {
            let part = part(*at, *len, bytes.len());
            bytes[part].fill(0);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Packaging {
    Plain,
    Gzip,
    Stored,
    Zstd,
    WholeGzip,
    WholeZstd,
    Lz4,
    WholeLz4,
    Pieces(usize),
}

/// A record by the numbers it is made from, so that the report of a failure is short.
#[derive(Clone, Copy, Debug)]
enum GeneratedRecord {
    Noise(u64, usize),
    Text(usize),
    Nested(u64),
    NestedMembers(u64),
}

impl GeneratedRecord {
    /// As a record of WARC, or of ARC.
    fn record(self, is_arc: bool) -> Vec<u8> {
        let record = |kind, block: &[u8]| {
            if is_arc {
                arc::record("http://made.example/", "text/html", block)
            } else {
                record(kind, block)
            }
        };
        let inner = |seed| record("resource", &noise(seed, 200));
        let block = match self {
            GeneratedRecord::Noise(seed, len) => noise(seed, len),
            GeneratedRecord::Text(len) => b"<p>some text ".repeat(len / 12),
            GeneratedRecord::Nested(seed) => inner(seed).repeat(3),
            GeneratedRecord::NestedMembers(seed) => gzip(&inner(seed)).repeat(3),
        };
        record("response", &block)
    }
}

fn pack(records: &[Vec<u8>], how: Packaging) -> Vec<u8> {
    let each = |pack: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|r| pack(r)).collect();
    match how {
        Packaging::Plain => records.concat(),
        Packaging::Gzip => each(gzip),
        Packaging::Stored => each(stored),
        Packaging::Zstd => each(zstd),
        Packaging::WholeGzip => gzip(&records.concat()),
        Packaging::WholeZstd => zstd(&records.concat()),
        Packaging::Lz4 => each(lz4),
        Packaging::WholeLz4 => lz4(&records.concat()),
        Packaging::Pieces(size) => records.concat().chunks(size).flat_map(gzip).collect(),
    }
}

fn how() -> impl Strategy<Value = Packaging> {
    prop_oneof![
        Just(Packaging::Plain),
        Just(Packaging::Gzip),
        Just(Packaging::Stored),
        Just(Packaging::Zstd),
        Just(Packaging::WholeGzip),
        Just(Packaging::WholeZstd),
        Just(Packaging::Lz4),
        Just(Packaging::WholeLz4),
        (1_usize..700).prop_map(Packaging::Pieces),
    ]
}

fn records() -> impl Strategy<Value = Vec<GeneratedRecord>> {
    let made = prop_oneof![
        (0_u64..99, 0_usize..1500).prop_map(|(seed, len)| GeneratedRecord::Noise(seed, len)),
        (0_usize..2000).prop_map(GeneratedRecord::Text),
        (0_u64..99).prop_map(GeneratedRecord::Nested),
        (0_u64..99).prop_map(GeneratedRecord::NestedMembers),
    ];
    prop::collection::vec(made, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(20_240_229), ..ProptestConfig::default() })]

    #[test]
    fn all_ways_agree(
        made in records(),
        is_arc in any::<bool>(),
        how in how(),
        changes in prop::collection::vec(change(), 0..4),
        record_bytes in prop_oneof![3 => Just(128_usize << 20), 1 => Just(800_usize)],
    ) {
        let records: Vec<_> = made.iter().map(|made| made.record(is_arc)).collect();
        let mut bytes = pack(&records, how);
        for change in &changes {
            apply(&mut bytes, change);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        fs::write(&path, &bytes).unwrap();
        let limits = Limits { record_bytes, ..Limits::default() };
        let Ok(seen) = all_ways(&path, &limits) else { return Ok(()) };
        let whole = |record: &Vec<u8>| {
            let end: &[u8] = if is_arc { b"\n" } else { b"\r\n\r\n" };
            let line = record.iter().position(|byte| *byte == b'\n').unwrap() + 1;
            let shown = |seen: &ShownEntry| matches!(seen, ShownEntry::Record { header, block, .. } if {
                let header_len = if is_arc { line } else { header.len() };
                (is_arc || record.starts_with(header))
                    && record[header_len..].strip_suffix(end) == Some(block)
            });
            seen.iter().any(shown)
        };
        let clean = seen.iter().all(|seen| seen.word() == "ok");
        // A piece that begins with a record within a record looks like a border.
        let ambiguous = matches!(how, Packaging::Pieces(_))
            && made.iter().any(|made| matches!(made, GeneratedRecord::Nested(_)));
        if changes.is_empty() && record_bytes > 800 && !ambiguous {
            prop_assert!(clean && seen.len() == records.len(), "{}", words(&seen));
        }
        // The removal of whole records can't be noticed.
        let removes = changes.iter().any(|change| matches!(change, FileChange::Remove(..)));
        let tells = !matches!(how, Packaging::Plain);
        if clean && tells && !removes {
            prop_assert!(records.iter().all(whole), "a record is lost and not reported");
        }
    }
}
