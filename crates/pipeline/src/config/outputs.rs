//! Checks format, schema and compression of the outputs, which must fit together.

use super::choices::{CompressChoice, FormatChoice};
use super::error::ConfigError;
use huller_row::{
    Compression, Extras, Format, JSONL, Presence, Schema, find_field, find_schema, formats,
};
use std::mem::discriminant;
use std::ops::RangeInclusive;

/// The levels of the compressors.
const ZSTD_LEVELS: RangeInclusive<i32> = -7..=22;
const GZIP_LEVELS: RangeInclusive<i32> = 1..=12;

/// The options for outputs, as given.
pub(super) struct RawOutputOptions {
    pub(super) format: Option<Vec<FormatChoice>>,
    pub(super) schema: Option<String>,
    pub(super) fields: Option<Vec<String>>,
    pub(super) index: Option<String>,
    pub(super) separator: Option<String>,
    pub(super) compress: Option<CompressChoice>,
    pub(super) level: Option<i32>,
}

/// The outputs of a run, checked.
pub(super) struct Outputs {
    pub(super) format: &'static dyn Format,
    pub(super) schema: Option<&'static Schema>,
    pub(super) fields: Option<Vec<&'static str>>,
    pub(super) index: String,
    pub(super) separator: String,
    pub(super) compression: Compression,
    /// Compressions of the formats after the first.
    pub(super) further_compressions: Vec<Compression>,
}

impl RawOutputOptions {
    /// Looks up the names, and refuses options that do not fit together. `extras` are the optional
    /// fields of this run.
    pub(super) fn outputs(self, extras: Extras) -> Result<Outputs, ConfigError> {
        let words: Vec<_> = match &self.format {
            Some(choices) if !choices.is_empty() => choices.iter().map(|it| it.word()).collect(),
            _ => vec![JSONL.name()],
        };
        if let Some(at) = (1..words.len()).find(|at| words[..*at].contains(&words[*at])) {
            return Err(ConfigError::FormatTwice { format: words[at] });
        }
        let format = formats::find(&words.join(",")).expect("every choice is a format");
        let alone = [format];
        let all = if words.len() == 1 { &alone[..] } else { format.formats() };
        let has = |name: &str| all.iter().any(|format| format.name() == name);
        let schema = self.schema.map(|name| {
            let schema = find_schema(&name).ok_or(ConfigError::UnknownSchema { name })?;
            if has(JSONL.name()) { Ok(schema) } else { Err(unsupported_option("schema", format)) }
        });
        let schema = schema.transpose()?;
        if self.index.is_some() && !schema.is_some_and(Schema::names_index) {
            return Err(ConfigError::IndexOfNothing);
        }
        let separator = self.separator.map(|line| {
            if line.contains(['\n', '\r']) {
                Err(ConfigError::LongSeparator)
            } else if has("text") {
                Ok(line)
            } else {
                Err(unsupported_option("separator", format))
            }
        });
        let compressions = all.iter().map(|it| compression(*it, self.compress, self.level));
        let mut compressions = compressions.collect::<Result<Vec<_>, _>>()?;
        let further_compressions = compressions.split_off(1);
        Ok(Outputs {
            fields: self.fields.map(|names| fields(&names, format, schema, extras)).transpose()?,
            schema,
            index: self.index.unwrap_or_default(),
            separator: separator.transpose()?.unwrap_or_default(),
            compression: compressions[0],
            further_compressions,
            format,
        })
    }
}

fn unsupported_option(option: &'static str, format: &dyn Format) -> ConfigError {
    ConfigError::NotOfFormat { option, format: format.name() }
}

/// Returns the fields of these names, in their order.
fn fields(
    names: &[String],
    format: &dyn Format,
    schema: Option<&Schema>,
    extras: Extras,
) -> Result<Vec<&'static str>, ConfigError> {
    if schema.is_some() {
        return Err(ConfigError::FieldsOfSchema);
    }
    if !format.has_fields() {
        return Err(unsupported_option("fields", format));
    }
    let mut chosen = Vec::with_capacity(names.len());
    for name in names {
        let field =
            find_field(name).ok_or_else(|| ConfigError::UnknownField { name: name.clone() })?;
        if let Presence::IfAsked(_) = field.presence
            && !field.presence.is_in(extras)
        {
            return Err(ConfigError::FieldNotAsked { name: name.clone() });
        }
        if !chosen.contains(&field.name) {
            chosen.push(field.name);
        }
    }
    if chosen.is_empty() { Err(ConfigError::NoField) } else { Ok(chosen) }
}

/// Returns the compression, which readers of the format must know.
fn compression(
    format: &'static dyn Format,
    compress: Option<CompressChoice>,
    level: Option<i32>,
) -> Result<Compression, ConfigError> {
    let known = format.compressions();
    let kind = match compress {
        None => known[0],
        Some(CompressChoice::Zstd) => Compression::DEFAULT_ZSTD,
        Some(CompressChoice::Gzip) => Compression::DEFAULT_GZIP,
        Some(CompressChoice::None) => Compression::None,
    };
    if !known.iter().any(|other| discriminant(other) == discriminant(&kind)) {
        let known = known.iter().map(|kind| choice(*kind)).collect();
        return Err(ConfigError::Compression { format: format.name(), known });
    }
    let Some(level) = level else { return Ok(kind) };
    let (compression, range) = match kind {
        Compression::Zstd { .. } => (Compression::Zstd { level }, ZSTD_LEVELS),
        Compression::Gzip { .. } => (Compression::Gzip { level }, GZIP_LEVELS),
        Compression::None => return Err(ConfigError::LevelOfNothing),
    };
    if range.contains(&level) {
        Ok(compression)
    } else {
        Err(ConfigError::Level { compress: choice(kind), range })
    }
}

fn choice(kind: Compression) -> CompressChoice {
    match kind {
        Compression::Zstd { .. } => CompressChoice::Zstd,
        Compression::Gzip { .. } => CompressChoice::Gzip,
        Compression::None => CompressChoice::None,
    }
}
