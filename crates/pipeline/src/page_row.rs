//! From a page's bytes to its row: decode, extract, render, filter.

use crate::account::Reason;
use crate::row::{Row, RowSink, Texts, header_text};
use crate::settings::Settings;
use data_encoding::BASE32;
use huller_archive::{Charset, CharsetSource, Position, charset};
use huller_extract::{Extractor, Metadata, MetadataReader, PageType, Renderer, Scratch, Selection};
use huller_page::PageBuf;
use sha1::{Digest, Sha1};
use uuid::Uuid;

/// Memory for what happens once a page is HTML.
#[derive(Default)]
pub(crate) struct PageWork {
    utf8: String,
    columns: PageBuf,
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
    /// The text of every method.
    texts: Vec<String>,
    metadata_reader: MetadataReader,
    metadata: Metadata,
    comments: String,
    html: String,
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
    pub(crate) extractors: &'a [&'a dyn Extractor],
    /// Name of the input.
    pub(crate) input: &'a str,
    /// Whether anyone wants reject lines.
    pub(crate) rejects: bool,
}

/// Why a record gives no row.
pub(crate) struct Rejection {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Rejection {
        Rejection { reason, detail: String::new() }
    }
}

/// What is known of a page besides its bytes.
pub(crate) struct Facts<'a> {
    pub(crate) id: Option<&'a [u8]>,
    pub(crate) url: Option<&'a [u8]>,
    pub(crate) date: Option<&'a [u8]>,
    pub(crate) content_type: Option<&'a [u8]>,
    pub(crate) status: Option<u16>,
    pub(crate) digest: Option<&'a [u8]>,
    pub(crate) position: Position,
    /// What to name a page that has no identifier, besides its input.
    pub(crate) place: u64,
    /// Whether the input is a file of records, which rows lead back to.
    pub(crate) in_archive: bool,
}

/// The bytes of a page.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Bytes { bytes: &'a [u8], http_charset: Option<&'a [u8]> },
    Text(&'a str),
}

/// Extracts a page and hands out its row.
pub(crate) fn row(
    context: &PageContext<'_>,
    work: &mut PageWork,
    texts: &mut HeaderTexts,
    facts: &Facts<'_>,
    source: Source<'_>,
    rows: &mut dyn RowSink,
) -> Result<(), Rejection> {
    let settings = context.settings;
    let PageWork {
        utf8,
        columns,
        scratch,
        selection,
        renderer,
        texts: page_texts,
        metadata_reader,
        metadata,
        comments,
        html,
    } = work;
    let url = facts.url.map(|url| header_text(url, &mut texts.url));
    let mut digest = facts.digest.and_then(|digest| std::str::from_utf8(digest).ok());
    if digest.is_none()
        && settings.digest
        && let Source::Bytes { bytes, .. } = &source
    {
        texts.digest.clear();
        texts.digest.push_str("sha1:");
        BASE32.encode_append(&Sha1::digest(bytes), &mut texts.digest);
        digest = Some(&texts.digest);
    }
    let (source, charset, truncated) = decode(source, url, settings.max_page_bytes, utf8);

    let page = columns.fill(source);
    let (first, others) = context.extractors.split_first().expect("settings name a method");
    page_texts.resize_with(context.extractors.len(), String::new);
    page_texts.iter_mut().for_each(clear);
    let verdict = first.extract(&page, scratch, selection);
    if settings.judge && verdict.has_article == Some(false) {
        return Err(Reason::NoArticle.into());
    }
    metadata_reader.read(&page, url, metadata);
    settings.include.write(&page, selection, metadata, renderer, &mut page_texts[0]);
    if settings.min_chars > 0 && page_texts[0].chars().count() < settings.min_chars {
        return Err(Reason::TooShort.into());
    }
    clear(comments);
    renderer.comments(&page, selection, comments);
    clear(html);
    if settings.html {
        renderer.html(&page, selection, html);
    }
    for (extractor, text) in others.iter().zip(&mut page_texts[1..]) {
        extractor.extract(&page, scratch, selection);
        settings.include.write(&page, selection, metadata, renderer, text);
    }

    let id = match facts.id {
        Some(id) if !id.is_empty() => header_text(id, &mut texts.id),
        _ => made_up_id(context.input, facts.place, &mut texts.id),
    };
    let (offset, length) = facts.position.member.unzip();
    let stream_offset = if offset.is_none() { facts.position.stream_offset } else { None };
    rows.row(&Row {
        id,
        url,
        date: facts.date.map(|date| header_text(date, &mut texts.date)),
        title: stated(&metadata.title),
        text: &page_texts[0],
        language: None,
        language_score: None,
        author: stated(&metadata.author),
        published: stated(&metadata.published),
        site_name: stated(&metadata.site_name),
        description: stated(&metadata.description),
        extractor: settings.methods[0].name,
        score: verdict.score,
        charset: charset.label(),
        charset_source: charset.source.name(),
        content_type: facts.content_type.map(|value| header_text(value, &mut texts.content_type)),
        status: facts.status,
        digest,
        warc_filename: facts.in_archive.then_some(context.input),
        warc_record_offset: offset,
        warc_record_length: length,
        truncated,
        stream_offset,
        texts: (!others.is_empty())
            .then_some(Texts { methods: &settings.methods, texts: page_texts }),
        page_type: verdict.page_type.map(PageType::name),
        comments: stated(comments),
        html: settings.html.then_some(html),
    });
    Ok(())
}

/// The page as text, cut if it is too long.
fn decode<'a>(
    source: Source<'a>,
    url: Option<&str>,
    max_bytes: usize,
    utf8: &'a mut String,
) -> (&'a str, Charset, bool) {
    match source {
        Source::Text(text) => {
            let cut = text.floor_char_boundary(max_bytes);
            let charset = Charset { encoding: charset::UTF_8, source: CharsetSource::Default };
            (&text[..cut], charset, cut < text.len())
        }
        Source::Bytes { bytes, http_charset } => {
            let page = charset::decode_page(bytes, http_charset, url, max_bytes, utf8);
            (page.text, page.charset, page.truncated)
        }
    }
}

/// A field of the metadata, if anything was found.
fn stated(field: &str) -> Option<&str> {
    (!field.is_empty()).then_some(field)
}

/// Empties a text; as [`empty`](huller_page::memory::empty) does with buffers.
fn clear(text: &mut String) {
    let needed = text.len();
    text.clear();
    if needed < text.capacity() / 4 {
        text.shrink_to(1 << 20);
    }
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
