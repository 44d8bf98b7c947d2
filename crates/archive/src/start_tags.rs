//! Limits the number of start tags in a page, because the memory of a page grows with them.

use memchr::memchr_iter;

/// Bytes of the page limit for each start tag. A page is cut before the first tag above that
/// number. Each tag costs 400 bytes of memory with `hull` and 1,400 with all extractors, measured
/// on pages of four million blocks of four bytes. Pages that people read have a tag every 15 to 160
/// bytes. Every gold page has less than a fortieth of the tags that the shipped limit allows.
pub const BYTES_PER_TAG: usize = 16;

/// A page may always have this many tags, whatever the page limit is. Every gold page has at most
/// two thirds of them.
const ALWAYS_TAGS: usize = 32 << 10;

/// Returns the most start tags that a page may have, for a page limit of `max_page_bytes` bytes.
fn max_tags(max_page_bytes: usize) -> usize {
    (max_page_bytes / BYTES_PER_TAG).max(ALWAYS_TAGS)
}

/// Returns the places where start tags may begin. Comments and scripts count too. End tags do not
/// count, since they create no elements.
pub fn start_tags(page: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'<', page).filter(|at| page.get(at + 1).is_some_and(u8::is_ascii_alphabetic))
}

/// Returns the place at which to cut a page that has more start tags than `max_tags` allows. `None`
/// if the page has no more.
pub(crate) fn end_of_tags(page: &[u8], max_page_bytes: usize) -> Option<usize> {
    let most = max_tags(max_page_bytes);
    // A tag has at least three bytes.
    if page.len() / 3 <= most { None } else { start_tags(page).nth(most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cut_before_the_tag_that_is_one_too_many() {
        let least = ALWAYS_TAGS * BYTES_PER_TAG;
        assert_eq!(max_tags(16 << 20), 1 << 20);
        assert_eq!(max_tags(64 << 10), ALWAYS_TAGS, "dense pages that people read stay whole");
        assert_eq!(end_of_tags(&b"<p>a".repeat(ALWAYS_TAGS), least), None);
        assert_eq!(end_of_tags(&b"<p>a".repeat(ALWAYS_TAGS + 9), least), Some(4 * ALWAYS_TAGS));
        let end_tags = b"</b></b><b>".repeat(ALWAYS_TAGS);
        assert_eq!(end_of_tags(&end_tags, least), None);
        assert_eq!(end_of_tags(&end_tags.repeat(2), least), Some(ALWAYS_TAGS * 11 + 8));
    }
}
