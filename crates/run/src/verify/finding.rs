//! Findings of a check.

use serde::Serialize;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A file is not as the run left it.
    Damage,
    /// A remnant of a run that has not reached its end.
    Unfinished,
    /// Information; nothing is wrong.
    Note,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// The kind of a finding. The names are those in the report.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum FindingKind { $($(#[doc = $doc])* $variant),* }

        impl FindingKind {
            /// The name in reports.
            pub fn name(self) -> &'static str {
                match self { $(FindingKind::$variant => $name),* }
            }
        }
    };
}

kinds! {
    /// The journal, or one of its lines, cannot be read.
    Journal "journal";
    /// A finished input has no line in the journal.
    JournalLine "journal_line";
    /// The journal names one input, or one output, twice.
    DuplicateEntry "entered_twice";
    /// Lines of the journal were made with different settings.
    Settings "settings";
    /// Counters whose sums do not agree.
    Counters "account";
    /// The statistics differ from the journal.
    Stats "stats";
    /// The journal names an output outside the folder.
    OutsideFolder "outside";
    /// An output is missing.
    Missing "missing";
    /// An output is not a file, or cannot be read.
    Unreadable "unreadable";
    /// An output has another length.
    Size "size";
    /// An output has other bytes.
    Digest "digest";
    /// An output cannot be decompressed to its end.
    Frames "frames";
    /// An output has more or fewer rows than the journal notes.
    Rows "rows";
    /// A row is not a JSON object with an identifier, or not UTF-8.
    Row "row";
    /// A file that is named like an output, and is missing from the journal.
    UnlistedFile "stranger";
    /// `_SUCCESS` is missing, or exists too early.
    Success "success";
    /// A remnant of an output that was being written, or of the run files.
    Leftover "leftover";
    /// An input has other bytes than the run read.
    Input "input";
    /// An input that could not be used.
    Unusable "unusable";
    /// An identifier that more than one row has.
    RepeatedId "repeated_id";
    /// A file that does not belong to the run.
    OtherFile "other_file";
}

impl Serialize for FindingKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Damage, unfinished work or information.
    pub severity: Severity,
    /// What was found.
    pub kind: FindingKind,
    /// The file, relative to the folder.
    pub path: String,
    /// More details, for people.
    pub detail: String,
}

/// The findings so far.
#[derive(Default)]
pub(crate) struct Findings(pub(crate) Vec<Finding>);

impl Findings {
    pub(crate) fn add(
        &mut self,
        severity: Severity,
        kind: FindingKind,
        path: impl Into<String>,
        detail: impl Into<String>,
    ) {
        self.0.push(Finding { severity, kind, path: path.into(), detail: detail.into() });
    }

    pub(crate) fn damage(
        &mut self,
        kind: FindingKind,
        path: impl Into<String>,
        detail: impl Into<String>,
    ) {
        self.add(Severity::Damage, kind, path, detail);
    }
}
