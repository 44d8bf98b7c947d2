//! What the data of a member begin with, by which a member of the file is told from bytes that look like one by chance.

/// What the data of the wanted members begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A WARC record.
    Record,
    /// A line of JSONL.
    Line,
}

impl Opening {
    /// Number of bytes needed to judge.
    pub(crate) const BYTES: usize = 5;

    /// Whether `data` begin so.
    pub(crate) fn fits(self, data: &[u8]) -> bool {
        match self {
            Opening::Record => {
                data.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/"))
            }
            Opening::Line => data.first() == Some(&b'{'),
        }
    }
}
