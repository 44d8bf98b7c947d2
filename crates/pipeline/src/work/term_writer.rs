//! Writes the terms of scores into the list of blocks, in a form that stays small on pages of many
//! thousand blocks.
//!
//! `terms` is a list of `[name, value, given]`. An extractor has few names, so each is written only
//! at its first use. Later uses write the name's index among the names of the extractor, from 0.
//! `derivation` comes with the first terms of an extractor: its equation and rule.

use huller_extract::DerivedScore;
use huller_row::JsonObject;
use std::collections::HashMap;

/// Writes the terms of one page after another.
#[derive(Default)]
pub(crate) struct TermWriter {
    /// For each extractor, the names that were written, and their indexes.
    names: Vec<HashMap<String, usize>>,
}

impl TermWriter {
    /// Begins a page.
    pub(crate) fn begin(&mut self) {
        self.names.clear();
    }

    /// Writes the terms of a block by the extractor of this number.
    pub(crate) fn write(
        &mut self,
        number: usize,
        derived: DerivedScore<'_>,
        out: &mut JsonObject<'_>,
    ) {
        let DerivedScore { derivations, terms } = derived;
        while self.names.len() <= number {
            self.names.push(HashMap::new());
        }
        let names = &mut self.names[number];
        if names.is_empty() {
            out.object("derivation", |derivation| {
                derivation.text("equation", derivations.equation);
                derivation.text("rule", derivations.rule.name());
            });
        }
        let mut json = Vec::new();
        for term in terms {
            let name = if let Some(name_index) = names.get(term.name.as_ref()) {
                name_index.to_string()
            } else {
                names.insert(term.name.to_string(), names.len());
                quoted_json(&term.name)
            };
            // A score in single precision has no more than six digits.
            let value = format!("{:.6e}", term.value).parse().unwrap_or(term.value);
            json.push(format!("[{name},{value},{}]", quoted_json(&term.given)));
        }
        out.raw("terms", &format!("[{}]", json.join(",")));
    }
}

fn quoted_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_extract::{Derivations, Term};
    use serde_json::{Value, json};

    #[test]
    fn names_stand_once_and_the_equation_with_the_first_terms() {
        let derivations = Derivations { equation: "a \"b\"", ..Derivations::default() };
        let mut writer = TermWriter::default();
        let mut written = |number, terms: &[Term]| {
            let mut out = Vec::new();
            let mut object = JsonObject::new(&mut out);
            writer.write(number, DerivedScore { derivations: &derivations, terms }, &mut object);
            object.end();
            serde_json::from_slice::<Value>(&out).unwrap()
        };
        let terms = [Term::new("x", 1.5, "<3>"), Term::new("y", -1.0 / 3.0, "")];
        let derivation = json!({"equation": "a \"b\"", "rule": "sum"});
        let first = json!({"derivation": derivation, "terms": [["x", 1.5, "<3>"], ["y", -0.333_333_3, ""]]});
        assert_eq!(written(1, &terms), first);
        assert_eq!(written(1, &terms[1..]), json!({"terms": [[1, -0.333_333_3, ""]]}));
        assert_eq!(
            written(0, &terms[..1]),
            json!({"derivation": derivation, "terms": [["x", 1.5, "<3>"]]})
        );
    }
}
