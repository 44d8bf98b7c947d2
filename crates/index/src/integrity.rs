//! Checks the files of an index, and turns the panics of damaged files into errors.

use crate::error::IndexError;
use crate::read_only::ReadOnlyDirectory;
use crate::state::IndexState;
use crc32fast::Hasher;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::directory::Directory;
use tantivy::directory::error::OpenReadError;
use tantivy::directory::footer::Footer;
use tantivy::index::SegmentComponent;
use tantivy::{HasLen, Index, TantivyError};
use twox_hash::XxHash3_64;

/// The result of a check of all files of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// Whether the last run that built the index reached its end.
    pub is_complete: bool,
    /// Rows in the index.
    pub rows: u64,
    /// Files of the index, without its list of files.
    pub files: usize,
    /// Names of the files whose bytes differ from their checksums, sorted.
    pub damaged: Vec<String>,
}

impl Integrity {
    /// Reads every file of an index, and compares it with the checksum in it.
    ///
    /// # Errors
    ///
    /// The folder holds no index of this version, or a file is missing.
    pub fn check(path: &Path) -> Result<Integrity, IndexError> {
        let no_index = |problem| IndexError::NoIndex { path: path.to_owned(), problem };
        if !path.join("meta.json").is_file() {
            return Err(IndexError::no_meta(path));
        }
        let reading = IndexError::reading(path);
        catch_read_panics(path, || {
            let index = open_to_read(path)?;
            let meta = index.load_metas().map_err(&reading)?;
            let state = IndexState::from_index(&meta).map_err(no_index)?;
            let damaged = damaged_files(&index, path, &AtomicBool::new(false), &reading)?;
            if damaged.is_empty() {
                // Opening a reader detects damage that checksums miss.
                index.reader().map_err(&reading)?;
            }
            Ok(Integrity {
                is_complete: state
                    .is_some_and(|state| state.files.values().all(|file| file.is_complete)),
                rows: meta.segments.iter().map(|segment| u64::from(segment.num_docs())).sum(),
                files: segment_files(&index).map_err(&reading)?.len(),
                damaged,
            })
        })
    }
}

/// Opens the index in a folder without write access to it.
pub(crate) fn open_to_read(path: &Path) -> Result<Index, IndexError> {
    let reading = IndexError::reading(path);
    let folder = ReadOnlyDirectory::open(path).map_err(|error| reading(error.into()))?;
    Index::open(folder).map_err(&reading)
}

/// Returns the files of all committed segments, sorted, even if one is missing. Files of an
/// interrupted run are left out.
pub(crate) fn segment_files(index: &Index) -> Result<Vec<PathBuf>, TantivyError> {
    use SegmentComponent::{FastFields, FieldNorms, Positions, Postings, Store, Terms};
    let mut files = Vec::new();
    for segment in index.load_metas()?.segments {
        let of_every_segment = [FastFields, FieldNorms, Positions, Postings, Store, Terms];
        let of_withdrawals = segment.has_deletes().then_some(SegmentComponent::Delete);
        let components = of_every_segment.into_iter().chain(of_withdrawals);
        files.extend(components.map(|component| segment.relative_path(component)));
    }
    files.sort();
    Ok(files)
}

/// Bytes at the end of a file that hold its checksum (CRC-32) and its version.
const FOOTER_BYTES: u64 = 128;

/// Returns a digest of the end of each file of the index in a folder. The end has the checksum of
/// the file, so two files with one digest almost certainly have the same bytes.
pub(crate) fn file_digests(
    index: &Index,
    folder: &Path,
) -> Result<BTreeMap<String, String>, TantivyError> {
    let mut digests = BTreeMap::new();
    for file in segment_files(index)? {
        digests.insert(file.display().to_string(), file_digest(&folder.join(&file))?);
    }
    Ok(digests)
}

fn file_digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(FOOTER_BYTES)))?;
    let mut bytes = length.to_le_bytes().to_vec();
    file.take(FOOTER_BYTES).read_to_end(&mut bytes)?;
    Ok(format!("{:016x}", XxHash3_64::oneshot(&bytes)))
}

/// Returns the names of the files in a folder that differ from their checksums, or from those in
/// the last commit, sorted. It reads all files. `failed` converts its errors.
///
/// # Errors
///
/// [`IndexError::Interrupted`]: the flag is set.
pub(crate) fn damaged_files(
    index: &Index,
    folder: &Path,
    stop: &AtomicBool,
    failed: impl Fn(TantivyError) -> IndexError,
) -> Result<Vec<String>, IndexError> {
    let mut damaged = Vec::new();
    // An unreadable state is reported elsewhere.
    let state = IndexState::from_index(&index.load_metas().map_err(&failed)?).ok().flatten();
    let digests = state.map(|state| state.file_digests).unwrap_or_default();
    let raw = ReadOnlyDirectory::open(folder).map_err(|error| failed(error.into()))?;
    for file in segment_files(index).map_err(&failed)? {
        let is_sound = match has_its_checksum(&raw, &file, stop) {
            Ok(Some(is_sound)) => is_sound,
            Ok(None) => return Err(IndexError::Interrupted),
            // A file that was cut off has no checksum.
            Err(OpenReadError::IoError { io_error, .. })
                if io_error.kind() != io::ErrorKind::NotFound
                    && io_error.raw_os_error().is_none() =>
            {
                false
            }
            Err(OpenReadError::IncompatibleIndex(_)) => false,
            Err(error) => return Err(failed(error.into())),
        };
        let name = file.display().to_string();
        let is_same = match digests.get(&name) {
            Some(known) if is_sound => file_digest(&folder.join(&file)).map(|tail| tail == *known),
            _ => Ok(is_sound),
        };
        if !is_same.map_err(|error| failed(OpenReadError::wrap_io_error(error, file).into()))? {
            damaged.push(name);
        }
    }
    Ok(damaged)
}

/// Bytes of a file between two looks at the flag.
const CHUNK_BYTES: usize = 16 << 20;

/// Returns whether a file has the checksum at its end. `None` if the flag is set. The directory of
/// an index would leave out the end.
fn has_its_checksum(
    folder: &ReadOnlyDirectory,
    file: &Path,
    stop: &AtomicBool,
) -> Result<Option<bool>, OpenReadError> {
    let wrap = |error| OpenReadError::wrap_io_error(error, file.to_owned());
    let (footer, body) = Footer::extract_footer(folder.open_read(file)?).map_err(wrap)?;
    let mut hasher = Hasher::new();
    for start in (0..body.len()).step_by(CHUNK_BYTES) {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let end = body.len().min(start + CHUNK_BYTES);
        hasher.update(&body.read_bytes_slice(start..end).map_err(wrap)?);
    }
    Ok(Some(hasher.finalize() == footer.crc))
}

thread_local! {
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread reads files of an index. A panic then means that a file is damaged,
/// and becomes an error. A panic hook should not report it.
pub fn is_reading() -> bool {
    IS_READING.get()
}

/// Calls a function that reads an index. The library that reads the files checks no checksum, and
/// panics at some damaged values.
///
/// # Errors
///
/// Those of the function, and [`IndexError::Damaged`] if it panics.
pub(crate) fn catch_read_panics<T>(
    path: &Path,
    read: impl FnOnce() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    IS_READING.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_READING.set(false);
    result.unwrap_or_else(|_| {
        let problem = "a file is damaged; `huller verify INDEX` names it, and `huller index \
                       --overwrite` builds the index again";
        Err(IndexError::Damaged { path: path.to_owned(), problem: problem.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_the_remedy() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| assert!(is_reading())));
        let result =
            catch_read_panics(Path::new("idx"), || -> Result<(), IndexError> { panic!("damaged") });
        std::panic::set_hook(hook);
        let message = result.unwrap_err().to_string();
        assert!(message.contains("'idx'") && message.contains("--overwrite"), "{message}");
        assert!(!is_reading());
    }
}
