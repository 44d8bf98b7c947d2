//! From a page's bytes to its row: decode, extract, render, filter.

use crate::budget::{end_of_tags, max_tags};
use crate::settings::Settings;
use crate::work::block_list::BlockList;
use crate::work::digest;
use crate::work::dropped::{Refusal, RowSinks};
use crate::work::forms::{FormScratch, FormWriter};
use crate::work::header_text::header_text;
use crate::work::plain_text;
use crate::work::rejection::Rejection;
use crate::work::signed_rows::RowFacts;
use crate::work::stages::StageWork;
use huller_archive::charset::{self, PageText};
use huller_archive::{Charset, CharsetSource, Position, Truncation};
use huller_extract::PageFacts;
use huller_metadata::{Metadata, MetadataReader};
use huller_page::PageBuf;
use huller_page::memory::clear_and_shrink;
use huller_refine::signature::file::Header;
use huller_refine::{Draft, Language, Needs, Signals};
use huller_row::{Row, Texts};
use huller_run::slowest::Slowest;
use huller_select::{Extractor, PageType, Renderer, Selection, TextStyle, Verdict};
use std::time::Duration;
use uuid::Uuid;

/// Memory for what happens once a page is HTML.
pub(crate) struct PageWork {
    pub(crate) stages: StageWork,
    /// The names of the methods.
    names: Vec<&'static str>,
    utf8: String,
    columns: PageBuf,
    /// A worker of every method.
    extractors: Vec<Box<dyn Extractor>>,
    selection: Selection,
    renderer: Renderer,
    /// The text of every method.
    texts: Vec<String>,
    metadata_reader: MetadataReader,
    metadata: Metadata,
    comments: String,
    markdown: String,
    html: String,
    source_html: String,
    blocks: BlockList,
    forms: FormScratch,
    /// The user's own keys as the stages change them.
    own: Vec<u8>,
}

impl PageWork {
    /// Bytes of the texts that the last page gave.
    pub(crate) fn text_bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(String::len).sum();
        let forms = self.markdown.len() + self.html.len() + self.source_html.len();
        texts + self.comments.len() + forms + self.blocks.json().len()
    }

    pub(crate) fn new(settings: &Settings) -> PageWork {
        let mut renderer = Renderer::new(match TextStyle::of(settings.profile) {
            TextStyle::Formed(_) => TextStyle::Formed(settings.text_form),
            TextStyle::Specification => TextStyle::Specification,
        });
        if settings.blocks {
            renderer.note_places();
        }
        PageWork {
            stages: StageWork::new(settings),
            names: settings.methods.iter().map(|method| method.name()).collect(),
            utf8: String::new(),
            columns: PageBuf::default(),
            extractors: settings.extractors(),
            selection: Selection::default(),
            renderer,
            texts: Vec::new(),
            metadata_reader: MetadataReader::default(),
            metadata: Metadata::default(),
            comments: String::new(),
            markdown: String::new(),
            html: String::new(),
            source_html: String::new(),
            blocks: BlockList::new(settings),
            forms: FormScratch::default(),
            own: Vec::new(),
        }
    }
}

/// Memory for header values that are not UTF-8 and for names made up here.
#[derive(Default)]
pub(crate) struct HeaderTexts {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) date: String,
    pub(crate) content_type: String,
    pub(crate) digest: String,
}

/// What all pages of one input have in common.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'a> {
    pub(crate) settings: &'a Settings,
    /// Name of the input.
    pub(crate) input: &'a str,
    /// Whether the run writes a rejects file.
    pub(crate) rejects: bool,
    /// How many rows of each reason the run keeps of those that stages drop, if it keeps any.
    pub(crate) dropped: Option<u64>,
    /// What all signatures of the run have in common, if it writes them to files.
    pub(crate) signatures: Option<Header>,
    /// Where pages that take long are noted, if they are.
    pub(crate) slowest: Option<&'a Slowest>,
}

impl PageContext<'_> {
    /// Notes how long a record took, if the run keeps the slowest.
    pub(crate) fn note_time(&self, took: Duration, url: Option<&[u8]>, position: Position) {
        if let Some(slowest) = self.slowest {
            slowest.note(took, self.input, url, position);
        }
    }
}

/// What is known of a page besides its bytes.
#[derive(Default)]
pub(crate) struct Facts<'a> {
    pub(crate) id: Option<&'a [u8]>,
    pub(crate) url: Option<&'a [u8]>,
    pub(crate) date: Option<&'a [u8]>,
    pub(crate) content_type: Option<&'a [u8]>,
    pub(crate) status: Option<u16>,
    /// WARC-Payload-Digest.
    pub(crate) digest: Option<&'a [u8]>,
    /// The body as it is stored, if that is not the source.
    pub(crate) payload: Option<&'a [u8]>,
    pub(crate) truncated: Option<Truncation>,
    /// The user's own keys, as JSON.
    pub(crate) source: Option<&'a str>,
    pub(crate) position: Position,
    /// What to name a page that has no identifier, besides its input.
    pub(crate) place: u64,
    /// Name of the input, if it is an archive, to which rows lead back.
    pub(crate) archive: Option<&'a str>,
}

/// The bytes of a page.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Bytes {
        bytes: &'a [u8],
        http_charset: Option<&'a [u8]>,
    },
    Text(&'a str),
    /// Text that was made of a page already: nothing is extracted.
    PlainText {
        bytes: &'a [u8],
        charset: &'a [u8],
    },
}

/// Name of the method in rows whose text no method made.
const NO_METHOD: &str = "none";

/// Extracts a page and hands out its row.
pub(crate) fn row(
    context: &PageContext<'_>,
    work: &mut PageWork,
    texts: &mut HeaderTexts,
    facts: &Facts<'_>,
    source: Source<'_>,
    mut sinks: RowSinks<'_>,
) -> Result<(), Rejection> {
    let settings = context.settings;
    let PageWork {
        stages: stage_work,
        names,
        utf8,
        columns,
        extractors,
        selection,
        renderer,
        texts: page_texts,
        metadata_reader,
        metadata,
        comments,
        markdown,
        html,
        source_html,
        blocks,
        forms,
        own,
    } = work;
    let url = facts.url.map(|url| header_text(url, &mut texts.url));
    let StageWork { chain: stages, text: stage_text, signals, spare, .. } = stage_work;
    stages.begin();
    signals.clear();
    if sinks.dropped.is_some() && !signals.is_on() {
        *signals = Signals::on();
    }
    let mut refusal = Refusal::default();
    let mut draft = Draft { url, ..Draft::of_text(stage_text, signals) };
    refusal.ask(&sinks, || stages.apply(Needs::Address, &mut draft))?;
    let payload = match (&source, settings.digest) {
        (Source::Bytes { bytes, .. } | Source::PlainText { bytes, .. }, true) => {
            Some(facts.payload.unwrap_or(bytes))
        }
        _ => None,
    };
    let digest = digest::write(facts.digest, payload, &mut texts.digest);
    let decoded = decode(source, url, settings.max_page_bytes, utf8);
    let cut = decoded.truncated.then_some("page_limit");

    let is_plain = matches!(source, Source::PlainText { .. });
    // Text has no blocks, links or metadata, like a page without elements.
    let page = columns.fill(if is_plain { "" } else { decoded.text });
    let (first, others) = extractors.split_first_mut().expect("settings name a method");
    page_texts.resize_with(names.len(), String::new);
    page_texts.iter_mut().for_each(clear);
    let (text, other_texts) = page_texts.split_first_mut().expect("a method has a text");
    let verdict = first.extract(&page, selection);
    let verdict = if is_plain { Verdict::default() } else { verdict };
    draft.has_article = verdict.has_article;
    draft.page_type = verdict.page_type.map(PageType::name);
    draft.score = verdict.score;
    refusal.ask(&sinks, || stages.apply(Needs::Verdict, &mut draft))?;
    metadata_reader.read(&page, url.filter(|_| !is_plain), metadata);
    let body = if is_plain {
        plain_text::write(decoded.text, text);
        0
    } else {
        settings.include.write(&page, selection, metadata, renderer, text)
    };
    if settings.blocks {
        blocks.begin(&page, renderer, text, body);
        blocks.add(&page, &mut **first, selection);
    }
    draft.text.swap(text);
    let kept = refusal.ask(&sinks, || {
        [Needs::Text, Needs::Final]
            .into_iter()
            .try_for_each(|needs| stages.apply(needs, &mut draft))
    });
    draft.text.give_back(text);
    kept?;
    let language = draft.language;
    [&mut *markdown, &mut *html, &mut *source_html, &mut *comments].into_iter().for_each(clear);
    if let Some(options) = settings.markdown {
        renderer.markdown(&page, selection, url, options, markdown);
    }
    if settings.html {
        renderer.html(&page, selection, url, html);
    }
    if settings.source_html {
        renderer.source_html(&page, selection, source_html);
    }
    renderer.comments(&page, selection, comments);
    for (extractor, other) in others.iter_mut().zip(&mut *other_texts) {
        extractor.extract(&page, selection);
        if is_plain {
            other.push_str(text);
        } else {
            settings.include.write(&page, selection, metadata, renderer, other);
        }
        if settings.blocks {
            blocks.add(&page, &mut **extractor, selection);
        }
    }
    if settings.blocks {
        let Metadata { title, author, .. } = &*metadata;
        blocks.write(&page, PageFacts { text, title, author }, names, renderer, stages);
    }
    if !stages.is_empty() {
        let Metadata { title, author, site_name, description, .. } = &mut *metadata;
        let of_page = [title, author, site_name, description];
        let of_text = [&mut *markdown, &mut *html, &mut *source_html, &mut *comments];
        of_text
            .into_iter()
            .chain(of_page)
            .chain(other_texts)
            .for_each(|form| _ = stages.rewrite(form, spare));
    }
    let source = facts.source.map(|source| FormWriter::new(stages, forms).own(source, own));
    if signals.is_on() {
        stage_work.write_signals();
    }
    let figures = stage_work.signals_json();

    let id = match facts.id {
        Some(id) if !id.is_empty() => header_text(id, &mut texts.id),
        _ => made_up_id(context.input, facts.place, &mut texts.id),
    };
    let (offset, length) = facts.position.member.unzip();
    let stream_offset = if offset.is_none() { facts.position.stream_offset } else { None };
    let row = Row {
        id,
        url,
        date: facts.date.map(|date| header_text(date, &mut texts.date)),
        title: stated(&metadata.title),
        text: &page_texts[0],
        language: language.as_ref().map(Language::code),
        language_script: language.as_ref().map(Language::script),
        language_score: language.map(|language| language.score),
        author: stated(&metadata.author),
        published: stated(&metadata.published),
        site_name: stated(&metadata.site_name),
        description: stated(&metadata.description),
        extractor: if is_plain { NO_METHOD } else { names[0] },
        score: verdict.score,
        page_type: verdict.page_type.map(PageType::name),
        has_article: verdict.has_article,
        comments: stated(comments),
        charset: decoded.charset.label(),
        charset_source: decoded.charset.source.name(),
        replaced: decoded.replaced,
        content_type: facts.content_type.map(|value| header_text(value, &mut texts.content_type)),
        status: facts.status,
        digest,
        file_path: context.input,
        warc_filename: facts.archive,
        warc_record_offset: offset,
        warc_record_length: length,
        stream_offset,
        truncated: cut.or(facts.truncated.map(Truncation::name)),
        texts: (!others.is_empty()).then_some(Texts { names, texts: page_texts }),
        markdown: settings.markdown.is_some().then_some(markdown),
        html: settings.html.then_some(html),
        source_html: settings.source_html.then_some(source_html),
        blocks: settings.blocks.then(|| blocks.json()),
        signals: settings.signals.then_some(figures),
        tokens: stage_work.text.tokens(),
        source,
        extras: settings.extras(),
    };
    if let (Some(reason), Some((dropped, _))) = (refusal.0, &mut sinks.dropped) {
        dropped.push_row(reason, figures, &row);
        return Err(reason.into());
    }
    sinks.sign(RowFacts::of(&row), stage_work.text.signature());
    sinks.rows.row(&row);
    Ok(())
}

/// The page as text, cut if it is too long or has too many tags.
fn decode<'a>(
    source: Source<'a>,
    url: Option<&str>,
    max_bytes: usize,
    utf8: &'a mut String,
) -> PageText<'a> {
    let mut page = match source {
        Source::Text(text) => {
            let cut = text.floor_char_boundary(max_bytes);
            let charset = Charset { encoding: charset::UTF_8, source: CharsetSource::Default };
            PageText { text: &text[..cut], charset, truncated: cut < text.len(), replaced: 0 }
        }
        Source::Bytes { bytes, http_charset } => {
            charset::decode_page(bytes, http_charset, url, max_bytes, utf8)
        }
        Source::PlainText { bytes, charset } => {
            let mut text = charset::decode_page(bytes, Some(charset), url, max_bytes, utf8);
            if text.charset.source == CharsetSource::Http {
                text.charset.source = CharsetSource::Default;
            }
            text
        }
    };
    if let Some(end) = end_of_tags(page.text.as_bytes(), max_tags(max_bytes)) {
        (page.text, page.truncated) = (&page.text[..end], true);
    }
    page
}

/// A field of the metadata, if anything was found.
fn stated(field: &str) -> Option<&str> {
    (!field.is_empty()).then_some(field)
}

/// Empties a text, as [`empty`] does with any buffer.
fn clear(text: &mut String) {
    const KEPT: usize = 1 << 20;
    let mut bytes = std::mem::take(text).into_bytes();
    clear_and_shrink(&mut bytes, KEPT);
    *text = String::from_utf8(bytes).expect("no bytes are UTF-8");
}

/// An identifier for a page that has none: the same in every run over the same input.
fn made_up_id<'a>(input: &str, place: u64, buffer: &'a mut String) -> &'a str {
    use std::fmt::Write;
    buffer.clear();
    // Writing to a string cannot fail.
    let _ = write!(buffer, "huller:{input}#{place}");
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, buffer.as_bytes());
    buffer.clear();
    let _ = write!(buffer, "{id}");
    buffer
}
