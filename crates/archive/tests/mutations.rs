//! Files damaged at random: all ways of reading agree, and every loss is reported.

mod support;

use huller_archive::Limits;
use huller_testkit::arc;
use huller_testkit::pack::{gzip, lz4, noise, stored, zstd};
use huller_testkit::warc::record;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fs;
use support::drive::{Seen, all_ways, words};

/// One change to a file. Places are modulo its length.
#[derive(Clone, Debug)]
enum Change {
    Flip(usize, u8),
    Remove(usize, usize),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
    Zero(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
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
        4 => (place(), 1_u8..).prop_map(|(at, bits)| Change::Flip(at, bits)),
        2 => (place(), 1_usize..600).prop_map(|(at, len)| Change::Remove(at, len)),
        2 => (place(), inserts).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => (place(), 1_usize..3000).prop_map(|(at, len)| Change::Repeat(at, len)),
        1 => (place(), 1_usize..600).prop_map(|(at, len)| Change::Zero(at, len)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    if bytes.is_empty() {
        return;
    }
    let part = |at: usize, len: usize, all: usize| at % all..(at % all + len).min(all);
    match change {
        Change::Flip(at, bits) => {
            let at = at % bytes.len();
            bytes[at] ^= bits;
        }
        Change::Remove(at, len) => {
            bytes.drain(part(*at, *len, bytes.len()));
        }
        Change::Insert(at, more) => {
            let at = at % bytes.len();
            bytes.splice(at..at, more.iter().copied());
        }
        Change::Repeat(at, len) => {
            let part = part(*at, *len, bytes.len());
            let more = bytes[part.clone()].to_vec();
            bytes.splice(part.end..part.end, more);
        }
        Change::Zero(at, len) => {
            let part = part(*at, *len, bytes.len());
            bytes[part].fill(0);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Pack {
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
enum Made {
    Noise(u64, usize),
    Text(usize),
    Nested(u64),
    NestedMembers(u64),
}

impl Made {
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
            Made::Noise(seed, len) => noise(seed, len),
            Made::Text(len) => b"<p>some text ".repeat(len / 12),
            Made::Nested(seed) => inner(seed).repeat(3),
            Made::NestedMembers(seed) => gzip(&inner(seed)).repeat(3),
        };
        record("response", &block)
    }
}

fn pack(records: &[Vec<u8>], how: Pack) -> Vec<u8> {
    let each = |pack: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|r| pack(r)).collect();
    match how {
        Pack::Plain => records.concat(),
        Pack::Gzip => each(gzip),
        Pack::Stored => each(stored),
        Pack::Zstd => each(zstd),
        Pack::WholeGzip => gzip(&records.concat()),
        Pack::WholeZstd => zstd(&records.concat()),
        Pack::Lz4 => each(lz4),
        Pack::WholeLz4 => lz4(&records.concat()),
        Pack::Pieces(size) => records.concat().chunks(size).flat_map(gzip).collect(),
    }
}

fn how() -> impl Strategy<Value = Pack> {
    prop_oneof![
        Just(Pack::Plain),
        Just(Pack::Gzip),
        Just(Pack::Stored),
        Just(Pack::Zstd),
        Just(Pack::WholeGzip),
        Just(Pack::WholeZstd),
        Just(Pack::Lz4),
        Just(Pack::WholeLz4),
        (1_usize..700).prop_map(Pack::Pieces),
    ]
}

fn records() -> impl Strategy<Value = Vec<Made>> {
    let made = prop_oneof![
        (0_u64..99, 0_usize..1500).prop_map(|(seed, len)| Made::Noise(seed, len)),
        (0_usize..2000).prop_map(Made::Text),
        (0_u64..99).prop_map(Made::Nested),
        (0_u64..99).prop_map(Made::NestedMembers),
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
            let shown = |seen: &Seen| matches!(seen, Seen::Record { header, block, .. } if {
                let header_len = if is_arc { line } else { header.len() };
                (is_arc || record.starts_with(header))
                    && record[header_len..].strip_suffix(end) == Some(block)
            });
            seen.iter().any(shown)
        };
        let clean = seen.iter().all(|seen| seen.word() == "ok");
        // A piece that begins with a record within a record looks like a border.
        let ambiguous = matches!(how, Pack::Pieces(_))
            && made.iter().any(|made| matches!(made, Made::Nested(_)));
        if changes.is_empty() && record_bytes > 800 && !ambiguous {
            prop_assert!(clean && seen.len() == records.len(), "{}", words(&seen));
        }
        // The removal of whole records can't be noticed.
        let removes = changes.iter().any(|change| matches!(change, Change::Remove(..)));
        let tells = !matches!(how, Pack::Plain);
        if clean && tells && !removes {
            prop_assert!(records.iter().all(whole), "a record is lost and not reported");
        }
    }
}
