//! What was found out of attribute values, so that each need not be read again: most `class` attributes stand on a page many times.
//!
//! A few places, each for the value that was there last. Cost: O(length) to compare, O(1) to find the place.

use huller_page::{Page, Span};

/// How many values are remembered.
const PLACES: usize = 512;

/// What was found out of some values of the current page.
#[derive(Debug)]
pub(crate) struct Remembered<T> {
    places: [(Span, T); PLACES],
}

impl<T: Copy + Default> Default for Remembered<T> {
    fn default() -> Remembered<T> {
        Remembered { places: [(Span::default(), T::default()); PLACES] }
    }
}

impl<T: Copy + Default> Remembered<T> {
    /// Forgets all: another page begins.
    pub(crate) fn clear(&mut self) {
        self.places.fill(Default::default());
    }

    /// What `find_out` gives for a value, which must depend on the value alone and be the default for an empty one.
    #[inline]
    pub(crate) fn of(
        &mut self,
        page: &Page<'_>,
        value: Span,
        find_out: impl FnOnce(&str) -> T,
    ) -> T {
        let bytes = |span: Span| &page.html().as_bytes()[span.start as usize..span.end as usize];
        let (remembered, found) = &mut self.places[place(bytes(value))];
        if bytes(*remembered) != bytes(value) {
            let text = &page.html()[value.start as usize..value.end as usize];
            (*remembered, *found) = (value, find_out(text));
        }
        *found
    }
}

/// Where a value is remembered: by its length and its ends.
#[inline]
fn place(bytes: &[u8]) -> usize {
    let ends = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29)
        }
        _ => bytes.iter().fold(0, |ends, byte| ends << 8 | u64::from(*byte)),
    };
    let mixed = (ends ^ bytes.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 55) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    #[test]
    fn values_are_read_once_and_only_of_this_page() {
        let mut remembered = Remembered::default();
        let mut buf = PageBuf::new();
        for html in ["<p class=one><p class=two><p class=one>", "<p class=eno><p class=''>"] {
            let page = buf.fill(html);
            remembered.clear();
            let mut read = Vec::new();
            for node in page.nodes() {
                for attribute in page.attributes(node) {
                    let found = remembered.of(&page, attribute.value, |value| {
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
