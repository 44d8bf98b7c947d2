//! WARC files whose headers, lengths and order of records are wrong.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{
    ALPHA, OMEGA, Records, between_pages, changed_page, numbered, page_of, paragraph, small_page,
};
use crate::pack::gzip;
use crate::random::Random;
use crate::warc::{Http, Record};

/// Returns `bytes` with the first `old_text` replaced by `new_text`.
fn replace(bytes: &[u8], old_text: &str, new_text: &str) -> Vec<u8> {
    let start = bytes
        .windows(old_text.len())
        .position(|part| part == old_text.as_bytes())
        .expect("it is there");
    [&bytes[..start], new_text.as_bytes(), &bytes[start + old_text.len()..]].concat()
}

/// Returns the start of a record header of 100 MB without an end.
fn endless_header(scale: Scale) -> Vec<u8> {
    [b"WARC/1.0\r\nWARC-Type: ", &vec![b'r'; scale.of(100 << 20)][..]].concat()
}

fn endless_header_in_gzip(records: &mut Records, scale: Scale) -> Vec<u8> {
    let alpha = records.alpha();
    [alpha, endless_header(scale), records.omega()].iter().flat_map(|record| gzip(record)).collect()
}

fn header_case(records: &mut Records, _: Scale) -> Vec<u8> {
    between_pages(records, |records| {
        let record =
            replace(&records.small().to_bytes(), "WARC-Type: response", "warc-type: RESPONSE");
        // Replace only the first, which belongs to the record's header, not to that of the
        // response.
        replace(&record, "Content-Length", "content-length")
    })
}

fn header_lf_only(records: &mut Records, _: Scale) -> Vec<u8> {
    let block = small_page();
    let header = format!(
        "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: http://example.test/attack\nContent-Type: application/http\n\
         Content-Length: {}\n\n",
        block.len()
    );
    between_pages(records, |_| [header.as_bytes(), &block, b"\n\n"].concat())
}

fn versions(records: &mut Records, _: Scale) -> Vec<u8> {
    between_pages(records, |records| {
        ["WARC/2.0", "WARC/0.18", "WARC/1.1"]
            .iter()
            .flat_map(|version| records.small().version(version).to_bytes())
            .collect()
    })
}

fn garbage(records: &mut Records, _: Scale) -> Vec<u8> {
    between_pages(records, |_| [&Random::new(9).bytes(1 << 20)[..], b"\r\n\r\n"].concat())
}

fn garbage_with_magic(records: &mut Records, scale: Scale) -> Vec<u8> {
    let junk = "WARC/1.0 x WARC/1.0\r\nWARC/1.0\r\n\r\n".repeat(scale.of(200_000));
    between_pages(records, |_| [junk.as_bytes(), b"\r\n\r\n"].concat())
}

fn no_blank_lines(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut file = records.alpha();
    file.truncate(file.len() - 4);
    file.extend(records.small().end(b"").to_bytes());
    file.extend(records.omega());
    file
}

fn blank_lines(records: &mut Records, scale: Scale) -> Vec<u8> {
    let lines = b"\r\n".repeat(scale.of(500_000));
    between_pages(records, |records| [&lines[..], &records.small().to_bytes(), &lines].concat())
}

fn cut_in_block(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut file = [records.alpha(), records.small().to_bytes()].concat();
    file.truncate(file.len() - paragraph("ATTACK").len().div_ceil(2) - 40);
    file
}

fn no_pages(records: &mut Records, _: Scale) -> Vec<u8> {
    between_pages(records, |records| {
        let empty = Http::page("").to_bytes();
        let revisit = records.record("revisit", empty).fields(
            "WARC-Refers-To-Target-URI: http://example.test/alpha\r\n\
             WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n",
        );
        let request = records
            .record("request", "GET / HTTP/1.1\r\n\r\n")
            .content_type("application/http; msgtype=request");
        let continuation = records
            .record("continuation", "part")
            .without_content_type()
            .fields("WARC-Segment-Number: 2\r\nWARC-Segment-Origin-ID: <urn:uuid:none>\r\n");
        let metadata =
            records.record("metadata", "a: b\r\n").content_type("application/warc-fields");
        [revisit, request, continuation, metadata].iter().flat_map(Record::to_bytes).collect()
    })
}

fn segmented(records: &mut Records, _: Scale) -> Vec<u8> {
    let page = [page_of("SEGONE"), paragraph("SEGTWO")].concat();
    let block = Http::page(page).to_bytes();
    let (first, second) = block.split_at(block.len() / 2);
    between_pages(records, |records| {
        let part = records
            .attack(first.to_vec())
            .fields("WARC-Segment-Number: 1\r\nWARC-Truncated: length\r\n")
            .to_bytes();
        let fields = format!(
            "WARC-Segment-Number: 2\r\nWARC-Segment-Total-Length: {}\r\n\
             WARC-Segment-Origin-ID: <urn:uuid:00000000-0000-4000-8000-{:012}>\r\n",
            block.len(),
            records.made,
        );
        let rest = records
            .record("continuation", second)
            .uri(b"http://example.test/attack")
            .without_content_type()
            .fields(fields);
        [part, rest.to_bytes()].concat()
    })
}

fn block_size_edges(records: &mut Records, _: Scale) -> Vec<u8> {
    let mut file = records.alpha();
    let mut text =
        |len| records.record("resource", vec![b'x'; len]).content_type("text/plain").to_bytes();
    for border in [4096, 8192, 16_384, 32_768, 65_536, 1 << 20_usize] {
        for beside in [-1, 1] {
            // The length of this record without padding.
            let end = file.len() + text(10).len();
            let missing = (border - end % border).checked_add_signed(beside).expect("a length");
            file.extend(text(10 + missing % border));
        }
    }
    file.extend(records.omega());
    file
}

fn many_records(records: &mut Records, scale: Scale) -> Vec<u8> {
    let mut file = records.alpha();
    let record = records.record("resource", "").content_type("text/plain").to_bytes();
    (0..scale.of(300_000)).for_each(|_| file.extend_from_slice(&record));
    file.extend(records.omega());
    file
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    // Headers of records.
    Attack::archive(
        "warc-header-100mb",
        "a record header of 100 MB without an end: refused by a limit",
        |records, scale| [records.alpha(), endless_header(scale)].concat(),
    )
    .good(&[ALPHA])
    .memory(300),
    Attack::archive(
        "warc-header-100mb-gz",
        "the same in a gzip member: the member after it is read",
        endless_header_in_gzip,
    )
    .extension(".warc.gz")
    .memory(300),
    Attack::archive(
        "warc-million-header-lines",
        "a million lines in the header of a record: linear, or refused by a limit",
        |records, scale| {
            changed_page(records, |record| {
                record.fields(numbered(|i| format!("X-{i}: y\r\n"), scale.of(1_000_000)))
            })
        },
    )
    .must(ExpectedOutcome::Extract)
    .memory(600),
    Attack::archive(
        "warc-folded-header",
        "a header line folded over 10,000 lines",
        |records, _| {
            changed_page(records, |record| {
                record.fields(format!("X-Fold: a\r\n{}", " b\r\n".repeat(10_000)))
            })
        },
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive(
        "warc-header-case",
        "names of fields in lower case, the type in upper case",
        header_case,
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive(
        "warc-header-lf-only",
        "header lines that end with a bare line feed",
        header_lf_only,
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive(
        "warc-header-non-utf8",
        "a URI that is no UTF-8: kept or replaced, and the row is valid JSON",
        |records, _| {
            changed_page(records, |record| record.uri(b"http://example.test/\xff\xfe\xe9\x00\"\\"))
        },
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive("warc-version-future", "records of WARC 2.0, 0.18 and 1.1", versions)
        .must(ExpectedOutcome::Extract),
    Attack::archive(
        "warc-type-unknown",
        "a record of an unknown type is skipped; it is not an error",
        |records, _| {
            let page = small_page();
            between_pages(records, |records| {
                records.record("x-my-type", page).uri(b"http://example.test/attack").to_bytes()
            })
        },
    )
    .records(3),
    // Bytes between records.
    Attack::archive(
        "warc-garbage-between",
        "a megabyte of junk between two records: the next is found, one error counted",
        garbage,
    )
    .records(2),
    Attack::archive(
        "warc-garbage-with-magic",
        "junk that begins like a record again and again: looking for the next stays linear",
        garbage_with_magic,
    )
    .memory(300),
    Attack::archive(
        "warc-no-blank-lines",
        "records without empty lines between them, a common fault: all are read",
        no_blank_lines,
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive(
        "warc-extra-blank-lines",
        "a megabyte of empty lines between records",
        blank_lines,
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    // Files that end too early.
    Attack::archive(
        "warc-cut-in-block",
        "a file that ends within a block: that record counts as truncated, the others are kept",
        cut_in_block,
    )
    .good(&[ALPHA]),
    Attack::archive(
        "warc-cut-in-header",
        "a file that ends within the header of a record",
        |records, _| {
            let alpha = records.alpha();
            [&alpha, &records.small().to_bytes()[..60]].concat()
        },
    )
    .good(&[ALPHA]),
    // Records without pages, and pages in other record types.
    Attack::archive(
        "warc-million-records",
        "300,000 empty records: the cost of a record",
        many_records,
    )
    .seconds(20),
    Attack::archive(
        "warc-revisit-flood",
        "records of other types: passed by and counted by type",
        no_pages,
    ),
    Attack::archive("warc-segmented", "a page in two segments: joined, or each counted", segmented)
        .must(ExpectedOutcome::Extract)
        .records(4),
    Attack::archive(
        "warc-resource-html",
        "a resource record that holds HTML is a page",
        |records, _| {
            between_pages(records, |records| {
                let record = records.record("resource", page_of("RESHTML")).uri(b"file:///x.html");
                record.content_type("text/html; charset=utf-8").to_bytes()
            })
        },
    )
    .must(ExpectedOutcome::Extract)
    .records(3)
    .contains(&["RESHTML"]),
    Attack::archive(
        "warc-conversion-wet",
        "a conversion record holds text and becomes a row as it is",
        |records, _| {
            between_pages(records, |records| {
                records
                    .record("conversion", "plain text of a page\n")
                    .content_type("text/plain")
                    .to_bytes()
            })
        },
    )
    .must(ExpectedOutcome::Extract)
    .records(3)
    .contains(&["plain text of a page"]),
    // Fields.
    Attack::archive(
        "warc-uri-brackets",
        "a URI in angle brackets: given without them",
        |records, _| changed_page(records, |record| record.uri(b"<http://example.test/attack>")),
    )
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive("warc-uri-10mb", "a URI of 10 MB", |records, scale| {
        let uri = format!("http://example.test/{}", "u".repeat(scale.of(10 << 20)));
        changed_page(records, |record| record.uri(uri.as_bytes()))
    })
    .memory(300),
    Attack::archive("warc-date-junk", "a date that cannot be read", |records, _| {
        between_pages(records, |records| {
            let record = records.small().to_bytes();
            replace(&record, "2024-02-29T12:00:00Z", "0000-99-99T99:99:99.999999999999Z")
        })
    })
    .must(ExpectedOutcome::Extract)
    .records(3),
    Attack::archive(
        "warc-block-size-edges",
        "headers that end beside the borders of common buffers: all records are read",
        block_size_edges,
    )
    .must(ExpectedOutcome::Extract)
    .records(14)
    .good(&[ALPHA, OMEGA]),
];
