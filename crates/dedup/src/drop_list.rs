//! Finds the rows of a list that the user wants to drop: identifiers or URLs, one per line.
//!
//! Most rows are found by their signatures, which hold the digest of the URL and an identifier that
//! is a UUID in its usual form. Rows are read only for other identifiers.

use crate::error::DedupError;
use crate::file_pass::{Event, FilePass, PassEnding};
use crate::matched_lines::{MatchedLine, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::rows::CorpusRows;
use crate::settings::Settings;
use huller_archive::Stores;
use huller_refine::signature::signature_file::RecordView;
use huller_refine::signature::url_digest;
use huller_run::plan::each_listed;
use std::path::Path;
use twox_hash::XxHash3_128;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// The kind of the entries of a list of rows to drop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DropBy {
    /// An entry with `://` is a URL, any other an identifier.
    #[default]
    Either,
    /// Identifiers.
    Id,
    /// URLs, compared as the step `url` compares them.
    Url,
}

impl DropBy {
    /// Returns its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            DropBy::Either => "either",
            DropBy::Id => "id",
            DropBy::Url => "url",
        }
    }

    fn is_url(self, entry: &str) -> bool {
        match self {
            DropBy::Either => entry.contains("://"),
            DropBy::Id => false,
            DropBy::Url => true,
        }
    }
}

/// A list of rows to drop. Entries are digests of 16 bytes, so that among a billion rows and
/// entries a row is dropped by mistake once in 10^20.
#[derive(Debug, Default)]
pub(crate) struct DropList {
    /// Digests of URLs, ascending.
    urls: Vec<u128>,
    /// Identifiers that are UUIDs, ascending.
    uuids: Vec<u128>,
    /// Digests of other identifiers, ascending.
    ids: Vec<u128>,
}

impl DropList {
    /// Reads a list, plain or compressed by gzip or zstd. Blank lines and lines that begin with `#`
    /// are ignored. A list may take an eighth of `memory`. It may be empty.
    ///
    /// # Errors
    ///
    /// The list cannot be read, or is too long for the memory.
    pub(crate) fn read(
        path: &Path,
        by: DropBy,
        stores: &Stores,
        memory: u64,
    ) -> Result<DropList, DedupError> {
        let problem = |problem: String| {
            DedupError::Usage(format!("cannot use the list '{}': {problem}", path.display()))
        };
        let most = memory / 8 / size_of::<u128>() as u64;
        let (mut list, mut entries, mut buffer) = (DropList::default(), 0, Vec::new());
        each_listed(path, stores, |entry| {
            entries += 1;
            if entries > most {
                return Err(format!("it has more than {most} entries: raise --memory"));
            }
            list.add(entry, by, &mut buffer);
            Ok(())
        })
        .map_err(problem)?;
        for digests in [&mut list.urls, &mut list.uuids, &mut list.ids] {
            digests.sort_unstable();
            digests.dedup();
        }
        Ok(list)
    }

    fn add(&mut self, entry: &str, by: DropBy, buffer: &mut Vec<u8>) {
        if by.is_url(entry) {
            self.urls.push(url_digest(entry, buffer));
            return;
        }
        match uuid_of(entry) {
            Some(uuid) => self.uuids.push(uuid),
            None => self.ids.push(XxHash3_128::oneshot(entry.as_bytes())),
        }
    }

    /// Returns the number of different entries.
    fn len(&self) -> usize {
        self.urls.len() + self.uuids.len() + self.ids.len()
    }

    /// Returns a digest of all entries, which does not depend on their order.
    pub(crate) fn digest(&self) -> String {
        let mut digest = XxHash3_128::new();
        for entries in [&self.urls, &self.uuids, &self.ids] {
            digest.write(&(entries.len() as u64).to_le_bytes());
            for entry in entries {
                digest.write(&entry.to_le_bytes());
            }
        }
        format!("xxh128:{:032x}", digest.finish_128())
    }

    /// Returns the numbers of the entries that name a row by its signature.
    fn entries_of(&self, record: RecordView<'_>) -> impl Iterator<Item = usize> {
        let url = record.url().and_then(|url| self.urls.binary_search(&url).ok());
        let uuid = record.id().and_then(|id| self.uuid_entry(u128::from_be_bytes(id)));
        url.into_iter().chain(uuid)
    }

    fn uuid_entry(&self, uuid: u128) -> Option<usize> {
        self.uuids.binary_search(&uuid).ok().map(|at| self.urls.len() + at)
    }

    /// Returns the number of the entry with this identifier.
    fn id_entry(&self, id: &str) -> Option<usize> {
        if let Some(uuid) = uuid_of(id) {
            return self.uuid_entry(uuid);
        }
        let found = self.ids.binary_search(&XxHash3_128::oneshot(id.as_bytes())).ok()?;
        Some(self.urls.len() + self.uuids.len() + found)
    }

    /// Returns a note if entries name no row of the inputs.
    fn note(&self, named: &Bits) -> Option<String> {
        let (all, named) = (self.len(), named.len());
        match all {
            0 => Some("the list of --drop has no entries".to_owned()),
            _ if named == all => None,
            _ => Some(format!("{} of {all} entries of --drop name no row", all - named)),
        }
    }
}

/// Returns the number of a UUID in any case. `<urn:uuid:` and `>` may stand around it, as in the
/// header of a record.
fn uuid_of(id: &str) -> Option<u128> {
    let inner = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(id);
    let uuid = match inner.split_at_checked(URN.len()) {
        Some((urn, uuid)) if urn.eq_ignore_ascii_case(URN) => uuid,
        _ => inner,
    };
    // Without hyphens it is another identifier.
    let uuid = Some(uuid).filter(|uuid| uuid.len() == Hyphenated::LENGTH)?;
    Uuid::try_parse(uuid).ok().map(|uuid| uuid.as_u128())
}

/// The scheme of UUIDs in the headers of records.
const URN: &str = "urn:uuid:";

/// A set of numbers, one bit for each.
#[derive(Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, number: usize) {
        let at = number / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (number % 64);
    }

    fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }
}

/// The rows that are on a list, by number.
#[derive(Debug, Default)]
pub(crate) struct DroppedRows {
    rows: Bits,
}

/// The rows of a chunk that a list names by identifiers, each with the number of its entry, and the
/// number of all its rows.
type NamedRows = (Vec<(u32, usize)>, u64);

impl DroppedRows {
    /// Finds the rows of a list, and reports how many entries name no row of the inputs. Returns
    /// `None` if the run was interrupted.
    pub(crate) fn from_list(
        list: &DropList,
        settings: &Settings,
        pass: &FilePass<'_>,
        (rows, places): (&CorpusRows, &[Option<usize>]),
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<DroppedRows>, DedupError> {
        let (mut listed, mut named) = (DroppedRows::default(), Bits::default());
        let (mut row, mut has_other_ids) = (0, false);
        for (place, file) in rows.files.iter().enumerate() {
            let is_input = places.contains(&Some(place));
            file.for_each(|record| {
                has_other_ids |= is_input && record.id().is_none();
                for entry in list.entries_of(record) {
                    listed.insert(row);
                    if is_input {
                        named.insert(entry);
                    }
                }
                row += 1;
                Ok(())
            })?;
        }
        let is_read = has_other_ids && !(list.ids.is_empty() && list.uuids.is_empty());
        if is_read {
            let inputs = (rows, places);
            let ending = listed.find_ids((list, &mut named), settings, pass, inputs, reporter)?;
            if ending == PassEnding::Interrupted {
                return Ok(None);
            }
        }
        if let Some(note) = list.note(&named) {
            reporter.note(&note);
        }
        Ok(Some(listed))
    }

    /// Reads all rows and finds those whose identifier is no UUID in its usual form.
    fn find_ids(
        &mut self,
        (list, named): (&DropList, &mut Bits),
        settings: &Settings,
        pass: &FilePass<'_>,
        (rows, places): (&CorpusRows, &[Option<usize>]),
        reporter: &mut Reporter<'_>,
    ) -> Result<PassEnding, DedupError> {
        reporter.phase(Phase::Listed, None);
        let mut reader = RecordReader::new(rows, places);
        let mut rows_read = 0;
        let inputs = (0..places.len()).filter(|input| places[*input].is_some()).collect();
        // The first closure reads the records of a chunk. The second finds listed rows, on the
        // workers. The third merges these in order.
        pass.run(
            inputs,
            |input, chunk| reader.take(input, chunk),
            |input, chunk, records| {
                let signed = &rows.files[places[input].expect("it has signatures")];
                let (mut found, mut chunk_rows) = (Vec::new(), 0);
                for_each_line(settings, (&pass.files[input], signed), chunk, &records, |line| {
                    let MatchedLine::Row { row, parsed, .. } = line else { return Ok(()) };
                    chunk_rows += 1;
                    let entry = parsed.row.id().and_then(|id| list.id_entry(&id));
                    found.extend(entry.map(|entry| (row, entry)));
                    Ok(())
                })?;
                Ok((found, chunk_rows))
            },
            |input, event: Event<Result<NamedRows, DedupError>>| {
                if let Some(found) = event.chunk(&pass.files[input].name)? {
                    let (found, chunk_rows) = found?;
                    for (row, entry) in found {
                        self.insert(row);
                        named.insert(entry);
                    }
                    rows_read += chunk_rows;
                    reporter.progress(rows_read);
                }
                Ok(())
            },
        )
    }

    /// Adds a row.
    pub(crate) fn insert(&mut self, row: u32) {
        self.rows.insert(row as usize);
    }

    /// Returns the numbers of the rows, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.rows.0.iter().enumerate().flat_map(|(at, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(text: &[u8], by: DropBy) -> Result<DropList, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let list = DropList::read(file.path(), by, &Stores::default(), 1 << 20);
        list.map_err(|error| error.to_string())
    }

    #[test]
    fn entries_are_told_apart() {
        let text = "# a comment\nhttps://a.test/x\n\n 0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b \n\
            <urn:uuid:0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b>\n0190A5B2-7C1D-4E3F-8A9B-0C1D2E3F4A5B\n7\n";
        let list = read(text.as_bytes(), DropBy::Either).unwrap();
        assert_eq!((list.urls.len(), list.uuids.len(), list.ids.len()), (1, 1, 1));
        assert_eq!((list.id_entry("7"), list.id_entry("8")), (Some(2), None));
        for id in [
            "0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b",
            "URN:UUID:0190a5b2-7c1d-4E3F-8a9b-0c1d2e3f4a5b",
            "<urn:uuid:0190A5B2-7c1d-4e3f-8a9b-0c1d2e3f4a5b>",
        ] {
            assert_eq!(list.id_entry(id), Some(1), "{id}");
        }
        assert_eq!(list.id_entry("0190a5b27c1d4e3f8a9b0c1d2e3f4a5b"), None);
        assert_eq!(read(text.as_bytes(), DropBy::Url).unwrap().urls.len(), 5);
        assert_eq!(read(text.as_bytes(), DropBy::Id).unwrap().urls.len(), 0);
        let turned = read(b"7\nhttps://A.test:443/x", DropBy::Either).unwrap();
        assert_eq!(
            turned.digest(),
            read(b"https://a.test/x\n7\n7", DropBy::Either).unwrap().digest()
        );
        assert_ne!(turned.digest(), list.digest());
    }

    #[test]
    fn a_list_that_cannot_be_used_is_refused() {
        assert!(read(b"a\n\xFF\n", DropBy::Either).unwrap_err().contains("line 2"));
        let long = "x\n".repeat(1 << 14);
        assert!(read(long.as_bytes(), DropBy::Either).unwrap_err().contains("raise --memory"));
    }

    #[test]
    fn entries_that_name_no_row_are_reported() {
        let list = read(b"a\nb\nhttps://a.test/\nb\n", DropBy::Either).unwrap();
        let mut named = Bits::default();
        named.insert(0);
        named.insert(0);
        let note = list.note(&named).unwrap();
        assert_eq!(note, "2 of 3 entries of --drop name no row");
        for entry in [1, 2] {
            named.insert(entry);
        }
        assert_eq!(list.note(&named), None);
        let empty = read(b"\n# x\n", DropBy::Either).unwrap();
        assert!(empty.note(&Bits::default()).unwrap().contains("no entries"));
    }

    #[test]
    fn rows_are_a_set_of_bits() {
        let mut rows = DroppedRows::default();
        for row in [70, 0, 63, 70] {
            rows.insert(row);
        }
        assert_eq!(rows.iter().collect::<Vec<_>>(), [0, 63, 70]);
    }
}
