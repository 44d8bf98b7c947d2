//! Finds the rows of a list that the user wants to drop: identifiers or URLs, one per line.
//!
//! Most rows are found by their signatures, which hold the digest of the URL and an identifier that
//! is a UUID. Rows are read only for other identifiers.

use crate::error::DedupError;
use crate::file_pass::{Event, FilePass, PassEnding};
use crate::matched_lines::{MatchedLine, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::rows::{CorpusRows, id_text};
use crate::settings::Settings;
use huller_archive::Stores;
use huller_refine::signature::signature_file::RecordView;
use huller_refine::signature::url_digest;
use huller_run::plan::each_listed;
use std::path::Path;
use twox_hash::XxHash3_128;
use uuid::Uuid;

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
    /// are ignored. A list may take an eighth of `memory`.
    ///
    /// # Errors
    ///
    /// The list cannot be read, has no entries, or is too long for the memory.
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
        if entries == 0 {
            return Err(problem("it has no entries".to_owned()));
        }
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
        // As in the header of a record.
        let id = entry.strip_prefix("<urn:uuid:").and_then(|id| id.strip_suffix('>'));
        let id = id.unwrap_or(entry);
        match Uuid::try_parse(id) {
            // Signatures hold identifiers in canonical form as UUIDs.
            Ok(uuid) if id_text(uuid.into_bytes()) == id => self.uuids.push(uuid.as_u128()),
            _ => self.ids.push(XxHash3_128::oneshot(id.as_bytes())),
        }
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

    fn has_record(&self, record: RecordView<'_>) -> bool {
        let is_in = |list: &[u128], entry: u128| list.binary_search(&entry).is_ok();
        record.url().is_some_and(|url| is_in(&self.urls, url))
            || record.id().is_some_and(|id| is_in(&self.uuids, u128::from_be_bytes(id)))
    }

    fn has_id(&self, id: &str) -> bool {
        self.ids.binary_search(&XxHash3_128::oneshot(id.as_bytes())).is_ok()
    }
}

/// The rows that are on a list, by number.
#[derive(Debug, Default)]
pub(crate) struct DroppedRows {
    /// One bit for each row.
    bits: Vec<u64>,
}

impl DroppedRows {
    /// Finds the rows of a list. Returns `None` if the run was interrupted.
    pub(crate) fn from_list(
        list: &DropList,
        settings: &Settings,
        pass: &FilePass<'_>,
        (rows, places): (&CorpusRows, &[Option<usize>]),
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<DroppedRows>, DedupError> {
        let mut listed = DroppedRows::default();
        let mut row = 0;
        for file in &rows.files {
            file.for_each(|record| {
                if list.has_record(record) {
                    listed.insert(row);
                }
                row += 1;
                Ok(())
            })?;
        }
        if list.ids.is_empty() {
            return Ok(Some(listed));
        }
        let ending = listed.find_ids(list, settings, pass, (rows, places), reporter)?;
        Ok((ending == PassEnding::Done).then_some(listed))
    }

    /// Reads all rows and finds those whose identifier is no UUID.
    fn find_ids(
        &mut self,
        list: &DropList,
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
                    if parsed.row.id().is_some_and(|id| list.has_id(&id)) {
                        found.push(row);
                    }
                    Ok(())
                })?;
                Ok((found, chunk_rows))
            },
            |input, event: Event<Result<(Vec<u32>, u64), DedupError>>| {
                if let Some(found) = event.chunk(&pass.files[input].name)? {
                    let (found, chunk_rows) = found?;
                    for row in found {
                        self.insert(row);
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
        let at = row as usize / 64;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        self.bits[at] |= 1 << (row % 64);
    }

    /// Returns the numbers of the rows, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.bits.iter().enumerate().flat_map(|(at, bits)| {
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
        assert_eq!((list.urls.len(), list.uuids.len(), list.ids.len()), (1, 1, 2));
        assert!(list.has_id("7") && !list.has_id("8"));
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
        assert!(read(b"\n# x\n", DropBy::Either).unwrap_err().contains("it has no entries"));
        assert!(read(b"a\n\xFF\n", DropBy::Either).unwrap_err().contains("line 2"));
        let long = "x\n".repeat(1 << 14);
        assert!(read(long.as_bytes(), DropBy::Either).unwrap_err().contains("raise --memory"));
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
