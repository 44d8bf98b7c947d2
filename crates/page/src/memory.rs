//! Memory that one page, or one batch of pages, leaves to the next.

/// Empties a buffer. A giant must not keep its memory for the rest of the run; but giants often come one after another, so what is
/// more than `keep` items is given back behind a page or batch that has needed no quarter of it.
pub fn empty<T>(buffer: &mut Vec<T>, keep: usize) {
    let needed = buffer.len();
    buffer.clear();
    if needed < buffer.capacity() / 4 {
        buffer.shrink_to(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_as_long_as_it_is_needed() {
        let mut buffer = Vec::new();
        for (needed, stays) in [(1000, true), (600, true), (3, false), (12, false)] {
            buffer.resize(needed, 0);
            empty(&mut buffer, 10);
            assert!(buffer.is_empty());
            assert_eq!(buffer.capacity() >= 1000, stays, "{needed}");
        }
    }
}
