//! Runs the stages of the settings in one thread.

use crate::probe::{PageStep, Probe};
use crate::settings::Settings;
use crate::work::dropped_rows::{DropDecision, RowSinks};
use huller_refine::stages::{Judge, MinChars};
use huller_refine::{
    Chain, ChosenText, Language, Reason, RowFields, RowInProgress, RowTrace, Signals, StagePhase,
    Text,
};
use huller_row::JsonObject;
use huller_select::{PageType, Verdict};

/// The stages of a run, in the order in which rows pass them, with the buffers of a row.
pub(crate) struct StageWork {
    pub(crate) chain: Chain,
    /// The text of the row while it passes the stages.
    pub(crate) text: Text,
    pub(crate) signals: Signals,
    /// Buffer for a form of the row that is written again.
    pub(crate) spare: String,
    /// Scratch buffer for JSON.
    json: Vec<u8>,
}

impl StageWork {
    pub(crate) fn new(settings: &Settings) -> StageWork {
        StageWork {
            chain: make_chain(settings),
            text: Text::default(),
            signals: if settings.signals { Signals::enabled() } else { Signals::disabled() },
            spare: String::new(),
            json: Vec::new(),
        }
    }

    /// Begins a row with this URL. Figures are noted if the run writes them, or if it keeps rows
    /// that stages drop.
    pub(crate) fn begin<'p>(
        &'p mut self,
        url: Option<&'p str>,
        sinks: &RowSinks<'_>,
    ) -> StagedRow<'p> {
        let StageWork { chain, text, signals, .. } = self;
        chain.begin();
        signals.clear();
        if sinks.dropped.is_some() && !signals.is_on() {
            *signals = Signals::enabled();
        }
        let row_in_progress = RowInProgress { url, ..RowInProgress::from_text(text, signals) };
        StagedRow { chain, row_in_progress, decision: DropDecision::default(), trial: None }
    }

    /// Notes the extractor that made the text which the row kept.
    pub(crate) fn note_choice(&mut self, extractor: &'static str, text: &str) {
        let chars = text.chars().count() as u64;
        self.chain.choose(ChosenText { extractor, chars, tokens: self.text.tokens() });
    }

    /// Writes the figures of the row as an object.
    pub(crate) fn write_signals(&mut self) {
        self.json.clear();
        let mut object = JsonObject::new(&mut self.json);
        for (name, figure) in self.signals.figures() {
            object.value(name, figure);
        }
        for (name, text) in self.signals.texts() {
            object.untrusted(name, text.as_str());
        }
        object.end();
    }

    /// Returns the figures that were written last.
    pub(crate) fn signals_json(&self) -> &str {
        str::from_utf8(&self.json).expect("names and numbers are text")
    }

    /// Returns the stages, what they noted beside the text, and those figures.
    pub(crate) fn results(&mut self) -> (&mut Chain, &Text, &str) {
        let signals = str::from_utf8(&self.json).expect("names and numbers are text");
        (&mut self.chain, &self.text, signals)
    }
}

/// A row on its way through the stages.
pub(crate) struct StagedRow<'p> {
    chain: &'p mut Chain,
    row_in_progress: RowInProgress<'p>,
    decision: DropDecision,
    /// The state of the row before its first text, while texts of several extractors are tried.
    trial: Option<BeforeText>,
}

/// How many stages and figures a row has before it has a text.
#[derive(Clone, Copy)]
struct BeforeText {
    stages: usize,
    signals: (usize, usize),
}

impl<'p> StagedRow<'p> {
    /// Begins to try the texts of several extractors. A row that is refused meanwhile is not kept
    /// for inspection.
    pub(crate) fn begin_trials(&mut self) {
        let signals = self.row_in_progress.signals.mark();
        self.trial = Some(BeforeText { stages: self.chain.mark(), signals });
    }

    /// Forgets what the stages did to the last text.
    pub(crate) fn next_trial(&mut self) {
        let Some(BeforeText { stages, signals }) = self.trial else { return };
        self.chain.return_to(stages);
        self.row_in_progress.signals.return_to(signals);
        self.row_in_progress.language = None;
    }

    /// Ends the trials, after each text was refused. Returns whether the row is kept for
    /// inspection, given the reason for its first text.
    pub(crate) fn end_trials(&mut self, reason: Reason, sinks: &RowSinks<'_>) -> bool {
        self.trial = None;
        sinks.keeps(reason)
    }

    /// Returns what the stages did to the row so far.
    pub(crate) fn trace(&self) -> &RowTrace {
        self.chain.trace()
    }

    /// Replaces the record of the stages by that of an earlier text.
    pub(crate) fn restore(&mut self, trace: &RowTrace) {
        self.chain.restore(trace);
    }

    /// Lets the stages with these needs decide, unless a stage has refused the row already.
    ///
    /// # Errors
    ///
    /// The row is dropped and not kept.
    pub(crate) fn pass<P: Probe>(
        &mut self,
        needs: StagePhase,
        sinks: &RowSinks<'_>,
        probe: &mut P,
    ) -> Result<(), Reason> {
        let StagedRow { chain, row_in_progress, decision, trial } = self;
        let decided = |stage_index| probe.lap(PageStep::Stage(stage_index));
        if trial.is_some() && !decision.is_dropped() {
            return chain.apply_each(needs, row_in_progress, decided);
        }
        decision.decide(sinks, || chain.apply_each(needs, row_in_progress, decided))
    }

    /// Notes what the extractor states about the page.
    pub(crate) fn note_verdict(&mut self, verdict: &Verdict) {
        self.row_in_progress.has_article = verdict.has_article;
        self.row_in_progress.page_type = verdict.page_type.map(PageType::name);
        self.row_in_progress.score = verdict.score;
    }

    /// Notes what an existing row states about its page.
    pub(crate) fn states(
        &mut self,
        page_type: Option<&'p str>,
        has_article: Option<bool>,
        score: Option<f64>,
        language: Option<Language>,
    ) {
        self.row_in_progress.page_type = page_type;
        self.row_in_progress.has_article = has_article;
        self.row_in_progress.score = score;
        self.row_in_progress.language = language;
    }

    /// Notes the other text fields of the row.
    pub(crate) fn note_fields(&mut self, fields: &'p dyn RowFields) {
        self.row_in_progress.fields = Some(fields);
    }

    /// Lets the stages that use the text decide about it and change it.
    ///
    /// # Errors
    ///
    /// As [`StagedRow::pass`].
    pub(crate) fn pass_text<P: Probe>(
        &mut self,
        text: &mut String,
        sinks: &RowSinks<'_>,
        probe: &mut P,
    ) -> Result<(), Reason> {
        self.row_in_progress.text.swap(text);
        let passed = self
            .pass(StagePhase::Text, sinks, probe)
            .and_then(|()| self.pass(StagePhase::Final, sinks, probe));
        self.row_in_progress.text.give_back(text);
        passed
    }

    /// Returns the language that a stage has found. Also returns the reason for which a stage
    /// refused the row, if the row is still made.
    pub(crate) fn outcome(self) -> (Option<Language>, Option<Reason>) {
        (self.row_in_progress.language, self.decision.reason)
    }
}

fn make_chain(settings: &Settings) -> Chain {
    let mut chain = Chain::default();
    if settings.judge {
        chain.push(&Judge);
    }
    if settings.min_chars > 0 {
        chain.push(&MinChars::new(settings.min_chars));
    }
    for stage in settings.stages.iter() {
        chain.push(stage);
    }
    chain
}
