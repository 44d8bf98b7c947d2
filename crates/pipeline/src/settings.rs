//! What decides the bytes of the output.

use crate::stages::Stages;
use crate::work::include::Include;
use huller_archive::{JsonlKeys, Limits};
use huller_extract::{Thesaurus, ThesaurusError};
use huller_refine::signature::file::Header;
use huller_row::{Compression, Extras, Format, JSONL, Layout, Schema};
use huller_run::split::{Split, first_ending};
use huller_select::{Extractor, MarkdownOptions, Method, Profile, TextForm};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::sync::Arc;

/// Everything that the content of the output depends on. Two runs with equal settings over equal
/// inputs write equal bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The methods, at least one. The first decides what a row is; with several each row has the
    /// texts of all.
    pub methods: Vec<&'static dyn Method>,
    /// Their setting.
    pub profile: Profile,
    /// Those of the methods that have another model than the one that ships.
    pub trained: Vec<Trained>,
    /// Phrases that the roles of blocks are told by, if there are others than those that ship.
    pub thesaurus: Option<OwnThesaurus>,
    /// What texts include besides the body.
    pub include: Include,
    /// The format of the outputs.
    pub format: &'static dyn Format,
    /// Another shape of the rows of JSON Lines.
    pub schema: Option<&'static Schema>,
    /// The fields that rows have; `None` is all.
    pub fields: Option<Vec<&'static str>>,
    /// Name of the index, for rows that are to be loaded into a search engine.
    pub index: String,
    /// The line between the pages of plain text.
    pub separator: String,
    /// When a file of the output is full; the rows of an input have one file otherwise.
    pub split: Split,
    /// How rows are compressed.
    pub compression: Compression,
    /// The same for the formats after the first, where there are several.
    pub also: Vec<Compression>,
    /// Write Bloom filters of `id` and `url` into Parquet files.
    pub bloom_filters: bool,
    /// Send rows that exist through the stages, instead of extracting pages: where their texts and
    /// addresses stand.
    pub refines: Option<RowKeys>,
    /// Take responses of any status, not only 2xx.
    pub any_status: bool,
    /// Skip pages that the first method judges to have no main content.
    pub judge: bool,
    /// Skip pages with less text than so many Unicode scalars.
    pub min_chars: usize,
    /// The stages that rows pass after those.
    pub stages: Stages,
    /// Add the figures behind the decisions of the stages to each row.
    pub signals: bool,
    /// End after so many rows.
    pub limit: Option<u64>,
    /// What the texts have besides lines and words, those by the specification excepted.
    pub text_form: TextForm,
    /// Add the selection as Markdown to each row, with these of its parts.
    pub markdown: Option<MarkdownOptions>,
    /// Add the selection as clean HTML to each row.
    pub html: bool,
    /// Add the source HTML of the selection to each row.
    pub source_html: bool,
    /// List the blocks of the page in each row.
    pub blocks: bool,
    /// Show in that list of which terms the scores are made (docs/rows.md has no such field: it is
    /// for people who look at one page).
    pub terms: bool,
    /// Compute the payload's SHA-1 where the record does not give it.
    pub digest: bool,
    /// Cut pages after so many bytes.
    pub max_page_bytes: usize,
    /// Caps of the archive reader.
    pub limits: Limits,
    /// Keys of JSONL inputs.
    pub keys: JsonlKeys,
}

/// Where rows that exist have what stages look at.
pub use huller_corpus::RowKeys;

/// A method with a model of the user's.
#[derive(Clone)]
pub struct Trained {
    /// Name of the method.
    pub method: &'static str,
    /// The method with the model.
    pub with_model: Arc<dyn Method>,
    /// A digest of the model, which tells it from others.
    digest: String,
}

/// A thesaurus of the user's, and the phrases that ship.
#[derive(Clone, Debug)]
pub struct OwnThesaurus {
    /// The phrases.
    pub thesaurus: Thesaurus,
    /// A digest of the user's, which tells them from others.
    digest: String,
}

impl OwnThesaurus {
    /// The thesaurus in a file, given as its text.
    ///
    /// # Errors
    ///
    /// As [`Thesaurus::with`].
    pub fn new(text: &str) -> Result<OwnThesaurus, ThesaurusError> {
        let thesaurus = Thesaurus::with(text)?;
        Ok(OwnThesaurus {
            thesaurus,
            digest: data_encoding::HEXLOWER.encode(&Sha256::digest(text)),
        })
    }

    /// SHA-256 of the user's phrases, hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }
}

impl Trained {
    /// A method with the model in a file, given as its bytes. `None` if the method has no model.
    ///
    /// # Errors
    ///
    /// Why the method cannot use the model.
    pub fn new(
        method: &'static dyn Method,
        profile: Profile,
        model: &[u8],
    ) -> Option<Result<Trained, Box<dyn Error + Send + Sync>>> {
        let with_model = method.with_model(model, profile)?;
        Some(with_model.map(|with_model| Trained {
            method: method.name(),
            with_model,
            digest: data_encoding::HEXLOWER.encode(&Sha256::digest(model)),
        }))
    }

    /// SHA-256 of the model, hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }
}

impl std::fmt::Debug for Trained {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Trained { method, digest, with_model: _ } = self;
        f.debug_struct("Trained").field("method", method).field("digest", digest).finish()
    }
}

impl Settings {
    /// The settings of the program where nothing is said, with these methods.
    ///
    /// ```
    /// use huller_pipeline::Settings;
    /// use huller_row::{Compression, Extras, Format, JSONL, Layout, Schema};
    ///
    /// let settings = Settings::new(vec![huller_extract::find("pvalue").unwrap()]);
    /// assert_eq!(settings.compression, Compression::DEFAULT_ZSTD);
    /// ```
    pub fn new(methods: Vec<&'static dyn Method>) -> Settings {
        Settings {
            methods,
            profile: Profile::Tuned,
            trained: Vec::new(),
            thesaurus: None,
            include: Include::default(),
            format: JSONL,
            schema: None,
            fields: None,
            index: String::new(),
            separator: String::new(),
            split: Split::default(),
            compression: Compression::DEFAULT_ZSTD,
            also: Vec::new(),
            bloom_filters: false,
            refines: None,
            any_status: false,
            judge: false,
            min_chars: 0,
            stages: Stages::default(),
            signals: false,
            limit: None,
            text_form: TextForm::WHOLE,
            markdown: None,
            html: false,
            source_html: false,
            blocks: false,
            terms: false,
            digest: false,
            max_page_bytes: 16 << 20,
            limits: Limits::default(),
            keys: JsonlKeys::default(),
        }
    }

    /// How many texts a row has.
    pub(crate) fn texts(&self) -> usize {
        // Marks, addresses and tags may make a form several times as long as its text.
        const TEXTS_A_FORM: usize = 4;
        let forms = usize::from(self.markdown.is_some()) + usize::from(self.html);
        // A list of blocks holds all text of the page, once for itself and once in JSON.
        let lists = 2 * usize::from(self.blocks);
        self.methods.len() + usize::from(self.source_html) + TEXTS_A_FORM * (forms + lists)
    }

    /// Which of the fields that only some runs have stand in the rows.
    pub fn extras(&self) -> Extras {
        Extras {
            texts: self.methods.len() > 1,
            markdown: self.markdown.is_some(),
            html: self.html,
            source_html: self.source_html,
            blocks: self.blocks,
            signals: self.signals,
            tokens: self.has_stage("tokens"),
            source: !self.keys.kept.is_empty(),
        }
    }

    /// Whether rows pass the stage of this name.
    pub(crate) fn has_stage(&self, name: &str) -> bool {
        self.stages.iter().any(|stage| stage.name() == name)
    }

    /// What all signatures of rows have in common, if a stage makes them.
    pub(crate) fn signatures(&self) -> Option<Header> {
        let settings =
            self.has_stage("signature").then(|| self.stages.settings_of("signature").into())?;
        serde_json::from_value(settings).ok().map(Header::new)
    }

    /// What all rows have in common, and how they are written. `configuration` goes into outputs
    /// that have room for it.
    pub fn layout(&self, configuration: String) -> Layout {
        Layout {
            extras: self.extras(),
            methods: self.methods.iter().map(|method| method.name()).collect(),
            chosen: self.fields.clone(),
            schema: self.schema,
            index: self.index.clone(),
            separator: self.separator.clone(),
            compression: self.compression,
            also: self.also.clone(),
            bloom_filters: self.bloom_filters,
            configuration,
        }
    }

    /// What the names of the outputs end in.
    pub fn suffix(&self) -> &'static str {
        self.format.suffix(self.compression)
    }

    /// What the names of outputs have after the stem: the suffix, and the number of the first file
    /// before it where an input may have several.
    pub fn output_suffix(&self) -> String {
        output_suffix(self.format, self)
    }

    /// As [`Settings::output_suffix`], of each format, where there are several.
    pub fn output_suffixes(&self) -> Vec<String> {
        let also = self.format.formats().iter().skip(1).zip(&self.also);
        let also = also.map(|(format, compression)| format.suffix(*compression).to_owned());
        std::iter::once(self.output_suffix()).chain(also).collect()
    }

    /// A worker of each of the methods.
    pub fn extractors(&self) -> Vec<Box<dyn Extractor>> {
        let trained = |name| self.trained.iter().find(|trained| trained.method == name);
        let extractors = self.methods.iter().map(|method| match trained(method.name()) {
            Some(trained) => trained.with_model.worker(self.profile),
            None => method.worker(self.profile),
        });
        extractors.collect()
    }
}

/// [`Settings::output_suffix`] with any format.
pub(crate) fn output_suffix(format: &dyn Format, settings: &Settings) -> String {
    let suffix = format.suffix(settings.compression);
    if settings.split.is_asked() { first_ending(suffix) } else { suffix.to_owned() }
}

/// Raised whenever the same settings give other rows, other bytes of them, or cut inputs into other
/// batches: a resumed run must do none of it. That a method or a field of metadata gives another
/// text is reason enough; another model is not, since run.config has its digest.
pub(crate) const ROW_VERSION: u32 = 20;
