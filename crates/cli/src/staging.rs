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
    pub(crate) to: OutputTo,
    /// The destination of uploads, if the output is in object storage.
    pub(crate) uploads: Option<Uploads>,
    /// Removed when the program ends, unless it is killed.
    _temporary: Option<Temporary>,
}

impl RunDestination {
    /// Prepares the place that these arguments name.
    pub(crate) fn prepare(args: &RunArgs) -> Result<RunDestination> {
        for place in [&args.rejects, &args.dropped].into_iter().flatten() {
            if is_remote(place) {
                let place = redact_url(place).display().to_string();
                bail!(UsageError(format!(
                    "cannot write to '{place}': --rejects and --dropped take only local paths"
                )));
            }
        }
        let to = args.output_to();
        let OutputTo::Folder(output) = &to else { return RunDestination::in_folder(args, to) };
        if !is_remote(output) || output.exists() {
            return RunDestination::in_folder(args, to);
        }
        let shown_output = redact_url(output).display().to_string();
        let address =
            output.to_str().ok_or_else(|| UsageError(format!("'{shown_output}' is not UTF-8")))?;
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
        let to = OutputTo::Folder(folder);
        Ok(RunDestination { to, uploads: Some(uploads), _temporary: temporary })
    }

    fn in_folder(args: &RunArgs, to: OutputTo) -> Result<RunDestination> {
        if args.staging.is_some() {
            bail!(UsageError(
                "--staging is for outputs at URLs, such as -o s3://bucket/corpus".to_owned()
            ));
        }
        Ok(RunDestination { to, uploads: None, _temporary: None })
    }

    /// Returns the folder that the run writes in.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match &self.to {
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
            // A remainder is of no use and does no harm.
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
