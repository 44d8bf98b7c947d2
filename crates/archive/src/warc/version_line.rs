//! Recognises the first line of a WARC record.

/// Longest version line in bytes. A longer line is text that happens to begin like one.
const VERSION_LINE_BYTES: usize = 96;

/// The result of a check for the first line of a record. In WARC this is a version line such as
/// `WARC/1.0`, in upper or lower case, of any version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionLine {
    /// The line is complete. Its length in bytes, its line end included.
    Whole(usize),
    /// The line may be one, depending on the bytes that follow.
    Unfinished,
    /// The bytes do not begin with such a line.
    Absent,
}

/// Checks for a version line at the very start of `bytes`.
pub(crate) fn version_line(bytes: &[u8]) -> VersionLine {
    const MAGIC: &[u8] = b"WARC/";
    let head = &bytes[..bytes.len().min(VERSION_LINE_BYTES)];
    let start = head.len().min(MAGIC.len());
    if !head[..start].eq_ignore_ascii_case(&MAGIC[..start]) {
        return VersionLine::Absent;
    }
    let digits =
        |from: usize| from + head[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = start;
    let major = digits(at);
    let steps = [
        (major > at, major),
        (head.get(major) == Some(&b'.'), major + 1),
        (digits((major + 1).min(head.len())) > major + 1, digits((major + 1).min(head.len()))),
    ];
    for (met, next) in steps {
        if !met {
            return if at == bytes.len() { VersionLine::Unfinished } else { VersionLine::Absent };
        }
        at = next;
    }
    at += head[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    if head.get(at) == Some(&b'\r') {
        at += 1;
    }
    match head.get(at) {
        Some(b'\n') => VersionLine::Whole(at + 1),
        None if bytes.len() < VERSION_LINE_BYTES => VersionLine::Unfinished,
        _ => VersionLine::Absent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_lines_of_all_ages_are_taken() {
        for line in
            ["WARC/0.17\r\n", "WARC/0.18\n", "warc/1.0\r\n", "WARC/1.1 \t\r\n", "WARC/2.0\n"]
        {
            assert_eq!(version_line(line.as_bytes()), VersionLine::Whole(line.len()), "{line:?}");
            for cut in 0..line.len() {
                assert_eq!(
                    version_line(&line.as_bytes()[..cut]),
                    VersionLine::Unfinished,
                    "{line:?} {cut}"
                );
            }
        }
    }

    #[test]
    fn other_lines_are_no_version_lines() {
        for line in [
            "WARC/1\r\n",
            "WARC/.1\r\n",
            "WARC/1.\r\n",
            "WARC/1.0 x\r\n",
            "WARC 1.0\r\n",
            " WARC/1.0\r\n",
            "WARX",
            "WARC/x",
            "WARC/1.0\rx",
            "ARC/1.0\r\n",
        ] {
            assert_eq!(version_line(line.as_bytes()), VersionLine::Absent, "{line:?}");
        }
        let long = format!("WARC/1.0{}", " ".repeat(200));
        assert_eq!(version_line(long.as_bytes()), VersionLine::Absent);
        let long = format!("WARC/{}", "1".repeat(200));
        assert_eq!(version_line(long.as_bytes()), VersionLine::Absent);
    }
}
