//! How the score of a part of a page comes about.

use std::borrow::Cow;

/// The scores of some runs of a page, taken apart. Made for people who look, never while pages are
/// extracted.
#[derive(Clone, Debug, Default)]
pub struct Derivations {
    /// The equation, in plain text.
    pub equation: &'static str,
    /// What the terms make together.
    pub rule: Rule,
    /// For each run that was asked about, the terms of its score; `None` where the method has none.
    /// Empty if the method takes no score apart.
    pub terms: Vec<Option<Vec<Term>>>,
}

/// What terms make together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// The score is their sum.
    #[default]
    Sum,
    /// The score is their product.
    Product,
    /// Their sum is a logarithm of odds, and the score the probability: 1 / (1 + e^-sum).
    Logistic,
}

/// A term of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it stands for.
    pub name: Cow<'static, str>,
    /// What it adds to a sum, or the factor in a product.
    pub value: f64,
    /// The numbers that it is made of, as people read them.
    pub given: String,
}

impl Term {
    /// A term.
    pub fn new(name: impl Into<Cow<'static, str>>, value: f64, given: impl Into<String>) -> Term {
        Term { name: name.into(), value, given: given.into() }
    }
}

impl Rule {
    /// Its name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Sum => "sum",
            Rule::Product => "product",
            Rule::Logistic => "logistic",
        }
    }

    /// The score that terms make.
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
