//! Lines of JSON and rows of CSV as they are found in the wild: byte order marks, blank lines,
//! NULs, holes, carriage returns.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod support;

use huller_archive::{FaultReason, Input, Limits};
use huller_testkit::pack::{gzip, lz4, zstd};
use std::fs;
use std::path::Path;
use support::drive::{ShownEntry, all_ways, pipe};

/// What is read of a file of this name: a line as it is, a fault as its reason.
fn read(name: &str, bytes: &[u8]) -> Vec<String> {
    read_with(name, bytes, &Limits::default())
}

fn read_with(name: &str, bytes: &[u8], limits: &Limits) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    all_ways(&path, limits).unwrap().iter().map(word).collect()
}

fn word(seen: &ShownEntry) -> String {
    match seen {
        ShownEntry::Line(line) => String::from_utf8(line.clone()).unwrap(),
        other => other.word(),
    }
}

fn message(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    Input::open(&path, &Limits::default()).err().unwrap().to_string()
}

/// A row of JSON Lines, and rows of many with line feeds.
fn row(number: usize) -> String {
    format!(r#"{{"id":{number},"text":"row number {number}"}}"#)
}

fn rows(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| row(number) + "\n").collect()
}

/// As [`rows`], of a table with names, whose first value holds a line end, quotes and a comma.
fn table(numbers: std::ops::Range<usize>) -> String {
    let row = |number| format!("\"<p class=\"\"a, b\"\">\nrow\",{number},\"more, or not\"\n");
    "html,id,other\n".to_owned() + &numbers.map(row).collect::<String>()
}

/// The numbers of the rows of such a file that were read, and the faults.
fn numbers(read: &[String]) -> String {
    let number = |line: &String| {
        let value = serde_json::from_str::<serde_json::Value>(line).ok()?;
        let id = &value["id"];
        id.as_str().map(str::to_owned).or_else(|| Some(id.to_string()))
    };
    let words = read.iter().map(|line| number(line).unwrap_or_else(|| line.clone()));
    words.collect::<Vec<_>>().join(" ")
}

/// The same bytes with zeros in place of some.
fn with_hole(text: &str, start: usize, len: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes[start..start + len].fill(0);
    bytes
}

#[test]
fn a_hole_costs_only_the_rows_it_lies_in() {
    let text = rows(0..3000);
    let place = |number: usize| text.find(&row(number)).unwrap();
    for len in [512, 4096, 16_384, 65_536] {
        for start in [place(700), place(700) - 1, place(700) + 7, place(700) + row(700).len()] {
            let seen = read("a.jsonl", &with_hole(&text, start, len));
            let first = (0..3000).take_while(|n| place(*n) + row(*n).len() <= start).count();
            let last = (0..3000).find(|number| place(*number) >= start + len).unwrap();
            let expected: Vec<_> = (0..first).chain(last..3000).map(row).collect();
            let lines: Vec<_> = seen.iter().filter(|line| line.starts_with('{')).cloned().collect();
            assert_eq!(lines, expected, "{len} bytes at {start}");
            assert_eq!(seen.len() - lines.len(), 1, "{len} bytes at {start}");
            assert_eq!(seen[first], "Hole");
        }
    }
}

#[test]
fn rows_beside_a_hole_are_whole_if_they_are_json() {
    let hole = "\0".repeat(40_000);
    let with = |parts: &[&str]| numbers(&read("a.jsonl", parts.concat().as_bytes()));
    assert_eq!(with(&[&row(0), &hole, &row(1), "\n", &row(2)]), "0 Hole 1 2");
    assert_eq!(with(&[&row(0), "\n", &hole, "\n", &row(1)]), "0 Hole 1");
    assert_eq!(with(&[&row(0)[..9], &hole, &row(1)[9..], "\n", &row(2)]), "Hole 2");
    assert_eq!(with(&[&row(0), "\n", &hole, "x", &hole, &row(1)]), "0 Hole Hole 1");
    assert_eq!(with(&[&row(0), "\n", &hole, &hole, "}\n"]), "0 Hole");
    assert_eq!(with(&[&hole, &row(1), "\n", &row(2)]), "Hole 1 2");
    assert_eq!(with(&[&hole, "w\"}\n", &row(2)]), "Hole 2");
    // What begins as an object, and is none, is counted by whoever reads the line.
    assert_eq!(with(&[&row(0), "\n", &hole, "{\"a\"\n", &row(1)]), "0 Hole {\"a\" 1");
}

#[test]
fn zeros_at_the_end_of_a_file_are_padding_or_a_hole() {
    for (zeros, expected) in [(1, "0 1"), (511, "0 1"), (10_240, "0 1"), (16_384, "0 1 Hole")] {
        let zeros = "\0".repeat(zeros);
        for end in ["", "\n", "\r\n"] {
            let text = [&row(0), "\n", &row(1), end, &zeros].concat();
            assert_eq!(numbers(&read("a.jsonl", text.as_bytes())), expected, "{end:?}");
        }
        let text = table(0..2) + &zeros;
        assert_eq!(numbers(&read("a.csv", text.as_bytes())), expected);
    }
    // A row that was not written to its end is no row, and the zeros are no padding.
    let text = [&row(0), "\n", &row(1)[..9], &"\0".repeat(4096)].concat();
    assert_eq!(numbers(&read("a.jsonl", text.as_bytes())), "0 Hole");
}

#[test]
fn a_hole_in_a_table_costs_only_the_rows_it_lies_in() {
    let text = table(0..3000);
    let start_of = |number: usize| {
        let id = text.find(&format!("\",{number},\"more")).unwrap();
        text[..id].rfind("\"<p").unwrap()
    };
    let from = start_of(700);
    for len in [512, 20_000, 65_536] {
        // At the start of a row, within its quotes, between values, at its end; ending anywhere.
        for start in from..start_of(701) {
            let last = (700..3000).find(|number| start_of(*number) > start + len).unwrap();
            let seen = read_all(&with_hole(&text, start, len));
            let expected: Vec<_> = (0..700).chain(last..3000).map(|n| n.to_string()).collect();
            let found = numbers(&seen);
            let found: Vec<_> = found.split(' ').collect();
            let hole = found.iter().position(|word| *word == "Hole").unwrap();
            let lines: Vec<_> = found.iter().filter(|word| **word != "Hole").collect();
            assert!(hole == 700 || hole == 701, "{len} bytes at {start}: {found:?}");
            // A hole that ends with a row, as this one does at times, may cost the next one, since
            // nothing tells where it begins.
            let is_close = lines.len() == expected.len() || lines.len() + 1 == expected.len();
            assert!(is_close, "{len} bytes at {start}: {} of {}", lines.len(), expected.len());
            assert!(
                lines.iter().rev().zip(expected.iter().rev()).take(1000).all(|(a, b)| **a == b)
            );
        }
    }
}

/// As [`read`], of a table and as one stream only.
fn read_all(bytes: &[u8]) -> Vec<String> {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    let seen = support::drive::stream(file.path(), &Limits::default()).unwrap();
    seen.iter().map(word).collect()
}

#[test]
fn rows_after_a_hole_in_a_table_are_found() {
    let hole = "\0".repeat(30_000);
    let with = |parts: &[&str]| numbers(&read("a.csv", parts.concat().as_bytes()));
    let names = "html,id\n";
    // The hole begins with a row, so what comes after it may be one.
    assert_eq!(with(&[names, "a,0\n", &hole, "b,1\nc,2\n"]), "0 Hole 1 2");
    assert_eq!(with(&[names, "a,0\n", &hole, "b,1"]), "0 Hole 1");
    assert_eq!(with(&[names, "\"a", &hole, "x\",1\n\"c\",2\n"]), "Hole 2");
    assert_eq!(with(&[names, "\"a", &hole, "x,y\",1\n\"c\n\"\"\",2\n"]), "Hole 2");
    assert_eq!(with(&[names, "a", &hole, "x,1\n\"c\",2\n", &hole, ",3\nd,4\n"]), "Hole 2 Hole 4");
    let message = message("a.csv", [&names[..3], &hole, "d\na,1\n"].concat().as_bytes());
    assert!(message.contains("row with its column names is in a hole"), "{message}");
}

#[test]
fn holes_are_told_where_they_lie_and_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let limits = Limits { record_bytes: 1 << 20, ..Limits::default() };
    for (start, expected) in
        [(0, "a hole of 3145728 bytes"), (row(0).len() + 1, "a hole of 3145728")]
    {
        let mut file = fs::File::create(&path).unwrap();
        let write =
            |file: &mut fs::File, text: &str| std::io::Write::write_all(file, text.as_bytes());
        if start > 0 {
            write(&mut file, &(row(0) + "\n")).unwrap();
        }
        std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(start as u64 + (3 << 20))).unwrap();
        write(&mut file, &row(1)).unwrap();
        let seen = all_ways(&path, &limits).unwrap();
        assert_eq!(seen.last().map(word), Some(row(1)));
        let ShownEntry::Fault(fault) = &seen[usize::from(start > 0)] else { panic!("no hole") };
        assert_eq!(fault.reason, FaultReason::Hole);
        assert!(fault.detail.starts_with(expected), "{}", fault.detail);
        assert!(fault.detail.ends_with(&format!("(byte {start} of the text)")), "{}", fault.detail);
        assert_eq!(fault.position.member, Some((start as u64, 3 << 20)));
    }
}

#[test]
fn holes_are_found_across_members() {
    let rows = [row(0) + "\n", "\0".repeat(300), "\0".repeat(300), row(1)];
    for pack in [gzip, zstd, lz4] {
        let bytes: Vec<_> = rows.iter().flat_map(|part| pack(part.as_bytes())).collect();
        assert_eq!(numbers(&read("a.jsonl", &bytes)), "0 Hole 1");
        let piped = pipe(&bytes, &Limits::default()).unwrap();
        assert_eq!(numbers(&piped.iter().map(word).collect::<Vec<_>>()), "0 Hole 1");
    }
}

#[test]
fn nuls_at_the_ends_of_a_line_are_no_part_of_it() {
    let text = [&row(0), "\0\n\0\0", &row(1), "\r\0\n\0\n \0 \n", &row(2)].concat();
    assert_eq!(numbers(&read("a.jsonl", text.as_bytes())), "0 1 2");
    // Within it they are characters, which JSON does not allow.
    assert_eq!(read("a.jsonl", b"{\"a\":\"\0\"}\n"), ["{\"a\":\"\0\"}"]);
    // In a table as well, and a table allows them.
    let text = "id,html\n0,\"a\0b\"\n1,\0\n2,c\n";
    let expected = [
        r#"{"id":"0","html":"a\u0000b"}"#,
        r#"{"id":"1","html":"\u0000"}"#,
        r#"{"id":"2","html":"c"}"#,
    ];
    assert_eq!(read("a.csv", text.as_bytes()), expected);
}

#[test]
fn byte_order_marks_before_a_line_are_no_part_of_it() {
    let text = format!("\u{feff}{}\n\u{feff}\u{feff}{}\n\u{feff}\n{}", row(0), row(1), row(2));
    assert_eq!(numbers(&read("a.jsonl", text.as_bytes())), "0 1 2");
    let parts = [format!("\u{feff}{}\n", row(0)), format!("\u{feff}{}\n", row(1))];
    let members: Vec<_> = parts.iter().flat_map(|part| gzip(part.as_bytes())).collect();
    assert_eq!(numbers(&read("a.jsonl.gz", &members)), "0 1");
    let table = "\u{feff}\"id\",html\n\u{feff}\"1\",a\n";
    assert_eq!(read("a.csv", table.as_bytes()), [r#"{"id":"1","html":"a"}"#]);
    let members: Vec<_> = ["\u{feff}\"id\",b\n1,2\n", "\u{feff}\"3\",4\n"]
        .iter()
        .flat_map(|it| gzip(it.as_bytes()))
        .collect();
    assert_eq!(read("a.csv.gz", &members), [r#"{"id":"1","b":"2"}"#, r#"{"id":"3","b":"4"}"#]);
}

#[test]
fn text_in_utf16_is_refused_with_its_remedy() {
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    let first = row(0);
    for text in
        [first.as_str(), "\u{feff}{\"id\":1}", "id,html\r\n1,a\r\n", "\u{feff}id\thtml\r\n", "[{}]"]
    {
        for bytes in [little(text), big(text)] {
            for (name, bytes) in [("a.jsonl", bytes.clone()), ("a.csv", bytes.clone())] {
                let message = message(name, &bytes);
                assert!(
                    message.contains("text in UTF-16") && message.contains("iconv"),
                    "{message}"
                );
            }
            assert!(message("a.tsv.gz", &gzip(&bytes)).contains("iconv"));
        }
    }
}

#[test]
fn arrays_are_refused_with_their_remedy_and_a_line_that_is_one_is_not() {
    let (first, second) = (row(0), row(1));
    for text in [
        format!("[{first},{second}]"),
        format!("[{first},{second}]\n"),
        format!("[\n{first},\n{second}\n]\n"),
        format!("\u{feff}\r\n [\n  {first}\n]\n"),
        format!("[{first},\n{second}]\n"),
        format!("[{first}]\n[{second}]\n"),
        "[".to_owned(),
    ] {
        for name in ["a.jsonl", "a.json", "a"] {
            let message = message(name, text.as_bytes());
            assert!(message.contains("JSON array") && message.contains("jq -c '.[]'"), "{message}");
        }
        let packed = message("a.json.gz", &gzip(text.as_bytes()));
        assert!(packed.contains("JSON array"), "{packed}");
    }
    let text = format!("[\"id\",\"text\"]\n{first}\n[1]\n{second}\n");
    let expected = ["[\"id\",\"text\"]".to_owned(), first, "[1]".to_owned(), second];
    assert_eq!(read("a.jsonl", text.as_bytes()), expected);
}

#[test]
fn json_over_several_lines_is_refused_with_its_remedy() {
    for text in [
        "{\n  \"id\": 1,\n  \"text\": \"a\"\n}\n",
        "{\"id\": 1,\r\n\"text\": \"a\"}\r\n{\"id\": 2,\r\n\"text\": \"b\"}\r\n",
        "{ \"id\": 1\n, \"text\": \"a\" }",
        "{\"rows\": [\n{\"id\": 1},\n{\"id\": 2}\n]}\n",
        "\u{feff}{\n}",
    ] {
        for name in ["a.jsonl", "a.json"] {
            let message = message(name, text.as_bytes());
            assert!(message.contains("jq -c ."), "{message}");
        }
    }
    // Lines of which the first is not whole.
    for first in ["{\"id\":0,", "{\"id\":0,\"text\":\"a", "{\"id\":0,\"text\":\"a\nb\"}"] {
        let text = format!("{first}\n{}\n{}\n", row(1), row(2));
        assert_eq!(read("a.jsonl", text.as_bytes()).last(), Some(&row(2)), "{first}");
    }
    assert_eq!(read("a.jsonl", b"{\"id\":0,"), ["{\"id\":0,"]);
    let long = format!("{{\"text\":\"{}\"}}\n{}", "a".repeat(3 << 20), row(1));
    assert_eq!(read("a.jsonl", long.as_bytes()).len(), 2);
}

#[test]
fn rows_of_a_table_may_end_with_carriage_returns() {
    let expected = [r#"{"id":"1","html":"a\rb"}"#, r#"{"id":"2","html":"c"}"#];
    for text in [
        "id,html\r1,\"a\rb\"\r2,c\r",
        "id,html\r1,\"a\rb\"\r2,c",
        "id,html\r\n1,\"a\rb\"\r\n2,c\r\n",
        "id,html\n1,\"a\rb\"\n2,c\n",
        "id,html\n1,\"a\rb\"\r2,c\r",
        "id,html\r1,\"a\rb\"\n2,c\r\n",
        "id,html\r\r\n1,\"a\rb\"\r\r\n2,c\r\r\n",
        "id,html\r\n1,\"a\rb\"\r2,c\n",
        "\rid,html\r\r1,\"a\rb\"\r\r2,c\r\r",
    ] {
        assert_eq!(read("a.csv", text.as_bytes()), expected, "{text:?}");
        assert_eq!(read("a.tsv", text.replace(',', "\t").as_bytes()), expected, "{text:?}");
    }
    // Where it does not end a row, it is a character.
    let text = "id,html\n1,a\rb\n2,c\rd,e,g\n3,f\n";
    let expected = [r#"{"id":"1","html":"a\rb"}"#, "BadRow", r#"{"id":"3","html":"f"}"#];
    assert_eq!(read("a.csv", text.as_bytes()), expected);
    assert_eq!(read("a.csv", b"html\na\rb\n"), [r#"{"html":"a\rb"}"#]);
}

#[test]
fn rows_with_carriage_returns_do_not_depend_on_where_reads_end() {
    let rows: Vec<_> = (0..200_000).map(|n| format!("{n},\"<p>\r\n{n}\"\r")).collect();
    let seen = read_all(format!("id,html\n{}", rows.concat()).as_bytes());
    assert_eq!(seen.len(), 200_000);
    assert_eq!(seen[199_999], r#"{"id":"199999","html":"<p>\r\n199999"}"#);
}

#[test]
fn quotes_that_are_escaped_with_backslashes_are_refused() {
    for text in [
        "id,html\n0,\"<p class=\\\"a\\\">b</p>\"\n",
        "id,html\n0,b\n1,\"a \\\"b\\\"\"\n",
        "id;html\n0;\"a \\\"b\\\"; c\"\n",
        "id,html\r\n0,\"\"\r\n1,\"a\n\\\"b,c\\\" d\"\r\n",
    ] {
        let told = message("a.csv", text.as_bytes());
        assert!(told.contains("backslashes") && told.contains("`escape`"), "{told}");
        assert!(message("a.csv.gz", &gzip(text.as_bytes())).contains("backslashes"));
    }
    // Backslashes that escape nothing.
    for text in ["id,html\n0,\"C:\\\"\n", "id,html\n0,\"C:\\\"\"a\"\n", "id,html\n0,5\\\" of\n"] {
        assert_eq!(read("a.csv", text.as_bytes()).len(), 1, "{text}");
        assert!(read("a.csv", text.as_bytes())[0].starts_with('{'), "{text}");
    }
}

#[test]
fn a_window_over_the_limit_names_its_option() {
    let limits = Limits { zstd_window_log: 17, ..Limits::default() };
    let frame = |text: &str| {
        let mut encoder = zstd_safe::CCtx::create();
        encoder.set_parameter(zstd_safe::CParameter::WindowLog(20)).unwrap();
        encoder.set_parameter(zstd_safe::CParameter::ContentSizeFlag(false)).unwrap();
        let mut out = Vec::with_capacity(text.len() + 1000);
        encoder.compress2(&mut out, text.as_bytes()).unwrap();
        out
    };
    let text = rows(0..30_000);
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.jsonl.zst", "a.csv.zst"] {
        let path = folder.path().join(name);
        for bytes in [frame(&text), frame(&text).repeat(3)] {
            fs::write(&path, bytes).unwrap();
            let message = Input::open(&path, &limits).err().unwrap().to_string();
            assert!(message.contains("--max-zstd-window"), "{message}");
        }
    }
    // Frames before it are read.
    fs::write(path_of(folder.path()), [zstd(row(0).as_bytes()), frame(&text)].concat()).unwrap();
    let seen = all_ways(&path_of(folder.path()), &limits).unwrap();
    assert_eq!(seen.last().map(word), Some("WindowTooLarge".to_owned()));
}

fn path_of(folder: &Path) -> std::path::PathBuf {
    folder.join("b.jsonl.zst")
}

#[test]
fn a_member_that_begins_as_a_record_is_text_of_its_table() {
    let record = b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let bytes = [gzip(b"id,html\n1,a\n"), gzip(record), gzip(b"2,b\n")].concat();
    let expected = [r#"{"id":"1","html":"a"}"#, "BadRow", "BadRow", r#"{"id":"2","html":"b"}"#];
    assert_eq!(read("a.csv.gz", &bytes), expected);
}

#[test]
fn files_are_known_by_what_they_hold() {
    let text = rows(0..2);
    for name in ["part-00000.json.gz", "data.json", "data.txt.gz", "data", "data.warc.gz"] {
        assert_eq!(numbers(&read(name, text.as_bytes())), "0 1", "{name}");
        assert_eq!(numbers(&read(name, &gzip(text.as_bytes()))), "0 1", "{name}");
        assert_eq!(numbers(&read(name, &zstd(text.as_bytes()))), "0 1", "{name}");
    }
}
