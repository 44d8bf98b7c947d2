//! Asks an index.

use crate::analysis::Analysis;
use crate::compile::{self, Compiled, compile};
use crate::counts::{Counting, Counts};
use crate::date::Day;
use crate::error::IndexError;
use crate::schema::{Fields, RANK, register};
use crate::snippet::{Snippet, snippet};
use crate::state::State;
use crate::syntax::Query;
use std::path::{Path, PathBuf};
use tantivy::collector::TopDocs;
use tantivy::collector::sort_key::{SortBySimilarityScore, SortByStaticFastValue};
use tantivy::query::{BooleanQuery, Occur, Query as Asking};
use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, Index, Order, ReloadPolicy, TantivyDocument};

/// Which rows are asked at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Language, as the field `language` of rows has it. The words of the query are stemmed by it
    /// alone.
    pub language: Option<String>,
    /// Host, or a domain that it is in.
    pub host: Option<String>,
    /// First day of the field `date`.
    pub from: Option<Day>,
    /// Last day.
    pub to: Option<Day>,
    /// Page type, as the field `page_type` of rows has it.
    pub page_type: Option<String>,
}

/// A row that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The row's `id`, or file and place where it has none.
    pub id: String,
    /// File and place of the row: the name of the file in its corpus, `#`, and the offset of the
    /// line in it; in a Parquet file the row's number.
    pub row: String,
    /// The row's address.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its date as given.
    pub date: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Its page type.
    pub page_type: Option<String>,
    /// The archive that it came from.
    pub warc_filename: Option<String>,
    /// Where its record begins there, in bytes.
    pub warc_record_offset: Option<u64>,
    /// How well it fits: BM25, with words of the title counted twice. 0 where only fields without
    /// words were asked.
    pub score: f32,
    /// The part of its text that shows why.
    pub snippet: Snippet,
}

/// An index that can be asked.
pub struct Searcher {
    path: PathBuf,
    fields: Fields,
    segments: tantivy::Searcher,
}

impl Searcher {
    /// Opens an index, as its last commit left it.
    ///
    /// # Errors
    ///
    /// The folder holds no index of this version, or a file of it is damaged.
    pub fn open(path: &Path) -> Result<Searcher, IndexError> {
        let no_index = |problem| IndexError::NoIndex { path: path.to_owned(), problem };
        if !path.join("meta.json").is_file() {
            let problem = "it has no meta.json; `huller index CORPUS -o INDEX` makes one";
            return Err(no_index(problem.to_owned()));
        }
        let reading = IndexError::reading(path);
        let mut index = Index::open_in_dir(path).map_err(&reading)?;
        let meta = index.load_metas().map_err(&reading)?;
        if State::of_index(&meta).map_err(no_index)?.is_none() {
            let problem = "its making was broken off; go on with `huller index --resume`";
            return Err(no_index(problem.to_owned()));
        }
        register(&mut index);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader = reader.try_into().map_err(&reading)?;
        Ok(Searcher { path: path.to_owned(), fields: Fields::new(), segments: reader.searcher() })
    }

    /// Rows in the index.
    pub fn rows(&self) -> u64 {
        self.segments.num_docs()
    }

    /// The rows that fit best, at most `limit` after the best `skip`, best first; those of one
    /// score in an order that depends on their `id` alone.
    ///
    /// # Errors
    ///
    /// The query has a word that cannot be looked for, or the index is damaged.
    pub fn search(
        &self,
        query: &Query,
        filter: &Filter,
        skip: usize,
        limit: usize,
    ) -> Result<Vec<Hit>, IndexError> {
        let Compiled { query, marked } = compile(&self.fields, query, filter.language.as_deref())?;
        let query = self.filtered(query, filter);
        let reading = IndexError::reading(&self.path);
        let rank = SortByStaticFastValue::<u64>::for_field(RANK);
        let order = ((SortBySimilarityScore, Order::Desc), (rank, Order::Asc));
        let best = TopDocs::with_limit(limit.max(1)).and_offset(skip).order_by(order);
        let found = self.segments.search(&*query, &best).map_err(&reading)?;
        let mut analysis = Analysis::default();
        let hits = found.into_iter().take(limit);
        hits.map(|((score, _), address)| self.hit(address, score, &marked, &mut analysis)).collect()
    }

    /// How many rows fit, and of which languages, hosts and page types they are.
    ///
    /// # Errors
    ///
    /// As [`search`](Searcher::search).
    pub fn count(&self, query: &Query, filter: &Filter) -> Result<Counts, IndexError> {
        let Compiled { query, .. } = compile(&self.fields, query, filter.language.as_deref())?;
        let query = self.filtered(query, filter);
        self.segments.search(&*query, &Counting).map_err(IndexError::reading(&self.path))
    }

    /// The row with this [`row`](Hit::row), its whole text as the snippet. `None` if it is not in
    /// the index.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn row(&self, row: &str) -> Result<Option<Hit>, IndexError> {
        let reading = IndexError::reading(&self.path);
        let query = compile::exact(self.fields.row, row);
        let best = TopDocs::with_limit(1).order_by_score();
        let found = self.segments.search(&*query, &best).map_err(&reading)?;
        let Some((_, address)) = found.first() else { return Ok(None) };
        let document: TantivyDocument = self.segments.doc(*address).map_err(&reading)?;
        let text = document.get_first(self.fields.text).and_then(|text| text.as_str());
        let snippet = Snippet { text: text.unwrap_or_default().to_owned(), marks: Vec::new() };
        Ok(Some(self.described(&document, 0., snippet)))
    }

    fn filtered(&self, query: Box<dyn Asking>, filter: &Filter) -> Box<dyn Asking> {
        let mut all = vec![(Occur::Must, query)];
        if let Some(language) = &filter.language {
            all.push((Occur::Must, compile::exact(self.fields.language, language)));
        }
        if let Some(host) = &filter.host {
            all.push((Occur::Must, compile::of_host(self.fields.host, host)));
        }
        if let Some(page_type) = &filter.page_type {
            all.push((Occur::Must, compile::exact(self.fields.page_type, page_type)));
        }
        if filter.from.is_some() || filter.to.is_some() {
            all.push((Occur::Must, compile::days(self.fields.date, filter.from, filter.to)));
        }
        Box::new(BooleanQuery::new(all))
    }

    fn hit(
        &self,
        address: DocAddress,
        score: f32,
        marked: &[String],
        analysis: &mut Analysis,
    ) -> Result<Hit, IndexError> {
        let document: TantivyDocument =
            self.segments.doc(address).map_err(IndexError::reading(&self.path))?;
        let text = |field: Field| document.get_first(field)?.as_str();
        let fields = &self.fields;
        let language = text(fields.language).unwrap_or_default();
        let snippet = snippet(analysis, text(fields.text).unwrap_or_default(), language, marked);
        Ok(self.described(&document, score, snippet))
    }

    /// A hit of what is stored.
    fn described(&self, document: &TantivyDocument, score: f32, snippet: Snippet) -> Hit {
        let text = |field: Field| {
            let value = document.get_first(field)?;
            value.as_str().map(str::to_owned)
        };
        let fields = &self.fields;
        let offset = document.get_first(fields.warc_record_offset);
        Hit {
            id: text(fields.id).unwrap_or_default(),
            row: text(fields.row).unwrap_or_default(),
            url: text(fields.url),
            title: text(fields.title),
            date: text(fields.date_text),
            language: text(fields.language),
            page_type: text(fields.page_type),
            warc_filename: text(fields.warc_filename),
            warc_record_offset: offset.and_then(|value| value.as_u64()),
            score,
            snippet,
        }
    }
}
