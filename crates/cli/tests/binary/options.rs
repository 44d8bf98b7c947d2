//! One test an option.

use crate::support::{
    Huller, assert_balanced, json_lines, plain, rows, sample, stats, string, temp,
};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

/// The rows of the sample with these options.
#[track_caller]
fn with(options: &[&str]) -> Vec<Value> {
    Huller::extract(sample(), "-").args(options).run().exits(0).rows()
}

fn texts(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| string(row, "text")).collect()
}

#[test]
fn several_extractors_give_the_texts_of_all_and_the_row_of_the_first() {
    let (alone, body) = (with(&["--extractor", "pvalue"]), with(&["--extractor", "body"]));
    let together = with(&["--extractors", "pvalue,body"]);
    assert!(alone.iter().all(|row| row.get("texts").is_none()));
    for (row, (alone, body)) in together.iter().zip(alone.iter().zip(&body)) {
        assert_eq!(row["texts"]["pvalue"], alone["text"]);
        assert_eq!(row["texts"]["body"], body["text"]);
        assert_eq!(row["texts"].as_object().unwrap().len(), 2);
        let mut row = row.clone();
        row.as_object_mut().unwrap().remove("texts");
        assert_eq!(row, *alone);
    }
    assert_eq!(together.len(), 41);
    let twice = Huller::extract(sample(), "-").args(["--extractors", "body,body"]).run();
    twice.exits(2).says("twice");
}

#[test]
fn limit_ends_after_so_many_rows() {
    let all = with(&[]);
    for limit in ["1", "7", "40", "41", "100"] {
        let some = with(&["--limit", limit]);
        assert_eq!(some.len(), limit.parse::<usize>().unwrap().min(41));
        assert_eq!(some[..], all[..some.len()]);
    }
}

#[test]
fn limit_leaves_a_finished_run_that_adds_up() {
    let output = temp();
    Huller::extract(sample(), output.path()).args(["--limit", "7"]).run().exits(0);
    assert_eq!(rows(output.path().join("sample.jsonl.zst")).len(), 7);
    let total = &stats(output.path())["total"];
    assert_balanced(total);
    assert_eq!(total["written"], 7);
    assert!(output.path().join("_SUCCESS").exists());
}

#[test]
fn min_chars_skips_short_texts_and_says_so() {
    let output = temp();
    let rejects = output.path().join("rejects.jsonl");
    let ran = Huller::extract(sample(), output.path().join("out")).args([
        "--min-chars",
        "200",
        "--rejects",
    ]);
    ran.arg(&rejects).run().exits(0).says("too_short");
    let expected: Vec<_> =
        with(&[]).into_iter().filter(|row| string(row, "text").chars().count() >= 200).collect();
    assert_eq!(rows(output.path().join("out/sample.jsonl.zst")), expected);
    let stats = stats(&output.path().join("out"));
    assert_balanced(&stats["total"]);
    let rejected = json_lines(&std::fs::read(rejects).unwrap());
    let short: Vec<_> = rejected.iter().filter(|reject| reject["reason"] == "too_short").collect();
    assert_eq!(stats["total"]["skipped"]["too_short"], short.len());
    assert_eq!(short.len() + expected.len(), 41);
    assert!(
        short
            .iter()
            .all(|reject| string(reject, "url").starts_with("http") && reject["offset"].is_u64())
    );
}

#[test]
fn judge_skips_what_has_no_article() {
    let all: Vec<_> = with(&[]).iter().map(|row| string(row, "id").to_owned()).collect();
    let output = temp();
    Huller::extract(sample(), output.path())
        .args(["--judge", "--extractor", "pvalue"])
        .run()
        .exits(0);
    let judged = rows(output.path().join("sample.jsonl.zst"));
    let total = &stats(output.path())["total"];
    assert_eq!(total["skipped"]["no_article"].as_u64().unwrap() as usize + judged.len(), all.len());
    assert!(!judged.is_empty() && judged.len() < all.len());
    assert!(judged.iter().all(|row| row["score"].as_f64().unwrap() >= 0.5));
    assert!(judged.iter().all(|row| all.contains(&string(row, "id").to_owned())));
}

#[test]
fn status_any_takes_error_pages_too() {
    let any = with(&["--status", "any"]);
    let statuses: HashSet<_> = any.iter().map(|row| row["status"].as_u64().unwrap()).collect();
    assert!(any.len() > 41 && statuses.contains(&404), "{statuses:?}");
    assert_eq!(with(&["--status", "ok"]).len(), 41);
}

#[test]
fn blocks_say_what_each_extractor_kept_and_where_it_stands() {
    let rows = with(&["--blocks", "--extractors", "hull,tsd", "--include", "title,comments"]);
    let mut kept = 0;
    for row in &rows {
        let text: Vec<char> = string(row, "text").chars().collect();
        for block in row["blocks"].as_array().unwrap() {
            assert!(
                block["path"].as_str().unwrap().starts_with("body")
                    && block["depth"].as_u64() > Some(1)
            );
            assert_eq!(block["kept"], block["methods"]["hull"]["kept"]);
            assert!(
                block["methods"]["hull"]["score"]
                    .as_f64()
                    .is_some_and(|score| (0.0..=1.0).contains(&score))
            );
            assert!(block["methods"]["tsd"]["kept"].is_boolean());
            let (Some(start), Some(end)) = (block["start"].as_u64(), block["end"].as_u64()) else {
                continue;
            };
            let there: String = text[start as usize..end as usize].iter().collect();
            let visible = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(visible(&there), visible(string(block, "text")));
            kept += 1;
        }
    }
    assert!(kept > 500, "{kept}");
}

#[test]
fn forms_of_the_selection_stand_at_the_end() {
    let forms = ["--source-html", "--html", "--markdown"];
    let ran = Huller::extract(sample(), "-").args(forms).run().exits(0);
    for line in ran.text().lines() {
        assert!(
            crate::support::keys(line)
                .ends_with(&["markdown", "html", "source_html"].map(str::to_owned))
        );
    }
    let rows = ran.rows();
    for form in ["html", "source_html"] {
        let tags = rows.iter().filter(|row| string(row, form).contains("<p"));
        assert!(tags.count() > 20, "{form}");
    }
    let has = |form: &str, what: &str| rows.iter().any(|row| string(row, form).contains(what));
    assert!(
        has("markdown", "\n\n## ")
            && has("markdown", "](http")
            && has("markdown", "![")
            && has("html", " href=\"http")
    );
    assert!(has("source_html", "class=") && !has("html", "class=\"a"));
    let bare = with(&["--markdown", "--markdown-without", "links,images"]);
    assert!(
        bare.iter()
            .all(|row| !string(row, "markdown").contains("](http") && row.get("html").is_none())
    );
    for (row, plain) in rows.iter().zip(with(&[])) {
        assert_eq!(string(row, "text"), string(&plain, "text"));
    }
}

#[test]
fn digest_fills_in_what_the_record_does_not_say() {
    // The sample's records have digests: those are given as they are.
    assert_eq!(with(&["--digest"]), with(&[]));
    let folder = temp();
    let path = folder.path().join("bare.warc");
    std::fs::write(&path, bare_record("<p>Some words.</p>")).unwrap();
    assert_eq!(Huller::extract(&path, "-").run().exits(0).rows()[0]["digest"], Value::Null);
    let row = &Huller::extract(&path, "-").arg("--digest").run().exits(0).rows()[0];
    // printf '<p>Some words.</p>' | openssl sha1 -binary | base32
    let digest = data_encoding::BASE32.encode(&sha1(b"<p>Some words.</p>"));
    assert_eq!(string(row, "digest"), format!("sha1:{digest}"));
}

fn sha1(bytes: &[u8]) -> Vec<u8> {
    use sha1::{Digest, Sha1};
    Sha1::digest(bytes).to_vec()
}

/// A response record with the fewest fields it may have.
fn bare_record(html: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let length = block.len();
    format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n")
}

#[test]
fn a_record_without_identifier_gets_the_same_one_in_every_run() {
    let folder = temp();
    let path = folder.path().join("bare.warc");
    std::fs::write(&path, [bare_record("<p>One."), bare_record("<p>Two.")].concat()).unwrap();
    let first = Huller::extract(&path, "-").run().exits(0).rows();
    let again = Huller::extract(&path, "-").arg("-j3").run().exits(0).rows();
    assert_eq!(first, again);
    assert_ne!(first[0]["id"], first[1]["id"]);
    assert_eq!(string(&first[0], "id").len(), 36);
}

#[test]
fn compression_changes_the_file_and_not_the_rows() {
    let expected = with(&[]);
    for (how, suffix) in [("zstd", ".zst"), ("gzip", ".gz"), ("none", "")] {
        let output = temp();
        Huller::extract(sample(), output.path()).args(["--compress", how]).run().exits(0);
        assert_eq!(rows(output.path().join(format!("sample.jsonl{suffix}"))), expected, "{how}");
    }
    let zstd = Huller::extract(sample(), "-").args(["--compress", "zstd"]).run().exits(0).stdout;
    assert_eq!(json_lines(&zstd::decode_all(&zstd[..]).unwrap()), expected);
}

#[test]
fn a_higher_level_makes_a_smaller_file_with_the_same_rows() {
    for how in ["zstd", "gzip"] {
        let sizes = ["1", "12"].map(|level| {
            let output = temp();
            Huller::extract(sample(), output.path())
                .args(["--compress", how, "--level", level])
                .run()
                .exits(0);
            let path = output.path().join(if how == "zstd" {
                "sample.jsonl.zst"
            } else {
                "sample.jsonl.gz"
            });
            assert_eq!(rows(&path).len(), 41);
            std::fs::metadata(path).unwrap().len()
        });
        assert!(sizes[1] < sizes[0], "{how}: {sizes:?}");
    }
}

#[test]
fn profiles_and_extractors_give_texts_of_their_own() {
    let (tuned, paper, body) = (
        with(&["--extractor", "pvalue"]),
        with(&["--extractor", "pvalue", "--profile", "paper"]),
        with(&["--extractor", "body"]),
    );
    assert_ne!(texts(&tuned), texts(&paper));
    assert!(body.iter().all(|row| row["extractor"] == "body"));
    let length = |rows: &[Value]| texts(rows).iter().map(|text| text.len()).sum::<usize>();
    assert!(length(&body) > length(&tuned));
    assert_eq!(with(&["--extractors", "body"]), body);
}

#[test]
fn a_long_page_is_cut_on_the_border_of_a_character() {
    let folder = temp();
    let path = folder.path().join("long.warc");
    let html = format!("<p>{}</p>", "äöü€😀 ".repeat(1000));
    std::fs::write(&path, bare_record(&html)).unwrap();
    for bytes in 1000..1017 {
        let cut =
            ["--extractor", "body", "--max-page-bytes", &bytes.to_string()].map(str::to_owned);
        let row = &Huller::extract(&path, "-").args(cut).run().exits(0).rows()[0];
        assert_eq!(row["truncated"], "page_limit");
        assert_eq!(row["charset"], "utf-8");
        let text = string(row, "text");
        assert!(
            html.contains(text) && !text.contains('\u{fffd}') && text.len() >= 980,
            "{bytes}: {text}"
        );
    }
    let row = &Huller::extract(&path, "-").run().exits(0).rows()[0];
    assert_eq!(row["truncated"], Value::Null);
}

#[test]
fn records_over_the_limit_are_skipped_and_listed() {
    let work = temp();
    let (output, rejects) = (work.path().join("out"), work.path().join("rejects.jsonl"));
    let ran = Huller::extract(sample(), &output)
        .args(["--max-record-bytes", "4K", "--rejects"])
        .arg(&rejects);
    ran.run().exits(0);
    let total = &stats(&output)["total"];
    assert_balanced(total);
    assert_eq!(total["records"], 96);
    let large = total["skipped"]["too_large"].as_u64().unwrap();
    assert!(large > 5);
    let listed = json_lines(&std::fs::read(rejects).unwrap());
    assert_eq!(
        listed.iter().filter(|reject| reject["reason"] == "too_large").count() as u64,
        large
    );
}

#[test]
fn shards_share_out_the_inputs() {
    let folder = temp();
    let crawl = folder.path().join("crawl");
    std::fs::create_dir(&crawl).unwrap();
    let names: Vec<_> = (0..5).map(|i| format!("{i}.warc.gz")).collect();
    for name in &names {
        std::fs::copy(sample(), crawl.join(name)).unwrap();
    }
    let mut seen = Vec::new();
    for shard in ["0/2", "1/2"] {
        let output = folder.path().join(shard.replace('/', "-"));
        Huller::extract(&crawl, &output).args(["--shard", shard]).run().exits(0);
        let inputs = stats(&output)["inputs"].as_array().unwrap().clone();
        seen.extend(inputs.iter().map(|input| string(input, "input").to_owned()));
        assert!(output.join("_SUCCESS").exists());
    }
    assert_eq!(seen, ["0.warc.gz", "2.warc.gz", "4.warc.gz", "1.warc.gz", "3.warc.gz"]);
}

#[test]
fn a_dry_run_says_what_goes_where_and_writes_nothing() {
    let folder = temp();
    let output = folder.path().join("out");
    let ran = Huller::extract(sample(), &output).arg("--dry-run").run().exits(0);
    let expected = format!("sample.warc.gz -> {}\n", output.join("sample.jsonl.zst").display());
    assert_eq!(ran.text(), expected);
    assert!(!output.exists());
    Huller::extract("missing.warc", &output).arg("--dry-run").run().exits(1).says("missing.warc");
}

#[test]
fn quiet_says_nothing_but_errors() {
    let output = temp();
    let ran = Huller::extract(sample(), output.path().join("a")).arg("--quiet").run().exits(0);
    assert_eq!((ran.text(), ran.stderr.as_str()), ("", ""));
    let ran = Huller::extract(sample(), output.path().join("b"))
        .args(["-q", "missing.warc"])
        .run()
        .exits(1);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn the_account_says_what_became_of_every_record() {
    let ran = Huller::extract(sample(), "-").run().exits(0);
    let lines: Vec<_> = ran
        .stderr
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert!(lines[0].starts_with("1 input, ") && lines[0].ends_with(" s"), "{}", lines[0]);
    let expected = [
        "records read 96",
        "written 41",
        "skipped 55",
        "warcinfo 1",
        "request 46",
        "metadata 1",
        "revisit 1",
        "status 2",
        "not_html 4",
        "failed 0",
    ];
    assert_eq!(lines[1..], expected);
    assert!(ran.stderr.lines().all(|line| line.len() <= 80));
}

#[test]
fn rejects_list_pages_and_leave_out_what_never_was_one() {
    let work = temp();
    let rejects = work.path().join("rejects.jsonl");
    Huller::extract(sample(), work.path().join("out"))
        .arg("--rejects")
        .arg(&rejects)
        .run()
        .exits(0);
    let lines = String::from_utf8(std::fs::read(&rejects).unwrap()).unwrap();
    for line in lines.lines() {
        assert_eq!(crate::support::keys(line), ["url", "reason", "input", "offset", "detail"]);
    }
    let reasons: Vec<_> =
        json_lines(lines.as_bytes()).iter().map(|r| string(r, "reason").to_owned()).collect();
    assert_eq!(reasons, ["status", "status"]);
}

#[test]
fn rejects_may_go_to_a_device() {
    if Path::new("/dev/null").exists() {
        let output = temp();
        Huller::extract(sample(), output.path()).args(["--rejects", "/dev/null"]).run().exits(0);
        assert!(!plain(&output.path().join("sample.jsonl.zst")).is_empty());
    }
}

#[test]
fn an_option_of_what_is_not_made_is_refused() {
    let output = temp();
    let run = Huller::extract(sample(), output.path()).args(["--markdown-without", "links"]).run();
    run.exits(2).says("--markdown-without needs --markdown or --passages");
    let get = Huller::new().arg("get").arg(sample()).args(["1946", "--extractor", "hull"]);
    get.run().exits(2).says("--text");
}
