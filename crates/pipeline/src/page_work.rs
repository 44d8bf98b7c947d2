//! What a worker does with a record: from its bytes to a row.

use crate::account::Reason;
use crate::parcel::{File, Product, Step};
use crate::row::{Reject, Row, header_text, push_line};
use crate::settings::Settings;
use crate::sniff::looks_like_html;
use data_encoding::BASE32;
use huller_archive::{
    CharsetSource, Charset, Decoder, Fault, Http, JsonlReader, Position, Record, RecordType, Visitor, WarcHeader,
    charset, is_html_media_type,
};
use huller_extract::{Extractor, Renderer, Scratch, Selection};
use huller_page::PageBuf;
use sha1::{Digest, Sha1};
use std::panic::{AssertUnwindSafe, catch_unwind};
use uuid::Uuid;

/// All memory a worker needs for pages. In steady state nothing else is allocated.
pub(crate) struct Workspace {
    decoder: Decoder,
    jsonl: JsonlReader,
    page: PageWork,
    texts: HeaderTexts,
}

/// Memory for what happens once a page is HTML.
#[derive(Default)]
struct PageWork {
    utf8: String,
    columns: PageBuf,
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
    text: String,
    title: String,
    html: String,
}

/// Memory for header values that are not UTF-8 and for names made up here.
#[derive(Default)]
struct HeaderTexts {
    id: String,
    url: String,
    date: String,
    content_type: String,
    digest: String,
}

impl Workspace {
    pub(crate) fn new(settings: &Settings) -> Workspace {
        Workspace {
            decoder: Decoder::new(),
            jsonl: JsonlReader::new(settings.keys.clone()),
            page: PageWork::default(),
            texts: HeaderTexts::default(),
        }
    }
}

/// What all pages of one input have in common.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) extractor: &'a dyn Extractor,
    /// Name of the input.
    pub(crate) input: &'a str,
    /// Whether anyone wants reject lines.
    pub(crate) rejects: bool,
}

/// Turns the records of one batch into rows.
pub(crate) struct PageVisitor<'a> {
    context: PageContext<'a>,
    workspace: &'a mut Workspace,
    product: &'a mut Product,
}

/// Why a record gives no row.
struct Rejection {
    reason: Reason,
    detail: String,
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Rejection {
        Rejection { reason, detail: String::new() }
    }
}

/// What is known of a page besides its bytes.
struct Facts<'a> {
    id: Option<&'a [u8]>,
    url: Option<&'a [u8]>,
    date: Option<&'a [u8]>,
    content_type: Option<&'a [u8]>,
    status: Option<u16>,
    digest: Option<&'a [u8]>,
    position: Position,
    /// What to name a page that has no identifier, besides its input.
    place: u64,
    /// Whether the input is a file of records, which rows lead back to.
    in_archive: bool,
}

/// The bytes of a page.
enum Source<'a> {
    Bytes { bytes: &'a [u8], http_charset: Option<&'a [u8]> },
    Text(&'a str),
}

impl<'a> PageVisitor<'a> {
    pub(crate) fn new(
        context: PageContext<'a>,
        workspace: &'a mut Workspace,
        product: &'a mut Product,
    ) -> PageVisitor<'a> {
        PageVisitor { context, workspace, product }
    }

    /// Works on one file of a folder of pages.
    pub(crate) fn file(&mut self, file: &File, bytes: &[u8]) {
        let context = PageContext { input: &file.name, ..self.context };
        let position = Position::default();
        self.settle(None, position, |workspace, product| {
            let range = file.bytes.as_ref().map_err(|error| Rejection {
                reason: Reason::UnreadableFile,
                detail: error.clone(),
            })?;
            let facts = Facts {
                id: None,
                url: None,
                date: None,
                content_type: None,
                status: None,
                digest: None,
                position,
                place: 0,
                in_archive: false,
            };
            let source = Source::Bytes { bytes: &bytes[range.clone()], http_charset: None };
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, product)
        });
    }

    /// Runs `work` for one record, catches what it throws, and enters what became of the record.
    fn settle(
        &mut self,
        url: Option<&[u8]>,
        position: Position,
        work: impl FnOnce(&mut Workspace, &mut Product) -> Result<(), Rejection>,
    ) {
        let rows = self.product.rows.len();
        let result = catch_unwind(AssertUnwindSafe(|| work(self.workspace, self.product)));
        let result = result.unwrap_or_else(|_| {
            // Whatever state the page was left in must not meet the next one.
            *self.workspace = Workspace::new(self.context.settings);
            self.product.rows.truncate(rows);
            Err(Rejection::from(Reason::Panic))
        });
        self.enter(result, url, position);
    }

    fn enter(&mut self, result: Result<(), Rejection>, url: Option<&[u8]>, position: Position) {
        let account = &mut self.product.account;
        account.records += 1;
        let rejected = match result {
            Ok(()) => {
                account.written += 1;
                None
            }
            Err(Rejection { reason, detail }) => {
                account.reject(reason);
                if self.context.rejects && is_page(reason) {
                    let url = url.map(|url| header_text(url, &mut self.workspace.texts.url));
                    let offset = position.member.map(|(offset, _)| offset).or(position.stream_offset);
                    let (reason, input) = (reason.name(), self.context.input);
                    push_line(&mut self.product.rejects, &Reject { url, reason, input, offset, detail: &detail });
                }
                Some(reason)
            }
        };
        if self.context.settings.limit.is_some() {
            let (rows, rejects) = (self.product.rows.len(), self.product.rejects.len());
            self.product.steps.push(Step { rejected, repair: None, rows, rejects });
        }
    }
}

/// Whether a record of that fate was, or may have been, a page.
fn is_page(reason: Reason) -> bool {
    use Reason as R;
    !matches!(
        reason,
        R::Warcinfo
            | R::Request
            | R::Metadata
            | R::Revisit
            | R::Conversion
            | R::Continuation
            | R::OtherType
            | R::NotHtml
    )
}

impl Visitor for PageVisitor<'_> {
    fn record(&mut self, record: Record<'_>) {
        let header = WarcHeader::parse(record.header);
        let (context, position) = (self.context, record.position);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        self.settle(url, position, |workspace, product| {
            let Some(header) = &header else { return Err(Reason::OtherType.into()) };
            warc_row(&context, workspace, header, record.block, position, product)
        });
        if let Some(repair) = record.repair {
            self.product.account.repair(repair);
            if let Some(step) = self.product.steps.last_mut() {
                step.repair = Some(repair);
            }
        }
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let context = self.context;
        self.settle(None, position, |workspace, product| {
            let page = workspace.jsonl.read(line).map_err(|fault| Rejection {
                reason: Reason::from(&fault),
                detail: fault.to_string(),
            })?;
            let facts = Facts {
                id: page.id.map(str::as_bytes),
                url: page.url.map(str::as_bytes),
                date: page.date.map(str::as_bytes),
                content_type: None,
                status: None,
                digest: None,
                position,
                place: position.stream_offset.unwrap_or_default(),
                in_archive: true,
            };
            let source = Source::Text(page.html);
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, product)
        });
    }

    fn fault(&mut self, fault: &Fault) {
        let header = WarcHeader::parse(&fault.header);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        let rejection = Rejection { reason: fault.reason.into(), detail: fault.detail.clone() };
        self.enter(Err(rejection), url, fault.position);
    }
}

/// Turns a WARC record into a row, if it holds a page.
fn warc_row(
    context: &PageContext<'_>,
    workspace: &mut Workspace,
    header: &WarcHeader<'_>,
    block: &mut [u8],
    position: Position,
    product: &mut Product,
) -> Result<(), Rejection> {
    let settings = context.settings;
    let identified = header.identified_payload_type().map(is_html_media_type);
    let mut facts = Facts {
        id: header.record_id(),
        url: header.target_uri(),
        date: header.date(),
        content_type: None,
        status: None,
        digest: header.payload_digest(),
        position,
        place: position.member.map(|(offset, _)| offset).or(position.stream_offset).unwrap_or_default(),
        in_archive: true,
    };
    let Workspace { decoder, page, texts, .. } = workspace;
    match header.record_type() {
        RecordType::Response if block.is_empty() => Err(Reason::EmptyBlock.into()),
        RecordType::Response => {
            let (head, body) = Http::split(block, &settings.limits);
            if !settings.any_status && head.status.is_some_and(|status| !(200..300).contains(&status)) {
                return Err(Reason::Status.into());
            }
            let declared = identified.or(head.content_type.map(|_| head.is_html()));
            if declared == Some(false) {
                return Err(Reason::NotHtml.into());
            }
            let body = decoder
                .decode(&head, body, &settings.limits)
                .map_err(|fault| Rejection { reason: fault.into(), detail: fault.to_string() })?
                .bytes;
            if declared.is_none() && !looks_like_html(body) {
                return Err(Reason::NotHtml.into());
            }
            facts.content_type = head.content_type;
            facts.status = head.status;
            row(context, page, texts, &facts, Source::Bytes { bytes: body, http_charset: head.charset() }, product)
        }
        RecordType::Resource => {
            let media_type = header.content_type();
            let declared = identified.or(media_type.map(is_html_media_type));
            if !declared.unwrap_or_else(|| looks_like_html(block)) {
                return Err(Reason::NotHtml.into());
            }
            facts.content_type = media_type;
            let http_charset = media_type.and_then(huller_archive::charset_parameter);
            row(context, page, texts, &facts, Source::Bytes { bytes: block, http_charset }, product)
        }
        RecordType::Warcinfo => Err(Reason::Warcinfo.into()),
        RecordType::Request => Err(Reason::Request.into()),
        RecordType::Metadata => Err(Reason::Metadata.into()),
        RecordType::Revisit => Err(Reason::Revisit.into()),
        RecordType::Conversion => Err(Reason::Conversion.into()),
        RecordType::Continuation => Err(Reason::Continuation.into()),
        RecordType::Other => Err(Reason::OtherType.into()),
    }
}

/// Extracts a page and appends its row.
fn row(
    context: &PageContext<'_>,
    work: &mut PageWork,
    texts: &mut HeaderTexts,
    facts: &Facts<'_>,
    source: Source<'_>,
    product: &mut Product,
) -> Result<(), Rejection> {
    let settings = context.settings;
    let PageWork { utf8, columns, scratch, selection, renderer, text, title, html } = work;
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
    let verdict = context.extractor.extract(&page, scratch, selection);
    if settings.judge && verdict.has_article == Some(false) {
        return Err(Reason::NoArticle.into());
    }
    clear(text);
    renderer.text(&page, selection, text);
    if settings.min_chars > 0 && text.chars().count() < settings.min_chars {
        return Err(Reason::TooShort.into());
    }
    clear(title);
    renderer.runs(&page, page.title(), title);
    clear(html);
    if settings.html {
        renderer.html(&page, selection, html);
    }

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
        title: (!title.is_empty()).then_some(title),
        text,
        language: None,
        language_score: None,
        author: None,
        published: None,
        site_name: None,
        description: None,
        extractor: settings.method.name,
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
        html: settings.html.then_some(html),
    };
    push_line(&mut product.rows, &row);
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
            let truncated = bytes.len() > max_bytes;
            let mut bytes = &bytes[..bytes.len().min(max_bytes)];
            let charset = charset::detect(bytes, http_charset, url);
            if truncated && charset.encoding == charset::UTF_8 {
                bytes = without_cut_character(bytes);
            }
            (charset::decode_into(bytes, charset, utf8), charset, truncated)
        }
    }
}

/// UTF-8 without the beginning of a character that was cut off at the end.
fn without_cut_character(bytes: &[u8]) -> &[u8] {
    let tail = bytes.len().saturating_sub(3);
    match bytes[tail..].iter().rposition(|b| *b >= 0xC0) {
        Some(first) if std::str::from_utf8(&bytes[tail + first..]).is_err() => &bytes[..tail + first],
        _ => bytes,
    }
}

/// Empties a text and gives back what a giant left behind.
fn clear(text: &mut String) {
    text.clear();
    text.shrink_to(4 << 20);
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
