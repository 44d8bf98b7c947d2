//! Code in a line and in blocks.

use super::escape;
use super::state::Markdown;
use crate::render::language;

/// The length of the longest row of backticks.
fn longest_row(code: &str) -> usize {
    if memchr::memchr(b'`', code.as_bytes()).is_none() {
        return 0;
    }
    code.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

impl Markdown<'_> {
    /// Writes the code that was collected in a line.
    pub(super) fn flush_code(&mut self) {
        if self.memory.code.is_empty() || self.fence.is_some() {
            return;
        }
        if memchr::memchr(b'$', self.memory.code.as_bytes()).is_some() {
            self.escape_dollars();
        }
        let ends_in_space = self.memory.code.ends_with(' ');
        let code = self.memory.code.trim_end_matches(' ');
        // A row of another length than all those within delimits the code; one is the usual.
        let longest = longest_row(code);
        let has_single = longest > 0 && code.split(|c| c != '`').any(|row| row.len() == 1);
        let ticks = if has_single { longest + 1 } else { 1 };
        let is_padded = code.starts_with('`') || code.ends_with('`');
        (0..ticks).for_each(|_| self.out.push('`'));
        if is_padded {
            self.out.push(' ');
        }
        if self.table.as_ref().is_some_and(|table| table.is_in_row) {
            escape::pipes(code, self.out);
        } else {
            self.out.push_str(code);
        }
        if is_padded {
            self.out.push(' ');
        }
        (0..ticks).for_each(|_| self.out.push('`'));
        self.memory.code.clear();
        if ends_in_space {
            self.out.push(' ');
        }
    }

    /// Writes the code that was collected as a block.
    pub(super) fn write_fence(&mut self) {
        let Some(node) = self.fence.take() else { return };
        let code = std::mem::take(&mut self.memory.code);
        if !code.is_empty() {
            self.begin_line();
            let ticks = longest_row(&code).max(2) + 1;
            let write_ticks = |out: &mut String| (0..ticks).for_each(|_| out.push('`'));
            write_ticks(self.out);
            if let Some(language) = language::of(self.page, node) {
                self.out.push_str(language);
            }
            for line in code.split('\n') {
                self.next_line();
                self.out.push_str(line);
                if line.is_empty() {
                    let trimmed = self.out.trim_end_matches(' ').len();
                    self.out.truncate(trimmed);
                }
            }
            self.next_line();
            write_ticks(self.out);
        }
        self.memory.code = code;
        self.memory.code.clear();
        self.end_line();
    }
}
