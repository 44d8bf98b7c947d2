//! Runs a deduplication from its beginning to its end.

use crate::cluster_table::{ClusterTable, DropsByReason};
use crate::corpus::{self, CorpusFile};
use crate::decide::{Decisions, decide};
use crate::drop_list::{DropBy, DropList, DroppedRows};
use crate::error::DedupError;
use crate::file_pass::{FilePass, PassEnding};
use crate::folder::{Folder, INPUTS};
use crate::host_lines::HostLines;
use crate::journal::Milestone;
use crate::kept_records;
use crate::list;
use crate::monitor::Reporter;
use crate::paragraphs::Paragraphs;
use crate::rows::CorpusRows;
use crate::settings::{DedupStep, DroppedBy, OutputFormat, Outputs, RowsFormat, Settings};
use crate::shingle_pass::ShinglePass;
use crate::sign::{InputSignatures, sign};
use crate::signed_file::SignedFile;
use crate::withdrawn_rows::withdrawn_rows;
use crate::write::{EncodedOutputs, OutputData};
use huller_archive::Stores;
use huller_row::{Format, push_line};
use huller_run::counters::Counters;
use huller_run::durable::replace;
use huller_run::error::RunError;
use huller_run::monitor::Monitor;
use huller_run::options::{self, OutputTo};
use huller_run::plan::Plan;
use huller_run::run_files::journal;
use huller_run::run_files::paths::DEDUP_CLUSTERS;
use huller_run::run_files::run_config::{RunConfig, Section, section};
use huller_run::summary::{self, IgnoredFiles, InputSummary, UnusableInput};
use huller_run::withdrawals::keys::Withdrawals;
use huller_run::withdrawals::tombstone::file_at;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use twox_hash::XxHash3_128;

/// Version of the code, for changes of outputs under the same settings.
const VERSION: u32 = 5;

/// The smallest memory limit that a run accepts, in bytes.
pub const MIN_MEMORY_BYTES: u64 = 64 << 20;

/// Shortest paragraphs that may be compared, in Unicode scalars. The notes on each paragraph take
/// 16 bytes.
const MIN_PARAGRAPH_CHARS: u64 = 10;

/// The first bytes of every line of a list of rows to drop.
const LIST_BEGINNING: &[u8] = b"{\"file\":";

/// Options that the configuration of a run does not hold as they are. The longest line is a
/// thirty-second of the memory, and of the list of rows to drop only the digest counts.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads. 0 is one per processor.
    pub threads: usize,
    /// Bytes of memory that the run may use, at least [`MIN_MEMORY_BYTES`]. The default is 1 GiB.
    pub memory: u64,
    /// Continue the run in the output folder.
    pub resume: bool,
    /// Replace the run in the output folder.
    pub overwrite: bool,
    /// Opens URLs among the corpora.
    pub stores: Stores,
    /// The folder of the archives that rows name, for [`OutputFormat::Warc`].
    pub archives: Option<PathBuf>,
    /// A list of rows to drop before any step. The configuration of the run has its digest.
    pub drop: Option<PathBuf>,
    /// The kind of the entries of that list.
    pub drop_by: DropBy,
    /// Folders with tombstones of withdrawn pages, whose rows are dropped. The configuration of the
    /// run has their digest.
    pub withdrawn: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        let stores = Stores::default();
        Options {
            threads: 0,
            memory: 1 << 30,
            resume: false,
            overwrite: false,
            stores,
            archives: None,
            drop: None,
            drop_by: DropBy::default(),
            withdrawn: Vec::new(),
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The statistics of every input, in order.
    pub inputs: Vec<InputSummary>,
    /// The sums of these statistics.
    pub total: Counters,
    /// Clusters, and the rows that each step dropped.
    pub table: ClusterTable,
    /// Inputs that could not be used.
    pub unusable: Vec<UnusableInput>,
    /// Files in the folders of the corpora that are not rows.
    pub ignored: IgnoredFiles,
    /// Whether the run was interrupted, so that it can be resumed.
    pub is_interrupted: bool,
}

/// Deduplicates corpora into an output folder.
///
/// # Errors
///
/// The run could not begin or had to end. Single inputs that could not be used are in the summary.
pub fn run(
    corpora: &[PathBuf],
    against: &[PathBuf],
    out: &Path,
    settings: &Settings,
    options: &Options,
    monitor: &mut (dyn Monitor + Send),
    stop: &AtomicBool,
) -> Result<Summary, DedupError> {
    check(settings, options)?;
    let plan = corpus::plan(corpora, out, &options.stores, &settings.format)?;
    let files = corpus::files(&plan);
    let earlier = corpus::earlier_signatures(against, out)?;
    check_list(settings, options, &plan, out, &earlier)?;
    let earlier: Vec<_> =
        earlier.iter().map(|path| SignedFile::open(path)).collect::<Result<_, _>>()?;
    earlier.iter().try_for_each(|file| file.check(settings.signatures))?;
    // For earlier corpora only signatures are read, unless texts are compared.
    let earlier_rows = if settings.verifies() {
        earlier.iter().map(|file| corpus::rows_of(&file.path)).collect::<Result<_, _>>()?
    } else {
        Vec::new()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| DedupError::Usage(format!("cannot start threads: {error}")))?;
    let pass = FilePass {
        files: &files,
        max_line_bytes: (options.memory / 32) as usize,
        batch: (pool.current_num_threads() * (8 << 20)).min((options.memory / 16) as usize),
        stop,
    };
    let list = options
        .drop
        .as_deref()
        .map(|path| DropList::read(path, options.drop_by, &options.stores, options.memory));
    let list = list.transpose()?;
    let named_files = named_withdrawals(&options.withdrawn, against)?;
    let rows = settings.format.rows();
    let dropped = list.as_ref().map(|list| json!([options.drop_by.name(), list.digest()]));
    let withdrawn = named_files.as_ref().map(|named_files| json!(named_files.digest()));
    let config = run_config(settings, &pass, &earlier, (rows.as_ref(), dropped, withdrawn));
    let archives = options.archives.as_deref().filter(|_| settings.format == OutputFormat::Warc);
    let records = archives.map(|archives| (archives, kept_records::warc_layout(config.text())));
    let layouts = EncodedOutputs { rows, records };
    let run_options = options::Options {
        resume: options.resume,
        overwrite: options.overwrite,
        inputs_belong_together: true,
        ..options::Options::default()
    };
    let mut reporter = Reporter::new(monitor);
    pool.install(|| {
        // Reported first, because the run may be refused for the lack of these inputs.
        for (input, error) in &plan.unusable {
            reporter.unusable(input, error);
        }
        let (mut folder, notes) = Folder::open(out, &plan, &config, &run_options)?;
        for note in &notes {
            reporter.note(note);
        }
        if let Some((inputs, table)) = finished_result(&folder, &files, settings) {
            return end_run(folder, &files, inputs, table, &mut reporter);
        }
        let withdrawn =
            named_files.into_iter().chain(Withdrawals::of_run(folder.root())?).collect();
        let settings = (settings, &layouts, (list, withdrawn));
        let earlier = (earlier, earlier_rows.as_slice());
        let done = run_phases(settings, options, &pass, earlier, &mut folder, &mut reporter)?;
        if let Some((inputs, table)) = done {
            return end_run(folder, &files, inputs, table, &mut reporter);
        }
        let unusable = reporter.unusable_inputs().to_vec();
        Ok(Summary { is_interrupted: true, unusable, ..Summary::default() })
    })
}

/// Refuses to write a list over any file except a list of an earlier run.
fn check_list(
    settings: &Settings,
    options: &Options,
    plan: &Plan,
    out: &Path,
    earlier: &[PathBuf],
) -> Result<(), DedupError> {
    let Outputs::List(path) = &settings.outputs else { return Ok(()) };
    plan.check_side_file(path, "--mark", LIST_BEGINNING, &OutputTo::Folder(out.to_owned()), "")?;
    let real = path.canonicalize().ok();
    if real.is_some() && earlier.iter().any(|file| file.canonicalize().ok() == real) {
        let problem = format!("--mark would overwrite '{}', which --against reads", path.display());
        return Err(DedupError::Usage(problem));
    }
    if path.exists() && !(options.resume || options.overwrite) {
        return Err(RunError::OutputExists { path: path.clone() }.into());
    }
    Ok(())
}

/// Refuses settings that do not fit together.
fn check(settings: &Settings, options: &Options) -> Result<(), DedupError> {
    let usage = |problem: &str| Err(DedupError::Usage(problem.to_owned()));
    settings.signatures.check()?;
    if settings.by.is_empty() {
        return usage("no kind of duplicate given: use url, text, near, lines or paragraphs");
    }
    if settings.cuts_texts() && matches!(settings.outputs, Outputs::List(_)) {
        return usage("a list of rows to drop cannot remove lines or paragraphs");
    }
    if settings.verify.is_some_and(|min_similarity| !(min_similarity > 0. && min_similarity <= 1.))
    {
        return usage("the similarity to verify must be above 0 and at most 1");
    }
    if settings.verify.is_some() && !settings.has(DedupStep::Near) {
        return usage("only near duplicates can be verified: add near");
    }
    if let Some(RowsFormat { format, .. }) = settings.format.rows() {
        check_rows_format(format, options.memory)?;
    }
    if settings.format == OutputFormat::Warc {
        let Some(archives) = &options.archives else {
            return usage("records need the folder of the archives that the rows name");
        };
        if settings.outputs != Outputs::Kept {
            return usage("records have no fields on duplicates: leave these fields out");
        }
        if !archives.is_dir() {
            let problem = format!("'{}' is not a folder of archives", archives.display());
            return Err(DedupError::Usage(problem));
        }
    }
    if settings.has(DedupStep::Lines) && settings.host_lines == 0 {
        return usage("the number of pages with a line of a host must be above 0");
    }
    if settings.has(DedupStep::Paragraphs) && settings.paragraph_chars < MIN_PARAGRAPH_CHARS {
        let problem = format!("paragraphs must be at least {MIN_PARAGRAPH_CHARS} characters long");
        return Err(DedupError::Usage(problem));
    }
    if options.memory < MIN_MEMORY_BYTES {
        return Err(DedupError::Usage(format!(
            "memory must be at least {}M",
            MIN_MEMORY_BYTES >> 20
        )));
    }
    Ok(())
}

/// Refuses a format that cannot have the rows of a run in this memory.
fn check_rows_format(format: &dyn Format, memory: u64) -> Result<(), DedupError> {
    let name = format.name();
    if format.has_records() {
        let problem = format!(
            "--format {name} needs the records of the rows: give the folder of their archives as \
             --archives"
        );
        return Err(DedupError::Usage(problem));
    }
    if !format.formats().is_empty() {
        let problem = format!("one output has one format, not {name}: give one --format");
        return Err(DedupError::Usage(problem));
    }
    let min_memory = MIN_MEMORY_BYTES + format.max_memory_bytes() as u64;
    if memory < min_memory {
        let problem = format!("--format {name} needs --memory of at least {}M", min_memory >> 20);
        return Err(DedupError::Usage(problem));
    }
    Ok(())
}

/// Returns all settings that decide the bytes of the output.
fn run_config(
    settings: &Settings,
    pass: &FilePass<'_>,
    earlier: &[SignedFile],
    (rows, dropped, withdrawn): (Option<&RowsFormat>, Option<Value>, Option<Value>),
) -> RunConfig {
    let values = serde_json::to_value(settings).expect("settings are plain data");
    let mut values: Section = serde_json::from_value(values).expect("settings have names");
    // The path of the list changes no byte of it.
    if values.get("outputs").is_some_and(Value::is_object) {
        values.insert("outputs".to_owned(), json!("list"));
    }
    values.insert("max_line_bytes".to_owned(), json!(pass.max_line_bytes));
    values.insert("input_order".to_owned(), json!(order_digest(pass, earlier)));
    // Lines keep the members that rows had, and need none of the table's fields.
    values.insert("refines".to_owned(), json!([&settings.keys.text, &settings.keys.url]));
    values.extend(rows.map(RowsFormat::settings).unwrap_or_default());
    values.extend(dropped.map(|dropped| ("drop".to_owned(), dropped)));
    values.extend(withdrawn.map(|withdrawn| ("withdrawn".to_owned(), withdrawn)));
    let inputs = pass.files.iter().map(|file| (file.name.clone(), json!(file.bytes)));
    let against =
        earlier.iter().map(|file| (corpus::name_by_signatures(&file.path), json!(file.rows)));
    let versions = section([("dedup", json!(VERSION)), ("journal", json!(journal::VERSION))]);
    let sections = [
        ("formats", versions),
        ("settings", values),
        (INPUTS, inputs.collect()),
        ("against", against.collect()),
    ];
    RunConfig::from_sections(sections, None, None)
}

/// Returns a digest of the order in which rows are compared, which decides which of them are kept.
fn order_digest(pass: &FilePass<'_>, earlier: &[SignedFile]) -> String {
    let mut digest = XxHash3_128::new();
    let against = earlier.iter().map(|file| corpus::name_by_signatures(&file.path));
    for name in against.chain(pass.files.iter().map(|file| file.name.clone())) {
        digest.write(name.as_bytes());
        digest.write(b"\0");
    }
    format!("xxh128:{:032x}", digest.finish_128())
}

/// The result of a run that was not interrupted: the statistics of its inputs, and its clusters.
type CompleteRun = Option<(Vec<InputSummary>, ClusterTable)>;

/// The rows to drop before any step: a list of the user, and withdrawn pages.
type RowsToDrop = (Option<DropList>, Vec<Arc<Withdrawals>>);

/// Reads the tombstones that the user names, and those of the folders of earlier corpora.
fn named_withdrawals(
    named_files: &[PathBuf],
    against: &[PathBuf],
) -> Result<Option<Arc<Withdrawals>>, DedupError> {
    let is_there = |path: &&PathBuf| path.is_dir() && file_at(path).is_file();
    let paths: Vec<_> =
        named_files.iter().chain(against.iter().filter(is_there)).cloned().collect();
    let keys = Withdrawals::read(&paths)?;
    Ok((!keys.is_empty()).then(|| Arc::new(keys)))
}

/// Runs all phases, one after another.
fn run_phases(
    (settings, layouts, (list, withdrawn)): (&Settings, &EncodedOutputs<'_>, RowsToDrop),
    options: &Options,
    pass: &FilePass<'_>,
    (earlier, earlier_rows): (Vec<SignedFile>, &[CorpusFile]),
    folder: &mut Folder<'_>,
    reporter: &mut Reporter<'_>,
) -> Result<CompleteRun, DedupError> {
    let Some(signed) = sign(settings, pass, folder, reporter)? else { return Ok(None) };
    let earlier_files = earlier.len();
    let mut signature_indexes = Vec::new();
    let mut named_signatures: Vec<_> = earlier
        .into_iter()
        .map(|file| {
            let name = corpus::name_by_signatures(&file.path);
            (file, name)
        })
        .collect();
    for (file, signed) in pass.files.iter().zip(&signed) {
        signature_indexes.push(signed.as_ref().map(|signed| {
            named_signatures.push((signed.file.clone(), file.name.clone()));
            named_signatures.len() - 1
        }));
    }
    let rows = CorpusRows::new(named_signatures);
    let inputs = (&rows, signature_indexes.as_slice());
    let temporary = folder.create_temporary()?;
    let memory = (options.memory, temporary.as_path());
    let listed = match list {
        None => DroppedRows::default(),
        Some(list) => match DroppedRows::from_list(&list, settings, pass, inputs, reporter)? {
            None => return Ok(None),
            Some(rows) => rows,
        },
    };
    let withdrawn = withdrawn_rows(&withdrawn, settings, pass, inputs, reporter)?;
    let Some(withdrawn) = withdrawn else { return Ok(None) };
    let listed = [(&listed, DroppedBy::List), (&withdrawn, DroppedBy::Withdrawn)];
    let mut texts = ShinglePass {
        settings,
        rows: &rows,
        inputs: pass,
        signature_indexes: &signature_indexes,
        earlier: earlier_rows,
        monitor: &mut *reporter,
        folder: &temporary,
    };
    let decided = decide(settings, &rows.files, earlier_files, memory, &listed, &mut texts)?;
    let Some(decisions) = decided else { return Ok(None) };
    note_decisions(&decisions, folder, reporter)?;
    let table = ClusterTable::from_decisions(&decisions, &rows.files)?;
    if let Outputs::List(path) = &settings.outputs {
        list::write(path, &rows, &decisions)?;
        let (files, indexes) = (pass.files, inputs.1);
        let inputs = statistics_of_list(files, &signed, indexes, (&rows, &decisions), folder);
        enter_listed(pass.files, &inputs, folder)?;
        return Ok(Some((inputs, table)));
    }
    let lines = if settings.has(DedupStep::Lines) {
        match HostLines::count(settings, pass, inputs, &decisions, memory, reporter)? {
            None => return Ok(None),
            lines => lines,
        }
    } else {
        None
    };
    let (decisions, lines) = (&decisions, lines.as_ref());
    let paragraphs = if settings.has(DedupStep::Paragraphs) {
        match Paragraphs::compare(settings, pass, inputs, (decisions, lines), memory, reporter)? {
            None => return Ok(None),
            paragraphs => paragraphs,
        }
    } else {
        None
    };
    let (rows, signature_indexes) = inputs;
    let paragraphs = paragraphs.as_ref();
    let writing =
        OutputData { settings, rows, signature_indexes, decisions, lines, paragraphs, layouts };
    if writing.run(pass, folder, reporter)? == PassEnding::Interrupted {
        return Ok(None);
    }
    let (inputs, left_out) = output_summaries(folder, pass.files);
    let mut table = table;
    for step in
        [DedupStep::Lines, DedupStep::Paragraphs].into_iter().filter(|step| settings.has(*step))
    {
        let left_out = left_out.0.get(step.reason()).copied().unwrap_or_default();
        table.dropped.insert(step.reason().to_owned(), left_out);
    }
    Ok(Some((inputs, table)))
}

/// Enters the inputs of a list of rows in the journal, unless an earlier run has entered them.
fn enter_listed(
    files: &[CorpusFile],
    inputs: &[InputSummary],
    folder: &mut Folder<'_>,
) -> Result<(), DedupError> {
    let entered: HashSet<_> =
        folder.written_inputs().iter().map(|written| written.input.clone()).collect();
    let files: HashMap<_, _> = files.iter().map(|file| (file.name.as_str(), file)).collect();
    for InputSummary { name, counters, .. } in
        inputs.iter().filter(|input| !entered.contains(&input.name))
    {
        let file = files.get(name.as_str()).expect("the statistics are those of the inputs");
        let finished = folder.finished(file, counters.clone(), folder.read_of(name), None, None);
        folder.finish(finished)?;
    }
    Ok(())
}

/// Notes the decisions in the journal. Refuses decisions that differ from those by which an earlier
/// run has begun to write. If that run could not read all inputs, all outputs are made again.
fn note_decisions(
    decisions: &Decisions,
    folder: &mut Folder<'_>,
    reporter: &mut Reporter<'_>,
) -> Result<(), DedupError> {
    let digest = format!("xxh128:{:032x}", XxHash3_128::oneshot(decisions.bytes()));
    match folder.decided() {
        None => folder.note_milestone(Milestone::Decided(digest)),
        Some(earlier) if earlier == digest => Ok(()),
        Some(_) if folder.has_more_inputs() => {
            reporter.note(
                "an input that could not be used before can be used now: all outputs are written \
                 again",
            );
            folder.forget_outputs()?;
            folder.note_milestone(Milestone::Decided(digest))
        }
        Some(_) => {
            Err(DedupError::cannot_resume("the inputs have changed, so other rows would be kept"))
        }
    }
}

/// Returns the statistics of all outputs, in the order of the inputs, and the parts that were left
/// out of texts.
fn output_summaries(
    folder: &Folder<'_>,
    files: &[CorpusFile],
) -> (Vec<InputSummary>, DropsByReason) {
    let mut left_out = DropsByReason::default();
    let mut by_name = HashMap::new();
    for written in folder.written_inputs() {
        let noted = written.note.clone().and_then(|note| serde_json::from_value(note).ok());
        left_out += &noted.unwrap_or_default();
        by_name.insert(written.input.as_str(), written);
    }
    let inputs = files.iter().filter_map(|file| by_name.get(file.name.as_str()));
    (inputs.map(|written| written.summary()).collect(), left_out)
}

/// Returns the statistics of a run that writes only a list. Rows that are not on the list count as
/// written, since they stay where they are.
fn statistics_of_list(
    files: &[CorpusFile],
    signed: &[Option<InputSignatures>],
    signature_indexes: &[Option<usize>],
    (rows, decisions): (&CorpusRows, &Decisions),
    folder: &Folder<'_>,
) -> Vec<InputSummary> {
    let mut inputs = Vec::new();
    for ((file, signed), file_index) in files.iter().zip(signed).zip(signature_indexes) {
        let (Some(signed), Some(file_index)) = (signed, file_index) else { continue };
        let mut counters: Counters = signed.faults.clone();
        let first_row = rows.first(*file_index);
        for row in first_row..first_row + signed.file.rows as u32 {
            match decisions.dropped_by(row) {
                Some(dropped_by) => counters.add_rejected(dropped_by.counted_as()),
                None => counters.add_written(),
            }
        }
        let read = folder.read_of(&file.name).map(|(bytes, _)| bytes);
        let (name, bytes) = (file.name.clone(), read.or(file.bytes).unwrap_or_default());
        inputs.push(InputSummary { name, bytes, counters });
    }
    inputs
}

/// Writes the statistics, and ends the run if all inputs could be used and have not changed.
fn end_run(
    folder: Folder<'_>,
    files: &[CorpusFile],
    inputs: Vec<InputSummary>,
    table: ClusterTable,
    reporter: &mut Reporter<'_>,
) -> Result<Summary, DedupError> {
    let mut total = Counters::default();
    for InputSummary { name, counters, .. } in &inputs {
        total += counters;
        if let Some(reason) = counters.unusable_reason(true) {
            reporter.unusable(name, &reason);
        }
    }
    for UnusableInput { input, error } in folder.recheck() {
        reporter.unusable(&input, &error);
    }
    let (unusable, ignored) = (reporter.unusable_in_order(files), folder.ignored());
    let written = summary::Summary {
        inputs: inputs.clone(),
        total: total.clone(),
        unusable: unusable.clone(),
        ignored: ignored.clone(),
        ..summary::Summary::default()
    };
    folder.write_statistics(&written)?;
    let mut text = Vec::new();
    push_line(&mut text, &table);
    replace(&folder.run_file(DEDUP_CLUSTERS), &text)?;
    if unusable.is_empty() {
        folder.mark_complete()?;
    }
    Ok(Summary { inputs, total, table, unusable, ignored, is_interrupted: false })
}

/// Returns the result of an earlier run that wrote everything, or `None` if something is left to
/// do.
fn finished_result(folder: &Folder<'_>, files: &[CorpusFile], settings: &Settings) -> CompleteRun {
    let (inputs, _) = output_summaries(folder, files);
    let has_list = match &settings.outputs {
        Outputs::List(path) => path.exists(),
        _ => true,
    };
    if inputs.len() < files.len() || folder.decided().is_none() || !has_list {
        return None;
    }
    let text = std::fs::read(folder.run_file(DEDUP_CLUSTERS)).ok()?;
    Some((inputs, serde_json::from_slice(&text).ok()?))
}
