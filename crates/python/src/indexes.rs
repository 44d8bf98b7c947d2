//! Options from Python that select records by an index.

use crate::errors::value_error;
use huller_pipeline::{IndexFilter, IndexOptions};
use huller_provenance::Host;
use pyo3::prelude::*;
use std::path::PathBuf;

/// One value of Python, or several.
#[derive(FromPyObject)]
pub(crate) enum OneOrSeveral {
    /// An HTTP status.
    Number(u16),
    One(String),
    Several(Vec<String>),
}

/// One path, or several.
#[derive(FromPyObject)]
pub(crate) enum Paths {
    /// One path.
    One(PathBuf),
    /// A list of paths.
    Several(Vec<PathBuf>),
}

/// The options of `stream` about indexes.
pub(crate) struct Entries {
    pub(crate) records_from: Option<Paths>,
    pub(crate) url: Option<OneOrSeveral>,
    pub(crate) host: Option<OneOrSeveral>,
    pub(crate) mime: Option<OneOrSeveral>,
    pub(crate) status: Option<OneOrSeveral>,
    pub(crate) language: Option<OneOrSeveral>,
}

impl Entries {
    /// Returns the options of a plan, if there is an index.
    pub(crate) fn options(self) -> PyResult<Option<IndexOptions>> {
        let Entries { records_from, url, host, mime, status, language } = self;
        let Some(files) = records_from else {
            let filters = [&url, &host, &mime, &status, &language];
            if filters.iter().any(|it| it.is_some()) {
                return Err(value_error("entry_url and the like need records_from".to_owned()));
            }
            return Ok(None);
        };
        let files = match files {
            Paths::One(path) => vec![path],
            Paths::Several(paths) => paths,
        };
        let statuses = words(status).into_iter().map(|text| {
            let range = IndexFilter::statuses(&text);
            range.map_err(|why| value_error(format!("entry_status: {why}, not '{text}'")))
        });
        let filter = IndexFilter {
            urls: words(url),
            hosts: words(host).iter().map(|host| Host::pattern(host)).collect(),
            mimes: words(mime),
            status: statuses.collect::<PyResult<_>>()?,
            languages: words(language),
        };
        Ok(Some(IndexOptions { files, filter, ..IndexOptions::default() }))
    }
}

fn words(value: Option<OneOrSeveral>) -> Vec<String> {
    match value {
        None => Vec::new(),
        Some(OneOrSeveral::Number(number)) => vec![number.to_string()],
        Some(OneOrSeveral::One(word)) => vec![word],
        Some(OneOrSeveral::Several(words)) => words,
    }
}
