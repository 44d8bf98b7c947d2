//! Names, headers and pages of strangers: none of them reaches a terminal raw, or a file elsewhere.

use crate::support::{Huller, json_lines, repository, rows, sample, stats, temp};
use huller_testkit::pack::gzip;
use serde_json::json;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Escape sequences that clear the screen, set the title and reverse the text; the last begins with
/// a C1 control, which terminals obey too.
const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}\u{9b}31m\u{7f}";

/// A record of a page.
fn record(url: &[u8], html: &[u8]) -> Vec<u8> {
    let mut http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8; x=".to_vec();
    http.extend_from_slice(url);
    http.extend_from_slice(b"\r\n\r\n");
    http.extend_from_slice(html);
    let mut record = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ".to_vec();
    record.extend_from_slice(url);
    record.extend_from_slice(b"\r\nWARC-Record-ID: ");
    record.extend_from_slice(url);
    record.extend_from_slice(b"\r\nWARC-Date: ");
    record.extend_from_slice(url);
    record.extend_from_slice(format!("\r\nContent-Length: {}\r\n\r\n", http.len()).as_bytes());
    record.extend_from_slice(&http);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// An archive of a page full of control characters, one of bytes that are no UTF-8, and one that is
/// cut.
fn archive() -> Vec<u8> {
    let words = "All the words of a page that is long enough to be one. ".repeat(9);
    let html = format!(
        "<title>{EVIL}a title</title><meta name=author content='{EVIL}Ann'>\
         <meta name=description content='{EVIL}d'><h1>{EVIL}a title</h1><p>{EVIL}{words}</p>"
    );
    let mut bytes = gzip(&record(format!("http://x.test/{EVIL}").as_bytes(), html.as_bytes()));
    bytes.extend(gzip(&record(b"http://y.test/\xff\xfe\"\\\xc2", html.as_bytes())));
    let cut = gzip(&record(format!("http://z.test/{EVIL}").as_bytes(), html.as_bytes()));
    bytes.extend_from_slice(&cut[..cut.len() / 2]);
    bytes
}

/// Checks that the text holds no escape sequence that a terminal obeys.
#[track_caller]
fn assert_harmless(text: &str) {
    let bad = |c: &char| c.is_control() && !matches!(c, '\n' | '\t') || *c == '\u{202e}';
    assert_eq!(text.chars().find(bad), None, "{text:?}");
}

#[test]
fn nothing_in_an_archive_is_obeyed_by_a_terminal() {
    let folder = temp();
    let input = folder.path().join(format!("{EVIL}.warc.gz"));
    fs::write(&input, archive()).unwrap();
    let output = folder.path().join(format!("out{EVIL}"));

    let ran = Huller::extract(&input, &output).arg("--dry-run").run().exits(0);
    assert_harmless(ran.text());
    let ran = Huller::extract(&input, &output).env("RUST_LOG", "trace").run().exits(0);
    assert!(ran.stderr.contains("finished"), "logs are shown: {}", ran.stderr);
    assert_harmless(&ran.stderr);
    for more in [&[][..], &["--resume", "--extractor", "body"], &["--overwrite", "--rejects", "/"]]
    {
        let ran = Huller::extract(&input, &output).args(more).run();
        assert!(ran.code != Some(0) && !ran.stderr.is_empty());
        assert_harmless(&ran.stderr);
    }
    let missing = folder.path().join(format!("missing{EVIL}.warc"));
    assert_harmless(
        &Huller::extract(&missing, "x").current_dir(folder.path()).run().exits(1).stderr,
    );
    let ran = Huller::new().arg("records").arg(&input).arg(&missing).run().exits(1);
    assert_harmless(&ran.stderr);
    assert!(ran.text().contains("http://x.test/\\u{1b}[2J"), "{}", ran.text());
    assert_harmless(ran.text());
    fs::remove_file(output.join(format!("{EVIL}.jsonl.zst"))).unwrap();
    let ran = Huller::new().args(["verify", "-q"]).arg(&output).run().exits(1);
    assert!(ran.text().contains("\\u{1b}]0;owned\\u{7}"), "{}", ran.text());
    assert_harmless(ran.text());
    for command in ["extract", "records", "verify", "eval"] {
        let ran = Huller::new().arg(command).arg(format!("--{EVIL}")).run().exits(2);
        assert!(ran.stderr.contains("Usage"), "{}", ran.stderr);
        assert_harmless(&ran.stderr);
    }
}

#[test]
fn json_is_valid_utf8_without_control_characters_whatever_headers_and_pages_hold() {
    let folder = temp();
    let input = folder.path().join(format!("{EVIL}.warc.gz"));
    fs::write(&input, archive()).unwrap();
    let rejects = folder.path().join("rejects.jsonl");
    let output = folder.path().join("out");
    let extract = |to: &Path| {
        let settings =
            ["--source-html", "--compress", "none", "--extractor", "hull,body", "--digest"];
        Huller::extract(&input, to).args(settings).arg("--rejects").arg(&rejects).run().exits(0)
    };
    let to_stdout = extract(Path::new("-"));
    fs::remove_file(&rejects).unwrap();
    extract(&output);
    let listed = Huller::new().args(["records", "--json"]).arg(&input).run().exits(0);
    let mut files = vec![to_stdout.stdout, listed.stdout, fs::read(&rejects).unwrap()];
    for name in ["run.journal", "run.account", "run.timing"] {
        files.push(fs::read(output.join("_huller").join(name)).unwrap());
    }
    for bytes in files {
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(!json_lines(&bytes).is_empty());
        let bad = |c: &char| c.is_control() && *c != '\n';
        assert_eq!(text.chars().find(bad), None, "{text:?}");
    }
    // The run has changed nothing.
    let found = rows(output.join(format!("{EVIL}.jsonl")));
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["url"], format!("http://x.test/{EVIL}"));
    assert_eq!(found[1]["url"], "http://y.test/ÿþ\"\\Â");
    assert!(found[0]["source_html"].as_str().unwrap().contains(EVIL));
}

#[test]
fn inputs_with_names_that_are_no_utf8_are_told_apart() {
    let folder = temp();
    let name = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let html = |word: &str| format!("{}\n", json!({ "html": format!("<p>{word} words") }));
    let inputs = folder.path().join("in");
    fs::create_dir(&inputs).unwrap();
    for (bytes, word) in
        [(&b"a\xff.jsonl"[..], "one"), (b"a\xfe.jsonl", "two"), (b"a\\xff.jsonl", "three")]
    {
        fs::write(inputs.join(name(bytes)), html(word)).unwrap();
    }
    let output = folder.path().join("out");
    Huller::extract(&inputs, &output).run().exits(0);
    let names: Vec<_> = stats(&output)["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| input["input"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["a\\\\xff.jsonl", "a\\xfe.jsonl", "a\\xff.jsonl"]);
    assert_eq!(rows(output.join(name(b"a\xff.jsonl.zst")))[0]["text"], "one words");
    let ids: std::collections::BTreeSet<_> =
        [&b"a\xff.jsonl.zst"[..], b"a\xfe.jsonl.zst", b"a\\xff.jsonl.zst"]
            .iter()
            .map(|bytes| rows(output.join(name(bytes)))[0]["id"].to_string())
            .collect();
    assert_eq!(ids.len(), 3, "pages without identifiers get one each");
    Huller::new().args(["verify", "-q"]).arg(&output).run().exits(0);
    // A resumed run finds everything done.
    let ran = Huller::extract(&inputs, &output).arg("--resume").run().exits(0);
    ran.says("3 of them finished by an earlier run");
}

#[test]
fn a_name_that_is_too_long_costs_its_input_alone() {
    let folder = temp();
    let inputs = folder.path().join("in");
    fs::create_dir(&inputs).unwrap();
    for len in [3, 238, 239, 250] {
        fs::copy(sample(), inputs.join(format!("{}.warc", "n".repeat(len)))).unwrap();
    }
    let output = folder.path().join("out");
    let ran = Huller::extract(&inputs, &output).run().exits(1);
    ran.says("a name of more than 255 bytes").says("2 more could not be used");
    assert_eq!(rows(output.join(format!("{}.jsonl.zst", "n".repeat(238)))).len(), 41);
}

#[test]
fn paths_cannot_lead_out_of_the_output_folder() {
    let folder = temp();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let input = outside.join("a.warc.gz");
    fs::copy(sample(), &input).unwrap();
    fs::copy(sample(), outside.join("...gz")).unwrap();
    let manifest = folder.path().join("list.paths");
    let names = [
        "outside/../outside/../../../../../../no/such.warc",
        "outside/./../outside/a.warc.gz",
        "outside/...gz",
        "a\0b.warc",
        "outside/a.warc.gz\u{1b}[2J",
    ];
    fs::write(&manifest, names.join("\n")).unwrap();
    let output = folder.path().join("deep/er/out");
    let ran = Huller::extract(&manifest, &output).run().exits(1);
    ran.says("3 more could not be used");
    let mut found = Vec::new();
    for entry in fs::read_dir(&output).unwrap() {
        found.push(entry.unwrap().file_name().into_string().unwrap());
    }
    found.sort();
    assert_eq!(found, ["...jsonl.zst", "_huller", "a.jsonl.zst"]);
    assert_eq!(fs::read_dir(folder.path().join("deep/er")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 2);
}

#[test]
fn nothing_is_written_through_links_in_the_output_folder() {
    let folder = temp();
    let treasure = folder.path().join("treasure");
    let inputs = folder.path().join("in");
    fs::create_dir_all(inputs.join("sub")).unwrap();
    fs::copy(sample(), inputs.join("sub/a.warc.gz")).unwrap();
    for place in [
        "sub/a.jsonl.zst.part",
        "_huller/lock",
        "_huller/run.journal",
        "_huller/run.journal.new",
        "_huller/run.checkpoint",
        "_huller/run.account",
        "_huller/run.account.csv",
        "_huller/run.timing",
        "_SUCCESS",
        "_huller",
        "sub",
    ] {
        for target_is_there in [true, false] {
            let output = temp();
            let link = output.path().join(place);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            let _ = fs::remove_dir_all(&treasure).and_then(|()| fs::remove_file(&treasure));
            let is_folder = matches!(place, "_huller" | "sub");
            match (target_is_there, is_folder) {
                (true, true) => fs::create_dir_all(&treasure).unwrap(),
                (true, false) => fs::write(&treasure, b"gold").unwrap(),
                (false, _) => {
                    let _ = fs::remove_file(&treasure);
                }
            }
            symlink(&treasure, &link).unwrap();
            for more in [&[][..], &["--overwrite"], &["--resume"]] {
                let ran = Huller::extract(&inputs, output.path()).args(more).run();
                ran.exits(5)
                    .says("is a symbolic link; outputs are not written through links")
                    .says("hint: ");
                assert_eq!(treasure.exists(), target_is_there, "{place}");
                match is_folder {
                    true if target_is_there => {
                        assert_eq!(fs::read_dir(&treasure).unwrap().count(), 0);
                    }
                    false if target_is_there => assert_eq!(fs::read(&treasure).unwrap(), b"gold"),
                    _ => {}
                }
            }
            if is_folder && target_is_there {
                fs::remove_dir(&treasure).unwrap();
            } else if target_is_there {
                fs::remove_file(&treasure).unwrap();
            }
        }
    }
    // A link in the place of an output is no file of an earlier run: the run is refused.
    let output = temp();
    fs::create_dir(output.path().join("sub")).unwrap();
    fs::write(&treasure, b"gold").unwrap();
    symlink(&treasure, output.path().join("sub/a.jsonl.zst")).unwrap();
    Huller::extract(&inputs, output.path()).run().exits(2);
    Huller::extract(&inputs, output.path()).arg("--overwrite").run().exits(2);
    assert_eq!(fs::read(&treasure).unwrap(), b"gold");
    // Nor is one that replaced an output.
    let output = temp();
    let written = output.path().join("sub/a.jsonl.zst");
    Huller::extract(&inputs, output.path()).run().exits(0);
    assert_eq!(rows(&written).len(), 41);
    fs::remove_file(&written).unwrap();
    symlink(&treasure, &written).unwrap();
    Huller::extract(&inputs, output.path()).arg("--overwrite").run().exits(2);
    assert_eq!(fs::read(&treasure).unwrap(), b"gold");
}

#[test]
fn reports_hold_nothing_of_pages_that_a_browser_or_a_terminal_obeys() {
    let folder = temp();
    let evil = format!("{EVIL}</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>");
    let page = format!("<p>{} </p>", "Some words that stay. ".repeat(20));
    let archive = folder.path().join("a.jsonl");
    fs::write(&archive, format!("{}\n", json!({ "id": evil, "html": page }))).unwrap();
    let gold = folder.path().join("gold.jsonl");
    let line =
        json!({ "id": evil, "dataset": evil, "page_type": evil, "text": format!("{evil} words") });
    fs::write(&gold, format!("{line}\n")).unwrap();
    for format in ["terminal", "markdown", "csv", "json", "html"] {
        let worst: &[_] = if format == "csv" { &[] } else { &["--worst", "3"] };
        let command = Huller::new().arg("eval").arg(&archive).arg("--gold").arg(&gold).args(worst);
        let ran = command.args(["--extractor", "body", "--format", format]).run().exits(0);
        assert_harmless(&ran.stderr);
        let text = ran.text();
        if format == "html" {
            assert!(text.contains("Content-Security-Policy\" content=\"default-src 'none'"));
            assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
        }
        if format == "markdown" {
            // Outside of the block of code, in which nothing is markup.
            let (tables, _) = text.split_once("```").unwrap();
            for (at, _) in tables.match_indices(['<', '>', '[', ']']) {
                assert_eq!(tables.as_bytes()[at - 1], b'\\', "{tables}");
            }
        }
        if matches!(format, "terminal" | "html" | "markdown") {
            assert_harmless(text);
        }
    }
}

/// `huller bench` starts this program again and what `--against` and `--process` name. Nothing else
/// of ours starts a program: the type with which that is done stands in its files alone.
#[test]
fn no_crate_but_the_one_that_measures_starts_a_program() {
    fn add(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" && name != "target" {
                add(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && name != "tests.rs"
            {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                if code.contains("process::Command")
                    || code.contains("process::{self, Command")
                    || code.contains("process::{Command")
                    || code.contains("libc::exec")
                {
                    found.push(path.strip_prefix(repository()).unwrap().display().to_string());
                }
            }
        }
    }
    let mut found = Vec::new();
    for krate in fs::read_dir(repository().join("crates")).unwrap().map(Result::unwrap) {
        let is_shipped = krate.file_name() != "testkit";
        let sources = krate.path().join("src");
        if is_shipped && sources.is_dir() {
            add(&sources, &mut found);
        }
    }
    found.sort();
    let expected = ["alternating_runs.rs", "extract_run.rs", "process.rs"];
    assert_eq!(found, expected.map(|name| format!("crates/bench/src/{name}")));
}

#[test]
fn the_promises_name_tests_that_are_there() {
    let text = fs::read_to_string(repository().join("SECURITY.md")).unwrap();
    let paths: Vec<_> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| [".rs", ".py", ".sh"].iter().any(|suffix| word.ends_with(suffix)))
        .collect();
    assert!(paths.len() > 10, "{paths:?}");
    for path in paths {
        assert!(repository().join(path).is_file(), "{path}");
    }
}
