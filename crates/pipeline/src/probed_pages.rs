//! Turns batches into rows with a probe between the steps.

use crate::probe::Probe;
use crate::settings::Settings;
use crate::work::page_context::PageContext;
use crate::work::page_visitor::{PageTools, PageVisitor};
use crate::work::record_work::RecordTools;
use crate::work_item::BatchOutput;
use huller_archive::Visitor;
use huller_row::RowSink;
use huller_run::counters::Counters;

/// Turns the records of batches into rows as a worker of a run does, and reports each step to a
/// [`Probe`]. Made for programs that measure.
pub struct ProbedPages {
    settings: Settings,
    tools: PageTools,
    batch_output: BatchOutput,
}

impl ProbedPages {
    /// Makes rows with these settings.
    pub fn new(settings: Settings) -> ProbedPages {
        let (tools, batch_output) = (PageTools::new(&settings), BatchOutput::default());
        ProbedPages { settings, tools, batch_output }
    }

    /// Returns the names of the stages by their places in
    /// [`PageStep::Stage`](crate::PageStep::Stage).
    pub fn stages(&mut self) -> impl Iterator<Item = &'static str> {
        self.tools.chain().names()
    }

    /// Returns a visitor that takes the records of one batch and passes their rows to `rows`.
    pub fn visitor<'v>(
        &'v mut self,
        rows: &'v mut dyn RowSink,
        probe: impl Probe + 'v,
    ) -> impl Visitor + 'v {
        let context = PageContext::for_rows(&self.settings, "");
        PageVisitor::new(context, &mut self.tools, rows, &mut self.batch_output, None, probe)
    }

    /// Ends a batch and returns the counts of its records.
    pub fn end_batch(&mut self) -> Counters {
        let counters = std::mem::take(&mut self.batch_output.counters);
        self.batch_output.clear();
        counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::PageStep;
    use crate::rows::Rows;
    use huller_archive::{Batch, Input, UnpackResult, Unpacker};
    use huller_extract::EXTRACTORS;
    use huller_refine::Reason;
    use huller_testkit::sample;

    /// Counts the laps of each step.
    #[derive(Default)]
    struct Laps(Vec<(PageStep, u64)>);

    impl Probe for &mut Laps {
        fn lap(&mut self, step: PageStep) {
            match self.0.iter_mut().find(|(known, _)| *known == step) {
                Some((_, laps)) => *laps += 1,
                None => self.0.push((step, 1)),
            }
        }
    }

    #[test]
    fn rows_are_those_of_a_worker_and_every_step_has_its_laps() {
        let path = sample::archive();
        let extractors = EXTRACTORS[..2].to_vec();
        let settings = Settings { min_chars: 1000, ..Settings::new(extractors) };
        let mut pages = ProbedPages::new(settings.clone());
        let (mut rows, mut counters, mut laps) = (Vec::new(), Counters::default(), Laps::default());
        let mut input = Input::open(&path, &settings.limits).unwrap();
        let (mut unpacker, mut batch) = (Unpacker::new(&settings.limits), Batch::default());
        while input.next_batch(&mut batch).unwrap() {
            let shown = unpacker.unpack(&mut batch, &mut pages.visitor(&mut rows, &mut laps));
            assert_eq!(shown, UnpackResult::Complete);
            counters += &pages.end_batch();
            batch.clear();
        }
        let (mut expected, mut read) = (Vec::new(), Rows::open(&path, Some(""), settings).unwrap());
        while read.next(&mut expected).unwrap() {}
        assert_eq!(counters, read.take_counters());
        assert!(rows == expected, "other rows");
        assert_eq!(pages.stages().collect::<Vec<_>>(), ["min_chars"]);
        let of =
            |step| laps.0.iter().find(|(known, _)| *known == step).map_or(0, |(_, laps)| *laps);
        let (written, short) = (counters.written, counters.count(Reason::TooShort));
        assert!(written > 9 && short > 3, "{written} {short}");
        for step in [PageStep::Charset, PageStep::Parsing, PageStep::Metadata, PageStep::Stage(0)] {
            assert_eq!(of(step), written + short, "{step:?}");
        }
        assert_eq!(of(PageStep::Body), counters.records);
        assert_eq!(of(PageStep::Extractor(0)), written + short);
        // A dropped row skips the later steps.
        assert_eq!((of(PageStep::Extractor(1)), of(PageStep::Rendering(1))), (written, written));
        assert_eq!(of(PageStep::Rendering(0)), 2 * written + short);
    }
}
