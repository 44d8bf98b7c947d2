//! Finds the spans of a page with bytes beyond ASCII: their lengths in bytes and in scalars differ.

use crate::byte_source::ByteSource;
use crate::span::Span;

/// Finds the bytes beyond ASCII. The caller must ask for spans in order, so that the page is
/// searched once.
#[derive(Clone, Copy, Debug)]
pub(super) struct NonAscii<'a> {
    source: ByteSource<'a>,
    /// Offset of a byte that is not ASCII, or the end of the page. If it is not before the start of
    /// the last span, all bytes from that start up to it are ASCII.
    next: usize,
}

impl<'a> NonAscii<'a> {
    pub(super) fn new(source: ByteSource<'a>) -> NonAscii<'a> {
        NonAscii { source, next: source.ascii_end(0) }
    }

    /// Returns whether a span is ASCII. It must not begin before the span of the last call.
    #[inline(always)]
    pub(super) fn is_outside(&mut self, span: Span) -> bool {
        if self.next < span.start as usize {
            self.next = self.source.ascii_end(span.start as usize);
        }
        self.next >= span.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_outside_exactly_if_it_is_ascii() {
        let text = format!("{}é{}éé{}", "a".repeat(70), "b".repeat(3), "c".repeat(200));
        for len in 1..20 {
            let mut non_ascii = NonAscii::new(ByteSource::new(text.as_bytes()));
            for start in 0..text.len() - len {
                let ascii = text.as_bytes()[start..start + len].is_ascii();
                assert_eq!(non_ascii.is_outside(Span::new(start, start + len)), ascii);
            }
        }
    }
}
