//! Ranges of bytes of the input, as pairs of offsets.

/// The longest input, in bytes, whose offsets fit in a [`Span`]: one byte less than 4 GiB.
pub const MAX_INPUT_LEN: usize = u32::MAX as usize;

/// A range of bytes of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Makes a span from offsets into an input of at most [`MAX_INPUT_LEN`] bytes.
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Returns the bytes of the span.
    #[inline]
    pub fn slice(self, input: &[u8]) -> &[u8] {
        &input[self.start as usize..self.end as usize]
    }

    /// Returns the length in bytes.
    #[inline]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span has no bytes.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Panics if spans cannot address an input of `len` bytes.
#[inline]
pub(crate) fn assert_addressable(len: usize) {
    assert!(len <= MAX_INPUT_LEN, "an input of 4 GiB or more must be cut by the caller");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_input_ends_at_the_largest_offset() {
        assert_addressable(MAX_INPUT_LEN);
        let span = Span::new(0, MAX_INPUT_LEN);
        assert_eq!((span.end, span.len()), (u32::MAX, u32::MAX));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    #[should_panic(expected = "must be cut by the caller")]
    fn a_longer_input_is_refused() {
        assert_addressable(MAX_INPUT_LEN + 1);
    }
}
