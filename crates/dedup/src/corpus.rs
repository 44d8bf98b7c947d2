//! Lists the files that a run reads, and finds their signatures.

use crate::error::DedupError;
use crate::settings::OutputFormat;
use huller_archive::Stores;
use huller_corpus::{CorpusError, output_name, stem_of};
use huller_run::options::OutputTo;
use huller_run::plan::{Job, JobSource, Plan, PlanOptions, name_of};
use huller_run::run_files::paths::RUN_FILES;
use huller_run::signature_file::{self, FOLDER as SIGNATURES};
use std::fs;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// A file of rows.
#[derive(Clone, Debug)]
pub(crate) struct CorpusFile {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// Opens URLs.
    pub(crate) stores: Stores,
    /// Its name in statistics: its path below the given folder, or its own name.
    pub(crate) name: String,
    /// The name of its output, relative to the output folder.
    pub(crate) output: String,
    /// Stored bytes (compressed), if known.
    pub(crate) bytes: Option<u64>,
}

/// Plans a run over corpora: an output for each file of rows, with the whole name of the output.
/// Files that can hold no rows are unusable.
pub(crate) fn plan(
    corpora: &[PathBuf],
    out: &Path,
    stores: &Stores,
    format: &OutputFormat,
) -> Result<Plan, DedupError> {
    let canonical = fs::canonicalize(out).ok();
    let is_out =
        |corpus: &&PathBuf| canonical.is_some() && fs::canonicalize(corpus).ok() == canonical;
    if let Some(corpus) = corpora.iter().find(is_out) {
        let problem = format!("'{}' is both the corpus and the output", corpus.display());
        return Err(DedupError::Usage(problem));
    }
    let (outputs, stores) = (vec![out.to_owned()], stores.clone());
    let mut plan = Plan::new(corpora, &PlanOptions { outputs, stores, ..PlanOptions::default() })?;
    for job in std::mem::take(&mut plan.jobs) {
        match rows_output(&job, format) {
            Ok(output) => plan.jobs.push(Job { output, ..job }),
            Err(problem) => plan.unusable.push((job.name, problem)),
        }
    }
    plan.check_outputs(&OutputTo::Folder(out.to_owned()), "")?;
    Ok(plan)
}

/// Returns the output of a job, relative to the output folder. It has the name of the input, except
/// for format and compression.
fn rows_output(job: &Job, format: &OutputFormat) -> Result<PathBuf, String> {
    let JobSource::File(path) = &job.source else {
        return Err(CorpusError::Pages.to_string());
    };
    // A pipe would have no bytes left for the second reading.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err("dedup reads it several times, but it is a pipe: write it to a file".to_owned());
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or("its name is not UTF-8: rename it")?;
    let stem = stem_of(name).unwrap_or(name);
    let name = match format.rows() {
        Some(rows) => format!("{stem}{}", rows.format.suffix(rows.layout.compression)),
        None if *format == OutputFormat::Warc => format!("{stem}.warc.gz"),
        None => output_name(name),
    };
    Ok(job.output.with_file_name(name))
}

/// Returns the files of a plan.
pub(crate) fn files(plan: &Plan) -> Vec<CorpusFile> {
    let file = |job: &Job| CorpusFile {
        path: job.files().next().map(Path::to_owned).unwrap_or_default(),
        stores: plan.stores.clone(),
        name: job.name.clone(),
        output: name_of(&job.output),
        bytes: job.bytes,
    };
    plan.jobs.iter().map(file).collect()
}

/// Returns the path of a file's stored signatures, which are looked for below each folder above the
/// file.
pub(crate) fn stored_signatures(path: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(path).ok()?;
    path.ancestors().skip(1).find_map(|root| {
        let name = name_of(path.strip_prefix(root).ok()?);
        Some(signature_file::path_of(root, &name)).filter(|signatures| signatures.is_file())
    })
}

/// Returns the files of signatures of earlier corpora. For a folder these are the signatures in its
/// run files, or else all signatures in it; a named file is taken itself. The output cannot be one
/// of them.
pub(crate) fn earlier_signatures(
    corpora: &[PathBuf],
    out: &Path,
) -> Result<Vec<PathBuf>, DedupError> {
    let out = fs::canonicalize(out).ok();
    let mut files = Vec::new();
    for corpus in corpora {
        if out.is_some() && fs::canonicalize(corpus).ok() == out {
            let problem = format!("'{}' is both --against and the output", corpus.display());
            return Err(DedupError::Usage(problem));
        }
        let metadata = fs::metadata(corpus).map_err(DedupError::input_error(corpus))?;
        if !metadata.is_dir() {
            files.push(corpus.clone());
            continue;
        }
        let signature_folder = corpus.join(RUN_FILES).join(SIGNATURES);
        let root = if signature_folder.is_dir() { signature_folder } else { corpus.clone() };
        let count_before = files.len();
        for entry in WalkDir::new(&root).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(&root).to_owned();
                DedupError::Input { path, source: error.into() }
            })?;
            if entry.path().extension().is_some_and(|extension| extension == "sig") {
                files.push(entry.into_path());
            }
        }
        if files.len() == count_before {
            return Err(DedupError::Usage(format!(
                "'{}' has no signatures: make them with `huller refine --stages signature` or `huller dedup`",
                corpus.display()
            )));
        }
    }
    Ok(files)
}

/// Returns the name of a file of rows by the name of its signatures: `old/a.jsonl` for
/// `old/_huller/signatures/a.jsonl.sig`.
pub(crate) fn name_by_signatures(path: &Path) -> String {
    let components: Vec<_> = path.components().collect();
    let folder_index = components.windows(2).rposition(|two| {
        two == [Component::Normal(RUN_FILES.as_ref()), Component::Normal(SIGNATURES.as_ref())]
    });
    let kept_path: PathBuf = components
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            folder_index
                .is_none_or(|folder_index| *index != folder_index && *index != folder_index + 1)
        })
        .map(|(_, component)| component)
        .collect();
    kept_path.with_extension("").display().to_string()
}

/// Returns the file of rows that belongs to signatures of an earlier corpus.
pub(crate) fn rows_of(signatures: &Path) -> Result<CorpusFile, DedupError> {
    let name = name_by_signatures(signatures);
    let path = PathBuf::from(&name);
    match fs::metadata(&path) {
        Ok(metadata) => Ok(CorpusFile {
            path,
            stores: Stores::default(),
            output: String::new(),
            bytes: Some(metadata.len()),
            name,
        }),
        Err(error) => Err(DedupError::Usage(format!(
            "verification needs the texts of the earlier corpora, but '{name}' cannot be read \
             ({error})"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::RowsFormat;
    use huller_row::{Layout, formats};

    #[test]
    fn outputs_are_named_as_inputs_are() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("in");
        for name in ["b/x.jsonl.zst", "a.jsonl", "c.csv.gz", "d.jsonl.part", "e.html", "f.parquet"]
        {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let plan = |out: &Path, format| {
            super::plan(std::slice::from_ref(&root), out, &Stores::default(), format)
        };
        let out = folder.path().join("out");
        let found = plan(&out, &OutputFormat::Lines).unwrap();
        assert_eq!(found.unusable.len(), 1, "{:?}", found.unusable);
        let outputs: Vec<_> = files(&found).into_iter().map(|file| file.output).collect();
        assert_eq!(outputs, ["a.jsonl", "b/x.jsonl.zst", "c.jsonl.zst", "f.jsonl.zst"]);
        let parquet = RowsFormat::new(formats::find("parquet").unwrap(), Layout::default());
        let parquet = OutputFormat::Rows(Box::new(parquet));
        let found = plan(&out, &parquet).unwrap();
        assert_eq!(files(&found)[1].output, "b/x.parquet");
        assert!(plan(&root, &OutputFormat::Lines).is_err());
        // An output that would overwrite its input is refused.
        assert!(
            super::plan(&[root.join("a.jsonl")], &root, &Stores::default(), &OutputFormat::Lines)
                .is_err()
        );
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
