//! The stages that the settings ask for.

use crate::settings::Settings;
use huller_refine::Chain;
use huller_refine::stages::{Judge, MinChars};

/// A worker of each stage of a run, in the order in which rows pass them.
pub(crate) fn chain(settings: &Settings) -> Chain {
    let mut chain = Chain::default();
    if settings.judge {
        chain.push(&Judge);
    }
    if settings.min_chars > 0 {
        chain.push(&MinChars::new(settings.min_chars));
    }
    settings.stages.iter().for_each(|stage| chain.push(stage));
    chain
}
