//! Where bytes and scalars differ.

use crate::source::Source;
use crate::tokenizer::Span;

/// Tells which stretches of a page are ASCII. It is asked for stretches in their order, so the page is searched once.
#[derive(Clone, Copy, Debug)]
pub(super) struct NonAscii<'a> {
    source: Source<'a>,
    /// The first byte that is not ASCII, at or after the start of the last stretch or before it; the end if there is none.
    next: usize,
}

impl<'a> NonAscii<'a> {
    pub(super) fn new(source: Source<'a>) -> NonAscii<'a> {
        NonAscii { source, next: source.ascii_end(0) }
    }

    /// Whether a stretch is ASCII. It must not begin before the one that was asked for last.
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
    fn stretches_in_order_are_told_apart() {
        let text = format!("{}é{}éé{}", "a".repeat(70), "b".repeat(3), "c".repeat(200));
        for len in 1..20 {
            let mut non_ascii = NonAscii::new(Source::new(text.as_bytes()));
            for start in 0..text.len() - len {
                let ascii = text.as_bytes()[start..start + len].is_ascii();
                assert_eq!(non_ascii.is_outside(Span::new(start, start + len)), ascii);
            }
        }
    }
}
