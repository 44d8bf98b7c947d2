//! Compiles a query for tantivy: terms, fields and weights.

use crate::analysis::{QueryWord, STEM, query_words};
use crate::date::Day;
use crate::schema::{Fields, address_words};
use crate::snippet::MarkedTerm;
use crate::stems::{Language, forms};
use crate::syntax::{Clause, ClauseSign, Query, QueryField, SyntaxError, Value};
use crate::vocabulary::Vocabulary;
use huller_provenance::Host;
use std::ops::Bound;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery,
    Query as TantivyQuery, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{TantivyError, Term};

/// Weight of a word in the title, relative to the text (`scripts/lab/run search-quality`).
const TITLE_WEIGHT: f32 = 0.5;

/// Weight of a word among the authors, relative to the text.
const AUTHOR_WEIGHT: f32 = 0.5;

/// Weight of another word with the same stem.
const STEM_WEIGHT: f32 = 0.7;

/// Weight of a run of words as a phrase, relative to the words alone.
const PHRASE_BONUS: f32 = 1.0;

/// Weight of a similar word, if the word itself is in the index too.
const SIMILAR_WORD_WEIGHT: f32 = 0.3;

/// Weight of a similar word, if the index lacks the word itself.
const REPLACEMENT_WEIGHT: f32 = 0.8;

/// Fewest scalars of a word for which similar words are tried.
const MIN_SCALARS: usize = 4;

/// A query for tantivy.
pub(crate) struct CompiledQuery {
    pub(crate) query: Box<dyn TantivyQuery>,
    /// The terms looked up in words, for marking them in snippets.
    pub(crate) marked: Vec<MarkedTerm>,
    /// Words for which others were looked up.
    pub(crate) replacements: Vec<Replacement>,
}

/// A word of a query, and the similar words of the index that count in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The word as typed.
    pub word: String,
    /// Words of the index, folded, the most frequent first.
    pub by: Vec<String>,
    /// Whether the index has the word itself, but no row that matches the whole query.
    pub is_in_index: bool,
}

/// How exactly words must match. A similar word differs from the word in one letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exactness {
    /// Words that the index lacks are replaced by similar words.
    Words,
    /// Similar words match too, and any two neighbours in a run of a script without spaces.
    Similar,
}

/// The index for which queries are compiled.
pub(crate) struct Target<'i> {
    pub(crate) fields: &'i Fields,
    pub(crate) vocabulary: Vocabulary<'i>,
    /// The languages whose stems count.
    pub(crate) languages: Vec<Language>,
    /// Whether all rows that can match are in one of these languages.
    pub(crate) is_of_one_language: bool,
}

impl Target<'_> {
    /// Compiles a query.
    pub(crate) fn compile(
        &self,
        query: &Query,
        exactness: Exactness,
    ) -> Result<CompiledQuery, CompileError> {
        let (marked, replacements) = (Vec::new(), Vec::new());
        let mut compiler = Compiler { target: self, exactness, marked, replacements };
        let mut clauses = Clauses::default();
        for clause in &query.clauses {
            let marked = compiler.marked.len();
            let clause_query = compiler.compile_clause(clause)?;
            clauses.add(clause, clause_query);
            if clause.sign == ClauseSign::MustNot {
                compiler.marked.truncate(marked);
            }
        }
        for words in query.runs_of_words() {
            clauses.bonuses.extend(self.phrase_bonus(&words)?);
        }
        let Compiler { marked, replacements, .. } = compiler;
        Ok(CompiledQuery { query: Box::new(clauses.query()), marked, replacements })
    }
}

impl Target<'_> {
    /// Compiles a run of words as a phrase, which adds to the score of rows that have it. `None` if
    /// the run is a single word of the index.
    fn phrase_bonus(&self, words: &str) -> Result<Option<Box<dyn TantivyQuery>>, CompileError> {
        let words_of_phrase = query_words(words).map_err(SyntaxError::LongWord)?;
        if words_of_phrase.len() < 2 {
            return Ok(None);
        }
        let terms: Vec<_> =
            words_of_phrase.into_iter().map(|word| (word.place, word.term)).collect();
        let Fields { text_words, title_words, author_words, .. } = self.fields;
        let title = (*title_words, PHRASE_BONUS * TITLE_WEIGHT);
        let fields =
            [(*text_words, PHRASE_BONUS), title, (*author_words, PHRASE_BONUS * AUTHOR_WEIGHT)];
        best_of_fields(&fields, |field| Ok(phrase_query(field, &terms))).map(Some)
    }
}

/// The reason why a query cannot be compiled.
pub(crate) enum CompileError {
    Syntax(SyntaxError),
    /// The index cannot be read.
    Index(TantivyError),
}

impl From<SyntaxError> for CompileError {
    fn from(error: SyntaxError) -> CompileError {
        CompileError::Syntax(error)
    }
}

impl From<TantivyError> for CompileError {
    fn from(error: TantivyError) -> CompileError {
        CompileError::Index(error)
    }
}

/// The clauses of a query by their effect.
#[derive(Default)]
struct Clauses {
    /// Clauses with a sign.
    signed: Vec<(Occur, Box<dyn TantivyQuery>)>,
    /// Words and phrases without a sign. A row must match at least one, unless some clause has `+`.
    should: Vec<Box<dyn TantivyQuery>>,
    /// Values of filter fields, by field. A row must have one value of each field.
    filters: Vec<(QueryField, Vec<Box<dyn TantivyQuery>>)>,
    /// Queries that add to the score of rows that match anyway.
    bonuses: Vec<Box<dyn TantivyQuery>>,
}

impl Clauses {
    fn add(&mut self, clause: &Clause, query: Box<dyn TantivyQuery>) {
        match clause.sign {
            ClauseSign::Must => self.signed.push((Occur::Must, query)),
            ClauseSign::MustNot => self.signed.push((Occur::MustNot, query)),
            ClauseSign::Should if !clause.field.filters() => self.should.push(query),
            ClauseSign::Should => match self
                .filters
                .iter_mut()
                .find(|(filter_field, _)| *filter_field == clause.field)
            {
                Some((_, values)) => values.push(query),
                None => self.filters.push((clause.field, vec![query])),
            },
        }
    }

    fn query(self) -> BooleanQuery {
        let Clauses { signed: mut clauses, should, filters, bonuses } = self;
        clauses.extend(bonuses.into_iter().map(|bonus| (Occur::Should, bonus)));
        let has_must = clauses.iter().any(|(occur, _)| *occur == Occur::Must);
        if filters.is_empty() || has_must || should.is_empty() {
            clauses.extend(should.into_iter().map(|should| (Occur::Should, should)));
        } else {
            // Without this, words would be optional beside a filter.
            clauses.push((Occur::Must, Box::new(BooleanQuery::union(should))));
        }
        for (_, values) in filters {
            clauses.push((Occur::Must, Box::new(BooleanQuery::union(values))));
        }
        BooleanQuery::new(clauses)
    }
}

struct Compiler<'a> {
    target: &'a Target<'a>,
    exactness: Exactness,
    marked: Vec<MarkedTerm>,
    replacements: Vec<Replacement>,
}

/// A field of words and its weight.
type Weighted = (Field, f32);

impl Compiler<'_> {
    fn compile_clause(&mut self, clause: &Clause) -> Result<Box<dyn TantivyQuery>, CompileError> {
        let fields = self.target.fields;
        let text = match &clause.value {
            Value::Days(from, to) if clause.field == QueryField::Published => {
                return Ok(days(fields.published, *from, *to));
            }
            Value::Days(from, to) => return Ok(days(fields.date, *from, *to)),
            Value::Word(text) | Value::Prefix(text) | Value::Phrase(text) => text,
        };
        match clause.field {
            QueryField::Any => {
                let (title, author) =
                    ((fields.title_words, TITLE_WEIGHT), (fields.author_words, AUTHOR_WEIGHT));
                self.compile_words(clause, text, &[(fields.text_words, 1.), title, author])
            }
            QueryField::Title => self.compile_words(clause, text, &[(fields.title_words, 1.)]),
            QueryField::Text => self.compile_words(clause, text, &[(fields.text_words, 1.)]),
            QueryField::Author => self.compile_words(clause, text, &[(fields.author_words, 1.)]),
            QueryField::Url => {
                let words = address_words(text).into_iter().enumerate().collect::<Vec<_>>();
                if words.is_empty() {
                    return Err(SyntaxError::NoWords(text.clone()).into());
                }
                Ok(phrase_query(fields.url_words, &words))
            }
            QueryField::Host => Ok(host_query(fields.host, text)),
            QueryField::Language => Ok(exact(fields.language, text)),
            QueryField::Type => Ok(exact(fields.page_type, text)),
            QueryField::Id => Ok(exact(fields.id, text)),
            QueryField::Date | QueryField::Published => {
                Err(SyntaxError::NoDay(text.clone()).into())
            }
        }
    }

    /// Compiles a word, the beginning of one, or a phrase, in fields of words. A text of several
    /// words must occur as a phrase.
    fn compile_words(
        &mut self,
        clause: &Clause,
        text: &str,
        fields: &[Weighted],
    ) -> Result<Box<dyn TantivyQuery>, CompileError> {
        let words_of_text = query_words(text).map_err(SyntaxError::LongWord)?;
        let is_quoted = matches!(clause.value, Value::Phrase(_));
        match &words_of_text[..] {
            [] => Err(SyntaxError::NoWords(text.to_owned()).into()),
            [QueryWord { term, word, .. }] if !is_quoted && !word.is_empty() => {
                if matches!(clause.value, Value::Prefix(_)) {
                    return self.compile_prefix(term, fields);
                }
                self.compile_word(term, word, clause.sign, fields)
            }
            _ => {
                self.mark_all(words_of_text.iter().map(|word| &word.term), &[]);
                let terms: Vec<_> =
                    words_of_text.into_iter().map(|word| (word.place, word.term)).collect();
                let is_in_part = !is_quoted && self.exactness == Exactness::Similar;
                best_of_fields(fields, |field| {
                    if !is_in_part {
                        return Ok(phrase_query(field, &terms));
                    }
                    let parts = terms.iter().map(|(_, term)| scored(field, term));
                    Ok(Box::new(BooleanQuery::union(parts.collect())))
                })
            }
        }
    }

    /// Compiles a word. Words of the same stem match too, in rows of the language of the stem.
    fn compile_word(
        &mut self,
        term: &str,
        word: &str,
        sign: ClauseSign,
        fields: &[Weighted],
    ) -> Result<Box<dyn TantivyQuery>, CompileError> {
        let forms = self.other_forms(term, word);
        let (similar, weight) = self.similar_words(term, word, sign, &forms, fields)?;
        self.mark_all([term.to_owned()].iter().chain(&similar), &[]);
        for (form, languages) in &forms {
            self.mark_all([form], languages);
        }
        best_of_fields(fields, |field| {
            let mut alternatives = vec![scored(field, term)];
            for (form, languages) in &forms {
                let form = self.limit_to_languages(scored(field, form), languages);
                alternatives.push(Box::new(BoostQuery::new(form, STEM_WEIGHT)));
            }
            for other in &similar {
                alternatives.push(Box::new(BoostQuery::new(scored(field, other), weight)));
            }
            Ok(Box::new(DisjunctionMaxQuery::new(alternatives)))
        })
    }

    /// Returns the terms of other words with the stem of `word`, with the languages in which they
    /// have it.
    fn other_forms(&self, term: &str, word: &str) -> Vec<(String, Vec<Language>)> {
        let mut forms_found: Vec<(String, Vec<Language>)> = Vec::new();
        for &language in &self.target.languages {
            let (mut folded, mut stem) = (String::new(), String::new());
            forms(word, Some(language), &mut folded, &mut stem);
            let stem = if stem.is_empty() { folded } else { stem };
            // A word that is its own stem is in the index without the prefix.
            for form in [format!("{STEM}{stem}"), stem] {
                match forms_found.iter_mut().find(|(known, _)| *known == form) {
                    Some((_, languages)) => languages.push(language),
                    None if form != term => forms_found.push((form, vec![language])),
                    None => {}
                }
            }
        }
        forms_found
    }

    /// Limits a query to rows of these languages.
    fn limit_to_languages(
        &self,
        query: Box<dyn TantivyQuery>,
        languages: &[Language],
    ) -> Box<dyn TantivyQuery> {
        if self.target.is_of_one_language {
            return query;
        }
        let codes = languages.iter().flat_map(|language| language.codes());
        let rows = codes.map(|code| exact(self.target.fields.language, code)).collect();
        let rows = Box::new(BooleanQuery::union(rows));
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::Must, rows)]))
    }

    /// Returns the words of the index that are similar to `word`, if they are to match, and their
    /// weight.
    fn similar_words(
        &mut self,
        term: &str,
        word: &str,
        sign: ClauseSign,
        forms: &[(String, Vec<Language>)],
        fields: &[Weighted],
    ) -> Result<(Vec<String>, f32), CompileError> {
        if sign == ClauseSign::MustNot || term.chars().count() < MIN_SCALARS {
            return Ok((Vec::new(), SIMILAR_WORD_WEIGHT));
        }
        let vocabulary = &self.target.vocabulary;
        let mut is_in_index = false;
        for (field, _) in fields {
            for form in forms.iter().map(|(form, _)| &**form).chain([term]) {
                is_in_index = is_in_index || vocabulary.has(*field, form)?;
            }
        }
        let weight = if is_in_index { SIMILAR_WORD_WEIGHT } else { REPLACEMENT_WEIGHT };
        if is_in_index && self.exactness == Exactness::Words {
            return Ok((Vec::new(), weight));
        }
        let mut similar: Vec<String> = Vec::new();
        for (field, _) in fields {
            for other in vocabulary.one_letter_away(*field, term)? {
                if !similar.contains(&other) {
                    similar.push(other);
                }
            }
        }
        // The first letter is seldom wrong.
        let first = term.chars().next();
        if similar.iter().any(|other| other.chars().next() == first) {
            similar.retain(|other| other.chars().next() == first);
        }
        if !similar.is_empty() {
            let (word, substitutes) = (word.to_owned(), similar.clone());
            self.replacements.push(Replacement { word, by: substitutes, is_in_index });
        }
        Ok((similar, weight))
    }

    /// Compiles the beginning of a word. All words that begin so match; frequent ones count for the
    /// order of rows.
    fn compile_prefix(
        &mut self,
        prefix: &str,
        fields: &[Weighted],
    ) -> Result<Box<dyn TantivyQuery>, CompileError> {
        self.marked.push(MarkedTerm::prefix(prefix));
        let vocabulary = &self.target.vocabulary;
        best_of_fields(fields, |field| {
            let words = vocabulary.with_prefix(field, prefix)?;
            let alternatives = words.iter().map(|word| scored(field, word)).collect();
            let term = |text: &str| Bound::Included(Term::from_field_text(field, text));
            let all_terms = RangeQuery::new(term(prefix), term(&format!("{prefix}{}", char::MAX)));
            let all_terms = ConstScoreQuery::new(Box::new(all_terms), 0.);
            Ok(Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(all_terms) as Box<dyn TantivyQuery>),
                (Occur::Should, Box::new(DisjunctionMaxQuery::new(alternatives))),
            ])))
        })
    }

    /// Marks terms in snippets of rows in these languages, or of all rows if there are none.
    fn mark_all<'t>(
        &mut self,
        terms: impl IntoIterator<Item = &'t String>,
        languages: &[Language],
    ) {
        let terms = terms.into_iter().map(|term| MarkedTerm::new(term, languages));
        self.marked.extend(terms);
    }
}

/// Compiles a clause for each of its fields.
fn best_of_fields(
    fields: &[Weighted],
    mut compile: impl FnMut(Field) -> Result<Box<dyn TantivyQuery>, CompileError>,
) -> Result<Box<dyn TantivyQuery>, CompileError> {
    let mut alternatives = Vec::with_capacity(fields.len());
    for &(field, weight) in fields {
        let field_query = compile(field)?;
        alternatives.push(Box::new(BoostQuery::new(field_query, weight)) as Box<dyn TantivyQuery>);
    }
    // A word counts once, where it scores most. Added up, words of titles would outweigh texts,
    // since titles are short: a sentence of a page then finds other pages.
    Ok(if alternatives.len() == 1 {
        alternatives.remove(0)
    } else {
        Box::new(DisjunctionMaxQuery::new(alternatives))
    })
}

fn scored(field: Field, term: &str) -> Box<dyn TantivyQuery> {
    Box::new(TermQuery::new(Term::from_field_text(field, term), IndexRecordOption::WithFreqs))
}

/// Returns a query for an exact term, which adds 0 to the score.
pub(crate) fn exact(field: Field, value: &str) -> Box<dyn TantivyQuery> {
    let term = TermQuery::new(Term::from_field_text(field, value), IndexRecordOption::Basic);
    Box::new(ConstScoreQuery::new(Box::new(term), 0.))
}

/// Returns a query for a host, or for all hosts of a domain, in any spelling.
pub(crate) fn host_query(field: Field, host: &str) -> Box<dyn TantivyQuery> {
    match Host::parse(host) {
        Some(host) => exact(field, host.as_str()),
        None => exact(field, &host.to_lowercase()),
    }
}

/// Returns a query for terms at these positions of a field.
fn phrase_query(field: Field, terms: &[(usize, String)]) -> Box<dyn TantivyQuery> {
    if let [(_, term)] = terms {
        return scored(field, term);
    }
    let terms =
        terms.iter().map(|(position, term)| (*position, Term::from_field_text(field, term)));
    Box::new(PhraseQuery::new_with_offset(terms.collect()))
}

/// Returns a query for rows from the first day to the last.
pub(crate) fn days(
    field: Field,
    first_day: Option<Day>,
    last_day: Option<Day>,
) -> Box<dyn TantivyQuery> {
    let term = |seconds| Term::from_field_i64(field, seconds);
    let first_day =
        first_day.map_or(Bound::Unbounded, |day| Bound::Included(term(day.first_second())));
    let last_day = last_day.map_or(Bound::Unbounded, |day| Bound::Excluded(term(day.end())));
    Box::new(ConstScoreQuery::new(Box::new(RangeQuery::new(first_day, last_day)), 0.))
}
