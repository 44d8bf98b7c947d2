//! Reads the directory of a ZIP file, for WACZ and ZIP files of pages.

use super::watched_reader::WatchedFile;
use crate::error::ArchiveError;
use crate::latin1::utf8_or_latin1;
use crate::store::input_file::InputFile;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipLocator};
use std::ops::Range;

/// Most entries of a directory. A WACZ has a few, a site of pages many; each costs memory and one
/// read.
const MAX_ENTRIES: usize = 1_000_000;

/// Most bytes of all names in total.
const MAX_NAME_BYTES: usize = 128 << 20;

/// Highest ratio of the output of deflate to its input.
const DEFLATE_RATIO: u64 = 1032;

/// A file in a ZIP file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The path in the ZIP file.
    pub(crate) name: String,
    /// The range of its compressed bytes in the ZIP file.
    pub(crate) bytes: Range<u64>,
    /// Size of the data in bytes, as the directory states it.
    pub(crate) size: u64,
    /// Whether the bytes are deflated, not stored.
    pub(crate) is_deflated: bool,
    /// Offset of the header before its bytes.
    pub(crate) start: u64,
    /// The CRC-32 of the data, as the directory states it.
    pub(crate) crc: u32,
    /// The reason why it cannot be read, if any.
    pub(crate) problem: Option<EntryProblem>,
}

/// The reason why a file in a ZIP file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryProblem {
    pub(crate) description: String,
    /// Whether the file is sound as far as the directory shows, but of an unsupported kind.
    pub(crate) is_foreign: bool,
}

impl Member {
    /// Returns whether it is an archive by its folder and name.
    pub(crate) fn is_archive(&self) -> bool {
        let is_there = self.name.get(..8).is_some_and(|it| it.eq_ignore_ascii_case("archive/"));
        is_there && is_named_archive(self.name.as_bytes())
    }
}

/// Returns whether a file holds records, by its name.
pub(crate) fn is_named_archive(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let name = [&b".gz"[..], b".zst", b".lz4"]
        .iter()
        .find_map(|end| name.strip_suffix(*end))
        .unwrap_or(&name);
    name.ends_with(b".warc") || name.ends_with(b".arc")
}

/// Returns whether a file begins as a ZIP file.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// The contents of a ZIP file.
pub(crate) enum Zip {
    /// Archives and other files.
    Wacz(Vec<Member>),
    /// Files without an archive in the folder of a WACZ. The first file is not an archive either.
    Files(Vec<Member>),
}

/// Returns the files in a ZIP file, sorted by their positions. `None` if its directory cannot be
/// read. `name` is the name of the ZIP file in errors.
///
/// # Errors
///
/// The file cannot be read, looks like an attack, or is a WACZ with an unreadable archive. The
/// problem of any other file is in [`Member::problem`].
pub(crate) fn members(file: &InputFile, len: u64, name: &str) -> Result<Option<Zip>, ArchiveError> {
    let io_error = |error| ArchiveError::io(name, 0, error);
    let (file, failed) = WatchedFile::new(file.try_clone().map_err(io_error)?);
    let found = watched_members(file, len, name);
    // If the directory could not be read, the kind of the file is unknown.
    failed.take().map_or(found, |error| Err(io_error(error)))
}

/// As [`members`], for a watched file.
fn watched_members(file: WatchedFile, len: u64, name: &str) -> Result<Option<Zip>, ArchiveError> {
    let refused = |problem: String| ArchiveError::Zip { name: name.to_owned(), problem };
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let Ok(zip) = ZipLocator::new().locate_in_reader(file, &mut buffer, len) else {
        return Ok(None);
    };
    let mut entries = zip.entries(&mut buffer);
    let mut members: Vec<Member> = Vec::new();
    let mut name_bytes = 0;
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(_) => return Ok(None),
        };
        if members.len() == MAX_ENTRIES {
            return Err(refused(format!("it has more than {MAX_ENTRIES} files")));
        }
        let path = utf8_or_latin1(entry.file_path().as_bytes()).into_owned();
        name_bytes += path.len();
        if name_bytes > MAX_NAME_BYTES {
            return Err(refused(format!("its names have more than {MAX_NAME_BYTES} bytes")));
        }
        if leads_out(&path) {
            return Err(refused(format!("the name '{}' leads out of it", display_name(&path))));
        }
        let (start, size) = (entry.local_header_offset(), entry.uncompressed_size_hint());
        let (method, is_encrypted) = (entry.compression_method(), entry.flags().is_encrypted());
        let (packed, crc) = (entry.compressed_size_hint(), entry.crc32());
        let is_deflated = method == CompressionMethod::DEFLATE;
        let body = zip.get_entry(entry.wayfinder()).map(|body| body.compressed_data_range());
        let (first, end) = body.as_ref().copied().unwrap_or_else(|_| {
            let start = start.min(len);
            (start, start.saturating_add(packed).min(len))
        });
        if end > len {
            return Err(refused(format!(
                "'{}' ends beyond the end of the file, which has {len} bytes and may be cut off",
                display_name(&path)
            )));
        }
        let problem_of =
            |description: String, is_foreign| Some(EntryProblem { description, is_foreign });
        let problem = if body.is_err() {
            problem_of("has a damaged header".to_owned(), false)
        } else if is_encrypted {
            problem_of("is encrypted".to_owned(), true)
        } else if !is_deflated && method != CompressionMethod::STORE {
            let method = method.as_u16();
            let description =
                format!("is compressed with method {method}, neither stored nor deflated");
            problem_of(description, true)
        } else if is_deflated && size > (end - first).saturating_mul(DEFLATE_RATIO) {
            let packed = end - first;
            let description = format!("claims {size} bytes, too many for {packed} deflated bytes");
            problem_of(description, false)
        } else if !is_deflated && size != end - first {
            problem_of("is stored but has two different sizes".to_owned(), false)
        } else {
            None
        };
        let name = path;
        members.push(Member { name, bytes: first..end, size, is_deflated, start, crc, problem });
    }
    // The count has 16 bits, and overflows in files of programs that ignore this.
    let (listed, read) = (zip.entries_hint(), members.len() as u64);
    if read & 0xffff != listed & 0xffff {
        return Err(refused(format!(
            "its directory is damaged: it lists {read} files of {listed}; `zip -FF` repairs it"
        )));
    }
    members.sort_by_key(|member| (member.start, member.bytes.end));
    // If a header is damaged, the position of its bytes is unknown.
    let placed = members.iter().filter(|member| member.start < member.bytes.start);
    for (before, after) in placed.clone().zip(placed.skip(1)) {
        if after.start < before.bytes.end {
            let (before, after) = (display_name(&before.name), display_name(&after.name));
            return Err(refused(format!("'{before}' and '{after}' overlap")));
        }
    }
    if !members.iter().any(Member::is_archive) {
        // Stored archives in other folders are found by their records.
        let first = members.iter().find(|member| !member.name.ends_with('/'));
        let is_read = first.is_some_and(|first| !is_named_archive(first.name.as_bytes()));
        return Ok(is_read.then_some(Zip::Files(members)));
    }
    let is_lost = |member: &Member| member.start >= member.bytes.start;
    if members.iter().any(is_lost) {
        return Ok(None);
    }
    let problem = |member: &Member| Some((member.name.clone(), member.problem.clone()?));
    match members.iter().filter(|member| member.is_archive()).find_map(problem) {
        Some((name, problem)) => {
            Err(refused(format!("'{}' {}", display_name(&name), problem.description)))
        }
        None => Ok(Some(Zip::Wacz(members))),
    }
}

/// Returns whether a path would lead out of the folder into which a ZIP file is unpacked.
fn leads_out(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']);
    path.starts_with(['/', '\\'])
        || path.as_bytes().get(1) == Some(&b':')
        || parts.any(|it| it == "..")
}

/// Returns a name as messages show it.
fn display_name(name: &str) -> String {
    name.chars().take(200).filter(|it| !it.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_known() {
        for bad in ["../x", "a/../../x", "/x", "\\x", "a\\..\\x", "C:/x", ".."] {
            assert!(leads_out(bad), "{bad}");
        }
        for good in ["archive/a..b.warc", "a/b", "...", "archive/.x"] {
            assert!(!leads_out(good), "{good}");
        }
    }

    #[test]
    fn archives_are_told_by_folder_and_name() {
        let is = |name: &str| {
            let name = name.to_owned();
            let (bytes, size, is_deflated, start, crc) = (0..0, 0, false, 0, 0);
            Member { name, bytes, size, is_deflated, start, crc, problem: None }.is_archive()
        };
        assert!(is("archive/a.warc.gz") && is("archive/x/a.WARC") && is("archive/a.arc.zst"));
        assert!(!is("archive/a.cdx") && !is("indexes/a.warc.gz") && !is("archive/"));
    }
}
