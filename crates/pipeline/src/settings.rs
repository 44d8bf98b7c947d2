//! What decides the bytes of the output.

use crate::include::Include;
use huller_archive::{Compression, JsonlKeys, Limits};
use huller_extract::{Extractor, Method, Profile};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that the content of the output depends on. Two runs with equal settings over equal inputs write equal bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The methods, at least one. The first decides what a row is; with several each row has the texts of all.
    pub methods: Vec<&'static Method>,
    /// Their setting.
    pub profile: Profile,
    /// Those of the methods that have another model than the one that ships.
    pub trained: Vec<Trained>,
    /// What texts include besides the body.
    pub include: Include,
    /// How rows are compressed.
    pub compression: Compression,
    /// Take responses of any status, not only 2xx.
    pub any_status: bool,
    /// Skip pages that the first method judges to have no main content.
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

/// A method with a model of the user's.
#[derive(Clone)]
pub struct Trained {
    /// Name of the method.
    pub method: &'static str,
    /// What runs in its place.
    pub extractor: Arc<dyn Extractor>,
    /// A digest of the model, which tells it from others.
    digest: String,
}

impl Trained {
    /// The method `method` as `extractor` does it, with a model that is `model` in bytes.
    pub fn new(method: &'static str, extractor: Arc<dyn Extractor>, model: &[u8]) -> Trained {
        Trained {
            method,
            extractor,
            digest: data_encoding::HEXLOWER.encode(&Sha256::digest(model)),
        }
    }
}

impl std::fmt::Debug for Trained {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Trained { method, digest, extractor: _ } = self;
        f.debug_struct("Trained").field("method", method).field("digest", digest).finish()
    }
}

impl Settings {
    /// The settings of the program where nothing is said, with these methods.
    ///
    /// ```
    /// use huller_archive::Compression;
    /// use huller_pipeline::Settings;
    ///
    /// let settings = Settings::new(vec![huller_extract::find("pvalue").unwrap()]);
    /// let stored = Settings { compression: Compression::None, ..settings.clone() };
    /// assert_ne!(settings.hash(), stored.hash());
    /// ```
    pub fn new(methods: Vec<&'static Method>) -> Settings {
        Settings {
            methods,
            profile: Profile::Tuned,
            trained: Vec::new(),
            include: Include::default(),
            compression: Compression::DEFAULT_ZSTD,
            any_status: false,
            judge: false,
            min_chars: 0,
            limit: None,
            html: false,
            digest: false,
            max_page_bytes: 16 << 20,
            limits: Limits::default(),
            keys: JsonlKeys::default(),
        }
    }

    /// The methods in their setting.
    pub(crate) fn extractors(&self) -> Vec<&dyn Extractor> {
        let trained = |name| self.trained.iter().find(|trained| trained.method == name);
        let extractors = self.methods.iter().map(|method| match trained(method.name) {
            Some(trained) => &*trained.extractor as &dyn Extractor,
            None => method.profile(self.profile) as &dyn Extractor,
        });
        extractors.collect()
    }

    /// A digest of the settings, to tell whether an interrupted run may be resumed with these. Hexadecimal.
    pub fn hash(&self) -> String {
        let Settings {
            methods,
            profile,
            trained,
            include,
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
        let methods: Vec<_> = methods.iter().map(|method| method.name).collect();
        // Every field stands here, and the compiler sees to it.
        let text = format!(
            "{} {} {} {profile:?} {trained:?} {include:?} {compression:?} {any_status} {judge} {min_chars} {limit:?} {html} {digest} \
             {max_page_bytes} {limits:?} {keys:?}",
            env!("CARGO_PKG_VERSION"),
            ROW_VERSION,
            methods.join(",")
        );
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
        hash[..16].to_owned()
    }
}

/// Raised whenever the same settings give other rows, other bytes of them, or cut inputs into other batches: a resumed run must do
/// none of it.
const ROW_VERSION: u32 = 9;

/// Where rows go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputTo {
    /// One file an input, below this folder.
    Folder(PathBuf),
    /// All rows to standard output.
    Stdout,
}
