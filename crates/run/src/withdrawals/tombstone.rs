//! A withdrawn key, and the file of such keys.

use crate::durable::replace;
use crate::error::RunError;
use crate::run_files::paths::{RUN_FILES, WITHDRAWALS};
use huller_provenance::{Host, civil};
use huller_refine::signature::{Signature, SignatureSettings, url_digest};
use huller_row::push_line;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use twox_hash::XxHash3_128;

/// Name of the file of tombstones in an index.
pub const OF_INDEX: &str = "huller.withdrawals";

/// Version of the file format.
const VERSION: u32 = 1;

/// The value of rows that a tombstone compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The URL of a page, compared as `huller dedup --by url` compares URLs.
    Url,
    /// A host. It also names all hosts below it.
    Host,
    /// The identifier of a row. It also names the passages of the row.
    Id,
    /// The signature of a text. It names near duplicates of the text.
    Near,
    /// The identifier of a row that was withdrawn as a near duplicate. It names its passages.
    NearId,
}

impl Rule {
    /// Returns its name in reports. Rows of one rule of the user have one name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Url => "url",
            Rule::Host => "host",
            Rule::Id => "id",
            Rule::Near | Rule::NearId => "near",
        }
    }
}

/// The digest of a key: 128 bits of XXH3, as signatures have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyDigest(pub u128);

const PREFIX: &str = "xxh128:";

impl Serialize for KeyDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{PREFIX}{:032x}", self.0))
    }
}

impl<'de> Deserialize<'de> for KeyDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeyDigest, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix(PREFIX).filter(|digits| digits.len() == 32);
        let digest = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        digest.map(KeyDigest).ok_or_else(|| serde::de::Error::custom("a key is no digest"))
    }
}

/// The bands of a text's signature, and the settings that made them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bands {
    /// The settings of the signature.
    pub settings: SignatureSettings,
    /// The hashes of the bands. Empty if the text has fewer words than a shingle.
    pub bands: Vec<u64>,
}

/// A withdrawn key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// Version of the file format.
    version: u32,
    /// The value of rows that is compared with the key.
    pub rule: Rule,
    /// The digest of the key. For [`Rule::Near`] it is the digest of the text.
    pub key: KeyDigest,
    /// The bands of the text, for [`Rule::Near`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Bands>,
    /// Time of the withdrawal, as `2026-01-31T12:00:00Z`.
    pub when: String,
    /// The reason that the user gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Time and reason of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalStamp {
    /// The time, as `2026-01-31T12:00:00Z`.
    pub when: String,
    /// The reason that the user gave.
    pub reason: Option<String>,
}

impl WithdrawalStamp {
    /// Returns this moment with a reason.
    pub fn now(reason: Option<String>) -> WithdrawalStamp {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let (days, second) = (now / 86_400, now % 86_400);
        let (year, month, day) = civil(days.cast_signed());
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let when = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
        WithdrawalStamp { when, reason }
    }
}

impl Tombstone {
    fn new(rule: Rule, key: u128, stamp: &WithdrawalStamp) -> Tombstone {
        let WithdrawalStamp { when, reason } = stamp.clone();
        let key = KeyDigest(key);
        Tombstone { version: VERSION, rule, key, signature: None, when, reason }
    }

    /// Returns the tombstone of a URL.
    pub fn of_url(url: &str, stamp: &WithdrawalStamp) -> Tombstone {
        Tombstone::new(Rule::Url, url_digest(url, &mut Vec::new()), stamp)
    }

    /// Returns the tombstone of a host. `None` if the text is no host.
    pub fn of_host(host: &str, stamp: &WithdrawalStamp) -> Option<Tombstone> {
        let host = Host::parse(host)?;
        Some(Tombstone::new(Rule::Host, text_key(host.without_www().as_str()), stamp))
    }

    /// Returns the tombstone of a row's identifier.
    pub fn of_id(id: &str, stamp: &WithdrawalStamp) -> Tombstone {
        Tombstone::new(Rule::Id, id_key(id), stamp)
    }

    /// Returns the tombstone of the identifier of a row that was withdrawn as a near duplicate.
    pub fn of_near_id(id: &str, stamp: &WithdrawalStamp) -> Tombstone {
        Tombstone::new(Rule::NearId, id_key(id), stamp)
    }

    /// Returns the tombstone of a text.
    pub fn of_text(
        signature: &Signature,
        settings: SignatureSettings,
        stamp: &WithdrawalStamp,
    ) -> Tombstone {
        let bands = Some(Bands { settings, bands: signature.bands.clone() });
        Tombstone { signature: bands, ..Tombstone::new(Rule::Near, signature.text, stamp) }
    }

    /// Returns rule and key, which distinguish it from tombstones of other pages.
    pub fn identity(&self) -> (Rule, KeyDigest) {
        (self.rule, self.key)
    }
}

/// Returns the digest of a text that is compared as it is.
pub(crate) fn text_key(text: &str) -> u128 {
    XxHash3_128::oneshot(text.as_bytes())
}

/// Returns the digest of an identifier, with or without the frame that it has in headers.
pub(crate) fn id_key(id: &str) -> u128 {
    let inner = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(id);
    text_key(inner.strip_prefix("urn:uuid:").unwrap_or(inner))
}

/// Returns the path of the tombstones that a user names: a file, the folder of a run, or an index.
pub fn file_at(path: &Path) -> PathBuf {
    if !path.is_dir() {
        return path.to_owned();
    }
    let of_index = path.join(OF_INDEX);
    if of_index.is_file() { of_index } else { path.join(RUN_FILES).join(WITHDRAWALS) }
}

/// Reads the tombstones of a file. A missing file has none.
///
/// # Errors
///
/// * [`RunError::Output`]: the file cannot be read.
/// * [`RunError::DamagedRun`]: a line is no tombstone of this version.
pub fn read(path: &Path) -> Result<Vec<Tombstone>, RunError> {
    match fs::read(path) {
        Ok(text) => parse(&text, path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(RunError::output("read", path)(error)),
    }
}

/// Reads the tombstones at a path that a user names ([`file_at`]).
///
/// # Errors
///
/// * [`RunError::Unreadable`]: there is no such file, or it cannot be read.
/// * [`RunError::DamagedRun`]: a line is no tombstone of this version.
pub fn read_named(path: &Path) -> Result<Vec<Tombstone>, RunError> {
    let path = file_at(path);
    match fs::read(&path) {
        Ok(text) => parse(&text, &path),
        Err(source) => Err(RunError::Unreadable { path, source }),
    }
}

fn parse(text: &[u8], path: &Path) -> Result<Vec<Tombstone>, RunError> {
    let damaged = |number: usize, problem: String| RunError::DamagedRun {
        path: path.to_owned(),
        reason: format!("line {number}: {problem}"),
    };
    let lines = text.split(|byte| *byte == b'\n').zip(1..).filter(|(line, _)| !line.is_empty());
    let mut tombstones = Vec::new();
    for (line, number) in lines {
        let tombstone: Tombstone =
            serde_json::from_slice(line).map_err(|error| damaged(number, error.to_string()))?;
        if tombstone.version != VERSION {
            let found = tombstone.version;
            let problem = format!("version {found}; this program reads version {VERSION}");
            return Err(damaged(number, problem));
        }
        if let Some(Bands { settings, .. }) = &tombstone.signature {
            settings.check().map_err(|error| damaged(number, error.to_string()))?;
        }
        tombstones.push(tombstone);
    }
    Ok(tombstones)
}

/// Replaces the file durably.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be written.
pub fn write(path: &Path, tombstones: &[Tombstone]) -> Result<(), RunError> {
    let mut lines = Vec::new();
    for tombstone in tombstones {
        push_line(&mut lines, tombstone);
    }
    replace(path, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tombstones_come_back_and_hold_no_plain_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let stamp = WithdrawalStamp::now(Some("asked by its author".to_owned()));
        let signature = Signature { text: 5, bands: vec![1, u64::MAX], ..Signature::default() };
        let all = [
            Tombstone::of_url("http://secret.test/a", &stamp),
            Tombstone::of_host("www.secret.test", &stamp).unwrap(),
            Tombstone::of_id("<urn:uuid:0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b>", &stamp),
            Tombstone::of_text(&signature, SignatureSettings::default(), &stamp),
        ];
        write(&path, &all).unwrap();
        assert_eq!(read(&path).unwrap(), all);
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("secret") && !text.contains("0190a5b2"), "{text}");
        assert_eq!(
            all[2].identity(),
            Tombstone::of_id("0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b", &stamp).identity()
        );
        assert!(stamp.when.len() == 20 && stamp.when.starts_with("20"), "{stamp:?}");
        assert_eq!(read(&folder.path().join("missing")).unwrap(), []);
        assert!(read_named(&folder.path().join("missing")).is_err());
        assert!(Tombstone::of_host("no host", &stamp).is_none());
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let line = r#"{"version":1,"rule":"url","key":"xxh128:00000000000000000000000000000001","when":"w"}"#;
        for (wrong, problem) in [
            (line.replace("\"version\":1", "\"version\":2"), "reads version 1"),
            (line.replace("xxh128", "sha1"), "no digest"),
            (line.replace("url", "path"), "unknown variant"),
        ] {
            fs::write(&path, format!("{line}\n{wrong}\n")).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains("line 2") && error.contains(problem), "{error}");
        }
    }
}
