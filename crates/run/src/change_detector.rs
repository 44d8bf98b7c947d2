//! Detects whether an input still holds the bytes that were read.
//!
//! A second read is certain, and costs as much as the first. So an input is read again only if its
//! files may have changed, that is, if the file system reports another time of change.

use crate::plan::{Job, JobSource};
use huller_archive::{InputDigest, InputFile, PrefixDigest, Stores, planned_digest, redact_url};
use std::io;
use std::path::Path;

/// An input that was read.
pub struct ChangeDetector<'a> {
    /// The job that read it.
    pub job: &'a Job,
    /// The object storage that the URLs of the input lead to.
    pub stores: &'a Stores,
    /// Longest page that is used, in bytes. At most one more byte of an HTML file is read.
    pub max_page_bytes: usize,
    /// Time of the last change, taken before anything was read.
    pub modified: Option<u64>,
}

impl ChangeDetector<'_> {
    /// Returns a message if the input changed since the run began. Another program is still writing
    /// it, or has replaced its bytes. `None` if it still has the bytes `seen`.
    pub fn change_message(&self, seen: PrefixDigest) -> Option<String> {
        self.changed_since(seen.bytes, &seen.digest())
    }

    /// Returns a message if the run continued an input whose first `read` bytes no longer have this
    /// digest. An earlier run read those bytes. `compared` is the version of the input when this
    /// run compared them; `self.modified` is the version that it continued.
    pub fn changed_since_checkpoint(
        &self,
        compared: Option<u64>,
        read: u64,
        digest: &str,
    ) -> Option<String> {
        let ChangeDetector { job, stores, max_page_bytes, modified: opened } = *self;
        let is_elsewhere = job.files().any(|file| stores.is_elsewhere(file));
        // All bytes from object storage are of the version that was opened.
        let now = if is_elsewhere { opened } else { modified(job, stores) };
        if (now.is_some() && now == compared) || is_same(job, stores, max_page_bytes, read, digest)?
        {
            return None;
        }
        let name = &job.name;
        Some(format!(
            "'{name}' changed before the run was resumed: the part that was read has \
            other content"
        ))
    }

    /// Like [`ChangeDetector::change_message`], for an input of which `read` bytes with this digest
    /// were read.
    pub fn changed_since(&self, read: u64, digest: &str) -> Option<String> {
        let name = match &self.job.source {
            JobSource::File(path) | JobSource::Indexed { path, .. } => {
                if self.modified.is_some() && self.stores.is_elsewhere(path) {
                    // Each byte was read from one version, or reading failed.
                    return None;
                }
                redact_url(path).display().to_string()
            }
            JobSource::Html(_) | JobSource::Stdin => self.job.name.clone(),
        };
        // A file that was removed during the run was still read to its end.
        let now = length(self.job, self.stores)?;
        if let Some(then) = self.job.bytes.filter(|then| *then != now) {
            let problem = format!("it had {then} bytes at the start and {now} at the end");
            return Some(format!("'{name}' changed during the run: {problem}"));
        }
        let ChangeDetector { job, stores, max_page_bytes, modified: then } = *self;
        let now = modified(job, stores);
        if (now.is_some() && now == then) || is_same(job, stores, max_page_bytes, read, digest)? {
            return None;
        }
        let problem = "it has the same size as at the start, but other content";
        Some(format!("'{name}' changed during the run: {problem}"))
    }
}

/// Ends a page in the digest of a folder of pages. The digest covers each page as far as it is
/// read, followed by that number of bytes.
pub fn add_page_end(digest: &mut InputDigest, bytes: usize) {
    digest.update(&(bytes as u64).to_le_bytes());
}

/// Returns the most bytes of a page that are read. One byte more than the limit shows that the page
/// is longer.
pub fn page_limit(max_page_bytes: usize) -> u64 {
    (max_page_bytes as u64).saturating_add(1)
}

/// Returns the version of the input's files: the sum of their times of change in nanoseconds since
/// 1970, or of their versions in object storage. `None` if a file has no such time.
pub fn modified(job: &Job, stores: &Stores) -> Option<u64> {
    let version = |file: &Path| regular(file, stores)?.version();
    let versions = job.files().map(version).collect::<Option<Vec<_>>>()?;
    (!versions.is_empty()).then(|| versions.into_iter().fold(0, u64::wrapping_add))
}

/// Like [`modified`], but sends no request for an archive in object storage. Such an archive
/// reports its version when it is opened.
pub fn modified_without_request(job: &Job, stores: &Stores) -> Option<u64> {
    match &job.source {
        JobSource::File(path) | JobSource::Indexed { path, .. } if stores.is_elsewhere(path) => {
            None
        }
        _ => modified(job, stores),
    }
}

/// Whether the first `bytes` bytes of an input have this digest. `None` if they cannot be read.
pub fn is_same(
    job: &Job,
    stores: &Stores,
    max_page_bytes: usize,
    bytes: u64,
    digest: &str,
) -> Option<bool> {
    let seen = read_again(job, stores, max_page_bytes, bytes).ok()?;
    Some(seen.bytes == bytes && seen.digest() == digest)
}

fn read_again(
    job: &Job,
    stores: &Stores,
    max_page_bytes: usize,
    bytes: u64,
) -> io::Result<PrefixDigest> {
    match &job.source {
        JobSource::File(path) => match regular(path, stores) {
            Some(file) => PrefixDigest::compute(file, bytes),
            None => Err(io::ErrorKind::NotSeekable.into()),
        },
        JobSource::Indexed { path, records } if regular(path, stores).is_some() => {
            planned_digest(stores, path, records, bytes)
        }
        JobSource::Html(files) => {
            let mut digest = InputDigest::default();
            for file in files {
                let before = digest.prefix_digest().bytes;
                if before >= bytes {
                    break;
                }
                // A page that could not be read counts as empty.
                if let Ok(mut page) = stores.open(&file.path) {
                    digest.read(&mut page, page_limit(max_page_bytes))?;
                }
                let read = (digest.prefix_digest().bytes - before) as usize;
                add_page_end(&mut digest, read);
            }
            Ok(digest.prefix_digest())
        }
        JobSource::Indexed { .. } | JobSource::Stdin => Err(io::ErrorKind::NotSeekable.into()),
    }
}

/// Returns the length of all files in bytes. `None` if the archive is missing or not a regular
/// file. A missing page counts as empty, since it may not have been read.
fn length(job: &Job, stores: &Stores) -> Option<u64> {
    let length = |path: &Path| regular(path, stores)?.length().ok()?;
    match &job.source {
        JobSource::File(path) | JobSource::Indexed { path, .. } => length(path),
        JobSource::Html(pages) => Some(pages.iter().filter_map(|page| length(&page.path)).sum()),
        JobSource::Stdin => None,
    }
}

/// Opens a file that can be read again. A pipe or the like is not opened, since that could block.
fn regular(path: &Path, stores: &Stores) -> Option<InputFile> {
    if !stores.is_elsewhere(path) && !path.metadata().ok()?.is_file() {
        return None;
    }
    stores.open(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    #[test]
    fn an_input_that_changed_since_its_checkpoint_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "first second").unwrap();
        let name = "a.jsonl".to_owned();
        let source = JobSource::File(path.clone());
        let job = Job { name, source, output: PathBuf::from("a"), bytes: Some(12) };
        let stores = Stores::default();
        let compared = modified(&job, &stores);
        assert!(compared.is_some());
        let digest = PrefixDigest::compute(&b"first "[..], 6).unwrap().digest();
        let detector =
            ChangeDetector { job: &job, stores: &stores, max_page_bytes: 1000, modified: compared };
        assert_eq!(detector.changed_since_checkpoint(compared, 6, &digest), None);
        // The same time means the same bytes; after another time the bytes are read.
        assert_eq!(detector.changed_since_checkpoint(Some(1), 6, &digest), None);
        fs::write(&path, "third second").unwrap();
        assert!(detector.changed_since_checkpoint(Some(1), 6, &digest).is_some());
        fs::write(&path, "first fourth").unwrap();
        assert_eq!(detector.changed_since_checkpoint(Some(1), 6, &digest), None);
    }
}
