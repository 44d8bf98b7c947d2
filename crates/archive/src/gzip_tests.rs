use super::*;
use flate2::{Compression, GzBuilder};
use std::io::Write;

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn decorated(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new()
        .extra(vec![b'e'; 300])
        .filename("name")
        .comment("comment")
        .write(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn members_of_all_headers_inflate() {
    let mut inflater = Inflater::new();
    for member in [gzip(b"data"), decorated(b"data")] {
        let input = [member.as_slice(), b"next"].concat();
        assert_eq!(inflater.member(&input, 100), Inflated::Whole(member.len()));
        assert_eq!(inflater.output(), b"data");
    }
    let mut checked = gzip(b"data");
    checked[3] = 2;
    checked.splice(10..10, [0xaa, 0xbb]);
    assert_eq!(inflater.member(&checked, 100), Inflated::Whole(checked.len()));
}

#[test]
fn the_buffer_grows_up_to_the_cap() {
    let data = vec![7; 5 << 20];
    let member = gzip(&data);
    let mut inflater = Inflater::new();
    assert_eq!(inflater.member(&member, data.len() - 1), Inflated::OverCap);
    assert_eq!(inflater.member(&member, data.len()), Inflated::Whole(member.len()));
    assert_eq!(inflater.output(), data);
}

#[test]
fn the_buffer_stays_as_long_as_giants_come() {
    let giant = gzip(&vec![7; 5 << 20]);
    let small = gzip(b"small");
    let mut inflater = Inflater::new();
    for (member, kept) in [(&giant, true), (&giant, true), (&small, false)] {
        assert_eq!(inflater.member(member, 1 << 30), Inflated::Whole(member.len()));
        inflater.trim();
        assert_eq!(inflater.output.len() >= 5 << 20, kept);
    }
}

#[test]
fn damage_is_told() {
    let data: Vec<u8> = (0..5000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
    let member = gzip(&data);
    let mut inflater = Inflater::new();
    for cut in [0, 5, 12, member.len() - 9, member.len() - 8, member.len() - 1] {
        assert_eq!(inflater.member(&member[..cut], 1 << 20), Inflated::Broken, "{cut}");
    }
    for at in member.len() - 8..member.len() {
        let mut bad = member.clone();
        bad[at] ^= 1;
        assert_eq!(inflater.member(&bad, 1 << 20), Inflated::BadChecksum);
        assert_eq!(inflater.output(), data);
    }
}

#[test]
fn headers_are_bounded() {
    assert_eq!(member_header(&[0x1f, 0x8b, 7, 0], 9), MemberHeader::Bad);
    assert_eq!(member_header(&[0x1f, 0x8b, 8, 0x80], 9), MemberHeader::Bad);
    assert_eq!(member_header(&[0x1f], 9), MemberHeader::Cut);
    let mut long = vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3];
    long.extend([b'n'; 10]);
    assert_eq!(member_header(&long, 10), MemberHeader::Bad);
    assert_eq!(member_header(&long, 11), MemberHeader::Cut);
    long.extend([0, 1]);
    assert_eq!(member_header(&long, 11), MemberHeader::Whole(21));
}

#[test]
fn only_members_with_the_right_opening_are_found() {
    let bytes =
        [gzip(b"text"), b"\x1f\x8b\x08\x00junk".to_vec(), gzip(b"warc/1.0"), gzip(b"{}")].concat();
    let record = bytes.len() - gzip(b"{}").len() - gzip(b"warc/1.0").len();
    let mut records = MemberFinder::new(Opening::Record);
    assert_eq!(records.find(&bytes, 0, true), Ok(record));
    assert_eq!(records.find(&bytes, record + 1, true), Err(bytes.len()));
    assert_eq!(
        MemberFinder::new(Opening::Line).find(&bytes, 1, true),
        Ok(record + gzip(b"warc/1.0").len())
    );
}

#[test]
fn candidates_near_the_end_wait() {
    let bytes = [vec![0; 100], gzip(b"WARC/1.0"), vec![0; TRIAL_BYTES - 50]].concat();
    let mut records = MemberFinder::new(Opening::Record);
    assert_eq!(records.find(&bytes, 0, false), Err(bytes.len() - TRIAL_BYTES));
    assert_eq!(records.find(&bytes, 0, true), Ok(100));
    let more = [bytes, vec![0; 50]].concat();
    assert_eq!(records.find(&more, 0, false), Ok(100));
}
