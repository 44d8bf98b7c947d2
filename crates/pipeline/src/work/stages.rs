//! The stages that the settings ask for.

use crate::settings::Settings;
use huller_refine::Stage;
use huller_refine::stages::{Judge, MinChars};

/// The stages of a run, in the order in which rows pass them.
pub(crate) fn stages(settings: &Settings) -> Vec<Box<dyn Stage>> {
    let mut stages: Vec<Box<dyn Stage>> = Vec::new();
    if settings.judge {
        stages.push(Box::new(Judge));
    }
    if settings.min_chars > 0 {
        stages.push(Box::new(MinChars::new(settings.min_chars)));
    }
    stages
}
