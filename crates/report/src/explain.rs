//! Writes a page's row as an HTML file that shows why each block was kept.
//!
//! The data of the file have several parts. `assets/explain_data.js` reads the first at once, and
//! the others when they are first opened:
//!
//! | part | contents |
//! |---|---|
//! | `data` | see below |
//! | `texts` | the text of each extractor by its name, as runs of lines ([`string_table`]) |
//! | `markdown`, `html` | the fields of the row |
//! | `method-NAME`, `terms-NAME` | results and scores of an extractor ([`extractor_columns`]) |
//!
//! The part `data` has
//!
//! * `source` and `gold`: as given;
//! * `row`: the row without the contents of other parts;
//! * `methods`: a description of each extractor;
//! * `lines`: the different lines of all texts and blocks;
//! * `blocks`: see [`block_columns`].

mod block_columns;
mod extractor_columns;
mod row_block;
mod string_table;

use block_columns::BlockColumns;
use huller_extract::{EXTRACTORS, ExtractorCard};
use huller_html::{DataPart, Document, Styles};
use maud::html;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use string_table::StringTable;

const STYLES: &str = include_str!("assets/explain.css");
const SCRIPT: &str =
    concat!(include_str!("assets/explain_data.js"), include_str!("assets/explain.js"));

/// Fields of a row by name, as JSON.
type Fields<'a> = BTreeMap<String, &'a RawValue>;

/// An extracted page to show.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    /// Its row as JSON (`docs/rows.md`), with `blocks`. `texts`, `markdown` and `html` are shown if
    /// present.
    pub row: &'a str,
    /// The source of the page, as the reader should see it.
    pub source: &'a str,
    /// The text of the row compared with a gold text. Empty without gold.
    pub gold: &'a [Piece],
}

/// A piece of the comparison of a text with its gold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The texts that contain the piece.
    pub kind: PieceKind,
    /// The words of the piece.
    pub text: String,
}

/// The texts that contain a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceKind {
    /// Both texts.
    Same,
    /// Only the gold.
    Missing,
    /// Only the extracted text.
    Extra,
    /// Neither: a note about words that are not shown.
    Omitted,
}

/// The reason why a report could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The row or the statistics are not JSON of the expected form.
    #[error("not JSON of the required form: {0}")]
    Json(#[from] serde_json::Error),
    /// The row lists no blocks.
    #[error("the row has no `blocks`: extract the page with --blocks")]
    NoBlocks,
}

/// The part `data`.
#[derive(Serialize)]
struct Data<'a> {
    source: &'a str,
    row: Fields<'a>,
    #[serde(rename = "methods")]
    extractors: Vec<ExtractorDescription>,
    gold: &'a [Piece],
    lines: Vec<&'a str>,
    blocks: &'a RawValue,
}

/// A description of an extractor for readers.
#[derive(Serialize)]
struct ExtractorDescription {
    name: &'static str,
    summary: &'static str,
    score: &'static str,
    selects: &'static str,
    failures: &'static str,
}

impl Explanation<'_> {
    /// Returns the HTML file.
    ///
    /// # Errors
    ///
    /// The row is not a JSON object, or has no blocks.
    pub fn to_html(&self) -> Result<String, ReportError> {
        let mut row: Fields<'_> = serde_json::from_str(self.row)?;
        let list = row.remove("blocks").filter(|list| list.get().starts_with('['));
        let list = list.ok_or(ReportError::NoBlocks)?;
        let mut lines = StringTable::default();
        let blocks = BlockColumns::read(list, &mut lines)?;
        let name = ["title", "url"].into_iter().find_map(|key| string(&row, key));
        let title = format!("huller explain: {}", name.as_deref().unwrap_or(self.source));

        let texts = serde_json::to_string(&take_texts(&mut row, &mut lines)?)?;
        let mut parts = vec![DataPart::new("texts", texts)];
        for id in ["markdown", "html"] {
            if let Some(json) = row.remove(id) {
                parts.push(DataPart::new(id, json.get().to_owned()));
            }
        }
        for extractor in &blocks.extractors {
            parts.push(DataPart::new(format!("method-{}", extractor.name), extractor.found()?));
            if let Some(json) = extractor.terms()? {
                parts.push(DataPart::new(format!("terms-{}", extractor.name), json));
            }
        }
        let data = Data {
            source: self.source,
            row,
            extractors: EXTRACTORS.iter().map(|extractor| described(extractor.card())).collect(),
            gold: self.gold,
            lines: lines.values(),
            blocks: &blocks.to_json()?,
        };
        parts.insert(0, DataPart::new("data", serde_json::to_string(&data)?));
        let document = Document::new(&title, Styles::Inline(STYLES), html! {});
        Ok(document.with_script(SCRIPT, &parts).to_html())
    }
}

/// Returns a field that is a string.
fn string<'a>(row: &Fields<'a>, key: &str) -> Option<Cow<'a, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str(row.get(key)?.get()).ok().map(|Text(text)| text)
}

/// Removes the texts of all extractors from a row, and returns them as runs of lines.
fn take_texts(
    row: &mut Fields<'_>,
    lines: &mut StringTable,
) -> serde_json::Result<BTreeMap<String, Vec<u32>>> {
    let mut runs = BTreeMap::new();
    if let (Some(extractor), Some(text)) = (string(row, "extractor"), string(row, "text")) {
        runs.insert(extractor.into_owned(), lines.line_ranges(&text));
        row.remove("text");
    }
    let Some(other_texts) = row.remove("texts") else { return Ok(runs) };
    let other_texts: Option<BTreeMap<String, Option<String>>> =
        serde_json::from_str(other_texts.get())?;
    for (extractor, text) in other_texts.into_iter().flatten() {
        if let Some(text) = text {
            runs.insert(extractor, lines.line_ranges(&text));
        }
    }
    Ok(runs)
}

fn described(card: &'static ExtractorCard) -> ExtractorDescription {
    let &ExtractorCard { name, summary, score, selects, failures, .. } = card;
    ExtractorDescription { name, summary, score, selects, failures }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_row_without_blocks_is_refused_with_the_remedy() {
        for row in [r#"{"text":"a"}"#, r#"{"blocks":null}"#, r#"{"blocks":{}}"#] {
            let refused = Explanation { row, source: "a", gold: &[] }.to_html().unwrap_err();
            assert!(refused.to_string().contains("--blocks"), "{refused}");
        }
        for row in ["[", "1", r#"{"blocks":[3]}"#, r#"{"blocks":[],"texts":3}"#] {
            let refused = Explanation { row, source: "a", gold: &[] }.to_html().unwrap_err();
            assert!(matches!(refused, ReportError::Json(_)), "{refused}");
        }
    }

    fn part(html: &str, id: &str) -> Value {
        let begin = format!("id=\"{id}\">");
        let start = html.find(&begin).unwrap_or_else(|| panic!("no part {id}")) + begin.len();
        let json = &html[start..start + html[start..].find("</script>").unwrap()];
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_data_of_the_file_are_the_row_the_extractors_and_the_comparison() {
        let row = r#"{"title":"</title>é","text":"a\nb","texts":{"body":"b","hull":"a\nb"},"extractor":"hull","markdown":"*a*","html":null,"blocks":[],"score":0.98214447}"#;
        let gold = [Piece { kind: PieceKind::Missing, text: "<b>".to_owned() }];
        let html = Explanation { row, source: "p.html", gold: &gold }.to_html().unwrap();
        let data = part(&html, "data");
        let rest = json!({"title": "</title>é", "extractor": "hull", "score": 0.982_144_47});
        assert_eq!(data["row"], rest);
        assert!(html.contains("0.98214447"), "numbers keep their digits");
        assert_eq!(data["gold"][0]["kind"], "missing");
        assert_eq!(data["gold"][0]["text"], "<b>");
        assert_eq!(data["methods"].as_array().unwrap().len(), EXTRACTORS.len());
        assert_eq!(data["lines"], json!(["a", "b"]));
        assert_eq!(part(&html, "texts"), json!({"hull": [0, 2], "body": [1, 1]}));
        assert_eq!((part(&html, "markdown"), part(&html, "html")), (json!("*a*"), Value::Null));
    }
}
