//! Writes the graph: numbers the hosts, and merges sorted links with sorted hosts.

use crate::error::GraphError;
use crate::files::{GRAPH_FILE_NAMES, GraphFile, GraphFolder};
use crate::host_numbers::{HostCursor, HostNumbers};
use huller_run::sorted_records::SortedRecords;
use std::fs::File;
use std::path::Path;

/// Separates the parts of a record. No host and no role contains it.
pub(crate) const SEPARATOR: &[u8] = &[0];

/// Bytes of a number in a record, the most significant first.
const NUMBER_BYTES: usize = size_of::<u64>();

/// Counts of a finished graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GraphCounts {
    pub(crate) hosts: u64,
    pub(crate) edges: u64,
}

/// Writes the graph from pages sorted by host and links sorted by source.
///
/// A record of `pages` is a host, or `host NUL digest` for a page. A record of `links` is
/// `source NUL target NUL role`. `memory` is the number of bytes of each sort.
pub(crate) fn write(
    folder: GraphFolder,
    pages: SortedRecords,
    links: SortedRecords,
    memory: usize,
) -> Result<GraphCounts, GraphError> {
    let mut vertices = folder.create(GRAPH_FILE_NAMES[0])?;
    let mut edges = folder.create(GRAPH_FILE_NAMES[1])?;
    let mut roles = folder.create(GRAPH_FILE_NAMES[2])?;
    let (hosts, host_count) = number_hosts(folder.root(), pages, &mut vertices)?;
    let by_target = join_sources(folder.root(), &hosts, links, memory)?;
    let by_number = join_targets(folder.root(), &hosts, by_target, memory)?;
    let written = write_edges(folder.root(), by_number, &mut edges, &mut roles)?;
    folder.finish([vertices, edges, roles])?;
    Ok(GraphCounts { hosts: host_count, edges: written })
}

/// Writes the hosts with their numbers and pages. Returns the file of sorted hosts,
/// and their count.
fn number_hosts(
    root: &Path,
    pages: SortedRecords,
    vertices: &mut GraphFile,
) -> Result<(File, u64), GraphError> {
    let sort_error = GraphError::sorting(root);
    let mut numbers = HostNumbers::create(root).map_err(&sort_error)?;
    let (mut host, mut count, mut next): (Vec<u8>, u64, u64) = (Vec::new(), 0, 0);
    let mut write_host = |host: &[u8], pages: u64, number: u64| {
        numbers.push(host).map_err(&sort_error)?;
        let (number, pages) = (number.to_string(), pages.to_string());
        vertices.line(&[number.as_bytes(), b"\t", host, b"\t", pages.as_bytes()])
    };
    pages.for_each(&sort_error, |record, _| {
        let (name, is_page) =
            split_at_separator(record).map_or((record, false), |(name, _)| (name, true));
        if host != name {
            if !host.is_empty() {
                write_host(&host, count, next)?;
                next += 1;
            }
            host.clear();
            host.extend_from_slice(name);
            count = 0;
        }
        count += u64::from(is_page);
        Ok(())
    })?;
    if !host.is_empty() {
        write_host(&host, count, next)?;
        next += 1;
    }
    Ok((numbers.finish().map_err(&sort_error)?, next))
}

/// Replaces the source of each link by its number: `target NUL number role`.
fn join_sources(
    root: &Path,
    hosts: &File,
    links: SortedRecords,
    memory: usize,
) -> Result<SortedRecords, GraphError> {
    let sort_error = GraphError::sorting(root);
    let mut cursor = HostCursor::new(hosts).map_err(&sort_error)?;
    let mut joined = SortedRecords::new(memory, root);
    links.for_each(&sort_error, |record, count| {
        let Some((source, rest)) = split_at_separator(record) else { return Ok(()) };
        let Some((target, role)) = split_at_separator(rest) else { return Ok(()) };
        let number = cursor.number(source).map_err(&sort_error)?.to_be_bytes();
        joined.push(&[target, SEPARATOR, &number, role], count).map_err(&sort_error)
    })?;
    Ok(joined)
}

/// Replaces the target of each link by its number: `source number, target number, role`.
fn join_targets(
    root: &Path,
    hosts: &File,
    links: SortedRecords,
    memory: usize,
) -> Result<SortedRecords, GraphError> {
    let sort_error = GraphError::sorting(root);
    let mut cursor = HostCursor::new(hosts).map_err(&sort_error)?;
    let mut joined = SortedRecords::new(memory, root);
    links.for_each(&sort_error, |record, count| {
        let Some((target, rest)) = split_at_separator(record) else { return Ok(()) };
        let Some((source, role)) = rest.split_at_checked(NUMBER_BYTES) else { return Ok(()) };
        let number = cursor.number(target).map_err(&sort_error)?.to_be_bytes();
        joined.push(&[source, &number, role], count).map_err(&sort_error)
    })?;
    Ok(joined)
}

/// Writes edges, and links by role. Returns the number of edges.
fn write_edges(
    root: &Path,
    links: SortedRecords,
    edges: &mut GraphFile,
    roles: &mut GraphFile,
) -> Result<u64, GraphError> {
    roles.line(&[b"from_id,to_id,role,links"])?;
    let (mut last, mut written) = (None, 0);
    links.for_each(GraphError::sorting(root), |record, count| {
        let Some((source, rest)) = read_number(record) else { return Ok(()) };
        let Some((target, role)) = read_number(rest) else { return Ok(()) };
        let (source_number, target_number) = (source.to_string(), target.to_string());
        if last != Some((source, target)) {
            edges.line(&[source_number.as_bytes(), b"\t", target_number.as_bytes()])?;
            last = Some((source, target));
            written += 1;
        }
        let count = count.to_string();
        roles.line(&[
            source_number.as_bytes(),
            b",",
            target_number.as_bytes(),
            b",",
            role,
            b",",
            count.as_bytes(),
        ])
    })?;
    Ok(written)
}

/// Splits a record at its first separator.
fn split_at_separator(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let offset = record.iter().position(|byte| *byte == SEPARATOR[0])?;
    Some((&record[..offset], &record[offset + 1..]))
}

/// Splits a record after the number at its beginning.
fn read_number(record: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = record.split_first_chunk()?;
    Some((u64::from_be_bytes(*number), rest))
}
