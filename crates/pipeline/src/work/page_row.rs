//! Turns a page's bytes into its row: decode, extract, render, filter.

use crate::probe::{PageStep, Probe};
use crate::settings::Settings;
use crate::work::anchors::HeadingLines;
use crate::work::block_list::BlockList;
use crate::work::digest;
use crate::work::dropped::RowSinks;
use crate::work::forms::{FormScratch, FormWriter};
use crate::work::header_text::header_text;
use crate::work::plain_text;
use crate::work::rejection::Rejection;
use crate::work::signed_rows::RowFacts;
use crate::work::stages::StageWork;
use huller_archive::charset::PageText;
use huller_archive::{Position, RawPage, Truncation};
use huller_corpus::generate_id;
use huller_extract::PageFacts;
use huller_metadata::{Metadata, MetadataReader, StatedArticle};
use huller_page::memory::clear_and_shrink;
use huller_page::{Page, PageBuf};
use huller_refine::signature::file::Header;
use huller_refine::{Language, RowFields, StagePhase};
use huller_row::{HeadingAnchor, PageRecord, Row, Texts};
use huller_run::slowest_pages::SlowestPages;
use huller_select::{Extractor, PageType, Profile, Renderer, Selection, TextStyle, Verdict};
use std::borrow::Cow;
use std::time::Duration;

/// Settings that all pages of one input share.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'a> {
    pub(crate) settings: &'a Settings,
    /// Name of the input.
    pub(crate) input: &'a str,
    /// Whether the run writes a rejects file.
    pub(crate) rejects: bool,
    /// Most dropped rows that the run keeps for each reason, if it keeps any.
    pub(crate) dropped: Option<u64>,
    /// Header that all signatures of the run share, if the run writes them to files.
    pub(crate) signatures: Option<Header>,
    /// Receives the time of each page, if the run keeps the slowest.
    pub(crate) slowest: Option<&'a SlowestPages>,
}

impl<'a> PageContext<'a> {
    /// Makes the context of an input of which only the rows are wanted.
    pub(crate) fn for_rows(settings: &'a Settings, input: &'a str) -> PageContext<'a> {
        let (dropped, signatures, slowest) = (None, None, None);
        PageContext { settings, input, rejects: false, dropped, signatures, slowest }
    }

    /// Notes how long a record took, if the run keeps the slowest.
    pub(crate) fn note_time(&self, took: Duration, url: Option<&[u8]>, position: Position) {
        if let Some(slowest) = self.slowest {
            slowest.note(took, self.input, url, position);
        }
    }
}

/// A page and its place.
pub(crate) struct PlacedPage<'a> {
    page: RawPage<'a>,
    position: Position,
    /// Name of the input, if it is an archive that rows refer to.
    archive: Option<&'a str>,
    /// The record of the page, if the run writes records.
    record: Option<PageRecord<'a>>,
}

impl<'a> PlacedPage<'a> {
    /// Makes a page at this position of an archive.
    pub(crate) fn at_position(
        page: RawPage<'a>,
        archive: &'a str,
        position: Position,
    ) -> PlacedPage<'a> {
        PlacedPage { page, position, archive: Some(archive), record: None }
    }

    /// Makes a page that is the whole input.
    pub(crate) fn from_whole_input(page: RawPage<'a>) -> PlacedPage<'a> {
        PlacedPage { page, position: Position::default(), archive: None, record: None }
    }

    /// Returns the page with its record, which a run that writes records needs.
    pub(crate) fn with_record(self, record: Option<PageRecord<'a>>) -> PlacedPage<'a> {
        PlacedPage { record, ..self }
    }

    /// Returns the number that, with the input, identifies a page without an identifier.
    fn place(&self) -> u64 {
        let Position { member, stream_offset } = self.position;
        member.map(|(offset, _)| offset).or(stream_offset).unwrap_or_default()
    }
}

/// Buffers for all steps after the bytes of a page are found.
pub(crate) struct PageWork {
    stages: StageWork,
    url: String,
    texts: RecordTexts,
    utf8: String,
    columns: PageBuf,
    article: StatedArticle,
    forms: PageForms,
    scratch: FormScratch,
    /// The user's own keys as the stages change them.
    own: Vec<u8>,
}

impl PageWork {
    pub(crate) fn new(settings: &Settings) -> PageWork {
        PageWork {
            stages: StageWork::new(settings),
            url: String::new(),
            texts: RecordTexts::default(),
            utf8: String::new(),
            columns: PageBuf::default(),
            article: StatedArticle::default(),
            forms: PageForms::new(settings),
            scratch: FormScratch::default(),
            own: Vec::new(),
        }
    }

    pub(crate) fn stages(&mut self) -> &mut StageWork {
        &mut self.stages
    }

    /// Returns the bytes of the texts that the last page gave.
    pub(crate) fn text_bytes(&self) -> usize {
        self.forms.bytes()
    }

    /// Extracts a page and passes its row to `sinks`. Calls `probe` after each step.
    pub(crate) fn row<P: Probe>(
        &mut self,
        context: &PageContext<'_>,
        facts: &PlacedPage<'_>,
        mut sinks: RowSinks<'_>,
        probe: &mut P,
    ) -> Result<(), Rejection> {
        let settings = context.settings;
        let PageWork { stages, url, texts, utf8, columns, article, forms, scratch, own } = self;
        let url = facts.page.url.map(|bytes| header_text(bytes, url));
        let mut staged = stages.begin(url, &sinks);
        staged.pass(StagePhase::Address, &sinks, probe)?;
        let record = texts.read(context, facts);
        probe.lap(PageStep::Row);
        let decoded = facts.page.text(url, settings.max_page_bytes, utf8);
        probe.lap(PageStep::Charset);
        // Text has no blocks, links or metadata, like a page without elements.
        let plain_text = facts.page.is_plain_text().then_some(decoded.text);
        let page = columns.fill(if plain_text.is_some() { "" } else { decoded.text });
        probe.lap(PageStep::Parsing);
        let base_url = url.filter(|_| plain_text.is_none());
        forms.metadata_reader.read(&page, base_url, &mut forms.metadata);
        let is_tuned = settings.profile == Profile::Tuned;
        let article = is_tuned.then(|| article.of(&page)).flatten();
        probe.lap(PageStep::Metadata);
        forms.is_stated = article.is_some();
        let page = article.unwrap_or(page);
        let verdict = forms.select(&page, plain_text.is_some());
        probe.lap(PageStep::Extractor(0));
        let verdict = forms.write_text(&page, plain_text, settings, verdict);
        probe.lap(PageStep::Rendering(0));
        staged.note_verdict(&verdict);
        let fields = PageFields { metadata: &forms.metadata, record: &record };
        staged.note_fields(&fields);
        staged.pass(StagePhase::Verdict, &sinks, probe)?;
        staged.pass_text(&mut forms.texts[0], &sinks, probe)?;
        let (language, refused) = staged.outcome();
        forms.write_forms(&page, url, settings);
        probe.lap(PageStep::Rendering(0));
        forms.write_other_texts(&page, plain_text.is_some(), settings, probe);
        if settings.blocks {
            forms.write_blocks(&page, stages);
        }
        if settings.passages.is_some() {
            forms.heading_lines.find(forms.renderer.headings(), &forms.markdown);
        }
        forms.rewrite(stages);
        let chain = &mut stages.chain;
        let kept =
            facts.page.kept.map(|kept| FormWriter::new(chain, scratch).write_user_keys(kept, own));
        if stages.signals.is_on() {
            stages.write_signals();
        }
        let anchors = forms.anchors(&page, settings);
        let found = PageResults { url, record, decoded, verdict, language, kept, anchors };
        let row = forms.row(context, facts, &found, stages);
        if let (Some(reason), Some((dropped, _))) = (refused, &mut sinks.dropped) {
            dropped.push_row(reason, stages.signals_json(), &row);
            return Err(reason.into());
        }
        sinks.sign(RowFacts::from_row(&row), stages.text.signature());
        probe.lap(PageStep::Row);
        sinks.rows.row(&row);
        Ok(())
    }
}

/// The text fields of a page that stages see, by the names of [`STAGE_FIELDS`].
struct PageFields<'p> {
    metadata: &'p Metadata,
    record: &'p RecordFields<'p>,
}

/// The fields that stages can read of a page, besides its URL and text.
pub(crate) const STAGE_FIELDS: &[&str] = &[
    "title",
    "author",
    "published",
    "site_name",
    "description",
    "id",
    "date",
    "content_type",
    "digest",
];

impl RowFields for PageFields<'_> {
    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        let PageFields { metadata, record } = self;
        let value = match name {
            "title" => non_empty(&metadata.title),
            "author" => non_empty(&metadata.author),
            "published" => non_empty(&metadata.published),
            "site_name" => non_empty(&metadata.site_name),
            "description" => non_empty(&metadata.description),
            "id" => Some(record.id),
            "date" => record.date,
            "content_type" => record.content_type,
            "digest" => record.digest,
            _ => None,
        };
        value.map(Cow::Borrowed)
    }
}

/// Results of the steps of a page, besides its forms.
struct PageResults<'p> {
    url: Option<&'p str>,
    record: RecordFields<'p>,
    decoded: PageText<'p>,
    verdict: Verdict,
    language: Option<Language>,
    /// The user's own keys, as JSON.
    kept: Option<&'p str>,
    /// The identifiers of headings, in runs that write passages.
    anchors: Vec<HeadingAnchor<'p>>,
}

/// Buffers for header values that are not UTF-8, and for generated identifiers and digests.
#[derive(Default)]
struct RecordTexts {
    id: String,
    date: String,
    content_type: String,
    digest: String,
}

/// The fields that a row takes from its record, as text.
struct RecordFields<'t> {
    id: &'t str,
    date: Option<&'t str>,
    content_type: Option<&'t str>,
    digest: Option<&'t str>,
}

impl RecordTexts {
    /// Reads the fields of the record. Makes an identifier if the record has none and, if the run
    /// asks for it, a digest.
    fn read<'t>(
        &'t mut self,
        context: &PageContext<'_>,
        facts: &PlacedPage<'t>,
    ) -> RecordFields<'t> {
        let RecordTexts { id, date, content_type, digest } = self;
        let page = &facts.page;
        let payload = page.stored_bytes().filter(|_| context.settings.digest);
        RecordFields {
            id: match page.id {
                Some(stated) if !stated.is_empty() => header_text(stated, id),
                _ => generate_id(context.input, facts.place(), id),
            },
            date: page.date.map(|bytes| header_text(bytes, date)),
            content_type: page.content_type.map(|bytes| header_text(bytes, content_type)),
            digest: digest::write(page.digest, payload, digest),
        }
    }
}

/// The extractors, and the forms of their selections of one page.
struct PageForms {
    /// The names of the extractors.
    names: Vec<&'static str>,
    /// A worker of every extractor.
    extractors: Vec<Box<dyn Extractor>>,
    /// The place of the P value, if it is not the first extractor. It judges whether a page has an
    /// article.
    pvalue: Option<usize>,
    /// Whether its verdict replaces that of the first extractor.
    judges: bool,
    /// The extractor for pages that are articles as a whole.
    whole: Box<dyn Extractor>,
    /// Whether the page is the article that another page states.
    is_stated: bool,
    /// Whether the selections lack the headline at their start.
    leave_out_headline: bool,
    selection: Selection,
    /// The selection of an extractor of which only the verdict is wanted.
    unused_selection: Selection,
    renderer: Renderer,
    /// The text of every extractor.
    texts: Vec<String>,
    metadata_reader: MetadataReader,
    metadata: Metadata,
    comments: String,
    markdown: String,
    heading_lines: HeadingLines,
    html: String,
    source_html: String,
    blocks: BlockList,
}

/// Name of the extractor whose purpose is also to judge pages.
const PVALUE: &str = "pvalue";

/// Name of the extractor in rows whose text no extractor made.
const NO_EXTRACTOR: &str = "none";

impl PageForms {
    fn new(settings: &Settings) -> PageForms {
        let mut renderer = Renderer::new(match TextStyle::for_profile(settings.profile) {
            TextStyle::Formed(_) => TextStyle::Formed(settings.text_form),
            TextStyle::Specification => TextStyle::Specification,
        });
        if settings.blocks {
            renderer.note_places();
        }
        if settings.passages.is_some() {
            renderer.note_headings();
        }
        let names: Vec<_> = settings.methods.iter().map(|method| method.name()).collect();
        PageForms {
            texts: vec![String::new(); names.len()],
            pvalue: names.iter().position(|name| *name == PVALUE).filter(|place| *place > 0),
            judges: settings.judge,
            names,
            extractors: settings.extractors(),
            whole: huller_extract::WHOLE.worker(settings.profile),
            is_stated: false,
            leave_out_headline: settings.leave_out_headline,
            selection: Selection::default(),
            unused_selection: Selection::default(),
            renderer,
            metadata_reader: MetadataReader::default(),
            metadata: Metadata::default(),
            comments: String::new(),
            markdown: String::new(),
            heading_lines: HeadingLines::default(),
            html: String::new(),
            source_html: String::new(),
            blocks: BlockList::new(settings),
        }
    }

    /// Returns the bytes of all forms.
    fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(String::len).sum();
        let forms = self.markdown.len() + self.html.len() + self.source_html.len();
        texts + self.comments.len() + forms + self.blocks.json().len()
    }

    /// Lets the first extractor select, and returns its verdict. If the P value is one of the
    /// extractors, it judges whether the page has an article, unless the first one does and the run
    /// does not ask for judgement. A text that was extracted earlier gets no verdict.
    fn select(&mut self, page: &Page<'_>, is_plain: bool) -> Verdict {
        self.texts.iter_mut().for_each(clear);
        let mut verdict = self.extract(page, 0);
        if is_plain {
            return Verdict::default();
        }
        if let Some(place) = self.pvalue.filter(|_| self.judges || verdict.has_article.is_none()) {
            std::mem::swap(&mut self.selection, &mut self.unused_selection);
            verdict.has_article = self.extract(page, place).has_article;
            std::mem::swap(&mut self.selection, &mut self.unused_selection);
        }
        verdict
    }

    /// Lets an extractor select. Of an article that a page states everything is selected, without
    /// regard to the extractor's judgement of the parts.
    fn extract(&mut self, page: &Page<'_>, place: usize) -> Verdict {
        let PageForms { extractors, whole, selection, is_stated, leave_out_headline, .. } = self;
        let verdict = extractors[place].extract(page, selection);
        if *leave_out_headline {
            selection.leave_out_headline();
        }
        if !*is_stated {
            return verdict;
        }
        whole.extract(page, selection);
        let has_article = verdict.has_article.map(|_| true);
        let page_type = verdict.page_type.map(|_| PageType::Article);
        Verdict { has_article, page_type, ..verdict }
    }

    /// Writes the text of that selection and the included parts. `plain` is the text of a page that
    /// is text already. Returns the verdict on a page with this text.
    fn write_text(
        &mut self,
        page: &Page<'_>,
        plain: Option<&str>,
        settings: &Settings,
        verdict: Verdict,
    ) -> Verdict {
        let PageForms { extractors, selection, renderer, texts, metadata, blocks, .. } = self;
        let text = &mut texts[0];
        let before_body = match plain {
            Some(plain) => {
                plain_text::write(plain, text);
                0
            }
            None => settings.include.write(page, selection, metadata, renderer, text),
        };
        if settings.blocks {
            blocks.begin(page, renderer, text, before_body);
            blocks.add(page, &mut *extractors[0], selection);
        }
        match plain {
            Some(_) => verdict.with_text(text),
            None => verdict.with_selection(page, selection, &text[before_body..]),
        }
    }

    /// Writes the other forms of that selection that the run asks for, and its comments.
    fn write_forms(&mut self, page: &Page<'_>, url: Option<&str>, settings: &Settings) {
        let PageForms { selection, renderer, comments, markdown, html, source_html, .. } = self;
        [&mut *markdown, &mut *html, &mut *source_html, &mut *comments].into_iter().for_each(clear);
        if let Some(options) = settings.markdown_options() {
            renderer.markdown(page, selection, url, options, markdown);
        }
        if settings.html {
            renderer.html(page, selection, url, html);
        }
        if settings.source_html {
            renderer.source_html(page, selection, source_html);
        }
        renderer.comments(page, selection, comments);
    }

    /// Lets the other extractors select, and writes their texts.
    fn write_other_texts<P: Probe>(
        &mut self,
        page: &Page<'_>,
        is_plain: bool,
        settings: &Settings,
        probe: &mut P,
    ) {
        for place in 1..self.extractors.len() {
            self.extract(page, place);
            probe.lap(PageStep::Extractor(place));
            let PageForms { extractors, selection, renderer, texts, metadata, blocks, .. } = self;
            let (first, others) = texts.split_at_mut(place);
            if is_plain {
                others[0].push_str(&first[0]);
            } else {
                settings.include.write(page, selection, metadata, renderer, &mut others[0]);
            }
            if settings.blocks {
                blocks.add(page, &mut *extractors[place], selection);
            }
            probe.lap(PageStep::Rendering(place));
        }
    }

    /// Writes the list of blocks. It needs the text as the stages left it, and title and author as
    /// the page has them.
    fn write_blocks(&mut self, page: &Page<'_>, stages: &mut StageWork) {
        let Metadata { title, author, .. } = &self.metadata;
        let facts = PageFacts { text: &self.texts[0], title, author };
        self.blocks.write(page, facts, &self.names, &mut self.renderer, &mut stages.chain);
    }

    /// Applies to every form with words of the page the changes that the stages made to the
    /// characters of its text.
    fn rewrite(&mut self, stages: &mut StageWork) {
        let StageWork { chain, spare, .. } = stages;
        if chain.is_empty() {
            return;
        }
        let Metadata { title, author, site_name, description, .. } = &mut self.metadata;
        let of_page = [title, author, site_name, description];
        [&mut self.markdown, &mut self.html, &mut self.source_html, &mut self.comments]
            .into_iter()
            .chain(of_page)
            .chain(&mut self.texts[1..])
            .for_each(|form| _ = chain.rewrite(form, spare));
    }

    /// Returns the identifiers of the headings in the Markdown, in runs that write passages.
    fn anchors<'p>(&self, page: &Page<'p>, settings: &Settings) -> Vec<HeadingAnchor<'p>> {
        match settings.passages {
            Some(_) => self.heading_lines.anchors(self.renderer.headings(), page, &self.markdown),
            None => Vec::new(),
        }
    }

    /// Returns the row of the page.
    fn row<'r>(
        &'r self,
        context: &PageContext<'r>,
        facts: &PlacedPage<'r>,
        found: &'r PageResults<'r>,
        stages: &'r StageWork,
    ) -> Row<'r> {
        let (settings, metadata) = (context.settings, &self.metadata);
        let PageResults { url, record, decoded, verdict, language, kept, anchors } = found;
        let cut = decoded.truncated.then_some("page_limit");
        let (offset, length) = facts.position.member.unzip();
        let is_plain = facts.page.is_plain_text();
        Row {
            id: record.id,
            url: *url,
            date: record.date,
            title: non_empty(&metadata.title),
            text: &self.texts[0],
            language: language.as_ref().map(Language::code),
            language_script: language.as_ref().map(Language::script),
            language_score: language.map(|language| language.score),
            author: non_empty(&metadata.author),
            published: non_empty(&metadata.published),
            site_name: non_empty(&metadata.site_name),
            description: non_empty(&metadata.description),
            extractor: if is_plain { NO_EXTRACTOR } else { self.names[0] },
            score: verdict.score,
            page_type: verdict.page_type.map(PageType::name),
            has_article: verdict.with_text(&self.texts[0]).has_article,
            comments: non_empty(&self.comments),
            charset: decoded.charset.label(),
            charset_source: decoded.charset.source.name(),
            replaced: decoded.replaced,
            content_type: record.content_type,
            status: facts.page.status,
            digest: record.digest,
            file_path: context.input,
            warc_filename: facts.archive,
            warc_record_offset: offset,
            warc_record_length: length,
            stream_offset: facts.position.stream_offset.filter(|_| offset.is_none()),
            truncated: cut.or(facts.page.truncated.map(Truncation::name)),
            texts: (self.texts.len() > 1)
                .then_some(Texts { names: &self.names, texts: &self.texts }),
            markdown: settings.markdown_options().is_some().then_some(&self.markdown),
            html: settings.html.then_some(&self.html),
            source_html: settings.source_html.then_some(&self.source_html),
            blocks: settings.blocks.then(|| self.blocks.json()),
            signals: settings.signals.then(|| stages.signals_json()),
            classes: stages.text.classes(),
            perplexity: stages.text.perplexity().and_then(|perplexity| perplexity.value),
            bucket: stages.text.perplexity().map(|perplexity| perplexity.bucket.name()),
            tokens: stages.text.tokens(),
            source: *kept,
            record: facts.record,
            anchors,
            passage: None,
            extras: settings.extras(),
        }
    }
}

/// Returns a field of the metadata, or `None` if it is empty.
fn non_empty(field: &str) -> Option<&str> {
    (!field.is_empty()).then_some(field)
}

/// Empties a text, and frees its buffer if that is large.
fn clear(text: &mut String) {
    const KEPT: usize = 1 << 20;
    let mut bytes = std::mem::take(text).into_bytes();
    clear_and_shrink(&mut bytes, KEPT);
    *text = String::from_utf8(bytes).expect("no bytes are UTF-8");
}
