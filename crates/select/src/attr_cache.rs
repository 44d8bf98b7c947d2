//! Caches results that an extractor computes from attribute values. Most `class` attributes occur
//! many times on a page, so most values need not be read again.
//!
//! The cache has a fixed number of slots. Each holds the value that used it last. Cost: O(length of
//! the value) to compare it, O(1) to find its slot.

use huller_page::{Page, Span};

/// Number of slots.
const SLOT_COUNT: usize = 512;

/// Results of type `T` for some attribute values of the current page. A slot holds the place of a
/// value in the page's source, so the cache must be cleared before another page.
#[derive(Debug)]
pub struct AttrCache<T> {
    slots: [(Span, T); SLOT_COUNT],
}

impl<T: Copy + Default> Default for AttrCache<T> {
    fn default() -> AttrCache<T> {
        AttrCache { slots: [(Span::default(), T::default()); SLOT_COUNT] }
    }
}

impl<T: Copy + Default> AttrCache<T> {
    /// Forgets all values, because another page begins.
    pub fn clear(&mut self) {
        self.slots.fill(Default::default());
    }

    /// Returns the result for the attribute value at `value` in the page's source, cached or from
    /// `compute`. `compute` must depend on the value alone, and must return `T::default()` for an
    /// empty value.
    #[inline]
    pub fn get_or_compute(
        &mut self,
        page: &Page<'_>,
        value: Span,
        compute: impl FnOnce(&str) -> T,
    ) -> T {
        let bytes = |span: Span| &page.html().as_bytes()[span.start as usize..span.end as usize];
        let (cached, cached_result) = &mut self.slots[slot_of_value(bytes(value))];
        if bytes(*cached) != bytes(value) {
            let text = &page.html()[value.start as usize..value.end as usize];
            (*cached, *cached_result) = (value, compute(text));
        }
        *cached_result
    }
}

/// Returns the slot of a value: a hash of its length, its first and its last eight bytes.
#[inline]
fn slot_of_value(bytes: &[u8]) -> usize {
    let ends = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29)
        }
        _ => bytes.iter().fold(0, |ends, byte| ends << 8 | u64::from(*byte)),
    };
    let mixed = (ends ^ bytes.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 55) as usize % SLOT_COUNT
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    #[test]
    fn values_are_read_once_for_each_page() {
        let mut cached = AttrCache::default();
        let mut buf = PageBuf::new();
        for html in ["<p class=one><p class=two><p class=one>", "<p class=eno><p class=''>"] {
            let page = buf.fill(html);
            cached.clear();
            let mut read = Vec::new();
            for node in page.nodes() {
                for attribute in page.attributes(node) {
                    let found = cached.get_or_compute(&page, attribute.value, |value| {
                        read.push(value.to_owned());
                        value.len()
                    });
                    assert_eq!(found, attribute.value.len() as usize);
                }
            }
            let expected: &[&str] = if html.contains("one") { &["one", "two"] } else { &["eno"] };
            assert_eq!(read, expected);
        }
    }
}
