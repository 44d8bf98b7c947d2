//! WARC files in gzip and zstd whose members, frames or dictionaries are wrong.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{ALPHA, HEAD, Records, paragraph};
use super::series::{huge_record, three_records};
use crate::pack::{gzip, gzip_pieces, skippable, zstd, zstd_pieces, zstd_with};
use crate::random::Random;
use crate::warc::Http;

/// A zstd dictionary with its number and tables, written by
/// `zstd --train --maxdict=4096 data/pages/*.html`.
const DICTIONARY: &[u8] = include_bytes!("../../data/pages.zdict");
/// The lowest byte of the magic number of the frame that holds the dictionary of a `.warc.zst`.
const DICTIONARY_FRAME: u8 = 0x5d;

/// Returns three gzip members: a good page, the attack changed by `spoil`, a good page.
fn spoilt_member(records: &mut Records, spoil: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut attack = gzip(&records.small().to_bytes());
    spoil(&mut attack);
    [gzip(&records.alpha()), attack, gzip(&records.omega())].concat()
}

/// Returns a gzip member of an attack page that is long enough to be cut and flipped.
fn long_member(records: &mut Records, noise: &[u8]) -> Vec<u8> {
    let page = [HEAD, &paragraph("ATTACK").repeat(50), noise].concat();
    gzip(&records.record("response", Http::page(page).to_bytes()).to_bytes())
}

fn cut_at_the_end(records: &mut Records, _: Scale) -> Vec<u8> {
    let attack = gzip(&records.small().to_bytes());
    let (alpha, omega) = (gzip(&records.alpha()), gzip(&records.omega()));
    [&alpha[..], &omega, &attack[..attack.len() / 2]].concat()
}

fn flipped(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut attack = long_member(records, b"");
    let end = attack.len() - 8;
    attack[40..end].iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55);
    [gzip(&records.alpha()), attack, gzip(&records.omega())].concat()
}

fn cut_before_a_member(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut attack = long_member(records, &Random::new(4).bytes(3000));
    attack.truncate(attack.len() * 2 / 3);
    [gzip(&records.alpha()), attack, gzip(&records.omega())].concat()
}

fn junk_between(records: &mut Records, _: Scale) -> Vec<u8> {
    let [alpha, attack, omega] = three_records(records).map(|record| gzip(&record));
    [alpha, b"GARBAGE".repeat(100), attack, vec![0; 512], omega].concat()
}

fn empty_members(records: &mut Records, scale: Scale) -> Vec<u8> {
    let [alpha, attack, omega] = three_records(records).map(|record| gzip(&record));
    let empty = gzip(b"");
    [empty.repeat(scale.of(100_000)), alpha, empty.repeat(3), attack, empty, omega].concat()
}

fn large_header(records: &mut Records, _: Scale) -> Vec<u8> {
    spoilt_member(records, |member| {
        let mut long = b"\x1f\x8b\x08\x1c\0\0\0\0\0\x03\xff\xff".to_vec();
        long.resize(long.len() + 65_535, b'e');
        for letter in [b'n', b'c'] {
            long.resize(long.len() + (1 << 20), letter);
            long.push(0);
        }
        long.extend_from_slice(&member[10..]);
        *member = long;
    })
}

fn huge_member(records: &mut Records, scale: Scale, media_type: &str) -> Vec<u8> {
    let bomb = gzip_pieces(9, huge_record(records, scale, media_type));
    [gzip(&records.alpha()), bomb, gzip(&records.omega())].concat()
}

/// Returns a frame with the dictionary as `stored`, then a frame per record, compressed with the
/// dictionary.
fn with_dictionary(records: &mut Records, stored: &[u8]) -> Vec<u8> {
    let mut file = skippable(DICTIONARY_FRAME, stored);
    for record in three_records(records) {
        file.extend(zstd_with(&record, Some(DICTIONARY)));
    }
    file
}

fn skippable_between(records: &mut Records, _: Scale) -> Vec<u8> {
    let [alpha, attack, omega] = three_records(records).map(|record| zstd(&record));
    let skipped = skippable(0x50, &[b's'; 1000]);
    [&skipped[..], &alpha, &skipped, &attack, &skipped, &skipped, &omega, &skipped].concat()
}

fn bad_checksum(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut attack = zstd(&records.small().to_bytes());
    invert(&mut attack, 1);
    [zstd(&records.alpha()), attack, zstd(&records.omega())].concat()
}

fn cut_frame(records: &mut Records, _: Scale) -> Vec<u8> {
    let attack = zstd(&records.small().to_bytes());
    let (alpha, omega) = (zstd(&records.alpha()), zstd(&records.omega()));
    [&alpha[..], &omega, &attack[..attack.len() / 2]].concat()
}

/// Returns a file with a frame that has a window of 2^31 bytes and neither length nor checksum. The
/// frame holds nine blocks of 128 KiB of zeros.
fn huge_window(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 21 << 3];
    (0..8).for_each(|_| frame.extend_from_slice(b"\x02\0\x10\0"));
    frame.extend_from_slice(b"\x03\0\x10\0");
    [zstd(&records.alpha()), frame, zstd(&records.omega())].concat()
}

fn huge_frame(records: &mut Records, scale: Scale) -> Vec<u8> {
    let bomb = zstd_pieces(27, huge_record(records, scale, "text/html"));
    [zstd(&records.alpha()), bomb, zstd(&records.omega())].concat()
}

/// Returns an attack in gzip that leaves three records.
const fn in_gzip(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    Attack::archive(name, right, archive)
        .extension(".warc.gz")
        .must(ExpectedOutcome::Extract)
        .records(3)
}

/// Returns an attack in zstd that leaves three records.
const fn in_zstd(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    in_gzip(name, right, archive).extension(".warc.zst").memory(300)
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    // Damaged members.
    in_gzip("warc-cut-in-gz-member", "a member cut short at the end of the file", cut_at_the_end)
        .must(ExpectedOutcome::Skip)
        .any_records(),
    in_gzip("warc-gz-bad-crc", "a member with a wrong checksum: flagged, and the next is read", |records, _| {
        spoilt_member(records, |member| invert(member, 7))
    }),
    in_gzip("warc-gz-bad-isize", "a member with a wrong length in its trailer", |records, _| {
        spoilt_member(records, |member| invert(member, 2))
    }),
    in_gzip("warc-gz-broken-member", "a member with flipped bits: the reader finds the next", flipped)
        .must(ExpectedOutcome::Skip)
        .any_records(),
    in_gzip(
        "warc-gz-cut-member-then-good",
        "a member cut short and another right after it, as a crawler leaves them that was killed and started again",
        cut_before_a_member,
    )
    .must(ExpectedOutcome::Skip)
    .any_records(),
    // Bytes between members.
    in_gzip("warc-gz-garbage-between", "junk between members", junk_between),
    in_gzip("warc-gz-zero-padding", "zeros after the last member, as on tape, are no error", |records, _| {
        let [alpha, attack, omega] = three_records(records).map(|record| gzip(&record));
        [alpha, attack, omega, vec![0; 10_240]].concat()
    }),
    in_gzip("warc-gz-empty-members", "100,000 empty members before the records", empty_members),
    in_gzip("warc-gz-first-empty", "a first member that is empty", |records, _| {
        let [alpha, attack, omega] = three_records(records).map(|record| gzip(&record));
        [gzip(b""), alpha, attack, omega].concat()
    }),
    // Members whose borders differ from those of records, and members with large headers.
    in_gzip("warc-gz-whole-file", "all records in one member", |records, _| gzip(&three_records(records).concat())),
    in_gzip("warc-gz-byte-members", "a member for every seven bytes", |records, _| {
        three_records(records).concat().chunks(7).flat_map(gzip).collect()
    }),
    in_gzip("warc-gz-big-header", "a member whose header has a name, a comment and more, of 2 MB together", large_header),
    // Members that expand.
    in_gzip("warc-gz-bomb-record", "a record of 1 GiB of zeros with its true length: streamed, or refused by a limit", |records, scale| {
        huge_member(records, scale, "text/html")
    })
    .must(ExpectedOutcome::Skip)
    .memory(500)
    .seconds(20),
    in_gzip("warc-gz-bomb-nonhtml", "a picture of 1 GiB of zeros: passed by without being held", |records, scale| {
        huge_member(records, scale, "image/png")
    })
    .must(ExpectedOutcome::Skip)
    .seconds(20),
    in_gzip("warc-gz-in-gz", "an archive in gzip in gzip: a clear message, or unpacked twice", |records, _| {
        gzip(&[gzip(&records.alpha()), gzip(&records.omega())].concat())
    })
    .must(ExpectedOutcome::Fatal)
    .good(&[])
    .any_records(),
    // Frames and dictionaries.
    in_zstd("warc-zst-records", "a frame for each record", |records, _| {
        three_records(records).iter().flat_map(|record| zstd(record)).collect()
    }),
    in_zstd("warc-zst-dict", "frames made with a dictionary, which stands before them", |records, _| {
        with_dictionary(records, DICTIONARY)
    }),
    in_zstd("warc-zst-dict-compressed", "the same with the dictionary itself compressed", |records, _| {
        with_dictionary(records, &zstd(DICTIONARY))
    }),
    in_zstd("warc-zst-dict-missing", "frames made with a dictionary that is not there: a clear message", |records, _| {
        [records.alpha(), records.omega()].iter().flat_map(|record| zstd_with(record, Some(DICTIONARY))).collect()
    })
    .must(ExpectedOutcome::Fatal)
    .good(&[])
    .any_records(),
    in_zstd("warc-zst-dict-huge-claim", "a dictionary that claims 4 GiB", |_, _| {
        [&b"\x5d\x2a\x4d\x18\xff\xff\xff\xff\x37\xa4\x30\xec"[..], &[0; 100]].concat()
    })
    .must(ExpectedOutcome::Fatal)
    .good(&[])
    .any_records(),
    in_zstd("warc-zst-skippable-between", "frames to be skipped between the records", skippable_between),
    in_zstd("warc-zst-whole-file", "all records in one frame", |records, _| zstd(&three_records(records).concat())),
    in_zstd("warc-zst-bad-checksum", "a frame with a wrong checksum: flagged, and the next is read", bad_checksum)
        .must(ExpectedOutcome::Skip)
        .any_records(),
    in_zstd("warc-zst-cut", "a frame cut short at the end of the file", cut_frame)
        .must(ExpectedOutcome::Skip)
        .any_records(),
    in_zstd("warc-zst-window-31", "a frame that asks for a window of 2 GiB: refused by a limit", huge_window)
        .must(ExpectedOutcome::Skip)
        .any_records()
        .good(&[ALPHA])
        .memory(500),
    in_zstd("warc-zst-bomb", "a record of 1 GiB of zeros in a frame with a window of 128 MiB", huge_frame)
        .must(ExpectedOutcome::Skip)
        .memory(500)
        .seconds(20),
];

/// Inverts the byte `from_end` bytes before the end.
fn invert(member: &mut [u8], from_end: usize) {
    let offset = member.len() - from_end;
    member[offset] ^= 0xff;
}
