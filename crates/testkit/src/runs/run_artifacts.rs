//! Reads the artifacts of a run from its output folder.

use super::expected::{Counts, EntryCounts};
use super::records::Marker;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A line of the journal.
#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    pub(super) input: String,
    pub(super) input_bytes: u64,
    /// `None` if there are no rows.
    output: Option<String>,
    /// The outputs of an input that has several.
    #[serde(default)]
    files: Vec<File>,
    pub(super) rejects_bytes: Option<u64>,
    #[serde(rename = "account")]
    pub(super) counters: EntryCounts,
}

/// One of several outputs.
#[derive(Debug, Deserialize)]
struct File {
    output: String,
}

impl Entry {
    /// Returns the entry of an input with one output.
    #[cfg(test)]
    pub(super) fn new(input: &str, input_bytes: u64, output: &str, counters: EntryCounts) -> Entry {
        Entry {
            input: input.to_owned(),
            input_bytes,
            output: Some(output.to_owned()),
            files: Vec::new(),
            rejects_bytes: None,
            counters,
        }
    }

    /// Returns the outputs of the input in order.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &String> {
        self.output.iter().chain(self.files.iter().map(|file| &file.output))
    }
}

/// The statistics.
#[derive(Debug, Deserialize)]
pub(super) struct Stats {
    pub(super) inputs: Vec<StatsRow>,
    pub(super) total: EntryCounts,
    pub(super) unusable: Vec<UnusableInput>,
}

/// One input of the statistics.
#[derive(Debug, Deserialize)]
pub(super) struct StatsRow {
    pub(super) input: String,
    pub(super) bytes: u64,
    #[serde(flatten)]
    pub(super) counters: EntryCounts,
}

/// An input that was reported as unusable.
#[derive(Debug, Deserialize)]
pub(super) struct UnusableInput {
    pub(super) input: String,
    pub(super) error: String,
}

/// The fields of a row that the checks read.
#[derive(Debug, Deserialize)]
struct Row {
    /// The marker, in formats where the text may lack one.
    mark: Option<String>,
    text: String,
    truncated: Option<String>,
}

/// The artifacts of a run.
#[derive(Debug, Default)]
pub(super) struct RunArtifacts {
    pub(super) has_succeeded: bool,
    /// The journal, without a last line that lacks its end.
    pub(super) journal: Vec<Entry>,
    pub(super) stats: Option<Stats>,
    /// The markers of the rows of each output, by name, or the reason why it cannot be read.
    pub(super) outputs: BTreeMap<String, Result<Vec<Marker>, String>>,
    /// Unfinished files.
    pub(super) parts: Vec<String>,
}

impl RunArtifacts {
    /// Reads a folder. A missing folder is read as empty.
    pub(super) fn read(folder: &Path) -> io::Result<RunArtifacts> {
        let mut artifacts = RunArtifacts {
            has_succeeded: folder.join("_SUCCESS").exists(),
            ..RunArtifacts::default()
        };
        for path in files(folder)? {
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let is_output =
                [".jsonl", ".jsonl.gz", ".jsonl.zst"].iter().any(|suffix| name.ends_with(suffix));
            if is_output && !name.starts_with("_huller/") {
                artifacts.outputs.insert(name, markers(&path));
            } else if path.extension().is_some_and(|it| it == "part") {
                artifacts.parts.push(name);
            }
        }
        let files = folder.join("_huller");
        let journal = read_if_there(&files.join("run.journal"))?;
        let ended = journal.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        artifacts.journal = lines(&journal[..ended])?;
        let stats = read_if_there(&files.join("run.account"))?;
        artifacts.stats = serde_json::from_slice(&stats).ok();
        Ok(artifacts)
    }
}

/// Returns the number of rejected pages by input and reason.
pub(super) fn rejects(path: &Path) -> io::Result<BTreeMap<String, Counts>> {
    #[derive(Deserialize)]
    struct Reject {
        input: String,
        reason: String,
    }
    let mut found: BTreeMap<String, Counts> = BTreeMap::new();
    for Reject { input, reason } in lines(&read_if_there(path)?)? {
        *found.entry(input).or_default().entry(reason).or_default() += 1;
    }
    Ok(found)
}

pub(super) fn lines<T: DeserializeOwned>(text: &[u8]) -> io::Result<Vec<T>> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(io::Error::from)).collect()
}

pub(super) fn read_if_there(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// Returns the markers of the rows of an output.
fn markers(path: &Path) -> Result<Vec<Marker>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let compression = match path.extension().and_then(|extension| extension.to_str()) {
        Some("zst") => "zstd",
        Some("gz") => "gzip",
        _ => "none",
    };
    rows(&plain(&bytes, compression)?)
}

/// Returns bytes without their compression. Empty bytes are accepted for every compression.
pub(super) fn plain(bytes: &[u8], compression: &str) -> Result<Vec<u8>, String> {
    let plain = match compression {
        _ if bytes.is_empty() => Ok(Vec::new()),
        "zstd" => zstd::decode_all(bytes),
        "gzip" => {
            let mut plain = Vec::new();
            MultiGzDecoder::new(bytes).read_to_end(&mut plain).map(|_| plain)
        }
        _ => Ok(bytes.to_vec()),
    };
    plain.map_err(|error| error.to_string())
}

/// Returns the markers of rows.
pub(super) fn rows(text: &[u8]) -> Result<Vec<Marker>, String> {
    if text.last().is_some_and(|last| *last != b'\n') {
        return Err("the last row has no end".to_owned());
    }
    let rows = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    rows.map(|line| {
        let row: Row = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let mut in_text = Marker::find(&row.text);
        in_text.dedup();
        let in_row = Marker::find(std::str::from_utf8(line).map_err(|error| error.to_string())?);
        if let Some(mark) = &row.mark {
            in_text = Marker::find(mark);
        }
        match in_text[..] {
            [marker] if in_row.iter().all(|other| *other == marker) => Ok(marker),
            // A truncated page may end before the marker; its URL still contains it.
            [] if row.truncated.is_some() && !in_row.is_empty() => Ok(in_row[0]),
            _ => {
                Err(format!("a row with the markers {in_text:?} in its text and {in_row:?} in all"))
            }
        }
    })
    .collect()
}

/// Returns all files below a folder, in the order of their names.
pub(super) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
        entries => entries?,
    };
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// The identity of a file: inode, length, and time of the last change in seconds and nanoseconds.
pub(super) type Identity = (u64, u64, i64, i64);

/// The files of an output folder and its rejects, except the locks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<PathBuf, Identity>);

/// Files that every run makes and locks before it does anything else.
const LOCKS: [&str; 4] =
    ["_huller/lock", "huller.lock", ".tantivy-writer.lock", ".tantivy-meta.lock"];

impl Snapshot {
    pub(super) fn take(places: &[impl AsRef<Path>]) -> io::Result<Snapshot> {
        let mut found = BTreeMap::new();
        for place in places.iter().map(AsRef::as_ref) {
            let files = if place.is_dir() { files(place)? } else { vec![place.to_path_buf()] };
            for path in files {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // The index's library removes such leftovers first.
                if LOCKS.iter().any(|lock| path.ends_with(lock)) || name.starts_with(".tmp") {
                    continue;
                }
                if let Ok(file) = path.symlink_metadata() {
                    found.insert(path, (file.ino(), file.len(), file.mtime(), file.mtime_nsec()));
                }
            }
        }
        Ok(Snapshot(found))
    }

    pub(super) fn get(&self, path: &Path) -> Option<&Identity> {
        self.0.get(path)
    }

    /// Returns the names of the files below a folder, relative to it.
    pub(super) fn names(&self, folder: &Path) -> Vec<String> {
        let name = |path: &PathBuf| Some(path.strip_prefix(folder).ok()?.display().to_string());
        self.0.keys().filter_map(name).collect()
    }

    /// Returns the files that changed, disappeared or are new. New empty files do not count.
    pub(super) fn differences(&self, now: &Snapshot) -> Vec<String> {
        let new = now.0.iter().filter(|(path, file)| !self.0.contains_key(*path) && file.1 > 0);
        let changed = self.0.iter().filter(|(path, file)| now.0.get(*path) != Some(file));
        changed.chain(new).map(|(path, _)| path.display().to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_one_marker() {
        let [one, two] = [1, 2].map(|serial| Marker { input: 7, serial });
        let line = |text: &str, url: Marker| format!("{{\"url\":\"{url}\",\"text\":\"{text}\"}}\n");
        let good = line(&format!("so {one} and"), one) + &line(&two.to_string(), two);
        assert_eq!(rows(good.as_bytes()), Ok(vec![one, two]));
        for bad in
            [line("", one), line(&two.to_string(), one), "{}\n".to_owned(), good[..9].to_owned()]
        {
            assert!(rows(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_snapshot_notices_every_change() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "deep/b"].map(|name| folder.path().join(name));
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(&a, "a").unwrap();
        fs::write(&b, "b").unwrap();
        let take = || Snapshot::take(&[folder.path()]).unwrap();
        let before = take();
        fs::write(folder.path().join("empty"), "").unwrap();
        assert!(before.differences(&take()).is_empty());
        fs::remove_file(&b).unwrap();
        fs::write(folder.path().join("c"), "c").unwrap();
        assert_eq!(before.differences(&take()).len(), 2);
    }
}
