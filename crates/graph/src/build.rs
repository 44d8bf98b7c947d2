//! Builds a host graph of files of links.

use crate::error::GraphError;
use crate::files::GraphFolder;
use crate::graph_writer::{SEPARATOR, write};
use crate::link::{HostLink, LinkRule, is_role};
use huller_archive::Stores;
use huller_refine::Reason;
use huller_run::counters::Counters;
use huller_run::monitor::Monitor;
use huller_run::row_pass::{PassSummary, RowPass, RowSink, is_among_inputs};
use huller_run::sorted_records::SortedRecords;
use huller_run::summary::{IgnoredFiles, InputSummary, UnusableInput};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Options for building a graph.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// Threads; 0 means one per processor. The bytes of the graph are the same for any number.
    pub threads: usize,
    /// Bytes of memory for sorting, and for reading rows. The bytes of the graph are the same.
    pub memory: usize,
    /// Count only links of these roles; empty means all roles.
    pub roles: Vec<String>,
    /// Count only links that lie in the texts of their rows.
    pub kept_only: bool,
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
            kept_only: false,
            overwrite: false,
            stores: Stores::default(),
        }
    }
}

/// The result of building a graph.
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
    pub ignored: IgnoredFiles,
    /// Whether the run was interrupted. It then wrote no graph.
    pub is_interrupted: bool,
    /// Whether the run wrote a graph.
    pub is_written: bool,
}

/// Builds the graph of files and folders of links, and writes its [files](crate::GRAPH_FILE_NAMES)
/// to the folder `out`.
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
    let rule = LinkRule::new(&options.roles, options.kept_only);
    let rule = rule.ok_or_else(|| GraphError::Usage("there are too many reasons".to_owned()))?;
    if is_among_inputs(out, inputs) {
        return Err(GraphError::Usage(format!(
            "'{}' is an input or lies in one: choose another -o",
            out.display()
        )));
    }
    let pass = RowPass::new(inputs, out, &options.stores, options.memory)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| GraphError::Usage(format!("cannot start threads: {error}")))?;
    let folder = GraphFolder::open(out, options.overwrite)?;
    let memory = options.memory / 4;
    let new_sorter = || SortedRecords::new(memory, folder.root());
    let mut builder =
        GraphBuilder { pages: new_sorter(), links: new_sorter(), last_page: None, rule };
    let read = pool.install(|| pass.read(&mut builder, monitor, stop));
    let read = read.map_err(GraphError::sorting(folder.root()))?;
    let PassSummary { inputs, unusable, ignored, is_interrupted } = read;
    let summary =
        GraphSummary { inputs, unusable, ignored, is_interrupted, ..GraphSummary::default() };
    // If no link counts, an empty graph would hide the problem, and might replace a good one.
    if is_interrupted || builder.last_page.is_none() {
        return Ok(summary);
    }
    monitor.phase("sorting", None);
    let GraphBuilder { pages, links, .. } = builder;
    let counts = pool.install(|| write(folder, pages, links, memory))?;
    Ok(GraphSummary { hosts: counts.hosts, edges: counts.edges, is_written: true, ..summary })
}

/// A graph whose links are being read.
struct GraphBuilder {
    pages: SortedRecords,
    links: SortedRecords,
    /// The host and the page of the last link. Most links follow another one of their page.
    last_page: Option<(String, u128)>,
    rule: LinkRule,
}

impl RowSink for GraphBuilder {
    type Parsed = HostLink;

    fn parse(&self, row: &[u8]) -> Result<HostLink, Reason> {
        self.rule.read(row)
    }

    fn add(&mut self, link: HostLink, counters: &mut Counters) -> std::io::Result<()> {
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
        let is_last = |(host, last_id): &(String, u128)| *host == source && *last_id == page;
        if !self.last_page.as_ref().is_some_and(is_last) {
            self.pages.push(&[source.as_bytes(), SEPARATOR, &page.to_be_bytes()], 1)?;
            self.last_page = Some((source, page));
        }
        Ok(())
    }

    fn unusable_reason(&self, counters: &Counters) -> Option<String> {
        self.rule.unusable_reason(counters)
    }
}
