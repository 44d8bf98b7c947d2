//! Any bytes as a file of labels, as a list of pages to withdraw, and as the log of a killed
//! withdrawal (`run.redo`). They are refused or read. A log changes only files below the folder of
//! its run, and it is completed once or stays.

#![no_main]

use huller_archive::Stores;
use huller_relabel::Labels;
use huller_run::plan::each_listed;
use huller_run::run_files::redo_log::settle;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::Path;

/// The journal of a run with one output.
const JOURNAL: &str = concat!(
    r#"{"input":"a","input_bytes":9,"output":"a.jsonl","output_bytes":3,"digest":"sha256:x","#,
    r#""rejects_bytes":null,"account":{"records":0,"written":0,"skipped":{},"failed":{},"#,
    r#""repaired":{}},"config":"c"}"#,
    "\n"
);

/// Groups of the log that inputs may refer to by a line `@`.
const GROUPS: [&str; 4] = [
    r#"{"files":[{"place":{"output":"a.jsonl"},"bytes":2}],"log":["rejects",{}]}"#,
    r#"{"files":[{"place":{"output":"a.jsonl"},"bytes":null}],"log":["rejects",{}]}"#,
    r#"{"files":[{"place":{"output":"../mine"},"bytes":null}],"log":["rejects",{}]}"#,
    r#"{"files":[{"place":{"signatures":"../mine"},"bytes":4}],"log":["dropped",{"a":[1,null]}]}"#,
];

fuzz_target!(|bytes: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let file = folder.path().join("list");
    fs::write(&file, bytes).expect("there is room for the input");
    let _ = Labels::read(&file);
    let mut entries = 0;
    let _ = each_listed(&file, &Stores::default(), |entry| {
        assert!(!entry.is_empty() && entry.trim() == entry, "{entry:?}");
        entries += 1;
        Ok(())
    });
    assert!(entries <= bytes.len());
    log(folder.path(), bytes);
});

/// Lets a log be completed, and checks the files beside.
fn log(folder: &Path, bytes: &[u8]) {
    let mut log = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line {
            [b'@', number, b'\n'] => {
                log.extend_from_slice(GROUPS[usize::from(*number) % GROUPS.len()].as_bytes());
                log.push(b'\n');
            }
            // An absolute path may name any file of this machine.
            line if !line.contains(&b'/') => log.extend_from_slice(line),
            _ => {}
        }
    }
    let (root, mine) = (folder.join("run"), folder.join("mine"));
    let at = |name: &str| root.join(name);
    let redo = at("_huller/run.redo");
    fs::create_dir_all(at("_huller")).expect("a new folder");
    for (path, content) in [
        (at("_huller/run.journal"), JOURNAL.as_bytes()),
        (redo.clone(), &log[..]),
        (at("a.jsonl"), b"old"),
        (at("a.jsonl.part"), b"22"),
        (mine.clone(), b"mine"),
    ] {
        fs::write(path, content).expect("there is room for the input");
    }
    let settled = settle(&root);
    assert_eq!(fs::read(mine).expect("it stays"), b"mine");
    assert_eq!(settled.is_ok(), !redo.exists(), "{settled:?}");
    if let Ok(rows) = fs::read(at("a.jsonl")) {
        assert!(rows == b"old" || rows == b"22");
    }
    // A second time nothing is left to do, or the same problem is there.
    assert_eq!(settle(&root).is_ok(), settled.is_ok());
}
