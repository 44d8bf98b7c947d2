//! Segments of the journal in a store.
//!
//! Each goes on where the journal there ends, and has the digest of that journal in its name. So a
//! journal that is put in place of another leaves no doubt about the segments that are there: those
//! of another journal count no more, whether or not they could be removed.

use crate::run_files::journal::Entry;
use crate::run_files::paths::RUN_FILES;
use data_encoding::HEXLOWER;
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What tells the segments of one journal from those of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation(String);

impl Generation {
    /// That of the segments which go on where this journal ends.
    pub fn of(journal: &[u8]) -> Generation {
        Generation(HEXLOWER.encode(&Sha256::digest(journal))[..16].to_owned())
    }

    /// The name of a segment of this generation.
    pub fn segment(&self, number: u64) -> String {
        format!("{}{}-{number:08}", folder(), self.0)
    }

    /// Whether an object is a segment of this generation.
    pub fn has(&self, name: &str) -> bool {
        let rest = name.strip_prefix(&folder()).and_then(|name| name.strip_prefix(&self.0));
        rest.is_some_and(|rest| rest.starts_with('-'))
    }
}

/// Whether an object is a segment, of whatever generation.
pub fn is_segment(name: &str) -> bool {
    name.starts_with(&folder())
}

fn folder() -> String {
    format!("{RUN_FILES}/journal/")
}

/// A line of a segment.
#[derive(Serialize, Deserialize)]
pub struct Line {
    /// The entry of a finished input.
    pub entry: Entry,
    /// When the input had been changed last, as `run.timing` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<u64>,
}

impl Line {
    /// Appends it to a segment.
    pub fn push_to(&self, segment: &mut Vec<u8>) {
        push_line(segment, self);
    }
}

/// The lines of a segment.
///
/// # Errors
///
/// A line is no JSON of an entry.
pub fn lines(segment: &[u8]) -> Result<Vec<Line>, serde_json::Error> {
    let lines = segment.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(serde_json::from_slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_belong_to_one_journal() {
        let (one, other) = (Generation::of(b""), Generation::of(b"{}\n"));
        let name = one.segment(7);
        assert_eq!(name, "_huller/journal/e3b0c44298fc1c14-00000007");
        assert!(one.has(&name) && !other.has(&name) && is_segment(&name));
        assert!(!is_segment("_huller/run.journal") && !one.has("e3b0c44298fc1c14-00000007"));
        // In the order in which they were written.
        assert!(one.segment(99_999_999) > one.segment(9));
        assert!(lines(b"{\"entry\":1}\n").is_err());
        assert!(lines(b"").unwrap().is_empty());
    }
}
