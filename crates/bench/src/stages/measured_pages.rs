//! Passes the pages of one batch after another through the steps of a worker, with a stopwatch as
//! the probe.

use super::stopwatch::Stopwatch;
use huller_archive::{
    ArchivedFile, Batch, Fault, Position, Record, UnpackResult, Unpacker, Visitor,
};
use huller_pipeline::{PageStep, Probe, ProbedPages, Reason, Settings};
use huller_row::{BatchEncoder, Compressor, Extras, Row, RowSink};
use std::cell::Cell;
use std::ops::Range;

/// The indexes of a page's steps in the stopwatch, from `first` on. The fixed steps come first,
/// then two for each extractor. One for each stage, one for the rest of a row, and two for each
/// format follow.
#[derive(Clone, Copy)]
struct StepNumbers {
    /// Index of the first step.
    first: usize,
    /// Number of extractors.
    extractors: usize,
    /// Number of stages of refining.
    stages: usize,
}

/// The steps before those of extractors.
const FIXED: [&str; 4] = ["HTTP head and body", "charset", "parsing", "metadata"];

impl StepNumbers {
    fn of(self, step: PageStep) -> usize {
        let stages = FIXED.len() + 2 * self.extractors;
        self.first
            + match step {
                PageStep::Body => 0,
                PageStep::Charset => 1,
                PageStep::Parsing => 2,
                PageStep::Metadata => 3,
                PageStep::Extractor(place) => FIXED.len() + 2 * place,
                PageStep::Rendering(place) => FIXED.len() + 2 * place + 1,
                PageStep::Stage(place) => stages + place,
                PageStep::Row => stages + self.stages,
            }
    }

    fn encoding(self, format: usize) -> usize {
        self.of(PageStep::Row) + 1 + 2 * format
    }

    fn compressing(self, format: usize) -> usize {
        self.encoding(format) + 1
    }
}

/// The scratch buffers of a page's steps, and counters.
pub(super) struct MeasuredPages {
    pages: ProbedPages,
    names: Vec<(String, bool)>,
    numbers: StepNumbers,
    formats: Vec<FormatTools>,
    /// Number of pages since the last call of `take_counts`.
    decoded: u64,
    /// Number of records at which a step panicked, since the same call.
    panicked: u64,
}

/// The contents of one batch.
pub(super) struct MeasuredBatch {
    /// Whether the whole batch was read.
    pub(super) outcome: UnpackResult,
    /// The bytes of its records.
    pub(super) raw_bytes: u64,
    /// The byte ranges of its members in the file.
    pub(super) members: Vec<Range<u64>>,
}

impl MeasuredPages {
    /// Makes the steps for all `extractors`, with the other settings of the first, and for all of
    /// `formats`. The first step has the index `first_index`.
    pub(super) fn new(
        extractors: &[Settings],
        formats: &[Settings],
        first_index: usize,
    ) -> MeasuredPages {
        let each = extractors.iter().flat_map(|settings| settings.extractors.iter().copied());
        let trained = extractors.iter().flat_map(|settings| settings.trained.iter().cloned());
        let settings = Settings {
            extractors: each.collect(),
            trained: trained.collect(),
            ..extractors[0].clone()
        };
        let names: Vec<_> = settings.extractors.iter().map(|extractor| extractor.name()).collect();
        let mut pages = ProbedPages::new(settings);
        let stages: Vec<_> = pages.stages().collect();
        let numbers =
            StepNumbers { first: first_index, extractors: names.len(), stages: stages.len() };
        let formats: Vec<_> = formats.iter().map(FormatTools::new).collect();
        MeasuredPages {
            pages,
            names: step_names(&names, &stages, &formats),
            numbers,
            formats,
            decoded: 0,
            panicked: 0,
        }
    }

    /// Returns the names of the steps in the order of their indexes, and whether the sum includes
    /// them.
    pub(super) fn names(&self) -> &[(String, bool)] {
        &self.names
    }

    /// Processes a batch. Time between its records counts as `between`.
    pub(super) fn work(
        &mut self,
        unpacker: &mut Unpacker,
        batch: &mut Batch,
        watch: &Stopwatch,
        between: usize,
    ) -> MeasuredBatch {
        let MeasuredPages { pages, formats, numbers, .. } = self;
        let numbers = *numbers;
        let decoded = Cell::new(0);
        let mut rows = EncodedRows { formats, watch, numbers, is_in_row: false };
        let inner = pages.visitor(&mut rows, StepTimer { watch, numbers, decoded: &decoded });
        let (raw_bytes, members) = (0, Vec::new());
        let mut visitor = CountedEntries { inner, watch, between, numbers, raw_bytes, members };
        watch.restart();
        let outcome = unpacker.unpack(batch, &mut visitor);
        watch.lap(between);
        let (raw_bytes, members) = (visitor.raw_bytes, std::mem::take(&mut visitor.members));
        drop(visitor);
        for (index, format) in self.formats.iter_mut().enumerate() {
            format.piece.clear();
            watch.restart();
            format.encoder.finish(&mut format.compressor, &mut format.piece);
            watch.lap(numbers.compressing(index));
        }
        self.decoded += decoded.get();
        self.panicked += self.pages.end_batch().count(Reason::Panic);
        MeasuredBatch { outcome, raw_bytes, members }
    }

    /// Returns the number of pages since the last call, and of records at which a step panicked.
    pub(super) fn take_counts(&mut self) -> (u64, u64) {
        (std::mem::take(&mut self.decoded), std::mem::take(&mut self.panicked))
    }
}

fn step_names(
    extractors: &[&str],
    stages: &[&str],
    formats: &[FormatTools],
) -> Vec<(String, bool)> {
    let mut names: Vec<_> = FIXED.map(|name| (name.to_owned(), true)).into();
    for (index, name) in extractors.iter().enumerate() {
        names.push((format!("method {name}"), index == 0));
        names.push((format!("rendering {name}"), index == 0));
    }
    names.extend(stages.iter().map(|name| (format!("stage {name}"), true)));
    names.push(("the rest of a row".to_owned(), true));
    for (index, format) in formats.iter().enumerate() {
        names.push((format!("encoding {}", format.settings.format.name()), index == 0));
        names.push((format!("compressing {}", format.settings.format.name()), index == 0));
    }
    names
}

/// A probe that takes a lap of the stopwatch after each step.
struct StepTimer<'s> {
    watch: &'s Stopwatch,
    numbers: StepNumbers,
    decoded: &'s Cell<u64>,
}

impl Probe for StepTimer<'_> {
    fn lap(&mut self, step: PageStep) {
        if step == PageStep::Charset {
            self.decoded.set(self.decoded.get() + 1);
        }
        self.watch.lap(self.numbers.of(step));
    }
}

/// The encoder of one format of rows, with its buffers.
struct FormatTools {
    settings: Settings,
    extras: Extras,
    encoder: Box<dyn BatchEncoder>,
    compressor: Compressor,
    /// Encoded rows of the batch.
    piece: Vec<u8>,
}

impl FormatTools {
    fn new(settings: &Settings) -> FormatTools {
        FormatTools {
            extras: settings.extras(),
            encoder: settings.format.encoder(&settings.layout(String::new())),
            compressor: Compressor::new(settings.compression),
            piece: Vec::new(),
            settings: settings.clone(),
        }
    }
}

/// A sink that encodes every row in all formats.
struct EncodedRows<'s> {
    formats: &'s mut [FormatTools],
    watch: &'s Stopwatch,
    numbers: StepNumbers,
    is_in_row: bool,
}

impl RowSink for EncodedRows<'_> {
    fn row(&mut self, row: &Row<'_>) {
        self.is_in_row = true;
        for (index, format) in self.formats.iter_mut().enumerate() {
            // The texts of several extractors are left out, because a run with one extractor does
            // not write them.
            let texts = row.texts.filter(|_| format.extras.texts);
            format.encoder.row(&Row { texts, extras: format.extras, ..*row });
            self.watch.lap(self.numbers.encoding(index));
        }
        self.is_in_row = false;
    }

    fn mark(&self) -> usize {
        0
    }

    fn cut(&mut self, _: usize) {
        if self.is_in_row {
            // A panic may have left the encoders in any state.
            self.formats.iter_mut().for_each(|format| *format = FormatTools::new(&format.settings));
            self.is_in_row = false;
        }
    }
}

/// A visitor that counts the entries of a batch, and the time between them.
struct CountedEntries<'s, V> {
    inner: V,
    watch: &'s Stopwatch,
    /// Index of the step for time between records.
    between: usize,
    numbers: StepNumbers,
    /// Bytes of the records so far, before compression.
    raw_bytes: u64,
    /// Byte ranges of members in the file.
    members: Vec<Range<u64>>,
}

impl<V: Visitor> CountedEntries<'_, V> {
    /// Passes an entry of `bytes` bytes on.
    fn entry(&mut self, bytes: usize, position: Position, pass: impl FnOnce(&mut V)) {
        self.watch.lap(self.between);
        self.raw_bytes += bytes as u64;
        if let Some((offset, length)) = position.member {
            self.members.push(offset..offset + length);
        }
        self.watch.restart();
        pass(&mut self.inner);
        self.watch.lap(self.numbers.of(PageStep::Row));
    }
}

impl<V: Visitor> Visitor for CountedEntries<'_, V> {
    fn record(&mut self, record: Record<'_>) {
        // Two line ends follow a record.
        let bytes = record.header.len() + record.block.len() + 4;
        self.entry(bytes, record.position, |inner| inner.record(record));
    }

    fn line(&mut self, line: &[u8], position: Position) {
        self.entry(line.len() + 1, position, |inner| inner.line(line, position));
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let bytes = file.record.header.len() + file.record.block.len() + 4;
        self.entry(bytes, file.record.position, |inner| inner.file(file));
    }

    fn fault(&mut self, fault: &Fault) {
        self.inner.fault(fault);
    }

    fn is_full(&self) -> bool {
        self.inner.is_full()
    }

    fn wait_for(&mut self, bytes: usize) {
        self.inner.wait_for(bytes);
    }
}
