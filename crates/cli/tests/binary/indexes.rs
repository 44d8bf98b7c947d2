//! Reading the records alone that an index names.

use crate::support::{Huller, assert_balanced, json_lines, rows, sample, stats, string, temp};
use huller_testkit::pack::gzip;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What `huller records` lists of a file that have a URL and a place of their own.
fn listed(archive: &Path) -> Vec<Value> {
    let ran = Huller::new().args(["records", "--json"]).arg(archive).run().exits(0);
    let all = json_lines(&ran.stdout);
    all.into_iter().filter(|it| it["uri"].is_string() && it["offset"].is_u64()).collect()
}

fn cdxj(records: &[Value], file: &str) -> String {
    let line = |record: &Value| {
        let entry = serde_json::json!({
            "url": record["uri"], "mime": record["content_type"], "filename": file,
            "status": record["status"].as_u64().map(|status| status.to_string()),
            "offset": record["offset"].to_string(), "length": record["length"].to_string(),
        });
        format!("key)/ 20200101000000 {entry}\n")
    };
    records.iter().map(line).collect()
}

fn cdx(records: &[Value], file: &str, with_length: bool) -> String {
    let heading =
        if with_length { " CDX N b a m s k r M S V g\n" } else { " CDX N b a m s k r V g\n" };
    let line = |record: &Value| {
        let (url, offset) = (string(record, "uri"), &record["offset"]);
        let length = if with_length { format!("- {} ", record["length"]) } else { String::new() };
        format!("key)/ 20200101000000 {url} text/html 200 AAAA - {length}{offset} {file}\n")
    };
    heading.to_owned() + &records.iter().map(line).collect::<String>()
}

/// The rows of a whole run whose records are among these.
fn expected(archive: &Path, records: &[Value]) -> Vec<Value> {
    let work = temp();
    Huller::extract(archive, work.path().join("o")).run().exits(0);
    let all = rows(&work.path().join("o/sample.jsonl.zst"));
    let is_listed =
        |row: &Value| records.iter().any(|record| record["offset"] == row["warc_record_offset"]);
    all.into_iter().filter(is_listed).collect()
}

#[test]
fn rows_of_an_index_are_those_of_the_whole_run_for_these_records() {
    let work = temp();
    let archive = work.path().join("sample.warc.gz");
    fs::copy(sample(), &archive).unwrap();
    let records = listed(&archive);
    let some: Vec<Value> = records.iter().rev().step_by(3).cloned().collect();
    let whole = expected(&archive, &some);
    assert!(whole.len() > 8, "{} rows", whole.len());
    let forms = [
        ("a.cdxj", cdxj(&some, "sample.warc.gz").into_bytes()),
        ("b.cdxj.gz", gzip(cdxj(&some, "crawl-data/x/sample.warc.gz").as_bytes())),
        ("c.cdx", cdx(&some, "sample.warc.gz", true).into_bytes()),
        ("d.cdx", cdx(&some, "sample.warc.gz", false).into_bytes()),
    ];
    for (name, bytes) in forms {
        let index = work.path().join(name);
        fs::write(&index, bytes).unwrap();
        let outputs = ["1", "2"].map(|workers| {
            let output = work.path().join(format!("{name}-{workers}"));
            let run = Huller::new().args(["extract", "--index"]).arg(&index).arg("-o").arg(&output);
            run.args(["-j", workers]).run().exits(0);
            let total = stats(&output)["total"].clone();
            assert_balanced(&total);
            assert_eq!(total["records"], some.len(), "{name}: {total}");
            output.join("sample.jsonl.zst")
        });
        assert_eq!(rows(&outputs[0]), whole, "{name}");
        let [one, two] = outputs.map(|output| fs::read(output).unwrap());
        assert!(one == two, "{name}: one worker and two give other bytes");
    }
}

#[test]
fn records_that_are_not_where_the_index_says_fail_and_the_others_are_read() {
    let work = temp();
    let records = listed(sample());
    let mut wrong = records[..6].to_vec();
    wrong[1]["uri"] = "http://other.example/".into();
    wrong[2]["offset"] = (wrong[2]["offset"].as_u64().unwrap() + 1).into();
    wrong[3]["offset"] = u64::MAX.into();
    let index = work.path().join("a.cdxj");
    fs::write(&index, cdxj(&wrong, "sample.warc.gz")).unwrap();
    let folder = sample().parent().unwrap().to_owned();
    let run = |output: &Path| {
        let run = Huller::new().args(["extract", "--index"]).arg(&index).arg("--archives");
        run.arg(&folder).arg("-o").arg(output)
    };
    let output = work.path().join("o");
    run(&output).run().exits(0);
    let total = stats(&output)["total"].clone();
    assert_balanced(&total);
    assert_eq!(total["records"], 6);
    assert_eq!(total["failed"]["not_where_indexed"], 3, "{total}");
    run(&work.path().join("strict")).arg("--strict").run().exits(1);

    // A resumed run with another selection would mix two.
    let other = run(&output).args(["--resume", "--index-url", "*other.example*"]).run();
    assert_ne!(other.code, Some(0));
    assert!(other.stderr.contains("index"), "{}", other.stderr);

    fs::write(&index, cdxj(&records[..2], "gone.warc.gz")).unwrap();
    let gone = run(&work.path().join("gone")).run().exits(1);
    assert!(gone.stderr.contains("the index names 2 records of it"), "{}", gone.stderr);
}
