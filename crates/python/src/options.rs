//! Arguments of Python as settings.

use crate::errors::argument;
use huller_archive::Compression;
use huller_extract::{METHODS, Method, Profile};
use huller_pipeline::{Include, Settings};
use pyo3::prelude::*;

/// One method, or several.
#[derive(FromPyObject)]
pub(crate) enum Names {
    One(String),
    Many(Vec<String>),
}

/// The method of a name; the default one where there is none.
pub(crate) fn method(name: Option<&str>) -> PyResult<&'static Method> {
    let Some(name) = name else { return Ok(&METHODS[0]) };
    huller_extract::find(name).ok_or_else(|| {
        let names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
        argument(format!("no such extractor as '{name}'; there are {}", names.join(", ")))
    })
}

/// The methods of some names.
pub(crate) fn methods(names: Option<Names>) -> PyResult<Vec<&'static Method>> {
    let names = match names {
        None => return Ok(vec![&METHODS[0]]),
        Some(Names::One(name)) => vec![name],
        Some(Names::Many(names)) => names,
    };
    if names.is_empty() {
        return Err(argument("name at least one extractor".to_owned()));
    }
    let mut methods: Vec<&'static Method> = Vec::new();
    for name in &names {
        let method = method(Some(name))?;
        if methods.iter().all(|known| known.name != method.name) {
            methods.push(method);
        }
    }
    Ok(methods)
}

pub(crate) fn profile(name: &str) -> PyResult<Profile> {
    match name {
        "tuned" => Ok(Profile::Tuned),
        "paper" => Ok(Profile::Paper),
        _ => Err(argument(format!("profile is 'tuned' or 'paper', not '{name}'"))),
    }
}

pub(crate) fn include(parts: &[String]) -> PyResult<Include> {
    let mut include = Include::default();
    for part in parts {
        match part.as_str() {
            "title" => include.title = true,
            "byline" => include.byline = true,
            "comments" => include.comments = true,
            "captions" => include.captions = true,
            _ => {
                let message = format!(
                    "include takes 'title', 'byline', 'comments' and 'captions', not '{part}'"
                );
                return Err(argument(message));
            }
        }
    }
    Ok(include)
}

/// Whether the source of the selection is wanted.
pub(crate) fn output_html(output: &str) -> PyResult<bool> {
    match output {
        "text" => Ok(false),
        "html" => Ok(true),
        _ => Err(argument(format!("output is 'text' or 'html', not '{output}'"))),
    }
}

/// Whether pages of any HTTP status are wanted.
pub(crate) fn any_status(status: &str) -> PyResult<bool> {
    match status {
        "ok" => Ok(false),
        "any" => Ok(true),
        _ => Err(argument(format!("status is 'ok' or 'any', not '{status}'"))),
    }
}

/// The settings of the program where nothing is said; rows are not compressed here.
pub(crate) fn settings(methods: Vec<&'static Method>, profile: Profile) -> Settings {
    Settings { profile, compression: Compression::None, ..Settings::new(methods) }
}
