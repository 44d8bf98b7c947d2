//! Inputs of every kind, and where their rows go.

use crate::support::{
    Huller, assert_balanced, ids_and_texts, repository, rows, sample, stats, string, temp,
};
use crate::threads::mixed;
use huller_testkit::pack::gzip;
use huller_testkit::sample;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn lines(values: &[Value]) -> Vec<u8> {
    values.iter().flat_map(|value| format!("{value}\n").into_bytes()).collect()
}

#[test]
fn all_containers_of_the_same_records_give_the_same_rows() {
    let folder = temp();
    let output = folder.path().join("out");
    let inputs = mixed(folder.path());
    Huller::new().arg("extract").args(inputs).arg("-o").arg(&output).run().exits(0);
    let expected = rows(output.join("a.jsonl.zst"));
    assert_eq!(expected.len(), 41);
    for name in ["b", "c", "d", "listed"] {
        assert_eq!(
            ids_and_texts(&rows(output.join(format!("{name}.jsonl.zst")))),
            ids_and_texts(&expected),
            "{name}"
        );
    }
    // A row of a record that is no gzip member of its own gives the place in the uncompressed
    // stream.
    for row in rows(output.join("d.jsonl.zst")) {
        assert!(row["warc_record_offset"].is_null() && row["stream_offset"].is_u64(), "{row}");
    }
    // In a plain file both places are the same.
    let plain = fs::read(folder.path().join("crawl/b.warc")).unwrap();
    for row in rows(output.join("b.jsonl.zst")) {
        let [offset, length] =
            ["warc_record_offset", "warc_record_length"].map(|f| row[f].as_u64().unwrap() as usize);
        let record = &plain[offset..offset + length];
        let id = string(&row, "id").as_bytes();
        assert!(record.starts_with(b"WARC/1") && record.windows(id.len()).any(|bytes| bytes == id));
    }
    let inputs = stats(&output)["inputs"].as_array().unwrap().clone();
    for input in &inputs {
        assert_balanced(input);
    }
}

#[test]
fn known_keys_of_json_lines_are_found() {
    let html = "<p>Some words that stay.</p>";
    for (html_key, url_key, id_key) in [
        ("html", "url", "id"),
        ("h", "u", "id"),
        ("content", "warc_url", "id"),
        ("raw_content", "url", "id"),
        ("body", "url", "id"),
    ] {
        let line = json!({ "zero": 0, html_key: html, "more": { "html": "no" }, url_key: "http://x.test/", id_key: "mine" });
        let folder = temp();
        let path = folder.path().join("x.jsonl");
        fs::write(&path, lines(&[line])).unwrap();
        let row =
            &Huller::extract(&path, "-").args(["--extractor", "body"]).run().exits(0).rows()[0];
        assert_eq!(row["text"], "Some words that stay.", "{html_key}");
        assert_eq!(row["url"], "http://x.test/", "{url_key}");
        assert_eq!(row["id"], "mine");
        assert_eq!((&row["status"], &row["content_type"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn odd_keys_of_json_lines_are_named_by_options() {
    let folder = temp();
    let path = folder.path().join("x.jsonl.gz");
    let line = json!({ "html": "<p>not this", "the page": "<p>This \u{1f600} \"one\".", "où": "http://x.test/", "nr": "n1" });
    fs::write(&path, gzip(&lines(&[line]))).unwrap();
    let keys =
        ["--html-key", "the page", "--url-key", "où", "--id-key", "nr", "--extractor", "body"];
    let row = &Huller::extract(&path, "-").args(keys).run().exits(0).rows()[0];
    assert_eq!(row["text"], "This \u{1f600} \"one\".");
    assert_eq!((string(row, "url"), string(row, "id")), ("http://x.test/", "n1"));
}

#[test]
fn lines_that_are_no_pages_are_counted_and_listed() {
    let work = temp();
    let path = work.path().join("x.jsonl");
    fs::write(&path, "{\"html\":\"<p>one\"}\nno json\n{\"text\":1}\n{\"html\":\"<p>two\"}")
        .unwrap();
    let (output, rejects) = (work.path().join("out"), work.path().join("rejects"));
    Huller::extract(&path, &output).arg("--rejects").arg(&rejects).run().exits(0);
    assert_eq!(rows(output.join("x.jsonl.zst")).len(), 2);
    let total = &stats(&output)["total"];
    assert_eq!(total["failed"], json!({ "invalid_json": 1, "no_html_key": 1 }));
    let rejected = crate::support::json_lines(&fs::read(rejects).unwrap());
    let offsets: Vec<_> =
        rejected.iter().map(|reject| reject["offset"].as_u64().unwrap()).collect();
    assert_eq!(offsets, [18, 26]);
}

#[test]
fn inputs_without_a_usable_row_and_inputs_with_holes_fail() {
    let work = temp();
    let hole = "\0".repeat(20_000);
    for (number, (name, text, failed)) in [
        ("a.csv", "id,html,text\n1,2\n3,4\n".to_owned(), "bad_row 2"),
        ("a.csv", "id,html,text\n1,\"<p class=\\\"a\\\">\",x\n".to_owned(), "backslashes"),
        ("a.jsonl", "[{\"html\":\"<p>a\",\"text\":\"a\"}]".to_owned(), "jq -c '.[]'"),
        ("a.json", "{\n\"html\":\"<p>a\",\n\"text\":\"a\"}\n".to_owned(), "jq -c ."),
        ("a.jsonl", format!("{{\"html\":\"{hole}\n{{\"html\":\"b\",\"text\":\"b\"}}\n"), "a hole"),
        ("a.csv", format!("text,html\na,b\n\"{hole}x\",b\n\"a \"\"\",d\n"), "a hole"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = work.path().join(name);
        fs::write(&path, text).unwrap();
        for command in [["extract", "--extractor", "body"], ["refine", "--stages", "length"]] {
            let output = work.path().join(format!("{number}-{}", command[0]));
            let ran = Huller::new().args([command[0]]).arg(&path).arg("-o").arg(&output);
            ran.args(&command[1..]).run().exits(1).says(failed);
            assert!(!output.join("_SUCCESS").exists(), "{failed}");
        }
    }
}

#[test]
fn a_page_alone_is_read_from_a_pipe_and_from_a_file_of_any_name() {
    let folder = temp();
    let page = fs::read(repository().join("data/pages/01-news-ferry.html")).unwrap();
    let expected = {
        let path = folder.path().join("ferry.html");
        fs::write(&path, &page).unwrap();
        Huller::extract(&path, "-").run().exits(0).rows()
    };
    assert_eq!(expected.len(), 1);
    let piped = Huller::extract("-", "-").stdin(page.clone()).run().exits(0).rows();
    let path = folder.path().join("download");
    fs::write(&path, &page).unwrap();
    let output = folder.path().join("out");
    Huller::extract(&path, &output).run().exits(0);
    let from_file = rows(output.join("download.jsonl.zst"));
    for mut rows in [piped, from_file] {
        assert_eq!(rows.len(), 1);
        // The identifier is made of the input's name.
        assert_ne!(
            (&rows[0]["id"], &rows[0]["file_path"]),
            (&expected[0]["id"], &expected[0]["file_path"])
        );
        for field in ["id", "file_path"] {
            rows[0][field] = expected[0][field].clone();
        }
        assert_eq!(rows, expected);
    }
    // A page under the name of an archive is an error page that a server sent in place of the
    // archive.
    let archive = folder.path().join("crawl.warc.gz");
    fs::write(&archive, &page).unwrap();
    Huller::extract(&archive, "-").run().exits(1).says(
        "an HTML page, not a readable WARC, ARC, \
        WACZ, JSONL, CSV, Parquet, ZIP or tar file",
    );
    // A resumed run has nothing left to do.
    Huller::extract(&path, &output).arg("--resume").run().exits(0);
    assert_eq!(rows(output.join("download.jsonl.zst")).len(), 1);
    assert_balanced(&stats(&output)["total"]);
}

#[test]
fn what_is_left_of_an_archive_is_no_page_though_it_begins_in_one() {
    let folder = temp();
    let left =
        [b"<div>words of a page that began before</div>\r\n\r\n", &*sample::records().concat()]
            .concat();
    let path = folder.path().join("left");
    fs::write(&path, &left).unwrap();
    let piped = Huller::extract("-", "-").stdin(left).run().exits(0).rows();
    let from_file = Huller::extract(&path, "-").run().exits(0).rows();
    assert_eq!(piped.len(), 41);
    assert_eq!(ids_and_texts(&from_file), ids_and_texts(&piped));
}

#[test]
fn the_pages_of_a_folder_become_one_output() {
    let folder = temp();
    let pages = folder.path().join("pages");
    fs::create_dir_all(pages.join("deep/er")).unwrap();
    let copy =
        |name: &str, to: &Path| fs::copy(repository().join("data/pages").join(name), to).unwrap();
    copy("01-news-ferry.html", &pages.join("1.html"));
    copy("24-zh-portal-gb18030.html", &pages.join("2.HTM"));
    copy("33-br-letter.html", &pages.join("deep/er/3.html"));
    fs::write(pages.join("notes.md"), "x").unwrap();
    let output = folder.path().join("out");
    Huller::extract(&pages, &output).run().exits(0);
    let top = rows(output.join("pages.jsonl.zst"));
    assert_eq!((top.len(), rows(output.join("deep/er.jsonl.zst")).len()), (2, 1));
    assert_eq!(
        (string(&top[1], "charset"), string(&top[1], "charset_source")),
        ("gb18030", "meta")
    );
    assert!(top.iter().all(|row| row["url"].is_null() && row["warc_filename"].is_null()));
    assert_ne!(top[0]["id"], top[1]["id"]);
    let again = folder.path().join("again");
    Huller::extract(&pages, &again).arg("-j3").run().exits(0);
    assert_eq!(rows(again.join("pages.jsonl.zst")), top);
}

#[test]
fn the_output_folder_is_no_input_of_the_next_run() {
    let folder = temp();
    fs::copy(sample(), folder.path().join("a.warc.gz")).unwrap();
    let output = folder.path().join("out");
    Huller::extract(".", "out").current_dir(folder.path()).run().exits(0);
    let before = crate::support::contents(&output);
    Huller::extract(".", "out").arg("--resume").current_dir(folder.path()).run().exits(0);
    crate::support::assert_same(&before, &crate::support::contents(&output));
}

#[test]
fn standard_input_is_an_input_like_others() {
    let folder = temp();
    let expected = Huller::extract(sample(), "-").run().exits(0).rows();
    let records = sample::records();
    let inputs = [
        fs::read(sample()).unwrap(),
        records.concat(),
        zstd::encode_all(&records.concat()[..], 1).unwrap(),
    ];
    for (number, bytes) in inputs.into_iter().enumerate() {
        let output = folder.path().join(number.to_string());
        Huller::extract("-", &output).stdin(bytes).run().exits(0);
        let rows = rows(output.join("stdin.jsonl.zst"));
        assert_eq!(ids_and_texts(&rows), ids_and_texts(&expected));
    }
    Huller::extract("-", "-").stdin("").run().exits(1).says("standard input");
}

#[test]
fn a_manifest_is_read_plain_or_zipped_and_a_missing_file_does_not_stop_it() {
    let folder = temp();
    fs::create_dir(folder.path().join("crawl")).unwrap();
    for name in ["1.warc.gz", "2.warc.gz"] {
        fs::copy(sample(), folder.path().join("crawl").join(name)).unwrap();
    }
    let list = "crawl/1.warc.gz\ncrawl/missing.warc.gz\ncrawl/2.warc.gz\n";
    fs::write(folder.path().join("warc.paths"), list).unwrap();
    fs::write(folder.path().join("warc.paths.gz"), gzip(list.as_bytes())).unwrap();
    for (number, name) in ["warc.paths", "warc.paths.gz"].iter().enumerate() {
        for option in [false, true] {
            let output = folder.path().join(format!("out-{number}-{option}"));
            let mut huller = Huller::new().arg("extract").arg("-o").arg(&output);
            if option {
                huller = huller.arg("--manifest");
            }
            huller.arg(folder.path().join(name)).run().exits(1).says("crawl/missing.warc.gz");
            for stem in ["1", "2"] {
                assert_eq!(rows(output.join(format!("{stem}.jsonl.zst"))).len(), 41);
            }
            let unusable = &stats(&output)["unusable"];
            assert_eq!(unusable.as_array().unwrap().len(), 1, "{unusable}");
            assert!(!output.join("_SUCCESS").exists());
        }
    }
    // Relative to a base.
    fs::create_dir(folder.path().join("lists")).unwrap();
    let elsewhere = folder.path().join("lists/warc.paths");
    fs::write(&elsewhere, "1.warc.gz\n").unwrap();
    let output = folder.path().join("based");
    Huller::extract(&elsewhere, &output)
        .arg("--base")
        .arg(folder.path().join("crawl"))
        .run()
        .exits(0);
}

#[test]
fn rows_of_any_inputs_load_together_since_all_have_the_same_fields() {
    let folder = temp();
    let root = folder.path().join("crawl");
    fs::create_dir_all(root.join("pages")).unwrap();
    fs::copy(sample(), root.join("a.warc.gz")).unwrap();
    fs::write(root.join("b.warc"), sample::records().concat()).unwrap();
    fs::write(
        root.join("c.warc.zst"),
        zstd::encode_all(&sample::records().concat()[..], 1).unwrap(),
    )
    .unwrap();
    let page = repository().join("data/pages/01-news-ferry.html");
    fs::copy(&page, root.join("pages/1.html")).unwrap();
    let own = json!({ "html": "<p>Some words.", "topic": { "b": 1, "a": [null] } });
    fs::write(root.join("d.jsonl"), lines(&[own, json!({ "h": "<p>Others.", "lang": "en" })]))
        .unwrap();
    for options in [
        &[][..],
        &["--html"],
        &["--extractor", "pvalue,body"],
        &["--extractor", "body", "--keep-keys", "topic,lang"],
        &["--extractor", "cetd,hull", "--html", "--keep-keys", "topic", "--digest"],
    ] {
        let ran = Huller::extract(&root, "-").args(options).run().exits(0);
        let lines: Vec<_> = ran.text().lines().map(crate::support::keys).collect();
        assert_eq!(lines.len(), 3 * 41 + 3);
        let odd = lines.iter().find(|keys| **keys != lines[0]);
        assert_eq!(odd, None, "{options:?}: {:?}", lines[0]);
    }
}

#[test]
fn the_users_own_keys_are_kept_under_source() {
    let folder = temp();
    let own = r#"{"html":"<p>One.","quality":0.50,"topic":{"b" : "\u00e9\ud800"},"rest":1}"#;
    fs::write(folder.path().join("x.jsonl"), format!("{own}\n{{\"html\":\"<p>Two.\"}}\n")).unwrap();
    fs::copy(sample(), folder.path().join("y.warc.gz")).unwrap();
    let keys = ["--keep-keys", "topic,quality", "--extractor", "body"];
    let ran = Huller::extract(folder.path(), "-").args(keys).run().exits(0);
    let first = ran.text().lines().next().unwrap();
    assert!(
        first.ends_with(r#","source":{"topic":{"b":"\u00e9\ufffd"},"quality":0.50}}"#),
        "{first}"
    );
    let rows = ran.rows();
    assert_eq!(rows[1]["source"], json!({ "topic": null, "quality": null }));
    assert!(rows[2..].iter().all(|row| row["source"].is_null()) && rows.len() == 43);
    let plain = Huller::extract(folder.path(), "-").args(&keys[2..]).run().exits(0);
    assert!(!plain.text().contains("\"source\""));
}

#[test]
fn rows_of_listed_files_say_the_path_of_the_list_and_no_id_repeats() {
    let folder = temp();
    let listed = ["crawl/1/x.warc.gz", "crawl/2/x.warc.gz", "a/p.jsonl", "b/p.jsonl", "b/1.html"];
    for path in listed {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match path.extension().unwrap().to_str().unwrap() {
            "gz" => drop(fs::copy(sample(), &path).unwrap()),
            "jsonl" => fs::write(&path, lines(&[json!({ "html": "<p>Some words." })])).unwrap(),
            _ => fs::write(&path, "<p>Some words.").unwrap(),
        }
    }
    let list = folder.path().join("warc.paths");
    fs::write(&list, listed.join("\n")).unwrap();
    let output = folder.path().join("out");
    let args = ["--extractor", "body"];
    Huller::extract(&list, &output).args(args).run().exits(0);
    let outputs =
        ["1/x", "2/x", "a/p", "b/p", "b"].map(|name| output.join(format!("{name}.jsonl.zst")));
    for (path, output) in listed.iter().zip(&outputs) {
        for row in rows(output) {
            assert_eq!(row["file_path"], *path);
            let is_page = *path == "b/1.html";
            assert_eq!(row["warc_filename"], if is_page { Value::Null } else { json!(path) });
        }
    }
    let ids: std::collections::HashSet<_> =
        outputs[2..].iter().map(|output| rows(output)[0]["id"].to_string()).collect();
    assert_eq!(ids.len(), 3);
    Huller::extract(&list, &output).args(args).arg("--resume").run().exits(0);
    Huller::new().arg("verify").arg(&output).run().exits(0);
    fs::write(&list, listed[..4].join("\n")).unwrap();
    let merged = Huller::new().args(["stats", "-q", "--manifest"]).arg(&list).arg(&output);
    merged.run().exits(0);
    // Without the list, by their paths.
    let by_path = ["a/p.jsonl", "b/p.jsonl"];
    let ran = Huller::new().arg("extract").args(by_path).args(["-o", "-"]).args(args);
    let rows = ran.current_dir(folder.path()).run().exits(0).rows();
    assert_eq!([&rows[0]["file_path"], &rows[1]["file_path"]], by_path);
    assert_ne!(rows[0]["id"], rows[1]["id"]);
}

#[test]
fn an_archive_in_place_of_a_manifest_is_noticed() {
    Huller::new()
        .args(["extract", "-o", "-", "--manifest"])
        .arg(sample())
        .run()
        .exits(2)
        .says("it is a WARC, not a list");
}
