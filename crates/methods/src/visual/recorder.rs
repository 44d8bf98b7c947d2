//! Wraps the rules of an extractor and records their decisions, for tests.

use super::View;
use super::segment::{Content, Judgement, Rules, Subject};
use std::cell::RefCell;

/// A segment, the decision on it, and the rule that decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) node: u32,
    pub(crate) judgement: Judgement,
    pub(crate) rule: &'static str,
}

/// The rules of an extractor, and their decisions in document order.
pub(crate) struct Recorder<R> {
    rules: R,
    judged: RefCell<Vec<Judged>>,
}

impl<R> Recorder<R> {
    pub(crate) fn new(rules: R) -> Recorder<R> {
        Recorder { rules, judged: RefCell::default() }
    }

    pub(crate) fn into_judged(self) -> Vec<Judged> {
        self.judged.into_inner()
    }
}

impl<R: Rules> Rules for Recorder<R> {
    fn judge(
        &self,
        view: View<'_>,
        subject: Subject,
        content: &Content,
    ) -> (Judgement, &'static str) {
        let (judgement, rule) = self.rules.judge(view, subject, content);
        self.judged.borrow_mut().push(Judged { node: subject.node, judgement, rule });
        (judgement, rule)
    }
}
