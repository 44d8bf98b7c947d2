//! The options of each function, and their conversion to settings.

use crate::errors::value_error;
use crate::keywords;
use huller_archive::charset::is_charset_label;
use huller_extract::{ExtractorFactory, Profile};
use huller_pipeline::{CompressChoice, Config, ConfigError, Settings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;

/// `**options` of a function.
type Keywords<'a, 'py> = Option<&'a Bound<'py, PyDict>>;

/// Options of functions on pages in memory.
const EXTRACT_MANY_OPTIONS: &[&str] = &[
    "extractor",
    "profile",
    "include",
    "min_chars",
    "judge",
    "stages",
    "preset",
    "lang",
    "set",
    "text_without",
    "markdown_without",
    "max_page_bytes",
];

/// Options of `extract`. It never filters its page.
const EXTRACT_OPTIONS: &[&str] =
    &["extractor", "profile", "include", "text_without", "markdown_without", "max_page_bytes"];

/// Options of functions on archives.
const STREAM_OPTIONS: &[&str] = &[
    "extractor",
    "profile",
    "include",
    "judge",
    "min_chars",
    "stages",
    "preset",
    "lang",
    "set",
    "signals",
    "rights",
    "status",
    "text_without",
    "markdown",
    "markdown_without",
    "html",
    "source_html",
    "blocks",
    "digest",
    "schema",
    "fields",
    "es_index",
    "html_key",
    "url_key",
    "id_key",
    "keep_keys",
    "max_page_bytes",
    "max_record_bytes",
    "max_header_bytes",
    "max_body_bytes",
    "max_decode_ratio",
    "max_encodings",
    "max_zstd_window",
];

/// Options of functions on existing rows.
const REFINE_OPTIONS: &[&str] = &["stages", "preset", "lang", "set", "signals"];

/// Options that decide the columns of pages in memory.
const MANY_SCHEMA_OPTIONS: &[&str] = &["extractor", "stages", "preset", "lang", "set"];

/// Options that decide which stages run.
const STAGE_OPTIONS: &[&str] = &["stages", "preset", "lang", "set"];

/// The options of the functions that users call, by the name of the function.
const OPTIONS_BY_FUNCTION: &[(&str, &[&str])] = &[
    ("extract", EXTRACT_OPTIONS),
    ("extract_many", EXTRACT_MANY_OPTIONS),
    ("many_schema", MANY_SCHEMA_OPTIONS),
    ("refine", REFINE_OPTIONS),
    ("stream", STREAM_OPTIONS),
    ("stream_schema", STREAM_SCHEMA_OPTIONS),
];

/// Options that decide the columns of rows of an archive.
const STREAM_SCHEMA_OPTIONS: &[&str] = &[
    "extractor",
    "stages",
    "preset",
    "lang",
    "set",
    "markdown",
    "html",
    "source_html",
    "blocks",
    "signals",
    "rights",
    "schema",
    "fields",
    "keep_keys",
];

/// Returns the options that a function takes besides its own arguments: name, type in Rust, and
/// help of each, in the order of the program's help.
#[pyfunction]
pub(crate) fn options_of(
    function: &str,
) -> PyResult<Vec<(&'static str, &'static str, &'static str)>> {
    let (_, known) = OPTIONS_BY_FUNCTION
        .iter()
        .find(|(name, _)| *name == function)
        .ok_or_else(|| value_error(format!("there are no options of '{function}'")))?;
    let of_function = Config::OPTIONS.iter().filter(|option| known.contains(&option.name));
    Ok(of_function.map(|option| (option.name, option.value_type, option.doc)).collect())
}

/// Raises the error that `stream` would raise for these options.
#[pyfunction]
#[pyo3(signature = (**options))]
pub(crate) fn check_stream_options(options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    stream_settings(options).map(drop)
}

/// Returns the names of the stages of a call in their order, as `stages`, `preset`, `lang`, `set`
/// and `config` decide them.
#[pyfunction]
#[pyo3(signature = (**options))]
pub(crate) fn stage_names(options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<&'static str>> {
    let settings = settings(keywords::config("stage_names", STAGE_OPTIONS, options)?)?;
    Ok(settings.stages.names())
}

/// Returns the configuration of a call of `extract`.
pub(crate) fn extract_config(options: Keywords<'_, '_>, output: &str) -> PyResult<Config> {
    let config = keywords::config("extract", EXTRACT_OPTIONS, options)?;
    if config.extractor.as_ref().is_some_and(|names| names.len() > 1) {
        let message = "extract() takes one extractor, extract_many() several";
        return Err(PyTypeError::new_err(message));
    }
    with_output(config, output)
}

/// Returns the settings of a call of `extract_many`.
pub(crate) fn extract_many_settings(options: Keywords<'_, '_>, output: &str) -> PyResult<Settings> {
    let config = keywords::config("extract_many", EXTRACT_MANY_OPTIONS, options)?;
    settings(with_output(config, output)?)
}

/// Returns the settings of a call of `stream`.
pub(crate) fn stream_settings(options: Keywords<'_, '_>) -> PyResult<Settings> {
    table_settings(keywords::config("stream", STREAM_OPTIONS, options)?)
}

/// Returns the settings of a call of `refine`, or of a part of its stages.
pub(crate) fn refine_settings(
    options: Keywords<'_, '_>,
    range: Range<usize>,
) -> PyResult<Settings> {
    let mut settings = settings(keywords::config("refine", REFINE_OPTIONS, options)?)?;
    settings.stages = settings.stages.slice(range);
    if settings.stages.iter().next().is_none() {
        return Err(value_error("no stages given: use stages=, preset= or lang=".to_owned()));
    }
    Ok(settings)
}

/// Returns the settings of a call of `many_schema`, as far as they decide columns.
pub(crate) fn many_schema_settings(options: Keywords<'_, '_>, output: &str) -> PyResult<Settings> {
    let config = keywords::config("many_schema", MANY_SCHEMA_OPTIONS, options)?;
    settings(with_output(config, output)?)
}

/// Returns the settings of a call of `stream_schema`, as far as they decide columns.
pub(crate) fn stream_schema_settings(options: Keywords<'_, '_>) -> PyResult<Settings> {
    table_settings(keywords::config("stream_schema", STREAM_SCHEMA_OPTIONS, options)?)
}

/// Converts a configuration to settings. Refuses a schema whose rows are no table.
fn table_settings(config: Config) -> PyResult<Settings> {
    let settings = settings(config)?;
    match settings.schema.filter(|schema| schema.has_actions()) {
        None => Ok(settings),
        Some(schema) => Err(value_error(format!(
            "schema '{0}' is no table, since an action precedes each row: write such files with \
             `huller extract --schema {0}`",
            schema.name
        ))),
    }
}

/// Converts a configuration to settings. Rows are not compressed here.
pub(crate) fn settings(config: Config) -> PyResult<Settings> {
    let config = Config { compress: Some(CompressChoice::None), ..config };
    config.settings().map_err(|error| value_error(error.to_string()))
}

/// Returns the extractor of this name.
pub(crate) fn find_extractor(name: &str) -> PyResult<&'static dyn ExtractorFactory> {
    huller_extract::find(name).ok_or_else(|| {
        value_error(ConfigError::UnknownExtractor { name: name.to_owned() }.to_string())
    })
}

/// Returns the profile of this name.
pub(crate) fn parse_profile(name: &str) -> PyResult<Profile> {
    [Profile::Tuned, Profile::Paper].into_iter().find(|profile| profile.name() == name).ok_or_else(
        || value_error(format!("profile must be 'tuned', 'paper' or 'both', not '{name}'")),
    )
}

/// Refuses a label that is not the name of an encoding. In an archive such a label is ignored; here
/// the caller wrote it.
pub(crate) fn check_charset(label: Option<&str>) -> PyResult<()> {
    match label {
        Some(label) if !is_charset_label(label) => Err(value_error(format!(
            "charset must be a label such as 'utf-8' or 'koi8-r', not '{label}'"
        ))),
        _ => Ok(()),
    }
}

/// Turns on the requested output in the configuration.
fn with_output(config: Config, output: &str) -> PyResult<Config> {
    match output {
        "text" => Ok(config),
        "markdown" => Ok(Config { markdown: Some(true), ..config }),
        "html" => Ok(Config { html: Some(true), ..config }),
        "source_html" => Ok(Config { source_html: Some(true), ..config }),
        "blocks" => Ok(Config { blocks: Some(true), ..config }),
        _ => Err(value_error(format!(
            "output must be 'text', 'markdown', 'html', 'source_html' or 'blocks', not '{output}'"
        ))),
    }
}
