//! Why a block of a page was kept: a page's row as an HTML file to look at.

use crate::document::Document;
use huller_extract::{Card, METHODS};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

const STYLES: &str = include_str!("assets/explain.css");
const SCRIPT: &str = include_str!("assets/explain.js");

/// A page that was extracted, to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    /// Its row as JSON (`docs/rows.md`), with `blocks`; `texts`, `markdown`, `html` and `source_html` are shown where it has them.
    pub row: &'a str,
    /// Where the page came from, as the reader should see it.
    pub source: &'a str,
    /// The text of the row compared with a gold text; empty if there is none.
    pub gold: &'a [Piece],
}

/// A stretch of the comparison of a text with its gold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Which of the two has it.
    pub kind: PieceKind,
    /// What it says.
    pub text: String,
}

/// Which text has a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceKind {
    /// Both.
    Same,
    /// The gold alone.
    Missing,
    /// The text alone.
    Extra,
    /// Neither: a note about words that are not shown.
    Omitted,
}

/// Why there is no page to look at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The row or the account is not JSON of its form.
    #[error("not JSON of the form that is needed: {0}")]
    Json(#[from] serde_json::Error),
    /// The row lists no blocks.
    #[error("the row has no `blocks`: extract the page with --blocks")]
    NoBlocks,
}

/// What the script of the file reads.
#[derive(Serialize)]
struct Data<'a> {
    source: &'a str,
    row: &'a RawValue,
    methods: Vec<Method>,
    gold: &'a [Piece],
}

/// What a reader is told of a method.
#[derive(Serialize)]
struct Method {
    name: &'static str,
    summary: &'static str,
    score: &'static str,
    selects: &'static str,
    failures: &'static str,
}

impl Explanation<'_> {
    /// The HTML file.
    ///
    /// # Errors
    ///
    /// The row is no JSON object, or has no blocks.
    pub fn to_html(&self) -> Result<String, ReportError> {
        let fields: Value = serde_json::from_str(self.row)?;
        if !fields["blocks"].is_array() {
            return Err(ReportError::NoBlocks);
        }
        let row: &RawValue = serde_json::from_str(self.row)?;
        let methods = METHODS.iter().map(|method| described(method.card())).collect();
        let data =
            serde_json::to_string(&Data { source: self.source, row, methods, gold: self.gold })?;
        let name = ["title", "url"].into_iter().find_map(|key| fields[key].as_str());
        let title = format!("huller explain: {}", name.unwrap_or(self.source));
        Ok(Document { title: &title, styles: STYLES, script: SCRIPT, data: &data, body: "" }
            .to_html())
    }
}

fn described(card: &'static Card) -> Method {
    let &Card { name, summary, score, selects, failures, .. } = card;
    Method { name, summary, score, selects, failures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_blocks_is_refused_with_the_remedy() {
        for row in [r#"{"text":"a"}"#, r#"{"blocks":null}"#] {
            let refused = Explanation { row, source: "a", gold: &[] }.to_html().unwrap_err();
            assert!(refused.to_string().contains("--blocks"), "{refused}");
        }
        let refused = Explanation { row: "[", source: "a", gold: &[] }.to_html().unwrap_err();
        assert!(matches!(refused, ReportError::Json(_)), "{refused}");
    }

    #[test]
    fn the_data_of_the_file_are_the_row_the_methods_and_the_comparison() {
        let row = r#"{"title":"</title>é","blocks":[],"score":0.98214447}"#;
        let gold = [Piece { kind: PieceKind::Missing, text: "<b>".to_owned() }];
        let html = Explanation { row, source: "p.html", gold: &gold }.to_html().unwrap();
        let start = html.find("id=\"data\">").unwrap() + "id=\"data\">".len();
        let data = &html[start..start + html[start..].find("</script>").unwrap()];
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["row"]["title"], "</title>é");
        assert!(html.contains("0.98214447"), "numbers keep their digits");
        assert_eq!(data["gold"][0]["kind"], "missing");
        assert_eq!(data["gold"][0]["text"], "<b>");
        assert_eq!(data["methods"].as_array().unwrap().len(), METHODS.len());
    }
}
