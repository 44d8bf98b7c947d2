//! `huller explain`: the outline on standard output, and the file to look at.

use crate::support::{Huller, sample, string, temp};
use huller_testkit::pack::gzip;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn ferry() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/pages/01-news-ferry.html")
}

/// A part of the data in a file that `explain` wrote.
fn part(html: &str, id: &str) -> Option<Value> {
    let begin = format!("id=\"{id}\">");
    let start = html.find(&begin)? + begin.len();
    let length = html[start..].find("</script>").unwrap();
    Some(serde_json::from_str(&html[start..start + length]).unwrap())
}

/// The place that stands for a value of a table.
fn at(place: &Value) -> usize {
    usize::try_from(place.as_u64().unwrap()).unwrap()
}

/// The data in a file that `explain` wrote, with the row as it was before it was packed, but for
/// probabilities.
fn data(html: &str) -> Value {
    let mut data = part(html, "data").unwrap();
    let (lines, blocks) = (data["lines"].take(), data["blocks"].take());
    let row = data["row"].as_object_mut().unwrap();
    let runs = part(html, "texts").unwrap();
    let texts = runs.as_object().unwrap().iter().map(|(extractor, runs)| {
        let runs: Vec<usize> = runs.as_array().unwrap().iter().map(at).collect();
        let places = runs.chunks(2).flat_map(|run| run[0]..run[0] + run[1]);
        let text: Vec<&str> = places.map(|line| lines[line].as_str().unwrap()).collect();
        (extractor.clone(), Value::from(text.join("\n")))
    });
    row.insert("texts".to_owned(), Value::Object(texts.collect()));
    row.insert("text".to_owned(), row["texts"][row["extractor"].as_str().unwrap()].clone());
    for long in ["markdown", "html"] {
        row.extend(part(html, long).map(|value| (long.to_owned(), value)));
    }
    let count = blocks["path"].as_array().unwrap().len();
    row.insert("blocks".to_owned(), (0..count).map(|n| block(html, &blocks, &lines, n)).collect());
    data
}

/// A block as the row has it.
fn block(html: &str, blocks: &Value, lines: &Value, number: usize) -> Value {
    let of = |table: &Value, column: &str| table[at(&blocks[column][number])].clone();
    let area = &blocks["box"][number];
    let mut block = json!({
        "path": of(&blocks["paths"], "path"),
        "role": of(&blocks["roles"], "role"),
        "text": of(lines, "text"),
        "box": if area.is_null() { Value::Null } else { blocks["boxes"][at(area)].clone() },
    });
    for figure in
        ["depth", "start", "end", "chars", "words", "punctuation", "linked_chars", "links", "tags"]
    {
        block[figure] = blocks[figure][number].clone();
    }
    block["methods"] = json!({});
    for name in blocks["names"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        let found = part(html, &format!("method-{name}")).unwrap();
        let is_kept = &found["kept"].as_str().unwrap()[number..=number] == "1";
        let score = if found["score"].is_null() { &Value::Null } else { &found["score"][number] };
        block["methods"][name] = json!({"kept": is_kept, "score": score});
        let terms = part(html, &format!("terms-{name}"));
        let Some(terms) = terms.filter(|terms| !terms["blocks"][number].is_null()) else {
            continue;
        };
        let flat = terms["terms"][at(&terms["blocks"][number])].as_array().unwrap();
        let terms: Vec<_> = flat
            .chunks(3)
            .map(|term| {
                json!([terms["names"][at(&term[0])], term[1], terms["given"][at(&term[2])]])
            })
            .collect();
        block["methods"][name]["terms"] = json!(terms);
    }
    block["kept"] = block["methods"][blocks["names"][0].as_str().unwrap()]["kept"].clone();
    block
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
    let (mut blocks, mut expected) = (data["row"]["blocks"].clone(), row["blocks"].clone());
    let mut with_terms = 0;
    for block in blocks.as_array_mut().unwrap() {
        for (_, extractor) in block["methods"].as_object_mut().unwrap() {
            let terms = extractor.as_object_mut().unwrap().remove("terms");
            assert!(terms.is_none() || !extractor["score"].is_null(), "{extractor:?}");
            with_terms += usize::from(terms.is_some());
        }
    }
    for block in expected.as_array_mut().unwrap() {
        for (_, extractor) in block["methods"].as_object_mut().unwrap() {
            extractor.as_object_mut().unwrap().remove("probability");
        }
    }
    assert_eq!(blocks, expected);
    let equations = html.matches("{\"equation\":\"").count();
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
    let scripts = html.matches("<script").count();
    assert_eq!(
        scripts,
        1 + html.matches("<script type=\"application/json\" id=\"").count(),
        "{html}"
    );
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
    explain(&["p.html", "--extractors", "pvalu"]).exits(2).says("unknown extractor 'pvalu'");
    explain(&["p.html", "--gold", "no.txt"]).exits(1).says("cannot read 'no.txt'");
    explain(&["p.html", "-o", "no/e.html"]).exits(5).says("no/e.html");
    let said = "unknown encoding";
    explain(&["p.html", "--charset", "klingon"]).exits(2).says(said);
    explain(&["p.html", "--charset", " Latin1"]).exits(0);
}

#[test]
fn an_archive_is_not_taken_for_a_page() {
    let folder = temp();
    let explain = |bytes: &[u8], name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        Huller::new().arg("explain").arg(&path).run()
    };
    let archive = fs::read(sample()).unwrap();
    explain(&archive, "a.warc.gz").exits(1).says("a.warc.gz' holds records").says("--record");
    explain(b"{\"html\":\"<p>a b\"}\n", "a.jsonl").exits(1).says("--record");
    let page = fs::read(ferry()).unwrap();
    explain(&gzip(&page), "p.html.gz")
        .exits(1)
        .says("p.html.gz' is not an HTML page")
        .says("decompress");
    explain(&page, "p").exits(0);
    // What has no markup may be a page.
    explain(b"Ferries go at six.", "words").exits(0);
    explain(b"", "nothing").exits(0);
    let piped = Huller::new().args(["explain", "-"]).stdin(archive).run();
    piped.exits(1).says("'-' holds records");
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
