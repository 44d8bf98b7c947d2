//! The properties that all rows of a run share, and the settings of its files.

use crate::compress::Compression;
use crate::extras::Extras;
use crate::field::Field;
use crate::fields::FIELDS;
use crate::schemas::Schema;

/// The properties that all rows of a run share. They depend on the settings of the run, and formats
/// write by them.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The extra fields that the rows have.
    pub extras: Extras,
    /// The names of the extractors. The first makes the row's own text.
    pub extractors: Vec<&'static str>,
    /// The table of the rows' fields: [`FIELDS`], or that of a side table, such as
    /// [`PASSAGE_FIELDS`](crate::PASSAGE_FIELDS).
    pub table: &'static [Field],
    /// The fields that the user chose by name. `None` means all.
    pub chosen: Option<Vec<&'static str>>,
    /// Another shape of the JSON objects.
    pub schema: Option<&'static Schema>,
    /// Whether the rows existed before the run. JSON Lines then keep the members of each row,
    /// unless a schema or fields are chosen.
    pub refines: bool,
    /// Name of the index, for rows that a search engine loads.
    pub index: String,
    /// The line between the pages of plain text.
    pub separator: String,
    /// How files are compressed.
    pub compression: Compression,
    /// Compression of the files of the second and further formats, in runs with several.
    pub further_compressions: Vec<Compression>,
    /// Whether Parquet files have Bloom filters of `id` and `url`.
    pub bloom_filters: bool,
    /// Whether the text of each page follows its record in WARC files.
    pub conversions: bool,
    /// The settings on which the bytes of the files depend, as JSON. Formats with a place for
    /// metadata keep it.
    pub configuration: String,
}

impl Default for Layout {
    /// Rows have only the fields that all runs have.
    fn default() -> Layout {
        Layout {
            extras: Extras::default(),
            extractors: Vec::new(),
            table: FIELDS,
            chosen: None,
            schema: None,
            refines: false,
            index: String::new(),
            separator: String::new(),
            compression: Compression::DEFAULT_ZSTD,
            further_compressions: Vec::new(),
            bloom_filters: false,
            conversions: false,
            configuration: String::new(),
        }
    }
}

impl Layout {
    /// Returns the fields of the rows: the chosen ones in the user's order, or all in the
    /// order of the table.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + Clone {
        let extras = self.extras;
        self.fields_of_any_run().filter(move |field| field.presence.is_in(extras))
    }

    /// Returns the fields that rows can have, for any extra fields of the run.
    pub(crate) fn fields_of_any_run(&self) -> impl Iterator<Item = &'static Field> + Clone {
        let table = self.table;
        let all = self.chosen.is_none().then_some(table);
        let find = move |name: &&str| table.iter().find(|field| field.name == *name);
        let chosen = self.chosen.iter().flatten().filter_map(find);
        all.into_iter().flatten().chain(chosen)
    }

    /// Returns whether JSON Lines keep the members of existing rows.
    pub fn keeps_members(&self) -> bool {
        self.refines && self.schema.is_none() && self.chosen.is_none()
    }

    /// Returns whether the table has the field, and the user chose it or made no choice.
    pub(crate) fn has(&self, name: &str) -> bool {
        let is_chosen = self.chosen.as_ref().is_none_or(|chosen| chosen.contains(&name));
        is_chosen && self.table.iter().any(|field| field.name == name)
    }
}
