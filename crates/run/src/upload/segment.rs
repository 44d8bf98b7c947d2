//! Segments of the journal in object storage.
//!
//! Each segment continues the journal there, and has the digest of that journal in its name. If a
//! journal is replaced, the segments of the old one no longer count, even if they could not be
//! removed.

use crate::run_files::journal::JournalEntry;
use crate::run_files::paths::RUN_FILES;
use data_encoding::HEXLOWER;
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Identifies the segments of one journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation(String);

impl Generation {
    /// Returns the generation of the segments that continue this journal.
    pub fn from_journal(journal: &[u8]) -> Generation {
        Generation(HEXLOWER.encode(&Sha256::digest(journal))[..16].to_owned())
    }

    /// Returns the name of a segment of this generation.
    pub fn segment(&self, number: u64) -> String {
        format!("{}{}-{number:08}", folder(), self.0)
    }

    /// Whether an object is a segment of this generation.
    pub fn is_of_generation(&self, name: &str) -> bool {
        let rest = name.strip_prefix(&folder()).and_then(|name| name.strip_prefix(&self.0));
        rest.is_some_and(|rest| rest.starts_with('-'))
    }
}

/// Whether an object is a segment of any generation.
pub fn is_segment(name: &str) -> bool {
    name.starts_with(&folder())
}

fn folder() -> String {
    format!("{RUN_FILES}/journal/")
}

/// A line of a segment.
#[derive(Serialize, Deserialize)]
pub struct SegmentLine {
    /// The entry of a finished input.
    pub entry: JournalEntry,
    /// Time of the last change of the input, as in `run.timing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<u64>,
}

impl SegmentLine {
    /// Appends the line to a segment.
    pub fn push_to(&self, segment: &mut Vec<u8>) {
        push_line(segment, self);
    }
}

/// Returns the lines of a segment.
///
/// # Errors
///
/// A line is not a JSON entry.
pub fn lines(segment: &[u8]) -> Result<Vec<SegmentLine>, serde_json::Error> {
    let lines = segment.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(serde_json::from_slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_belong_to_one_journal() {
        let (one, other) = (Generation::from_journal(b""), Generation::from_journal(b"{}\n"));
        let name = one.segment(7);
        assert_eq!(name, "_huller/journal/e3b0c44298fc1c14-00000007");
        assert!(one.is_of_generation(&name) && !other.is_of_generation(&name) && is_segment(&name));
        assert!(
            !is_segment("_huller/run.journal")
                && !one.is_of_generation("e3b0c44298fc1c14-00000007")
        );
        // By name, segments are in the order in which they were written.
        assert!(one.segment(99_999_999) > one.segment(9));
        assert!(lines(b"{\"entry\":1}\n").is_err());
        assert!(lines(b"").unwrap().is_empty());
    }
}
