//! The gold standard: the text of a page as marked by people.
//!
//! One JSON object per line. `id` and `dataset` are required. `warc_record_id` joins the page to
//! its archive. A page may have any of these: `text` is the main text, `with` and `without` are
//! snippets, `gold_html` is the source of the nodes that hold the content. `title`, `author`,
//! `date` and `url` are for scoring metadata. `lang`, `page_type`, `domain` and `gold_cov` (the
//! share of the gold's tokens that occur in the page at all) serve to group and select pages. Other
//! fields are ignored.

use crate::error::EvalError;
use crate::jsonl::{LossyString, read_lines};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The gold of one page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gold {
    /// Its identifier.
    pub id: String,
    /// The identifier of its record, without brackets and `urn:uuid:`.
    pub record_id: Option<String>,
    /// The data set.
    pub dataset: String,
    /// The language.
    pub lang: Option<String>,
    /// The type of the page (article, forum ...).
    pub page_type: Option<String>,
    /// The main text.
    pub text: Option<String>,
    /// The source of the nodes that hold the content.
    pub html: Option<String>,
    /// Snippets that must be in the text.
    pub with: Option<Vec<String>>,
    /// Snippets that must not be in the text.
    pub without: Option<Vec<String>>,
    /// The headline.
    pub title: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The date of publication.
    pub date: Option<String>,
    /// The URL of the page.
    pub url: Option<String>,
    /// The registered domain of the host.
    pub domain: Option<String>,
    /// Share of the gold's tokens that occur in the page, 0 to 1.
    pub coverage: Option<f64>,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    dataset: String,
    warc_record_id: Option<String>,
    lang: Option<String>,
    page_type: Option<String>,
    text: Option<LossyString>,
    gold_html: Option<LossyString>,
    with: Option<Vec<LossyString>>,
    without: Option<Vec<LossyString>>,
    title: Option<LossyString>,
    author: Option<LossyString>,
    date: Option<LossyString>,
    url: Option<LossyString>,
    domain: Option<String>,
    gold_cov: Option<f64>,
}

impl From<Line> for Gold {
    fn from(line: Line) -> Gold {
        let plain = |texts: Vec<LossyString>| texts.into_iter().map(|text| text.0).collect();
        Gold {
            id: line.id,
            record_id: line.warc_record_id.map(|id| bare_record_id(&id).to_owned()),
            dataset: line.dataset,
            lang: line.lang,
            page_type: line.page_type,
            text: line.text.map(|text| text.0),
            html: line.gold_html.map(|html| html.0),
            with: line.with.map(plain),
            without: line.without.map(plain),
            title: line.title.map(|title| title.0),
            author: line.author.map(|author| author.0),
            date: line.date.map(|date| date.0),
            url: line.url.map(|url| url.0),
            domain: line.domain,
            coverage: line.gold_cov,
        }
    }
}

/// Returns the identifier of a record without brackets and `urn:uuid:`.
pub fn bare_record_id(id: &str) -> &str {
    let id = id.strip_prefix('<').unwrap_or(id);
    let id = id.strip_suffix('>').unwrap_or(id);
    id.strip_prefix("urn:uuid:").unwrap_or(id)
}

/// Reads files of gold (plain, gzip or zstd), one after another.
///
/// # Errors
///
/// If a file cannot be read, a line is not gold, or an `id` occurs twice.
pub fn read_gold(paths: &[PathBuf]) -> Result<Vec<Gold>, EvalError> {
    let mut gold: Vec<Gold> = Vec::new();
    let mut seen: HashMap<String, (&Path, u64)> = HashMap::new();
    for path in paths {
        read_lines(path, |line, value: Line| {
            if let Some((first, at)) = seen.insert(value.id.clone(), (path, line)) {
                let problem = format!(
                    "id '{}' is repeated, first in '{}' line {at}",
                    value.id,
                    first.display()
                );
                return Err(EvalError::Line { path: path.clone(), line, problem });
            }
            gold.push(value.into());
            Ok(())
        })?;
    }
    Ok(gold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(files: &[&[u8]]) -> Result<Vec<Gold>, String> {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<_> =
            (0..files.len()).map(|i| folder.path().join(format!("{i}.gold"))).collect();
        for (path, bytes) in paths.iter().zip(files) {
            std::fs::write(path, bytes).unwrap();
        }
        let place = folder.path().display().to_string();
        read_gold(&paths).map_err(|error| error.to_string().replace(&place, ""))
    }

    const LINE: &str = r#"{"id": "s/1", "dataset": "s", "warc_record_id": "<urn:uuid:ab-c>", "text": "x\ud800y", "gold_html": "<p>x</p>", "with": ["a"], "lang": null, "other": [1]}"#;

    #[test]
    fn fields_are_read_and_unknown_ones_ignored() {
        let gold = read(&[LINE.as_bytes()]).unwrap();
        let expected = Gold {
            id: "s/1".to_owned(),
            record_id: Some("ab-c".to_owned()),
            dataset: "s".to_owned(),
            text: Some("x\u{fffd}y".to_owned()),
            html: Some("<p>x</p>".to_owned()),
            with: Some(vec!["a".to_owned()]),
            ..Gold::default()
        };
        assert_eq!(gold[0], expected);
    }

    #[test]
    fn compressed_files_are_read() {
        let text = format!("\u{feff}{LINE}\n\u{feff}\n");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        assert_eq!(read(&[&gzip.finish().unwrap()]).unwrap().len(), 1);
        assert_eq!(read(&[&zstd::encode_all(text.as_bytes(), 1).unwrap()]).unwrap().len(), 1);
    }

    #[test]
    fn faults_name_file_and_line() {
        let error = read(&[LINE.as_bytes(), b"\n{\"id\": 7}"]).unwrap_err();
        assert!(error.starts_with("cannot read '/1.gold': line 2: invalid type"), "{error}");
        let error = read(&[format!("{LINE}\n{{\"id\": \"x\"}}\n").as_bytes()]).unwrap_err();
        assert!(error.contains("line 2: missing field `dataset`"), "{error}");
        let error = read(&[LINE.as_bytes(), LINE.as_bytes()]).unwrap_err();
        assert_eq!(
            error,
            "cannot read '/1.gold': line 1: id 's/1' is repeated, first in '/0.gold' line 1"
        );
        let error = read(&[&b"{\"id\":\"a\",\"dataset\":\"b\",\"text\":[1]}"[..]]).unwrap_err();
        assert!(error.contains("expected a string"), "{error}");
    }
}
