//! ARC files: what their records become, and what damage costs in each container.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod support;

use huller_archive::{Format, Input, Limits, RecordType, WarcHeader};
use huller_testkit::arc::{record, record_with, version_block};
use huller_testkit::pack::{gzip, lz4, noise, zstd};
use std::fs;
use support::drive::{ShownEntry, all_ways, pipe, words};

/// Reads bytes as a file in all ways.
fn read_with(bytes: &[u8], limits: &Limits) -> Vec<ShownEntry> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    fs::write(&path, bytes).unwrap();
    assert_eq!(Input::open(&path, limits).unwrap().format(), Format::Arc);
    let seen = all_ways(&path, limits).unwrap();
    assert_eq!(words(&pipe(bytes, limits).unwrap()), words(&seen));
    seen
}

fn read(bytes: &[u8]) -> Vec<ShownEntry> {
    read_with(bytes, &Limits::default())
}

fn page(n: u8) -> Vec<u8> {
    let block = [b"HTTP/1.1 200 OK\r\n\r\n<p>", [b'a' + n; 300].as_slice()].concat();
    record(&format!("http://site{n}.example/"), "text/html", &block)
}

type Pack = fn(&[u8]) -> Vec<u8>;

const PACKS: [Pack; 3] = [gzip, zstd, lz4];

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[test]
fn records_of_all_versions_and_containers_are_read() {
    let version_1_1 = {
        let block = b"1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n<?xml version=\"1.0\"?><arcmetadata/>\n";
        record("filedesc://made.arc", "text/xml", block)
    };
    let version_2 = b"http://v2.example/ 192.0.2.1 20240229120000 text/html 200 fac06 - 209 made.arc 5\nhello\n";
    for first in [version_block(), version_1_1] {
        let parts = [first, page(0), version_2.to_vec(), page(1)];
        let mut forms = vec![parts.concat()];
        for pack in PACKS {
            forms.push(parts.iter().flat_map(|part| pack(part)).collect());
            forms.push(pack(&parts.concat()));
        }
        forms.push(parts.concat().chunks(100).flat_map(gzip).collect());
        for form in forms {
            let seen = read(&form);
            assert_eq!(words(&seen), "ok ok ok ok");
            assert_eq!(seen[0].record_type(), Some(RecordType::Warcinfo));
            let header = WarcHeader::parse(seen[1].header()).unwrap();
            assert_eq!(header.target_uri(), Some(b"http://site0.example/".as_slice()));
            assert_eq!(header.date(), Some(b"2024-02-29T12:00:00Z".as_slice()));
            assert_eq!(seen[2].block(), b"hello");
        }
    }
}

#[test]
fn records_without_a_version_block_and_odd_line_ends_are_read() {
    assert_eq!(words(&read(&join(&[b"\n", &page(0), b"\n\r\n", &page(1), b"\0\0"]))), "ok ok");
    let tight = page(0);
    let tight = &tight[..tight.len() - 1];
    assert_eq!(words(&read(&join(&[tight, &page(1)]))), "ok ok");
    let members = join(&[&gzip(&page(0)), &gzip(&[b"\n", page(1).as_slice()].concat())]);
    assert_eq!(words(&read(&members)), "ok ok");
}

#[test]
fn wrong_lengths_cost_their_record_at_most() {
    let block = [b'x'; 300];
    for length in ["-1", "one", "1e3", "99999999999999999999", "9223372036854775807"] {
        let bad = record_with("http://bad.example/", "text/html", length, &block);
        let parts = [version_block(), page(0), bad, page(1)];
        let plain = read(&parts.concat());
        assert_eq!(words(&plain), "ok ok BadContentLength ok", "{length}");
        let header = WarcHeader::parse(plain[2].header()).unwrap();
        assert_eq!(header.target_uri(), Some(b"http://bad.example/".as_slice()));
        for pack in PACKS {
            let members: Vec<u8> = parts.iter().flat_map(|part| pack(part)).collect();
            assert_eq!(words(&read(&members)), "ok ok BadContentLength ok", "{length}");
            let whole = read(&pack(&parts.concat()));
            assert_eq!(words(&whole), "ok ok BadContentLength ok", "{length}");
        }
    }
    // Too long: the next header line ends the block, even where no line end comes before it.
    let long = record_with("http://bad.example/", "text/html", "420", &block);
    for long in [long.as_slice(), &long[..long.len() - 1]] {
        let seen = read(&join(&[&page(0), long, &page(1), &page(2)]));
        assert_eq!(words(&seen), "ok ContentLengthTooLong ok ok");
        assert_eq!(seen[1].block(), block);
    }
    // Too short: the rest is one fault.
    let short = record_with("http://bad.example/", "text/html", "250", &block);
    assert_eq!(words(&read(&join(&[&page(0), &short, &page(1)]))), "ok ok Garbage ok");
}

#[test]
fn damage_costs_one_record() {
    let mut bad_line = page(1);
    bad_line[..4].copy_from_slice(b"\0\x01 \x02");
    let junk = noise(3, 30_000);
    assert_eq!(words(&read(&join(&[&page(0), &bad_line, &page(2)]))), "ok Garbage ok");
    assert_eq!(words(&read(&join(&[&page(0), &junk, &page(2)]))), "ok Garbage ok");
    for pack in PACKS {
        let [a, b, c] = [0, 1, 2].map(|n| pack(&page(n)));
        assert_eq!(words(&read(&join(&[&a, &junk, &b, &c]))), "ok Garbage ok ok");
        assert_eq!(words(&read(&join(&[&junk, &a, &b]))), "Garbage ok ok");
        assert_eq!(words(&read(&join(&[&a, &b[..b.len() / 2], &c]))), "ok CorruptMember ok");
        assert_eq!(words(&read(&join(&[&b[..b.len() / 2], &a, &c]))), "CorruptMember ok ok");
        let mut flipped = b.clone();
        let middle = flipped.len() / 2;
        flipped[middle..middle + 8].iter_mut().for_each(|byte| *byte ^= 0xff);
        assert_eq!(words(&read(&join(&[&a, &flipped, &c]))), "ok CorruptMember ok");
    }
    let cut = join(&[&page(0), &page(1)]);
    assert_eq!(words(&read(&cut[..cut.len() - 100])), "ok Truncated");
}

#[test]
fn records_over_the_limit_are_passed_over() {
    let limits = Limits { record_bytes: 1000, ..Limits::default() };
    let large = record("http://large.example/", "text/html", &[b'x'; 5000]);
    assert_eq!(words(&read_with(&join(&[&page(0), &large, &page(1)]), &limits)), "ok TooLarge ok");
    for pack in PACKS {
        let members = join(&[&pack(&page(0)), &pack(&large), &pack(&page(1))]);
        assert_eq!(words(&read_with(&members, &limits)), "ok TooLarge ok");
    }
}

#[test]
fn a_record_that_holds_an_arc_stays_whole() {
    let nested = record("http://nested.example/", "text/plain", &join(&[&page(0), &page(1)]));
    assert_eq!(words(&read(&join(&[&page(2), &nested, &page(3)]))), "ok ok ok");
    let members = join(&[&gzip(&page(2)), &gzip(&nested), &gzip(&page(3))]);
    assert_eq!(words(&read(&members)), "ok ok ok");
}
