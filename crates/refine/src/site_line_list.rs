//! Lists of the lines that recur on the pages of a host. `huller site-lines` writes them, and the
//! stage `site-lines` leaves their lines out.
//!
//! A list is JSON Lines, so that people can read it, and remove lines that they want to keep. In
//! memory a line is two hashes.

use crate::line_hasher::LineHasher;
use huller_archive::{ArchiveError, Batch, Entry, Limits, RecordStream};
use huller_provenance::Host;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use twox_hash::XxHash3_128;

/// Most bytes of a line of text that a list holds.
pub const MAX_SITE_LINE_BYTES: usize = 1 << 16;

/// Most bytes of a row of a list: every byte of the line as an escape, and the other members.
const MAX_ROW_BYTES: usize = 6 * MAX_SITE_LINE_BYTES + (1 << 12);

/// A line that recurs on the pages of a host, as a row of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteLine<'a> {
    /// The host, in the form of [`Host`].
    #[serde(borrow)]
    pub host: Cow<'a, str>,
    /// The line, without white space at its ends.
    #[serde(borrow)]
    pub line: Cow<'a, str>,
    /// Number of different pages of the host that have the line.
    pub pages: u64,
}

/// The lines of lists, by host.
///
/// A line takes 16 bytes, and up to three times that while the lists are read.
#[derive(Clone, Debug, Default)]
pub struct SiteLineList {
    /// Hashes of the host, and of host and line. Ascending.
    lines: Vec<(u64, u64)>,
}

/// The reason why a list cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum SiteLineListError {
    /// The file cannot be read.
    Archive(ArchiveError),
    /// A row, counted from 1, is damaged or no line of a host.
    NotALine(u64),
    /// The lists have more lines than this.
    TooMany(usize),
}

impl fmt::Display for SiteLineListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SiteLineListError::Archive(error) => error.fmt(f),
            SiteLineListError::NotALine(row) => write!(
                f,
                "row {row} is no row with `host`, `line` and `pages`: give a list that \
                 `huller site-lines` wrote"
            ),
            SiteLineListError::TooMany(most) => write!(
                f,
                "there are more than {most} lines: raise `min_pages`, or divide corpus and lists \
                 by hosts"
            ),
        }
    }
}

impl std::error::Error for SiteLineListError {}

impl From<ArchiveError> for SiteLineListError {
    fn from(error: ArchiveError) -> SiteLineListError {
        SiteLineListError::Archive(error)
    }
}

impl SiteLineList {
    /// Most lines of a list in memory. They take 1 GiB.
    pub const MAX_LINES: usize = 1 << 26;

    /// Adds each line of a list file that occurs on at least `min_pages` pages. The file is JSON
    /// Lines, plain or compressed. Call [`SiteLineList::finish`] after the last file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, a row is no line of a host, or there are more than `max_lines`
    /// lines.
    pub fn read(
        &mut self,
        path: &Path,
        min_pages: u64,
        max_lines: usize,
    ) -> Result<(), SiteLineListError> {
        let limits = Limits { record_bytes: MAX_ROW_BYTES, ..Limits::default() };
        let mut stream = match RecordStream::open(path, &limits) {
            // No line recurs in the corpus.
            Err(ArchiveError::Empty { .. }) => return Ok(()),
            stream => stream?,
        };
        let (mut batch, mut number) = (Batch::default(), 0);
        while stream.next_batch(&mut batch)? {
            for entry in &batch.entries {
                number += 1;
                let not_a_line = SiteLineListError::NotALine(number);
                let Entry::Line { bytes, .. } = entry else { return Err(not_a_line) };
                let (pages, hashes) = read_row(&batch.bytes[bytes.clone()]).ok_or(not_a_line)?;
                if pages >= min_pages {
                    if self.lines.len() == max_lines {
                        return Err(SiteLineListError::TooMany(max_lines));
                    }
                    self.lines.push(hashes);
                }
            }
        }
        Ok(())
    }

    /// Sorts the lines, and removes repeated ones.
    pub fn finish(&mut self) {
        self.lines.sort_unstable();
        self.lines.dedup();
        self.lines.shrink_to_fit();
    }

    /// Returns a digest of all lines, independent of the files and of their order.
    pub(crate) fn digest(&self) -> String {
        let mut hasher = XxHash3_128::new();
        for (_, line) in &self.lines {
            hasher.write(&line.to_le_bytes());
        }
        format!("xxh128:{:032x}", hasher.finish_128())
    }

    /// Returns the lines of a host.
    pub(crate) fn of_host(&self, host: &Host<'_>) -> HostLines<'_> {
        let hasher = LineHasher::new(host, 0);
        let start = self.lines.partition_point(|(host_hash, _)| *host_hash < hasher.host_hash());
        let length =
            self.lines[start..].partition_point(|(host_hash, _)| *host_hash == hasher.host_hash());
        HostLines { hasher, lines: &self.lines[start..start + length] }
    }
}

/// Returns the number of pages in a row of a list, and the hashes of its line.
fn read_row(row: &[u8]) -> Option<(u64, (u64, u64))> {
    let row: SiteLine<'_> = serde_json::from_slice(row).ok()?;
    let hasher = LineHasher::new(&Host::parse(&row.host)?, 0);
    Some((row.pages, (hasher.host_hash(), hasher.hash(&row.line)?)))
}

/// The lines of one host.
pub(crate) struct HostLines<'a> {
    hasher: LineHasher,
    lines: &'a [(u64, u64)],
}

impl HostLines<'_> {
    /// Returns whether the host has no lines.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the hash of a line, or `None` if it is blank.
    pub(crate) fn hash(&self, line: &str) -> Option<u64> {
        self.hasher.hash(line)
    }

    /// Returns whether the list has the line of this hash.
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.lines.binary_search_by_key(&hash, |(_, line)| *line).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn list(text: &str, min_pages: u64, most: usize) -> Result<SiteLineList, SiteLineListError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.jsonl");
        fs::write(&path, text).unwrap();
        let mut list = SiteLineList::default();
        list.read(&path, min_pages, most)?;
        list.finish();
        Ok(list)
    }

    fn has(list: &SiteLineList, url: &str, line: &str) -> bool {
        let lines = list.of_host(&Host::from_url(url).unwrap());
        lines.hash(line).is_some_and(|hash| lines.has(hash))
    }

    #[test]
    fn lines_are_found_on_their_host_alone() {
        let text = r#"{"host":"a.test","line":"Share it","pages":6}
            {"line":"\u0041bout us","pages":9,"host":"A.test","note":"mine"}

            {"host":"b.test","line":"Contact","pages":6}"#;
        let six = list(text, 6, 3).unwrap();
        for (url, line, expected) in [
            ("http://a.test/1", " Share it ", true),
            ("http://a.test/1", "About us", true),
            ("http://a.test/1", "Contact", false),
            ("http://b.test/1", "Contact", true),
            ("http://b.test/1", "Share it", false),
            ("http://c.test/1", "Share it", false),
            ("http://a.test/1", "", false),
        ] {
            assert_eq!(has(&six, url, line), expected, "{url} {line}");
        }
        let nine = list(text, 9, 1).unwrap();
        assert!(has(&nine, "http://a.test/", "About us"));
        assert!(!has(&nine, "http://a.test/", "Share it"));
        assert_ne!(six.digest(), nine.digest());
        let mut lines: Vec<_> = text.lines().collect();
        lines.reverse();
        assert_eq!(list(&lines.join("\n"), 0, 3).unwrap().digest(), six.digest());
    }

    #[test]
    fn other_files_and_too_many_lines_are_refused() {
        let line =
            |number: u32| format!("{{\"host\":\"a.test\",\"line\":\"{number}\",\"pages\":6}}\n");
        let lines: String = (0..4).map(line).collect();
        let error = |text: &str| list(text, 0, 3).unwrap_err().to_string();
        assert!(error(&lines).contains("more than 3 lines: raise `min_pages`"));
        for (rest, row) in [
            ("{\"host\":\"a.test\"}", 2),
            ("{\"host\":\"a b\",\"line\":\"x\",\"pages\":6}", 2),
            ("{\"host\":\"a.test\",\"line\":\" \",\"pages\":6}", 2),
            ("no row", 2),
        ] {
            let text = format!("{}{rest}", line(1));
            assert!(
                error(&text).starts_with(&format!("row {row} is no row with `host`")),
                "{rest}"
            );
        }
        let long = format!("{{\"host\":\"a.test\",\"line\":\"{}", "x".repeat(1 << 20));
        assert!(error(&long).starts_with("row 1 is no row"));
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| SiteLineList::default().read(&folder.path().join(name), 0, 9);
        assert!(read("missing").unwrap_err().to_string().contains("No such file"));
        assert!(read("").is_err());
        let packed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
        fs::write(folder.path().join("cut.zst"), &packed[..packed.len() - 3]).unwrap();
        assert!(read("cut.zst").is_err());
        fs::write(folder.path().join("whole.zst"), &packed).unwrap();
        read("whole.zst").unwrap();
        fs::write(folder.path().join("none.zst"), zstd::encode_all(&b""[..], 1).unwrap()).unwrap();
        read("none.zst").unwrap();
    }
}
