//! Refuses outputs whose names differ only in upper and lower case. Some file systems (those of
//! macOS and Windows, and their mounts) treat such names as equal. The second input would then
//! replace the rows of the first.

use crate::error::RunError;
use crate::plan::Plan;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Refuses outputs whose names differ only in case, if `folds_case` returns true. `folds_case` is
/// called only if there are such outputs.
///
/// # Errors
///
/// [`RunError::OnlyCaseDiffers`], with the names of the inputs.
pub fn refuse_case_conflicts(
    plan: &Plan,
    folds_case: impl FnOnce() -> bool,
) -> Result<(), RunError> {
    let mut by_folded_name: BTreeMap<OsString, Vec<&str>> = BTreeMap::new();
    for job in &plan.jobs {
        let folded = match job.output.to_str() {
            Some(output) => OsString::from(output.to_lowercase()),
            None => job.output.clone().into_os_string(),
        };
        by_folded_name.entry(folded).or_default().push(&job.name);
    }
    by_folded_name.retain(|_, inputs| inputs.len() > 1);
    if by_folded_name.is_empty() || !folds_case() {
        return Ok(());
    }
    let groups = by_folded_name.into_values().map(|inputs| format!("'{}'", inputs.join("', '")));
    Err(RunError::OnlyCaseDiffers { inputs: groups.collect::<Vec<_>>().join("; ") })
}

/// Returns whether the file system finds an existing file under its name in upper case, too.
pub fn is_case_insensitive(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
    let other = file.with_file_name(name.to_uppercase());
    let identity = |path: &Path| path.symlink_metadata().ok().map(|file| (file.dev(), file.ino()));
    identity(&other).is_some_and(|there| Some(there) == identity(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Job, JobSource};
    use std::path::PathBuf;

    fn plan(outputs: &[&str]) -> Plan {
        let job = |output: &&str| Job {
            name: format!("{output}.warc"),
            source: JobSource::Stdin,
            output: PathBuf::from(output),
            bytes: None,
        };
        Plan { jobs: outputs.iter().map(job).collect(), ..Plan::default() }
    }

    #[test]
    fn names_that_differ_in_case_only_are_refused_where_they_are_one_file() {
        let by_folded_name = plan(&["a/Crawl", "b", "A/crawl", "\u{c4}", "\u{e4}"]);
        assert!(refuse_case_conflicts(&by_folded_name, || false).is_ok());
        let error = refuse_case_conflicts(&by_folded_name, || true).unwrap_err().to_string();
        assert!(
            error.contains("'a/Crawl.warc', 'A/crawl.warc'; '\u{c4}.warc', '\u{e4}.warc'"),
            "{error}"
        );
        let different = plan(&["a/Crawl", "b/Crawl", "b"]);
        assert!(refuse_case_conflicts(&different, || panic!("nobody need ask")).is_ok());
    }

    #[test]
    fn a_file_system_is_asked_by_a_file_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lock");
        std::fs::write(&file, "").unwrap();
        let by_listing = folder.path().join("LOCK").exists();
        assert_eq!(is_case_insensitive(&file), by_listing);
        std::fs::hard_link(&file, folder.path().join("LOCK")).unwrap_or_default();
        assert!(is_case_insensitive(&file));
    }
}
