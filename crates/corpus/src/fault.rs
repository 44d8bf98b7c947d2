//! Describes the parts of a file that gave no row.

use huller_archive::{Fault, FaultReason, hole_in};
use huller_refine::Reason;

/// A part of a file, such as a line, that gave no row. It counts as one row that was read and then
/// skipped or failed for its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The reason under which statistics count it.
    pub reason: Reason,
    /// The finding in one line for users. May be empty.
    pub detail: String,
}

impl From<Reason> for RowFault {
    fn from(reason: Reason) -> RowFault {
        RowFault { reason, detail: String::new() }
    }
}

impl From<&Fault> for RowFault {
    fn from(fault: &Fault) -> RowFault {
        RowFault { reason: reason_of(fault.reason), detail: fault.detail.clone() }
    }
}

impl RowFault {
    /// Makes the fault of a line that is not a JSON object. The line may be a hole in the file,
    /// which leaves a line without an end.
    pub(crate) fn invalid(line: &[u8], problem: &dyn std::fmt::Display) -> RowFault {
        match hole_in(line) {
            Some(detail) => RowFault { reason: Reason::Hole, detail },
            None => RowFault { reason: Reason::InvalidJson, detail: problem.to_string() },
        }
    }
}

/// Returns the reason under which statistics count a part of a file that gave neither record nor
/// row.
pub fn reason_of(fault: FaultReason) -> Reason {
    match fault {
        FaultReason::CorruptMember => Reason::CorruptMember,
        FaultReason::Truncated => Reason::Truncated,
        FaultReason::Garbage => Reason::Garbage,
        FaultReason::Hole => Reason::Hole,
        FaultReason::BadContentLength => Reason::BadContentLength,
        FaultReason::HeaderTooLarge => Reason::HeaderTooLarge,
        FaultReason::TooLarge => Reason::TooLarge,
        FaultReason::WindowTooLarge => Reason::WindowTooLarge,
        FaultReason::CorruptRows => Reason::CorruptRows,
        FaultReason::BadRow => Reason::BadRow,
        FaultReason::NotWhereIndexed => Reason::NotWhereIndexed,
        FaultReason::Unsupported => Reason::UnsupportedMember,
        FaultReason::Panic => Reason::Panic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_zeros_is_a_hole() {
        let fault = |line: &[u8]| RowFault::invalid(line, &"problem");
        let hole = [&b"{\"text\":\"a"[..], &vec![0; 20_000], b"b\"}"].concat();
        assert_eq!(fault(&hole).reason, Reason::Hole);
        assert_eq!(fault(b"{"), RowFault { reason: Reason::InvalidJson, detail: "problem".into() });
    }
}
