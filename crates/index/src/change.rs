//! Deletes documents of a finished index together with their bytes.
//!
//! A deletion of the library only hides a document. So every segment with a hidden document is
//! merged into a new one, which has neither the stored values nor the words of that document. The
//! old files are removed. A command that was killed in between leaves hidden documents or old
//! files, and the next [`IndexChange::delete`] completes both.

use crate::document::key_file;
use crate::error::IndexError;
use crate::folder;
use crate::integrity::{catch_read_panics, file_digests};
use crate::schema::Fields;
use crate::state::IndexState;
use huller_run::withdrawals::keys::reason;
use huller_run::withdrawals::tombstone::OF_INDEX;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::schema::{Field, Value};
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

/// Bytes of memory for the writer, which adds no documents.
const WRITER_BYTES: usize = 16 << 20;

/// Length of the names of segments.
const SEGMENT_NAME_BYTES: usize = 32;

/// A finished index, locked for changes.
pub struct IndexChange {
    path: PathBuf,
    index: Index,
    fields: Fields,
    state: IndexState,
    _lock: File,
}

/// The stored values of a document by which its row is recognised.
#[derive(Clone, Copy, Debug)]
pub struct IndexedRow<'a> {
    /// The key of the row: its file and its place.
    pub key: &'a str,
    /// The URL of the page.
    pub url: Option<&'a str>,
    /// The identifier of the row.
    pub id: Option<&'a str>,
    /// The identifier of the page's row, for passages.
    pub parent_id: Option<&'a str>,
    /// The text.
    pub text: Option<&'a str>,
}

/// Returns whether a folder holds an index.
pub fn is_index(path: &Path) -> bool {
    folder::is_index(path)
}

impl IndexChange {
    /// Opens and locks an index. It reads all files, since a damaged one could not be merged.
    ///
    /// # Errors
    ///
    /// * [`IndexError::NoIndex`]: the folder holds no index.
    /// * [`IndexError::Run`]: another command is at work in the folder.
    /// * [`IndexError::Unfinished`]: the index is not whole.
    /// * [`IndexError::Damaged`]: the index is damaged, or of another version.
    pub fn open(path: &Path) -> Result<IndexChange, IndexError> {
        if !is_index(path) {
            return Err(IndexError::no_meta(path));
        }
        let lock = folder::lock(path)?;
        folder::remove_temporary(path)?;
        let fields = Fields::new();
        let (index, state) = folder::open_existing(path, &fields).map_err(|error| match error {
            IndexError::CannotResume(problem) => {
                IndexError::Damaged { path: path.to_owned(), problem }
            }
            error => error,
        })?;
        if state.files.values().any(|file| !file.is_complete) {
            return Err(IndexError::Unfinished { path: path.to_owned() });
        }
        Ok(IndexChange { path: path.to_owned(), index, fields, state, _lock: lock })
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file with the tombstones of the index.
    pub fn withdrawals(&self) -> PathBuf {
        self.path.join(OF_INDEX)
    }

    /// Calls `each` with the values of every document, and returns the number of documents.
    ///
    /// # Errors
    ///
    /// [`IndexError::Damaged`], [`IndexError::Output`]: a file cannot be read.
    pub fn each_row(&self, each: impl FnMut(&IndexedRow<'_>)) -> Result<u64, IndexError> {
        each_row(&self.index, &self.path, &self.fields, &AtomicBool::new(false), each)
    }

    /// Deletes the documents of these rows, and the bytes of all deleted documents. Counts the rows
    /// as withdrawn.
    ///
    /// # Errors
    ///
    /// [`IndexError::Output`]: the index cannot be written.
    pub fn delete(mut self, rows: &[String]) -> Result<(), IndexError> {
        let writing = IndexError::writing(&self.path);
        if rows.is_empty() && self.is_clean()? {
            return Ok(());
        }
        let writer = self.index.writer_with_num_threads(1, WRITER_BYTES);
        let mut writer: IndexWriter<TantivyDocument> = writer.map_err(&writing)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        // A command that was killed left files that no commit names.
        writer.garbage_collect_files().wait().map_err(&writing)?;
        if !rows.is_empty() {
            for row in rows {
                writer.delete_term(Term::from_field_text(self.fields.row, row));
                if let Some(file) = self.state.files.get_mut(key_file(row)) {
                    file.counters.remove_written(1, reason());
                }
            }
            self.state.file_digests.clear();
            let mut commit = writer.prepare_commit().map_err(&writing)?;
            commit.set_payload(&self.state.to_payload());
            commit.commit().map_err(&writing)?;
            folder::sync(&self.path)?;
        }
        let metas = self.index.searchable_segment_metas().map_err(&writing)?;
        let segments_with_deletes = metas.iter().filter(|segment| segment.has_deletes());
        let segments_with_deletes: Vec<_> =
            segments_with_deletes.map(tantivy::SegmentMeta::id).collect();
        if !segments_with_deletes.is_empty() {
            writer.merge(&segments_with_deletes).wait().map_err(&writing)?;
        }
        writer.garbage_collect_files().wait().map_err(&writing)?;
        writer.wait_merging_threads().map_err(&writing)?;
        self.remove_left(&segments_with_deletes)?;
        folder::sync(&self.path)?;
        seal(&self.path, &mut self.state)
    }

    /// Whether the folder has neither hidden documents nor files of old segments.
    fn is_clean(&self) -> Result<bool, IndexError> {
        let metas = self.index.searchable_segment_metas();
        let metas = metas.map_err(IndexError::reading_back(&self.path))?;
        let known: Vec<_> = metas.iter().map(|segment| segment.id().uuid_string()).collect();
        let entries = fs::read_dir(&self.path).map_err(IndexError::output("read", &self.path))?;
        let has_old = entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let segment = name.split_once('.').map(|(segment, _)| segment);
            segment.is_some_and(|it| {
                it.len() == SEGMENT_NAME_BYTES && !known.iter().any(|known| known == it)
            })
        });
        let has_hidden = metas.iter().any(tantivy::SegmentMeta::has_deletes);
        Ok(!has_old && !has_hidden && !self.state.file_digests.is_empty())
    }

    /// Removes files of merged segments that are left.
    fn remove_left(&self, old_segments: &[tantivy::index::SegmentId]) -> Result<(), IndexError> {
        let old_segments: Vec<_> =
            old_segments.iter().map(tantivy::index::SegmentId::uuid_string).collect();
        let entries = fs::read_dir(&self.path).map_err(IndexError::output("read", &self.path))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if old_segments.iter().any(|segment| name.starts_with(segment.as_str())) {
                let path = entry.path();
                fs::remove_file(&path).map_err(IndexError::output("remove", &path))?;
            }
        }
        Ok(())
    }
}

/// Calls `each` with the values of every document of an index in a folder. Returns their number.
///
/// # Errors
///
/// The index cannot be read, or the flag is set.
pub(crate) fn each_row(
    index: &Index,
    path: &Path,
    fields: &Fields,
    stop: &AtomicBool,
    mut each: impl FnMut(&IndexedRow<'_>),
) -> Result<u64, IndexError> {
    let reading = IndexError::reading_back(path);
    catch_read_panics(path, || {
        let searcher = index.reader().map_err(&reading)?.searcher();
        let mut rows = 0;
        for segment in searcher.segment_readers() {
            let store = segment.get_store_reader(1).map_err(|error| reading(error.into()))?;
            for document in segment.doc_ids_alive() {
                if stop.load(Ordering::Relaxed) {
                    return Err(IndexError::Interrupted);
                }
                let document: TantivyDocument = store.get(document).map_err(&reading)?;
                let text = |field: Field| document.get_first(field)?.as_str();
                rows += 1;
                each(&IndexedRow {
                    key: text(fields.row).unwrap_or_default(),
                    url: text(fields.url),
                    id: text(fields.id),
                    parent_id: text(fields.parent_id),
                    text: text(fields.text),
                });
            }
        }
        Ok(rows)
    })
}

/// Removes files that no commit names, and makes a last commit that lists the ends of all others,
/// which no merge will change.
pub(crate) fn seal(out: &Path, state: &mut IndexState) -> Result<(), IndexError> {
    let writing = IndexError::writing(out);
    let (index, mut writer) = collect_garbage(out)?;
    state.file_digests = file_digests(&index, out).map_err(&writing)?;
    let mut commit = writer.prepare_commit().map_err(&writing)?;
    commit.set_payload(&state.to_payload());
    commit.commit().map_err(&writing)?;
    writer.wait_merging_threads().map_err(&writing)?;
    folder::sync(out)
}

/// Removes files that no commit names. Returns the state of the last commit.
pub(crate) fn remove_unnamed(out: &Path) -> Result<Option<IndexState>, IndexError> {
    let (index, writer) = collect_garbage(out)?;
    writer.wait_merging_threads().map_err(IndexError::writing(out))?;
    folder::sync(out)?;
    let meta = index.load_metas().map_err(IndexError::reading_back(out))?;
    let no_index = |problem| IndexError::NoIndex { path: out.to_owned(), problem };
    IndexState::from_index(&meta).map_err(no_index)
}

/// Opens the index in a folder, and removes files that no commit names.
fn collect_garbage(out: &Path) -> Result<(Index, IndexWriter), IndexError> {
    let writing = IndexError::writing(out);
    let index = Index::open_in_dir(out).map_err(IndexError::reading_back(out))?;
    let writer = index.writer_with_num_threads(1, WRITER_BYTES);
    let writer: IndexWriter = writer.map_err(&writing)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    writer.garbage_collect_files().wait().map_err(&writing)?;
    Ok((index, writer))
}
