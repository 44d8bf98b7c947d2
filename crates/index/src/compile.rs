//! Compiles a query for tantivy: terms, fields and weights.

use crate::analysis::{QueryWord, STEM, query_words};
use crate::date::Day;
use crate::schema::{Fields, address_words};
use crate::stems::{Language, forms};
use crate::syntax::{Clause, ClauseSign, Query, QueryField, SyntaxError, Value};
use huller_provenance::Host;
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery,
    Query as Asking, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

/// Weight of a word in the title, relative to the text.
const TITLE: f32 = 2.;

/// Weight of another word with the same stem.
const SAME_STEM: f32 = 0.7;

/// A query for tantivy.
pub(crate) struct CompiledQuery {
    pub(crate) query: Box<dyn Asking>,
    /// The terms looked up in title or text, for marking them in snippets.
    pub(crate) marked: Vec<String>,
}

/// Compiles a query. Words are stemmed in `language`, or in every language if it is `None`.
pub(crate) fn compile(
    fields: &Fields,
    query: &Query,
    language: Option<&str>,
) -> Result<CompiledQuery, SyntaxError> {
    let languages = match language {
        Some(code) => Language::from_code(code).into_iter().collect(),
        None => Language::all().collect(),
    };
    let mut compiler = Compiler { fields, languages, marked: Vec::new() };
    let mut clauses = Clauses::default();
    for clause in &query.clauses {
        let marked = compiler.marked.len();
        let asking = compiler.compile_clause(clause)?;
        clauses.add(clause, asking);
        if clause.sign == ClauseSign::MustNot {
            compiler.marked.truncate(marked);
        }
    }
    Ok(CompiledQuery { query: Box::new(clauses.query()), marked: compiler.marked })
}

/// The clauses of a query by their effect.
#[derive(Default)]
struct Clauses {
    /// Clauses with a sign.
    signed: Vec<(Occur, Box<dyn Asking>)>,
    /// Words and phrases without a sign. A row must match at least one, unless some clause has `+`.
    wished: Vec<Box<dyn Asking>>,
    /// Values of filter fields, by field. A row must have one value of each field.
    filters: Vec<(QueryField, Vec<Box<dyn Asking>>)>,
}

impl Clauses {
    fn add(&mut self, clause: &Clause, asking: Box<dyn Asking>) {
        match clause.sign {
            ClauseSign::Must => self.signed.push((Occur::Must, asking)),
            ClauseSign::MustNot => self.signed.push((Occur::MustNot, asking)),
            ClauseSign::Wished if !clause.field.filters() => self.wished.push(asking),
            ClauseSign::Wished => match self.filters.iter_mut().find(|(it, _)| *it == clause.field)
            {
                Some((_, values)) => values.push(asking),
                None => self.filters.push((clause.field, vec![asking])),
            },
        }
    }

    fn query(self) -> BooleanQuery {
        let Clauses { signed: mut clauses, wished, filters } = self;
        let has_must = clauses.iter().any(|(occur, _)| *occur == Occur::Must);
        if filters.is_empty() || has_must || wished.is_empty() {
            clauses.extend(wished.into_iter().map(|wished| (Occur::Should, wished)));
        } else {
            // Without this, words would be optional beside a filter.
            clauses.push((Occur::Must, Box::new(BooleanQuery::union(wished))));
        }
        for (_, values) in filters {
            clauses.push((Occur::Must, Box::new(BooleanQuery::union(values))));
        }
        BooleanQuery::new(clauses)
    }
}

struct Compiler<'a> {
    fields: &'a Fields,
    languages: Vec<Language>,
    marked: Vec<String>,
}

impl Compiler<'_> {
    fn compile_clause(&mut self, clause: &Clause) -> Result<Box<dyn Asking>, SyntaxError> {
        let Fields { title_words, text_words, .. } = *self.fields;
        let (text, is_phrase) = match &clause.value {
            Value::Days(from, to) => return Ok(days(self.fields.date, *from, *to)),
            Value::Word(text) => (text, false),
            Value::Phrase(text) => (text, true),
        };
        match clause.field {
            QueryField::Any => {
                let title = self.words(title_words, text, is_phrase)?;
                let text = self.words(text_words, text, is_phrase)?;
                let title = BoostQuery::new(title, TITLE);
                Ok(Box::new(BooleanQuery::union(vec![Box::new(title), text])))
            }
            QueryField::Title => self.words(title_words, text, is_phrase),
            QueryField::Text => self.words(text_words, text, is_phrase),
            QueryField::Url => {
                let words = address_words(text).into_iter().enumerate().collect::<Vec<_>>();
                if words.is_empty() {
                    return Err(SyntaxError::NoWords(text.clone()));
                }
                Ok(phrase_query(self.fields.url_words, &words))
            }
            QueryField::Host => Ok(host_query(self.fields.host, text)),
            QueryField::Language => Ok(exact(self.fields.language, text)),
            QueryField::Type => Ok(exact(self.fields.page_type, text)),
            QueryField::Id => Ok(exact(self.fields.id, text)),
            QueryField::Date => Err(SyntaxError::NoDay(text.clone())),
        }
    }

    /// Compiles a word or a phrase in a field of words. A text of several words must occur as a
    /// phrase. A single word outside quotation marks also matches words of the same stem.
    fn words(
        &mut self,
        field: Field,
        text: &str,
        is_phrase: bool,
    ) -> Result<Box<dyn Asking>, SyntaxError> {
        let asked = query_words(text).map_err(SyntaxError::LongWord)?;
        self.marked.extend(asked.iter().map(|asked| asked.term.clone()));
        match &asked[..] {
            [] => Err(SyntaxError::NoWords(text.to_owned())),
            [QueryWord { term, word, .. }] if !is_phrase && !word.is_empty() => {
                Ok(self.by_stem(field, term, word))
            }
            _ => {
                let terms: Vec<_> = asked.into_iter().map(|a| (a.place, a.term)).collect();
                Ok(phrase_query(field, &terms))
            }
        }
    }

    /// Compiles a word, or any other word of the same stem.
    fn by_stem(&mut self, field: Field, term: &str, word: &str) -> Box<dyn Asking> {
        let mut same = Vec::new();
        for &language in &self.languages {
            let (mut folded, mut stem) = (String::new(), String::new());
            forms(word, Some(language), &mut folded, &mut stem);
            let stem = if stem.is_empty() { folded } else { stem };
            // A word that is its own stem is in the index without the prefix.
            for form in [format!("{STEM}{stem}"), stem] {
                if form != term && !same.contains(&form) {
                    same.push(form);
                }
            }
        }
        let mut ways: Vec<Box<dyn Asking>> = vec![scored(field, term)];
        for form in &same {
            ways.push(Box::new(BoostQuery::new(scored(field, form), SAME_STEM)));
        }
        self.marked.extend(same);
        Box::new(DisjunctionMaxQuery::new(ways))
    }
}

fn scored(field: Field, term: &str) -> Box<dyn Asking> {
    Box::new(TermQuery::new(Term::from_field_text(field, term), IndexRecordOption::WithFreqs))
}

/// Returns a query for an exact term, which adds 0 to the score.
pub(crate) fn exact(field: Field, value: &str) -> Box<dyn Asking> {
    let term = TermQuery::new(Term::from_field_text(field, value), IndexRecordOption::Basic);
    Box::new(ConstScoreQuery::new(Box::new(term), 0.))
}

/// Returns a query for a host, or for all hosts of a domain, in any spelling.
pub(crate) fn host_query(field: Field, host: &str) -> Box<dyn Asking> {
    match Host::named(host) {
        Some(host) => exact(field, host.as_str()),
        None => exact(field, &host.to_lowercase()),
    }
}

/// Returns a query for terms at these positions of a field.
fn phrase_query(field: Field, terms: &[(usize, String)]) -> Box<dyn Asking> {
    if let [(_, term)] = terms {
        return scored(field, term);
    }
    let terms = terms.iter().map(|(at, term)| (*at, Term::from_field_text(field, term)));
    Box::new(PhraseQuery::new_with_offset(terms.collect()))
}

/// Returns a query for rows from the first day to the last.
pub(crate) fn days(field: Field, from: Option<Day>, to: Option<Day>) -> Box<dyn Asking> {
    let term = |seconds| Term::from_field_i64(field, seconds);
    let from = from.map_or(Bound::Unbounded, |day| Bound::Included(term(day.first_second())));
    let to = to.map_or(Bound::Unbounded, |day| Bound::Excluded(term(day.end())));
    Box::new(ConstScoreQuery::new(Box::new(RangeQuery::new(from, to)), 0.))
}
