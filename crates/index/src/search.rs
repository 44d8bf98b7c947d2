//! Searches an index.

use crate::analysis::Analysis;
use crate::compile::{self, CompileError, CompiledQuery, Exactness, Replacement, Target};
use crate::counts::{CountCollector, Counts};
use crate::date::Day;
use crate::error::IndexError;
use crate::integrity::{damaged_files, guarded, open_to_read};
use crate::schema::{Fields, RANK, register};
use crate::snippet::{MarkedTerm, Snippet, snippet};
use crate::state::IndexState;
use crate::stems::Language;
use crate::syntax::Query;
use crate::vocabulary::Vocabulary;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tantivy::collector::TopDocs;
use tantivy::collector::sort_key::{SortBySimilarityScore, SortByStaticFastValue};
use tantivy::query::{BooleanQuery, Occur, Query as Asking};
use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, IndexReader, Order, ReloadPolicy, TantivyDocument};

/// Conditions on the rows to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Language, as in the field `language` of rows. The words of the query are then stemmed in
    /// this language alone.
    pub language: Option<String>,
    /// Host, or a domain above it.
    pub host: Option<String>,
    /// First day of the field `date`.
    pub from: Option<Day>,
    /// Last day of the field `date`.
    pub to: Option<Day>,
    /// Page type, as in the field `page_type` of rows.
    pub page_type: Option<String>,
}

/// A row that matches a query.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// `id` of the row, or file and place if it has no `id`.
    pub id: String,
    /// File and place of the row: the name of the file in its corpus, `#`, and the offset of the
    /// line in bytes. In a Parquet file the place is the row number.
    pub row: String,
    /// URL of the row.
    pub url: Option<String>,
    /// Title of the row.
    pub title: Option<String>,
    /// Date as the row states it.
    pub date: Option<String>,
    /// Language of the row.
    pub language: Option<String>,
    /// Page type of the row.
    pub page_type: Option<String>,
    /// Author as the row states it.
    pub author: Option<String>,
    /// Date of publication as the row states it.
    pub published: Option<String>,
    /// The archive that the page came from.
    pub warc_filename: Option<String>,
    /// Offset of the page's record in the archive, in bytes.
    pub warc_record_offset: Option<u64>,
    /// BM25 score. A word counts in the title, in the text or among the authors, where it scores
    /// most. 0 if the query has only fields without words.
    pub score: f32,
    /// Part of the text around the matched words.
    pub snippet: Snippet,
}

/// An open index.
pub struct Searcher {
    path: PathBuf,
    fields: Fields,
    segments: tantivy::Searcher,
    /// The languages with stems that rows have.
    languages: Vec<Language>,
}

/// A query that an index has compiled. It can be run several times.
///
/// A word that the index lacks is replaced by words of the index with another letter. If no row
/// matches the query all the same, words with another letter count beside each word. Two neighbours
/// of a run then count alone. [`Search::replacements`] lists these words.
pub struct Search<'s> {
    searcher: &'s Searcher,
    query: Box<dyn Asking>,
    marked: Vec<MarkedTerm>,
    replacements: Vec<Replacement>,
}

impl Searcher {
    /// Opens an index in the state of its last commit. Reads all files to compare them with their
    /// checksums, and writes nothing.
    ///
    /// # Errors
    ///
    /// The folder holds no index of this version, or a file of it is damaged.
    pub fn open(path: &Path) -> Result<Searcher, IndexError> {
        if !path.join("meta.json").is_file() {
            return Err(IndexError::no_meta(path));
        }
        guarded(path, || Searcher::open_sound(path))
    }

    /// Opens an index. It panics at some damaged files.
    fn open_sound(path: &Path) -> Result<Searcher, IndexError> {
        let no_index = |problem| IndexError::NoIndex { path: path.to_owned(), problem };
        let reading = IndexError::reading(path);
        let mut index = open_to_read(path)?;
        let meta = index.load_metas().map_err(&reading)?;
        if IndexState::from_index(&meta).map_err(no_index)?.is_none() {
            let problem = "it is incomplete; continue it with `huller index --resume`";
            return Err(no_index(problem.to_owned()));
        }
        let damaged = damaged_files(&index, path).map_err(&reading)?;
        if let Some(file) = damaged.first() {
            let problem = format!(
                "'{file}' differs from its checksum; `huller index --overwrite` builds the index \
                 again"
            );
            return Err(IndexError::Damaged { path: path.to_owned(), problem });
        }
        register(&mut index);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader: IndexReader = reader.try_into().map_err(&reading)?;
        let (fields, segments) = (Fields::new(), reader.searcher());
        let languages = Vocabulary::new(&segments).languages(&fields).map_err(&reading)?;
        Ok(Searcher { path: path.to_owned(), fields, segments, languages })
    }

    /// Returns the number of rows in the index.
    pub fn rows(&self) -> u64 {
        self.segments.num_docs()
    }

    /// Compiles a query and a filter.
    ///
    /// # Errors
    ///
    /// The query has a word that cannot be looked up, or the index is damaged.
    pub fn search(&self, query: &Query, filter: &Filter) -> Result<Search<'_>, IndexError> {
        guarded(&self.path, || {
            let exact = self.compiled(query, filter, Exactness::Words)?;
            let best = TopDocs::with_limit(1).order_by_score();
            let found = self.segments.search(&*exact.query, &best);
            if !found.map_err(IndexError::reading(&self.path))?.is_empty() {
                return Ok(exact);
            }
            self.compiled(query, filter, Exactness::Similar)
        })
    }

    fn compiled(
        &self,
        query: &Query,
        filter: &Filter,
        exactness: Exactness,
    ) -> Result<Search<'_>, IndexError> {
        let languages = match &filter.language {
            Some(code) => Language::from_code(code).into_iter().collect(),
            None => self.languages.clone(),
        };
        let target = Target {
            fields: &self.fields,
            vocabulary: Vocabulary::new(&self.segments),
            languages,
            is_of_one_language: filter.language.is_some(),
        };
        let compiled = target.compile(query, exactness).map_err(|error| match error {
            CompileError::Syntax(error) => IndexError::from(error),
            CompileError::Index(error) => IndexError::reading(&self.path)(error),
        })?;
        let CompiledQuery { query, marked, replacements } = compiled;
        let query = self.filtered(query, filter);
        Ok(Search { searcher: self, query, marked, replacements })
    }

    /// Returns the row with this [`row`](SearchHit::row), with its whole text as the snippet.
    /// `None` if the index lacks it.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn row(&self, row: &str) -> Result<Option<SearchHit>, IndexError> {
        let reading = IndexError::reading(&self.path);
        let query = compile::exact(self.fields.row, row);
        let best = TopDocs::with_limit(1).order_by_score();
        let document = guarded(&self.path, || {
            let found = self.segments.search(&*query, &best).map_err(&reading)?;
            let Some((_, address)) = found.first() else { return Ok(None) };
            self.segments.doc::<TantivyDocument>(*address).map(Some).map_err(&reading)
        })?;
        let Some(document) = document else { return Ok(None) };
        let text = document.get_first(self.fields.text).and_then(|text| text.as_str());
        let snippet = Snippet { text: text.unwrap_or_default().to_owned(), marks: Vec::new() };
        Ok(Some(self.make_hit(&document, 0., snippet)))
    }

    fn filtered(&self, query: Box<dyn Asking>, filter: &Filter) -> Box<dyn Asking> {
        let mut all = vec![(Occur::Must, query)];
        if let Some(language) = &filter.language {
            all.push((Occur::Must, compile::exact(self.fields.language, language)));
        }
        if let Some(host) = &filter.host {
            all.push((Occur::Must, compile::host_query(self.fields.host, host)));
        }
        if let Some(page_type) = &filter.page_type {
            all.push((Occur::Must, compile::exact(self.fields.page_type, page_type)));
        }
        if filter.from.is_some() || filter.to.is_some() {
            all.push((Occur::Must, compile::days(self.fields.date, filter.from, filter.to)));
        }
        Box::new(BooleanQuery::new(all))
    }

    /// Makes a hit of the stored fields.
    fn make_hit(&self, document: &TantivyDocument, score: f32, snippet: Snippet) -> SearchHit {
        let text = |field: Field| {
            let value = document.get_first(field)?;
            value.as_str().map(str::to_owned)
        };
        let fields = &self.fields;
        let offset = document.get_first(fields.warc_record_offset);
        SearchHit {
            id: text(fields.id).unwrap_or_default(),
            row: text(fields.row).unwrap_or_default(),
            url: text(fields.url),
            title: text(fields.title),
            date: text(fields.date_text),
            language: text(fields.language),
            page_type: text(fields.page_type),
            author: text(fields.author),
            published: text(fields.published_text),
            warc_filename: text(fields.warc_filename),
            warc_record_offset: offset.and_then(|value| value.as_u64()),
            score,
            snippet,
        }
    }
}

impl Search<'_> {
    /// Returns the words for which others were looked up.
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// Returns the best rows: at most `limit`, after the best `skip`, best first. Rows with equal
    /// scores are in an order that depends on their `id` alone.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn hits(&self, skip: usize, limit: usize) -> Result<Vec<SearchHit>, IndexError> {
        let mut hits = Vec::new();
        self.for_each_hit(skip, limit, |hit| {
            hits.push(hit);
            ControlFlow::<()>::Continue(())
        })?;
        Ok(hits)
    }

    /// Passes the rows of [`hits`](Search::hits) to `take`, one at a time, until it breaks. Returns
    /// the value of the break. A row takes 32 bytes of memory until its turn.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn for_each_hit<B>(
        &self,
        skip: usize,
        limit: usize,
        mut take: impl FnMut(SearchHit) -> ControlFlow<B>,
    ) -> Result<Option<B>, IndexError> {
        let Searcher { path, segments, .. } = self.searcher;
        // The collector reserves memory for as many rows as it may return.
        let rows = usize::try_from(segments.num_docs()).unwrap_or(usize::MAX);
        let limit = limit.min(rows.saturating_sub(skip));
        if limit == 0 {
            return Ok(None);
        }
        let rank = SortByStaticFastValue::<u64>::for_field(RANK);
        let order = ((SortBySimilarityScore, Order::Desc), (rank, Order::Asc));
        let best = TopDocs::with_limit(limit).and_offset(skip).order_by(order);
        let found = guarded(path, || {
            segments.search(&*self.query, &best).map_err(IndexError::reading(path))
        })?;
        let mut analysis = Analysis::default();
        for ((score, _), address) in found {
            let hit = guarded(path, || self.hit(address, score, &mut analysis))?;
            if let ControlFlow::Break(value) = take(hit) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Counts the matching rows, in total and by language, host and page type.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn counts(&self) -> Result<Counts, IndexError> {
        let Searcher { path, segments, .. } = self.searcher;
        let reading = IndexError::reading(path);
        guarded(path, || segments.search(&*self.query, &CountCollector).map_err(reading))
    }

    fn hit(
        &self,
        address: DocAddress,
        score: f32,
        analysis: &mut Analysis,
    ) -> Result<SearchHit, IndexError> {
        let Searcher { path, fields, segments, .. } = self.searcher;
        let document: TantivyDocument = segments.doc(address).map_err(IndexError::reading(path))?;
        let text = |field: Field| document.get_first(field)?.as_str().map(str::to_owned);
        let language = text(fields.language).unwrap_or_default();
        let shown = text(fields.text).unwrap_or_default();
        let snippet = snippet(analysis, &shown, &language, &self.marked);
        Ok(self.searcher.make_hit(&document, score, snippet))
    }
}
