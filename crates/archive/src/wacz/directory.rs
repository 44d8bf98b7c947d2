//! The directory of a ZIP file, as far as a WACZ needs it.

use crate::error::ArchiveError;
use crate::latin1::utf8_or_latin1;
use crate::store::input_file::InputFile;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipLocator};
use std::ops::Range;

/// Most entries of a directory. A crawl of a site has a few; each takes memory and one read.
const MOST_ENTRIES: usize = 100_000;

/// How many times as long as its input the output of deflate can be.
const DEFLATE_RATIO: u64 = 1032;

/// A file in a ZIP file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its path in the ZIP file.
    pub(crate) name: String,
    /// Where its bytes lie.
    pub(crate) bytes: Range<u64>,
    /// How many bytes it holds, as the directory says.
    pub(crate) size: u64,
    /// Whether they are deflated, not stored.
    pub(crate) is_deflated: bool,
}

impl Member {
    /// Whether it is an archive by its place and name.
    pub(crate) fn is_archive(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        let name =
            [".gz", ".zst", ".lz4"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        name.starts_with("archive/") && [".warc", ".arc"].iter().any(|end| name.ends_with(end))
    }
}

/// Whether a file begins as a ZIP file.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// The files in a WACZ, sorted by their places. `None` if the file is not a WACZ: its directory cannot be read, or no archive is in it.
///
/// # Errors
///
/// It is made to do harm, or in a way that is not read. `name` is what errors call the file.
pub(crate) fn members(
    file: &InputFile,
    len: u64,
    name: &str,
) -> Result<Option<Vec<Member>>, ArchiveError> {
    let refused = |what: String| ArchiveError::Zip { name: name.to_owned(), what };
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let file = file.try_clone().map_err(|error| ArchiveError::io(name, 0, error))?;
    let Ok(zip) = ZipLocator::new().locate_in_reader(file, &mut buffer, len) else {
        return Ok(None);
    };
    let mut entries = zip.entries(&mut buffer);
    // With the place where the header before its bytes begins.
    let mut members: Vec<(u64, Member)> = Vec::new();
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(_) => return Ok(None),
        };
        if members.len() == MOST_ENTRIES {
            return Err(refused(format!("it has more than {MOST_ENTRIES} files")));
        }
        let path = utf8_or_latin1(entry.file_path().as_bytes()).into_owned();
        if leads_out(&path) {
            return Err(refused(format!("the name '{}' leads out of it", shown(&path))));
        }
        let (start, size) = (entry.local_header_offset(), entry.uncompressed_size_hint());
        let (method, is_encrypted) = (entry.compression_method(), entry.flags().is_encrypted());
        let is_deflated = method == CompressionMethod::DEFLATE;
        let Ok(body) = zip.get_entry(entry.wayfinder()) else { return Ok(None) };
        let (first, end) = body.compressed_data_range();
        let member = Member { name: path, bytes: first..end, size, is_deflated };
        if end > len {
            return Err(refused(format!(
                "'{}' would end after the file does, which has {len} bytes; it may have been cut",
                shown(&member.name)
            )));
        }
        if member.is_archive() {
            let what = if is_encrypted {
                Some("is encrypted".to_owned())
            } else if !is_deflated && method != CompressionMethod::STORE {
                Some(format!(
                    "is compressed by method {}, neither stored nor deflated",
                    method.as_u16()
                ))
            } else if is_deflated && size > (end - first).saturating_mul(DEFLATE_RATIO) {
                Some(format!(
                    "claims {size} bytes, more than {} deflated ones can hold",
                    end - first
                ))
            } else if !is_deflated && size != end - first {
                Some("is stored, with two different sizes".to_owned())
            } else {
                None
            };
            if let Some(what) = what {
                return Err(refused(format!("'{}' {what}", shown(&member.name))));
            }
        }
        members.push((start, member));
    }
    members.sort_by_key(|(start, member)| (*start, member.bytes.end));
    for pair in members.windows(2) {
        let [(_, before), (start, after)] = pair else { continue };
        if *start < before.bytes.end {
            let (before, after) = (shown(&before.name), shown(&after.name));
            return Err(refused(format!("'{before}' and '{after}' overlap")));
        }
    }
    let members: Vec<Member> = members.into_iter().map(|(_, member)| member).collect();
    Ok(members.iter().any(Member::is_archive).then_some(members))
}

/// Whether a path would lead out of the folder that a ZIP file is unpacked into.
fn leads_out(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']);
    path.starts_with(['/', '\\'])
        || path.as_bytes().get(1) == Some(&b':')
        || parts.any(|it| it == "..")
}

/// A name as messages show it.
fn shown(name: &str) -> String {
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
            Member { name, bytes: 0..0, size: 0, is_deflated: false }.is_archive()
        };
        assert!(is("archive/a.warc.gz") && is("archive/x/a.WARC") && is("archive/a.arc.zst"));
        assert!(!is("archive/a.cdx") && !is("indexes/a.warc.gz") && !is("archive/"));
    }
}
