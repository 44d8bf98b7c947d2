//! `huller stages`: lists the stages that rows can pass, and the presets.

use crate::args::StagesArgs;
use crate::exit::Exit;
use crate::print_config::print_settings;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use huller_pipeline::{PRESETS, Preset};
use huller_refine::STAGES;
use std::io::Write;

pub(crate) fn run(args: &StagesArgs) -> Result<Exit> {
    let mut out = std::io::stdout().lock();
    match args.presets.as_deref() {
        None => {}
        Some("") => {
            for preset in PRESETS {
                let about = preset.text.lines().next().unwrap_or_default();
                writeln!(out, "{:16} {}", preset.name, about.trim_start_matches("# "))?;
            }
            return Ok(Exit::Success);
        }
        Some(name) => {
            let Some(preset) = Preset::find(name) else {
                let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
                let message =
                    format!("unknown preset '{name}'; the presets are {}", known.join(", "));
                bail!(UsageError(message));
            };
            write!(out, "{}", preset.text)?;
            return Ok(Exit::Success);
        }
    }
    for (index, stage) in STAGES.iter().enumerate() {
        if !args.long {
            writeln!(out, "{:18} {}", stage.name, stage.summary)?;
            continue;
        }
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "# {} {}", stage.name, stage.summary)?;
        print_settings(&mut out, stage, &stage.defaults())?;
    }
    Ok(Exit::Success)
}
