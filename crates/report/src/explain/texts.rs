//! The texts of all methods, of which most say the same: as runs of lines of one table.
//!
//! A text is `[from, count, from, count, …]`: so many lines of the table from that place on, and so forth, with a line break between any two lines.

use super::table::Table;

/// A text as runs of lines, which are added to the table where they are new.
pub(super) fn runs(text: &str, lines: &mut Table) -> Vec<u32> {
    let mut runs: Vec<u32> = Vec::new();
    for line in text.split('\n') {
        let place = lines.place(line);
        match runs.as_mut_slice() {
            [.., from, count] if *from + *count == place => *count += 1,
            _ => runs.extend([place, 1]),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_one_another_are_one_run() {
        let mut lines = Table::default();
        assert_eq!(runs("a\nb\nc", &mut lines), [0, 3]);
        assert_eq!(runs("b\nc\n\na", &mut lines), [1, 3, 0, 1]);
        assert_eq!(runs("", &mut lines), [3, 1]);
        assert_eq!(runs("\n", &mut lines), [3, 1, 3, 1]);
        assert_eq!(lines.values(), ["a", "b", "c", ""]);
    }
}
