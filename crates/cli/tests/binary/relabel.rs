//! `huller relabel`: rows get the texts of labelled blocks, and all other rows keep their bytes.

use crate::support::{Huller, assert_same, contents, json_lines, plain, sample, string, temp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A number with as many digits as a score has.
const BELOW: &str = "0.8999999761581421";

/// Makes a run with escalated pages, and labels for all of them: the blocks with a word `the`.
fn labelled(folder: &Path) -> BTreeMap<String, String> {
    let at = |name: &str| folder.join(name);
    let run = Huller::extract(sample(), at("rows")).args(["--markdown", "--stages", "language"]);
    run.arg("--escalate").arg(at("hard")).args(["--below", BELOW]).run().exits(0);
    let (mut labels, mut texts) = (String::new(), BTreeMap::new());
    for page in json_lines(&plain(&at("hard/sample.jsonl.zst"))) {
        let blocks = page["blocks"].as_array().unwrap();
        let content = blocks.iter().enumerate().filter(|(_, block)| {
            block["text"].as_str().is_some_and(|text| text.split(' ').any(|word| word == "the"))
        });
        let content: Vec<_> = content.collect();
        let numbers: Vec<_> = content.iter().map(|(number, _)| number).collect();
        let id = string(&page, "id");
        labels += &(json!({ "id": id, "content": numbers }).to_string() + "\n");
        let text: Vec<_> = content.iter().map(|(_, block)| string(block, "text")).collect();
        texts.insert(id.to_owned(), text.join("\n"));
    }
    fs::write(at("labels.jsonl"), labels).unwrap();
    texts
}

fn relabel(folder: &Path) -> Huller {
    let relabel = Huller::new().arg("relabel").arg(folder.join("rows"));
    relabel.arg("--labels").arg(folder.join("labels.jsonl"))
}

fn lines(folder: &Path) -> Vec<String> {
    let bytes = plain(&folder.join("rows/sample.jsonl.zst"));
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn labelled_rows_get_the_text_of_their_blocks_and_others_keep_their_bytes() {
    let folder = temp();
    let texts = labelled(folder.path());
    let before = lines(folder.path());
    let whole = contents(folder.path());
    let dry = relabel(folder.path()).arg("--dry-run").run().exits(0);
    assert!(dry.text().contains("rows that would change"), "{}", dry.text());
    assert_same(&whole, &contents(folder.path()));
    relabel(folder.path()).run().exits(0);
    let after = lines(folder.path());
    assert_eq!(before.len(), after.len());
    let mut changed = 0;
    for (before, after) in before.iter().zip(&after) {
        let row: Value = serde_json::from_str(after).unwrap();
        let Some(text) = texts.get(string(&row, "id")) else {
            assert_eq!(before, after);
            continue;
        };
        assert_eq!(string(&row, "text"), text);
        if before == after {
            continue;
        }
        changed += 1;
        assert_eq!((&row["extractor"], &row["markdown"]), (&json!("labels"), &Value::Null));
        assert_eq!((&row["score"], &row["language"]), (&Value::Null, &Value::Null));
        let old: Value = serde_json::from_str(before).unwrap();
        for name in ["id", "url", "title", "status", "comments", "warc_record_offset"] {
            assert_eq!(row[name], old[name], "{name}");
        }
    }
    assert!(changed > 2, "{changed}");
    Huller::new().arg("verify").arg(folder.path().join("rows")).run().exits(0);

    // A second time changes nothing, and a resumed run takes the folder as it is.
    let whole = contents(folder.path());
    relabel(folder.path()).run().exits(0);
    assert_same(&whole, &contents(folder.path()));
    let at = |name: &str| folder.path().join(name);
    let run = Huller::extract(sample(), at("rows")).args(["--markdown", "--stages", "language"]);
    let run = run.arg("--escalate").arg(at("hard")).args(["--below", BELOW, "--resume"]);
    run.run().exits(0);
    assert_eq!(lines(folder.path()), after);
}

#[test]
fn a_killed_command_leaves_whole_files_and_ends_the_same_when_repeated() {
    let whole = temp();
    labelled(whole.path());
    relabel(whole.path()).run().exits(0);
    let expected = contents(whole.path());
    let trials = if std::env::var_os("HULLER_FULL").is_some() { 50 } else { 6 };
    for trial in 0..trials {
        let folder = temp();
        labelled(folder.path());
        let mut child = relabel(folder.path()).spawn();
        std::thread::park_timeout(Duration::from_millis(trial * 40 / trials));
        child.kill().unwrap();
        child.wait().unwrap();
        // The repeated command completes the changes that the killed one had noted.
        relabel(folder.path()).run().exits(0);
        Huller::new().arg("verify").arg(folder.path().join("rows")).run().exits(0);
        assert_same(&expected, &contents(folder.path()));
    }
}

#[test]
fn labels_that_fit_no_page_are_counted_and_change_nothing() {
    let folder = temp();
    labelled(folder.path());
    let hard = json_lines(&plain(&folder.path().join("hard/sample.jsonl.zst")));
    let id = string(&hard[0], "id");
    let lines = [json!({"id": "nobody", "content": [0]}), json!({"id": id, "content": [100_000]})];
    let lines = lines.map(|line| line.to_string()).join("\n");
    fs::write(folder.path().join("labels.jsonl"), lines).unwrap();
    let before = contents(folder.path());
    let ran = relabel(folder.path()).run().exits(1);
    for line in ["labels of pages not escalated", "labels of blocks that pages lack"] {
        assert!(ran.text().contains(line), "{}", ran.text());
    }
    assert_same(&before, &contents(folder.path()));
    fs::write(folder.path().join("labels.jsonl"), "{\"id\":\"a\"}\n").unwrap();
    let before = contents(folder.path());
    relabel(folder.path()).run().exits(1).says("line 1: missing field `content`");
    assert_same(&before, &contents(folder.path()));
}

#[test]
fn runs_that_cannot_be_relabelled_are_refused_with_the_remedy() {
    let folder = temp();
    labelled(folder.path());
    let at = |name: &str| folder.path().join(name);
    let relabel = |corpus: &str| {
        let relabel = Huller::new().arg("relabel").arg(at(corpus));
        relabel.arg("--labels").arg(at("labels.jsonl")).run()
    };
    Huller::extract(sample(), at("plain")).run().exits(0);
    relabel("plain").exits(2).says("make it with --escalate");
    let run = Huller::extract(sample(), at("both")).args(["--format", "jsonl,csv"]);
    run.arg("--escalate").arg(at("hard2")).args(["--below", "0.9"]).run().exits(0);
    relabel("both").exits(2).says("other formats or a schema");
    let run = Huller::extract(sample(), at("cut")).arg("--passages").arg(at("passages"));
    run.arg("--escalate").arg(at("hard3")).args(["--below", "0.9"]).run().exits(0);
    relabel("cut").exits(2).says("passages").says("huller refine");
    relabel("missing").exits(1);
}
