//! Stores the results of one extractor for the blocks of a page, in columns.
//!
//! The part `method-NAME` of the file has
//!
//! * `kept`: a digit per block, 1 if the extractor keeps it;
//! * `score`: a list with a number or null per block; null if no block has a score.
//!
//! The part `terms-NAME`, if the extractor derives its scores, has
//!
//! * `equation` and `rule`: how terms make a score;
//! * `names`, `given`: tables of the names of terms and of the numbers from which they are
//!   computed;
//! * `terms`: a table of term lists, each `[name, value, given, name, value, given, …]` with
//!   indices into these tables for names and numbers;
//! * `blocks`: for each block its index in `terms`, or null. Blocks within one element often have
//!   the same terms.

use super::row_block::{Derivation, Judgement, RowTerm, TermName};
use super::string_table::StringTable;
use serde::Serialize;
use serde_json::value::RawValue;
use std::fmt::Write;

/// The columns of an extractor.
pub(super) struct ExtractorColumns {
    pub(super) name: String,
    kept: String,
    scores: Vec<Option<f64>>,
    derivation: Option<Derivation>,
    names: Vec<String>,
    given: StringTable,
    terms: StringTable,
    blocks: Vec<Option<u32>>,
}

#[derive(Serialize)]
struct Found<'a> {
    kept: &'a str,
    score: Option<&'a [Option<f64>]>,
}

#[derive(Serialize)]
struct ScoreTerms<'a> {
    #[serde(flatten)]
    derivation: &'a Derivation,
    names: &'a [String],
    given: Vec<&'a str>,
    terms: Vec<&'a RawValue>,
    blocks: &'a [Option<u32>],
}

impl ExtractorColumns {
    pub(super) fn new(name: &str) -> ExtractorColumns {
        ExtractorColumns {
            name: name.to_owned(),
            kept: String::new(),
            scores: Vec::new(),
            derivation: None,
            names: Vec::new(),
            given: StringTable::default(),
            terms: StringTable::default(),
            blocks: Vec::new(),
        }
    }

    /// Adds the results for the next block. A block without results counts as dropped.
    pub(super) fn push(&mut self, judgement: Option<Judgement<'_>>) {
        let is_kept = judgement.as_ref().is_some_and(|judgement| judgement.kept);
        self.kept.push(if is_kept { '1' } else { '0' });
        self.scores.push(judgement.as_ref().and_then(|judgement| judgement.score));
        let Some(Judgement { derivation, terms, .. }) = judgement else {
            self.blocks.push(None);
            return;
        };
        self.derivation = derivation.or(self.derivation.take());
        let terms = terms.map(|terms| self.packed(terms));
        let term_index = terms.map(|terms| self.terms.intern(&terms));
        self.blocks.push(term_index);
    }

    /// Returns the terms of a block as JSON.
    fn packed(&mut self, terms: Vec<RowTerm<'_>>) -> String {
        let mut json = String::from("[");
        for RowTerm(name, value, given) in terms {
            let name = match name {
                TermName::Place(place) => place as usize,
                TermName::New(name) => {
                    self.names.push(name);
                    self.names.len() - 1
                }
            };
            let comma = if json.len() > 1 { "," } else { "" };
            // A JSON number is finite, and Rust writes it in full. 1e300 gets 301 digits, which
            // JSON allows.
            let given = self.given.intern(&given);
            write!(json, "{comma}{name},{value},{given}").expect("a string takes everything");
        }
        json.push(']');
        json
    }

    /// Returns the part `method-NAME`.
    pub(super) fn found(&self) -> serde_json::Result<String> {
        let has_scores = self.scores.iter().any(Option::is_some);
        serde_json::to_string(&Found {
            kept: &self.kept,
            score: has_scores.then_some(&self.scores),
        })
    }

    /// Returns the part `terms-NAME`. `None` if no score is derived.
    pub(super) fn terms(&self) -> serde_json::Result<Option<String>> {
        let Some(derivation) = &self.derivation else { return Ok(None) };
        let lists = self.terms.values();
        let terms = lists.into_iter().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let (names, given, blocks) = (&*self.names, self.given.values(), &*self.blocks);
        serde_json::to_string(&ScoreTerms { derivation, names, given, terms, blocks }).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn terms_that_recur_stand_once() {
        let mut columns = ExtractorColumns::new("nb");
        for found in [
            r#"{"kept":true,"score":0.98240966,"derivation":{"equation":"x + y","rule":"sum"},"terms":[["x",1.5,"<3>"],["y",-1e-7,""]]}"#,
            r#"{"kept":false,"score":null}"#,
            r#"{"kept":true,"score":2.0,"terms":[[0,1.5,"<3>"],[1,-1e-7,""]]}"#,
            r#"{"kept":true,"score":2.0,"terms":[[1,1,"<3>"]]}"#,
        ] {
            columns.push(Some(serde_json::from_str(found).unwrap()));
        }
        columns.push(None);
        let found: Value = serde_json::from_str(&columns.found().unwrap()).unwrap();
        assert_eq!(found, json!({"kept": "10110", "score": [0.982_409_66, null, 2.0, 2.0, null]}));
        let terms: Value = serde_json::from_str(&columns.terms().unwrap().unwrap()).unwrap();
        let lists = json!([[0, 1.5, 0, 1, -1e-7, 1], [1, 1, 0]]);
        assert_eq!(
            terms,
            json!({"equation": "x + y", "rule": "sum", "names": ["x", "y"], "given": ["<3>", ""], "terms": lists, "blocks": [0, null, 0, 1, null]})
        );
    }

    #[test]
    fn an_extractor_without_scores_has_a_column_less() {
        let mut columns = ExtractorColumns::new("body");
        columns.push(Some(serde_json::from_str(r#"{"kept":true,"score":null}"#).unwrap()));
        assert_eq!(columns.found().unwrap(), r#"{"kept":"1","score":null}"#);
        assert!(columns.terms().unwrap().is_none());
    }
}
