//! Searches an index.

use crate::analysis::Analysis;
use crate::counts::{CountCollector, Counts};
use crate::date::Day;
use crate::error::IndexError;
use crate::integrity::{catch_read_panics, damaged_files, open_to_read};
use crate::query_compiler::{self, CompileError, CompiledQuery, Exactness, Replacement, Target};
use crate::schema::{Fields, PAGE, RANK, register};
use crate::snippet::{Snippet, snippet};
use crate::state::IndexState;
use crate::stems::Language;
use crate::syntax::Query;
use crate::vocabulary::Vocabulary;
use serde_json::json;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tantivy::collector::sort_key::{SortBySimilarityScore, SortByStaticFastValue};
use tantivy::collector::{Collector, TopDocs};
use tantivy::query::{BooleanQuery, Occur, Query as TantivyQuery};
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
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// most. All words in the order of the query score once more. 0 if the query has only fields
    /// without words.
    pub score: f32,
    /// Part of the text around the matched words. It comes from the first 256 KiB of the
    /// text.
    pub snippet: Snippet,
    /// Bytes of the whole text.
    pub text_bytes: u64,
    /// The place on the page, if the row is a passage.
    pub passage: Option<PassagePlace>,
}

/// The place of a passage on its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassagePlace {
    /// `id` of the page's row.
    pub parent_id: String,
    /// Number of the passage in its page, from 0.
    pub ordinal: u64,
    /// Identifier of the nearest heading, for links.
    pub anchor: Option<String>,
    /// The headings around the start of the passage, the outermost first.
    pub headings: Vec<String>,
}

impl SearchHit {
    /// Returns the URL of the row, for a passage with the place on the page.
    ///
    /// ```
    /// use huller_index::{PassagePlace, SearchHit};
    ///
    /// let anchor = Some("a b".to_owned());
    /// let passage = PassagePlace { anchor, ..PassagePlace::default() };
    /// let url = Some("https://site.test/#top".to_owned());
    /// let hit = SearchHit { url, passage: Some(passage), ..SearchHit::default() };
    /// assert_eq!(hit.link().as_deref(), Some("https://site.test/#a%20b"));
    /// ```
    pub fn link(&self) -> Option<Cow<'_, str>> {
        let url = self.url.as_deref()?;
        let Some(anchor) = self.passage.as_ref().and_then(|passage| passage.anchor.as_deref())
        else {
            return Some(url.into());
        };
        let page = url.split('#').next().unwrap_or(url);
        let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\"<>`%".contains(c);
        let mut link = format!("{page}#");
        for c in anchor.chars() {
            if is_plain(c) {
                link.push(c);
                continue;
            }
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(link, "%{byte:02X}");
            }
        }
        Some(link.into())
    }

    /// Returns the hit as `huller search --json` prints it, with its query if it is one of many.
    pub fn to_json(&self, query: Option<&str>) -> serde_json::Value {
        let marks: Vec<_> =
            self.snippet.marks.iter().map(|mark| json!([mark.start, mark.end])).collect();
        let mut object = json!({
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "score": self.score,
            "snippet": self.snippet.text,
            "marks": marks,
            "date": self.date,
            "language": self.language,
            "page_type": self.page_type,
            "author": self.author,
            "published": self.published,
            "row": self.row,
            "warc_filename": self.warc_filename,
            "warc_record_offset": self.warc_record_offset,
        });
        let Some(members) = object.as_object_mut() else { return object };
        if let Some(passage) = &self.passage {
            members.insert("parent_id".to_owned(), passage.parent_id.as_str().into());
            members.insert("ordinal".to_owned(), passage.ordinal.into());
            members.insert("anchor".to_owned(), passage.anchor.as_deref().into());
            members.insert("headings".to_owned(), passage.headings.as_slice().into());
            members.insert("link".to_owned(), self.link().as_deref().into());
        }
        if let Some(query) = query {
            members.insert("query".to_owned(), query.into());
        }
        object
    }
}

/// An open index.
pub struct Searcher {
    path: PathBuf,
    fields: Fields,
    segments: tantivy::Searcher,
    /// Whether the rows are passages, so that hits are grouped by page.
    has_passages: bool,
    /// The languages with stems that rows have.
    languages: Vec<Language>,
}

/// A query that an index has compiled. It can be run several times.
///
/// A word that the index lacks is replaced by words of the index with another letter. If no row
/// matches the query all the same, words with another letter count beside each word. Two neighbours
/// of a run then count alone. The first run decides this, and [`Search::replacements`] lists these
/// words.
pub struct Search<'s> {
    searcher: &'s Searcher,
    query: Query,
    filter: Filter,
    compiled: CompiledQuery,
    /// Whether it is known that some row matches, or words with another letter count.
    is_decided: bool,
}

impl Searcher {
    /// Opens an index in the state of its last commit. Reads all files to compare them with their
    /// checksums, and writes nothing.
    ///
    /// # Errors
    ///
    /// The folder holds no index of this version, or a file of it is damaged.
    pub fn open(path: &Path) -> Result<Searcher, IndexError> {
        Searcher::open_until(path, &AtomicBool::new(false))
    }

    /// Opens an index as [`open`](Searcher::open) does, until `stop` is set.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Searcher::open), and [`IndexError::Interrupted`].
    pub fn open_until(path: &Path, stop: &AtomicBool) -> Result<Searcher, IndexError> {
        if !path.join("meta.json").is_file() {
            return Err(IndexError::no_meta(path));
        }
        catch_read_panics(path, || Searcher::open_sound(path, stop))
    }

    /// Opens an index. It panics at some damaged files.
    fn open_sound(path: &Path, stop: &AtomicBool) -> Result<Searcher, IndexError> {
        let no_index = |problem| IndexError::NoIndex { path: path.to_owned(), problem };
        let reading = IndexError::reading(path);
        let mut index = open_to_read(path)?;
        let meta = index.load_metas().map_err(&reading)?;
        let Some(state) = IndexState::from_index(&meta).map_err(no_index)? else {
            let problem = "it is incomplete; continue it with `huller index --resume`";
            return Err(no_index(problem.to_owned()));
        };
        let damaged = damaged_files(&index, path, stop, &reading)?;
        if let Some(file) = damaged.first() {
            let problem = format!(
                "'{file}' differs from its checksum; `huller index --overwrite` builds the index \
                 again"
            );
            return Err(IndexError::Damaged { path: path.to_owned(), problem });
        }
        register(&mut index);
        // A cache would keep many large rows, and reading a block takes some microseconds.
        let reader = index.reader_builder().doc_store_cache_num_blocks(0);
        let reader = reader.reload_policy(ReloadPolicy::Manual);
        let reader: IndexReader = reader.try_into().map_err(&reading)?;
        let (fields, segments) = (Fields::new(), reader.searcher());
        let languages = Vocabulary::new(&segments).languages(&fields).map_err(&reading)?;
        let has_passages = state.has_passages;
        Ok(Searcher { path: path.to_owned(), fields, segments, has_passages, languages })
    }

    /// Returns the number of rows in the index.
    pub fn rows(&self) -> u64 {
        self.segments.num_docs()
    }

    /// Returns whether the rows are passages of pages. Then hits are grouped by page.
    pub fn has_passages(&self) -> bool {
        self.has_passages
    }

    /// Compiles a query and a filter.
    ///
    /// # Errors
    ///
    /// The query has a word that cannot be looked up, or the index is damaged.
    pub fn search(&self, query: &Query, filter: &Filter) -> Result<Search<'_>, IndexError> {
        let compiled = self.compiled(query, filter, Exactness::Words)?;
        let (query, filter) = (query.clone(), filter.clone());
        Ok(Search { searcher: self, query, filter, compiled, is_decided: false })
    }

    fn compiled(
        &self,
        query: &Query,
        filter: &Filter,
        exactness: Exactness,
    ) -> Result<CompiledQuery, IndexError> {
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
        let compile = || {
            target.compile(query, exactness).map_err(|error| match error {
                CompileError::Syntax(error) => IndexError::from(error),
                CompileError::Index(error) => IndexError::reading(&self.path)(error),
            })
        };
        let CompiledQuery { query, marked, replacements } = catch_read_panics(&self.path, compile)?;
        Ok(CompiledQuery { query: self.filtered(query, filter), marked, replacements })
    }

    /// Returns the row with this [`row`](SearchHit::row). Its snippet is the whole text, or the
    /// first 256 KiB of a longer one. `None` if the index lacks it.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn row(&self, row: &str) -> Result<Option<SearchHit>, IndexError> {
        let reading = IndexError::reading(&self.path);
        let query = query_compiler::exact(self.fields.row, row);
        let best_hit = TopDocs::with_limit(1).order_by_score();
        let document = catch_read_panics(&self.path, || {
            let hits = self.segments.search(&*query, &best_hit).map_err(&reading)?;
            let Some((_, address)) = hits.first() else { return Ok(None) };
            self.segments.doc::<TantivyDocument>(*address).map(Some).map_err(&reading)
        })?;
        let Some(document) = document else { return Ok(None) };
        let text = document.get_first(self.fields.text).and_then(|text| text.as_str());
        let snippet = Snippet { text: text.unwrap_or_default().to_owned(), marks: Vec::new() };
        Ok(Some(self.make_hit(&document, 0., snippet)))
    }

    fn filtered(&self, query: Box<dyn TantivyQuery>, filter: &Filter) -> Box<dyn TantivyQuery> {
        let mut clauses = vec![(Occur::Must, query)];
        if let Some(language) = &filter.language {
            clauses.push((Occur::Must, query_compiler::exact(self.fields.language, language)));
        }
        if let Some(host) = &filter.host {
            clauses.push((Occur::Must, query_compiler::host_query(self.fields.host, host)));
        }
        if let Some(page_type) = &filter.page_type {
            clauses.push((Occur::Must, query_compiler::exact(self.fields.page_type, page_type)));
        }
        if filter.from.is_some() || filter.to.is_some() {
            clauses.push((
                Occur::Must,
                query_compiler::days(self.fields.date, filter.from, filter.to),
            ));
        }
        Box::new(BooleanQuery::new(clauses))
    }

    /// Makes a hit of the stored fields.
    fn make_hit(&self, document: &TantivyDocument, score: f32, snippet: Snippet) -> SearchHit {
        let text = |field: Field| {
            let value = document.get_first(field)?;
            value.as_str().map(str::to_owned)
        };
        let fields = &self.fields;
        let offset = document.get_first(fields.warc_record_offset);
        let text_bytes = document.get_first(fields.text_bytes);
        let ordinal = document.get_first(fields.ordinal).and_then(|value| value.as_u64());
        let headings = document.get_all(fields.headings);
        let headings = headings.filter_map(|text| text.as_str().map(str::to_owned));
        let passage =
            text(fields.parent_id).zip(ordinal).map(|(parent_id, ordinal)| PassagePlace {
                parent_id,
                ordinal,
                anchor: text(fields.anchor),
                headings: headings.collect(),
            });
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
            text_bytes: text_bytes.and_then(|value| value.as_u64()).unwrap_or_default(),
            passage,
        }
    }
}

impl Search<'_> {
    /// Returns the words for which others were looked up in the runs so far.
    pub fn replacements(&self) -> &[Replacement] {
        &self.compiled.replacements
    }

    /// Returns the best rows: at most `limit`, after the best `skip`, best first. Rows with equal
    /// scores are in an order that depends on their `id` alone. Of passages, each page has its best
    /// one.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn hits(&mut self, skip: usize, limit: usize) -> Result<Vec<SearchHit>, IndexError> {
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
        &mut self,
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
        let mut hits = self.best_hits(skip, limit)?;
        // The rows that match may all be among those to skip.
        if hits.is_empty()
            && !self.is_decided
            && (skip == 0 || self.best_addresses(0, 1)?.is_empty())
        {
            self.loosen()?;
            hits = self.best_hits(skip, limit)?;
        }
        self.is_decided = true;
        let mut analysis = Analysis::default();
        for (score, address) in hits {
            let hit = catch_read_panics(path, || self.hit(address, score, &mut analysis))?;
            if let ControlFlow::Break(value) = take(hit) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Returns the scores and places of the best rows, of passages the best of each page.
    fn best_hits(&self, skip: usize, limit: usize) -> Result<Vec<(f32, DocAddress)>, IndexError> {
        if self.searcher.has_passages {
            self.best_of_pages(skip, limit)
        } else {
            self.best_addresses(skip, limit)
        }
    }

    /// Returns the best passage of each of the best pages. It takes more and more of the best
    /// passages, until they are of enough pages.
    fn best_of_pages(
        &self,
        skip: usize,
        limit: usize,
    ) -> Result<Vec<(f32, DocAddress)>, IndexError> {
        /// Passages of a page among the best, on average, that the first step allows.
        const PASSAGES_PER_PAGE: usize = 4;
        let Searcher { path, segments, .. } = self.searcher;
        let columns =
            segments.segment_readers().iter().map(|segment| segment.fast_fields().u64(PAGE));
        let columns = catch_read_panics(path, || {
            columns.collect::<Result<Vec<_>, _>>().map_err(IndexError::reading(path))
        })?;
        let hits_wanted = skip.saturating_add(limit);
        let rows = usize::try_from(segments.num_docs()).unwrap_or(usize::MAX);
        let mut rows_taken = hits_wanted.saturating_mul(PASSAGES_PER_PAGE).min(rows);
        loop {
            let passages = self.best_addresses(0, rows_taken)?;
            let is_all = passages.len() < rows_taken || rows_taken == rows;
            let mut pages = HashSet::new();
            let mut hits = Vec::new();
            for (score, address) in passages {
                let column = &columns[address.segment_ord as usize];
                if pages.insert(column.first(address.doc_id)) {
                    hits.push((score, address));
                }
            }
            if hits.len() >= hits_wanted || is_all {
                hits.truncate(hits_wanted);
                hits.drain(..skip.min(hits.len()));
                return Ok(hits);
            }
            rows_taken = rows_taken.saturating_mul(PASSAGES_PER_PAGE).min(rows);
        }
    }

    /// Counts the matching rows, in total and by language, host and page type.
    ///
    /// # Errors
    ///
    /// The index is damaged.
    pub fn counts(&mut self) -> Result<Counts, IndexError> {
        let mut counts = self.run(&CountCollector)?;
        if counts.rows == 0 && !self.is_decided {
            self.loosen()?;
            counts = self.run(&CountCollector)?;
        }
        self.is_decided = true;
        Ok(counts)
    }

    /// Returns the scores and places of the best rows.
    fn best_addresses(
        &self,
        skip: usize,
        limit: usize,
    ) -> Result<Vec<(f32, DocAddress)>, IndexError> {
        let rank = SortByStaticFastValue::<u64>::for_field(RANK);
        let order = ((SortBySimilarityScore, Order::Desc), (rank, Order::Asc));
        let hits = self.run(&TopDocs::with_limit(limit).and_offset(skip).order_by(order))?;
        Ok(hits.into_iter().map(|((score, _), address)| (score, address)).collect())
    }

    fn run<C: Collector>(&self, collector: &C) -> Result<C::Fruit, IndexError> {
        let Searcher { path, segments, .. } = self.searcher;
        let search = || segments.search(&*self.compiled.query, collector);
        catch_read_panics(path, || search().map_err(IndexError::reading(path)))
    }

    /// Lets words with another letter count, and two neighbours of a run alone.
    fn loosen(&mut self) -> Result<(), IndexError> {
        self.compiled = self.searcher.compiled(&self.query, &self.filter, Exactness::Similar)?;
        Ok(())
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
        let snippet = snippet(analysis, &shown, &language, &self.compiled.marked);
        Ok(self.searcher.make_hit(&document, score, snippet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use crate::options::Options;
    use huller_run::monitor::SilentMonitor;
    use std::sync::Arc;

    const ROWS: &str = "{\"id\":\"1\",\"text\":\"The ferry came.\"}
{\"id\":\"2\",\"text\":\"The ferry sank.\"}
{\"id\":\"3\",\"text\":\"The berry grows.\"}
";

    fn ids(search: &mut Search<'_>, skip: usize) -> Vec<String> {
        let mut ids: Vec<_> =
            search.hits(skip, 10).unwrap().into_iter().map(|hit| hit.id).collect();
        ids.sort_unstable();
        ids
    }

    fn index(lines: &str) -> (tempfile::TempDir, Searcher) {
        let folder = tempfile::tempdir().unwrap();
        let [rows, index] = ["rows.jsonl", "index"].map(|name| folder.path().join(name));
        std::fs::write(&rows, lines).unwrap();
        let options = Options { threads: 1, memory: 64 << 20, ..Options::default() };
        build(&[rows], &index, &options, &mut SilentMonitor, &Arc::default()).unwrap();
        let searcher = Searcher::open(&index).unwrap();
        (folder, searcher)
    }

    #[test]
    fn rows_with_the_words_in_their_order_come_first() {
        let text = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
        let often = text("often", "program program services services our our");
        let lines =
            often + &text("in order", "All of the long list of our program services is here.");
        let (_folder, searcher) = index(&lines);
        let best = |query: &str| {
            let query = Query::parse(query).unwrap();
            let mut search = searcher.search(&query, &Filter::default()).unwrap();
            search.hits(0, 10).unwrap().into_iter().map(|hit| hit.id).collect::<Vec<_>>()
        };
        assert_eq!(best("our program services"), ["in order", "often"]);
        // A sign ends a run, and another order is no phrase.
        assert_eq!(best("services program our"), ["often", "in order"]);
        assert_eq!(best("our +program services"), ["often", "in order"]);
        assert_eq!(best("program"), ["often", "in order"]);
    }

    #[test]
    fn other_words_count_only_if_no_row_matches() {
        let (_folder, searcher) = index(ROWS);
        let begin = |query: &str| {
            searcher.search(&Query::parse(query).unwrap(), &Filter::default()).unwrap()
        };
        // All rows that match are skipped, so no others are looked for.
        let mut exact = begin("ferry");
        assert!(ids(&mut exact, 2).is_empty());
        assert_eq!(ids(&mut exact, 0), ["1", "2"]);
        assert_eq!(exact.counts().unwrap().rows, 2);
        assert!(exact.replacements().is_empty());
        // No row has both words, whichever run comes first.
        let mut loose = begin("+ferry +grows");
        assert!(loose.replacements().is_empty());
        assert!(ids(&mut loose, 1).is_empty());
        assert_eq!(loose.replacements()[0].by, ["berry"]);
        assert_eq!(ids(&mut loose, 0), ["3"]);
        let mut counted = begin("+ferry +grows");
        assert_eq!(counted.counts().unwrap().rows, 1);
        assert_eq!(ids(&mut counted, 0), ["3"]);
        let mut none = begin("zebra");
        assert_eq!(none.counts().unwrap().rows, 0);
        assert!(ids(&mut none, 0).is_empty());
    }
}
