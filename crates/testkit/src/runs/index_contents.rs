//! Reads the contents of an index from its own notes and by searches.

use super::expected::{EntryCounts, InputVersion};
use super::faults::Faults;
use super::inputs::Version;
use super::program::Program;
use super::records::Marker;
use super::rows::EVERYWHERE;
use super::run_artifacts::{lines, read_if_there};
use super::test_world::TestWorld;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// A file in an index: the versions that its lines come from, and the number of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexedVersions {
    pub(super) of: Vec<InputVersion>,
    pub(super) lines: usize,
}

/// The notes of an index about a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct FileState {
    end: u64,
    /// The number of lines that are in the index, or were found not to be rows.
    pub(super) lines: usize,
    digest: String,
    #[serde(rename = "is_whole")]
    pub(super) is_complete: bool,
    #[serde(rename = "account")]
    pub(super) counters: EntryCounts,
}

impl FileState {
    /// Returns whether a run noted the same as an undisturbed one. The run may have read a line
    /// feed at the end that the file lost afterwards.
    pub(super) fn is_like(&self, undisturbed: &FileState) -> bool {
        let end = undisturbed.end;
        (end..=end + 1).contains(&self.end) && FileState { end, ..self.clone() } == *undisturbed
    }
}

/// The notes of an index in a commit.
#[derive(Debug, Default, Deserialize)]
struct IndexState {
    files: BTreeMap<String, FileState>,
}

/// A row that a search found.
#[derive(Deserialize)]
struct SearchHit {
    url: String,
    /// The file and the line number in it.
    row: String,
}

/// The most words in a query.
const MAX_WORDS: usize = 64;

/// The rows of each file with their line numbers.
type Hits = BTreeMap<String, Vec<(u64, Marker)>>;

/// The contents of an index.
#[derive(Debug, Default)]
pub(super) struct IndexContents {
    state: IndexState,
    hits: Hits,
    faults: Faults,
    /// Whether a search ends with an error.
    is_unreadable: bool,
}

#[cfg(test)]
impl IndexContents {
    /// Returns an index with one file of rows at these places, without faults.
    pub(super) fn with_one_file(
        name: &str,
        rows: &[(u64, Marker)],
        counters: EntryCounts,
    ) -> IndexContents {
        let lines = counters.records as usize;
        let (digest, end) = (String::new(), 0);
        let file = FileState { end, lines, digest, is_complete: true, counters };
        let state = IndexState { files: [(name.to_owned(), file)].into() };
        let hits = [(name.to_owned(), rows.to_vec())].into();
        IndexContents { state, hits, ..IndexContents::default() }
    }
}

impl IndexContents {
    /// Reads the index in a folder, if it exists. Searches it for all rows: by a word that all rows
    /// have, and by the markers of all versions of all inputs.
    pub(super) fn read(
        world: &TestWorld,
        program: &Program,
        folder: &Path,
    ) -> io::Result<IndexContents> {
        #[derive(Deserialize)]
        struct Meta {
            payload: Option<String>,
        }
        let mut indexed = IndexContents::default();
        let meta = read_if_there(&folder.join("meta.json"))?;
        if meta.is_empty() && !folder.join("meta.json").exists() {
            return Ok(indexed);
        }
        let state = serde_json::from_slice(&meta).map(|meta: Meta| meta.payload);
        match state.map(|payload| payload.map(|state| serde_json::from_str(&state))) {
            // The run was killed before its first commit, so the index cannot be searched.
            Ok(None) => return Ok(indexed),
            Ok(Some(Ok(state))) => indexed.state = state,
            Ok(Some(Err(error))) | Err(error) => {
                indexed.faults.push(format!("rule 2: 'meta.json' cannot be read: {error}"));
            }
        }
        let versions = world.all().flat_map(|(_, input)| &input.versions);
        // Versions of an input may share records.
        let markers: BTreeSet<Marker> =
            versions.flat_map(Version::records).map(|record| record.marker).collect();
        let markers = Vec::from_iter(markers);
        indexed.hits = indexed.search((world, program), folder, EVERYWHERE)?;
        let mut by_marker = Hits::new();
        for markers in markers.chunks(MAX_WORDS) {
            let words: Vec<String> = markers.iter().map(ToString::to_string).collect();
            let found = indexed.search((world, program), folder, &words.join(" "))?;
            for (name, mut rows) in found {
                // If no row has a word, a search looks for similar words.
                rows.retain(|(_, marker)| markers.contains(marker));
                by_marker.entry(name).or_default().append(&mut rows);
            }
        }
        for rows in by_marker.values_mut() {
            rows.sort_unstable();
        }
        if by_marker != indexed.hits {
            let hits = &indexed.hits;
            indexed.faults.push(format!(
                "rule 3: the markers find {by_marker:?}, and a word of all rows {hits:?}"
            ));
        }
        let unknown = indexed.hits.keys().filter(|name| !indexed.state.files.contains_key(*name));
        let unknown: Vec<_> = unknown
            .map(|name| format!("rule 3: rows of '{name}', which is not in the index state"))
            .collect();
        indexed.faults.extend(unknown);
        Ok(indexed)
    }

    fn search(
        &mut self,
        (world, program): (&TestWorld, &Program),
        folder: &Path,
        query: &str,
    ) -> io::Result<Hits> {
        let folder = folder.display().to_string();
        let arguments = ["search", &folder, query, "--json", "-n", "10000"];
        let ended = program.run(&world.root, &arguments, None, &mut || Ok(()))?;
        if ended.code != Some(0) || ended.stderr.contains("panicked") {
            self.is_unreadable = ended.code.is_some() && !ended.stderr.contains("panicked");
            let (code, stderr) = (ended.code, ended.stderr);
            self.faults.push(format!("rule 2: a search ends with {code:?}: {stderr}"));
            return Ok(Hits::new());
        }
        let mut hits = Hits::new();
        let mut seen: BTreeMap<Marker, String> = BTreeMap::new();
        for SearchHit { url, row } in lines::<SearchHit>(&ended.stdout)? {
            let place = row
                .rsplit_once('#')
                .and_then(|(file, place)| Some((file.to_owned(), place.parse::<u64>().ok()?)));
            let (Some((file, place)), [marker]) = (place, &Marker::find(&url)[..]) else {
                self.faults.push(format!("rule 2: a hit without place or marker: {row} {url}"));
                continue;
            };
            // A file with another name and other lines is another file.
            let has_changed =
                world.input(marker.input as usize).is_some_and(|input| input.versions.len() > 1);
            if let Some(other) = seen.insert(*marker, row.clone())
                && !(has_changed && other.rsplit_once('#').is_some_and(|(name, _)| name != file))
            {
                self.faults.push(format!("rule 1: row {marker} is found at {other} and at {row}"));
            }
            hits.entry(file).or_default().push((place, *marker));
        }
        for rows in hits.values_mut() {
            rows.sort_unstable();
        }
        Ok(hits)
    }

    /// Returns the faults in the index by itself.
    pub(super) fn faults(&self) -> Faults {
        self.faults.clone()
    }

    pub(super) fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }

    /// Returns the files that the index notes.
    pub(super) fn files(&self) -> impl Iterator<Item = (&String, &FileState)> {
        self.state.files.iter()
    }

    pub(super) fn file(&self, name: &str) -> Option<&FileState> {
        self.state.files.get(name)
    }

    /// Returns the rows of a file that searches found, with their line numbers.
    pub(super) fn hits(&self, name: &str) -> &[(u64, Marker)] {
        self.hits.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}
