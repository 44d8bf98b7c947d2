//! `huller verify`: what it says, and how it ends.

use crate::support::{Huller, contents, json_lines, sample, temp};
use std::fs::{self, File};
use std::path::Path;

fn verify(folder: &Path) -> Huller {
    Huller::new().args(["verify", "-q"]).arg(folder)
}

#[test]
fn a_finished_run_is_complete() {
    let folder = temp();
    let output = folder.path().join("out");
    Huller::extract(sample(), &output).run().exits(0);
    let before = contents(&output);
    let ran = Huller::new().arg("verify").arg("out").current_dir(folder.path()).run().exits(0);
    let size = fs::metadata(output.join("sample.jsonl.zst")).unwrap().len() as f64 / 1000.0;
    let expected = format!(
        "\
out: complete
  inputs done                              1
  outputs                                  1  {size:.1} kB
  records read                            96
  written                                 41
  rows found                              41
  damage                                   0
"
    );
    assert_eq!(ran.text(), expected);
    crate::support::assert_same(&before, &contents(&output));
}

#[test]
fn damage_is_named_in_the_table_and_as_json_and_is_exit_one() {
    let output = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    let path = output.path().join("sample.jsonl.zst");
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 1);
    fs::write(&path, bytes).unwrap();
    fs::write(output.path().join("\u{1b}[2J\u{9b}x.jsonl.zst"), b"").unwrap();

    let ran = verify(output.path()).run().exits(1);
    for word in ["DAMAGED", "size          sample.jsonl.zst: ", "digest ", "frames ", "stranger "] {
        assert!(ran.text().contains(word), "{word}: {}", ran.text());
    }
    assert!(!ran.text().contains(['\u{1b}', '\u{9b}']));

    let ran = verify(output.path()).arg("--json").run().exits(1);
    assert!(!ran.text().trim_end().contains(char::is_control), "{}", ran.text());
    let [report] = &json_lines(&ran.stdout)[..] else { panic!("{}", ran.text()) };
    assert_eq!(report["state"], "damaged");
    assert_eq!(report["inputs"], 1);
    let findings = report["findings"].as_array().unwrap();
    let stranger = findings.iter().find(|finding| finding["kind"] == "stranger").unwrap();
    assert_eq!(stranger["path"], "\u{1b}[2J\u{9b}x.jsonl.zst");
    assert_eq!(stranger["severity"], "damage");
}

#[test]
fn an_unfinished_run_is_exit_one_and_a_run_at_work_exit_four() {
    let output = temp();
    Huller::extract(sample(), output.path()).arg("no-such.warc.gz").run().exits(1);
    let ran = verify(output.path()).run().exits(1);
    assert!(ran.text().contains(": unfinished"), "{}", ran.text());
    assert!(ran.text().contains("no-such.warc.gz"), "{}", ran.text());
    let lock = File::options().write(true).open(output.path().join("_huller/lock")).unwrap();
    lock.try_lock().unwrap();
    verify(output.path()).run().exits(4).says("is locked by another run");
}

#[test]
fn folders_without_a_run_are_named_and_the_others_are_checked() {
    let output = temp();
    let empty = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    let ran = verify(empty.path()).arg(output.path()).run().exits(1).says("contains no run");
    assert!(ran.text().contains(": complete"), "{}", ran.text());
}

#[test]
fn a_folder_that_is_named_twice_is_refused() {
    let output = temp();
    Huller::extract(sample(), output.path()).run().exits(0);
    verify(output.path()).arg(output.path().join(".")).run().exits(2).says("is given twice");
}

#[test]
fn an_index_is_verified_by_its_checksums() {
    let folder = temp();
    let (out, index) = (folder.path().join("out"), folder.path().join("idx"));
    Huller::extract(sample(), &out).run().exits(0);
    Huller::new().arg("index").arg(&out).arg("-o").arg(&index).run().exits(0);
    let sound = Huller::new().arg("verify").arg(&index).arg("--json").run().exits(0);
    let report: serde_json::Value = serde_json::from_str(sound.text()).unwrap();
    assert_eq!(report["state"], "complete");
    assert_eq!(report["rows"], 41);
    assert_eq!(report["damaged"].as_array().unwrap().len(), 0);

    let store = std::fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
    let store = store.into_iter().find(|path| path.extension().is_some_and(|s| s == "store"));
    let store = store.unwrap();
    let mut bytes = std::fs::read(&store).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&store, bytes).unwrap();
    let damaged = Huller::new().arg("verify").arg(&index).run().exits(1);
    let name = store.file_name().unwrap().to_str().unwrap();
    assert!(damaged.text().contains("DAMAGED") && damaged.text().contains(name));
}
