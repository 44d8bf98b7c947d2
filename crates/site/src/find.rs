//! Reads a corpus twice, and finds its recurring lines.

use crate::error::SiteError;
use crate::line_rule::LineRule;
use crate::line_texts::{FoundLines, LineTexts};
use crate::page_counts::PageCounts;
use huller_archive::Stores;
use huller_corpus::RowKeys;
use huller_run::counters::Counters;
use huller_run::monitor::{Monitor, Progress};
use huller_run::row_pass::{PassSummary, RowPass, is_among_inputs};
use huller_run::summary::{IgnoredFiles, InputSummary, UnusableInput};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Options of the search for lines.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// Fewest different pages of a host on which a line recurs.
    pub pages: u64,
    /// Least share of the different pages of a host on which a line recurs, 0 to 1.
    pub share: f64,
    /// Fewest Unicode scalars of a line, without white space at its ends.
    pub chars: u64,
    /// Names of text and URL in rows.
    pub keys: RowKeys,
    /// Threads; 0 means one per processor. The result is the same for any number.
    pub threads: usize,
    /// Bytes of memory for sorting, for the lines that recur and for rows.
    pub memory: usize,
    /// The folder for sorting what does not fit into the memory.
    pub folder: PathBuf,
    /// Where URLs among the inputs are read from.
    pub stores: Stores,
}

impl Default for SiteOptions {
    fn default() -> SiteOptions {
        SiteOptions {
            pages: 6,
            share: 0.1,
            chars: 40,
            keys: RowKeys::default(),
            threads: 0,
            memory: 1 << 30,
            folder: std::env::temp_dir(),
            stores: Stores::default(),
        }
    }
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct SiteSummary {
    /// Statistics of every input. Written rows are those whose lines were counted.
    pub inputs: Vec<InputSummary>,
    /// Lines that recur.
    pub lines: u64,
    /// Hosts that have such lines.
    pub hosts: u64,
    /// Inputs that could not be used, or not to their end.
    pub unusable: Vec<UnusableInput>,
    /// Files in the folders of inputs that are not rows.
    pub ignored: IgnoredFiles,
    /// Whether the run was interrupted.
    pub is_interrupted: bool,
}

/// Finds the lines that recur in files and folders of rows. `out` is the file for them, or `-` for
/// standard output. This function does not write it. It gives no lines if the run was interrupted,
/// or if inputs could not be used and the others have no row that counts.
///
/// # Errors
///
/// The run could not begin or had to end. Inputs that cannot be used are in the summary instead.
pub fn find(
    inputs: &[PathBuf],
    out: &Path,
    options: &SiteOptions,
    monitor: &mut (dyn Monitor + Send),
    stop: &AtomicBool,
) -> Result<(SiteSummary, Option<FoundLines>), SiteError> {
    let is_stdout = out.as_os_str() == "-";
    if !is_stdout && is_among_inputs(out, inputs) {
        return Err(SiteError::Usage(format!(
            "'{}' is an input or lies in one: choose another -o",
            out.display()
        )));
    }
    if !(0.0..=1.0).contains(&options.share) {
        return Err(SiteError::Usage(format!("give a --share from 0 to 1, not {}", options.share)));
    }
    let rule = LineRule::new(&options.keys, options.chars);
    let rule = rule.ok_or_else(|| SiteError::Usage("there are too many reasons".to_owned()))?;
    let pass = RowPass::new(inputs, out, &options.stores, options.memory)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| SiteError::Usage(format!("cannot start threads: {error}")))?;
    pool.install(|| read_twice(&rule, &pass, options, monitor, stop))
}

fn read_twice(
    rule: &LineRule,
    pass: &RowPass,
    options: &SiteOptions,
    monitor: &mut (dyn Monitor + Send),
    stop: &AtomicBool,
) -> Result<(SiteSummary, Option<FoundLines>), SiteError> {
    let (folder, memory) = (&*options.folder, options.memory);
    monitor.phase("counting lines", None);
    let mut counts = PageCounts::new(rule, memory / 2, folder);
    let read = pass.read(&mut counts, monitor, stop).map_err(SiteError::sorting(folder))?;
    let PassSummary { inputs, unusable, ignored, is_interrupted } = read;
    let mut summary =
        SiteSummary { inputs, unusable, ignored, is_interrupted, ..SiteSummary::default() };
    let rows: u64 = summary.inputs.iter().map(|input| input.counters.written).sum();
    if is_interrupted || rows == 0 && !summary.unusable.is_empty() {
        return Ok((summary, None));
    }
    let recurring = counts.recurring((options.pages, options.share), memory / 4, folder)?;
    (summary.lines, summary.hosts) = (recurring.len() as u64, recurring.hosts());
    if recurring.len() == 0 {
        return Ok((summary, Some(FoundLines::none(folder))));
    }
    monitor.phase("reading the lines that recur", Some(rows));
    let mut texts = LineTexts::new(rule, &recurring, memory / 4, folder);
    let read = pass.read(&mut texts, &mut ProgressOnly(monitor), stop);
    let read = read.map_err(SiteError::sorting(folder))?;
    if read.is_interrupted {
        summary.is_interrupted = true;
        return Ok((summary, None));
    }
    Ok((summary, Some(texts.finish(folder)?)))
}

/// Passes on the progress of the second reading. The first one has reported the inputs.
struct ProgressOnly<'a>(&'a mut (dyn Monitor + Send));

impl Monitor for ProgressOnly<'_> {
    fn started(&mut self, _: u64, _: Option<u64>) {}

    fn progress(&mut self, progress: Progress) {
        self.0.progress(progress);
    }

    fn finished(&mut self, _: &str, _: &Counters) {}

    fn unusable(&mut self, _: &str, _: &str) {}
}
