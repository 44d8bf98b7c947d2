//! Which files a corpus has, and where their signatures are.

use crate::error::DedupError;
use huller_corpus::{is_row_file, output_name, row_file_endings, stem_of};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// Folder of the run files in a corpus, relative to it.
pub(crate) const RUN_FILES: &str = "_huller";

/// The journal of a run among its run files.
const RUN_JOURNAL: &str = "run.journal";

/// Folder of the signatures among them.
pub(crate) const SIGNATURES: &str = "signatures";

/// A file of rows.
#[derive(Clone, Debug)]
pub(crate) struct CorpusFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its name in accounts: its path below the folder that was given, or its own name.
    pub(crate) name: String,
    /// The path of its output below the output folder: its name, or that with another ending.
    pub(crate) output: String,
    /// Bytes as they are stored.
    pub(crate) bytes: u64,
}

impl CorpusFile {
    fn new(path: PathBuf, name: String, bytes: u64) -> CorpusFile {
        let output = output_name(&name);
        CorpusFile { path, name, output, bytes }
    }
}

/// The same files with outputs that are Parquet.
pub(crate) fn as_parquet(mut files: Vec<CorpusFile>) -> Result<Vec<CorpusFile>, DedupError> {
    for file in &mut files {
        file.output = format!("{}.parquet", stem_of(&file.name).unwrap_or(&file.name));
    }
    refuse_alike(&files)?;
    Ok(files)
}

/// Where the signatures of a file are, below the folder of run files that it belongs to.
pub(crate) fn signatures_of(root: &Path, name: &str) -> PathBuf {
    root.join(RUN_FILES).join(SIGNATURES).join(format!("{name}.sig"))
}

/// The files of these corpora, in the order of the arguments, those of a folder in the order of their paths. What lies in `out` is no input.
pub(crate) fn files(corpora: &[PathBuf], out: &Path) -> Result<Vec<CorpusFile>, DedupError> {
    let mut files = Vec::new();
    for corpus in corpora {
        let metadata = fs::metadata(corpus).map_err(DedupError::input(corpus))?;
        if metadata.is_dir() {
            folder(corpus, out, &mut files)?;
        } else {
            let name = corpus.file_name().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| no_utf8(corpus))?;
            files.push(CorpusFile::new(corpus.clone(), name.to_owned(), metadata.len()));
        }
    }
    refuse_alike(&files)?;
    Ok(files)
}

/// Adds the files of a folder.
fn folder(root: &Path, out: &Path, files: &mut Vec<CorpusFile>) -> Result<(), DedupError> {
    let out = fs::canonicalize(out).ok();
    let canonical = fs::canonicalize(root).map_err(DedupError::input(root))?;
    if out.as_ref() == Some(&canonical) {
        let problem = format!("'{}' is both the corpus and the output", root.display());
        return Err(DedupError::Usage(problem));
    }
    let before = files.len();
    let also = other_formats(root)?;
    let walk = WalkDir::new(root).sort_by_file_name().follow_links(true).into_iter();
    let walk = walk.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        let is_ours = name == RUN_FILES || name == "_SUCCESS" || name.ends_with(".part");
        let is_hidden = name.starts_with('.');
        let is_out = entry.file_type().is_dir()
            && out.is_some()
            && fs::canonicalize(entry.path()).ok() == out;
        entry.depth() == 0 || !(is_ours || is_hidden || is_out)
    });
    for entry in walk {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(root).to_owned();
            DedupError::Input { path, source: error.into() }
        })?;
        if entry.file_type().is_dir() {
            continue;
        }
        let path = entry.into_path();
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let Some(name) = relative.to_str() else { return Err(no_utf8(&path)) };
        if also.contains(name) {
            continue;
        }
        if !is_row_file(name) {
            return Err(not_rows(&path));
        }
        let name = name.to_owned();
        let bytes = fs::metadata(&path).map_err(DedupError::input(&path))?.len();
        files.push(CorpusFile::new(path, name, bytes));
    }
    if files.len() == before {
        let problem = format!("'{}' has no files of rows ({})", root.display(), row_file_endings());
        return Err(DedupError::Usage(problem));
    }
    Ok(())
}

/// The files of a run with several formats that have the rows of others again: what its journal lists under `also`. Without it rows would be
/// read twice, so that it cannot be read is an error.
fn other_formats(root: &Path) -> Result<HashSet<String>, DedupError> {
    #[derive(Deserialize)]
    struct Entry {
        #[serde(default)]
        also: Vec<Output>,
    }
    #[derive(Deserialize)]
    struct Output {
        output: String,
    }
    let path = root.join(RUN_FILES).join(RUN_JOURNAL);
    let journal = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(DedupError::input(&path))?,
    };
    let lines = journal.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<Entry>(line).ok());
    Ok(entries.flat_map(|entry| entry.also).map(|file| file.output).collect())
}

fn no_utf8(path: &Path) -> DedupError {
    DedupError::Usage(format!("the name of '{}' is no UTF-8", path.display()))
}

fn not_rows(path: &Path) -> DedupError {
    DedupError::Usage(format!(
        "'{}' is no file of rows ({}): name the files to take, or move it elsewhere",
        path.display(),
        row_file_endings()
    ))
}

/// Refuses two files that would have one output.
fn refuse_alike(files: &[CorpusFile]) -> Result<(), DedupError> {
    let mut seen: HashMap<&str, &Path> = HashMap::new();
    for file in files {
        if let Some(other) = seen.insert(&file.output, &file.path) {
            return Err(DedupError::Usage(format!(
                "'{}' and '{}' have one output, {}: put the corpora into one folder, or rename one",
                other.display(),
                file.path.display(),
                file.output
            )));
        }
    }
    Ok(())
}

/// Where the signatures of a file may be: below each folder that it lies in.
pub(crate) fn stored_signatures(path: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(path).ok()?;
    path.ancestors().skip(1).find_map(|root| {
        let name = path.strip_prefix(root).ok()?.to_str()?;
        Some(signatures_of(root, name)).filter(|signatures| signatures.is_file())
    })
}

/// The files of signatures of earlier corpora: of a folder those in its run files, or if it has none all in it; or a file that is named.
/// The output cannot be one of them.
pub(crate) fn earlier(corpora: &[PathBuf], out: &Path) -> Result<Vec<PathBuf>, DedupError> {
    let out = fs::canonicalize(out).ok();
    let mut files = Vec::new();
    for corpus in corpora {
        if out.is_some() && fs::canonicalize(corpus).ok() == out {
            let problem = format!("'{}' is both --against and the output", corpus.display());
            return Err(DedupError::Usage(problem));
        }
        let metadata = fs::metadata(corpus).map_err(DedupError::input(corpus))?;
        if !metadata.is_dir() {
            files.push(corpus.clone());
            continue;
        }
        let within = corpus.join(RUN_FILES).join(SIGNATURES);
        let root = if within.is_dir() { within } else { corpus.clone() };
        let before = files.len();
        for entry in WalkDir::new(&root).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(&root).to_owned();
                DedupError::Input { path, source: error.into() }
            })?;
            if entry.path().extension().is_some_and(|extension| extension == "sig") {
                files.push(entry.into_path());
            }
        }
        if files.len() == before {
            return Err(DedupError::Usage(format!(
                "'{}' has no signatures: make them with `huller refine --stages signature` or `huller dedup`",
                corpus.display()
            )));
        }
    }
    Ok(files)
}

/// The name of a file of rows by that of its signatures: `old/a.jsonl` for `old/_huller/signatures/a.jsonl.sig`.
pub(crate) fn name_by_signatures(path: &Path) -> String {
    let parts: Vec<_> = path.components().collect();
    let within = parts.windows(2).rposition(|two| {
        two == [Component::Normal(RUN_FILES.as_ref()), Component::Normal(SIGNATURES.as_ref())]
    });
    let kept: PathBuf = parts
        .iter()
        .enumerate()
        .filter(|(at, _)| within.is_none_or(|within| *at != within && *at != within + 1))
        .map(|(_, part)| part)
        .collect();
    kept.with_extension("").display().to_string()
}

/// The file of rows that signatures of an earlier corpus are of.
pub(crate) fn rows_of(signatures: &Path) -> Result<CorpusFile, DedupError> {
    let name = name_by_signatures(signatures);
    let path = PathBuf::from(&name);
    match fs::metadata(&path) {
        Ok(metadata) => Ok(CorpusFile::new(path, name, metadata.len())),
        Err(error) => Err(DedupError::Usage(format!(
            "to verify takes the texts of earlier corpora too, and '{name}' cannot be read ({error})"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_whose_journal_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.jsonl"), "").unwrap();
        fs::create_dir_all(folder.path().join("_huller/run.journal")).unwrap();
        let found = files(&[folder.path().to_owned()], Path::new("elsewhere"));
        assert!(found.unwrap_err().to_string().contains("run.journal"));
    }

    #[test]
    fn files_come_in_order_and_run_files_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("in");
        for name in [
            "b/x.jsonl.zst",
            "a.jsonl",
            "c.ndjson.gz",
            "_huller/run.account",
            "_SUCCESS",
            "d.jsonl.part",
            ".hidden",
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let out = root.join("out");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("z.jsonl"), "").unwrap();
        let names =
            |files: Vec<CorpusFile>| files.into_iter().map(|file| file.name).collect::<Vec<_>>();
        let found = files(&[root.join("c.ndjson.gz"), root.clone()], &out);
        assert!(found.unwrap_err().to_string().contains("have one output, c.ndjson.gz"));
        let found = files(std::slice::from_ref(&root), &out).unwrap();
        assert_eq!(names(found), ["a.jsonl", "b/x.jsonl.zst", "c.ndjson.gz"]);
        assert!(files(std::slice::from_ref(&root), &root).is_err());
        fs::write(root.join("table.orc"), "").unwrap();
        let refused = files(std::slice::from_ref(&root), &out).unwrap_err().to_string();
        assert!(refused.contains("table.orc' is no file of rows"), "{refused}");
        // What is given by name is read, whatever it is called.
        let table = files(&[root.join("table.orc")], &out).unwrap();
        assert_eq!((table[0].name.as_str(), table[0].output.as_str()), ("table.orc", "table.orc"));
        fs::remove_file(root.join("table.orc")).unwrap();
        fs::write(root.join("a.parquet"), "").unwrap();
        let refused = files(&[root.join("a.parquet"), root.join("a.csv")], &out);
        assert!(refused.is_err());
        let alone = files(&[root.join("a.parquet")], &out).unwrap();
        assert_eq!(
            (alone[0].name.as_str(), alone[0].output.as_str()),
            ("a.parquet", "a.jsonl.zst")
        );
    }

    #[test]
    fn folders_that_are_links_are_walked_as_what_they_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        let (real, corpus) = (folder.path().join("real"), folder.path().join("corpus"));
        fs::create_dir(&real).unwrap();
        fs::write(real.join("a.jsonl"), "").unwrap();
        std::os::unix::fs::symlink(&real, &corpus).unwrap();
        let names = |root: &Path| -> Vec<String> {
            let found = files(&[root.to_owned()], Path::new("elsewhere")).unwrap();
            found.into_iter().map(|file| file.name).collect()
        };
        assert_eq!(names(&corpus), ["a.jsonl"]);
        let above = folder.path().join("above");
        fs::create_dir(&above).unwrap();
        std::os::unix::fs::symlink(&real, above.join("month")).unwrap();
        std::os::unix::fs::symlink(real.join("a.jsonl"), above.join("b.jsonl")).unwrap();
        assert_eq!(names(&above), ["b.jsonl", "month/a.jsonl"]);
        // A circle has no end, which is an error.
        std::os::unix::fs::symlink(&above, above.join("c")).unwrap();
        assert!(files(&[above], Path::new("elsewhere")).is_err());
    }

    #[test]
    fn names_of_earlier_rows_are_those_of_their_files() {
        for (path, name) in [
            ("old/_huller/signatures/a/b.jsonl.zst.sig", "old/a/b.jsonl.zst"),
            ("kept/a.jsonl.sig", "kept/a.jsonl"),
        ] {
            assert_eq!(name_by_signatures(Path::new(path)), name);
        }
    }
}
