//! Chooses where a run writes outputs for object storage before they are uploaded.

use crate::args::RunArgs;
use crate::stores;
use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use huller_archive::{is_remote, redact_url};
use huller_pipeline::{OutputTo, Uploads};
use std::fs;
use std::path::{Path, PathBuf};

/// The place that a run writes to.
pub(crate) struct RunDestination {
    /// The folder, or standard output.
    pub(crate) output: OutputTo,
    /// The destination of uploads, if the output is in object storage.
    pub(crate) uploads: Option<Uploads>,
    /// Deletes the temporary staging folder on drop.
    _temporary: Option<Temporary>,
}

impl RunDestination {
    /// Prepares the place that these arguments name.
    pub(crate) fn prepare(args: &RunArgs) -> Result<RunDestination> {
        for path in [&args.rejects, &args.dropped].into_iter().flatten() {
            if is_remote(path) {
                let path = redact_url(path).display().to_string();
                bail!(UsageError(format!(
                    "cannot write to '{path}': --rejects and --dropped take only local paths"
                )));
            }
        }
        let output = args.output_to();
        let OutputTo::Folder(address) = &output else {
            return RunDestination::in_folder(args, output);
        };
        if !is_remote(address) || address.exists() {
            return RunDestination::in_folder(args, output);
        }
        let shown_output = redact_url(address).display().to_string();
        let address =
            address.to_str().ok_or_else(|| UsageError(format!("'{shown_output}' is not UTF-8")))?;
        let store = stores::folder(address)
            .map_err(|error| UsageError(format!("cannot write to '{shown_output}': {error}")))?;
        let uploads = Uploads { store, most_bytes: args.staging_size };
        let (folder, temporary) = match &args.staging {
            // A dry run must leave no folder.
            Some(staging) if !args.dry_run => (staging.join(uploads.staging_name()), None),
            _ => {
                let temporary = temporary().context(
                    "cannot create a folder for files to upload: choose one with --staging",
                )?;
                (folder_of(&temporary).to_owned(), Some(temporary))
            }
        };
        let output = OutputTo::Folder(folder);
        Ok(RunDestination { output, uploads: Some(uploads), _temporary: temporary })
    }

    fn in_folder(args: &RunArgs, output: OutputTo) -> Result<RunDestination> {
        if args.staging.is_some() {
            bail!(UsageError(
                "--staging is for outputs at URLs, such as -o s3://bucket/corpus".to_owned()
            ));
        }
        Ok(RunDestination { output, uploads: None, _temporary: None })
    }

    /// Returns the folder that the run writes in.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match &self.output {
            OutputTo::Folder(folder) => Some(folder.clone()),
            OutputTo::Stdout => None,
        }
    }

    /// Returns the final path or URL of an output file, for the user.
    pub(crate) fn display_path(&self, file: &Path) -> String {
        match &self.uploads {
            Some(uploads) => uploads.object(&huller_pipeline::name_of(file)),
            None => self.folder().unwrap_or_default().join(file).display().to_string(),
        }
    }

    /// Removes a staging folder after all files have been uploaded.
    pub(crate) fn clear(&self) {
        let Some(folder) = self.folder().filter(|_| self.uploads.is_some()) else { return };
        if folder.join("_SUCCESS").exists() {
            // Files that cannot be removed are harmless.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(feature = "remote")]
type Temporary = tempfile::TempDir;

/// Makes a temporary folder for this run.
#[cfg(feature = "remote")]
fn temporary() -> std::io::Result<Temporary> {
    tempfile::Builder::new().prefix("huller-staging-").tempdir()
}

#[cfg(feature = "remote")]
fn folder_of(temporary: &Temporary) -> &Path {
    temporary.path()
}

/// A placeholder for builds that cannot upload.
#[cfg(not(feature = "remote"))]
type Temporary = PathBuf;

#[cfg(not(feature = "remote"))]
fn temporary() -> std::io::Result<Temporary> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(not(feature = "remote"))]
fn folder_of(temporary: &Temporary) -> &Path {
    temporary
}
