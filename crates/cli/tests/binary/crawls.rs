//! Crawls of crawls: WARC out of `extract`, `dedup` and `records`, read by the crate `warc`; and
//! the clean HTML of rows, read by the crate `tl`. Neither shares a line with this program.

use crate::support::{Huller, json_lines, plain, sample, stats, temp};
use flate2::read::MultiGzDecoder;
use std::collections::HashMap;
use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;
use warc::{RecordType, WarcReader};

/// Type and body of each record, in order, after its identifier.
fn records(path: &Path) -> Vec<(String, (RecordType, Vec<u8>))> {
    let bytes = fs::read(path).unwrap();
    let mut plain = Vec::new();
    if bytes.starts_with(b"\x1f\x8b") {
        MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).unwrap();
    } else {
        plain = bytes;
    }
    let reader = WarcReader::new(BufReader::new(plain.as_slice()));
    let record = |record: Result<warc::Record<warc::BufferedBody>, _>| {
        let record = record.unwrap();
        let id = record.warc_id().trim_matches(['<', '>']).to_owned();
        (id, (record.warc_type().clone(), record.body().to_vec()))
    };
    reader.iter_records().map(record).collect()
}

/// The gzip members of a file.
fn members(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut rest, mut members) = (bytes, Vec::new());
    while !rest.is_empty() {
        let mut left = rest;
        let mut member = flate2::bufread::GzDecoder::new(&mut left);
        member.read_to_end(&mut Vec::new()).unwrap();
        let (one, after) = rest.split_at(rest.len() - left.len());
        members.push(one);
        rest = after;
    }
    members
}

#[test]
fn a_filtered_crawl_is_a_crawl_of_the_same_bytes() {
    let work = temp();
    let out = work.path().join("out");
    Huller::extract(sample(), &out).args(["--format", "warc,jsonl"]).run().exits(0);
    Huller::new().arg("verify").arg(&out).run().exits(0);
    let file = out.join("sample.warc.gz");
    let all: HashMap<_, _> = records(&sample()).into_iter().collect();
    let found = records(&file);
    let rows = json_lines(&plain(&out.join("sample.jsonl.zst")));
    assert_eq!(found[0].1.0, RecordType::WarcInfo);
    assert_eq!(found.len(), rows.len() + 1);
    for ((id, record), row) in found[1..].iter().zip(&rows) {
        assert_eq!(id, &format!("urn:uuid:{}", row["id"].as_str().unwrap()));
        assert!(*record == all[id], "{id}");
    }
    // Members are copied, and the rows of the new crawl lead to the same bytes.
    let (old, new) = (fs::read(sample()).unwrap(), fs::read(&file).unwrap());
    let copied = members(&new);
    for (member, row) in copied[1..].iter().zip(&rows) {
        let number = |name: &str| row[name].as_u64().unwrap() as usize;
        let (offset, length) = (number("warc_record_offset"), number("warc_record_length"));
        assert!(*member == &old[offset..offset + length], "{offset}");
    }
    let again = work.path().join("again");
    Huller::extract(&file, &again).run().exits(0);
    let rows_again = json_lines(&plain(&again.join("sample.jsonl.zst")));
    assert_eq!(rows.len(), rows_again.len());
    for ((row, member), other) in rows.iter().zip(&copied[1..]).zip(&rows_again) {
        assert_eq!(row["text"], other["text"]);
        let offset = other["warc_record_offset"].as_u64().unwrap() as usize;
        assert!(new[offset..].starts_with(member));
    }
}

#[test]
fn every_compression_and_every_input_gives_records_that_others_read() {
    let work = temp();
    let lines = work.path().join("pages.jsonl");
    fs::write(&lines, "{\"html\":\"<p>Some text of a page\",\"url\":\"http://a/\"}\n").unwrap();
    let html = work.path().join("page.html");
    fs::write(&html, "<p>Some text of a page").unwrap();
    for (input, count) in [(sample(), 41), (lines, 1), (html, 1)] {
        for (compress, name) in [("none", "warc"), ("gzip", "warc.gz"), ("zstd", "warc.zst")] {
            let out = work.path().join("out");
            let run = Huller::extract(&input, &out).args(["--format", "warc", "--conversions"]);
            run.args(["--compress", compress, "--overwrite"]).run().exits(0);
            Huller::new().arg("verify").arg(&out).run().exits(0);
            let file = find(&out, name);
            let plain_file = work.path().join("plain.warc");
            match compress {
                "zstd" => {
                    let bytes = zstd::decode_all(fs::read(&file).unwrap().as_slice()).unwrap();
                    fs::write(&plain_file, bytes).unwrap();
                }
                _ => _ = fs::copy(&file, &plain_file).unwrap(),
            }
            let found = records(&plain_file);
            let texts = found.iter().filter(|(_, (kind, _))| *kind == RecordType::Conversion);
            assert_eq!((found.len(), texts.count()), (2 * count + 1, count), "{compress}");
        }
    }
}

/// Returns the output whose name ends so.
fn find(out: &Path, suffix: &str) -> std::path::PathBuf {
    let mut names: Vec<_> = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.to_str().unwrap().ends_with(suffix));
    assert_eq!(names.len(), 1, "{suffix}");
    names.remove(0)
}

#[test]
fn a_crawl_without_duplicates_has_the_records_of_the_kept_rows() {
    let work = temp();
    let rows = work.path().join("rows");
    Huller::extract(sample(), &rows).run().exits(0);
    let archives = sample().parent().unwrap().to_owned();
    let out = work.path().join("out");
    let dedup = |rows: &Path, out: &Path| Huller::new().arg("dedup").arg(rows).arg("-o").arg(out);
    dedup(&rows, &out).arg("--archives").arg(&archives).run().exits(0);
    Huller::new().arg("verify").arg(&out).run().exits(0);
    let lines = work.path().join("lines");
    dedup(&rows, &lines).run().exits(0);
    let kept = json_lines(&plain(&lines.join("sample.jsonl.zst")));
    let found = records(&out.join("sample.warc.gz"));
    let ids: Vec<_> =
        kept.iter().map(|row| format!("urn:uuid:{}", row["id"].as_str().unwrap())).collect();
    assert_eq!(found[1..].iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(), ids);
    // Signatures serve a later run as those of rows do.
    let later = work.path().join("later");
    dedup(&rows, &later).arg("--against").arg(&out).run().exits(0);
    assert_eq!(stats(&later)["total"]["written"], 0);

    // Rows whose records are not there are counted.
    let other = work.path().join("other");
    let empty = work.path().join("archives");
    fs::create_dir(&empty).unwrap();
    dedup(&rows, &other)
        .arg("--archives")
        .arg(&empty)
        .run()
        .exits(1)
        .says("the archives do not have records at");
    let total = &stats(&other)["total"];
    assert_eq!(
        (&total["written"], &total["failed"]["not_where_indexed"]),
        (&0.into(), &ids.len().into())
    );
    dedup(&rows, &other)
        .args(["--archives", "nowhere"])
        .run()
        .exits(2)
        .says("not a folder of archives");
}

#[test]
fn carved_records_are_the_chosen_ones() {
    let work = temp();
    let file = work.path().join("chosen.warc.gz");
    let carve = |options: &[&str]| {
        Huller::new().arg("records").arg(sample()).args(options).arg("--write").arg(&file).run()
    };
    carve(&["--type", "request"]).exits(0).says("46 of 96 records written");
    let all = records(&sample());
    let requests: Vec<_> = all.iter().filter(|(_, it)| it.0 == RecordType::Request).collect();
    let found = records(&file);
    assert_eq!(found[1..].iter().collect::<Vec<_>>(), requests);
    let old = fs::read(sample()).unwrap();
    let new = fs::read(&file).unwrap();
    let holds = |member: &&[u8]| old.windows(member.len()).any(|window| window == *member);
    assert!(members(&new)[1..].iter().take(3).all(holds), "members are copied");

    carve(&["--status", "404"]).exits(0);
    assert!(records(&file).len() < 5, "an earlier file is replaced");
    let carved = fs::read(&file).unwrap();
    Huller::new().arg("records").arg(sample()).arg("--write").arg(sample()).run().exits(2);
    let other = work.path().join("chosen.txt");
    let bad = Huller::new().arg("records").arg(sample()).arg("--write").arg(other).run();
    bad.exits(2).says("must end with .warc.gz");
    assert_eq!(fs::read(&file).unwrap(), carved);
}

#[test]
fn a_revisit_has_the_page_of_the_record_to_which_it_refers() {
    let work = temp();
    let record = |kind: &str, date: &str, fields: &str, block: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{date}>\r\n\
             WARC-Target-URI: http://a.org/\r\nWARC-Date: {date}\r\n{fields}\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let first = record(
        "response",
        "2024-01-01T00:00:00Z",
        "WARC-Payload-Digest: sha1:ABC\r\n",
        &format!("{head}<p>The page as it was first seen"),
    );
    let known =
        record("revisit", "2024-02-01T00:00:00Z", "WARC-Payload-Digest: sha1:ABC\r\n", head);
    let lost = record("revisit", "2024-03-01T00:00:00Z", "WARC-Payload-Digest: sha1:XYZ\r\n", head);
    let january = work.path().join("january.warc");
    fs::write(&january, first).unwrap();
    let february = work.path().join("february.warc");
    fs::write(&february, known + &lost).unwrap();
    let index = work.path().join("index.cdxj");
    let entry = "org,a)/ 20240101000000 {\"url\":\"http://a.org/\",\"digest\":\"ABC\",\
                 \"filename\":\"january.warc\",\"offset\":\"0\"}\n";
    fs::write(&index, entry).unwrap();
    let out = work.path().join("out");
    let formats = ["--format", "jsonl,warc"];
    let run = Huller::extract(&february, &out).arg("--revisits-from").arg(&index).args(formats);
    run.run().exits(0);
    let total = &stats(&out)["total"];
    assert_eq!(
        (&total["written"], &total["skipped"]["unresolved_revisit"]),
        (&1.into(), &1.into()),
        "{total}"
    );
    let rows = json_lines(&plain(&out.join("february.jsonl.zst")));
    assert_eq!(rows[0]["text"], "The page as it was first seen");
    assert_eq!(rows[0]["date"], "2024-02-01T00:00:00Z");
    assert_eq!(rows[0]["warc_filename"], "february.warc");
    let found = records(&out.join("february.warc.gz"));
    assert_eq!(found[1].1.0, RecordType::Response);
    assert!(found[1].1.1.ends_with(b"<p>The page as it was first seen"));
    Huller::extract(&february, work.path().join("plain")).run().exits(0).says("revisit");
    // Another index gives other rows, so no run goes on with it.
    fs::write(&index, entry.replace("ABC", "XYZ")).unwrap();
    let again = Huller::extract(&february, &out).arg("--revisits-from").arg(&index).args(formats);
    again.arg("--resume").run().exits(3);
}

/// The words and links of HTML, as `tl` reads them.
fn read_by_tl(html: &str) -> (Vec<String>, Vec<String>) {
    let unescape = |text: &str| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        text.replace("&nbsp;", "\u{a0}").replace("&amp;", "&")
    };
    let page = tl::parse(html, tl::ParserOptions::default()).unwrap();
    let (mut text, mut links) = (String::new(), Vec::new());
    for node in page.nodes() {
        match node {
            tl::Node::Raw(bytes) => text.push_str(&bytes.as_utf8_str()),
            tl::Node::Tag(tag) => {
                text.push(' ');
                if tag.name() == "a"
                    && let Some(Some(link)) = tag.attributes().get("href")
                {
                    links.push(unescape(&link.as_utf8_str()));
                }
            }
            tl::Node::Comment(_) => {}
        }
    }
    let text = unescape(&text);
    (text.split_whitespace().map(str::to_owned).collect(), links)
}

#[test]
fn another_reader_finds_the_same_words_and_links_in_clean_html() {
    let work = temp();
    let out = work.path().join("out");
    let run = Huller::extract(sample(), &out).args(["--html", "--extractor", "body"]);
    run.run().exits(0);
    let rows = json_lines(&plain(&out.join("sample.jsonl.zst")));
    let mut links_found = 0;
    for row in &rows {
        let html = row["html"].as_str().unwrap();
        let (words, links) = read_by_tl(html);
        // Our own reading of the same HTML.
        let page = work.path().join("page.html");
        fs::write(&page, html).unwrap();
        let ours = Huller::extract(&page, "-").args(["--extractor", "body"]);
        let ours = ours.args(["--text-without", "lists,scripts"]).run().exits(0);
        let text = ours.rows()[0]["text"].as_str().unwrap().to_owned();
        let joined = |words: &[String]| words.concat();
        let text_words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        let letters =
            |text: String| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        assert_eq!(letters(joined(&words)), letters(joined(&text_words)), "{}", row["url"]);
        let marked = html.matches("<a href=\"").count();
        assert_eq!(links.len(), marked, "{}", row["url"]);
        links_found += marked;
    }
    assert!(links_found > 500 && rows.len() > 40, "{links_found}");
}
