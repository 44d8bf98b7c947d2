//! Records whose Content-Length is wrong.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{Records, between_pages, changed_page, good_page, small_page};
use crate::pack::gzip;
use crate::warc::{Http, Record};

/// Returns two good pages and between them a small page with another header, each in a gzip member.
fn changed_in_gzip(records: &mut Records, change: impl FnOnce(Record) -> Record) -> Vec<u8> {
    let (alpha, attack) = (records.alpha(), change(records.small()).to_bytes());
    [alpha, attack, records.omega()].iter().flat_map(|record| gzip(record)).collect()
}

fn lengths_that_are_no_numbers(records: &mut Records, _: Scale) -> Vec<u8> {
    between_pages(records, |records| {
        ["+12", "0x10", "1e3"]
            .iter()
            .flat_map(|length| records.small().length(length).to_bytes())
            .collect()
    })
}

fn length_too_long(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut file = records.alpha();
    let page = small_page();
    let length = page.len() + 10;
    file.extend(records.record("response", page).length(length).to_bytes());
    let middle = Http::page(good_page("MIDDLE")).to_bytes();
    file.extend(records.record("response", middle).to_bytes());
    file.extend(records.omega());
    file
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    Attack::archive(
        "warc-cl-2^63",
        "a block of 2^63 bytes: the record fails, the next is found, no memory for the claim",
        |records, _| changed_page(records, |record| record.length("9223372036854775808")),
    ),
    Attack::archive(
        "warc-cl-2^64",
        "a block of 2^64 bytes: the number does not wrap",
        |records, _| changed_page(records, |record| record.length("18446744073709551616")),
    ),
    Attack::archive("warc-cl-8eb", "a block of 2^63 - 1 bytes", |records, _| {
        changed_page(records, |record| record.length(i64::MAX))
    }),
    Attack::archive(
        "warc-cl-100gb",
        "a block of 100 GiB: no memory for the claim",
        |records, _| changed_page(records, |record| record.length(100_u64 << 30)),
    ),
    Attack::archive(
        "warc-cl-negative",
        "a block of -1 bytes: the record fails, the next is found",
        |records, _| changed_page(records, |record| record.length(-1)),
    ),
    Attack::archive(
        "warc-cl-plus",
        "lengths that are not made of digits alone: the records fail",
        lengths_that_are_no_numbers,
    ),
    Attack::archive("warc-cl-missing", "no length: the record fails", |records, _| {
        changed_page(records, Record::without_length)
    }),
    Attack::archive("warc-cl-empty", "an empty length", |records, _| {
        changed_page(records, |record| record.length(" "))
    }),
    Attack::archive(
        "warc-cl-duplicate",
        "two lengths that differ: the one that fits is used, or the record fails",
        |records, _| changed_page(records, |record| record.fields("Content-Length: 3\r\n")),
    ),
    Attack::archive(
        "warc-cl-too-short",
        "a length 10 bytes too short: the next record is found",
        |records, _| {
            between_pages(records, |records| {
                records.record("response", small_page()).length(small_page().len() - 10).to_bytes()
            })
        },
    ),
    Attack::archive(
        "warc-cl-too-long",
        "a length that reaches into the next record: that may be lost, and no other",
        length_too_long,
    ),
    Attack::archive(
        "warc-cl-too-long-gz",
        "a length too long in a gzip member of its own: no other record is lost",
        |records, _| {
            let length = small_page().len() + 1000;
            changed_in_gzip(records, |record| record.uri(b"http://example.test/p").length(length))
        },
    )
    .extension(".warc.gz")
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive(
        "warc-cl-too-short-gz",
        "a length too short in a gzip member of its own: the next member is read",
        |records, _| {
            let length = small_page().len() - 50;
            changed_in_gzip(records, |record| record.uri(b"http://example.test/p").length(length))
        },
    )
    .extension(".warc.gz")
    .must(ExpectedOutcome::Extract)
    .records(3),
];
