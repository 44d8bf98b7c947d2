//! Damage costs only the records it lies in and is reported once, and all ways of reading agree on
//! it.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod support;

use huller_archive::Limits;
use huller_testkit::pack::{gzip, lz4, noise, skippable, stored, zstd, zstd_with};
use huller_testkit::warc::{record, record_with};
use std::fs;
use support::drive::{ShownEntry, all_ways, pipe, words};

/// Reads bytes as a file in all ways.
fn read_with(bytes: &[u8], limits: &Limits) -> Vec<ShownEntry> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    fs::write(&path, bytes).unwrap();
    all_ways(&path, limits).unwrap()
}

fn read(bytes: &[u8]) -> Vec<ShownEntry> {
    read_with(bytes, &Limits::default())
}

fn page(n: u8) -> Vec<u8> {
    record("response", &[b"HTTP/1.1 200 OK\r\n\r\n<p>", [b'a' + n; 300].as_slice()].concat())
}

/// Parts one after another.
fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[test]
fn plain_records_with_all_manners_of_line_ends_are_read() {
    let lf = b"WARC/1.0\nWARC-Type: response\nContent-Length: 4\n\nabcd\n\n";
    let tight = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\nabcd";
    let bytes =
        join(&[b"\xef\xbb\xbf\r\n\n", &page(0), b"\r\n\r\n\n", lf, tight, &page(1), b"\0\0 \n"]);
    assert_eq!(words(&read(&bytes)), "ok ok ok ok");
}

#[test]
fn a_plain_length_that_is_too_long_costs_nothing() {
    let long = record_with("response", "310", "", &[b'x'; 300]);
    let seen = read(&join(&[&page(0), &long, &page(1), &page(2)]));
    assert_eq!(words(&seen), "ok ContentLengthTooLong ok ok");
    assert_eq!(seen[1].block(), [b'x'; 300]);
    let last = read(&join(&[&page(0), &record_with("response", "99999", "", b"xy"), &page(1)]));
    assert_eq!(words(&last), "ok ContentLengthTooLong ok");
    assert_eq!(last[1].block(), b"xy");
}

#[test]
fn a_length_that_is_too_short_gives_one_fault() {
    let short = record_with("response", "250", "", &[b'x'; 300]);
    assert_eq!(words(&read(&join(&[&page(0), &short, &page(1)]))), "ok ok Garbage ok");
    let members = join(&[&gzip(&page(0)), &gzip(&short), &gzip(&page(1))]);
    assert_eq!(words(&read(&members)), "ok ok Garbage ok");
}

#[test]
fn invalid_lengths_cost_their_record() {
    let limits = Limits { record_bytes: 100_000, ..Limits::default() };
    for length in [
        "-1",
        "+5",
        "0x10",
        "",
        "1e3",
        "18446744073709551616",
        "9223372036854775807",
        "107374182400",
    ] {
        let bad = record_with("response", length, "", &[b'x'; 300]);
        let plain = read_with(&join(&[&page(0), &bad, &page(1)]), &limits);
        assert_eq!(words(&plain), "ok BadContentLength ok", "{length}");
        assert!(plain[1].header().starts_with(b"WARC/1.0"));
        for pack in [gzip, zstd, lz4] {
            let members =
                read_with(&join(&[&pack(&page(0)), &pack(&bad), &pack(&page(1))]), &limits);
            assert_eq!(words(&members), "ok BadContentLength ok", "{length}");
            let whole = read_with(&pack(&join(&[&page(0), &bad, &page(1)])), &limits);
            assert_eq!(words(&whole), "ok BadContentLength ok", "{length}");
        }
    }
    let twice = record_with("response", "300", "Content-Length: 3\r\n", &[b'x'; 300]);
    assert_eq!(words(&read(&join(&[&twice, &page(1)]))), "BadContentLength ok");
}

#[test]
fn a_record_that_holds_a_warc_stays_whole() {
    let nested = record("resource", &join(&[&page(0), &page(1)]));
    assert_eq!(words(&read(&join(&[&page(2), &nested, &page(3)]))), "ok ok ok");
    assert_eq!(
        words(&read(&join(&[&gzip(&page(2)), &gzip(&nested), &gzip(&page(3))]))),
        "ok ok ok"
    );
    assert_eq!(words(&read(&join(&[&nested, b"\0\0\0\0"]))), "ok");
}

#[test]
fn garbage_is_one_fault() {
    let junk = noise(1, 100_000);
    assert_eq!(words(&read(&join(&[&page(0), &junk, &page(1)]))), "ok Garbage ok");
    assert_eq!(words(&read(&join(&[&junk, &page(1)]))), "Garbage ok");
    assert_eq!(words(&read(&join(&[&page(0), &junk]))), "ok Garbage");
    for pack in [gzip, zstd, lz4] {
        let (a, b) = (pack(&page(0)), pack(&page(1)));
        assert_eq!(words(&read(&join(&[&a, &junk, &b]))), "ok Garbage ok");
        assert_eq!(words(&read(&join(&[&junk, &a, &b]))), "Garbage ok ok");
        assert_eq!(words(&read(&join(&[&a, &b, &junk]))), "ok ok Garbage");
        assert_eq!(words(&read(&join(&[&a, &pack(b"no record"), &b]))), "ok Garbage ok");
        assert_eq!(words(&read(&join(&[&a, &b, &[0; 5000]]))), "ok ok");
    }
}

#[test]
fn a_hole_of_zeros_is_told_wherever_it_lies() {
    let hole = vec![0; 40_000];
    let plain = [page(0), page(1), page(2)];
    assert_eq!(words(&read(&join(&[&plain[0], &hole, &plain[1]]))), "ok Hole ok");
    assert_eq!(words(&read(&join(&[&plain[0], &plain[1], &hole]))), "ok ok Hole");
    for pack in [gzip, zstd, lz4] {
        let [a, b, c] = [0, 1, 2].map(|n| pack(&page(n)));
        assert_eq!(words(&read(&join(&[&a, &hole, &b]))), "ok Hole ok");
        let seen = read(&join(&[&a, &b, &hole]));
        assert_eq!(words(&seen), "ok ok Hole");
        let ShownEntry::Fault(fault) = &seen[2] else { panic!("{seen:?}") };
        let detail = &fault.detail;
        assert!(detail.contains("a hole of 40000 bytes, all zeros (byte "), "{detail}");
        // It begins in a member and swallows the next one.
        let half = &b[..b.len() / 2];
        assert_eq!(words(&read(&join(&[&a, half, &hole, &c]))), "ok Hole ok");
        assert_eq!(words(&read(&join(&[&a, half, &hole]))), "ok Hole");
        assert_eq!(words(&read(&join(&[&a, &b, &[0; 10_240]]))), "ok ok");
    }
}

/// A decoder that runs into zeros may find symbols, and even the end of a header, in them and in
/// the data after them.
#[test]
fn a_hole_within_members_is_reported_wherever_it_begins_and_ends() {
    let page = |n: usize| {
        let words: Vec<_> = (0..200).map(|at| ((at * (n + 7)) % 97 + n).to_string()).collect();
        record("response", format!("<p>word{}</p>", words.join(" word")).as_bytes())
    };
    let pages: Vec<_> = (0..400).map(page).collect();
    for (name, pack) in [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("zstd", zstd), ("lz4", lz4)] {
        let sound: Vec<u8> = pages.iter().flat_map(|page| pack(page)).collect();
        for at in 0..48 {
            let start = 100 + at * 91;
            let end = start + 33_000 + at * 131;
            let mut bytes = sound.clone();
            bytes[start..end].fill(0);
            let found = words(&read(&bytes));
            assert!(found.contains("Hole"), "{name}, {start} to {end}: {found}");
        }
    }
}

#[test]
fn a_wrong_version_line_costs_its_record() {
    let mut bad = page(0);
    bad[..8].copy_from_slice(b"WORC/1.0");
    assert_eq!(words(&read(&join(&[&page(1), &bad, &page(2)]))), "ok Garbage ok");
    let members = join(&[&gzip(&page(1)), &gzip(&bad), &gzip(&page(2))]);
    assert_eq!(words(&read(&members)), "ok Garbage ok");
}

#[test]
fn a_header_that_breaks_off_costs_its_record() {
    let bytes = join(&[b"WARC/1.0\r\nWARC-Type: response\r\n", &page(1), &page(2)]);
    assert_eq!(words(&read(&bytes)), "BadContentLength ok ok");
    let members = join(&[&gzip(b"WARC/1.0\r\nWARC-Type: re"), &gzip(&page(1))]);
    assert_eq!(words(&read(&members)), "Truncated ok");
}

#[test]
fn headers_over_the_limits_cost_their_record() {
    let limits = Limits { header_bytes: 5000, header_line_bytes: 1000, ..Limits::default() };
    let long_line = record_with("response", "2", &format!("X: {}\r\n", "y".repeat(1000)), b"ab");
    let many = record_with("response", "2", &"X: y\r\n".repeat(1000), b"ab");
    for bad in [long_line, many] {
        let plain = read_with(&join(&[&page(0), &bad, &page(1)]), &limits);
        assert_eq!(words(&plain), "ok HeaderTooLarge ok");
        let members = read_with(&join(&[&gzip(&page(0)), &gzip(&bad), &gzip(&page(1))]), &limits);
        assert_eq!(words(&members), "ok HeaderTooLarge ok");
    }
}

#[test]
fn records_over_the_limit_are_passed_over() {
    let limits = Limits { record_bytes: 1000, ..Limits::default() };
    for size in [2000, 100_000, 20 << 20] {
        let big = record("response", &noise(size as u64, size));
        let parts = [page(0), big, page(1)];
        for (name, bytes) in [
            ("plain", parts.concat()),
            ("gzip", parts.iter().flat_map(|part| stored(part)).collect()),
            ("whole", stored(&parts.concat())),
            ("zstd", parts.iter().flat_map(|part| zstd(part)).collect()),
        ] {
            let seen = read_with(&bytes, &limits);
            assert_eq!(words(&seen), "ok TooLarge ok", "{name} {size}");
            assert!(seen[1].header().ends_with(b"\r\n\r\n"));
        }
    }
}

#[test]
fn wrong_lengths_over_the_limit_cost_no_other_records() {
    let limits = Limits { record_bytes: 1000, ..Limits::default() };
    let lie = record_with("response", "3000", "", &[b'x'; 100]);
    let rest: Vec<u8> = (0..20).flat_map(page).collect();
    let seen = read_with(&join(&[&page(0), &lie, &rest]), &limits);
    assert_eq!(words(&seen), format!("ok BadContentLength{}", " ok".repeat(20)));
    let far = record_with("response", "9000000", "", &[b'x'; 100]);
    let rest = join(&[&rest, &record("response", &noise(1, 800)).repeat(12_000)]);
    let seen = read_with(&join(&[&page(0), &far, &rest]), &limits);
    assert_eq!(words(&seen[..4]), "ok BadContentLength ok ok");
    // A pipe can't go back to search the bytes it has passed over.
    let bytes = join(&[&page(0), &far, &rest]);
    assert_eq!(words(&pipe(&bytes, &limits).unwrap()[..3]), "ok BadContentLength ok");
}

#[test]
fn a_member_that_breaks_costs_its_record() {
    let noisy = |n| record("response", &noise(n, 500));
    let records = [noisy(1), noisy(2), noisy(3)];
    for pack in [gzip, stored, zstd] {
        let members = records.each_ref().map(|record| pack(record));
        for at in 0..members[1].len() {
            // Some bytes in the header of a gzip member have no meaning.
            let mut bad = members[1].clone();
            bad[at] ^= 0x55;
            let seen = read(&join(&[&members[0], &bad, &members[2]]));
            let words = words(&seen);
            assert!(words.starts_with("ok ") && words.ends_with(" ok"), "{at}: {words}");
            assert_eq!(seen.len(), 3, "{at}: {words}");
            if words == "ok ok ok" {
                assert!(at < 10, "byte {at} is damaged and not reported");
            }
        }
    }
}

#[test]
fn a_member_cut_short_costs_its_record() {
    let records = [page(1), record("response", &noise(7, 500)), page(3)];
    for pack in [gzip, stored, zstd] {
        let members = records.each_ref().map(|record| pack(record));
        for cut in 1..members[1].len() {
            let seen = read(&join(&[&members[0], &members[1][..cut], &members[2]]));
            let words = words(&seen);
            let faults = seen.iter().filter(|seen| seen.reason().is_some()).count();
            // A stored block that is cut swallows the next member whole. The record in that ends
            // the block of the cut one.
            let mended = seen.iter().filter(|seen| seen.repair().is_some()).count();
            assert!(words.starts_with("ok ") && words.ends_with(" ok"), "{cut}: {words}");
            assert!(faults == 1 && seen.len() - mended == 3, "{cut}: {words}");
        }
    }
}

#[test]
fn a_wrong_checksum_alone_costs_nothing_unless_the_digest_says_otherwise() {
    let block = [b'x'; 300];
    let digest = data_encoding::BASE32.encode(&<sha1::Sha1 as sha1::Digest>::digest(block));
    let right =
        record_with("response", "300", &format!("WARC-Block-Digest: sha1:{digest}\r\n"), &block);
    let wrong = record_with("response", "300", "WARC-Block-Digest: sha1:AAAA\r\n", &block);
    for (record, expected) in
        [(&page(1), "ChecksumMismatch"), (&right, "ChecksumMismatch"), (&wrong, "CorruptMember")]
    {
        for at in 1..=8 {
            let mut bad = gzip(record);
            let place = bad.len() - at;
            bad[place] ^= 1;
            let seen = read(&join(&[&gzip(&page(0)), &bad, &gzip(&page(2))]));
            assert_eq!(words(&seen), format!("ok {expected} ok"));
        }
    }
    let mut bad = gzip(&record_with("response", "250", "", &block));
    *bad.last_mut().unwrap() ^= 1;
    let seen = read(&join(&[&gzip(&page(0)), &bad, &gzip(&page(2))]));
    assert_eq!(words(&seen), "ok CorruptMember ok");
}

#[test]
fn a_record_ends_with_its_member_whatever_its_length_says() {
    let long = record_with("response", "1300", "", &[b'x'; 300]);
    for pack in [gzip, zstd, lz4] {
        let seen = read(&join(&[&pack(&page(0)), &pack(&long), &pack(&page(1)), &pack(&long)]));
        assert_eq!(words(&seen), "ok ContentLengthTooLong ok ContentLengthTooLong");
        assert_eq!(seen[1].block(), [b'x'; 300]);
        assert_eq!(seen[3].block(), [b'x'; 300]);
    }
}

#[test]
fn members_may_begin_anywhere() {
    let stream = join(&[&page(0), &page(1), &record("resource", &noise(1, 500)), &page(2)]);
    for size in [1, 2, 5, 7, 100, 333, 100_000] {
        for pack in [gzip, zstd, lz4] {
            let bytes: Vec<u8> = stream.chunks(size).flat_map(pack).collect();
            assert_eq!(words(&read(&bytes)), "ok ok ok ok", "{size}");
        }
    }
    for cut in 1..stream.len() {
        let bytes = join(&[&gzip(&stream[..cut]), &gzip(&stream[cut..])]);
        assert_eq!(words(&read(&bytes)), "ok ok ok ok", "{cut}");
    }
}

#[test]
fn empty_members_give_no_entries() {
    let empty = gzip(b"");
    let bytes = join(&[
        &empty.repeat(1000),
        &gzip(&page(0)),
        &empty,
        &gzip(&page(1)),
        &empty,
        &empty,
        &gzip(&page(2)),
        &empty,
    ]);
    assert_eq!(words(&read(&bytes)), "ok ok ok");
    let empty = skippable(0x50, b"anything");
    let bytes = join(&[
        &empty,
        &zstd(&page(0)),
        &zstd(b""),
        &empty,
        &zstd(&page(1)),
        &empty,
        &empty,
        &zstd(&page(2)),
        &empty,
    ]);
    assert_eq!(words(&read(&bytes)), "ok ok ok");
}

#[test]
fn dictionaries_are_used() {
    let dictionary = [page(0), page(1), page(2)].concat();
    let frames: Vec<u8> = (0..5).flat_map(|n| zstd_with(&page(n), Some(&dictionary))).collect();
    for stored in [dictionary.clone(), zstd(&dictionary)] {
        let bytes = join(&[&skippable(0x5d, &stored), &frames]);
        assert_eq!(words(&read(&bytes)), "ok ok ok ok ok");
        let mut bad = bytes.clone();
        let place = bad.len() - frames.len() / 2;
        bad[place] ^= 0x55;
        assert_eq!(words(&read(&bad)), "ok ok CorruptMember ok ok");
    }
}

#[test]
fn windows_over_the_limit_cost_their_frame() {
    // A frame of two RLE blocks in a window of 2 GiB.
    let huge = b"\x28\xb5\x2f\xfd\x00\xa8\x02\x00\x10\x00\x03\x00\x10\x00";
    let bytes = join(&[&zstd(&page(0)), huge, &zstd(&page(1))]);
    assert_eq!(words(&read(&bytes)), "ok WindowTooLarge ok");
}

/// A record that holds a `.warc.gz` has bytes that look like members of the file. The record is
/// stored uncompressed, so that batches are cut at those bytes.
#[test]
fn a_warc_gz_within_a_record_is_not_taken_apart() {
    let inner: Vec<u8> = (0..40).flat_map(|n| gzip(&page(n % 26))).collect();
    let outer = stored(&record("resource", &inner));
    let parts = [stored(&page(0)), outer.clone(), stored(&page(1)), outer, stored(&page(2))];
    assert_eq!(words(&read(&parts.concat())), "ok ok ok ok ok");
    // Damaged, it counts as one damaged member, in which the search finds sound ones. All ways of
    // reading must find the same.
    let mut bad = parts.concat();
    let place = parts[0].len() + 40;
    bad[place] ^= 0xff;
    read(&bad);
}

#[test]
fn many_records_in_a_member_are_kept_up_to_the_damage() {
    let records: Vec<Vec<u8>> = (0..6).map(|n| record("response", &noise(n, 1000))).collect();
    for pack in [gzip, zstd, lz4] {
        let whole = pack(&records.concat());
        assert_eq!(words(&read(&whole)), "ok ok ok ok ok ok");
        assert_eq!(words(&read(&join(&[&whole, &whole]))), "ok ok ok ok ok ok ok ok ok ok ok ok");
    }
    let whole = stored(&records.concat());
    let cut = &whole[..whole.len() / 2 + 300];
    assert_eq!(words(&read(cut)), "ok ok ok CorruptMember");
    assert_eq!(words(&read(&join(&[cut, &gzip(&page(0))]))), "ok ok ok CorruptMember ok");
    let ends_inside = gzip(&records.concat()[..3500]);
    assert_eq!(words(&read(&ends_inside)), "ok ok ok Truncated");
}

#[test]
fn jsonl_is_cut_into_lines() {
    let lines = b"{\"a\":1}\r\n\n  \n{\"b\":2}\n{\"c\":3}";
    assert_eq!(words(&read(lines)), "line line line");
    assert_eq!(words(&read(&gzip(lines))), "line line line");
    assert_eq!(words(&read(&zstd(lines))), "line line line");
    let pieces: Vec<u8> = lines.chunks(4).flat_map(gzip).collect();
    let seen = read(&pieces);
    assert_eq!(words(&seen), "line line line");
    assert_eq!(seen[1].block(), b"{\"b\":2}");
    let limits = Limits { record_bytes: 10, ..Limits::default() };
    let long = b"{\"a\":1}\n{\"b\":\"too long\"}\n{\"c\":3}\n{\"too long at the end";
    assert_eq!(words(&read_with(long, &limits)), "line TooLarge line TooLarge");
}

#[test]
fn damage_in_jsonl_is_reported() {
    let parts: Vec<Vec<u8>> =
        (0..3).map(|n| format!("{{\"n\":\"{n}{}\"}}\n", "x".repeat(500)).into_bytes()).collect();
    let members: Vec<Vec<u8>> = parts.iter().map(|part| stored(part)).collect();
    let cut = join(&[&members[0], &members[1][..200], &members[2]]);
    assert_eq!(words(&read(&cut)), "line CorruptMember line");
    let mut bad = members.concat();
    *bad.last_mut().unwrap() ^= 1;
    assert_eq!(words(&read(&bad)), "line line line CorruptMember");
    let end = members.concat().len() - 100;
    assert_eq!(words(&read(&members.concat()[..end])), "line line CorruptMember");
}

/// Segment `number` of the record `urn:uuid:1`; the last one tells the total length.
fn segment(number: usize, last: bool, block: &[u8]) -> Vec<u8> {
    let total = if last { "WARC-Segment-Total-Length: 9\r\n" } else { "" };
    let fields = match number {
        1 => format!("WARC-Record-ID: <urn:uuid:1>\r\nWARC-Segment-Number: 1\r\n{total}"),
        _ => format!(
            "WARC-Record-ID: <urn:uuid:1-{number}>\r\nWARC-Segment-Origin-ID: <urn:uuid:1>\r\nWARC-Segment-Number: {number}\r\n{total}"
        ),
    };
    let kind = if number == 1 { "resource" } else { "continuation" };
    record_with(kind, &block.len().to_string(), &fields, block)
}

#[test]
fn segments_that_follow_one_another_are_joined() {
    let parts = [
        page(0),
        segment(1, false, b"one "),
        segment(2, false, b"two "),
        segment(3, true, b"3"),
        page(1),
    ];
    let mut forms = vec![parts.concat()];
    for pack in [gzip, zstd, lz4] {
        forms.push(parts.iter().flat_map(|part| pack(part)).collect());
        forms.push(pack(&parts.concat()));
    }
    for form in forms {
        let seen = read(&form);
        assert_eq!(words(&seen), "ok ok ok ok ok");
        assert_eq!(seen[1].block(), b"one two 3");
        assert!(!seen[1].header().escape_ascii().to_string().contains("WARC-Truncated"));
        assert_eq!((seen[2].block(), seen[3].block()), (b"two ".as_slice(), b"3".as_slice()));
    }
}

#[test]
fn a_record_whose_later_segments_are_not_there_is_marked() {
    let told = |seen: &ShownEntry| {
        seen.header().escape_ascii().to_string().contains("WARC-Truncated: unspecified")
    };
    let first = segment(1, false, b"one ");
    let second = segment(2, false, b"two ");
    let third = segment(3, true, b"3");
    for (parts, block) in [
        (vec![first.clone()], b"one ".as_slice()),
        (vec![first.clone(), page(0)], b"one "),
        (vec![first.clone(), second.clone(), page(0)], b"one two "),
        (vec![first.clone(), third.clone()], b"one "),
        (vec![first.clone(), page(0), second.clone(), third.clone()], b"one "),
        (vec![first.clone(), b"junk".repeat(100), second.clone()], b"one "),
    ] {
        let whole = read(&parts.concat());
        let members = read(&parts.iter().flat_map(|part| gzip(part)).collect::<Vec<_>>());
        for seen in [whole, members] {
            assert_eq!(seen[0].block(), block);
            assert!(told(&seen[0]), "{}", words(&seen));
            assert!(seen.iter().skip(1).all(|seen| !told(seen)));
        }
    }
    // Longer together than a record may be.
    let limits = Limits { record_bytes: 1000, ..Limits::default() };
    let [a, b] = [1, 2].map(|number| segment(number, number == 2, &[b'x'; 600]));
    let seen = read_with(&join(&[&a, &b, &page(0)]), &limits);
    assert_eq!(words(&seen), "ok ok ok");
    assert!(told(&seen[0]) && seen[0].block().len() == 600);
}
