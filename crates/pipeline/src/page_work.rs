//! What a worker does with a record: from its bytes to a row.

use crate::account::Reason;
use crate::page_row::{Facts, HeaderTexts, PageContext, PageWork, Rejection, Source, row};
use crate::parcel::{File, Product, Step};
use crate::row::{Reject, RowSink, header_text, push_line};
use crate::settings::Settings;
use huller_archive::{
    Decoder, Fault, Http, JsonlReader, Position, Record, RecordType, Visitor, WarcHeader,
    is_html_media_type, looks_like_html,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// All memory a worker needs for pages. In steady state nothing else is allocated.
pub(crate) struct Workspace {
    decoder: Decoder,
    jsonl: JsonlReader,
    pub(crate) page: PageWork,
    pub(crate) texts: HeaderTexts,
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

/// Turns the records of one batch into rows.
pub(crate) struct PageVisitor<'a> {
    context: PageContext<'a>,
    workspace: &'a mut Workspace,
    rows: &'a mut dyn RowSink,
    /// What else there is to say of the records.
    product: &'a mut Product,
}

impl<'a> PageVisitor<'a> {
    pub(crate) fn new(
        context: PageContext<'a>,
        workspace: &'a mut Workspace,
        rows: &'a mut dyn RowSink,
        product: &'a mut Product,
    ) -> PageVisitor<'a> {
        PageVisitor { context, workspace, rows, product }
    }

    /// Works on one file of a folder of pages.
    pub(crate) fn file(&mut self, file: &File, bytes: &[u8]) {
        let context = PageContext { input: &file.name, ..self.context };
        let position = Position::default();
        self.settle(None, position, |workspace, rows| {
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
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, rows)
        });
    }

    /// Runs `work` for one record, catches what it throws, and enters what became of the record.
    fn settle(
        &mut self,
        url: Option<&[u8]>,
        position: Position,
        work: impl FnOnce(&mut Workspace, &mut dyn RowSink) -> Result<(), Rejection>,
    ) {
        let mark = self.rows.mark();
        let result = catch_unwind(AssertUnwindSafe(|| work(self.workspace, self.rows)));
        let result = result.unwrap_or_else(|_| {
            // Whatever state the page was left in must not meet the next one.
            *self.workspace = Workspace::new(self.context.settings);
            self.rows.cut(mark);
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
                    let offset =
                        position.member.map(|(offset, _)| offset).or(position.stream_offset);
                    let (reason, input) = (reason.name(), self.context.input);
                    push_line(
                        &mut self.product.rejects,
                        &Reject { url, reason, input, offset, detail: &detail },
                    );
                }
                Some(reason)
            }
        };
        if self.context.settings.limit.is_some() {
            let (rows, rejects) = (self.rows.mark(), self.product.rejects.len());
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
        self.settle(url, position, |workspace, rows| {
            let Some(header) = &header else { return Err(Reason::OtherType.into()) };
            warc_row(&context, workspace, header, record.block, position, rows)
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
        self.settle(None, position, |workspace, rows| {
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
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, rows)
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
    rows: &mut dyn RowSink,
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
        place: position
            .member
            .map(|(offset, _)| offset)
            .or(position.stream_offset)
            .unwrap_or_default(),
        in_archive: true,
    };
    let Workspace { decoder, page, texts, .. } = workspace;
    match header.record_type() {
        RecordType::Response if block.is_empty() => Err(Reason::EmptyBlock.into()),
        RecordType::Response => {
            let (head, body) = Http::split(block, &settings.limits);
            if !settings.any_status
                && head.status.is_some_and(|status| !(200..300).contains(&status))
            {
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
            row(
                context,
                page,
                texts,
                &facts,
                Source::Bytes { bytes: body, http_charset: head.charset() },
                rows,
            )
        }
        RecordType::Resource => {
            let media_type = header.content_type();
            let declared = identified.or(media_type.map(is_html_media_type));
            if !declared.unwrap_or_else(|| looks_like_html(block)) {
                return Err(Reason::NotHtml.into());
            }
            facts.content_type = media_type;
            let http_charset = media_type.and_then(huller_archive::charset_parameter);
            row(context, page, texts, &facts, Source::Bytes { bytes: block, http_charset }, rows)
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
