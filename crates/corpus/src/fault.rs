//! A stretch of a file, or a line, that gave no row.

use huller_archive::{Fault, FaultReason, hole_in};
use huller_refine::Reason;

/// What gave no row, and why. It counts as one row that was read, and skipped or failed by its
/// reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The reason under which statistics count it.
    pub reason: Reason,
    /// What was found: one line, shown to users. May be empty.
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
    /// A line that is no JSON object. It may be a hole in the file, which leaves a line without an
    /// end.
    pub(crate) fn invalid(line: &[u8], problem: &dyn std::fmt::Display) -> RowFault {
        match hole_in(line) {
            Some(detail) => RowFault { reason: Reason::Hole, detail },
            None => RowFault { reason: Reason::InvalidJson, detail: problem.to_string() },
        }
    }
}

/// The reason under which statistics count a stretch of a file that gave no record and no row.
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

/// What is wrong with a file that was read to its end and gave so many rows: that no row can be
/// used, or that it has holes. `count` gives how often a reason is counted.
///
/// ```
/// use huller_corpus::complaint;
///
/// let count = |name: &str| if name == "no_text_key" { 2 } else { 0 };
/// assert_eq!(complaint(0, count).unwrap(), "none of its 2 lines is a row (no_text_key 2)");
/// assert_eq!(complaint(1, count), None);
/// ```
pub fn complaint(rows: u64, count: impl Fn(&str) -> u64) -> Option<String> {
    let counts = Reason::ALL.iter().map(|reason| (reason.name(), count(reason.name())));
    let faults: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
    let lines: u64 = faults.iter().map(|(_, count)| count).sum();
    if rows == 0 && lines > 0 {
        let faults: Vec<_> = faults.iter().map(|(name, count)| format!("{name} {count}")).collect();
        return Some(format!("none of its {lines} lines is a row ({})", faults.join(", ")));
    }
    let holes = count(Reason::Hole.name());
    (holes > 0).then(|| {
        let plural = if holes == 1 { "a hole".to_owned() } else { format!("{holes} holes") };
        format!("it has {plural}, zeros where rows were, so it is not whole: copy it again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_complaints_beside_rows_too() {
        let of = |rows, holes| complaint(rows, |name| if name == "hole" { holes } else { 0 });
        assert_eq!(of(0, 1).unwrap(), "none of its 1 lines is a row (hole 1)");
        assert!(of(5, 1).unwrap().starts_with("it has a hole, zeros"));
        assert!(of(5, 2).unwrap().starts_with("it has 2 holes, zeros"));
        assert_eq!((of(0, 0), of(5, 0)), (None, None));
    }

    #[test]
    fn a_line_of_zeros_is_a_hole() {
        let fault = |line: &[u8]| RowFault::invalid(line, &"problem");
        let hole = [&b"{\"text\":\"a"[..], &vec![0; 20_000], b"b\"}"].concat();
        assert_eq!(fault(&hole).reason, Reason::Hole);
        assert_eq!(fault(b"{"), RowFault { reason: Reason::InvalidJson, detail: "problem".into() });
    }
}
