//! What became of every record.

use huller_archive::{BodyFault, FaultReason, HeadFault, JsonlFault, Repair};
use serde::de::{MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether a record that gave no row was passed over on purpose or could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Not meant to give a row, or over a limit.
    Skipped,
    /// Damaged.
    Failed,
}

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $outcome:ident;)*) => {
        /// Why a record gave no row. The names are those in `stats.json` and in the rejects file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Reason { $($(#[doc = $doc])* $variant),* }

        impl Reason {
            /// All reasons, in the order of tables.
            pub const ALL: &[Reason] = &[$(Reason::$variant),*];

            /// The name in files.
            pub fn name(self) -> &'static str {
                match self { $(Reason::$variant => $name),* }
            }

            /// Whether it counts as skipped or as failed.
            pub fn outcome(self) -> Outcome {
                match self { $(Reason::$variant => Outcome::$outcome),* }
            }
        }
    };
}

reasons! {
    /// A `warcinfo` record.
    Warcinfo "warcinfo" Skipped;
    /// A `request` record.
    Request "request" Skipped;
    /// A `metadata` record.
    Metadata "metadata" Skipped;
    /// A `revisit` record: the page is elsewhere.
    Revisit "revisit" Skipped;
    /// A `conversion` record (text made of a page by somebody else).
    Conversion "conversion" Skipped;
    /// A `continuation` record.
    Continuation "continuation" Skipped;
    /// A record of no known type.
    OtherType "other_type" Skipped;
    /// A response without a block.
    EmptyBlock "empty_block" Skipped;
    /// A response whose status is not 2xx.
    Status "status" Skipped;
    /// Not an HTML page.
    NotHtml "not_html" Skipped;
    /// The method judges that the page has no main content.
    NoArticle "no_article" Skipped;
    /// Fewer characters of text than asked for.
    TooShort "too_short" Skipped;
    /// The record is over the limit.
    TooLarge "too_large" Skipped;
    /// The decoded HTTP body is over the limit.
    BodyTooLarge "body_too_large" Skipped;
    /// The HTTP body grows by decoding more than the limit allows.
    DecodeRatio "decode_ratio" Skipped;
    /// More content encodings than the limit allows.
    TooManyEncodings "too_many_encodings" Skipped;
    /// A zstd window over the limit.
    WindowTooLarge "window_too_large" Skipped;
    /// Broken or cut compressed data.
    CorruptMember "corrupt_member" Failed;
    /// The file ends inside the record.
    Truncated "truncated" Failed;
    /// Bytes that are no record.
    Garbage "garbage" Failed;
    /// Content-Length is missing or cannot be.
    BadContentLength "bad_content_length" Failed;
    /// A WARC header over the limit.
    HeaderTooLarge "header_too_large" Failed;
    /// An HTTP head without end, or over the limit.
    BadHttpHead "bad_http_head" Failed;
    /// A line that is no JSON object.
    InvalidJson "invalid_json" Failed;
    /// A JSON object without a page in it.
    NoHtmlKey "no_html_key" Failed;
    /// A file that could not be read.
    UnreadableFile "unreadable_file" Failed;
    /// The page made us fail; a bug to report.
    Panic "panic" Failed;
}

impl From<FaultReason> for Reason {
    fn from(reason: FaultReason) -> Reason {
        match reason {
            FaultReason::CorruptMember => Reason::CorruptMember,
            FaultReason::Truncated => Reason::Truncated,
            FaultReason::Garbage => Reason::Garbage,
            FaultReason::BadContentLength => Reason::BadContentLength,
            FaultReason::HeaderTooLarge => Reason::HeaderTooLarge,
            FaultReason::TooLarge => Reason::TooLarge,
            FaultReason::WindowTooLarge => Reason::WindowTooLarge,
        }
    }
}

impl From<BodyFault> for Reason {
    fn from(fault: BodyFault) -> Reason {
        match fault {
            BodyFault::Head(HeadFault::Unterminated | HeadFault::TooLarge) => Reason::BadHttpHead,
            BodyFault::TooLarge => Reason::BodyTooLarge,
            BodyFault::Ratio => Reason::DecodeRatio,
            BodyFault::TooManyEncodings => Reason::TooManyEncodings,
        }
    }
}

impl From<&JsonlFault> for Reason {
    fn from(fault: &JsonlFault) -> Reason {
        if fault.is_missing_html() { Reason::NoHtmlKey } else { Reason::InvalidJson }
    }
}

const REASONS: usize = Reason::ALL.len();

/// Mended records by how, in the order of tables.
const REPAIRS: [(Repair, &str); 2] = [
    (Repair::ContentLengthTooLong, "content_length_too_long"),
    (Repair::ChecksumMismatch, "checksum_mismatch"),
];

/// Counts of records. Every record read is written, skipped or failed, exactly once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Records read, unreadable ones included.
    pub records: u64,
    /// Records that gave a row.
    pub written: u64,
    without_row: [u64; REASONS],
    repaired: [u64; REPAIRS.len()],
}

impl Account {
    /// Counts a record that gave no row.
    pub(crate) fn reject(&mut self, reason: Reason) {
        self.without_row[reason as usize] += 1;
    }

    /// Notes that a record had to be mended; it is counted besides as what became of it.
    pub(crate) fn repair(&mut self, repair: Repair) {
        for (count, (known, _)) in self.repaired.iter_mut().zip(REPAIRS) {
            *count += u64::from(known == repair);
        }
    }

    /// How many records gave no row for that reason.
    pub fn count(&self, reason: Reason) -> u64 {
        self.without_row[reason as usize]
    }

    /// How many records were skipped, or failed, in all.
    pub fn total(&self, outcome: Outcome) -> u64 {
        self.reasons(outcome).map(|(_, count)| count).sum()
    }

    /// The reasons of one kind that occurred, with their counts.
    pub fn reasons(&self, outcome: Outcome) -> impl Iterator<Item = (Reason, u64)> {
        Reason::ALL
            .iter()
            .map(|reason| (*reason, self.count(*reason)))
            .filter(move |(reason, count)| reason.outcome() == outcome && *count > 0)
    }

    /// Ways of mending that were needed, with the number of records.
    pub fn repairs(&self) -> impl Iterator<Item = (&'static str, u64)> {
        REPAIRS
            .iter()
            .zip(self.repaired)
            .map(|((_, name), count)| (*name, count))
            .filter(|(_, count)| *count > 0)
    }

    /// Whether the sums agree.
    pub fn is_balanced(&self) -> bool {
        self.records == self.written + self.total(Outcome::Skipped) + self.total(Outcome::Failed)
    }
}

impl std::ops::AddAssign<&Account> for Account {
    fn add_assign(&mut self, other: &Account) {
        self.records += other.records;
        self.written += other.written;
        self.without_row.iter_mut().zip(other.without_row).for_each(|(sum, more)| *sum += more);
        self.repaired.iter_mut().zip(other.repaired).for_each(|(sum, more)| *sum += more);
    }
}

/// Counts by name, as a JSON object.
struct Counts<I>(I);

impl<I: Iterator<Item = (&'static str, u64)> + Clone> Serialize for Counts<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in self.0.clone() {
            map.serialize_entry(name, &count)?;
        }
        map.end()
    }
}

impl Serialize for Account {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = |outcome| {
            let reasons: Vec<_> =
                self.reasons(outcome).map(|(reason, n)| (reason.name(), n)).collect();
            Counts(reasons.into_iter())
        };
        let repaired: Vec<_> = self.repairs().collect();
        let mut out = serializer.serialize_struct("Account", 5)?;
        out.serialize_field("records", &self.records)?;
        out.serialize_field("written", &self.written)?;
        out.serialize_field("skipped", &named(Outcome::Skipped))?;
        out.serialize_field("failed", &named(Outcome::Failed))?;
        out.serialize_field("repaired", &Counts(repaired.into_iter()))?;
        out.end()
    }
}

impl<'de> Deserialize<'de> for Account {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Account, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Account;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an account")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Account, M::Error> {
                use serde::de::Error;
                use std::collections::BTreeMap;
                let mut account = Account::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "records" => account.records = map.next_value()?,
                        "written" => account.written = map.next_value()?,
                        "skipped" | "failed" => {
                            for (name, count) in map.next_value::<BTreeMap<String, u64>>()? {
                                let reason =
                                    Reason::ALL.iter().find(|reason| reason.name() == name);
                                let reason =
                                    reason.ok_or_else(|| M::Error::custom("unknown reason"))?;
                                account.without_row[*reason as usize] = count;
                            }
                        }
                        "repaired" => {
                            for (name, count) in map.next_value::<BTreeMap<String, u64>>()? {
                                let known = REPAIRS.iter().position(|(_, known)| *known == name);
                                let known =
                                    known.ok_or_else(|| M::Error::custom("unknown repair"))?;
                                account.repaired[known] = count;
                            }
                        }
                        _ => return Err(M::Error::custom("unknown field")),
                    }
                }
                Ok(account)
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_survives_json() {
        let mut account = Account { records: 4, written: 2, ..Account::default() };
        account.reject(Reason::Status);
        account.reject(Reason::Truncated);
        account.repair(Repair::ChecksumMismatch);
        assert!(account.is_balanced());
        let json = serde_json::to_string(&account).unwrap();
        let expected = r#"{"records":4,"written":2,"skipped":{"status":1},"failed":{"truncated":1},"repaired":{"checksum_mismatch":1}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Account>(&json).unwrap(), account);
    }
}
