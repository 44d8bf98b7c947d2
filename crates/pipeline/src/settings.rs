//! The settings that decide the bytes of the output.

use crate::revisits::Revisits;
use crate::side_output::{PassageContent, SideContent, SideOutput};
use crate::stages::Stages;
use crate::work::choice_rule::ChoiceRule;
use crate::work::include::Include;
use huller_archive::{JsonlKeys, Limits};
use huller_extract::{Thesaurus, ThesaurusError};
use huller_refine::signature::signature_file::Header;
use huller_row::{Compression, Extras, FIELDS, Format, JSONL, Layout, Schema};
use huller_run::run_files::side_tables::{SideTable, SideTables};
use huller_run::split::{Split, first_ending};
use huller_run::withdrawals::finder::Finder;
use huller_run::withdrawals::keys::Withdrawals;
use huller_select::{Extractor, ExtractorFactory, MarkdownOptions, Profile, TextForm};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::sync::Arc;

/// All settings that the content of the output depends on. Two runs with equal settings over equal
/// inputs write equal bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The extractors, at least one.
    pub extractors: Vec<&'static dyn ExtractorFactory>,
    /// The extractor that decides the verdicts and the text of a row, if there are several.
    pub choose: ChoiceRule,
    /// The profile of the extractors.
    pub profile: Profile,
    /// The extractors that use another model than the built-in one.
    pub trained: Vec<TrainedExtractor>,
    /// The phrases that decide the roles of blocks, if they differ from the built-in ones.
    pub thesaurus: Option<OwnThesaurus>,
    /// The records to which revisits refer. `None` skips revisits.
    pub revisits: Option<Arc<Revisits>>,
    /// Parts that texts include besides the body.
    pub include: Include,
    /// The format of the outputs.
    pub format: &'static dyn Format,
    /// Another schema for the rows of JSON Lines.
    pub schema: Option<&'static Schema>,
    /// The fields that rows have. `None` is all fields.
    pub fields: Option<Vec<&'static str>>,
    /// Name of the index, for rows that are loaded into a search engine.
    pub index: String,
    /// The line between two pages of plain text.
    pub separator: String,
    /// The limits at which a new output file begins. Without them the rows of an input have one
    /// file.
    pub split: Split,
    /// Compression of the rows.
    pub compression: Compression,
    /// Compressions of the formats after the first, in runs with several.
    pub further_compressions: Vec<Compression>,
    /// Write Bloom filters of `id` and `url` into Parquet files.
    pub bloom_filters: bool,
    /// Write the text of each page after its record, in WARC files.
    pub conversions: bool,
    /// The keys of text and URL, for runs that send existing rows through the stages (`refine`).
    /// `None` extracts pages.
    pub refines: Option<RowKeys>,
    /// Take responses of any status, not only 2xx.
    pub any_status: bool,
    /// Skip pages judged to have no main content: by `pvalue` if it is among the extractors, else
    /// by the first one.
    pub judge: bool,
    /// Skip pages with less text than this many Unicode scalars.
    pub min_chars: usize,
    /// The stages that rows pass after these checks.
    pub stages: Stages,
    /// The pages that were withdrawn, of which no row is written.
    pub withdrawn: Vec<Arc<Withdrawals>>,
    /// Add the figures behind the decisions of the stages to each row.
    pub signals: bool,
    /// Add to each row what the page states about its use.
    pub rights: bool,
    /// End after this many rows.
    pub limit: Option<u64>,
    /// Leave out the headline at the start of the text, if the extractor distinguishes it.
    pub leave_out_headline: bool,
    /// Form that texts have besides lines and words. Texts by the specification ignore it.
    pub text_form: TextForm,
    /// Add the selection as Markdown to each row, with these of its parts.
    pub markdown: Option<MarkdownOptions>,
    /// The tables that the run writes beside the rows.
    pub side_tables: SideTables<SideOutput>,
    /// Add the selection as clean HTML to each row.
    pub html: bool,
    /// Add the source HTML of the selection to each row.
    pub source_html: bool,
    /// List the blocks of the page in each row.
    pub blocks: bool,
    /// Include in that list the terms of the scores. It is for a view of one page, so docs/rows.md
    /// has no such field.
    pub terms: bool,
    /// Compute the payload's SHA-1 if the record does not give it.
    pub digest: bool,
    /// Cut pages after this many bytes.
    pub max_page_bytes: usize,
    /// Limits of the archive reader.
    pub limits: Limits,
    /// Keys of JSONL inputs.
    pub keys: JsonlKeys,
}

/// The keys of a row's text and URL, for stages that run over existing rows.
pub use huller_corpus::RowKeys;

/// An extractor with a model of the user.
#[derive(Clone)]
pub struct TrainedExtractor {
    /// Name of the extractor.
    pub name: &'static str,
    /// The extractor with the model.
    pub with_model: Arc<dyn ExtractorFactory>,
    /// SHA-256 of the model, hexadecimal, for the configuration of the run.
    digest: String,
}

/// The built-in phrases together with a thesaurus of the user.
#[derive(Clone, Debug)]
pub struct OwnThesaurus {
    /// The phrases.
    pub thesaurus: Thesaurus,
    /// SHA-256 of the user's phrases, hexadecimal.
    digest: String,
}

impl OwnThesaurus {
    /// Reads the thesaurus in the text of a file.
    ///
    /// # Errors
    ///
    /// As [`Thesaurus::with_phrases`].
    pub fn new(text: &str) -> Result<OwnThesaurus, ThesaurusError> {
        let thesaurus = Thesaurus::with_phrases(text)?;
        Ok(OwnThesaurus {
            thesaurus,
            digest: data_encoding::HEXLOWER.encode(&Sha256::digest(text)),
        })
    }

    /// Returns SHA-256 of the user's phrases, hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }
}

impl TrainedExtractor {
    /// Makes an extractor with the model in the bytes of a file. Returns `None` if the extractor
    /// takes no model.
    ///
    /// # Errors
    ///
    /// The reason why the extractor cannot use the model.
    pub fn new(
        extractor: &'static dyn ExtractorFactory,
        profile: Profile,
        model: &[u8],
    ) -> Option<Result<TrainedExtractor, Box<dyn Error + Send + Sync>>> {
        let with_model = extractor.with_model(model, profile)?;
        Some(with_model.map(|with_model| TrainedExtractor {
            name: extractor.name(),
            with_model,
            digest: data_encoding::HEXLOWER.encode(&Sha256::digest(model)),
        }))
    }

    /// Returns SHA-256 of the model, hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }
}

impl std::fmt::Debug for TrainedExtractor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TrainedExtractor { name, digest, with_model: _ } = self;
        f.debug_struct("TrainedExtractor").field("name", name).field("digest", digest).finish()
    }
}

impl Settings {
    /// Returns a finder of withdrawn rows. `None` if no page was withdrawn.
    pub(crate) fn finder(&self) -> Option<Finder> {
        (!self.withdrawn.is_empty()).then(|| Finder::new(self.withdrawn.clone()))
    }

    /// Returns the default settings of the program with these extractors.
    ///
    /// ```
    /// use huller_pipeline::Settings;
    /// use huller_row::{Compression, Extras, Format, JSONL, Layout, Schema};
    ///
    /// let settings = Settings::new(vec![huller_extract::find("pvalue").unwrap()]);
    /// assert_eq!(settings.compression, Compression::DEFAULT_ZSTD);
    /// ```
    pub fn new(extractors: Vec<&'static dyn ExtractorFactory>) -> Settings {
        Settings {
            extractors,
            choose: ChoiceRule::First,
            profile: Profile::Tuned,
            trained: Vec::new(),
            thesaurus: None,
            revisits: None,
            include: Include::default(),
            format: JSONL,
            schema: None,
            fields: None,
            index: String::new(),
            separator: String::new(),
            split: Split::default(),
            compression: Compression::DEFAULT_ZSTD,
            further_compressions: Vec::new(),
            bloom_filters: false,
            conversions: false,
            refines: None,
            any_status: false,
            judge: false,
            min_chars: 0,
            stages: Stages::default(),
            withdrawn: Vec::new(),
            signals: false,
            rights: false,
            limit: None,
            leave_out_headline: false,
            text_form: TextForm::WHOLE,
            markdown: None,
            side_tables: SideTables::default(),
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

    /// Returns the number of extractors whose texts a row has.
    pub(crate) fn texts_of_row(&self) -> usize {
        if self.choose == ChoiceRule::First { self.extractors.len() } else { 1 }
    }

    /// Returns the number of texts in a row, as a measure of its memory.
    pub(crate) fn texts(&self) -> usize {
        // Marks, URLs and tags may make a form several times as long as its text.
        const TEXTS_PER_FORM: usize = 4;
        let has_markdown = self.markdown_options().is_some();
        let forms = usize::from(has_markdown) + usize::from(self.html);
        // A list of blocks holds all text of the page, once for itself and once in JSON.
        // Links may take as much, once as strings and once as rows.
        let lists = 2 * (usize::from(self.lists_blocks()) + usize::from(self.has_links()));
        // The record is kept while its page is decoded, and then among the rows of the batch.
        let records = 2 * usize::from(self.format.has_records());
        let texts = self.texts_of_row() + usize::from(self.source_html) + records;
        texts + TEXTS_PER_FORM * (forms + lists)
    }

    /// Returns the parts of the Markdown that pages are written as, for the rows or their passages.
    pub(crate) fn markdown_options(&self) -> Option<MarkdownOptions> {
        self.markdown.or_else(|| Some(self.passages()?.markdown()))
    }

    /// Returns how rows are cut into passages, in runs that write them.
    pub fn passages(&self) -> Option<&PassageContent> {
        self.side_tables.get(SideTable::Passages)?.passages()
    }

    /// Returns whether the run lists the blocks of pages, at least of some.
    pub(crate) fn lists_blocks(&self) -> bool {
        self.blocks || self.escalated_below().is_some()
    }

    /// Returns whether the run writes links.
    pub(crate) fn has_links(&self) -> bool {
        self.side_tables.get(SideTable::Links).is_some()
    }

    /// Returns the score below which a page is escalated, in runs that do so.
    pub(crate) fn escalated_below(&self) -> Option<f64> {
        match self.side_tables.get(SideTable::Escalated)?.content() {
            SideContent::Escalated { below } => Some(*below),
            SideContent::Passages(_) | SideContent::Links => None,
        }
    }

    /// Returns whether the run writes tables beside the rows.
    pub(crate) fn has_side_tables(&self) -> bool {
        !self.side_tables.is_empty()
    }

    /// Returns which of the optional fields the rows have.
    pub fn extras(&self) -> Extras {
        if self.refines.is_some() {
            return Extras::of_existing_rows();
        }
        Extras {
            texts: self.texts_of_row() > 1,
            markdown: self.markdown.is_some(),
            html: self.html,
            source_html: self.source_html,
            blocks: self.blocks,
            signals: self.signals,
            classes: self.has_stage("fasttext"),
            perplexity: self.has_stage("perplexity"),
            tokens: self.has_stage("tokens"),
            rights: self.has_rights(),
            source: !self.keys.kept.is_empty(),
        }
    }

    /// Returns whether rows have what their pages state about their use.
    pub(crate) fn has_rights(&self) -> bool {
        self.rights || self.has_stage("rights")
    }

    /// Returns whether rows pass the stage of this name.
    pub(crate) fn has_stage(&self, name: &str) -> bool {
        self.stages.iter().any(|stage| stage.name() == name)
    }

    /// Returns the common header of all signatures, if a stage makes them.
    pub(crate) fn signatures(&self) -> Option<Header> {
        let settings =
            self.has_stage("signature").then(|| self.stages.settings_of("signature").into())?;
        serde_json::from_value(settings).ok().map(Header::new)
    }

    /// Returns the layout that all rows share. `configuration` goes into outputs that have room for
    /// it.
    pub fn layout(&self, configuration: String) -> Layout {
        Layout {
            extras: self.extras(),
            table: FIELDS,
            extractors: self.extractors.iter().map(|extractor| extractor.name()).collect(),
            chosen: self.fields.clone(),
            schema: self.schema,
            refines: self.refines.is_some(),
            index: self.index.clone(),
            separator: self.separator.clone(),
            compression: self.compression,
            further_compressions: self.further_compressions.clone(),
            bloom_filters: self.bloom_filters,
            conversions: self.conversions,
            configuration,
        }
    }

    /// Returns the ending of output names.
    pub fn suffix(&self) -> &'static str {
        self.format.suffix(self.compression)
    }

    /// Returns what follows the stem in output names: the suffix, and before it the number of the
    /// first file if an input may have several.
    pub fn output_suffix(&self) -> String {
        output_suffix(self.format, self)
    }

    /// Returns [`Settings::output_suffix`] of each format, in runs with several.
    pub fn output_suffixes(&self) -> Vec<String> {
        let further_compressions =
            self.format.formats().iter().skip(1).zip(&self.further_compressions);
        let further_compressions = further_compressions
            .map(|(format, compression)| format.suffix(*compression).to_owned());
        std::iter::once(self.output_suffix()).chain(further_compressions).collect()
    }

    /// Returns one worker of each extractor.
    pub fn extractors(&self) -> Vec<Box<dyn Extractor>> {
        let trained = |name| self.trained.iter().find(|trained| trained.name == name);
        let extractors = self.extractors.iter().map(|extractor| match trained(extractor.name()) {
            Some(trained) => trained.with_model.worker(self.profile),
            None => extractor.worker(self.profile),
        });
        extractors.collect()
    }
}

/// Returns [`Settings::output_suffix`] with any format.
pub(crate) fn output_suffix(format: &dyn Format, settings: &Settings) -> String {
    let suffix = format.suffix(settings.compression);
    if settings.split.is_asked() { first_ending(suffix) } else { suffix.to_owned() }
}

/// Raised when the same settings give other rows, other bytes of rows, or other batches of the
/// inputs. A resumed run must do none of these. Another text from an extractor or another field of
/// metadata is reason enough. Another model is not, since run.config has its digest.
pub(crate) const ROW_VERSION: u32 = 28;
