//! From a query to tantivy's: which terms, in which fields, with which weight.

use crate::analysis::{Asked, STEM, asked};
use crate::date::Day;
use crate::schema::{Fields, address_words};
use crate::stems::{Language, forms};
use crate::syntax::{AskedField, Clause, Query, Sign, SyntaxError, Value};
use huller_provenance::Host;
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery,
    Query as Asking, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

/// How much more a word counts in the title than in the text.
const TITLE: f32 = 2.;

/// How much a word that only has the same stem counts.
const SAME_STEM: f32 = 0.7;

/// A query for tantivy.
pub(crate) struct Compiled {
    pub(crate) query: Box<dyn Asking>,
    /// The terms that are looked for in title or text, to mark them.
    pub(crate) marked: Vec<String>,
}

/// Makes a query for tantivy. Stems are those of `language`, or of all languages.
pub(crate) fn compile(
    fields: &Fields,
    query: &Query,
    language: Option<&str>,
) -> Result<Compiled, SyntaxError> {
    let languages = match language {
        Some(code) => Language::of(code).into_iter().collect(),
        None => Language::all().collect(),
    };
    let mut compiler = Compiler { fields, languages, marked: Vec::new() };
    let mut clauses = Clauses::default();
    for clause in &query.clauses {
        let marked = compiler.marked.len();
        let asking = compiler.clause(clause)?;
        clauses.add(clause, asking);
        if clause.sign == Sign::MustNot {
            compiler.marked.truncate(marked);
        }
    }
    Ok(Compiled { query: Box::new(clauses.query()), marked: compiler.marked })
}

/// The clauses of a query by what they do.
#[derive(Default)]
struct Clauses {
    /// Those with a sign.
    signed: Vec<(Occur, Box<dyn Asking>)>,
    /// Words and phrases, of which a row has one or more.
    wished: Vec<Box<dyn Asking>>,
    /// Values of the fields that filter, by field. A row has one of each field.
    filters: Vec<(AskedField, Vec<Box<dyn Asking>>)>,
}

impl Clauses {
    fn add(&mut self, clause: &Clause, asking: Box<dyn Asking>) {
        match clause.sign {
            Sign::Must => self.signed.push((Occur::Must, asking)),
            Sign::MustNot => self.signed.push((Occur::MustNot, asking)),
            Sign::Wished if !clause.field.filters() => self.wished.push(asking),
            Sign::Wished => match self.filters.iter_mut().find(|(it, _)| *it == clause.field) {
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
            // Beside a filter alone, words would be optional.
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
    fn clause(&mut self, clause: &Clause) -> Result<Box<dyn Asking>, SyntaxError> {
        let Fields { title_words, text_words, .. } = *self.fields;
        let (text, is_phrase) = match &clause.value {
            Value::Days(from, to) => return Ok(days(self.fields.date, *from, *to)),
            Value::Word(text) => (text, false),
            Value::Phrase(text) => (text, true),
        };
        match clause.field {
            AskedField::Any => {
                let title = self.words(title_words, text, is_phrase)?;
                let text = self.words(text_words, text, is_phrase)?;
                let title = BoostQuery::new(title, TITLE);
                Ok(Box::new(BooleanQuery::union(vec![Box::new(title), text])))
            }
            AskedField::Title => self.words(title_words, text, is_phrase),
            AskedField::Text => self.words(text_words, text, is_phrase),
            AskedField::Url => {
                let words = address_words(text).into_iter().enumerate().collect::<Vec<_>>();
                if words.is_empty() {
                    return Err(SyntaxError::NoWords(text.clone()));
                }
                Ok(together(self.fields.url_words, &words))
            }
            AskedField::Host => Ok(of_host(self.fields.host, text)),
            AskedField::Language => Ok(exact(self.fields.language, text)),
            AskedField::Type => Ok(exact(self.fields.page_type, text)),
            AskedField::Id => Ok(exact(self.fields.id, text)),
            AskedField::Date => Err(SyntaxError::NoDay(text.clone())),
        }
    }

    /// A word or a phrase in a field of words. What is cut into several words must stand together;
    /// a single word is also found by its stem, but not in quotation marks.
    fn words(
        &mut self,
        field: Field,
        text: &str,
        is_phrase: bool,
    ) -> Result<Box<dyn Asking>, SyntaxError> {
        let asked = asked(text).map_err(SyntaxError::LongWord)?;
        self.marked.extend(asked.iter().map(|asked| asked.term.clone()));
        match &asked[..] {
            [] => Err(SyntaxError::NoWords(text.to_owned())),
            [Asked { term, word, .. }] if !is_phrase && !word.is_empty() => {
                Ok(self.by_stem(field, term, word))
            }
            _ => {
                let terms: Vec<_> = asked.into_iter().map(|a| (a.place, a.term)).collect();
                Ok(together(field, &terms))
            }
        }
    }

    /// A word, or another of the same stem.
    fn by_stem(&mut self, field: Field, term: &str, word: &str) -> Box<dyn Asking> {
        let mut same = Vec::new();
        for &language in &self.languages {
            let (mut folded, mut stem) = (String::new(), String::new());
            forms(word, Some(language), &mut folded, &mut stem);
            let stem = if stem.is_empty() { folded } else { stem };
            // A word that is its own stem has no mark before it in the index.
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

/// A term that is there or not, and says nothing of how well a row fits.
pub(crate) fn exact(field: Field, value: &str) -> Box<dyn Asking> {
    let term = TermQuery::new(Term::from_field_text(field, value), IndexRecordOption::Basic);
    Box::new(ConstScoreQuery::new(Box::new(term), 0.))
}

/// A host, or a domain that hosts are in, however it is written.
pub(crate) fn of_host(field: Field, host: &str) -> Box<dyn Asking> {
    match Host::named(host) {
        Some(host) => exact(field, host.as_str()),
        None => exact(field, &host.to_lowercase()),
    }
}

/// Terms at these places of a field.
fn together(field: Field, terms: &[(usize, String)]) -> Box<dyn Asking> {
    if let [(_, term)] = terms {
        return scored(field, term);
    }
    let terms = terms.iter().map(|(at, term)| (*at, Term::from_field_text(field, term)));
    Box::new(PhraseQuery::new_with_offset(terms.collect()))
}

/// Rows from the first day to the last.
pub(crate) fn days(field: Field, from: Option<Day>, to: Option<Day>) -> Box<dyn Asking> {
    let term = |seconds| Term::from_field_i64(field, seconds);
    let from = from.map_or(Bound::Unbounded, |day| Bound::Included(term(day.first_second())));
    let to = to.map_or(Bound::Unbounded, |day| Bound::Excluded(term(day.end())));
    Box::new(ConstScoreQuery::new(Box::new(RangeQuery::new(from, to)), 0.))
}
