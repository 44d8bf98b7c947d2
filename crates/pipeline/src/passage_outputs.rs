//! The passages that a run writes beside its rows.

use crate::work::passage_encoder::PassageEncoder;
use huller_passages::{PassageSettings, Splitter};
use huller_refine::InvalidSettings;
use huller_row::{BatchEncoder, Compression, Format, Layout, PASSAGE_FIELDS, Schema};
use huller_select::MarkdownOptions;
use std::path::{Path, PathBuf};

/// Where the passages of a run go, the form of their files, and how pages are cut into them. Each
/// file of rows has a file of passages with the same name in the folder.
#[derive(Clone, Debug)]
pub struct PassageOutputs {
    folder: PathBuf,
    form: PassageForm,
    settings: PassageSettings,
    splitter: Splitter,
}

/// The form of files of passages, and of the Markdown that they are cut from.
#[derive(Clone, Debug)]
pub struct PassageForm {
    /// The format, which has fields.
    pub format: &'static dyn Format,
    /// Another schema for JSON Lines.
    pub schema: Option<&'static Schema>,
    /// Name of the index, for passages that are loaded into a search engine.
    pub index: String,
    /// Compression of the files.
    pub compression: Compression,
    /// The parts of the Markdown of extracted pages.
    pub markdown: MarkdownOptions,
}

impl PassageOutputs {
    /// Prepares passages with these settings, and reads the file of the tokenizer.
    ///
    /// # Errors
    ///
    /// A setting has a value that is not allowed, or the tokenizer cannot be read.
    pub fn new(
        folder: PathBuf,
        form: PassageForm,
        settings: PassageSettings,
    ) -> Result<PassageOutputs, InvalidSettings> {
        let splitter = Splitter::new(&settings)?;
        Ok(PassageOutputs { folder, form, settings, splitter })
    }

    /// Returns the folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the form of the files.
    pub fn form(&self) -> &PassageForm {
        &self.form
    }

    /// Returns the settings of the splitter.
    pub fn settings(&self) -> &PassageSettings {
        &self.settings
    }

    /// Returns a digest of everything that passages depend on besides the page.
    pub(crate) fn digest(&self) -> &str {
        self.splitter.digest()
    }

    /// Returns the ending of the names of the files.
    pub fn suffix(&self) -> String {
        self.form.format.suffix(self.form.compression).to_owned()
    }

    /// Returns the layout of the files of a run with this configuration.
    pub(crate) fn layout(&self, configuration: &str) -> Layout {
        let PassageForm { schema, ref index, compression, .. } = self.form;
        Layout {
            table: PASSAGE_FIELDS,
            schema,
            index: index.clone(),
            compression,
            configuration: configuration.to_owned(),
            ..Layout::default()
        }
    }

    /// Makes an encoder that cuts rows into passages, for one worker.
    pub(crate) fn encoder(&self, configuration: &str) -> Box<dyn BatchEncoder> {
        let passages = self.form.format.encoder(&self.layout(configuration));
        Box::new(PassageEncoder::new(self.splitter.clone(), passages))
    }
}
