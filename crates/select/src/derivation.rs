//! Explains the score of a part of a page.

use std::borrow::Cow;

/// The scores of some runs of a page, split into terms. They are for people who inspect a page, and
/// are not computed during an extraction.
#[derive(Clone, Debug, Default)]
pub struct Derivations {
    /// The equation, in plain text.
    pub equation: &'static str,
    /// The way to combine the terms.
    pub rule: Rule,
    /// For each run asked for, the terms of its score; `None` if the run has no score. The list is
    /// empty if the extractor does not split scores.
    pub terms: Vec<Option<Vec<Term>>>,
}

/// The way to combine terms into a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// The score is their sum.
    #[default]
    Sum,
    /// The score is their product.
    Product,
    /// The sum of the terms is a logarithm of odds, and the score is the probability: 1 / (1 +
    /// e^-sum).
    Logistic,
}

/// A term of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The meaning of the term.
    pub name: Cow<'static, str>,
    /// The summand of a sum, or the factor of a product.
    pub value: f64,
    /// The numbers that the term is computed from, formatted for people.
    pub given: String,
}

impl Term {
    /// Returns a term.
    pub fn new(name: impl Into<Cow<'static, str>>, value: f64, given: impl Into<String>) -> Term {
        Term { name: name.into(), value, given: given.into() }
    }
}

impl Rule {
    /// Returns the name of the rule in rows.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Sum => "sum",
            Rule::Product => "product",
            Rule::Logistic => "logistic",
        }
    }

    /// Returns the score of some terms.
    pub fn score(self, terms: &[Term]) -> f64 {
        let values = terms.iter().map(|term| term.value);
        match self {
            Rule::Sum => values.sum(),
            Rule::Product => values.product(),
            Rule::Logistic => 1.0 / (1.0 + (-values.sum::<f64>()).exp()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_make_a_score_by_their_rule() {
        let terms = [Term::new("a", 2.0, "1 + 1"), Term::new("b", -0.5, "")];
        for (rule, terms, expected) in [
            (Rule::Sum, &terms[..], 1.5),
            (Rule::Product, &terms, -1.0),
            (Rule::Logistic, &terms, 0.817_574_476),
            (Rule::Logistic, &[], 0.5),
        ] {
            assert!((rule.score(terms) - expected).abs() < 1e-9, "{rule:?}");
        }
    }
}
