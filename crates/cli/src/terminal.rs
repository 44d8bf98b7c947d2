//! What may be shown on a terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stdout};

/// Columns where nobody says how many there are.
const WIDTH: usize = 80;

/// How wide lines may be, and whether they may be coloured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) is_coloured: bool,
}

impl Screen {
    /// A file, or a pipe: as wide as `COLUMNS` says.
    pub(crate) fn plain() -> Screen {
        let columns =
            std::env::var_os("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        Screen { width: columns.unwrap_or(WIDTH).max(20), is_coloured: false }
    }

    /// Standard output: coloured if it is a terminal and `NO_COLOR` is not set.
    pub(crate) fn of_stdout() -> Screen {
        if !stdout().is_terminal() {
            return Screen::plain();
        }
        let size = terminal_size::terminal_size_of(stdout());
        let width = size.map_or(WIDTH, |(width, _)| usize::from(width.0)).max(20);
        let is_coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Screen { width, is_coloured }
    }
}

/// The text with control characters made visible: names and URLs come from strangers, and escape sequences in them must
/// not reach the terminal.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if is_printable(text) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().flat_map(|c| {
        let escaped = (!harmless(c)).then(|| c.escape_unicode());
        let plain = harmless(c).then_some(c);
        escaped.into_iter().flatten().chain(plain)
    });
    Cow::Owned(shown.collect())
}

/// Whether the text has no such characters.
pub(crate) fn is_printable(text: &str) -> bool {
    text.chars().all(harmless)
}

fn harmless(c: char) -> bool {
    !c.is_control() && !is_direction(c)
}

/// Characters that reorder what stands around them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes lines that may hold control characters.
pub(crate) fn write_lines(out: &mut impl Write, text: &str) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", printable(line)))
}

/// A number with a comma between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A size in bytes, in the unit that suits it.
pub(crate) fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    let mut unit = 0;
    let units = ["B", "kB", "MB", "GB", "TB"];
    while size >= 1000.0 && unit + 1 < units.len() {
        size /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{size:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_not_obeyed() {
        let mut lines = Vec::new();
        write_lines(&mut lines, "a\u{9b}2J\n\nb\n").unwrap();
        assert_eq!(lines, b"a\\u{9b}2J\n\nb\n");
        assert_eq!(printable("a\u{1b}[2Jb\u{202e}"), "a\\u{1b}[2Jb\\u{202e}");
        assert!(matches!(printable("http://ä/"), Cow::Borrowed(_)));
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([12, 1500, 2_500_000].map(size), ["12 B", "1.5 kB", "2.5 MB"]);
    }
}
