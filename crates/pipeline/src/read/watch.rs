//! Whether an input still holds the bytes that were read of it.
//!
//! Reading it once more tells for sure, and costs as much as reading it did. So it is read again only where its files may have been
//! changed: where the file system gives another time of change than before.

use crate::plan::{Job, Source};
use huller_archive::{InputDigest, Seen, planned_seen};
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// An input that was read.
pub(crate) struct Watch<'a> {
    pub(crate) job: &'a Job,
    pub(crate) max_page_bytes: usize,
    /// When it was changed last, before anything of it was read.
    pub(crate) modified: Option<u64>,
}

impl Watch<'_> {
    /// Says that the input is not what it was when the run began: a program is still writing it, or has put other bytes in its
    /// place. `None` if it is what was `seen` of it.
    pub(crate) fn changed(&self, seen: Seen) -> Option<String> {
        let name = match &self.job.source {
            Source::File(path) | Source::Indexed { path, .. } => path.display().to_string(),
            Source::Html(_) | Source::Stdin => self.job.name.clone(),
        };
        // A file that was removed during the run was still read to its end.
        let now = length(self.job)?;
        if let Some(then) = self.job.bytes.filter(|then| *then != now) {
            let what = format!("it had {then} bytes at first, {now} at the end");
            return Some(format!("'{name}' changed during the run: {what}"));
        }
        if modified(self.job) == self.modified
            || is_same(self.job, self.max_page_bytes, seen.bytes, &seen.digest())?
        {
            return None;
        }
        let what = "it has as many bytes as at first, and they are others";
        Some(format!("'{name}' changed during the run: {what}"))
    }
}

/// The digest of the pages of a folder: each page as far as it is read, and after it how many bytes that was.
pub(crate) fn add_page_end(digest: &mut InputDigest, bytes: usize) {
    digest.update(&(bytes as u64).to_le_bytes());
}

/// Most bytes of a page that are read. One more than is used shows that the page is longer.
pub(crate) fn most_of_page(max_page_bytes: usize) -> u64 {
    (max_page_bytes as u64).saturating_add(1)
}

/// When the files of an input were changed last: nanoseconds since 1970, added up. `None` for what has no such time.
pub(crate) fn modified(job: &Job) -> Option<u64> {
    let time = |file: &Path| {
        let time = regular(file)?.modified().ok()?;
        // Of a time before 1970 it is enough to know that it is one.
        Some(time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64))
    };
    let times = job.files().map(time).collect::<Option<Vec<_>>>()?;
    (!times.is_empty()).then(|| times.into_iter().fold(0, u64::wrapping_add))
}

/// Whether the first `bytes` bytes that a run reads of an input have this digest. `None` if they cannot be read.
pub(crate) fn is_same(job: &Job, max_page_bytes: usize, bytes: u64, digest: &str) -> Option<bool> {
    let seen = read_again(job, max_page_bytes, bytes).ok()?;
    Some(seen.bytes == bytes && seen.digest() == digest)
}

fn read_again(job: &Job, max_page_bytes: usize, bytes: u64) -> io::Result<Seen> {
    match &job.source {
        Source::File(path) if regular(path).is_some() => Seen::of(File::open(path)?, bytes),
        Source::Indexed { path, records } if regular(path).is_some() => {
            planned_seen(path, records, bytes)
        }
        Source::Html(files) => {
            let mut digest = InputDigest::default();
            for file in files {
                let before = digest.seen().bytes;
                if before >= bytes {
                    break;
                }
                // A page that could not be read was as good as empty.
                if let Ok(mut page) = File::open(&file.path) {
                    digest.read(&mut page, most_of_page(max_page_bytes))?;
                }
                let read = (digest.seen().bytes - before) as usize;
                add_page_end(&mut digest, read);
            }
            Ok(digest.seen())
        }
        Source::File(_) | Source::Indexed { .. } | Source::Stdin => {
            Err(io::ErrorKind::NotSeekable.into())
        }
    }
}

/// The length of all files in bytes. `None` if the archive is gone, or is no regular file; a page that is gone counts as empty, since it
/// may not have been read.
fn length(job: &Job) -> Option<u64> {
    match &job.source {
        Source::File(path) | Source::Indexed { path, .. } => Some(regular(path)?.len()),
        Source::Html(pages) => {
            Some(pages.iter().filter_map(|page| regular(&page.path)).map(|page| page.len()).sum())
        }
        Source::Stdin => None,
    }
}

fn regular(path: &Path) -> Option<Metadata> {
    path.metadata().ok().filter(Metadata::is_file)
}
