//! `huller report`.

use crate::support::{Huller, sample, temp};
use std::fs;

#[test]
fn a_run_becomes_one_file_with_its_counts_its_rows_and_places_of_what_gave_no_row() {
    let folder = temp();
    let [out, rejects, html] =
        ["out", "rejects.jsonl.gz", "r.html"].map(|name| folder.path().join(name));
    let extract =
        Huller::new().arg("extract").arg(sample()).args(["-q", "--preset", "fineweb", "-o"]);
    extract.arg(&out).arg("--rejects").arg(&rejects).run().exits(0);
    let report = Huller::new().arg("report").arg(&out).arg("--rejects").arg(&rejects).arg("-o");
    report.arg(&html).run().exits(0);
    let page = fs::read_to_string(&html).unwrap();
    for shown in [
        "<b>96</b>",
        "<b>29</b>",
        "gopher-repetition",
        "language:other",
        "sample.warc.gz 5",
        "Source of the charset",
    ] {
        assert!(page.contains(shown), "{shown} is missing");
    }
    assert!(!page.contains("<script") && page.contains("default-src 'none'"));
    // The place leads back to the record.
    let place =
        page.find("huller get sample.warc.gz ").unwrap() + "huller get sample.warc.gz ".len();
    let offset: String = page[place..].chars().take_while(char::is_ascii_digit).collect();
    let record = Huller::new().arg("get").arg(sample()).arg(&offset).run().exits(0);
    assert!(record.stdout.starts_with(b"WARC/1."));
    // Without the outputs the accounts are shown all the same.
    let account = out.join("_huller/run.account");
    let alone = Huller::new().arg("report").arg(&account).args(["-o", "-"]).run().exits(0);
    assert!(alone.text().contains("<b>96</b>") && !alone.text().contains("Source of the charset"));
}

#[test]
fn rows_in_parquet_are_counted_as_lines_are() {
    let folder = temp();
    let mut pages = Vec::new();
    for format in ["jsonl", "parquet"] {
        let out = folder.path().join(format);
        let extract =
            Huller::new().arg("extract").arg(sample()).args(["-q", "--format", format, "-o"]);
        extract.arg(&out).run().exits(0);
        let report = Huller::new().arg("report").arg(&out).args(["-o", "-"]).run().exits(0);
        let text = report.text().to_owned();
        let rows = text
            [text.find("id=\"rows\">Rows").unwrap()..text.find("id=\"time\">Time").unwrap()]
            .to_owned();
        pages.push(rows);
    }
    assert_eq!(pages[0], pages[1]);
    assert!(pages[0].contains("41 rows"), "{}", pages[0]);
}

#[test]
fn an_earlier_run_is_compared_and_what_is_no_run_or_no_list_is_refused() {
    let folder = temp();
    let [out, strict, html] = ["out", "strict", "r.html"].map(|name| folder.path().join(name));
    for (to, more) in [(&out, &[][..]), (&strict, &["--min-chars", "2000"])] {
        Huller::new()
            .arg("extract")
            .arg(sample())
            .args(more)
            .args(["-q", "-o"])
            .arg(to)
            .run()
            .exits(0);
    }
    let report = Huller::new().arg("report").arg(&strict).arg("--against").arg(&out).arg("-o");
    report.arg(&html).run().exits(0);
    let page = fs::read_to_string(&html).unwrap();
    let changed = &page[page.find("Changes").unwrap()..];
    assert!(changed.contains("too_short"), "{changed}");
    let nothing = folder.path().join("nothing");
    fs::create_dir(&nothing).unwrap();
    let refused = Huller::new().arg("report").arg(&nothing).arg("-o").arg(&html).run();
    assert_ne!(refused.code, Some(0));
    let refused = Huller::new()
        .arg("report")
        .arg(&out)
        .arg("--rejects")
        .arg(sample())
        .args(["-o", "-"])
        .run();
    assert_ne!(refused.code, Some(0));
    // An output that cannot be read is told, and the rest is shown.
    let output = out.join("sample.jsonl.zst");
    fs::write(&output, "no zstd").unwrap();
    let told = Huller::new().arg("report").arg(&out).args(["-o", "-"]).run();
    assert!(told.text().contains("<b>96</b>"));
}
