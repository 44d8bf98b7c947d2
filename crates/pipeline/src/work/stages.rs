//! The stages that the settings ask for, at work in one thread.

use crate::settings::Settings;
use huller_refine::stages::{Judge, MinChars};
use huller_refine::{Chain, Signals, Text};
use huller_row::JsonObject;

/// Workers of the stages of a run, in the order in which rows pass them, and the memory that a row takes on its way.
pub(crate) struct StageWork {
    pub(crate) chain: Chain,
    /// The text of the row while it passes the stages.
    pub(crate) text: Text,
    pub(crate) signals: Signals,
    /// Where a form of the row is written anew.
    pub(crate) spare: String,
    json: Vec<u8>,
}

impl StageWork {
    pub(crate) fn new(settings: &Settings) -> StageWork {
        StageWork {
            chain: chain(settings),
            text: Text::default(),
            signals: if settings.signals { Signals::on() } else { Signals::off() },
            spare: String::new(),
            json: Vec::new(),
        }
    }

    /// Writes the figures of the row as an object.
    pub(crate) fn write_signals(&mut self) {
        self.json.clear();
        let mut object = JsonObject::new(&mut self.json);
        for (name, figure) in self.signals.figures() {
            object.value(name, figure);
        }
        object.end();
    }

    /// The figures of the row that were written last.
    pub(crate) fn signals_json(&self) -> &str {
        str::from_utf8(&self.json).expect("names and numbers are ASCII")
    }

    /// The stages, and those figures.
    pub(crate) fn chain_and_signals(&mut self) -> (&mut Chain, &str) {
        (&mut self.chain, str::from_utf8(&self.json).expect("names and numbers are ASCII"))
    }
}

fn chain(settings: &Settings) -> Chain {
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
