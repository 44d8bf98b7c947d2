//! What an input is found to be, and the errors for inputs that are not archives.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

use huller_archive::{Batch, Container, Format, Input, Limits};
use huller_testkit::pack::{gzip, lz4, noise, skippable, zstd, zstd_with};
use huller_testkit::warc::record;
use std::fs;
use std::io::Cursor;
use std::path::Path;

fn open(bytes: &[u8]) -> Result<Input, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    fs::write(&path, bytes).unwrap();
    let file = Input::open(&path, &Limits::default());
    let pipe = Input::from_reader(Box::new(Cursor::new(bytes.to_vec())), &Limits::default());
    assert_eq!(file.is_ok(), pipe.is_ok(), "a file and a pipe are not the same");
    let shown = |error: huller_archive::ArchiveError| {
        error.to_string().replace(&folder.path().display().to_string(), "")
    };
    file.map_err(shown)
}

fn arc() -> Vec<u8> {
    huller_testkit::arc::record(
        "http://site.example/",
        "text/html",
        b"HTTP/1.1 200 OK\r\n\r\n<p>text",
    )
}

fn page() -> Vec<u8> {
    record("response", b"HTTP/1.1 200 OK\r\n\r\n<p>text")
}

#[test]
fn inputs_are_recognised_by_their_bytes_not_their_names() {
    let line = b"{\"url\":\"x\"}\n".to_vec();
    for (bytes, format, container) in [
        (page(), Format::Warc, Container::Plain),
        (gzip(&page()), Format::Warc, Container::Gzip),
        (zstd(&page()), Format::Warc, Container::Zstd),
        ([skippable(0x50, b"x"), zstd(&page())].concat(), Format::Warc, Container::Zstd),
        (line.clone(), Format::Jsonl, Container::Plain),
        ([b"\xef\xbb\xbf \n".as_slice(), &line].concat(), Format::Jsonl, Container::Plain),
        (gzip(&line), Format::Jsonl, Container::Gzip),
        (zstd(&line), Format::Jsonl, Container::Zstd),
        ([b"\xef\xbb\xbf\r\n\r\n".as_slice(), &page()].concat(), Format::Warc, Container::Plain),
        ([noise(1, 90_000), page()].concat(), Format::Warc, Container::Plain),
        ([noise(1, 90_000), gzip(&page())].concat(), Format::Warc, Container::Gzip),
        ([noise(1, 90_000), zstd(&page())].concat(), Format::Warc, Container::Zstd),
        ([gzip(b""), gzip(b""), gzip(&page())].concat(), Format::Warc, Container::Gzip),
        ([gzip(&page())[..15].to_vec(), gzip(&page())].concat(), Format::Warc, Container::Gzip),
        ([gzip(b"text"), gzip(&page())].concat(), Format::Warc, Container::Gzip),
        (lz4(&page()), Format::Warc, Container::Lz4),
        ([noise(1, 90_000), lz4(&page())].concat(), Format::Warc, Container::Lz4),
        (lz4(&line), Format::Jsonl, Container::Lz4),
        (arc(), Format::Arc, Container::Plain),
        ([b"\n\n".as_slice(), &arc()].concat(), Format::Arc, Container::Plain),
        (gzip(&arc()), Format::Arc, Container::Gzip),
        ([gzip(&arc())[..40].to_vec(), gzip(&arc())].concat(), Format::Arc, Container::Gzip),
        ([gzip(b"text"), gzip(&arc())].concat(), Format::Arc, Container::Gzip),
        ([noise(1, 90_000), zstd(&arc())].concat(), Format::Arc, Container::Zstd),
    ] {
        let input = open(&bytes).unwrap();
        assert_eq!((input.format(), input.container()), (format, container));
        assert_eq!(input.len(), Some(bytes.len() as u64));
    }
}

#[test]
fn inputs_that_are_not_archives_are_refused() {
    let message = |bytes: &[u8]| open(bytes).err().unwrap();
    let none = "cannot read '/a.warc.gz': not a readable WARC, ARC, WACZ, JSONL, CSV, Parquet, \
        ZIP or tar file";
    assert_eq!(message(b"W"), format!("{none} (begins with 'W')"));
    assert_eq!(message(b"WARC/1.0"), format!("{none} (begins with 'WARC/1.0')"));
    assert_eq!(message(b"\x89\0\0\0\0"), format!("{none} (begins with 89 00 00 00)"));
    assert_eq!(message(&vec![0; 100_000]), format!("{none} (begins with 00 00 00 00)"));
    assert_eq!(
        message(&gzip(b"some text")),
        "cannot read '/a.warc.gz': gzip data, but not a readable WARC, ARC, WACZ, JSONL, CSV, \
         Parquet, ZIP or tar file (begins with 'some text')"
    );
    assert_eq!(message(b""), "cannot read '/a.warc.gz': it is empty");
    for blank in [b"\r\n".repeat(1_000_000), gzip(b""), zstd(b""), gzip(&b"\n".repeat(10_000_000))]
    {
        assert_eq!(
            message(&blank),
            "cannot read '/a.warc.gz': it contains only blank lines or empty members"
        );
    }
    assert!(message(&gzip(b"")[..10]).contains("damaged"));
}

#[test]
fn an_input_of_a_known_format_is_named_with_its_remedy() {
    let told = |bytes: &[u8], problem: &str, remedy: &str| {
        let expected = format!(
            "cannot read '/a.warc.gz': {problem}, not a readable WARC, ARC, WACZ, \
            JSONL, CSV, Parquet, ZIP or tar file; "
        );
        let message = open(bytes).err().unwrap();
        assert!(message.starts_with(&expected) && message.contains(remedy), "{message}");
    };
    told(b"\x02\x21\x4c\x18\x05", "LZ4 data in the legacy format", "`lz4 -dc FILE | huller");
    told(b"BZh91AY&SY\x12", "bzip2 data", "`bzip2 -dk FILE`");
    told(b"%PDF-1.7\n%\xe2", "a PDF document", "HTML");
    told(b"PK\x03\x04\x14\0", "a ZIP archive", "unpack");
    told(b"\x89PNG\r\n\x1a\n...", "a PNG image", "HTML");
    told(b"[{\"html\":\"<p>\"}]", "a JSON array", "jq -c '.[]'");
    told(&gzip(&gzip(&page())), "gzip data, compressed", "decompress it one level");
    let sent = b"<!DOCTYPE html><p>";
    told(sent, "an HTML page", "servers");
    told(&gzip(sent), "an HTML page, compressed", "servers");
    // Its clusters look like damaged members, which would be searched for records.
    told(
        &[b"ZIM\x04\x05\0".as_slice(), &noise(1, 90_000), &zstd(&page())].concat(),
        "a ZIM file",
        "zimdump",
    );
}

#[test]
fn a_url_is_told_from_a_missing_file() {
    let limits = Limits::default();
    for url in ["s3://bucket/a.warc.gz", "https://host/a.warc.gz", "gs://a/b", "az://a/b"] {
        let error = Input::open(Path::new(url), &limits).err().unwrap().to_string();
        assert!(
            error.starts_with(&format!("cannot read '{url}': URLs are read only by")),
            "{error}"
        );
    }
}

#[test]
fn a_missing_or_damaged_dictionary_is_an_error() {
    let samples: Vec<u8> = (0..100_u32).flat_map(|i| noise(u64::from(i), 60)).collect();
    let mut dictionary = b"\x37\xa4\x30\xec\x07\x00\x00\x00".to_vec();
    dictionary.extend(samples);
    let huge = [b"\x5d\x2a\x4d\x18\xff\xff\xff\xff".as_slice(), &zstd(&page())].concat();
    assert!(open(&huge).err().unwrap().contains("claims 4294967295 bytes"));
    // A frame that names a dictionary by its number, 7.
    let mut frame = b"\x28\xb5\x2f\xfd\x21\x07\x05".to_vec();
    frame.extend(b"\x29\x00\x00hello");
    assert_eq!(
        open(&frame).err().unwrap(),
        "cannot read '/a.warc.gz': it needs the zstd dictionary 7, which it does not contain"
    );
    let damaged = [skippable(0x5d, &zstd(&dictionary)[..20]), zstd(&page())].concat();
    assert!(open(&damaged).err().unwrap().contains("dictionary is damaged"));
    let raw =
        [skippable(0x5d, b"plain content"), zstd_with(&page(), Some(b"plain content"))].concat();
    assert!(open(&raw).is_ok());
}

#[test]
fn folders_and_absent_files_are_errors_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("absent")] {
        let error = Input::open(&path, &Limits::default()).err().unwrap();
        assert!(error.is_io_error(), "{error}");
        assert!(error.to_string().starts_with("cannot read '/"), "{error}");
    }
}

#[test]
fn progress_ends_at_the_length() {
    for bytes in [gzip(&page()).repeat(500), page().repeat(500), zstd(&page()).repeat(500)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, &bytes).unwrap();
        let limits = Limits { batch_bytes: 1000, ..Limits::default() };
        let mut input = Input::open(&path, &limits).unwrap();
        let (mut batch, mut before) = (Batch::default(), 0);
        while input.next_batch(&mut batch).unwrap() {
            assert!(input.bytes_read() >= before);
            before = input.bytes_read();
        }
        assert_eq!(input.bytes_read(), bytes.len() as u64);
        assert!(!input.next_batch(&mut batch).unwrap());
    }
}
