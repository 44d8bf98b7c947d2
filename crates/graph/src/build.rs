//! Builds a host graph of files of links.

use crate::error::GraphError;
use crate::files::GraphFolder;
use crate::link::{HostLink, LinkRule, is_role};
use crate::numbering::{SEPARATOR, write};
use crate::sorted_records::SortedRecords;
use huller_archive::Stores;
use huller_corpus::{CorpusError, Limits, RowChunk, RowReader};
use huller_refine::Reason;
use huller_run::counters::Counters;
use huller_run::monitor::{Monitor, Progress};
use huller_run::plan::{Job, JobSource, Plan, PlanOptions};
use huller_run::summary::{IgnoredFiles, InputSummary, UnusableInput};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Fewest bytes of the longest row that is read, for any memory limit.
const LEAST_ROW: usize = 1 << 16;

/// Options of the building of a graph.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// Threads; 0 means one per processor. The bytes of the graph are the same for any number.
    pub threads: usize,
    /// Bytes of memory for sorting, and for reading rows. The bytes of the graph are the same.
    pub memory: usize,
    /// Count only links of these roles; empty means all roles.
    pub roles: Vec<String>,
    /// Count only links that lie in the texts of their rows.
    pub kept: bool,
    /// Replace the files of an earlier graph.
    pub overwrite: bool,
    /// Where URLs among the inputs are read from.
    pub stores: Stores,
}

impl Default for GraphOptions {
    fn default() -> GraphOptions {
        GraphOptions {
            threads: 0,
            memory: 1 << 30,
            roles: Vec::new(),
            kept: false,
            overwrite: false,
            stores: Stores::default(),
        }
    }
}

/// The result of a build.
#[derive(Clone, Debug, Default)]
pub struct GraphSummary {
    /// Statistics of every input. Written rows are the links between hosts.
    pub inputs: Vec<InputSummary>,
    /// Hosts of the graph.
    pub hosts: u64,
    /// Edges of the graph.
    pub edges: u64,
    /// Inputs that could not be used, or not to their end.
    pub unusable: Vec<UnusableInput>,
    /// Files in the folders of links that are not rows.
    pub passed_over: IgnoredFiles,
    /// Whether the run was interrupted. It then wrote no graph.
    pub is_interrupted: bool,
    /// Whether the run wrote a graph.
    pub is_written: bool,
}

/// Builds the graph of files and folders of links, and writes its [files](crate::NAMES) to the
/// folder `out`.
///
/// # Errors
///
/// The run could not begin or had to end. Inputs that cannot be used are in the summary instead. If
/// no input gave a link that counts, no graph is written.
pub fn build(
    inputs: &[PathBuf],
    out: &Path,
    options: &GraphOptions,
    monitor: &mut (dyn Monitor + Send),
    stop: &AtomicBool,
) -> Result<GraphSummary, GraphError> {
    if let Some(role) = options.roles.iter().find(|role| !is_role(role)) {
        return Err(GraphError::Usage(format!("'{role}' is not the name of a role")));
    }
    let rule = LinkRule::new(&options.roles, options.kept);
    let rule = rule.ok_or_else(|| GraphError::Usage("there are too many reasons".to_owned()))?;
    refuse_inputs(inputs, out)?;
    let plan = plan(inputs, out, options)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| GraphError::Usage(format!("cannot start threads: {error}")))?;
    let folder = GraphFolder::open(out, options.overwrite)?;
    let memory = options.memory / 4;
    let sorts = || SortedRecords::new(memory, folder.root());
    let summary = GraphSummary { passed_over: plan.passed_over.clone(), ..GraphSummary::default() };
    let mut build = Build { pages: sorts(), links: sorts(), last: None, rule, summary, read: 0 };
    for (input, error) in &plan.unusable {
        build.unusable(input, error, monitor);
    }
    for job in &plan.jobs {
        let longest = (options.memory / 32).max(LEAST_ROW);
        let is_whole = pool.install(|| build.read(job, &plan.stores, longest, monitor, stop));
        if !is_whole.map_err(GraphError::sorting(folder.root()))? {
            build.summary.is_interrupted = true;
            return Ok(build.summary);
        }
    }
    if build.last.is_none() && !build.summary.unusable.is_empty() {
        // No link counts. An empty graph would hide the problem, and might replace a good one.
        return Ok(build.summary);
    }
    monitor.phase("sorting", None);
    let Build { pages, links, summary, .. } = build;
    let counts = pool.install(|| write(folder, pages, links, memory))?;
    Ok(GraphSummary { hosts: counts.hosts, edges: counts.edges, is_written: true, ..summary })
}

/// Refuses an output folder that is an input, or lies in one.
fn refuse_inputs(inputs: &[PathBuf], out: &Path) -> Result<(), GraphError> {
    // The folder may be missing. The nearest one above it exists.
    let Ok(absolute) = std::path::absolute(out) else { return Ok(()) };
    let above = absolute.ancestors().find_map(|folder| folder.canonicalize().ok());
    let real = out.canonicalize().ok().or(above).unwrap_or(absolute);
    for input in inputs {
        let Ok(input) = input.canonicalize() else { continue };
        if input.is_dir() && real.starts_with(&input) || input == real {
            return Err(GraphError::Usage(format!(
                "'{}' is an input or lies in one: choose another -o",
                out.display()
            )));
        }
    }
    Ok(())
}

/// Makes a plan of the files of links. Files that can hold no rows are unusable.
fn plan(inputs: &[PathBuf], out: &Path, options: &GraphOptions) -> Result<Plan, GraphError> {
    let (outputs, stores) = (vec![out.to_owned()], options.stores.clone());
    let mut plan = Plan::new(inputs, &PlanOptions { outputs, stores, ..PlanOptions::default() })?;
    for job in std::mem::take(&mut plan.jobs) {
        if matches!(job.source, JobSource::File(_)) {
            plan.jobs.push(job);
        } else {
            plan.unusable.push((job.name, CorpusError::Pages.to_string()));
        }
    }
    Ok(plan)
}

/// A graph whose links are being read.
struct Build {
    pages: SortedRecords,
    links: SortedRecords,
    /// The host and the page of the last link. Most links follow another one of their page.
    last: Option<(String, u128)>,
    rule: LinkRule,
    summary: GraphSummary,
    /// Rows read so far.
    read: u64,
}

impl Build {
    /// Reads the links of an input. Returns false if the run was interrupted.
    fn read(
        &mut self,
        job: &Job,
        stores: &Stores,
        longest: usize,
        monitor: &mut (dyn Monitor + Send),
        stop: &AtomicBool,
    ) -> std::io::Result<bool> {
        let limits = Limits { record_bytes: longest, ..Limits::default() };
        let path = job.files().next().unwrap_or(Path::new(""));
        let mut counters = Counters::default();
        let ending = match RowReader::open_in(stores, path, &limits) {
            Ok(mut reader) => self.read_chunks(&mut reader, &mut counters, monitor, stop)?,
            Err(error) => Ending::Failed(error),
        };
        let complaint = match &ending {
            Ending::Interrupted => return Ok(false),
            Ending::Failed(error) => Some(error.to_string()),
            Ending::Whole => self.rule.complaint(&counters).or_else(|| counters.complaint(true)),
        };
        if let Some(complaint) = complaint {
            self.unusable(&job.name, &complaint, monitor);
        }
        let (name, bytes) = (job.name.clone(), job.bytes.unwrap_or_default());
        self.summary.inputs.push(InputSummary { name, bytes, counters });
        Ok(true)
    }

    fn read_chunks(
        &mut self,
        reader: &mut RowReader,
        counters: &mut Counters,
        monitor: &mut (dyn Monitor + Send),
        stop: &AtomicBool,
    ) -> std::io::Result<Ending> {
        let mut chunk = reader.next_chunk();
        loop {
            let now = match chunk {
                Ok(Some(now)) => now,
                Ok(None) => return Ok(Ending::Whole),
                Err(error) => return Ok(Ending::Failed(error)),
            };
            // The next rows are read while these are parsed.
            let (next, added) = rayon::join(|| reader.next_chunk(), || self.add(&now, counters));
            added?;
            monitor.progress(Progress { pages: self.read, ..Progress::default() });
            if stop.load(Ordering::Relaxed) {
                return Ok(Ending::Interrupted);
            }
            chunk = next;
        }
    }

    /// Parses the rows of a chunk on all threads, and adds their links.
    fn add(&mut self, chunk: &RowChunk, counters: &mut Counters) -> std::io::Result<()> {
        chunk.faults().iter().for_each(|(_, fault)| counters.add_rejected(fault.reason));
        let rows: Vec<_> = chunk.rows().map(|(_, row)| row).collect();
        self.read += rows.len() as u64;
        let rule = &self.rule;
        let read: Vec<Result<HostLink, Reason>> =
            rows.par_iter().with_min_len(64).map(|row| rule.read(row)).collect();
        for link in read {
            match link {
                Ok(link) => self.add_link(link, counters)?,
                Err(reason) => counters.add_rejected(reason),
            }
        }
        Ok(())
    }

    fn add_link(&mut self, link: HostLink, counters: &mut Counters) -> std::io::Result<()> {
        let HostLink { source, target, role, page } = link;
        if source == target {
            counters.add_rejected(self.rule.same_host);
        } else {
            counters.add_written();
            let parts =
                [source.as_bytes(), SEPARATOR, target.as_bytes(), SEPARATOR, role.as_bytes()];
            self.links.push(&parts, 1)?;
            self.pages.push(&[target.as_bytes()], 1)?;
        }
        let is_last = |(host, of): &(String, u128)| *host == source && *of == page;
        if !self.last.as_ref().is_some_and(is_last) {
            self.pages.push(&[source.as_bytes(), SEPARATOR, &page.to_be_bytes()], 1)?;
            self.last = Some((source, page));
        }
        Ok(())
    }

    /// Notes that an input could not be used, or not to its end.
    fn unusable(&mut self, input: &str, error: &str, monitor: &mut (dyn Monitor + Send)) {
        monitor.unusable(input, error);
        let (input, error) = (input.to_owned(), error.to_owned());
        self.summary.unusable.push(UnusableInput { input, error });
    }
}

/// The way in which the reading of an input ended.
enum Ending {
    Whole,
    Interrupted,
    Failed(CorpusError),
}
