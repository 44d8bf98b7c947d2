//! Text for terminals: escaped characters, widths, numbers and sizes.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write, stdout};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Width in columns if neither the terminal nor `COLUMNS` gives it.
const DEFAULT_COLUMNS: usize = 80;

/// The width of lines, and whether they may be coloured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// Columns of a line.
    pub(crate) width: usize,
    pub(crate) is_coloured: bool,
}

impl Screen {
    /// Returns the screen of a file or a pipe: as wide as `COLUMNS` says, without colours.
    pub(crate) fn plain() -> Screen {
        let columns =
            std::env::var_os("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        Screen { width: columns.unwrap_or(DEFAULT_COLUMNS).max(20), is_coloured: false }
    }

    /// Returns the screen of standard output, coloured if it is a terminal and `NO_COLOR` is not
    /// set.
    pub(crate) fn for_stdout() -> Screen {
        if !stdout().is_terminal() {
            return Screen::plain();
        }
        let size = terminal_size::terminal_size_of(stdout());
        let width = size.map_or(DEFAULT_COLUMNS, |(width, _)| usize::from(width.0)).max(20);
        let is_coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Screen { width, is_coloured }
    }
}

/// Returns the width of standard output in columns, if it is a terminal.
pub(crate) fn stdout_width() -> Option<usize> {
    stdout().is_terminal().then(|| Screen::for_stdout().width)
}

/// Returns the width of the terminal of standard error in columns.
pub(crate) fn stderr_width() -> usize {
    terminal_size::terminal_size_of(io::stderr())
        .map_or(DEFAULT_COLUMNS, |(width, _)| width.0.into())
}

/// Reports that the program waits for input, if standard input is a terminal.
pub(crate) fn print_waiting() {
    if io::stdin().is_terminal() {
        // A closed standard error is not a failure.
        let _ = writeln!(io::stderr(), "{WAITING}");
    }
}

const WAITING: &str = "waiting for a WARC or JSONL file on standard input, which is a terminal: press Ctrl-D to end \
     it";

/// Returns the text in at most `columns`, with its middle replaced by `…` if it is longer. The part
/// before the `…` has twice the width of the part after it.
pub(crate) fn shorten(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let Some(room) = columns.checked_sub(1) else { return Cow::Borrowed("") };
    let end_room = room / 3;
    let end: Vec<char> = take_columns(text.chars().rev(), end_room).collect();
    let start = take_columns(text.chars(), room - end_room);
    Cow::Owned(start.chain(['…']).chain(end.into_iter().rev()).collect())
}

/// Returns the first characters that fit into `columns`.
fn take_columns(chars: impl Iterator<Item = char>, columns: usize) -> impl Iterator<Item = char> {
    let mut used = 0;
    chars.take_while(move |c| {
        used += c.width().unwrap_or(0);
        used <= columns
    })
}

/// Cuts text into lines of at most `columns`, between words where that is possible.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let last_line = lines.last_mut().expect("there is a line");
        let gap = usize::from(!last_line.is_empty());
        if last_line.width() + gap + word.width() <= columns {
            last_line.push_str(if gap == 1 { " " } else { "" });
            last_line.push_str(word);
            continue;
        }
        if last_line.is_empty() {
            lines.pop();
        }
        let mut line = String::new();
        for c in word.chars() {
            if !line.is_empty() && line.width() + c.width().unwrap_or(0) > columns {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
        lines.push(line);
    }
    lines
}

/// Returns the text with control characters made visible. Names and URLs come from strangers, and
/// escape sequences in them must not reach the terminal.
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

/// Returns whether [`printable`] leaves the text unchanged.
pub(crate) fn is_printable(text: &str) -> bool {
    text.chars().all(harmless)
}

fn harmless(c: char) -> bool {
    !c.is_control() && !is_direction(c)
}

/// Characters that change the order in which a terminal shows the text around them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes lines with their control characters escaped.
pub(crate) fn write_lines(out: &mut impl Write, text: &str) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", printable(line)))
}

/// Formats a number with a comma between thousands.
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

/// Formats a size in bytes, in a suitable unit.
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
    fn long_text_is_shortened_in_its_middle_or_wrapped() {
        assert_eq!(shorten("http://a.test/one/two", 21), "http://a.test/one/two");
        assert_eq!(shorten("http://a.test/one/two", 13), "http://a…/two");
        assert_eq!(shorten("漢字漢字漢字", 8), "漢字…字");
        assert_eq!([shorten("abc", 1), shorten("abc", 0)], ["…", ""]);
        assert_eq!(wrap("a record of 12 bytes", 8), ["a record", "of 12", "bytes"]);
        assert_eq!(wrap("ab abcdefg", 3), ["ab", "abc", "def", "g"]);
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([12, 1500, 2_500_000].map(size), ["12 B", "1.5 kB", "2.5 MB"]);
    }
}
