//! Makes inputs of the records that indexes name.

use super::error::PlanError;
use super::job::{Job, JobSource};
use super::listing::{ListedInput, Listing};
use super::names::{name_of, stem};
use super::nested_archive::{NestedArchive, WaczFolders};
use huller_archive::{
    Index, IndexEntry, InputDigest, Limits, NO_STORE, PlannedRecord, Stores, is_remote, redact_url,
    resolve_below, resolve_beside,
};
use huller_provenance::Host;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Options of a run that reads only the records that indexes name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexOptions {
    /// CDX, CDXJ or columnar indexes. Without indexes, inputs are read whole.
    pub files: Vec<PathBuf>,
    /// Folder of the archive files. The default is the folder of the index.
    pub archives: Option<PathBuf>,
    /// Filter of the entries.
    pub filter: IndexFilter,
    /// Bytes of memory that the plan may take. The default is [`IndexOptions::MEMORY`].
    pub memory: Option<usize>,
}

impl IndexOptions {
    /// Default memory of a plan in bytes, enough for eleven million records.
    pub const MEMORY: usize = 512 << 20;

    /// Returns the records of one archive that the indexes name, in its order, and messages about
    /// unusable parts of the indexes. The archive is named relative to its folder.
    ///
    /// # Errors
    ///
    /// An index cannot be used, or no accepted entry names a record of the archive.
    pub fn records_of(
        &self,
        archive: &Path,
    ) -> Result<(Arc<[PlannedRecord]>, Vec<String>), PlanError> {
        let archives = Some(archive.parent().unwrap_or(Path::new("")).to_owned());
        let (mut listing, options) =
            (Listing::default(), IndexOptions { archives, ..self.clone() });
        add(&mut listing, &options, &Stores::default())?;
        let (mut records, mut problems) = (None, Vec::new());
        for item in listing.items {
            match item.input {
                ListedInput::Input(Job {
                    source: JobSource::Indexed { path, records: these },
                    ..
                }) if path == archive => {
                    records = Some(these);
                }
                ListedInput::Unusable(file, what)
                    if self.files.iter().any(|it| *it == Path::new(&file)) =>
                {
                    problems.push(format!("'{file}': {what}"));
                }
                _ => {}
            }
        }
        let shown = archive.display();
        let nothing = || {
            PlanError::NoInputs(format!("the indexes and filters select no record of '{shown}'"))
        };
        Ok((records.ok_or_else(nothing)?, problems))
    }

    /// Returns the memory of a plan in bytes, for a run with `memory` bytes.
    pub fn memory_budget(memory: usize) -> usize {
        memory / 4
    }
}

/// Bytes that a plan needs per record and, besides the name, per archive. A growing list may have
/// twice the capacity that it needs.
const RECORD_BYTES: usize = 2 * size_of::<PlannedRecord>();
const ARCHIVE_BYTES: usize = 512;

/// Filter of index entries. An entry must match one value of each list that is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexFilter {
    /// URL patterns, in which `*` matches any characters.
    pub urls: Vec<String>,
    /// Patterns of hosts, in the form of [`Host::pattern`].
    pub hosts: Vec<String>,
    /// Media types, stated or detected; `image/*` matches all image types.
    pub mimes: Vec<String>,
    /// HTTP statuses.
    pub status: Vec<RangeInclusive<u16>>,
    /// Languages, in the codes of the index.
    pub languages: Vec<String>,
}

impl IndexFilter {
    /// Parses a status filter: `404`, or `4xx` for all from 400 to 499.
    ///
    /// # Errors
    ///
    /// The text has another form. The error describes the expected form.
    pub fn statuses(text: &str) -> Result<RangeInclusive<u16>, &'static str> {
        let number = |text: &str| text.parse().ok().filter(|status| (0..=999).contains(status));
        let range = match text.strip_suffix("xx") {
            Some(hundreds) => number(hundreds)
                .filter(|hundreds| (1..=9).contains(hundreds))
                .map(|hundreds| hundreds * 100..=hundreds * 100 + 99),
            None => number(text).map(|status| status..=status),
        };
        range.ok_or("a status must be a number such as 200, or a class such as 2xx")
    }

    /// Returns whether an entry passes the filter. An entry that lacks a field does not match any
    /// filter on that field.
    fn passes(&self, entry: &IndexEntry) -> bool {
        let is_url = |url: &str| self.urls.iter().any(|pattern| matches_pattern(url, pattern));
        let is_host =
            |host: Host<'_>| self.hosts.iter().any(|it| matches_pattern(host.as_str(), it));
        let is_mime = |mime: &Option<String>| {
            let media = mime.as_deref().and_then(|mime| mime.split([';', ',']).next());
            media.is_some_and(|media| {
                let media = media.trim().to_ascii_lowercase();
                self.mimes
                    .iter()
                    .any(|wanted| matches_pattern(&media, &wanted.to_ascii_lowercase()))
            })
        };
        let is_status = |status: u64| {
            u16::try_from(status)
                .is_ok_and(|status| self.status.iter().any(|it| it.contains(&status)))
        };
        let is_language = |languages: &str| {
            let mut languages = languages.split(',').map(str::trim);
            languages.any(|it| self.languages.iter().any(|wanted| wanted.eq_ignore_ascii_case(it)))
        };
        (self.urls.is_empty() || entry.url.as_deref().is_some_and(is_url))
            && (self.hosts.is_empty() || entry.host().is_some_and(is_host))
            && (self.mimes.is_empty() || is_mime(&entry.mime) || is_mime(&entry.mime_detected))
            && (self.status.is_empty() || entry.status.is_some_and(is_status))
            && (self.languages.is_empty() || entry.languages.as_deref().is_some_and(is_language))
    }
}

/// Returns whether a text matches a pattern, in which `*` matches any characters. The literal parts
/// are searched from left to right, each once, so each takes time linear in the text.
fn matches_pattern(text: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(end)
}

/// The records that a run takes from its indexes. They decide its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSelection {
    /// Number of records.
    pub records: u64,
    /// Digest of the records' files, offsets and URLs.
    pub digest: String,
}

impl RecordSelection {
    /// Returns the memory of the records, in bytes.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.records)
            .unwrap_or(usize::MAX)
            .saturating_mul(size_of::<PlannedRecord>())
    }
}

/// An archive file that an index names.
struct Archive {
    /// Path below the folder of archives.
    name: String,
    records: Vec<PlannedRecord>,
    /// The reason reason the file cannot be read, if that is known.
    problem: Option<String>,
}

impl Archive {
    /// Returns the input at this path, or the reason reason it cannot be read.
    fn listed_input(self, path: &Path, stores: &Stores) -> ListedInput {
        let Archive { name, records, problem } = self;
        let reason = match path.metadata() {
            Err(_) if stores.has_store() && stores.is_elsewhere(path) => {
                return Archive::input(name, path, records, None);
            }
            Ok(metadata) if metadata.is_file() => {
                return Archive::input(name, path, records, Some(metadata.len()));
            }
            Err(_) if stores.is_elsewhere(path) => NO_STORE.to_owned(),
            Err(error) => problem.unwrap_or_else(|| error.to_string()),
            Ok(_) => "it is not a file".to_owned(),
        };
        let problem = match records.len() {
            1 => format!("{reason}; the index lists 1 record of it"),
            count => format!("{reason}; the index lists {count} records of it"),
        };
        ListedInput::Unusable(redact_url(path).display().to_string(), problem)
    }

    fn input(
        name: String,
        path: &Path,
        records: Vec<PlannedRecord>,
        bytes: Option<u64>,
    ) -> ListedInput {
        let listed = Path::new(&name);
        let output = listed.parent().unwrap_or(Path::new("")).join(stem(listed));
        let source = JobSource::Indexed { path: path.to_owned(), records: Arc::from(records) };
        ListedInput::Input(Job { name, source, output, bytes })
    }
}

/// Number of records of all indexes in memory, and their bytes.
struct IndexSize {
    records: u64,
    bytes: usize,
    max_bytes: usize,
}

impl IndexSize {
    fn with_limits(options: &IndexOptions) -> IndexSize {
        IndexSize {
            records: 0,
            bytes: 0,
            max_bytes: options.memory.unwrap_or(IndexOptions::MEMORY),
        }
    }

    fn exceeds_limit(&self) -> bool {
        self.bytes > self.max_bytes
    }
}

/// Returns the accepted records of an index, by the file that the index names.
fn read_index(
    index: &Path,
    options: &IndexOptions,
    stores: &Stores,
    size: &mut IndexSize,
    listing: &mut Listing,
) -> Result<BTreeMap<String, Vec<PlannedRecord>>, PlanError> {
    let mut named: HashMap<String, Vec<PlannedRecord>> = HashMap::new();
    let read = Index::read(stores, index, &Limits::default(), &mut |entry| {
        let (Some(file), Some(offset)) = (&entry.file, entry.offset) else {
            return ControlFlow::Continue(());
        };
        if options.filter.passes(entry) {
            let url = entry.url.as_ref().and_then(|url| PlannedRecord::url_key(url.as_bytes()));
            let length = entry.length.and_then(NonZeroU64::new);
            let planned = PlannedRecord { offset, url, length };
            size.records += 1;
            size.bytes += RECORD_BYTES;
            if let Some(records) = named.get_mut(file) {
                records.push(planned);
            } else {
                size.bytes += ARCHIVE_BYTES + 4 * file.len();
                named.insert(file.clone(), vec![planned]);
            }
        }
        if size.exceeds_limit() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let failed = |reason: String| PlanError::Index { path: redact_url(index).into_owned(), reason };
    let read = read.map_err(|error| failed(error.to_string()))?;
    if size.exceeds_limit() {
        return Err(failed(format!(
            "the list of {} records does not fit into {} MiB: take fewer records (--entry-url, \
             --entry-host and similar options), split the index over several runs, or increase \
             --memory, a quarter of which holds the list",
            size.records,
            size.max_bytes >> 20
        )));
    }
    if let Some(first) = read.first_bad {
        if read.entries == 0 {
            return Err(failed(format!("it has no entries; {first}")));
        }
        let problem = format!("{} of its entries cannot be read; the first is {first}", read.bad);
        let index = redact_url(index);
        listing.add(&index, &index, ListedInput::Unusable(index.display().to_string(), problem));
    }
    Ok(named.into_iter().collect())
}

/// Adds the files that indexes name, sorted by path, each with its accepted records.
pub(crate) fn add(
    listing: &mut Listing,
    options: &IndexOptions,
    stores: &Stores,
) -> Result<RecordSelection, PlanError> {
    let mut archives: BTreeMap<PathBuf, Archive> = BTreeMap::new();
    let (mut size, mut folders) = (IndexSize::with_limits(options), WaczFolders::default());
    for index in &options.files {
        let named = read_index(index, options, stores, &mut size, listing)?;
        for (file, mut records) in named {
            let (mut path, mut name) = resolve(index, options.archives.as_deref(), &file);
            let mut problem = None;
            // The archive may be stored in a WACZ of the folder.
            if !is_remote(&path) && !path.exists() {
                match folders.find_archive(folder_of(index, options.archives.as_deref()), &path) {
                    NestedArchive::Nowhere => {}
                    NestedArchive::Unusable(reason) => problem = Some(reason),
                    NestedArchive::Stored(wacz, bytes) => {
                        shift_into_wacz(&mut records, &bytes);
                        name = name_of(wacz.file_name().map_or(&wacz, Path::new));
                        path = wacz;
                    }
                }
            }
            let new = || Archive { name, records: Vec::new(), problem };
            archives.entry(path).or_insert_with(new).records.extend(records);
        }
    }
    let (mut all, mut digest) = (0, InputDigest::default());
    for (path, mut archive) in archives {
        archive.records.sort_unstable();
        archive.records.dedup_by_key(|planned| (planned.offset, planned.url));
        all += archive.records.len() as u64;
        // A resumed run compares the digest, so it covers all that selects a record.
        digest.update(archive.name.as_bytes());
        for planned in &archive.records {
            digest.update(&planned.offset.to_le_bytes());
            digest.update(&planned.url.map_or(0, NonZeroU64::get).to_le_bytes());
        }
        let listed = PathBuf::from(&archive.name);
        listing.add(&path, &listed, archive.listed_input(&path, stores));
    }
    if all == 0 {
        let is_filtered = options.filter != IndexFilter::default();
        let filters = if is_filtered { " that the filters take" } else { "" };
        return Err(PlanError::NoInputs(format!("the indexes have no entry{filters}")));
    }
    Ok(RecordSelection { records: all, digest: digest.prefix_digest().digest() })
}

/// Returns path and name of a file that an index lists. The name is the path below the folder of
/// archives or of the index, or the bare file name if only that exists. A listed path that leads
/// out of the folder, or to another machine, is reduced to its file name.
fn resolve(index: &Path, archives: Option<&Path>, listed: &str) -> (PathBuf, String) {
    let path = Path::new(listed);
    let is_below =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
            && !is_remote(path);
    let base_name = path.file_name().map_or(path, Path::new);
    let full = |path: &Path| match archives {
        Some(archives) if is_remote(archives) => resolve_below(archives, path),
        None if is_remote(index) => resolve_beside(index, path),
        _ => folder_of(index, archives).join(path),
    };
    if is_below {
        let path: PathBuf = path.components().filter(|it| *it != Component::CurDir).collect();
        let place = full(&path);
        // In object storage the path is not checked, since that would take a request per file.
        if is_remote(&place) || place.is_file() || !full(base_name).is_file() {
            return (place, name_of(&path));
        }
    }
    (full(base_name), name_of(base_name))
}

/// Returns the local folder with the archives of an index.
fn folder_of<'a>(index: &'a Path, archives: Option<&'a Path>) -> &'a Path {
    archives.unwrap_or_else(|| index.parent().unwrap_or(Path::new("")))
}

/// Converts offsets in an archive to offsets in the WACZ that stores it. An offset beyond the end
/// of the archive becomes that end.
fn shift_into_wacz(records: &mut [PlannedRecord], archive: &Range<u64>) {
    for record in records {
        record.offset = archive.start.saturating_add(record.offset).min(archive.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        assert!(matches_pattern("http://a.example/x", "http://a.example/*"));
        assert!(matches_pattern("http://a.example/x", "*a.ex*/x"));
        assert!(
            matches_pattern("abc", "abc")
                && matches_pattern("", "*")
                && matches_pattern("ab", "**")
        );
        assert!(
            !matches_pattern("abc", "ab")
                && !matches_pattern("aba", "ab*ba")
                && !matches_pattern("abc", "*d*")
        );
    }

    #[test]
    fn entries_have_one_of_the_values_of_each_list() {
        let entry = IndexEntry {
            url: Some("https://www.a.example/x".to_owned()),
            mime: Some("Text/HTML; charset=utf-8".to_owned()),
            status: Some(200),
            languages: Some("deu,eng".to_owned()),
            ..IndexEntry::default()
        };
        let text = |text: &str| vec![text.to_owned()];
        let none = IndexFilter::default();
        assert!(none.passes(&entry));
        let all = IndexFilter {
            urls: text("https://*"),
            hosts: text("*.a.example"),
            mimes: text("text/*"),
            status: vec![404..=404, 200..=299],
            languages: text("ENG"),
        };
        assert!(all.passes(&entry));
        assert!(!IndexFilter { languages: text("fra"), ..all.clone() }.passes(&entry));
        assert!(!IndexFilter { mimes: text("image/*"), ..all.clone() }.passes(&entry));
        assert!(!IndexFilter { status: vec![300..=399], ..all.clone() }.passes(&entry));
        assert!(!all.passes(&IndexEntry { languages: None, ..entry }));
    }

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        std::fs::create_dir(&below).unwrap();
        std::fs::write(folder.path().join("a.warc"), "").unwrap();
        let index = PathBuf::from("elsewhere/x.cdx");
        for listed in ["../a.warc", "/a.warc", "x/../../a.warc"] {
            assert_eq!(
                resolve(&index, Some(&below), listed),
                (below.join("a.warc"), "a.warc".to_owned())
            );
        }
        let (path, name) = resolve(&folder.path().join("x.cdx"), None, "crawl-data/a.warc");
        assert_eq!((path, name.as_str()), (folder.path().join("a.warc"), "a.warc"));
        let (path, name) = resolve(&index, Some(folder.path()), "crawl-data/b.warc");
        assert_eq!(path, folder.path().join("crawl-data/b.warc"));
        assert_eq!(name, "crawl-data/b.warc");
        let index = Path::new("https://host/cc/x.cdx");
        for (listed, expected) in [
            ("cc/a.warc", "https://host/cc/a.warc"),
            ("s3://other/b.warc", "https://host/cc/b.warc"),
            ("../../c.warc", "https://host/cc/c.warc"),
        ] {
            assert_eq!(resolve(index, None, listed).0, Path::new(expected));
        }
    }
}
