//! The plan of one archive: its records, and how far each is read.

use crate::latin1::utf8_or_latin1;
use crate::store::prefix_digest::{InputDigest, PrefixDigest};
use crate::store::stores::Stores;
use std::io::{self, Seek, SeekFrom};
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::Path;
use twox_hash::XxHash3_64;

/// Number of planned places after its own up to which a record is read. With 1, one wrong entry
/// would also cost the record that contains its place. Without a bound, records that claim to
/// contain one another would take quadratic time.
const PLACES: usize = 8;

/// Number of bytes of a record that are read with its batch if the index has no length, or one
/// above `MAX_READ_BYTES`.
const READ_BYTES: u64 = 64 << 10;
const MAX_READ_BYTES: u64 = 8 << 20;

/// A record that an index names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedRecord {
    /// Offset in bytes in the file.
    pub offset: u64,
    /// The [`PlannedRecord::url_key`] of its URL. `None` if the index has no URL.
    pub url: Option<NonZeroU64>,
    /// Length in bytes in the file, if the index has it.
    pub length: Option<NonZeroU64>,
}

impl PlannedRecord {
    /// Returns a number by which two URLs are compared: 64 bits of XXH3, so that a record of a plan
    /// takes 24 bytes. Indexes write spaces in a URL as `%20`, and some writers of WARC put `<` and
    /// `>` around it; both are normalised. Bytes that are not UTF-8 are read as Latin-1, as the
    /// programs that write indexes do.
    pub fn url_key(url: &[u8]) -> Option<NonZeroU64> {
        let url = url.trim_ascii();
        let url = url.strip_prefix(b"<").and_then(|url| url.strip_suffix(b">")).unwrap_or(url);
        let unicode = utf8_or_latin1(url);
        let url = unicode.as_bytes();
        let key = if url.contains(&b' ') {
            let mut written = Vec::with_capacity(url.len() + 16);
            for byte in url {
                match byte {
                    b' ' => written.extend_from_slice(b"%20"),
                    byte => written.push(*byte),
                }
            }
            XxHash3_64::oneshot(&written)
        } else {
            XxHash3_64::oneshot(url)
        };
        NonZeroU64::new(key).or(NonZeroU64::new(1))
    }
}

/// Returns whether an earlier record of the plan has the same place.
pub(super) fn is_repeated(plan: &[PlannedRecord], at: usize) -> bool {
    at > 0 && plan[at - 1].offset == plan[at].offset
}

/// Returns whether a URL belongs to one of the records that are planned at the place of the record
/// `first`.
pub(crate) fn has_url(plan: &[PlannedRecord], first: usize, url: &[u8]) -> bool {
    let (offset, key) = (plan[first].offset, PlannedRecord::url_key(url));
    let there = plan[first..].iter().take_while(|planned| planned.offset == offset);
    there.into_iter().any(|planned| planned.url.is_none() || planned.url == key)
}

/// Returns the offset in the file before which a record must end.
pub(super) fn stop(plan: &[PlannedRecord], at: usize) -> u64 {
    let PlannedRecord { offset, length, .. } = plan[at];
    let claimed = length.map_or(u64::MAX, |length| offset.saturating_add(length.get()));
    let (mut last, mut places) = (offset, 0);
    for planned in &plan[at..] {
        if planned.offset > last {
            (last, places) = (planned.offset, places + 1);
        }
        if last >= claimed || places == PLACES {
            return last.min(claimed);
        }
    }
    claimed
}

/// Returns the range of the file that is read for a record with its batch. It is empty if an
/// earlier record of the plan has the same place.
pub(super) fn read(plan: &[PlannedRecord], at: usize) -> Range<u64> {
    let PlannedRecord { offset, length, .. } = plan[at];
    if is_repeated(plan, at) {
        return offset..offset;
    }
    let most = match length {
        Some(length) if length.get() <= MAX_READ_BYTES => length.get(),
        _ => READ_BYTES,
    };
    offset..stop(plan, at).min(offset.saturating_add(most))
}

/// Returns the digest that a run computes for a file of which it reads only the records of `plan`.
/// It covers the bytes of each, up to the record at which they reach `most`. `plan` is in the order
/// of the file.
///
/// # Errors
///
/// The file cannot be read.
pub fn planned_digest(
    stores: &Stores,
    path: &Path,
    plan: &[PlannedRecord],
    most: u64,
) -> io::Result<PrefixDigest> {
    let mut file = stores.open(path)?;
    let len = file.length()?.ok_or(io::ErrorKind::NotSeekable)?;
    let mut digest = InputDigest::default();
    for at in 0..plan.len() {
        if digest.prefix_digest().bytes >= most {
            break;
        }
        let Range { start, end } = read(plan, at);
        if start < len {
            file.seek(SeekFrom::Start(start))?;
            digest.read(&mut file, end - start)?;
        }
    }
    Ok(digest.prefix_digest())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(offset: u64, length: u64) -> PlannedRecord {
        PlannedRecord { offset, url: None, length: NonZeroU64::new(length) }
    }

    #[test]
    fn urls_are_compared_as_indexes_and_archives_write_them() {
        let key = PlannedRecord::url_key(b"http://a.example/x%20y");
        assert_eq!(PlannedRecord::url_key(b"<http://a.example/x y>"), key);
        assert_ne!(PlannedRecord::url_key(b"http://a.example/x"), key);
        assert!(PlannedRecord::url_key(b"").is_some());
        assert_eq!(
            PlannedRecord::url_key(b"http://x/\xe9"),
            PlannedRecord::url_key("http://x/\u{e9}".as_bytes())
        );
    }

    #[test]
    fn a_record_ends_where_the_index_says_or_at_the_eighth_place_after_it() {
        let plan = [planned(0, 10), planned(10, 0), planned(20, 5)];
        assert_eq!((stop(&plan, 0), stop(&plan, 1), stop(&plan, 2)), (10, u64::MAX, 25));
        assert_eq!(read(&plan, 1), 10..10 + READ_BYTES);
        let many: Vec<PlannedRecord> = (0..20).map(|at| planned(at * 100, u64::MAX)).collect();
        assert_eq!((stop(&many, 0), stop(&many, 3)), (800, 1100));
        assert_eq!(stop(&many, 19), u64::MAX);
        assert_eq!(read(&many, 0), 0..800);
    }

    #[test]
    fn a_place_counts_once_however_often_it_is_named() {
        let plan = [planned(5, 3), planned(5, 4), planned(5, 5), planned(9, 1)];
        assert!(!is_repeated(&plan, 0) && is_repeated(&plan, 1) && is_repeated(&plan, 2));
        assert!(!is_repeated(&plan, 3));
        assert_eq!((read(&plan, 0), read(&plan, 1)), (5..8, 5..5));
    }
}
