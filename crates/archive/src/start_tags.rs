//! The limit of start tags in a page: the memory of a page grows with them, so a page of too many
//! is cut.

use memchr::memchr_iter;

/// A page has at most one start tag for this many bytes of the limit of pages, and is cut before
/// the next. The memory of a page grows with them: by 400 bytes for each with `hull`, 1,400 with
/// all methods, measured on pages of four million blocks of four bytes. Pages that people read have
/// a tag every 15 to 160 bytes, and no gold page has a fortieth of what a page may have with the
/// limit that ships.
pub const BYTES_PER_TAG: usize = 16;

/// No page is cut before it has more tags than this, whatever the limit of pages: with so many it
/// is no giant. No gold page has more than two thirds of them.
const ALWAYS_TAGS: usize = 32 << 10;

/// Most tags that a page may have where pages are cut at so many bytes.
fn max_tags(max_page_bytes: usize) -> usize {
    (max_page_bytes / BYTES_PER_TAG).max(ALWAYS_TAGS)
}

/// Where start tags may begin: comments and scripts count too, end tags don't, since they make no
/// elements.
pub fn start_tags(page: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'<', page).filter(|at| page.get(at + 1).is_some_and(u8::is_ascii_alphabetic))
}

/// Where a page is to be cut that has more tags than `max_tags` allows. `None` if it has no more.
pub(crate) fn end_of_tags(page: &[u8], max_page_bytes: usize) -> Option<usize> {
    let most = max_tags(max_page_bytes);
    // A tag has three bytes at least.
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
