//! Makes rows of records that hold a page, in a worker.

use crate::budget::BudgetShare;
use crate::probe::{PageStep, Probe};
use crate::revisits::RevisitReader;
use crate::settings::Settings;
use crate::work::dropped_rows::RowSinks;
use crate::work::page_budget::PageBudget;
use crate::work::page_context::{PageContext, PlacedPage};
use crate::work::page_row::PageWork;
use crate::work::record_work::{BatchVisitor, RecordTools, RecordWork, file_bytes, with_name};
use crate::work::rejection::Rejection;
use crate::work_item::{BatchOutput, File};
use huller_archive::{
    ArchivedFile, Fault, FileKind, PageReader, Position, RawPage, Record, RecordType, Truncation,
    Visitor, WarcHeader,
};
use huller_corpus::RecordBuffer;
use huller_refine::{Chain, Reason};
use huller_row::RowSink;

/// All buffers that a worker needs for pages.
pub(crate) struct PageTools {
    reader: PageReader,
    records: RecordBuffer,
    /// Finds the records of revisits. `None` if the run skips revisits.
    revisits: Option<RevisitReader>,
    page: PageWork,
}

impl RecordTools for PageTools {
    fn new(settings: &Settings) -> PageTools {
        let Settings { limits, keys, any_status, .. } = settings;
        PageTools {
            reader: PageReader::new(limits, keys.clone(), *any_status),
            records: RecordBuffer::new(settings.format, &settings.layout(String::new())),
            revisits: settings.revisits.as_ref().map(|all| RevisitReader::new(all, limits)),
            page: PageWork::new(settings),
        }
    }

    fn chain(&mut self) -> &mut Chain {
        &mut self.page.stages().chain
    }

    fn text_bytes(&self) -> usize {
        self.page.text_bytes() + self.records.bytes()
    }
}

impl PageTools {
    /// Makes a row of a revisit, with the page of the record to which it refers.
    fn revisit<P: Probe>(
        &mut self,
        context: &PageContext<'_>,
        (revisit, position): (&WarcHeader<'_>, Position),
        (sinks, budget): (RowSinks<'_>, &mut PageBudget<'_, '_>),
        probe: &mut P,
    ) -> Result<(), Rejection> {
        let PageTools { reader, records, revisits, page: work } = self;
        let (mut sinks, mut row) = (Some(sinks), Err(Reason::UnresolvedRevisit.into()));
        let Some(revisits) = revisits else { return row };
        revisits.original(revisit, &mut |original| {
            let (Some(header), Some(sinks)) = (WarcHeader::parse(original.header), sinks.take())
            else {
                return;
            };
            let written = WarcHeader::parse(REVISITED).expect("it is a header");
            let kept_record = records.keep_part(&written, original.block);
            let page = reader.record(&header, original.block, budget);
            probe.lap(PageStep::Body);
            row = page.map_err(Rejection::from).and_then(|page| {
                let (id, url, date) = (revisit.record_id(), revisit.target_uri(), revisit.date());
                let page = RawPage { id, url, date, ..page };
                budget.reserve_page(page.bytes());
                let facts = PlacedPage::at_position(page, context.input, position);
                work.row(context, &facts.with_record(kept_record), sinks, probe)
            });
        });
        row
    }
}

/// The header of a revisit that was resolved, for outputs that hold records. The format adds the
/// fields that differ from record to record.
const REVISITED: &[u8] = b"WARC/1.0\r\nWARC-Type: response\r\n\
    Content-Type: application/http; msgtype=response\r\n\r\n";

/// The Content-Type of a file of HTML, whose encoding only its bytes state.
const FILE_TYPE: &str = "text/html";

/// The Content-Type of HTML that was text in JSON.
const TEXT_TYPE: &str = "text/html; charset=utf-8";

/// Turns the records of one batch into rows.
pub(crate) struct PageVisitor<'a, 'b, P> {
    work: RecordWork<'a, 'b, PageTools>,
    probe: P,
}

impl<'a, 'b, P: Probe> PageVisitor<'a, 'b, P> {
    pub(crate) fn new(
        context: PageContext<'a>,
        tools: &'a mut PageTools,
        rows: &'a mut dyn RowSink,
        batch_output: &'a mut BatchOutput,
        share: Option<&'a mut BudgetShare<'b>>,
        probe: P,
    ) -> PageVisitor<'a, 'b, P> {
        PageVisitor { work: RecordWork::new(context, tools, rows, batch_output, share), probe }
    }

    /// Makes a row of the part of a page that remains at the end of the input. Returns false if it
    /// holds no page.
    fn rest_of_page(&mut self, fault: &Fault, header: &WarcHeader<'_>, position: Position) -> bool {
        let PageVisitor { work, probe } = self;
        let mut block = fault.block.clone();
        let context = work.context;
        let is_cut = header.content_length().is_ok_and(|length| length > block.len() as u64);
        let cut = is_cut.then_some(Truncation::Body);
        work.process_partial(header.target_uri(), position, |tools, sinks, budget| {
            let kept_record = tools.records.keep_part(header, &block);
            let mut page = tools.reader.record(header, &mut block, budget)?;
            budget.reserve_page(page.bytes());
            page.truncated = page.truncated.or(cut);
            let facts =
                PlacedPage::at_position(page, context.input, position).with_record(kept_record);
            tools.page.row(&context, &facts, sinks, probe)
        })
    }
}

impl<P: Probe> BatchVisitor for PageVisitor<'_, '_, P> {
    fn folder_file(&mut self, file: &File, bytes: &[u8]) {
        let PageVisitor { work, probe } = self;
        let context = PageContext { input: &file.name, ..work.context };
        work.process_record(&file.name, None, Position::default(), |tools, sinks, budget| {
            let bytes = file_bytes(file, bytes)?;
            budget.reserve_page(bytes);
            let kept_record = tools.records.keep_page(bytes, FILE_TYPE);
            let facts =
                PlacedPage::from_whole_input(RawPage::from_file(bytes)?).with_record(kept_record);
            tools.page.row(&context, &facts, sinks, probe)
        });
    }
}

impl<P: Probe> Visitor for PageVisitor<'_, '_, P> {
    fn record(&mut self, record: Record<'_>) {
        let PageVisitor { work, probe } = self;
        let header = WarcHeader::parse(record.header);
        let (context, position) = (work.context, record.position);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        work.process_record(context.input, url, position, |tools, sinks, budget| {
            let Some(header) = &header else { return Err(Reason::OtherType.into()) };
            if header.record_type() == RecordType::Revisit && tools.revisits.is_some() {
                return tools.revisit(&context, (header, position), (sinks, budget), probe);
            }
            let kept_record = tools.records.keep(header, &record);
            let page = tools.reader.record(header, record.block, budget);
            probe.lap(PageStep::Body);
            let page = page?;
            budget.reserve_page(page.bytes());
            let facts =
                PlacedPage::at_position(page, context.input, position).with_record(kept_record);
            tools.page.row(&context, &facts, sinks, probe)
        });
        if let Some(repair) = record.repair {
            work.count_repair(repair);
        }
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let PageVisitor { work, probe } = self;
        let context = work.context;
        work.process_line(line, position, |tools, sinks, budget| {
            budget.reserve_page(line);
            let page = tools.reader.line(line);
            probe.lap(PageStep::Body);
            let page = page.map_err(|fault| {
                let rejection = Rejection::from(fault).with_hole(line);
                if context.writes_rejects { rejection.with_keys(line) } else { rejection }
            })?;
            // If the line escapes `<`, its tags can be counted only now.
            budget.reserve_page(page.bytes());
            let kept_record = tools.records.keep_page(page.bytes(), TEXT_TYPE);
            let facts =
                PlacedPage::at_position(page, context.input, position).with_record(kept_record);
            tools.page.row(&context, &facts, sinks, probe)
        });
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let PageVisitor { work, probe } = self;
        let ArchivedFile { name, kind, record } = file;
        let (bytes, position) = (&*record.block, record.position);
        let archive = work.context.input;
        let path = format!("{archive}/{name}");
        let context = PageContext { input: &path, ..work.context };
        work.process_record(&path, None, position, |tools, sinks, budget| {
            let page = match kind {
                FileKind::Page => RawPage::from_file(bytes).map_err(Rejection::from),
                FileKind::Archive => Err(Reason::NestedArchive.into()),
                FileKind::Other => Err(Reason::NotHtml.into()),
                FileKind::NoFile => Err(Reason::OtherType.into()),
            };
            let row = page.and_then(|page| {
                budget.reserve_page(bytes);
                let kept_record = tools.records.keep_page(bytes, FILE_TYPE);
                let facts =
                    PlacedPage::at_position(page, archive, position).with_record(kept_record);
                tools.page.row(&context, &facts, sinks, probe)
            });
            row.map_err(|rejection| with_name(rejection, name))
        });
    }

    fn fault(&mut self, fault: &Fault) {
        let header = WarcHeader::parse(&fault.header);
        if let (Some(header), Some(end_position)) = (&header, fault.at_end)
            && self.rest_of_page(fault, header, end_position)
        {
            return;
        }
        self.work.fault(fault);
    }

    fn wait_for(&mut self, bytes: usize) {
        self.work.wait_for(bytes);
    }

    fn is_full(&self) -> bool {
        self.work.is_full()
    }
}
