//! A place in a line, by bytes and by columns.

/// A place in a line. Tabs go to the next multiple of four columns, and a container may take a part
/// of one.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    line: &'a [u8],
    /// Offset of the next byte.
    at: usize,
    /// Column of that byte.
    column: usize,
    /// Columns left of a tab before `at`.
    pending: usize,
    /// Offset of the first scalar at or after `at` that is no space and no tab.
    first: usize,
}

impl<'a> Cursor<'a> {
    /// Begins at the start of a line without its line end.
    pub(crate) fn new(line: &'a [u8]) -> Cursor<'a> {
        let mut cursor = Cursor { line, at: 0, column: 0, pending: 0, first: 0 };
        cursor.find_first();
        cursor
    }

    fn find_first(&mut self) {
        if self.first < self.at || self.first == 0 {
            let rest = &self.line[self.at..];
            let white = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            self.first = self.at + white;
        }
    }

    /// Returns the line from the first visible byte on.
    pub(crate) fn visible_rest(&self) -> &'a [u8] {
        &self.line[self.first..]
    }

    /// Returns the offset of the first visible byte in the line.
    pub(crate) fn offset(&self) -> usize {
        self.first
    }

    /// Returns whether the rest of the line is white.
    pub(crate) fn is_blank(&self) -> bool {
        self.first == self.line.len()
    }

    /// Returns the columns before the first visible byte, up to `limit`.
    pub(crate) fn indent(&self, limit: usize) -> usize {
        let (mut columns, mut offset) = (self.pending, self.at);
        while columns < limit && offset < self.first {
            columns += white_width(self.line[offset], self.column + columns);
            offset += 1;
        }
        columns.min(limit)
    }

    /// Moves over this number of columns of white space, or over all of it if there is less.
    pub(crate) fn skip_indent(&mut self, mut columns: usize) {
        loop {
            let pending_columns = columns.min(self.pending);
            self.pending -= pending_columns;
            self.column += pending_columns;
            columns -= pending_columns;
            if columns == 0 || self.at == self.first {
                return;
            }
            self.pending = white_width(self.line[self.at], self.column);
            self.at += 1;
        }
    }

    /// Moves over the white space and this number of visible bytes after it.
    pub(crate) fn skip_mark(&mut self, bytes: usize) {
        while self.pending > 0 || self.at < self.first {
            self.skip_indent(4);
        }
        self.at = (self.at + bytes).min(self.line.len());
        self.column += bytes;
        self.find_first();
    }
}

/// Returns the columns of a white byte that begins at a column.
fn white_width(byte: u8, column: usize) -> usize {
    if byte == b'\t' { 4 - column % 4 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_go_to_the_next_multiple_of_four() {
        let mut cursor = Cursor::new(b">\t\tfoo");
        cursor.skip_mark(1);
        assert_eq!(cursor.indent(9), 7);
        cursor.skip_indent(1);
        assert_eq!((cursor.indent(9), cursor.visible_rest()), (6, b"foo".as_slice()));
        cursor.skip_indent(4);
        assert_eq!(cursor.indent(9), 2);
        cursor.skip_indent(4);
        assert_eq!((cursor.indent(9), cursor.offset()), (0, 3));
    }

    #[test]
    fn the_rest_of_a_line_may_be_white() {
        let mut cursor = Cursor::new(b"-  ");
        assert!(!cursor.is_blank());
        cursor.skip_mark(1);
        assert!(cursor.is_blank());
        assert_eq!((cursor.indent(1), cursor.visible_rest()), (1, b"".as_slice()));
        cursor.skip_mark(7);
        assert!(cursor.is_blank());
    }
}
