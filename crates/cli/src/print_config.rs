//! `--print-config`: prints a configuration as a file, with every option, its default and its
//! meaning.

use crate::exit::Exit;
use anyhow::Result;
use clap::{Args, Command};
use huller_pipeline::{Config, Flags, RowKeys};
use huller_refine::StageEntry;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Width in characters at which comments are folded.
const FOLD_WIDTH: usize = 100;

/// Prints the options that a command was given, and as comments the defaults of the others. Then
/// come the settings of the stages.
pub(crate) fn print_config(command: &str, config: &Config) -> Result<Exit> {
    let mut out = io::stdout().lock();
    writeln!(out, "# huller {}: huller {command} --config FILE\n", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "# Files, folders and lists to read.\n# inputs = []\n")?;
    writeln!(out, "# Output folder.\n# output = \"corpus\"\n")?;
    let stated_config = serde_json::to_value(config)?;
    let flags = Flags::augment_args(Command::new("huller"));
    for flag in flags.get_arguments() {
        let name = flag.get_id().as_str();
        if name == "set" {
            continue;
        }
        let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
        write_comment(&mut out, &help)?;
        match &stated_config[name] {
            Value::Null => {
                let default = flag.get_default_values().iter().map(|value| value.to_string_lossy());
                let default: Vec<_> = default.map(|value| default_value(&value)).collect();
                writeln!(out, "# {name} = {}\n", default.first().map_or("…", String::as_str))?;
            }
            value => writeln!(out, "{name} = {}\n", toml_value(value))?,
        }
    }
    let settings = match command {
        "refine" => config.clone().settings_of_rows(RowKeys::default())?,
        _ => config.clone().settings()?,
    };
    for stage in settings.stages.iter() {
        if let Some(registered) = StageEntry::find(stage.name()) {
            let of_stage = settings.stages.settings_of(stage.name());
            print_settings(&mut out, registered, &of_stage)?;
            writeln!(out)?;
        }
    }
    Ok(Exit::Success)
}

/// Prints the table of a stage, each setting with its meaning.
pub(crate) fn print_settings(
    out: &mut impl Write,
    stage: &StageEntry,
    settings: &Map<String, Value>,
) -> io::Result<()> {
    writeln!(out, "[stage.{}]", stage.name)?;
    for (name, about) in stage.docs {
        write_comment(out, about)?;
        match &settings[*name] {
            Value::Null => writeln!(out, "# {name} = …")?,
            value => writeln!(out, "{name} = {}", toml_value(value))?,
        }
    }
    Ok(())
}

fn write_comment(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut line = String::from("#");
    for word in text.split_whitespace() {
        if line.len() > 1 && line.chars().count() + 1 + word.chars().count() > FOLD_WIDTH {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

/// Returns a default of clap as TOML: a number, a truth value, or a word.
fn default_value(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_))) => value.to_string(),
        _ => Value::from(text).to_string(),
    }
}

/// Returns a value as TOML, in which strings, numbers and lists are written as in JSON.
fn toml_value(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members =
                members.iter().map(|(name, value)| format!("{name} = {}", toml_value(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(toml_value).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}
