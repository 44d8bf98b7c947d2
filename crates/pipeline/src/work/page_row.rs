//! Turns a page's bytes into its row: decode, extract, render, filter.

use crate::probe::{PageStep, Probe};
use crate::settings::Settings;
use crate::work::dropped_rows::RowSinks;
use crate::work::header_text::header_text;
use crate::work::link_list::LinkSource;
use crate::work::page_context::{PageContext, PlacedPage};
use crate::work::page_renderings::{Candidate, PageRenderings, lists_blocks};
use crate::work::page_results::{PageResults, RecordFields, RecordTexts, non_empty};
use crate::work::page_statements::PageStatements;
use crate::work::rejection::Rejection;
use crate::work::signed_rows::RowFacts;
use crate::work::stages::StageWork;
use crate::work::value_rewriter::{ValueRewriter, ValueScratch};
use huller_metadata::{Metadata, MetadataReader, StatedArticle};
use huller_page::PageBuf;
use huller_refine::{RowFields, StagePhase};
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::reason as withdrawn_reason;
use huller_select::Profile;
use std::borrow::Cow;

/// Buffers for all steps after the bytes of a page are found.
pub(crate) struct PageWork {
    stages: StageWork,
    url: String,
    texts: RecordTexts,
    utf8: String,
    columns: PageBuf,
    metadata_reader: MetadataReader,
    metadata: Metadata,
    article: StatedArticle,
    statements: PageStatements,
    renderings: PageRenderings,
    scratch: ValueScratch,
    /// The user's own keys as the stages change them.
    own: Vec<u8>,
    /// Finds withdrawn rows, if there are any.
    withdrawn: Option<Finder>,
}

impl PageWork {
    pub(crate) fn new(settings: &Settings) -> PageWork {
        PageWork {
            stages: StageWork::new(settings),
            url: String::new(),
            texts: RecordTexts::default(),
            utf8: String::new(),
            columns: PageBuf::default(),
            metadata_reader: MetadataReader::default(),
            metadata: Metadata::default(),
            article: StatedArticle::default(),
            statements: PageStatements::new(settings.has_rights()),
            renderings: PageRenderings::new(settings),
            scratch: ValueScratch::default(),
            own: Vec::new(),
            withdrawn: settings.finder(),
        }
    }

    pub(crate) fn stages(&mut self) -> &mut StageWork {
        &mut self.stages
    }

    /// Returns the bytes of the texts that the last page gave.
    pub(crate) fn text_bytes(&self) -> usize {
        self.renderings.bytes() + self.statements.bytes()
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
        let PageWork {
            stages, url, texts, utf8, columns, article, renderings, scratch, own, ..
        } = self;
        let (metadata_reader, metadata) = (&mut self.metadata_reader, &mut self.metadata);
        let withdrawn = &mut self.withdrawn;
        let statements = &mut self.statements;
        let url = facts.page.url.map(|bytes| header_text(bytes, url));
        let mut staged = stages.begin(url, &sinks);
        staged.pass(StagePhase::Address, &sinks, probe)?;
        let record = texts.read(context, facts);
        probe.lap(PageStep::Row);
        let decoded = facts.page.text(url, settings.max_page_bytes, utf8);
        probe.lap(PageStep::Charset);
        // Text has no blocks, links or metadata, like a page without elements.
        let plain = facts.page.is_plain_text().then_some(decoded.text);
        let page = columns.fill(if plain.is_some() { "" } else { decoded.text });
        probe.lap(PageStep::Parsing);
        metadata_reader.read(&page, url.filter(|_| plain.is_none()), metadata);
        let archive = facts.archive.unwrap_or(context.input);
        let rights = statements.read(&facts.page, &page, metadata, (archive, facts.position));
        let is_tuned = settings.profile == Profile::Tuned;
        let article = is_tuned.then(|| article.article_page(&page)).flatten();
        probe.lap(PageStep::Metadata);
        renderings.begin(article.is_some());
        // A page that states an article has links of its own all the same.
        let (whole, page) = (page, article.unwrap_or(page));
        let fields = PageFields { metadata, record: &record, rights };
        let candidate = Candidate { page: &page, plain, metadata, fields: &fields, settings };
        let verdict = renderings.find_text(&candidate, &mut staged, &sinks, probe)?;
        let (language, refused) = staged.outcome();
        renderings.write_markup(&page, url, settings);
        probe.lap(PageStep::Rendering(0));
        if settings.has_links() {
            let repeated = url.map_or(0, str::len) + record.id.len();
            let source = LinkSource { url, charset: decoded.charset, repeated };
            renderings.write_links(&whole, source, metadata, stages);
        }
        renderings.write_other_texts(&candidate, probe);
        if lists_blocks(settings, &verdict) {
            renderings.write_blocks(&page, metadata, stages);
        }
        if settings.passages().is_some() {
            renderings.find_headings();
        }
        renderings.rewrite(metadata, stages);
        let chain = &mut stages.chain;
        let kept_record = facts.page.kept.map(|kept_record| {
            ValueRewriter::new(chain, scratch).write_user_keys(kept_record, own)
        });
        if stages.signals.is_on() {
            stages.write_signals();
        }
        let anchors = renderings.anchors(&page, settings);
        let links = renderings.links();
        let results = PageResults {
            url,
            record,
            metadata,
            decoded,
            verdict,
            language,
            kept: kept_record,
            anchors,
            rights,
            links,
        };
        let row = renderings.row(context, facts, &results, stages);
        let (id, text) = (Some(row.id), Some(row.text));
        let identity = RowIdentity { url: row.url, id, parent_id: None, text };
        if withdrawn.as_mut().is_some_and(|finder| finder.rule(&identity).is_some()) {
            return Err(withdrawn_reason().into());
        }
        if let (Some(reason), Some((dropped, _))) = (refused, &mut sinks.dropped) {
            dropped.push_row(reason, stages.signals_json(), &row);
            return Err(reason.into());
        }
        sinks.sign(RowFacts::from_row(&row), stages.text.signature());
        probe.lap(PageStep::Row);
        sinks.rows.row(&row);
        renderings.note_choice(stages);
        Ok(())
    }
}

/// The text fields of a page that stages see, by the names of [`STAGE_FIELDS`].
struct PageFields<'p> {
    metadata: &'p Metadata,
    record: &'p RecordFields<'p>,
    /// The statements of the page about its use, as JSON.
    rights: Option<&'p str>,
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
    "rights",
];

impl RowFields for PageFields<'_> {
    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        let PageFields { metadata, record, rights } = self;
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
            "rights" => *rights,
            _ => None,
        };
        value.map(Cow::Borrowed)
    }
}
