//! Cuts texts into lines by the rules of other programs.

use crate::scalars::is_space;
use memchr::{memchr, memmem};

/// Returns the lines of a text as Python's `str.splitlines` cuts them, without an empty line after
/// the last end. A line ends at a line feed, a carriage return (with a line feed after it, one
/// end), a vertical tab or a form feed. The separators U+001C to U+001E, U+0085, U+2028 and U+2029
/// end lines too.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let has_others = has_other_ends(text);
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, end) = if has_others {
            first_end(rest)
        } else {
            memchr(b'\n', rest.as_bytes()).map_or((rest.len(), 0), |length| (length, 1))
        };
        let line_text = &rest[..line];
        rest = &rest[line + end..];
        Some(line_text)
    })
}

/// Returns whether lines end at other scalars than line feeds. Few texts have such ends; in all
/// other texts SIMD finds the lines.
fn has_other_ends(text: &str) -> bool {
    /// Bytes that are checked before the loop may stop: enough to make the loop worth vectorising.
    const CHUNK_BYTES: usize = 256;
    let is_end = |byte: &u8| matches!(byte, 0xB..=0xD | 0x1C..=0x1E);
    let bytes = text.as_bytes();
    bytes.chunks(CHUNK_BYTES).any(|chunk| chunk.iter().fold(false, |any, byte| any | is_end(byte)))
        || ["\u{85}", "\u{2028}", "\u{2029}"]
            .iter()
            .any(|end| memmem::find(bytes, end.as_bytes()).is_some())
}

/// Returns the lengths in bytes of the first line and of its line end.
fn first_end(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' => return (index, 1 + usize::from(bytes.get(index + 1) == Some(&b'\n'))),
            b'\n' | 0xB | 0xC | 0x1C..=0x1E => return (index, 1),
            0xC2 if bytes[index + 1] == 0x85 => return (index, 2),
            0xE2 if bytes[index + 1] == 0x80 && matches!(bytes[index + 2], 0xA8 | 0xA9) => {
                return (index, 3);
            }
            _ => {}
        }
    }
    (bytes.len(), 0)
}

/// Returns the parts between runs of at least `min_run` line feeds (Python's
/// `re.split("\n{min_run,}")`). Only the first and the last part can be empty.
pub(crate) fn split_at_runs(text: &str, min_run: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let remaining = rest?;
        let bytes = remaining.as_bytes();
        let mut search_start = 0;
        while let Some(break_start) =
            memchr(b'\n', &bytes[search_start..]).map(|break_start| search_start + break_start)
        {
            let run = bytes[break_start..].iter().take_while(|byte| **byte == b'\n').count();
            if run >= min_run {
                rest = Some(&remaining[break_start + run..]);
                return Some(&remaining[..break_start]);
            }
            search_start = break_start + run;
        }
        rest = None;
        Some(remaining)
    })
}

/// Returns the text without white space at its ends (Python's `str.strip`).
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns whether the text is white space only (Python's `not str.strip()`).
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_python_ends_them() {
        let lines = |text| split(text).collect::<Vec<_>>();
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("\n"), [""]);
        assert_eq!(lines("a\r\nb\rc\n\nd"), ["a", "b", "c", "", "d"]);
        assert_eq!(
            lines("a\u{B}b\u{C}c\u{1C}d\u{1D}e\u{1E}f\u{85}g\u{2028}h\u{2029}"),
            ["a", "b", "c", "d", "e", "f", "g", "h"]
        );
        assert_eq!(lines("\u{1F}é…\u{2027}\n"), ["\u{1F}é…\u{2027}"]);
    }

    #[test]
    fn runs_of_line_feeds_cut_as_the_regular_expressions_do() {
        let cut = |text, min_run| split_at_runs(text, min_run).collect::<Vec<_>>();
        assert_eq!(cut("a\n\n\nb\nc\n\n", 1), ["a", "b", "c", ""]);
        assert_eq!(cut("a\n\n\nb\nc\n\n", 2), ["a", "b\nc", ""]);
        assert_eq!(cut("\na", 1), ["", "a"]);
        assert_eq!(cut("", 2), [""]);
        assert_eq!(cut("\n", 2), ["\n"]);
    }

    #[test]
    fn white_space_is_that_of_python() {
        assert_eq!(trim("\u{1F}\u{3000} a b\u{A0}\n"), "a b");
        assert!(is_blank("") && is_blank("\u{1C} \u{2003}") && !is_blank(" \u{200B}"));
    }
}
