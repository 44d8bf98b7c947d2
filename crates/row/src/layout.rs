//! What all rows of a run have in common, and how its files are to be written.

use crate::compress::Compression;
use crate::extras::Extras;
use crate::field::Field;
use crate::fields::FIELDS;
use crate::schemas::Schema;

/// What all rows of a run have in common. The settings of the run decide it, and formats write by
/// it.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Which of the fields that only some runs have stand in the rows.
    pub extras: Extras,
    /// The names of the methods, the first of which makes the row's own text.
    pub methods: Vec<&'static str>,
    /// The fields that were asked for by name. `None` is all.
    pub chosen: Option<Vec<&'static str>>,
    /// Another shape of the JSON objects.
    pub schema: Option<&'static Schema>,
    /// Name of the index, for rows that are to be loaded into a search engine.
    pub index: String,
    /// The line between the pages of plain text.
    pub separator: String,
    /// How files are compressed.
    pub compression: Compression,
    /// How those of the formats after the first are compressed, in runs with several.
    pub also: Vec<Compression>,
    /// Whether Parquet files have Bloom filters of `id` and `url`.
    pub bloom_filters: bool,
    /// What decided the bytes of the files, as JSON. Formats with room for such words keep it.
    pub configuration: String,
}

impl Default for Layout {
    /// All rows have the fields that every run has.
    fn default() -> Layout {
        Layout {
            extras: Extras::default(),
            methods: Vec::new(),
            chosen: None,
            schema: None,
            index: String::new(),
            separator: String::new(),
            compression: Compression::DEFAULT_ZSTD,
            also: Vec::new(),
            bloom_filters: false,
            configuration: String::new(),
        }
    }
}

impl Layout {
    /// The fields of the rows, in the order of the table.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + Clone {
        FIELDS
            .iter()
            .filter(|field| field.presence.is_in(self.extras))
            .filter(|field| self.has(field.name))
    }

    /// The fields that rows can have, whatever the run makes besides.
    pub(crate) fn fields_of_any_run(&self) -> impl Iterator<Item = &'static Field> {
        FIELDS.iter().filter(|field| self.has(field.name))
    }

    /// Whether a field was asked for, as far as fields were.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.contains(&name))
    }
}
