//! Any text through all stages: they never panic, a used worker decides as a fresh one, and the
//! signals are numbers. Any bytes as a file of signatures are refused, or read to their end.

#![no_main]

use huller_fuzz::text;
use huller_refine::signature::signature_file::Header;
use huller_refine::{Chain, RowInProgress, STAGES, Signals, Stage, StagePhase, Text};
use libfuzzer_sys::fuzz_target;
use serde_json::Map;
use std::cell::RefCell;

thread_local! {
    /// Workers that saw all earlier texts.
    static USED: RefCell<Worker> = RefCell::new(Worker::new());
}

/// One chain per stage, so that a stage that drops a row does not hide the others.
struct Worker {
    chains: Vec<Chain>,
    text: Text,
    signals: Signals,
}

impl Worker {
    fn new() -> Worker {
        let chain = |stage: Box<dyn Stage>| Chain::new(&[stage]);
        let stages = STAGES.iter().map(|known| known.make(Map::new()).expect("defaults are right"));
        Worker {
            chains: stages.map(chain).collect(),
            text: Text::default(),
            signals: Signals::enabled(),
        }
    }

    /// Returns the decision of each stage about a text, the rest of the text, and the signals.
    fn apply(&mut self, content: &str) -> Vec<String> {
        let Worker { chains, text, signals } = self;
        let apply = |chain: &mut Chain| {
            text.begin().push_str(content);
            signals.clear();
            chain.begin();
            let url = Some(content);
            let mut draft = RowInProgress { url, ..RowInProgress::from_text(text, signals) };
            let all =
                [StagePhase::Address, StagePhase::Verdict, StagePhase::Text, StagePhase::Final];
            let result = all.into_iter().try_for_each(|needs| chain.apply(needs, &mut draft));
            let language = draft.language;
            for (name, figure) in signals.figures() {
                assert!(figure.is_finite(), "{name} is {figure}");
            }
            let mut form = content.to_owned();
            let is_new = chain.rewrite(&mut form, &mut String::new());
            format!(
                "{result:?} {language:?} {:?} {is_new} {form:?} {:?} {:?}",
                text.as_str(),
                signals.figures(),
                text.signature()
            )
        };
        chains.iter_mut().map(apply).collect()
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok((header, start)) = Header::read(bytes)
        && let Ok(records) = header.records(&bytes[start..])
    {
        let bands = header.settings().bands as usize;
        assert!(
            records
                .into_iter()
                .all(|record| matches!(record.bands().len(), n if n == 0 || n == bands))
        );
    }
    let content = text(bytes);
    let fresh = Worker::new().apply(&content);
    USED.with_borrow_mut(|used| {
        assert_eq!(used.apply(&content), fresh, "a row must not depend on those before it")
    });
});
