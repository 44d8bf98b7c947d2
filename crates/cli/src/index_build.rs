//! `--index DIR`: indexes the rows of a run before the run ends.

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::index::index;
use crate::interrupt::Interrupt;
use crate::run_destination::RunDestination;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use huller_archive::{is_remote, redact_url};
use huller_corpus::is_row_file;
use huller_index::check_output;
use huller_pipeline::{OutputTo, Settings};
use std::path::{Path, PathBuf, absolute};

/// An index of the rows, built after all are written. It reads the rows back. A resumed index must
/// know each file by its lines, and an unfinished file may be written again. Reading costs little
/// compared with indexing.
pub(crate) struct IndexBuild {
    rows: PathBuf,
    index: PathBuf,
}

impl IndexBuild {
    /// Returns the requested index, if the rows can be indexed. Finds problems that would end the
    /// indexing before the run begins.
    pub(crate) fn from_args(
        args: &RunArgs,
        settings: &Settings,
        destination: &RunDestination,
    ) -> Result<Option<IndexBuild>> {
        let Some(index) = &args.index else { return Ok(None) };
        if is_remote(index) && !index.exists() {
            let index = redact_url(index).display().to_string();
            refuse(format!("cannot write to '{index}': an index must be a local folder"))?;
        }
        let OutputTo::Folder(rows) = &destination.output else {
            return refuse("--index reads the rows from files: write to a folder, not to -o -");
        };
        if destination.uploads.is_some() {
            return refuse(
                "--index reads the rows from a local folder, but the output is a URL: write to a \
                 folder and upload it, or download the rows and run `huller index` on them",
            );
        }
        if args.shard.is_some() {
            return refuse(
                "--index cannot be used with --shard: when all shards are done, run `huller \
                 index` on their rows",
            );
        }
        if settings.schema.is_some_and(huller_row::Schema::has_actions) {
            return refuse(
                "rows with the actions of a bulk request cannot be indexed: leave out --schema, or \
                 index the rows of a separate run",
            );
        }
        let suffixes = settings.output_suffixes();
        let suffix = suffixes.first().map(String::as_str).unwrap_or_default();
        if !is_row_file(&format!("a{suffix}")) {
            return refuse(format!(
                "files that end in {suffix} cannot be indexed: use --format jsonl, csv, tsv or \
                 parquet, or give one of them first"
            ));
        }
        if is_within(rows, index) {
            return refuse(format!(
                "the rows are inside the index '{}': choose another folder for one of the two",
                index.display()
            ));
        }
        check_output(index, &args.indexing())?;
        Ok(Some(IndexBuild { rows: rows.clone(), index: index.clone() }))
    }

    /// Indexes the rows. If the run did not end with success its exit status stays, unless the
    /// indexing is interrupted.
    pub(crate) fn run(&self, args: &RunArgs, interrupt: &Interrupt, of_run: Exit) -> Result<Exit> {
        let rows = std::slice::from_ref(&self.rows);
        let exit = index(rows, &self.index, &args.indexing(), args.quiet, interrupt)?;
        Ok(exit.max(of_run))
    }
}

fn refuse<T>(problem: impl Into<String>) -> Result<T> {
    bail!(UsageError(problem.into()))
}

/// Returns whether a path is a folder or leads into it, by their names: neither needs to exist.
fn is_within(path: &Path, folder: &Path) -> bool {
    match (absolute(path), absolute(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}
