//! The tables that a run writes beside its rows: where their files go, their form, and how rows
//! become rows of the table.

use crate::work::side_encoder::{EscalatedPages, PageLinks, RowExpander, SideEncoder};
use huller_passages::{PassageSettings, Splitter};
use huller_refine::InvalidSettings;
use huller_row::{BatchEncoder, Compression, Format, Layout, Schema};
use huller_run::run_files::side_tables::SideTable;
use huller_select::MarkdownOptions;
use std::path::{Path, PathBuf};

/// A table that a run writes beside its rows. Each file of rows has a file of the table with the
/// same name in the folder of the table.
#[derive(Clone, Debug)]
pub struct SideOutput {
    folder: PathBuf,
    form: SideForm,
    content: SideContent,
}

/// The form of the files of a side table.
#[derive(Clone, Debug)]
pub struct SideForm {
    /// The format, which has fields.
    pub format: &'static dyn Format,
    /// Another schema for JSON Lines.
    pub schema: Option<&'static Schema>,
    /// Name of the index, for passages that are loaded into a search engine.
    pub index: String,
    /// Compression of the files.
    pub compression: Compression,
}

/// The rows of a side table, and the settings that they depend on.
#[derive(Clone, Debug)]
pub enum SideContent {
    /// The passages of the rows.
    Passages(Box<PassageContent>),
    /// The links of the pages.
    Links,
    /// The pages with a score below a limit.
    Escalated {
        /// The limit.
        below: f64,
    },
}

/// How rows are cut into passages.
#[derive(Clone, Debug)]
pub struct PassageContent {
    markdown: MarkdownOptions,
    settings: PassageSettings,
    splitter: Splitter,
}

impl PassageContent {
    /// Prepares passages of Markdown with these parts, and reads the file of the tokenizer.
    ///
    /// # Errors
    ///
    /// A setting has a value that is not allowed, or the tokenizer cannot be read.
    pub fn new(
        markdown: MarkdownOptions,
        settings: PassageSettings,
    ) -> Result<PassageContent, InvalidSettings> {
        let splitter = Splitter::new(&settings)?;
        Ok(PassageContent { markdown, settings, splitter })
    }

    /// Returns the parts of the Markdown of extracted pages.
    pub fn markdown(&self) -> MarkdownOptions {
        self.markdown
    }

    /// Returns the settings of the splitter.
    pub fn settings(&self) -> &PassageSettings {
        &self.settings
    }

    /// Returns a digest of everything that passages depend on besides the page.
    pub(crate) fn digest(&self) -> &str {
        self.splitter.digest()
    }
}

impl SideOutput {
    /// Makes a table in this folder.
    pub fn new(folder: PathBuf, form: SideForm, content: SideContent) -> SideOutput {
        SideOutput { folder, form, content }
    }

    /// Returns the folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the form of the files.
    pub fn form(&self) -> &SideForm {
        &self.form
    }

    /// Returns the rows of the table, and their settings.
    pub fn content(&self) -> &SideContent {
        &self.content
    }

    /// Returns how rows are cut into passages, if this is the table of passages.
    pub fn passages(&self) -> Option<&PassageContent> {
        match &self.content {
            SideContent::Passages(passages) => Some(passages),
            SideContent::Links | SideContent::Escalated { .. } => None,
        }
    }

    /// Returns the table.
    pub fn table(&self) -> SideTable {
        match self.content {
            SideContent::Passages(_) => SideTable::Passages,
            SideContent::Links => SideTable::Links,
            SideContent::Escalated { .. } => SideTable::Escalated,
        }
    }

    /// Returns the ending of the names of the files.
    pub fn suffix(&self) -> String {
        self.form.format.suffix(self.form.compression).to_owned()
    }

    /// Returns the layout of the files of a run with this configuration.
    pub(crate) fn layout(&self, configuration: &str) -> Layout {
        let SideForm { schema, ref index, compression, .. } = self.form;
        Layout {
            table: self.table().fields(),
            schema,
            index: index.clone(),
            compression,
            configuration: configuration.to_owned(),
            ..Layout::default()
        }
    }

    /// Makes an encoder that turns rows into those of the table, for one worker.
    pub(crate) fn encoder(&self, configuration: &str) -> Box<dyn BatchEncoder> {
        let expander: Box<dyn RowExpander> = match &self.content {
            SideContent::Passages(passages) => Box::new(passages.splitter.clone()),
            SideContent::Links => Box::new(PageLinks),
            SideContent::Escalated { below } => Box::new(EscalatedPages { below: *below }),
        };
        let rows = self.form.format.encoder(&self.layout(configuration));
        Box::new(SideEncoder::new(expander, rows))
    }
}
