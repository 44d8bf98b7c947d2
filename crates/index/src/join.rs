//! Joins indexes to one, without indexing their rows again.
//!
//! An index is a set of segments, whose files never change, and a list of them. So the files of all
//! parts are copied, and a list of all segments is written last. Then tantivy merges small segments
//! as it does at the end of a build.

use crate::change::{each_row, seal};
use crate::error::IndexError;
use crate::folder;
use crate::integrity::{catch_read_panics, damaged_files, open_to_read, segment_files};
use crate::options::Options;
use crate::schema::{Fields, register};
use crate::state::IndexState;
use crate::stoppable::StoppableDirectory;
use crate::summary::Summary;
use huller_run::error::RunError;
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::Withdrawals;
use huller_run::withdrawals::tombstone::{self, OF_INDEX, Tombstone};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::{Index, IndexMeta, IndexWriter, TantivyDocument};

/// Most segments of all parts. A process may map some 65,000 files, and a segment has up to seven.
const MAX_SEGMENTS: usize = 8000;

/// Returns whether the corpora are indexes.
///
/// # Errors
///
/// [`IndexError::Usage`]: some are indexes and some are not.
pub(crate) fn are_indexes(corpora: &[PathBuf]) -> Result<bool, IndexError> {
    let Some(index) = corpora.iter().find(|path| folder::is_tantivy(path)) else {
        return Ok(false);
    };
    let Some(other) = corpora.iter().find(|path| !folder::is_tantivy(path)) else {
        return Ok(true);
    };
    Err(IndexError::Usage(format!(
        "'{}' is an index and '{}' is not: index the rows first, then join the indexes",
        index.display(),
        other.display()
    )))
}

/// Joins indexes.
///
/// # Errors
///
/// * [`IndexError::Usage`]: the indexes cannot be joined, or not with these options.
/// * [`IndexError::Damaged`], [`IndexError::Unfinished`]: a part is damaged or not whole.
/// * [`IndexError::Interrupted`]: the flag is set while the parts are read.
/// * Those of the output folder.
pub(crate) fn join(
    paths: &[PathBuf],
    out: &Path,
    options: &Options,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, IndexError> {
    refuse_options(options)?;
    refuse_output(paths, out)?;
    folder::check(out, (false, options.overwrite))?;
    let fields = Fields::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| IndexError::Usage(format!("cannot start threads: {error}")))?;
    let read = || paths.par_iter().map(|path| SourceIndex::read(path, &fields, stop)).collect();
    let parts: Result<Vec<SourceIndex>, IndexError> = pool.install(read);
    let parts = parts?;
    let joined = JoinedState::from_parts(&parts, options.passages)?;
    let tombstones = tombstones(paths, out)?;
    refuse_withdrawn(&parts, &tombstones, &fields, stop)?;
    let interrupted = Summary { is_joined: true, is_interrupted: true, ..Summary::default() };
    if stop.load(Ordering::Relaxed) {
        return Ok(interrupted);
    }
    let _lock = folder::empty(out, options.overwrite)?;
    if !tombstones.is_empty() {
        tombstone::write(&out.join(OF_INDEX), &tombstones)?;
    }
    let is_complete = pool.install(|| copy(&parts, out, stop))?;
    if !is_complete {
        return Ok(interrupted);
    }
    folder::list(out, parts.iter().flat_map(|part| &part.files), &joined.meta)?;
    let state = merge(out, joined.state, options.writer_limits(pool.current_num_threads()), stop)?;
    Ok(Summary { inputs: state.summaries(), is_joined: true, ..Summary::default() })
}

/// Refuses options that are for rows.
fn refuse_options(options: &Options) -> Result<(), IndexError> {
    let problem = if options.resume {
        "an index cannot be resumed with other indexes: join all of them, with --overwrite"
    } else if !options.drop.is_empty() {
        "--drop names rows of files: use it where the rows are indexed, then join the indexes"
    } else if !options.withdrawn.is_empty() {
        "--withdrawn is for rows: use `huller withdraw` on the indexes, then join them"
    } else {
        return Ok(());
    };
    Err(IndexError::Usage(problem.to_owned()))
}

/// Refuses an output that is a part, or lies within one.
fn refuse_output(paths: &[PathBuf], out: &Path) -> Result<(), IndexError> {
    let real = |path: &Path| {
        let missing =
            path.ancestors().find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
        let (ancestor, real) = missing.unwrap_or((path, path.to_owned()));
        path.strip_prefix(ancestor).map_or_else(|_| real.clone(), |rest| real.join(rest))
    };
    let output = real(&std::path::absolute(out).unwrap_or_else(|_| out.to_owned()));
    match paths.iter().find(|path| output.starts_with(real(path))) {
        None => Ok(()),
        Some(path) => Err(IndexError::Usage(format!(
            "'{}' is one of the indexes, or within '{}': choose another output",
            out.display(),
            path.display()
        ))),
    }
}

/// An index to join.
struct SourceIndex {
    path: PathBuf,
    index: Index,
    meta: IndexMeta,
    state: IndexState,
    files: Vec<PathBuf>,
    /// Its list of segments.
    list: Vec<u8>,
    /// Keeps builds out of its folder.
    _lock: Option<File>,
}

impl SourceIndex {
    /// Reads all files of an index, and compares them with their checksums.
    fn read(path: &Path, fields: &Fields, stop: &AtomicBool) -> Result<SourceIndex, IndexError> {
        let lock = lock_to_read(path)?;
        let no_index = |problem: String| IndexError::NoIndex { path: path.to_owned(), problem };
        let reading = IndexError::reading(path);
        catch_read_panics(path, || {
            let list = read_list(path)?;
            let index = open_to_read(path)?;
            let meta = index.load_metas().map_err(&reading)?;
            let state = IndexState::from_index(&meta).map_err(no_index)?;
            if index.schema() != fields.schema || *index.settings() != Fields::settings() {
                return Err(no_index("it has different fields".to_owned()));
            }
            let is_complete =
                |state: &IndexState| state.files.values().all(|file| file.is_complete);
            let Some(state) = state.filter(is_complete) else {
                return Err(IndexError::Unfinished { path: path.to_owned() });
            };
            if let Some(file) = damaged_files(&index, path, stop, &reading)?.first() {
                let problem = format!("'{file}' differs from its checksum; index its rows again");
                return Err(IndexError::Damaged { path: path.to_owned(), problem });
            }
            let files = segment_files(&index).map_err(&reading)?;
            Ok(SourceIndex { path: path.to_owned(), index, meta, state, files, list, _lock: lock })
        })
    }
}

/// Locks the folder of an index against builds, as far as it can be locked without writing.
fn lock_to_read(path: &Path) -> Result<Option<File>, IndexError> {
    let Ok(file) = File::open(path.join(folder::LOCK)) else { return Ok(None) };
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(RunError::Locked { path: path.to_owned() }.into()),
        _ => Ok(Some(file)),
    }
}

fn read_list(path: &Path) -> Result<Vec<u8>, IndexError> {
    let path = path.join(folder::META);
    fs::read(&path).map_err(|source| IndexError::Input { path, source })
}

/// The list of segments and the state of all parts.
struct JoinedState {
    meta: IndexMeta,
    state: IndexState,
}

impl JoinedState {
    /// Joins the lists. Refuses parts that are of different kinds, or have something in common.
    fn from_parts(parts: &[SourceIndex], passages: bool) -> Result<JoinedState, IndexError> {
        let mut meta = parts[0].meta.clone();
        let mut state =
            IndexState { files: [].into(), file_digests: [].into(), ..parts[0].state.clone() };
        meta.segments.clear();
        let (mut segments, mut inputs) = (HashMap::new(), HashMap::new());
        for part in parts {
            let kind =
                |part: &SourceIndex| if part.state.has_passages { "passages" } else { "pages" };
            if part.state.has_passages != state.has_passages {
                let (first_part, other) = (&parts[0], part);
                let (one_kind, other_kind) = (kind(first_part), kind(other));
                let (first_part, other) = (first_part.path.display(), other.path.display());
                return Err(IndexError::Usage(format!(
                    "'{first_part}' has {one_kind} and '{other}' has {other_kind}: join indexes of one \
                     kind"
                )));
            }
            for segment in &part.meta.segments {
                if let Some(other) = segments.insert(segment.id(), &part.path) {
                    return Err(IndexError::Usage(format!(
                        "'{}' and '{}' are the same index, or copies: give it once",
                        other.display(),
                        part.path.display()
                    )));
                }
            }
            for (input, file) in &part.state.files {
                if let Some(other) = inputs.insert(input.clone(), &part.path) {
                    return Err(IndexError::Usage(format!(
                        "'{input}' is in '{}' and in '{}': index its rows once, or by paths with \
                         different names",
                        other.display(),
                        part.path.display()
                    )));
                }
                state.files.insert(input.clone(), file.clone());
            }
            meta.opstamp = meta.opstamp.max(part.meta.opstamp);
            meta.segments.extend(part.meta.segments.iter().cloned());
        }
        if meta.segments.len() > MAX_SEGMENTS {
            return Err(IndexError::Usage(format!(
                "the indexes have {} segments, and at most {MAX_SEGMENTS} can be joined: join \
                 groups of them first",
                meta.segments.len()
            )));
        }
        if passages && !state.has_passages {
            state.set_passages(true).map_err(IndexError::Usage)?;
        }
        meta.payload = Some(state.to_payload());
        Ok(JoinedState { meta, state })
    }
}

/// Returns the tombstones of the parts and of the output.
fn tombstones(paths: &[PathBuf], out: &Path) -> Result<Vec<Tombstone>, IndexError> {
    let mut merged = Vec::new();
    for path in paths {
        let read = tombstone::read(&path.join(OF_INDEX)).map_err(|error| match error {
            RunError::Output { path, source, .. } => IndexError::Input { path, source },
            error => error.into(),
        });
        merged.extend(read?);
    }
    merged.extend(tombstone::read(&out.join(OF_INDEX))?);
    merged.sort_by_key(Tombstone::identity);
    merged.dedup_by_key(|tombstone| tombstone.identity());
    Ok(merged)
}

/// Refuses a part with rows that were withdrawn from another one.
fn refuse_withdrawn(
    parts: &[SourceIndex],
    tombstones: &[Tombstone],
    fields: &Fields,
    stop: &AtomicBool,
) -> Result<(), IndexError> {
    if tombstones.is_empty() {
        return Ok(());
    }
    let withdrawn = Arc::new(Withdrawals::new(tombstones));
    for part in parts {
        let mut finder = Finder::new(vec![Arc::clone(&withdrawn)]);
        let mut withdrawn_rows = 0;
        each_row(&part.index, &part.path, fields, stop, |row| {
            let text = row.text.filter(|_| row.parent_id.is_none());
            let identity = RowIdentity { url: row.url, id: row.id, parent_id: row.parent_id, text };
            withdrawn_rows += u64::from(finder.rule(&identity).is_some());
        })?;
        if withdrawn_rows > 0 {
            return Err(IndexError::Usage(format!(
                "'{}' has {withdrawn_rows} rows of pages that were withdrawn elsewhere: use `huller \
                 withdraw` on it first",
                part.path.display()
            )));
        }
    }
    Ok(())
}

/// Copies the files of the parts durably. Returns whether it reached the end.
fn copy(parts: &[SourceIndex], out: &Path, stop: &AtomicBool) -> Result<bool, IndexError> {
    for part in parts {
        part.files.par_iter().try_for_each(|file| {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            copy_file(&part.path.join(file), &out.join(file), stop)
        })?;
        if stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        if read_list(&part.path)? != part.list {
            return Err(IndexError::Damaged {
                path: part.path.clone(),
                problem: "it changed while it was copied; join the indexes again".to_owned(),
            });
        }
    }
    Ok(true)
}

/// Bytes that a thread reads at once.
const CHUNK_BYTES: usize = 1 << 20;

/// Pieces between two synchronizations. That of a whole segment would take seconds.
const CHUNKS_PER_SYNC: usize = 32;

/// Copies a file durably, until the flag is set.
fn copy_file(from: &Path, destination: &Path, stop: &AtomicBool) -> Result<(), IndexError> {
    let reading = |source| IndexError::Input { path: from.to_owned(), source };
    let writing = || IndexError::output("write", destination);
    let mut source = File::open(from).map_err(reading)?;
    let mut copy = File::create_new(destination).map_err(writing())?;
    let mut piece = vec![0; CHUNK_BYTES];
    let mut pieces = 0;
    while !stop.load(Ordering::Relaxed) {
        let length = match source.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            length => length.map_err(reading)?,
        };
        if length == 0 {
            return copy.sync_all().map_err(writing());
        }
        copy.write_all(&piece[..length]).map_err(writing())?;
        pieces += 1;
        if pieces % CHUNKS_PER_SYNC == 0 {
            copy.sync_data().map_err(writing())?;
        }
    }
    Ok(())
}

/// Merges small segments until the flag is set, and notes the ends of all files. The index is
/// complete before.
fn merge(
    out: &Path,
    mut state: IndexState,
    writer_limits: (usize, usize),
    stop: &Arc<AtomicBool>,
) -> Result<IndexState, IndexError> {
    let directory = folder::open_directory(out, stop)?;
    let merged = merge_segments(out, &state, directory.clone(), writer_limits);
    if !stop.load(Ordering::Relaxed) {
        merged?;
    }
    directory.wait_for_change();
    folder::sync(out)?;
    seal(out, &mut state)?;
    Ok(state)
}

fn merge_segments(
    out: &Path,
    state: &IndexState,
    directory: StoppableDirectory,
    (threads, memory): (usize, usize),
) -> Result<(), IndexError> {
    let writing = IndexError::writing(out);
    let mut index = Index::open(directory).map_err(IndexError::reading_back(out))?;
    register(&mut index);
    let writer = index.writer_with_num_threads(threads, threads * memory);
    let mut writer: IndexWriter<TantivyDocument> = writer.map_err(&writing)?;
    let mut commit = writer.prepare_commit().map_err(&writing)?;
    commit.set_payload(&state.to_payload());
    commit.commit().map_err(&writing)?;
    writer.garbage_collect_files().wait().map_err(&writing)?;
    writer.wait_merging_threads().map_err(&writing)
}
