//! Builds an index, resumes one, and adds new rows to one.

use crate::change::{remove_unnamed, seal};
use crate::document::{document, key, passage_document};
use crate::drop_list::DropList;
use crate::error::IndexError;
use crate::folder::{self, OpenIndex, open};
use crate::join;
use crate::known::{self, fewer_lines, lines_differ};
use crate::options::Options;
use crate::queue::{DocumentQueue, QueuedDocument};
use crate::reading::{File, LineDigest, ReadEnding};
use crate::schema::Fields;
use crate::state::{FileState, IndexState};
use crate::stoppable::StoppableDirectory;
use crate::summary::Summary;
use huller_corpus::{CorpusError, CorpusRow, RowKeys};
use huller_refine::Reason;
use huller_run::counters::Counters;
use huller_run::monitor::{Monitor, Progress};
use huller_run::plan::{JobSource, Plan, PlanOptions};
use huller_run::summary::UnusableInput;
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::{Withdrawals, reason};
use huller_run::withdrawals::tombstone::OF_INDEX;
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Index, IndexWriter, TantivyError, Term};

/// Builds an index of corpora, or adds their new rows to an index. If the corpora are indexes, it
/// joins them. Once the flag is set, it ends with the rows of the last commit.
///
/// # Errors
///
/// The run could not begin or had to end. Inputs that cannot be used are in the summary instead.
pub fn build(
    corpora: &[PathBuf],
    out: &Path,
    options: &Options,
    monitor: &mut (dyn Monitor + Send),
    stop: &Arc<AtomicBool>,
) -> Result<Summary, IndexError> {
    options.check_memory()?;
    let is_joined = join::are_indexes(corpora)?;
    let result = if is_joined {
        join::join(corpora, out, options, stop)
    } else {
        index_rows(corpora, out, options, monitor, stop)
    };
    match result {
        Err(error) if is_interruption(&error, stop) => {
            Ok(Summary { is_joined, is_interrupted: true, ..Summary::default() })
        }
        Err(IndexError::Output { action, path, source }) if is_joined => {
            Err(IndexError::JoinOutput { action, path, source })
        }
        result => result,
    }
}

/// Returns whether an error comes from the flag: the run saw the flag, or a change of the folder
/// was refused.
fn is_interruption(error: &IndexError, stop: &AtomicBool) -> bool {
    let is_refused = matches!(error, IndexError::Interrupted | IndexError::Output { .. });
    is_refused && stop.load(Ordering::Relaxed)
}

fn index_rows(
    corpora: &[PathBuf],
    out: &Path,
    options: &Options,
    monitor: &mut (dyn Monitor + Send),
    stop: &Arc<AtomicBool>,
) -> Result<Summary, IndexError> {
    let plan = plan(corpora, out, options)?;
    let drop = DropList::read(&options.drop)?;
    let requested = Withdrawals::read(&options.withdrawn)?;
    let requested = (!requested.is_empty()).then(|| Arc::new(requested));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| IndexError::Usage(format!("cannot start threads: {error}")))?;
    let fields = Fields::new();
    let opened = open(out, &fields, (options.resume, options.overwrite), stop)?;
    let OpenIndex { index, directory, mut state, lock: _lock } = opened;
    let initial = state.clone();
    state.set_passages(options.passages).map_err(IndexError::Usage)?;
    let max_line_bytes = (options.memory / 32) as usize;
    let unchanged = pool.install(|| known::unchanged(&plan, &state, max_line_bytes, stop))?;
    let (threads, memory) = options.writer_limits(pool.current_num_threads());
    let writer = index.writer_with_num_threads(threads, threads * memory);
    let writer = writer.map_err(IndexError::writing(out))?;
    // A run that was killed or met a full disk left files that no commit names.
    writer.garbage_collect_files().wait().map_err(IndexError::writing(out))?;
    let index_withdrawals = Withdrawals::of_file(&out.join(OF_INDEX))?;
    let withdrawn = requested.into_iter().chain(index_withdrawals).collect();
    let queue = DocumentQueue::new(options.queue_bytes());
    let summary = Summary { ignored: plan.ignored.clone(), ..Summary::default() };
    let mut builder = IndexBuilder {
        out,
        stop,
        fields,
        directory,
        writer,
        queue,
        initial,
        state,
        drop,
        withdrawn,
        summary,
        since_commit: 0,
    };
    for (input, error) in &plan.unusable {
        builder.note_unusable(input, error, monitor);
    }
    for note in builder.drop.unmatched(plan.jobs.iter().map(|job| job.name.as_str())) {
        monitor.note(&note);
    }
    builder.delete_dropped(&index, &plan)?;
    for job in &plan.jobs {
        if unchanged.contains(&job.name) {
            builder.report_unusable(&job.name, monitor);
            continue;
        }
        let file = File { job, stores: &plan.stores, max_line_bytes };
        match pool.install(|| builder.add_file(&file, options, monitor)) {
            Err(error) if is_interruption(&error, stop) => return builder.interrupt(),
            result => result?,
        }
    }
    if let Some(note) = builder.drop.note() {
        monitor.note(&note);
    }
    builder.finish()
}

/// Makes a plan of the corpora's files of rows. Files that can hold no rows are unusable.
fn plan(corpora: &[PathBuf], out: &Path, options: &Options) -> Result<Plan, IndexError> {
    let (outputs, stores) = (vec![out.to_owned()], options.stores.clone());
    let mut plan = Plan::new(corpora, &PlanOptions { outputs, stores, ..PlanOptions::default() })?;
    for job in std::mem::take(&mut plan.jobs) {
        if matches!(job.source, JobSource::File(_)) {
            plan.jobs.push(job);
        } else {
            plan.unusable.push((job.name, CorpusError::Pages.to_string()));
        }
    }
    // Files of one name would replace each other in the index.
    let mut names = HashSet::new();
    if let Some(job) = plan.jobs.iter().find(|job| !names.insert(&job.name)) {
        return Err(IndexError::Usage(format!("'{}' is given twice: give it once", job.name)));
    }
    Ok(plan)
}

/// Checks whether [`build`] could begin with a folder and options, and changes no file.
///
/// # Errors
///
/// * The memory is too small.
/// * An index exists, and neither `resume` nor `overwrite` is set.
/// * The folder holds other files.
/// * The index cannot be resumed.
pub fn check_output(out: &Path, options: &Options) -> Result<(), IndexError> {
    options.check_memory()?;
    folder::check(out, (options.resume, options.overwrite))
}

/// The outcome of a line.
enum LineOutcome {
    Indexed,
    /// A list of rows to drop, or a withdrawal, names the row.
    Dropped(Reason),
    /// The line is no row that can be indexed.
    Invalid(Reason),
}

/// A run that adds rows to an index.
struct IndexBuilder<'a> {
    out: &'a Path,
    stop: &'a AtomicBool,
    fields: Fields,
    directory: StoppableDirectory,
    writer: IndexWriter<QueuedDocument>,
    queue: Arc<DocumentQueue>,
    /// The state before the run.
    initial: IndexState,
    state: IndexState,
    drop: DropList,
    /// The pages that were withdrawn.
    withdrawn: Vec<Arc<Withdrawals>>,
    summary: Summary,
    /// Bytes of lines since the last commit.
    since_commit: u64,
}

impl IndexBuilder<'_> {
    /// Deletes indexed rows that are on the drop list.
    fn delete_dropped(&mut self, index: &Index, plan: &Plan) -> Result<(), IndexError> {
        let reading = IndexError::reading_back(self.out);
        let searcher = index.reader().map_err(&reading)?.searcher();
        for file in &plan.jobs {
            let Some(known) = self.state.files.get_mut(&file.name) else { continue };
            for (place, reason) in self.drop.rows_of(&file.name) {
                if self.stop.load(Ordering::Relaxed) {
                    return Err(IndexError::Interrupted);
                }
                let term = Term::from_field_text(self.fields.row, &key(&file.name, place));
                if !is_indexed(&searcher, &term).map_err(&reading)? {
                    continue;
                }
                self.writer.delete_term(term);
                known.counters.written = known.counters.written.saturating_sub(1);
                known.counters.reject(reason);
                self.summary.deleted += 1;
            }
        }
        Ok(())
    }

    /// Adds the new rows of a file.
    fn add_file(
        &mut self,
        file: &File<'_>,
        options: &Options,
        monitor: &mut (dyn Monitor + Send),
    ) -> Result<(), IndexError> {
        let name = &file.job.name;
        let known = self.state.files.get(name).cloned().unwrap_or_default();
        let mut state = FileState { is_complete: false, ..known.clone() };
        let mut digest = LineDigest::default();
        let mut is_compared = known.lines == 0;
        let (mut end, mut named) = (0, 0);
        let ending = file.read(|chunk| {
            let mut new = Vec::new();
            end = chunk.end().max(end);
            for (place, line) in chunk.rows() {
                if !is_compared && digest.lines() == known.lines {
                    check_prefix(name, &digest, &known)?;
                    is_compared = true;
                }
                digest.add(line);
                named += usize::from(self.drop.reason(name, place).is_some());
                if digest.lines() > known.lines {
                    new.push((place, line));
                }
            }
            // The run that reached this place has counted the earlier faults.
            for (_, fault) in chunk.faults().iter().filter(|(place, _)| *place >= known.end) {
                state.counters.add_rejected(fault.reason);
                self.summary.new_lines += 1;
            }
            self.summary.new_lines += new.len() as u64;
            self.add_lines(name, &new, &mut state.counters)?;
            state.end = state.end.max(chunk.end());
            state.lines = state.lines.max(digest.lines());
            self.since_commit += new.iter().map(|(_, line)| line.len() as u64).sum::<u64>();
            monitor.progress(Progress { rows: self.summary.new_lines, ..Progress::default() });
            if is_compared && self.since_commit >= options.commit_interval_bytes {
                state.digest = digest.hexadecimal();
                self.state.files.insert(name.clone(), state.clone());
                self.commit()?;
            }
            Ok(!self.stop.load(Ordering::Relaxed))
        })?;
        if matches!(ending, ReadEnding::Whole) {
            check_length(name, &digest, end, &known)?;
            self.drop.file_read(name, named);
        }
        if !is_compared && digest.lines() == known.lines {
            check_prefix(name, &digest, &known)?;
            is_compared = true;
        }
        if is_compared {
            state.digest = digest.hexadecimal();
            state.is_complete = matches!(ending, ReadEnding::Whole);
            let is_complete = state.is_complete;
            self.state.files.insert(name.clone(), state);
            if is_complete {
                self.report_unusable(name, monitor);
            }
        }
        match ending {
            ReadEnding::Whole => Ok(()),
            ReadEnding::Stopped => Err(IndexError::Interrupted),
            ReadEnding::Failed(error) => {
                self.note_unusable(name, &error, monitor);
                Ok(())
            }
        }
    }

    /// Reports an input that was read to its end and is unusable as a whole.
    fn report_unusable(&mut self, name: &str, monitor: &mut (dyn Monitor + Send)) {
        let file = self.state.files.get(name);
        if let Some(error) = file.and_then(|file| file.counters.unusable_reason(true)) {
            self.note_unusable(name, &error, monitor);
        }
    }

    /// Notes that an input could not be used, or not to its end.
    fn note_unusable(&mut self, input: &str, error: &str, monitor: &mut (dyn Monitor + Send)) {
        monitor.unusable(input, error);
        let (input, error) = (input.to_owned(), error.to_owned());
        self.summary.unusable.push(UnusableInput { input, error });
    }

    /// Converts an error of a call that writes.
    fn write_error(&mut self, error: TantivyError) -> IndexError {
        if self.stop.load(Ordering::Relaxed) {
            return IndexError::Interrupted;
        }
        let error = match error {
            // The failed thread has the real error, which a commit returns.
            TantivyError::ErrorInThread(_) => self.writer.prepare_commit().err().unwrap_or(error),
            error => error,
        };
        IndexError::writing(self.out)(error)
    }

    /// Makes documents of lines on all threads, and passes them to tantivy.
    fn add_lines(
        &mut self,
        file: &str,
        lines: &[(u64, &[u8])],
        counters: &mut Counters,
    ) -> Result<(), IndexError> {
        let keys = RowKeys::default();
        let make = if self.state.has_passages { passage_document } else { document };
        let lists = &self.withdrawn;
        let finder = || (!lists.is_empty()).then(|| Finder::new(lists.clone()));
        let outcomes: Result<Vec<LineOutcome>, TantivyError> = lines
            .par_iter()
            .map_init(finder, |finder, (place, line)| {
                if let Some(reason) = self.drop.reason(file, *place) {
                    return Ok(LineOutcome::Dropped(reason));
                }
                if finder.as_mut().is_some_and(|finder| is_withdrawn(finder, &keys, line)) {
                    return Ok(LineOutcome::Dropped(reason()));
                }
                match make(&self.fields, &keys, line, &key(file, *place)) {
                    Ok(document) => {
                        self.writer.add_document(self.queue.admit(document, line.len()))?;
                        Ok(LineOutcome::Indexed)
                    }
                    Err(why) => Ok(LineOutcome::Invalid(why)),
                }
            })
            .collect();
        for outcome in outcomes.map_err(|error| self.write_error(error))? {
            match outcome {
                LineOutcome::Indexed => counters.add_written(),
                LineOutcome::Dropped(reason) | LineOutcome::Invalid(reason) => {
                    counters.add_rejected(reason);
                }
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), IndexError> {
        // Segments are merged in the background, so files come and go until the end of the run.
        self.state.file_digests.clear();
        let writing = IndexError::writing(self.out);
        let mut commit = self.writer.prepare_commit().map_err(&writing)?;
        commit.set_payload(&self.state.to_payload());
        commit.commit().map_err(&writing)?;
        self.queue.restart();
        self.since_commit = 0;
        folder::sync(self.out)
    }

    fn finish(mut self) -> Result<Summary, IndexError> {
        match self.commit() {
            Err(error) if is_interruption(&error, self.stop) => return self.interrupt(),
            result => result?,
        }
        let merged = self.writer.wait_merging_threads();
        // The index has all rows, so a run that is interrupted now leaves segments as they are.
        if !self.stop.load(Ordering::Relaxed) {
            merged.map_err(IndexError::writing(self.out))?;
        }
        self.directory.wait_for_change();
        folder::sync(self.out)?;
        seal(self.out, &mut self.state)?;
        Ok(Summary { inputs: self.state.summaries(), ..self.summary })
    }

    /// Ends the run with the rows of the last commit.
    fn interrupt(self) -> Result<Summary, IndexError> {
        // tantivy's threads end at their next write, which the folder refuses.
        drop(self.writer);
        self.directory.wait_for_change();
        folder::sync(self.out)?;
        let state = remove_unnamed(self.out)?.unwrap_or_else(IndexState::new);
        let is_changed = state != self.initial;
        Ok(Summary {
            inputs: state.summaries(),
            new_lines: state.lines().saturating_sub(self.initial.lines()),
            deleted: if is_changed { self.summary.deleted } else { 0 },
            is_interrupted: true,
            ..self.summary
        })
    }
}

/// Returns whether a line is a row of a withdrawn page.
fn is_withdrawn(finder: &mut Finder, keys: &RowKeys, line: &[u8]) -> bool {
    let Ok(row) = CorpusRow::parse(line) else { return false };
    let (url, id, parent_id) = (row.url(keys), row.id(), row.field_string("parent_id"));
    // The text of a passage says nothing about its page.
    let text = row.text(keys).ok().filter(|_| parent_id.is_none());
    let identity = RowIdentity {
        url: url.as_deref(),
        id: id.as_deref(),
        parent_id: parent_id.as_deref(),
        text: text.as_ref().map(|text| text.text.as_ref()),
    };
    finder.rule(&identity).is_some()
}

/// Refuses a file that is shorter than the part of it in the index. A line without a row may have
/// been lost, which only the end shows.
fn check_length(
    name: &str,
    digest: &LineDigest,
    end: u64,
    known: &FileState,
) -> Result<(), IndexError> {
    if digest.lines() < known.lines {
        return Err(fewer_lines(name, digest.lines(), known));
    }
    if end < known.end { Err(lines_differ(name)) } else { Ok(()) }
}

/// Refuses to continue a file whose first lines differ from those in the index.
fn check_prefix(name: &str, digest: &LineDigest, known: &FileState) -> Result<(), IndexError> {
    if digest.hexadecimal() == known.digest { Ok(()) } else { Err(lines_differ(name)) }
}

/// Returns whether a row is in the index.
fn is_indexed(searcher: &tantivy::Searcher, term: &Term) -> tantivy::Result<bool> {
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(term.field())?;
        let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? else {
            continue;
        };
        while postings.doc() != tantivy::TERMINATED {
            if !segment.is_deleted(postings.doc()) {
                return Ok(true);
            }
            postings.advance();
        }
    }
    Ok(false)
}
