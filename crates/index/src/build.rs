//! Builds an index, goes on with one, and adds to one what is new.

use crate::document::{NoDocument, document, key};
use crate::drop_list::DropList;
use crate::error::IndexError;
use crate::folder::{self, open};
use crate::schema::Fields;
use crate::state::{FileState, State};
use huller_corpus::{CorpusError, Limits, RowChunk, RowKeys, RowReader, complaint};
use huller_dedup::{Account, InputAccount, RowFile, Unusable, row_files};
use huller_refine::Reason;
use rayon::prelude::*;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Index, IndexWriter, TantivyDocument, Term};
use twox_hash::XxHash3_64;

/// Least memory that building gets along with, in bytes.
pub const LEAST_MEMORY: u64 = 64 << 20;

/// Least memory of a thread of tantivy's, in bytes.
const LEAST_WRITER: usize = 16 << 20;

/// Most memory of one, in bytes.
const MOST_WRITER: usize = 2 << 30;

/// Bytes of lines between commits: what a kill loses at most.
const BETWEEN_COMMITS: u64 = 1 << 30;

/// How an index is built.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 takes one a processor.
    pub threads: usize,
    /// Bytes of memory to get along with, at least [`LEAST_MEMORY`].
    pub memory: u64,
    /// Go on with the index that is there, and add what is new.
    pub resume: bool,
    /// Replace the index that is there.
    pub overwrite: bool,
    /// Lists of rows to drop, as `huller dedup --mark` writes them.
    pub drop: Vec<PathBuf>,
    /// Bytes of lines between commits.
    pub between_commits: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 0,
            memory: 1 << 30,
            resume: false,
            overwrite: false,
            drop: Vec::new(),
            between_commits: BETWEEN_COMMITS,
        }
    }
}

/// What became of the lines.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The account of every file that is in the index, in order of names. Of a file that an earlier run added it counts what that did.
    pub inputs: Vec<InputAccount>,
    /// Lines that this run read for the first time.
    pub new_lines: u64,
    /// Rows that were in the index and are dropped now.
    pub deleted: u64,
    /// Inputs that could not be used, or not to their end.
    pub unusable: Vec<Unusable>,
    /// Whether the run was interrupted, so that it can be gone on with.
    pub is_interrupted: bool,
}

/// Builds an index of corpora, or adds to one what is new in them.
///
/// `progress` is told how many lines were read so far.
///
/// # Errors
///
/// The run could not begin or had to end. Inputs that alone could not be used are in the summary.
pub fn build(
    corpora: &[PathBuf],
    out: &Path,
    options: &Options,
    progress: &mut (dyn FnMut(u64) + Send),
    stop: &AtomicBool,
) -> Result<Summary, IndexError> {
    check_memory(options)?;
    let files = row_files(corpora, out)?;
    let drop = DropList::read(&options.drop)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| IndexError::Usage(format!("cannot start threads: {error}")))?;
    let fields = Fields::new();
    let (index, state) = open(out, &fields, (options.resume, options.overwrite))?;
    let (threads, memory) = shares(pool.current_num_threads(), options.memory);
    let writer = index.writer_with_num_threads(threads, threads * memory);
    let writer = writer.map_err(IndexError::writing(out))?;
    let most_line = (options.memory / 32) as usize;
    let summary = Summary::default();
    let mut build = Build { out, fields, writer, state, drop, summary, since_commit: 0 };
    build.delete_dropped(&index, &files)?;
    for file in &files {
        let ending = pool.install(|| build.add(file, most_line, options, progress, stop))?;
        if ending == Ending::Interrupted {
            build.summary.is_interrupted = true;
            break;
        }
    }
    build.finish()
}

/// Looks whether [`build`] could begin with a folder and options, and changes nothing.
///
/// # Errors
///
/// The memory is too little, there is an index and neither `resume` nor `overwrite` is set, files of others lie in the folder, or the index there
/// cannot be gone on with.
pub fn check_output(out: &Path, options: &Options) -> Result<(), IndexError> {
    check_memory(options)?;
    folder::check(out, (options.resume, options.overwrite))
}

fn check_memory(options: &Options) -> Result<(), IndexError> {
    if options.memory < LEAST_MEMORY {
        let problem = format!("memory must be at least {}M", LEAST_MEMORY >> 20);
        return Err(IndexError::Usage(problem));
    }
    Ok(())
}

/// Threads of tantivy's, and the memory of each: half of all that there is, but none has less than it can work with.
fn shares(threads: usize, memory: u64) -> (usize, usize) {
    let half = (memory / 2) as usize;
    let threads = threads.min(half / LEAST_WRITER).max(1);
    (threads, (half / threads).min(MOST_WRITER))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Done,
    Interrupted,
}

/// What became of a line.
enum Outcome {
    Indexed,
    Dropped(String),
    Not(NoDocument),
}

struct Build<'a> {
    out: &'a Path,
    fields: Fields,
    writer: IndexWriter<TantivyDocument>,
    state: State,
    drop: DropList,
    summary: Summary,
    /// Bytes of lines since the last commit.
    since_commit: u64,
}

impl Build<'_> {
    /// Deletes rows that are in the index and on the list of those to drop.
    fn delete_dropped(&mut self, index: &Index, files: &[RowFile]) -> Result<(), IndexError> {
        let reading = IndexError::reading(self.out);
        let searcher = index.reader().map_err(&reading)?.searcher();
        for file in files {
            let Some(known) = self.state.files.get_mut(&file.name) else { continue };
            for (place, reason) in self.drop.of(&file.name) {
                let term = Term::from_field_text(self.fields.row, &key(&file.name, place));
                if !is_there(&searcher, &term).map_err(&reading)? {
                    continue;
                }
                self.writer.delete_term(term);
                known.account.written -= 1;
                *known.account.skipped.entry(reason.to_owned()).or_default() += 1;
                self.summary.deleted += 1;
            }
        }
        Ok(())
    }

    /// Adds what is new in a file.
    fn add(
        &mut self,
        file: &RowFile,
        most_line: usize,
        options: &Options,
        progress: &mut (dyn FnMut(u64) + Send),
        stop: &AtomicBool,
    ) -> Result<Ending, IndexError> {
        let known = self.state.files.get(&file.name).cloned().unwrap_or_default();
        let mut state = FileState { is_whole: false, ..known.clone() };
        let mut digest = XxHash3_64::new();
        let mut lines_seen = 0;
        let mut is_compared = known.lines == 0;
        let failed = loop_over(file, most_line, |chunk| {
            let mut new = Vec::new();
            for (place, line) in chunk.rows() {
                if !is_compared && lines_seen == known.lines {
                    compare(&file.name, &digest, &known)?;
                    is_compared = true;
                }
                digest.write(line);
                digest.write(b"\n");
                lines_seen += 1;
                if lines_seen > known.lines {
                    new.push((place, line));
                }
            }
            // Faults before the place that is reached were counted by the run that reached it.
            for (_, fault) in chunk.faults().iter().filter(|(place, _)| *place >= known.end) {
                let why = NoDocument::NoRow(fault.reason);
                count(&mut state.account, why.name(), why.is_failure());
                self.summary.new_lines += 1;
            }
            self.summary.new_lines += new.len() as u64;
            self.add_lines(&file.name, &new, &mut state.account)?;
            state.end = state.end.max(chunk.end());
            state.lines = state.lines.max(lines_seen);
            self.since_commit += new.iter().map(|(_, line)| line.len() as u64).sum::<u64>();
            progress(self.summary.new_lines);
            let is_stopped = stop.load(Ordering::Relaxed);
            if is_compared && (self.since_commit >= options.between_commits || is_stopped) {
                state.digest = hexadecimal(&digest);
                self.state.files.insert(file.name.clone(), state.clone());
                self.commit()?;
            }
            Ok(!is_stopped)
        })?;
        if lines_seen < known.lines && matches!(failed, Read::Whole) {
            return Err(IndexError::CannotResume(format!(
                "'{}' has {lines_seen} lines, and {} of it are in the index",
                file.name, known.lines
            )));
        }
        if !is_compared && lines_seen == known.lines {
            compare(&file.name, &digest, &known)?;
            is_compared = true;
        }
        if is_compared {
            state.digest = hexadecimal(&digest);
            state.is_whole = matches!(failed, Read::Whole);
            if let (Read::Whole, Some(error)) = (&failed, complaint_of(&state.account)) {
                self.summary.unusable.push(Unusable { input: file.name.clone(), error });
            }
            self.state.files.insert(file.name.clone(), state);
        }
        match failed {
            Read::Whole => Ok(Ending::Done),
            Read::Stopped => Ok(Ending::Interrupted),
            Read::Failed(error) => {
                let error = error.to_string();
                self.summary.unusable.push(Unusable { input: file.name.clone(), error });
                Ok(Ending::Done)
            }
        }
    }

    /// Makes documents of lines, by all threads, and gives them to tantivy.
    fn add_lines(
        &self,
        file: &str,
        lines: &[(u64, &[u8])],
        account: &mut Account,
    ) -> Result<(), IndexError> {
        let keys = RowKeys::default();
        let outcomes: Vec<Outcome> = lines
            .par_iter()
            .map(|(place, line)| {
                if let Some(reason) = self.drop.reason(file, *place) {
                    return Ok(Outcome::Dropped(reason.to_owned()));
                }
                match document(&self.fields, &keys, line, &key(file, *place)) {
                    Ok(document) => {
                        self.writer
                            .add_document(document)
                            .map_err(IndexError::writing(self.out))?;
                        Ok(Outcome::Indexed)
                    }
                    Err(why) => Ok(Outcome::Not(why)),
                }
            })
            .collect::<Result<_, IndexError>>()?;
        for outcome in outcomes {
            match outcome {
                Outcome::Indexed => {
                    account.records += 1;
                    account.written += 1;
                }
                Outcome::Dropped(reason) => count(account, &reason, false),
                Outcome::Not(why) => count(account, why.name(), why.is_failure()),
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), IndexError> {
        let writing = IndexError::writing(self.out);
        let mut commit = self.writer.prepare_commit().map_err(&writing)?;
        commit.set_payload(&self.state.to_payload());
        commit.commit().map_err(&writing)?;
        self.since_commit = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<Summary, IndexError> {
        self.commit()?;
        self.writer.wait_merging_threads().map_err(IndexError::writing(self.out))?;
        let inputs = self.state.files.into_iter().map(|(input, file)| InputAccount {
            input,
            bytes: file.end,
            account: file.account,
        });
        Ok(Summary { inputs: inputs.collect(), ..self.summary })
    }
}

/// How the reading of a file ended.
enum Read {
    Whole,
    Stopped,
    Failed(CorpusError),
}

/// Gives the rows of a file to `take`, until that returns false.
fn loop_over(
    file: &RowFile,
    most_line: usize,
    mut take: impl FnMut(&RowChunk) -> Result<bool, IndexError> + Send,
) -> Result<Read, IndexError> {
    let limits = Limits { record_bytes: most_line, ..Limits::default() };
    let opened = RowReader::open(&file.path, &limits)
        .and_then(|reader| reader.check_name(&file.name).map(|()| reader));
    let mut reader = match opened {
        Ok(reader) => reader,
        Err(error) => return Ok(Read::Failed(error)),
    };
    let mut chunk = reader.next_chunk();
    loop {
        let now = match chunk {
            Ok(Some(now)) => now,
            Ok(None) => return Ok(Read::Whole),
            Err(error) => return Ok(Read::Failed(error)),
        };
        // The next rows are read and decompressed while these are worked on.
        let (next, goes_on) = rayon::join(|| reader.next_chunk(), || take(&now));
        if !goes_on? {
            return Ok(Read::Stopped);
        }
        chunk = next;
    }
}

/// What is wrong with a file as a whole, though it was read to its end.
fn complaint_of(account: &Account) -> Option<String> {
    let no_rows: u64 = Reason::ALL.iter().map(|reason| account.count(reason.name())).sum();
    complaint(account.records - no_rows, |reason| account.count(reason))
}

fn count(account: &mut Account, reason: &str, is_failure: bool) {
    account.records += 1;
    let counts = if is_failure { &mut account.failed } else { &mut account.skipped };
    *counts.entry(reason.to_owned()).or_default() += 1;
}

fn hexadecimal(digest: &XxHash3_64) -> String {
    format!("{:016x}", digest.finish())
}

/// Refuses to go on with a file whose lines are others than those that are in the index.
fn compare(name: &str, digest: &XxHash3_64, known: &FileState) -> Result<(), IndexError> {
    if hexadecimal(digest) == known.digest {
        return Ok(());
    }
    Err(IndexError::CannotResume(format!(
        "'{name}' has changed since it was indexed, or --memory, which limits lines"
    )))
}

/// Whether a row is in the index.
fn is_there(searcher: &tantivy::Searcher, term: &Term) -> tantivy::Result<bool> {
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
