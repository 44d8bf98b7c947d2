//! Wraps the rules of an extractor and records their decisions, for tests.

use super::PageView;
use super::segment::{JudgedSegment, SegmentContent, SegmentDecision, SegmentRules};
use std::cell::RefCell;

/// A segment, the decision on it, and the rule that decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordedDecision {
    /// Index of the segment's node.
    pub(crate) node: u32,
    pub(crate) judgement: SegmentDecision,
    pub(crate) rule: &'static str,
}

/// The rules of an extractor, and their decisions in document order.
pub(crate) struct Recorder<R> {
    rules: R,
    judged: RefCell<Vec<RecordedDecision>>,
}

impl<R> Recorder<R> {
    pub(crate) fn new(rules: R) -> Recorder<R> {
        Recorder { rules, judged: RefCell::default() }
    }

    pub(crate) fn into_judged(self) -> Vec<RecordedDecision> {
        self.judged.into_inner()
    }
}

impl<R: SegmentRules> SegmentRules for Recorder<R> {
    fn judge(
        &self,
        view: PageView<'_>,
        subject: JudgedSegment,
        content: &SegmentContent,
    ) -> (SegmentDecision, &'static str) {
        let (judgement, rule) = self.rules.judge(view, subject, content);
        self.judged.borrow_mut().push(RecordedDecision { node: subject.node, judgement, rule });
        (judgement, rule)
    }
}
