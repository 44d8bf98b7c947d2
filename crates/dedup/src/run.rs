//! A run from its beginning to its end.

use crate::account::{self, Account, InputAccount, Unusable};
use crate::cluster_table::{ClusterTable, DroppedBy};
use crate::corpus::{self, CorpusFile};
use crate::decide::{Decisions, decide};
use crate::durable;
use crate::error::DedupError;
use crate::folder::{Earlier, Folder};
use crate::host_lines::HostLines;
use crate::in_order::{Ending, Pass};
use crate::journal::{Entry, Written};
use crate::list;
use crate::monitor::{Monitor, Phase};
use crate::paragraphs::Paragraphs;
use crate::parquet;
use crate::rows::Rows;
use crate::settings::{OutputFormat, Outputs, Settings, Step};
use crate::shingle_pass::ShinglePass;
use crate::sign::{Signed, sign};
use crate::signed_file::SignedFile;
use crate::write::Writing;
use huller_row::Layout;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use twox_hash::XxHash3_128;

/// Version of what outputs depend on besides the settings.
const VERSION: u32 = 3;

/// Least memory that a run gets along with, in bytes.
pub const LEAST_MEMORY: u64 = 64 << 20;

/// Shortest paragraphs that may be compared, in Unicode scalars: what is noted of each takes 16 bytes.
const LEAST_PARAGRAPH: u64 = 10;

/// What changes no byte of the output, but for the length of the longest line, which is a thirty-second of the memory.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 takes one a processor.
    pub threads: usize,
    /// Bytes of memory to get along with, at least [`LEAST_MEMORY`].
    pub memory: u64,
    /// Go on with the run in the output folder.
    pub resume: bool,
    /// Replace the run in the output folder.
    pub overwrite: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 0, memory: 1 << 30, resume: false, overwrite: false }
    }
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The account of every input, in order.
    pub inputs: Vec<InputAccount>,
    /// Clusters, and what each step dropped.
    pub table: ClusterTable,
    /// Inputs that could not be used.
    pub unusable: Vec<Unusable>,
    /// Whether the run was interrupted, so that it can be gone on with.
    pub is_interrupted: bool,
}

/// Deduplicates corpora into an output folder.
///
/// # Errors
///
/// The run could not begin or had to end. Inputs that alone could not be used are in the summary.
pub fn run(
    corpora: &[PathBuf],
    against: &[PathBuf],
    out: &Path,
    settings: &Settings,
    options: &Options,
    monitor: &mut dyn Monitor,
    stop: &AtomicBool,
) -> Result<Summary, DedupError> {
    check(settings, options)?;
    let mut files = corpus::files(corpora, out)?;
    if settings.format == OutputFormat::Parquet {
        files = corpus::as_parquet(files)?;
    }
    let earlier = corpus::earlier(against, out)?;
    if let Outputs::List(path) = &settings.outputs
        && path.exists()
        && !(options.resume || options.overwrite)
    {
        return Err(DedupError::Exists { path: path.clone() });
    }
    let earlier: Vec<_> =
        earlier.iter().map(|path| SignedFile::open(path)).collect::<Result<_, _>>()?;
    earlier.iter().try_for_each(|file| file.check(settings.signatures))?;
    // Of earlier corpora only signatures are read, unless texts are compared.
    let earlier_rows = if settings.verifies() {
        earlier.iter().map(|file| corpus::rows_of(&file.path)).collect::<Result<_, _>>()?
    } else {
        Vec::new()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| DedupError::Usage(format!("cannot start threads: {error}")))?;
    let pass = Pass {
        files: &files,
        most_line: (options.memory / 32) as usize,
        batch: (pool.current_num_threads() * (8 << 20)).min((options.memory / 16) as usize),
        stop,
    };
    let layouts = match settings.format {
        OutputFormat::Lines => Vec::new(),
        OutputFormat::Parquet => parquet::layouts(&files, pass.most_line)?,
    };
    let config = config(settings, &pass, &earlier);
    let on_earlier = match (options.resume, options.overwrite) {
        (true, _) => Earlier::Resume,
        (_, true) => Earlier::Overwrite,
        _ => Earlier::Refuse,
    };
    let mut told = Told { monitor, unusable: Vec::new() };
    let summary = pool.install(|| {
        let mut folder = Folder::open(out, &files, &config, on_earlier)?;
        if folder.is_done {
            folder.tidy()?;
            return finished(&folder);
        }
        let settings = (settings, layouts.as_slice());
        work(settings, options, &pass, (earlier, &earlier_rows), &mut folder, &mut told)
    })?;
    Ok(Summary { unusable: told.unusable, ..summary })
}

/// Refuses what does not go together.
fn check(settings: &Settings, options: &Options) -> Result<(), DedupError> {
    let usage = |problem: &str| Err(DedupError::Usage(problem.to_owned()));
    settings.signatures.check()?;
    if settings.by.is_empty() {
        return usage("name what makes duplicates: url, text, near, lines, paragraphs");
    }
    if settings.cuts_texts() && matches!(settings.outputs, Outputs::List(_)) {
        return usage("a list of rows to drop cannot leave out lines or paragraphs");
    }
    if settings.verify.is_some_and(|least| !(least > 0. && least <= 1.)) {
        return usage("the similarity to verify must be above 0 and at most 1");
    }
    if settings.verify.is_some() && !settings.has(Step::Near) {
        return usage("only near duplicates are verified: add near");
    }
    if settings.format == OutputFormat::Parquet && settings.outputs != Outputs::Kept {
        return usage(
            "Parquet has no columns for what is noted of duplicates: leave out --format, or the fields",
        );
    }
    if settings.has(Step::Lines) && settings.host_lines == 0 {
        return usage("lines of a host must stand on more than 0 pages");
    }
    if settings.has(Step::Paragraphs) && settings.paragraph_chars < LEAST_PARAGRAPH {
        let problem = format!("paragraphs must be at least {LEAST_PARAGRAPH} characters long");
        return Err(DedupError::Usage(problem));
    }
    if options.memory < LEAST_MEMORY {
        return Err(DedupError::Usage(format!("memory must be at least {}M", LEAST_MEMORY >> 20)));
    }
    Ok(())
}

/// All that decides the bytes of the output.
fn config(settings: &Settings, pass: &Pass<'_>, earlier: &[SignedFile]) -> Value {
    let mut settings = serde_json::to_value(settings).expect("settings are plain data");
    // Where the list goes changes no byte of it.
    if settings["outputs"].is_object() {
        settings["outputs"] = "list".into();
    }
    let inputs: Vec<_> = pass.files.iter().map(|file| json!([file.name, file.bytes])).collect();
    let against: Vec<_> = earlier
        .iter()
        .map(|file| json!([corpus::name_by_signatures(&file.path), file.rows]))
        .collect();
    json!({
        "version": VERSION,
        "settings": settings,
        "max_line_bytes": pass.most_line,
        "inputs": inputs,
        "against": against,
    })
}

/// Notes which inputs could not be used.
struct Told<'a> {
    monitor: &'a mut dyn Monitor,
    unusable: Vec<Unusable>,
}

impl Monitor for Told<'_> {
    fn phase(&mut self, phase: Phase, rows: Option<u64>) {
        self.monitor.phase(phase, rows);
    }

    fn progress(&mut self, rows: u64) {
        self.monitor.progress(rows);
    }

    fn unusable(&mut self, input: &str, error: &str) {
        self.monitor.unusable(input, error);
        self.unusable.push(Unusable { input: input.to_owned(), error: error.to_owned() });
    }
}

/// All phases, one after another.
fn work(
    (settings, layouts): (&Settings, &[Layout]),
    options: &Options,
    pass: &Pass<'_>,
    (earlier, earlier_rows): (Vec<SignedFile>, &[CorpusFile]),
    folder: &mut Folder,
    told: &mut Told<'_>,
) -> Result<Summary, DedupError> {
    let interrupted = || Ok(Summary { is_interrupted: true, ..Summary::default() });
    let Some(signed) = sign(settings, pass, folder, told)? else { return interrupted() };
    let earlier_files = earlier.len();
    let mut places = Vec::new();
    let mut all: Vec<_> = earlier
        .into_iter()
        .map(|file| {
            let name = corpus::name_by_signatures(&file.path);
            (file, name)
        })
        .collect();
    for (file, signed) in pass.files.iter().zip(&signed) {
        places.push(signed.as_ref().map(|signed| {
            all.push((signed.file.clone(), file.name.clone()));
            all.len() - 1
        }));
    }
    let rows = Rows::new(all);
    let temporary = folder.temporary();
    let memory = (options.memory, temporary.as_path());
    let mut texts = ShinglePass {
        settings,
        rows: &rows,
        inputs: pass,
        places: &places,
        earlier: earlier_rows,
        monitor: &mut *told,
        folder: &temporary,
    };
    let decided = decide(settings, &rows.files, earlier_files, memory, &mut texts)?;
    let Some(decisions) = decided else { return interrupted() };
    note_decisions(&decisions, folder)?;
    let table = ClusterTable::of(&decisions, &rows.files)?;
    if let Outputs::List(path) = &settings.outputs {
        list::write(path, &rows, &decisions)?;
        let accounts = accounts_of_list(pass.files, &signed, &places, &rows, &decisions);
        if folder.journal.written().next().is_none() {
            for account in &accounts {
                folder.journal.append(Entry::Written(Written::nothing(account.clone())))?;
            }
        }
        return end(folder, accounts, table, told);
    }
    let lines = if settings.has(Step::Lines) {
        let found = HostLines::find(settings, pass, (&rows, &places), &decisions, memory, told)?;
        match found {
            None => return interrupted(),
            found => found,
        }
    } else {
        None
    };
    let (decisions, lines, inputs) = (&decisions, lines.as_ref(), (&rows, &*places));
    let paragraphs = if settings.has(Step::Paragraphs) {
        match Paragraphs::find(settings, pass, inputs, (decisions, lines), memory, told)? {
            None => return interrupted(),
            found => found,
        }
    } else {
        None
    };
    let (rows, places) = inputs;
    let paragraphs = paragraphs.as_ref();
    let writing = Writing { settings, rows, places, decisions, lines, paragraphs, layouts };
    if writing.run(pass, folder, told)? == Ending::Interrupted {
        return interrupted();
    }
    let (accounts, left_out) = written(folder, pass.files);
    let mut table = table;
    for step in [Step::Lines, Step::Paragraphs].into_iter().filter(|step| settings.has(*step)) {
        let left_out = left_out.0.get(step.reason()).copied().unwrap_or_default();
        table.dropped.insert(step.reason().to_owned(), left_out);
    }
    end(folder, accounts, table, told)
}

/// Notes the decisions in the journal, or refuses those that differ from what an earlier run has begun to write.
fn note_decisions(decisions: &Decisions, folder: &mut Folder) -> Result<(), DedupError> {
    let digest = format!("xxh128:{:032x}", XxHash3_128::oneshot(decisions.bytes()));
    match folder.journal.decided() {
        None => folder.journal.append(Entry::Decided(digest)),
        Some(earlier) if earlier == digest => Ok(()),
        Some(_) => {
            let problem = "other rows would be kept: the inputs have changed".to_owned();
            Err(DedupError::CannotResume(problem))
        }
    }
}

/// The accounts of all outputs, in the order of the inputs, and what was left out of texts.
fn written(folder: &Folder, files: &[CorpusFile]) -> (Vec<InputAccount>, DroppedBy) {
    let mut left_out = DroppedBy::default();
    let mut by_name = std::collections::HashMap::new();
    for written in folder.journal.written() {
        left_out += &written.left_out;
        by_name.insert(written.account.input.as_str(), &written.account);
    }
    let accounts = files.iter().filter_map(|file| by_name.get(file.name.as_str()).copied());
    (accounts.cloned().collect(), left_out)
}

/// The accounts where only a list is written: what is not on it counts as written, since it stays where it is.
fn accounts_of_list(
    files: &[CorpusFile],
    signed: &[Option<Signed>],
    places: &[Option<usize>],
    rows: &Rows,
    decisions: &Decisions,
) -> Vec<InputAccount> {
    let mut accounts = Vec::new();
    for ((file, signed), place) in files.iter().zip(signed).zip(places) {
        let (Some(signed), Some(place)) = (signed, place) else { continue };
        let mut account: Account = signed.faults.clone();
        let first = rows.first(*place);
        for row in first..first + signed.file.rows as u32 {
            match decisions.dropped_by(row) {
                Some(step) => account.drop_row(step),
                None => account.write(),
            }
        }
        accounts.push(InputAccount { input: file.name.clone(), bytes: file.bytes, account });
    }
    accounts
}

/// Writes the accounts, and ends the run if all inputs could be used.
fn end(
    folder: &Folder,
    inputs: Vec<InputAccount>,
    table: ClusterTable,
    told: &Told<'_>,
) -> Result<Summary, DedupError> {
    let text = account::json(&inputs, &told.unusable);
    durable::replace(&folder.run_file("run.account"), &text)?;
    let path = folder.run_file("run.account.csv");
    let text = account::csv(&inputs).map_err(DedupError::output("write", &path))?;
    durable::replace(&path, &text)?;
    let mut text = Vec::new();
    huller_row::push_line(&mut text, &table);
    durable::replace(&folder.run_file("dedup.clusters"), &text)?;
    if told.unusable.is_empty() {
        folder.succeed()?;
        folder.tidy()?;
    }
    Ok(Summary { inputs, table, ..Summary::default() })
}

/// What a run that is done did.
fn finished(folder: &Folder) -> Result<Summary, DedupError> {
    let read = |name: &str| {
        let path = folder.run_file(name);
        let text = std::fs::read(&path).map_err(DedupError::output("read", &path))?;
        serde_json::from_slice::<Value>(&text).map_err(|error| {
            DedupError::CannotResume(format!("'{}' is damaged: {error}", path.display()))
        })
    };
    let damaged = |error: serde_json::Error| DedupError::CannotResume(error.to_string());
    let inputs = read("run.account")?["inputs"].take();
    let inputs = serde_json::from_value(inputs).map_err(damaged)?;
    let table = serde_json::from_value(read("dedup.clusters")?).map_err(damaged)?;
    Ok(Summary { inputs, table, ..Summary::default() })
}
