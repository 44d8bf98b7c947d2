//! Writes a file in a ZIP or tar archive into a batch.

use super::kind::FileKind;
use crate::batch::{Batch, Entry};
use crate::record::{Fault, FaultReason, Position};

/// Longest name in a message, in characters.
const SHOWN_CHARS: usize = 200;

/// Begins a file in a batch: writes its name and the header of its record. The caller then appends
/// its bytes.
pub(super) fn begin(batch: &mut Batch, name: &str, kind: FileKind) -> MemberInProgress {
    let start = batch.bytes.len();
    batch.bytes.extend_from_slice(name.as_bytes());
    let header = batch.bytes.len();
    for part in ["WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: ", kind.media_type(), "\r\n\r\n"]
    {
        batch.bytes.extend_from_slice(part.as_bytes());
    }
    MemberInProgress { start, header, block: batch.bytes.len(), kind }
}

/// A file whose bytes are being read into a batch.
pub(super) struct MemberInProgress {
    start: usize,
    header: usize,
    pub(super) block: usize,
    kind: FileKind,
}

impl MemberInProgress {
    /// Adds an entry for the file, which ends with the batch.
    pub(super) fn finish(self, batch: &mut Batch, position: Position) {
        let MemberInProgress { start, header, block, kind } = self;
        let bytes = header..batch.bytes.len();
        let header_len = block - header;
        let name = start..header;
        batch.entries.push(Entry::File { name, bytes, header: header_len, kind, position });
    }

    /// Removes the bytes of the file that were read from the batch.
    pub(super) fn discard(self, batch: &mut Batch) {
        batch.bytes.truncate(self.start);
    }
}

/// Returns a name as rows show it, and as programs name the file when they unpack it. It omits all
/// parts that lead out of the folder: `/` and `./` at the beginning, and everything up to the last
/// `..`.
pub(super) fn tidy(name: &str) -> &str {
    let mut kept = name;
    let mut rest = name;
    while let Some((part, after)) = rest.split_once('/') {
        if part == ".." {
            kept = after;
        }
        rest = after;
    }
    if rest == ".." {
        kept = "";
    }
    loop {
        let shorter = kept.trim_start_matches('/');
        let shorter = shorter.strip_prefix("./").unwrap_or(shorter);
        if shorter.len() == kept.len() {
            return kept;
        }
        kept = shorter;
    }
}

/// Returns the fault of a file that could not be read.
pub(super) fn fault(reason: FaultReason, name: &str, problem: &str, position: Position) -> Fault {
    let name: String = name.chars().take(SHOWN_CHARS).filter(|it| !it.is_control()).collect();
    let at = position.member.map(|(offset, _)| offset).or(position.stream_offset);
    let at = at.map_or_else(String::new, |at| format!(" (byte {at})"));
    Fault {
        reason,
        position,
        header: Vec::new(),
        block: Vec::new(),
        detail: format!("'{name}' {problem}{at}"),
        at_end: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere() {
        for (name, tidied) in [
            ("a/b.html", "a/b.html"),
            ("./a.html", "a.html"),
            (".//./a.html", "a.html"),
            ("/etc/passwd", "etc/passwd"),
            ("../../x.html", "x.html"),
            ("a/../../b/x.html", "b/x.html"),
            ("..", ""),
            ("a/..", ""),
            ("a..b/.x/...", "a..b/.x/..."),
        ] {
            assert_eq!(tidy(name), tidied, "{name}");
        }
    }
}
