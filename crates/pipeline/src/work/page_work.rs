//! What a worker does with a record: from its bytes to a row.

use crate::budget::Share;
use crate::parcel::{File, Product, Step};
use crate::settings::Settings;
use crate::work::dropped::RowSinks;
use crate::work::header_text::header_text;
use crate::work::page_room::PageRoom;
use crate::work::page_row::{Facts, HeaderTexts, PageContext, PageWork, Source, row};
use crate::work::refined_row::{RefineWork, refined_row};
use crate::work::rejection::{Reject, Rejection, is_page, url_of};
use crate::work::stages::StageWork;
use huller_archive::{
    ArchivedFile, Decoder, Fault, FileKind, JsonlReader, PageRecord, Position, Record, Repair,
    TextRecord, Truncation, Visitor, WarcHeader, is_binary,
};
use huller_corpus::reason_of;
use huller_refine::Reason;
use huller_row::{RowSink, push_line};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// All memory that a worker needs for pages. After the first pages it allocates nothing else.
pub(crate) struct Workspace {
    decoder: Decoder,
    jsonl: JsonlReader,
    pub(crate) page: PageWork,
    pub(crate) texts: HeaderTexts,
    refine: RefineWork,
}

impl Workspace {
    pub(crate) fn new(settings: &Settings) -> Workspace {
        Workspace {
            decoder: Decoder::new(),
            jsonl: JsonlReader::new(settings.keys.clone()),
            page: PageWork::new(settings),
            texts: HeaderTexts::default(),
            refine: RefineWork::new(settings),
        }
    }

    fn stages(&mut self, settings: &Settings) -> &mut StageWork {
        if settings.refines.is_some() { &mut self.refine.stages } else { &mut self.page.stages }
    }
}

/// Turns the records of one batch into rows.
pub(crate) struct PageVisitor<'a, 'b> {
    context: PageContext<'a>,
    workspace: &'a mut Workspace,
    rows: &'a mut dyn RowSink,
    /// Takes rejects and counts.
    product: &'a mut Product,
    memory: PageRoom<'a, 'b>,
    /// Bytes of texts after which there is no room for more.
    room: usize,
    /// Parts of the batch that have ended.
    parts: usize,
    /// What the record tried last took.
    took: Duration,
}

/// Bytes of texts that a batch may give for each text of a row. What members inflate to beyond that is [mended](crate::work::mending):
/// read one record after another.
pub(crate) const ROOM: usize = 4 << 20;

impl<'a, 'b> PageVisitor<'a, 'b> {
    pub(crate) fn new(
        context: PageContext<'a>,
        workspace: &'a mut Workspace,
        rows: &'a mut dyn RowSink,
        product: &'a mut Product,
        share: Option<&'a mut Share<'b>>,
    ) -> PageVisitor<'a, 'b> {
        let settings = context.settings;
        let texts = settings.texts();
        let memory = PageRoom::new(share, texts, settings.max_page_bytes);
        let (room, took) = (ROOM * texts, Duration::ZERO);
        PageVisitor { context, workspace, rows, product, memory, room, parts: 0, took }
    }

    /// Works on one file of a folder of pages.
    pub(crate) fn file(&mut self, file: &File, bytes: &[u8]) {
        let context = PageContext { input: &file.name, ..self.context };
        let position = Position::default();
        self.settle(&file.name, None, position, |workspace, sinks, memory| {
            let range = file.bytes.as_ref().map_err(|error| Rejection {
                reason: Reason::UnreadableFile,
                detail: error.clone(),
            })?;
            let bytes = &bytes[range.clone()];
            memory.page(bytes);
            if context.settings.refines.is_some() {
                return Err(Reason::NotARow.into());
            }
            if is_binary(bytes) {
                return Err(Reason::Binary.into());
            }
            let facts = Facts { position, ..Facts::default() };
            let source = Source::Bytes { bytes, http_charset: None };
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, sinks)
        });
    }

    /// Runs `work` for one record, catches its panics, and enters what became of the record. `input` is what the page is found in.
    fn settle(
        &mut self,
        input: &str,
        url: Option<&[u8]>,
        position: Position,
        work: impl FnOnce(&mut Workspace, RowSinks<'_>, &mut PageRoom<'_, '_>) -> Result<(), Rejection>,
    ) {
        let result = self.attempt(work);
        self.note_time(input, url, position);
        self.enter(result, url, position);
    }

    fn note_time(&self, input: &str, url: Option<&[u8]>, position: Position) {
        PageContext { input, ..self.context }.note_time(self.took, url, position);
    }

    /// Runs `work` for one record and catches its panics.
    fn attempt(
        &mut self,
        work: impl FnOnce(&mut Workspace, RowSinks<'_>, &mut PageRoom<'_, '_>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mark = (self.rows.mark(), self.product.dropped.len(), self.product.signed.mark());
        let dropped = self.context.dropped.map(|most| (&mut self.product.dropped, most));
        let signed = self.context.signatures.map(|header| (&mut self.product.signed, header));
        let sinks = RowSinks { rows: self.rows, dropped, signed };
        let began = Instant::now();
        let result =
            catch_unwind(AssertUnwindSafe(|| work(self.workspace, sinks, &mut self.memory)));
        self.took = began.elapsed();
        result.unwrap_or_else(|_| {
            // The panic may have left this memory in any state, so the next page gets fresh memory.
            *self.workspace = Workspace::new(self.context.settings);
            self.rows.cut(mark.0);
            self.product.dropped.truncate(mark.1);
            self.product.signed.cut(mark.2);
            Err(Rejection::from(Reason::Panic))
        })?;
        self.product.text_bytes += self.workspace.page.text_bytes();
        Ok(())
    }

    /// Counts how the record entered last was mended.
    fn enter_repair(&mut self, repair: Repair) {
        self.product.account.repair(repair);
        if let Some(step) = self.product.steps.last_mut() {
            step.repair = Some(repair);
        }
    }

    /// Makes a row of the part of a page that the end of the input leaves. False if there is no page in it.
    fn rest_of_page(&mut self, fault: &Fault, header: &WarcHeader<'_>, at: Position) -> bool {
        let mut block = fault.block.clone();
        let context = self.context;
        let is_cut = header.content_length().is_ok_and(|length| length > block.len() as u64);
        let result = self.attempt(|workspace, sinks, memory| {
            let page = WarcPage { header, block: &mut block, position: at, is_cut };
            warc_row(&context, workspace, page, sinks, memory)
        });
        let is_row = result.is_ok();
        // A panic is a bug to report; any other reason is not worth as much as that of the fault.
        let is_settled = is_row || result.as_ref().is_err_and(|why| why.reason == Reason::Panic);
        if is_settled {
            self.note_time(context.input, header.target_uri(), at);
            self.enter(result, header.target_uri(), at);
        } else {
            self.begin_row();
        }
        if is_row {
            self.enter_repair(Repair::Truncated);
        }
        is_settled
    }

    fn enter(&mut self, result: Result<(), Rejection>, url: Option<&[u8]>, position: Position) {
        let passage = self.workspace.stages(self.context.settings).chain.passage();
        let account = &mut self.product.account;
        account.records += 1;
        account.waterfall.add(passage);
        let rejected = match result {
            Ok(()) => {
                account.written += 1;
                self.parts = self.rows.end_row(self.product.text_bytes);
                None
            }
            Err(rejection) => {
                let reason = rejection.reason;
                account.reject(reason);
                if self.context.rejects && is_page(reason) {
                    let Rejection { reason, detail } = rejection.with_flag();
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
            let dropped = self.product.dropped.len();
            let passage = self.workspace.stages(self.context.settings).chain.passage().clone();
            self.product.steps.push(Step {
                rejected,
                repair: None,
                passage,
                parts: self.parts,
                rows,
                rejects,
                dropped,
            });
        }
        self.begin_row();
    }

    /// Forgets how the last row fared, since what comes next may be no row.
    fn begin_row(&mut self) {
        self.workspace.stages(self.context.settings).chain.begin();
    }
}

impl Visitor for PageVisitor<'_, '_> {
    fn record(&mut self, record: Record<'_>) {
        let header = WarcHeader::parse(record.header);
        let (context, position) = (self.context, record.position);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        self.settle(self.context.input, url, position, |workspace, sinks, memory| {
            if context.settings.refines.is_some() {
                return Err(Reason::NotARow.into());
            }
            let Some(header) = &header else { return Err(Reason::OtherType.into()) };
            let page = WarcPage { header, block: record.block, position, is_cut: false };
            warc_row(&context, workspace, page, sinks, memory)
        });
        if let Some(repair) = record.repair {
            self.enter_repair(repair);
        }
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let context = self.context;
        let result = self.attempt(|workspace, sinks, memory| {
            memory.page(line);
            if let Some(keys) = &context.settings.refines {
                return refined_row(context.settings, keys, &mut workspace.refine, line, sinks);
            }
            let page = workspace.jsonl.read(line).map_err(|fault| {
                let rejection = Rejection::from(fault).with_hole(line);
                if context.rejects { rejection.with_keys(line) } else { rejection }
            })?;
            // Where the line escapes `<`, its tags can be counted only now.
            memory.page(page.html.as_bytes());
            let facts = Facts {
                id: page.id.map(str::as_bytes),
                url: page.url.map(str::as_bytes),
                date: page.date.map(str::as_bytes),
                source: page.kept,
                position,
                place: position.stream_offset.unwrap_or_default(),
                archive: Some(context.input),
                ..Facts::default()
            };
            let source = Source::Text(page.html);
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, sinks)
        });
        self.note_time(context.input, None, position);
        let is_listed = context.rejects && result.is_err();
        let url = is_listed.then(|| url_of(context.settings, line)).flatten();
        self.enter(result, url.as_deref().map(str::as_bytes), position);
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let ArchivedFile { name, kind, record } = file;
        let (bytes, position) = (&*record.block, record.position);
        let path = format!("{}/{name}", self.context.input);
        let context = PageContext { input: &path, ..self.context };
        let archive = Some(self.context.input);
        self.settle(&path, None, position, |workspace, sinks, memory| {
            let reason = match kind {
                _ if context.settings.refines.is_some() => Some(Reason::NotARow),
                FileKind::Page if is_binary(bytes) => Some(Reason::Binary),
                FileKind::Page => None,
                FileKind::Archive => Some(Reason::NestedArchive),
                FileKind::Other => Some(Reason::NotHtml),
                FileKind::NoFile => Some(Reason::OtherType),
            };
            let named = |rejection: Rejection| match rejection.detail.as_str() {
                "" => Rejection { detail: format!("'{}'", name.escape_debug()), ..rejection },
                _ => rejection,
            };
            if let Some(reason) = reason {
                return Err(named(reason.into()));
            }
            memory.page(bytes);
            let place = position.member.map(|(offset, _)| offset).or(position.stream_offset);
            let place = place.unwrap_or_default();
            let facts = Facts { position, place, archive, ..Facts::default() };
            let source = Source::Bytes { bytes, http_charset: None };
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, sinks)
                .map_err(named)
        });
    }

    fn fault(&mut self, fault: &Fault) {
        let header = WarcHeader::parse(&fault.header);
        if let (Some(header), Some(at)) = (&header, fault.at_end)
            && self.rest_of_page(fault, header, at)
        {
            return;
        }
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        let rejection = Rejection { reason: reason_of(fault.reason), detail: fault.detail.clone() };
        self.enter(Err(rejection), url, fault.position);
    }

    fn wait_for(&mut self, bytes: usize) {
        self.memory.member(bytes);
    }

    fn is_full(&self) -> bool {
        self.product.text_bytes + self.product.dropped.bytes() >= self.room
    }
}

/// A record that may hold a page.
struct WarcPage<'a> {
    header: &'a WarcHeader<'a>,
    block: &'a mut [u8],
    position: Position,
    /// Whether a part of the record is missing.
    is_cut: bool,
}

/// Turns a WARC record into a row, if it holds a page.
fn warc_row(
    context: &PageContext<'_>,
    workspace: &mut Workspace,
    page: WarcPage<'_>,
    sinks: RowSinks<'_>,
    memory: &mut PageRoom<'_, '_>,
) -> Result<(), Rejection> {
    let WarcPage { header, block, position, is_cut } = page;
    let settings = context.settings;
    let Workspace { decoder, page, texts, .. } = workspace;
    let facts = Facts {
        id: header.record_id(),
        url: header.target_uri(),
        date: header.date(),
        digest: header.payload_digest(),
        position,
        place: position
            .member
            .map(|(offset, _)| offset)
            .or(position.stream_offset)
            .unwrap_or_default(),
        archive: Some(context.input),
        ..Facts::default()
    };
    let cut = is_cut.then_some(Truncation::Body);
    if let Some(TextRecord { bytes, content_type, charset }) = TextRecord::new(header, block) {
        memory.page(bytes);
        let truncated = Truncation::of(header).or(cut);
        let facts = Facts { content_type: Some(content_type), truncated, ..facts };
        return row(context, page, texts, &facts, Source::PlainText { bytes, charset }, sinks);
    }
    let record = PageRecord::new(header, block, settings.any_status, &settings.limits);
    let body = record
        .and_then(|record| record.decode_within(decoder, &settings.limits, memory))
        .map_err(Rejection::from)?;
    memory.page(body.bytes);
    let facts = Facts {
        content_type: body.content_type,
        status: body.status,
        payload: Some(body.payload),
        truncated: body.truncated.or(cut),
        ..facts
    };
    let source = Source::Bytes { bytes: body.bytes, http_charset: body.http_charset };
    row(context, page, texts, &facts, source, sinks)
}
