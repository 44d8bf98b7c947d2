//! Malformed ARC files and LZ4 frames. The project's shared generator of attacks lacks these.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{ALPHA, OMEGA, Records, good_page, mebibytes};
use super::series::{huge_record, three_records};
use crate::arc;
use crate::pack::{gzip, gzip_pieces, lz4, lz4_pieces};
use crate::warc::Http;

/// Returns a good page as an ARC record.
fn arc_page(mark: &str) -> Vec<u8> {
    let url = format!("http://example.test/{mark}");
    arc::record(&url, "text/html", &Http::page(good_page(mark)).to_bytes())
}

/// Returns an ARC file of two good pages with the attack between them.
fn between_pages(attack: &[u8]) -> Vec<u8> {
    [&arc::version_block(), &arc_page(ALPHA), attack, &arc_page(OMEGA)].concat()
}

/// Like [`between`], with each record in a gzip member.
fn members(attack: &[u8]) -> Vec<u8> {
    let [version, alpha, omega] = [arc::version_block(), arc_page(ALPHA), arc_page(OMEGA)];
    [&gzip(&version)[..], &gzip(&alpha), attack, &gzip(&omega)].concat()
}

/// Returns an ARC record whose header claims this length.
fn of_length(length: &str) -> Vec<u8> {
    arc::record_with(
        "http://example.test/attack",
        "text/html",
        length,
        b"HTTP/1.1 200 OK\r\n\r\n<p>x",
    )
}

const fn in_arc(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    Attack::archive(name, right, archive).extension(".arc")
}

const fn in_lz4(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    Attack::archive(name, right, archive).extension(".warc.lz4").memory(300)
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    in_arc("warc-arc-length-huge", "a length of 10^18: its record alone is lost", |_, _| {
        between_pages(&of_length("1000000000000000000"))
    }),
    in_arc("warc-arc-length-negative", "a length of -2046788874, as a crawler wrote it", |_, _| {
        between_pages(&of_length("-2046788874"))
    }),
    in_arc("warc-arc-url-10mb", "a URL of 10 MB is no header line", |_, scale| {
        let url = format!("http://example.test/{}", "u".repeat(scale.of(10 << 20).max(9000)));
        between_pages(&arc::record(&url, "text/html", b"HTTP/1.1 200 OK\r\n\r\n<p>x"))
    }),
    in_arc(
        "warc-arc-near-headers",
        "50 MB of lines that are header lines but for the date: linear time",
        |_, scale| {
            let line = b"http://example.test/ 192.0.2.1 2024022 text/html 5\n";
            between_pages(&line.repeat(scale.of(1 << 20)))
        },
    ),
    in_arc("warc-arc-gz-bomb", "a record of 1 GiB of zeros in a gzip member", |_, scale| {
        let zeros = scale.of(1024);
        let line = format!(
            "http://example.test/attack 192.0.2.1 20240229120000 text/html {}\n",
            zeros << 20
        );
        let pieces = std::iter::once(line.into_bytes()).chain(mebibytes(zeros));
        members(&gzip_pieces(9, pieces))
    })
    .extension(".arc.gz")
    .memory(500)
    .seconds(20),
    in_arc("warc-arc-gz-flipped", "a member with flipped bits: the next is found", |_, _| {
        let mut attack = gzip(&of_length("23"));
        attack[12..40].iter_mut().step_by(3).for_each(|byte| *byte ^= 0x55);
        members(&attack)
    })
    .extension(".arc.gz"),
    in_lz4("warc-lz4-whole-file", "all records in one frame", |records, _| {
        lz4(&three_records(records).concat())
    })
    .must(ExpectedOutcome::Extract)
    .records(3),
    in_lz4("warc-lz4-cut", "a frame cut short at the end of the file", |records, _| {
        let attack = lz4(&records.small().to_bytes());
        let (alpha, omega) = (lz4(&records.alpha()), lz4(&records.omega()));
        [&alpha[..], &omega, &attack[..attack.len() / 2]].concat()
    }),
    in_lz4("warc-lz4-block-claims-2gb", "a block that claims 2 GiB", |records, _| {
        // A frame begins with the magic number, two bytes of flags, the length of the data and a
        // checksum. The first block follows.
        let mut attack = lz4(&records.small().to_bytes());
        attack[15..19].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
        [lz4(&records.alpha()), attack, lz4(&records.omega())].concat()
    }),
    in_lz4("warc-lz4-bomb", "a record of 1 GiB of zeros in a frame", |records, scale| {
        let bomb = lz4_pieces(huge_record(records, scale, "text/html"));
        [lz4(&records.alpha()), bomb, lz4(&records.omega())].concat()
    })
    .memory(500)
    .seconds(20),
];
