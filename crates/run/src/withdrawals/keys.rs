//! The keys of tombstones, sorted for lookups.

use crate::error::RunError;
use crate::run_files::paths::{RUN_FILES, WITHDRAWALS};
use crate::withdrawals::tombstone::{self, Bands, Rule, Tombstone, id_key, read_named, text_key};
use huller_provenance::Host;
use huller_refine::signature::signature_file::RecordView;
use huller_refine::signature::{Signature, SignatureSettings};
use huller_refine::{Reason, RejectionKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use twox_hash::XxHash3_128;
use uuid::Uuid;

/// Most domains of a host that are looked up.
const MAX_DOMAINS: usize = 16;

/// The name of the reason under which statistics count withdrawn rows.
pub const REASON: &str = "withdrawn";

/// Returns the reason under which statistics count withdrawn rows.
pub fn reason() -> Reason {
    static WITHDRAWN: LazyLock<Reason> = LazyLock::new(|| {
        Reason::named(REASON, RejectionKind::Skipped).expect("a few dozen reasons have names")
    });
    *WITHDRAWN
}

/// The keys of withdrawn pages. A URL, host or identifier takes 16 bytes of memory. A text takes 16
/// bytes, and 8 for each band of its signature: 128 bytes with 14 bands.
#[derive(Debug, Default)]
pub struct Withdrawals {
    urls: Vec<u128>,
    hosts: Vec<u128>,
    ids: Vec<u128>,
    near_ids: Vec<u128>,
    texts: Vec<SignedTexts>,
}

/// The texts whose signatures have the same settings.
#[derive(Debug)]
struct SignedTexts {
    settings: SignatureSettings,
    texts: Vec<u128>,
    bands: Vec<u64>,
}

impl Withdrawals {
    /// Collects the keys of tombstones.
    pub fn new<'t>(tombstones: impl IntoIterator<Item = &'t Tombstone>) -> Withdrawals {
        let mut keys = Withdrawals::default();
        for Tombstone { rule, key, signature, .. } in tombstones {
            match (rule, signature) {
                (Rule::Url, _) => keys.urls.push(key.0),
                (Rule::Host, _) => keys.hosts.push(key.0),
                (Rule::Id, _) => keys.ids.push(key.0),
                (Rule::NearId, _) => keys.near_ids.push(key.0),
                (Rule::Near, Some(Bands { settings, bands })) => {
                    let texts = keys.texts_of(*settings);
                    texts.texts.push(key.0);
                    texts.bands.extend(bands);
                }
                (Rule::Near, None) => {}
            }
        }
        for list in [&mut keys.urls, &mut keys.hosts, &mut keys.ids, &mut keys.near_ids] {
            sort(list);
        }
        for SignedTexts { texts, bands, .. } in &mut keys.texts {
            sort(texts);
            sort(bands);
        }
        keys
    }

    fn texts_of(&mut self, settings: SignatureSettings) -> &mut SignedTexts {
        let place = self.texts.iter().position(|texts| texts.settings == settings);
        let place = place.unwrap_or_else(|| {
            self.texts.push(SignedTexts { settings, texts: Vec::new(), bands: Vec::new() });
            self.texts.len() - 1
        });
        &mut self.texts[place]
    }

    /// Reads the tombstones that a user names.
    ///
    /// # Errors
    ///
    /// As [`read_named`].
    pub fn read(paths: &[PathBuf]) -> Result<Withdrawals, RunError> {
        let lists: Vec<_> = paths.iter().map(|path| read_named(path)).collect::<Result<_, _>>()?;
        Ok(Withdrawals::new(lists.iter().flatten()))
    }

    /// Reads the tombstones of a file. `None` if there are none.
    ///
    /// # Errors
    ///
    /// As [`tombstone::read`].
    pub fn of_file(path: &Path) -> Result<Option<Arc<Withdrawals>>, RunError> {
        let keys = Withdrawals::new(&tombstone::read(path)?);
        Ok((!keys.is_empty()).then(|| Arc::new(keys)))
    }

    /// Reads the tombstones of the run in a folder. `None` if there are none.
    ///
    /// # Errors
    ///
    /// As [`tombstone::read`].
    pub fn of_run(root: &Path) -> Result<Option<Arc<Withdrawals>>, RunError> {
        Withdrawals::of_file(&root.join(RUN_FILES).join(WITHDRAWALS))
    }

    /// Returns whether there is no key.
    pub fn is_empty(&self) -> bool {
        let lists = [&self.urls, &self.hosts, &self.ids, &self.near_ids];
        lists.iter().all(|list| list.is_empty()) && self.texts.is_empty()
    }

    /// Returns a digest of all keys, which does not depend on their order.
    pub fn digest(&self) -> String {
        let mut digest = XxHash3_128::new();
        let mut write = |list: &[u128]| {
            digest.write(&(list.len() as u64).to_le_bytes());
            for key in list {
                digest.write(&key.to_le_bytes());
            }
        };
        for list in [&self.urls, &self.hosts, &self.ids, &self.near_ids] {
            write(list);
        }
        self.texts.iter().for_each(|texts| write(&texts.texts));
        format!("xxh128:{:032x}", digest.finish_128())
    }

    /// Returns the settings of the signatures that lookups of texts need.
    pub fn signatures(&self) -> impl Iterator<Item = SignatureSettings> {
        self.texts.iter().map(|texts| texts.settings)
    }

    /// Returns whether a key is a digest of URLs.
    pub fn has_url(&self, digest: u128) -> bool {
        contains(&self.urls, &digest)
    }

    /// Returns whether a host, or a domain above it, is withdrawn.
    pub fn has_host(&self, url: &str) -> bool {
        if self.hosts.is_empty() {
            return false;
        }
        let Some(host) = Host::from_url(url) else { return false };
        let host = host.without_www();
        host.domains().take(MAX_DOMAINS).any(|domain| contains(&self.hosts, &text_key(domain)))
    }

    /// Returns the rule that names an identifier.
    pub fn rule_of_id(&self, id: &str) -> Option<Rule> {
        if self.ids.is_empty() && self.near_ids.is_empty() {
            return None;
        }
        let key = id_key(id);
        if contains(&self.ids, &key) {
            return Some(Rule::Id);
        }
        contains(&self.near_ids, &key).then_some(Rule::NearId)
    }

    /// Returns whether there are keys of URLs.
    pub fn has_urls(&self) -> bool {
        !self.urls.is_empty()
    }

    /// Returns whether a text with this signature is near one that was withdrawn.
    pub fn has_text(&self, settings: SignatureSettings, signature: &Signature) -> bool {
        let bands = signature.bands.iter().copied();
        self.has_bands(settings, signature.text, bands)
    }

    /// Returns whether a record of a file of signatures is that of a text near one that was
    /// withdrawn.
    pub fn has_signed(&self, settings: SignatureSettings, record: RecordView<'_>) -> bool {
        self.has_bands(settings, record.text(), record.bands())
    }

    fn has_bands(
        &self,
        settings: SignatureSettings,
        text: u128,
        mut bands: impl Iterator<Item = u64>,
    ) -> bool {
        self.texts.iter().filter(|texts| texts.settings == settings).any(|texts| {
            contains(&texts.texts, &text) || bands.any(|band| contains(&texts.bands, &band))
        })
    }

    /// Returns whether a record of a file of signatures has a withdrawn URL, identifier or text.
    pub fn has_record(&self, settings: SignatureSettings, record: RecordView<'_>) -> bool {
        record.url().is_some_and(|url| self.has_url(url))
            || record.id().is_some_and(|id| {
                let id = Uuid::from_bytes(id).hyphenated().to_string();
                self.rule_of_id(&id).is_some()
            })
            || self.has_signed(settings, record)
    }

    /// Returns whether records of files of signatures with these settings have all that a lookup
    /// needs. A record has neither the host nor an identifier that is no UUID.
    pub fn suits_records(&self, settings: SignatureSettings) -> bool {
        self.hosts.is_empty()
            && self.ids.is_empty()
            && self.near_ids.is_empty()
            && self.signatures().all(|known| known == settings)
    }
}

fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
    list.shrink_to_fit();
}

fn contains<T: Ord>(list: &[T], key: &T) -> bool {
    list.binary_search(key).is_ok()
}
