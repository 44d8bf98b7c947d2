//! The main job on the bundled sample.

use crate::support::{
    Huller, assert_balanced, json_lines, keys, plain, repository, rows, sample, stats, string, temp,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::Path;

const FIELDS: [&str; 29] = [
    "id",
    "url",
    "date",
    "title",
    "text",
    "language",
    "language_script",
    "language_score",
    "author",
    "published",
    "site_name",
    "description",
    "extractor",
    "score",
    "page_type",
    "has_article",
    "comments",
    "charset",
    "charset_source",
    "replaced",
    "content_type",
    "status",
    "digest",
    "file_path",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
    "stream_offset",
    "truncated",
];

fn gold() -> Vec<Value> {
    json_lines(&std::fs::read(repository().join("data/gold.jsonl")).unwrap())
}

fn extract(output: &Path, more: &[&str]) -> Vec<Value> {
    Huller::extract(sample(), output).args(more).run().exits(0);
    rows(output.join("sample.jsonl.zst"))
}

#[test]
fn every_page_of_the_sample_becomes_a_row() {
    let output = temp();
    let rows = extract(output.path(), &[]);
    let ids: Vec<_> = rows.iter().map(|row| format!("<urn:uuid:{}>", string(row, "id"))).collect();
    let expected: Vec<_> =
        gold().iter().map(|page| string(page, "warc_record_id").to_owned()).collect();
    assert_eq!(ids.len(), 41);
    assert_eq!(ids, expected);
}

#[test]
fn every_row_has_all_fields_in_the_order_of_the_contract() {
    let output = temp();
    extract(output.path(), &[]);
    let text = String::from_utf8(plain(&output.path().join("sample.jsonl.zst"))).unwrap();
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        assert_eq!(keys(line), FIELDS);
    }
}

#[test]
fn fields_are_what_the_records_say() {
    let output = temp();
    let rows = extract(output.path(), &[]);
    let archive = std::fs::read(sample()).unwrap();
    for (row, gold) in rows.iter().zip(gold()) {
        assert_eq!(string(row, "url"), string(&gold, "url"));
        assert_eq!(row["status"], 200);
        assert_eq!(row["extractor"], "hull");
        assert_eq!(row["warc_filename"], "sample.warc.gz");
        assert_eq!(row["file_path"], "sample.warc.gz");
        assert_eq!((&row["truncated"], &row["replaced"]), (&Value::Null, &Value::from(0)));
        assert!(string(row, "date").ends_with('Z'));
        let digest = string(row, "digest").strip_prefix("sha1:").unwrap();
        assert_eq!(digest.len(), 32);
        // A row leads back to its bytes.
        let [offset, length] =
            ["warc_record_offset", "warc_record_length"].map(|f| row[f].as_u64().unwrap() as usize);
        let mut record = String::new();
        let member = &archive[offset..offset + length];
        std::io::Read::read_to_string(
            &mut flate2::read::GzDecoder::new(member).take_head(),
            &mut record,
        )
        .unwrap();
        assert!(record.contains(string(row, "id")), "{record}");
        let text = string(row, "text");
        let control = |c: char| c.is_control() && c != '\n' && c != '\t';
        // Empty lines stand in code and between stanzas, two in a row at most.
        assert!(!text.contains(control) && !text.contains("\n\n\n\n"), "{text:?}");
    }
}

/// The first bytes of a stream, which are ASCII here.
trait Head: std::io::Read + Sized {
    fn take_head(self) -> std::io::Take<Self> {
        self.take(300)
    }
}

impl<R: std::io::Read> Head for R {}

#[test]
fn charsets_are_found_by_the_order_of_the_standard() {
    let output = temp();
    let rows = extract(output.path(), &[]);
    let found: HashMap<_, _> = rows
        .iter()
        .map(|row| (string(row, "url"), (string(row, "charset"), string(row, "charset_source"))))
        .collect();
    let of = |url| found[url];
    assert_eq!(of("http://news.linjiang.test/26/0108/09/A1B2C3.html"), ("gb18030", "meta"));
    assert_eq!(
        of("http://www.hamazaki-nippo.example.com/news/2026/01/10.html"),
        ("shift_jis", "http")
    );
    assert_eq!(of("http://www.tishansky-vestnik.test/news/3311.html"), ("windows-1251", "http"));
    assert_eq!(
        of("http://www.heimatverein-oberkuehnau.example.org/bruecke.htm"),
        ("windows-1252", "detected")
    );
}

#[test]
fn rows_hold_what_the_pages_say_of_themselves() {
    let output = temp();
    let rows = extract(output.path(), &[]);
    let found: HashMap<_, _> = rows.iter().map(|row| (string(row, "url"), row)).collect();
    let row = |start: &str| found.iter().find(|(url, _)| url.contains(start)).unwrap().1;
    let ferry = row("marrowbaycourier.example.com/harbour/");
    assert_eq!(ferry["title"], "Chain ferry returns after eleven months in dry dock");
    assert_eq!(ferry["published"], "2026-01-12T07:40:00Z");
    let chinese = row("news.linjiang.test");
    assert_eq!(chinese["title"], "修伞匠的最后一个徒弟");
    let of_all = |field: &str| rows.iter().filter(|row| row[field].is_string()).count();
    for (field, least) in
        [("title", 38), ("author", 10), ("published", 20), ("site_name", 5), ("description", 5)]
    {
        assert!(of_all(field) >= least, "{field}: {}", of_all(field));
        assert!(rows.iter().all(|row| row[field] != ""), "{field} is null where there is none");
    }
}

/// The words of a text; where a script has no blanks, its characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![String::new()];
    for c in text.chars() {
        let last = tokens.last_mut().unwrap();
        if c >= '\u{e00}' && c.is_alphanumeric() {
            last.push(c);
            tokens.push(String::new());
        } else if c.is_alphanumeric() {
            last.push(c);
        } else if !last.is_empty() {
            tokens.push(String::new());
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// The share of the words of `gold` that occur in `text`; a repeated word counts as often as `text`
/// repeats it.
fn recall(gold: &str, text: &str) -> f64 {
    let mut there: HashMap<String, usize> = HashMap::new();
    for token in tokens(text) {
        *there.entry(token).or_default() += 1;
    }
    let wanted = tokens(gold);
    let all = wanted.len();
    let found = wanted.into_iter().filter(|token| match there.get_mut(token) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    found.count() as f64 / all as f64
}

#[test]
fn the_text_of_the_whole_body_holds_the_gold() {
    let output = temp();
    let rows = extract(output.path(), &["--extractor", "body"]);
    let mut recalls = Vec::new();
    for (row, gold) in rows.iter().zip(gold()).filter(|(_, gold)| gold["has_article"] == true) {
        let recall = recall(string(&gold, "text"), string(row, "text"));
        assert!(recall >= 0.9, "{} {recall}", gold["id"]);
        recalls.push(recall);
    }
    let mean = recalls.iter().sum::<f64>() / recalls.len() as f64;
    assert!(recalls.len() > 30 && mean >= 0.98, "{} pages, mean recall {mean}", recalls.len());
}

#[test]
fn statistics_add_up_and_name_every_reason() {
    let output = temp();
    extract(output.path(), &[]);
    let stats = stats(output.path());
    assert_eq!(stats["version"], 2);
    assert_eq!(stats["inputs"][0]["input"], "sample.warc.gz");
    assert_eq!(stats["inputs"][0]["bytes"], std::fs::metadata(sample()).unwrap().len());
    let total = &stats["total"];
    assert_balanced(total);
    assert_balanced(&stats["inputs"][0]);
    assert_eq!((&total["records"], &total["written"]), (&Value::from(96), &Value::from(41)));
    let skipped = serde_json::json!({
        "warcinfo": 1, "request": 46, "metadata": 1, "revisit": 1, "status": 2, "not_html": 4,
    });
    assert_eq!(total["skipped"], skipped);
    assert_eq!(total["failed"], serde_json::json!({}));
    let csv = std::fs::read_to_string(output.path().join("_huller/run.account.csv")).unwrap();
    let lines: Vec<Vec<_>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][..6], ["input", "bytes", "records", "written", "skipped", "failed"]);
    assert_eq!((lines[1][0], lines[2][0]), ("sample.warc.gz", "total"));
    assert_eq!(lines[1][2..6], ["96", "41", "55", "0"]);
    assert_eq!(lines[1][1..], lines[2][1..]);
    let column = |name| lines[0].iter().position(|column| *column == name).unwrap();
    assert_eq!(lines[1][column("request")], "46");
}

#[test]
fn the_journal_has_the_digest_of_every_output() {
    let output = temp();
    extract(output.path(), &[]);
    let journal = json_lines(&std::fs::read(output.path().join("_huller/run.journal")).unwrap());
    assert_eq!(journal.len(), 1);
    let entry = &journal[0];
    assert_eq!(entry["input"], "sample.warc.gz");
    assert_eq!(entry["output"], "sample.jsonl.zst");
    let bytes = std::fs::read(output.path().join(string(entry, "output"))).unwrap();
    assert_eq!(entry["output_bytes"], bytes.len());
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes));
    assert_eq!(string(entry, "digest"), format!("sha256:{digest}"));
    assert_balanced(&entry["account"]);
}

#[test]
fn a_finished_run_leaves_these_files_and_no_others() {
    let output = temp();
    extract(output.path(), &[]);
    let names = |folder: &Path| -> HashSet<String> {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<HashSet<_>>();
    assert_eq!(names(output.path()), set(&["_SUCCESS", "_huller", "sample.jsonl.zst"]));
    let files =
        ["run.journal", "lock", "run.config", "run.account.csv", "run.account", "run.timing"];
    assert_eq!(names(&output.path().join("_huller")), set(&files));
    let timing = json_lines(&std::fs::read(output.path().join("_huller/run.timing")).unwrap());
    let (slow, times): (Vec<_>, Vec<_>) =
        timing.iter().partition(|line| line["slow_page"].is_object());
    assert!(times.iter().all(|line| line["seconds"].is_number()));
    assert_eq!(slow.len(), 20);
    for page in slow.iter().map(|line| &line["slow_page"]) {
        assert!(page["seconds"].as_f64().unwrap() > 0.0 && page["input"] == "sample.warc.gz");
        assert!(page["url"].as_str().unwrap().starts_with("http") && page["offset"].is_u64());
    }
}

#[test]
fn standard_output_gets_the_same_rows_as_a_file() {
    let output = temp();
    extract(output.path(), &[]);
    let ran = Huller::extract(sample(), "-").run().exits(0);
    assert_eq!(ran.stdout, plain(&output.path().join("sample.jsonl.zst")));
    assert!(ran.stderr.contains("written"), "the account is on standard error: {}", ran.stderr);
}
