//! `huller explain`: the outline on standard output, and the file to look at.

use crate::support::{Huller, sample, string, temp};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn ferry() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/pages/01-news-ferry.html")
}

/// The data in a file that `explain` wrote.
fn data(html: &str) -> Value {
    let start = html.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let length = html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..start + length]).unwrap()
}

#[test]
fn the_outline_marks_what_is_kept_and_keeps_within_the_width() {
    for (columns, width) in [("80", 80), ("40", 40)] {
        let ran = Huller::new().arg("explain").arg(ferry()).env("COLUMNS", columns).run().exits(0);
        let lines: Vec<_> = ran.text().lines().collect();
        assert!(lines[0].starts_with("Chain ferry returns"), "{}", lines[0]);
        assert!(lines[1].starts_with("hull: score 0.9"), "{}", lines[1]);
        let line = |words: &str| lines.iter().find(|line| line.contains(words)).copied();
        assert!(line("Forty-one").unwrap().starts_with('+'));
        assert!(line("Skip to co").unwrap().starts_with(' '));
        for line in &lines[..lines.len() - 1] {
            assert!(line.chars().count() <= width, "{line}");
        }
        assert!(!ran.text().contains('\u{1b}'), "a pipe gets no colours");
    }
}

#[test]
fn the_file_holds_the_row_that_extract_writes_with_all_methods() {
    let folder = temp();
    let output = folder.path().join("ferry.html");
    let (page, url) = (ferry(), "https://a.example/ferry");
    let explain = Huller::new().arg("explain").arg(&page).args(["--url", url]).arg("-o");
    explain.arg(&output).run().exits(0);
    let html = fs::read_to_string(&output).unwrap();
    let data = data(&html);
    assert_eq!(data["row"]["url"], url);
    assert_eq!(data["gold"], serde_json::json!([]));
    let extracted = Huller::new().arg("extract").arg(&page);
    let extracted = extracted.args(["-o", "-", "--extractors", "all", "--blocks"]).run().exits(0);
    let row = &extracted.rows()[0];
    for field in ["text", "texts", "score", "title"] {
        assert_eq!(data["row"][field], row[field], "{field}");
    }
    // The list of blocks is that of the row, with the terms of scores besides.
    let mut blocks = data["row"]["blocks"].clone();
    let (mut with_terms, mut equations) = (0, 0);
    for block in blocks.as_array_mut().unwrap() {
        for (_, method) in block["methods"].as_object_mut().unwrap() {
            let method = method.as_object_mut().unwrap();
            let terms = method.remove("terms");
            assert!(terms.is_none() || !method["score"].is_null(), "{method:?}");
            with_terms += usize::from(terms.is_some());
            equations += usize::from(method.remove("derivation").is_some());
        }
    }
    assert_eq!(blocks, row["blocks"]);
    assert!(with_terms > 100 && equations > 8, "{with_terms} terms of {equations} methods");
    assert!(string(&data["row"], "markdown").contains("Forty-one cars"));
    let policy = html.lines().find(|line| line.contains("Content-Security-Policy")).unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for loading in [" src=", "@import", "url(", "fetch(", "innerHTML"] {
        let own = html.replace(
            &html[html.find("id=\"data\">").unwrap()..html.rfind("<script>").unwrap()],
            "",
        );
        assert!(!own.contains(loading), "{loading}");
    }
}

#[test]
fn what_a_gold_text_has_and_the_text_has_not_is_marked() {
    let folder = temp();
    let (page, gold, output) = (
        folder.path().join("p.html"),
        folder.path().join("gold.txt"),
        folder.path().join("e.html"),
    );
    fs::write(&page, "<p>Rain fell all day, and the ferry stayed in the harbour.</p>").unwrap();
    fs::write(&gold, "Rain fell all day and night, and the ferry stayed in the harbour.").unwrap();
    let explain = Huller::new().args(["explain", "--extractors", "pvalue", "--gold"]).arg(&gold);
    explain.arg(&page).arg("-o").arg(&output).run().exits(0);
    let data = data(&fs::read_to_string(&output).unwrap());
    let missing: Vec<_> =
        data["gold"].as_array().unwrap().iter().filter(|p| p["kind"] == "missing").collect();
    assert!(!missing.is_empty() && string(missing[0], "text").contains("night"), "{missing:?}");
}

#[test]
fn nothing_that_a_page_says_is_markup_or_obeyed_by_a_terminal() {
    let folder = temp();
    let (page, output) = (folder.path().join("p.html"), folder.path().join("e.html"));
    let hostile = "<title>&lt;/title>&lt;script>alert(1)&lt;/script></title>\
        <p>&lt;/script>&lt;script>alert(2)&lt;/script>&lt;!-- \u{9b}31m &#x1b;]0;x and words enough to be kept.</p>";
    fs::write(&page, hostile).unwrap();
    let explain = Huller::new().args(["explain", "--extractors", "body"]).arg(&page);
    explain.arg("-o").arg(&output).run().exits(0);
    let html = fs::read_to_string(&output).unwrap();
    assert_eq!(html.matches("<script").count(), 2, "{html}");
    assert!(string(&data(&html)["row"], "text").contains("<script>alert(2)</script>"));
    let outline = Huller::new().args(["explain", "--extractors", "body"]).arg(&page).run().exits(0);
    assert!(!outline.text().contains(['\u{1b}', '\u{9b}']), "{}", outline.text());
}

#[test]
fn wrong_words_and_files_are_told() {
    let folder = temp();
    let explain =
        |args: &[&str]| Huller::new().arg("explain").args(args).current_dir(folder.path()).run();
    explain(&["no.html"]).exits(1).says("cannot read 'no.html'");
    fs::write(folder.path().join("p.html"), "<p>a").unwrap();
    explain(&["p.html", "--extractors", "pvalu"]).exits(2).says("no such extractor as 'pvalu'");
    explain(&["p.html", "--gold", "no.txt"]).exits(1).says("cannot read 'no.txt'");
    explain(&["p.html", "-o", "no/e.html"]).exits(5).says("no/e.html");
}

#[test]
fn a_record_is_found_by_its_offset_its_address_and_its_id() {
    let rows =
        Huller::new().arg("extract").arg(sample()).args(["-q", "-o", "-"]).run().exits(0).rows();
    let row = &rows[3];
    let (url, id) = (string(row, "url"), string(row, "id"));
    let offset = row["warc_record_offset"].to_string();
    for wanted in [&*offset, url, id, &format!("<urn:uuid:{id}>")] {
        let explain =
            Huller::new().arg("explain").arg(sample()).args(["--record", wanted, "-o", "-"]);
        let ran = explain.run().exits(0);
        let data = data(ran.text());
        assert_eq!(data["row"]["text"], row["text"], "{wanted}");
        assert_eq!(data["row"]["url"], row["url"]);
        assert!(string(&data, "source").ends_with(&format!("byte {offset}")), "{wanted}");
    }
    let explain =
        Huller::new().arg("explain").arg(sample()).args(["--record", "http://none.test/"]);
    explain.run().exits(1).says("huller records");
}
