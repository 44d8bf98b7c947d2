//! Corpora of rows, runs over them, and what runs leave.

use huller_dedup::{DedupError, Options, Settings, Summary, run};
use huller_run::monitor::SilentMonitor;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A random number that is the same in every run.
pub(crate) fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// A text of so many random words.
pub(crate) fn words(count: usize, state: &mut u64) -> Vec<String> {
    (0..count).map(|_| format!("w{:x}", random(state) >> 36)).collect()
}

/// A row whose identifier is made of a number.
pub(crate) fn row(n: u64, text: &str) -> Value {
    json!({
        "id": format!("00000000-0000-4000-8000-{n:012x}"),
        "url": format!("http://host{}.test/{n}", n % 7),
        "date": format!("2024-01-{:02}T00:00:00Z", 1 + n % 28),
        "text": text,
        "score": 0.25,
    })
}

/// Folders of a test, removed with it.
pub(crate) struct TestFolders(pub(crate) TempDir);

impl TestFolders {
    pub(crate) fn new() -> TestFolders {
        TestFolders(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, compressed by its name, and makes the folders above it.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let ending = path.extension().unwrap().to_str().unwrap();
        let bytes = if ending == "zst" {
            zstd::encode_all(content, 1).unwrap()
        } else if ending == "gz" {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(content).unwrap();
            gzip.finish().unwrap()
        } else {
            content.to_vec()
        };
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn write_rows(&self, name: &str, rows: &[Value]) -> PathBuf {
        let lines: String = rows.iter().map(|row| row.to_string() + "\n").collect();
        self.write(name, lines.as_bytes())
    }
}

pub(crate) fn threads(threads: usize) -> Options {
    Options { threads, ..Options::default() }
}

/// Runs without earlier corpora.
pub(crate) fn dedup(
    corpora: &[PathBuf],
    out: &Path,
    settings: &Settings,
    options: &Options,
) -> Result<Summary, DedupError> {
    let stop = AtomicBool::new(false);
    run(corpora, &[], out, settings, options, &mut SilentMonitor, &stop)
}

/// The rows of an output.
pub(crate) fn rows(path: &Path) -> Vec<Value> {
    let bytes = fs::read(path).unwrap();
    let text = match path.extension().unwrap().to_str().unwrap() {
        "zst" => zstd::decode_all(&*bytes).unwrap(),
        "gz" => {
            let mut text = Vec::new();
            let mut gzip = flate2::read::MultiGzDecoder::new(&*bytes);
            std::io::copy(&mut gzip, &mut text).unwrap();
            text
        }
        _ => bytes,
    };
    String::from_utf8(text)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The numbers of the rows of an output, by which [`row`] made them.
pub(crate) fn numbers(path: &Path) -> Vec<u64> {
    let number = |row: &Value| u64::from_str_radix(&row["id"].as_str().unwrap()[24..], 16).unwrap();
    rows(path).iter().map(number).collect()
}

/// All files of a folder with their bytes, but that of times.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() && entry.file_name() != "run.timing" {
            let name = entry.path().strip_prefix(root).unwrap().display().to_string();
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    files
}
