//! What decides the bytes of the output.

use huller_archive::{Compression, JsonlKeys, Limits};
use huller_extract::nb::NaiveBayes;
use huller_extract::{Extractor, Method, Profile};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that the content of the output depends on. Two runs with equal settings over equal inputs write equal bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The method.
    pub method: &'static Method,
    /// Its setting.
    pub profile: Profile,
    /// The method with another model than the one that ships, if it has one.
    pub trained: Option<Arc<NaiveBayes>>,
    /// How rows are compressed.
    pub compression: Compression,
    /// Take responses of any status, not only 2xx.
    pub any_status: bool,
    /// Skip pages that the method judges to have no main content.
    pub judge: bool,
    /// Skip pages with less text than so many Unicode scalars.
    pub min_chars: usize,
    /// End after so many rows.
    pub limit: Option<u64>,
    /// Add the source HTML of the selection to each row.
    pub html: bool,
    /// Compute the payload's SHA-1 where the record does not give it.
    pub digest: bool,
    /// Cut pages after so many bytes.
    pub max_page_bytes: usize,
    /// Caps of the archive reader.
    pub limits: Limits,
    /// Keys of JSONL inputs.
    pub keys: JsonlKeys,
}

impl Settings {
    /// The method in its setting.
    pub(crate) fn extractor(&self) -> &dyn Extractor {
        match &self.trained {
            Some(trained) => &**trained,
            None => self.method.profile(self.profile),
        }
    }

    /// A digest of the settings, to tell whether an interrupted run may be resumed with these. Hexadecimal.
    pub fn hash(&self) -> String {
        let Settings {
            method,
            profile,
            trained,
            compression,
            any_status,
            judge,
            min_chars,
            limit,
            html,
            digest,
            max_page_bytes,
            limits,
            keys,
        } = self;
        // Every field stands here, and the compiler sees to it.
        let text = format!(
            "{} {} {} {profile:?} {trained:?} {compression:?} {any_status} {judge} {min_chars} {limit:?} {html} {digest} \
             {max_page_bytes} {limits:?} {keys:?}",
            env!("CARGO_PKG_VERSION"),
            ROW_VERSION,
            method.name
        );
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
        hash[..16].to_owned()
    }
}

/// Raised whenever the same settings give other rows.
const ROW_VERSION: u32 = 1;

/// Where rows go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputTo {
    /// One file an input, below this folder.
    Folder(PathBuf),
    /// All rows to standard output.
    Stdout,
}
