//! What a check finds.

use serde::Serialize;

/// What a finding means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something is not as the run left it.
    Damage,
    /// Left by a run that has not reached its end.
    Unfinished,
    /// To know, but no fault.
    Note,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// What was found. The names are those in the report.
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
    EnteredTwice "entered_twice";
    /// Lines of the journal were made with different settings.
    Settings "settings";
    /// An account whose sums do not agree.
    Account "account";
    /// The statistics are not what the journal gives.
    Stats "stats";
    /// The journal names an output that does not lie in the folder.
    Outside "outside";
    /// An output is not there.
    Missing "missing";
    /// An output is no file, or cannot be read.
    Unreadable "unreadable";
    /// An output has another length.
    Size "size";
    /// An output has other bytes.
    Digest "digest";
    /// An output cannot be decompressed to its end.
    Frames "frames";
    /// An output has more or fewer rows than the account says.
    Rows "rows";
    /// A row is no JSON object with an identifier, or no UTF-8.
    Row "row";
    /// A file that is named like an output and is in no line of the journal.
    Stranger "stranger";
    /// `_SUCCESS` is missing, or is there too early.
    Success "success";
    /// The remains of an output that was being written, or of the run files.
    Leftover "leftover";
    /// An input has other bytes than were read.
    Input "input";
    /// An input that could not be used.
    Unusable "unusable";
    /// An identifier that more than one row has.
    RepeatedId "repeated_id";
    /// A file that the run knows nothing of.
    OtherFile "other_file";
}

impl Serialize for FindingKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it means.
    pub severity: Severity,
    /// What it is.
    pub kind: FindingKind,
    /// The file, relative to the folder.
    pub path: String,
    /// More of it, for people.
    pub detail: String,
}

/// What has been found so far.
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
