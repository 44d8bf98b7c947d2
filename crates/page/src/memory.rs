//! Memory that one page leaves to the next.

/// Empties a column. A giant page must not keep its memory for the rest of the run; but giants often come one after another, so
/// what is more than `keep` is given back behind a page that has needed no quarter of it.
pub(crate) fn empty<T>(column: &mut Vec<T>, keep: usize) {
    let needed = column.len();
    column.clear();
    if needed < column.capacity() / 4 {
        column.shrink_to(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_as_long_as_it_is_needed() {
        let mut column = Vec::new();
        for (needed, stays) in [(1000, true), (600, true), (3, false), (12, false)] {
            column.resize(needed, 0);
            empty(&mut column, 10);
            assert!(column.is_empty());
            assert_eq!(column.capacity() >= 1000, stays, "{needed}");
        }
    }
}
