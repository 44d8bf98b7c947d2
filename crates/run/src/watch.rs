//! Whether an input still holds the bytes that were read of it.
//!
//! Reading it once more tells for sure, and costs as much as reading it did. So it is read again
//! only where its files may have been changed: where the file system gives another time of change
//! than before.

use crate::plan::{Job, Source};
use huller_archive::{InputDigest, InputFile, Seen, Stores, planned_seen, shown};
use std::io;
use std::path::Path;

/// An input that was read.
pub struct Watch<'a> {
    /// The job that read it.
    pub job: &'a Job,
    /// The stores that its addresses lead to.
    pub stores: &'a Stores,
    /// Longest page that is used, in bytes: a file of HTML is read one byte further at most.
    pub max_page_bytes: usize,
    /// When it was changed last, before anything of it was read.
    pub modified: Option<u64>,
}

impl Watch<'_> {
    /// Says that the input is not what it was when the run began: a program is still writing it, or
    /// has put other bytes in its place. `None` if it is what was `seen` of it.
    pub fn changed(&self, seen: Seen) -> Option<String> {
        self.changed_since(seen.bytes, &seen.digest())
    }

    /// Says that an input that the run continued is another than the one whose first `read` bytes,
    /// with this digest, an earlier run had read. `compared` is its version when these bytes were
    /// compared; `self.modified` is that from which the run continued. `None` if it is the same.
    pub fn changed_since_checkpoint(
        &self,
        compared: Option<u64>,
        read: u64,
        digest: &str,
    ) -> Option<String> {
        let Watch { job, stores, max_page_bytes, modified: opened } = *self;
        let is_elsewhere = job.files().any(|file| stores.is_elsewhere(file));
        // A store gives all bytes of the version that was opened.
        let now = if is_elsewhere { opened } else { modified(job, stores) };
        if (now.is_some() && now == compared) || is_same(job, stores, max_page_bytes, read, digest)?
        {
            return None;
        }
        let name = &job.name;
        Some(format!("'{name}' changed while the run was resumed: the bytes before are others"))
    }

    /// As [`Watch::changed`], of an input of which so many bytes were read, with this digest.
    pub fn changed_since(&self, read: u64, digest: &str) -> Option<String> {
        let name = match &self.job.source {
            Source::File(path) | Source::Indexed { path, .. } => {
                if self.modified.is_some() && self.stores.is_elsewhere(path) {
                    // Each of its bytes was read of one version, or reading it has failed.
                    return None;
                }
                shown(path).display().to_string()
            }
            Source::Html(_) | Source::Stdin => self.job.name.clone(),
        };
        // A file that was removed during the run was still read to its end.
        let now = length(self.job, self.stores)?;
        if let Some(then) = self.job.bytes.filter(|then| *then != now) {
            let what = format!("it had {then} bytes at first, {now} at the end");
            return Some(format!("'{name}' changed during the run: {what}"));
        }
        let Watch { job, stores, max_page_bytes, modified: then } = *self;
        let now = modified(job, stores);
        if (now.is_some() && now == then) || is_same(job, stores, max_page_bytes, read, digest)? {
            return None;
        }
        let what = "it has as many bytes as at first, and they are others";
        Some(format!("'{name}' changed during the run: {what}"))
    }
}

/// The digest of the pages of a folder: each page as far as it is read, and after it how many bytes
/// that was.
pub fn add_page_end(digest: &mut InputDigest, bytes: usize) {
    digest.update(&(bytes as u64).to_le_bytes());
}

/// Most bytes of a page that are read. One more than is used shows that the page is longer.
pub fn most_of_page(max_page_bytes: usize) -> u64 {
    (max_page_bytes as u64).saturating_add(1)
}

/// Which version of the files of an input is there: when they were changed last in nanoseconds
/// since 1970, or what stands for that in a store, added up. `None` for what has no such time.
pub fn modified(job: &Job, stores: &Stores) -> Option<u64> {
    let version = |file: &Path| regular(file, stores)?.version();
    let versions = job.files().map(version).collect::<Option<Vec<_>>>()?;
    (!versions.is_empty()).then(|| versions.into_iter().fold(0, u64::wrapping_add))
}

/// As [`modified`], but asks no store of an archive, which tells its version when it is opened.
pub fn modified_here(job: &Job, stores: &Stores) -> Option<u64> {
    match &job.source {
        Source::File(path) | Source::Indexed { path, .. } if stores.is_elsewhere(path) => None,
        _ => modified(job, stores),
    }
}

/// Whether the first `bytes` bytes that a run reads of an input have this digest. `None` if they
/// cannot be read.
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

fn read_again(job: &Job, stores: &Stores, max_page_bytes: usize, bytes: u64) -> io::Result<Seen> {
    match &job.source {
        Source::File(path) => match regular(path, stores) {
            Some(file) => Seen::of(file, bytes),
            None => Err(io::ErrorKind::NotSeekable.into()),
        },
        Source::Indexed { path, records } if regular(path, stores).is_some() => {
            planned_seen(stores, path, records, bytes)
        }
        Source::Html(files) => {
            let mut digest = InputDigest::default();
            for file in files {
                let before = digest.seen().bytes;
                if before >= bytes {
                    break;
                }
                // A page that could not be read was as good as empty.
                if let Ok(mut page) = stores.open(&file.path) {
                    digest.read(&mut page, most_of_page(max_page_bytes))?;
                }
                let read = (digest.seen().bytes - before) as usize;
                add_page_end(&mut digest, read);
            }
            Ok(digest.seen())
        }
        Source::Indexed { .. } | Source::Stdin => Err(io::ErrorKind::NotSeekable.into()),
    }
}

/// The length of all files in bytes. `None` if the archive is gone, or is no regular file; a page
/// that is gone counts as empty, since it may not have been read.
fn length(job: &Job, stores: &Stores) -> Option<u64> {
    let length = |path: &Path| regular(path, stores)?.length().ok()?;
    match &job.source {
        Source::File(path) | Source::Indexed { path, .. } => length(path),
        Source::Html(pages) => Some(pages.iter().filter_map(|page| length(&page.path)).sum()),
        Source::Stdin => None,
    }
}

/// A file that can be read again. What cannot, such as a pipe, is not opened: that could wait.
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
        let source = Source::File(path.clone());
        let job = Job { name, source, output: PathBuf::from("a"), bytes: Some(12) };
        let stores = Stores::default();
        let compared = modified(&job, &stores);
        assert!(compared.is_some());
        let digest = Seen::of(&b"first "[..], 6).unwrap().digest();
        let watch = Watch { job: &job, stores: &stores, max_page_bytes: 1000, modified: compared };
        assert_eq!(watch.changed_since_checkpoint(compared, 6, &digest), None);
        // The same time stands for the same bytes; another one is looked into.
        assert_eq!(watch.changed_since_checkpoint(Some(1), 6, &digest), None);
        fs::write(&path, "third second").unwrap();
        assert!(watch.changed_since_checkpoint(Some(1), 6, &digest).is_some());
        fs::write(&path, "first fourth").unwrap();
        assert_eq!(watch.changed_since_checkpoint(Some(1), 6, &digest), None);
    }
}
