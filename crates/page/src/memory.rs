//! Decides when a reused buffer frees memory.

/// Clears a buffer for the next page or batch. If less than a quarter of its capacity was used,
/// shrinks it to room for `keep` items. A buffer with less room than that keeps it.
///
/// So one giant page does not hold its memory for the rest of the run. Several giant pages in a row
/// do not allocate again each time.
pub fn clear_and_shrink<T>(buffer: &mut Vec<T>, keep: usize) {
    let used = buffer.len();
    buffer.clear();
    if used < buffer.capacity() / 4 {
        buffer.shrink_to(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_as_long_as_it_is_needed() {
        let mut buffer = Vec::new();
        for (used, stays) in [(1000, true), (600, true), (3, false), (12, false)] {
            buffer.resize(used, 0);
            clear_and_shrink(&mut buffer, 10);
            assert!(buffer.is_empty());
            assert_eq!(buffer.capacity() >= 1000, stays, "{used}");
        }
    }
}
