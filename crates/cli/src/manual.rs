//! Prints the manual in three forms: manual pages, completion scripts, and a Markdown reference.

use crate::args::{command, groups};
use crate::exit::Exit;
use crate::output_file::WriteError;
use anyhow::Result;
use clap::{Arg, Command};
use clap_complete::Shell;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Columns of the Markdown reference.
const MAX_COLUMNS: usize = 100;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Result<Exit> {
    // Written to memory first, because the generator panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "huller", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Exit::Success)
}

/// Prints the manual page, or writes a page for every command.
pub(crate) fn man(out_dir: Option<&Path>) -> Result<Exit> {
    match out_dir {
        Some(folder) => {
            let written = std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command(), folder));
            written.map_err(WriteError::for_path(folder))?;
        }
        None => clap_mangen::Man::new(command()).render(&mut std::io::stdout().lock())?,
    }
    Ok(Exit::Success)
}

/// Prints the reference of all commands, which is docs/commands.md.
pub(crate) fn reference() -> Result<Exit> {
    let mut huller = command();
    huller.build();
    let mut page = Page(String::new());
    page.write_introduction(&huller);
    for (_, commands) in groups(&huller) {
        for command in commands {
            page.write_command(command, "huller");
        }
    }
    std::io::stdout().write_all(page.0.as_bytes())?;
    Ok(Exit::Success)
}

/// A page of Markdown in the making.
struct Page(String);

impl Page {
    /// Writes the head of the page, and a list of all commands by purpose.
    fn write_introduction(&mut self, huller: &Command) {
        self.0.push_str("# Commands and options\n\n");
        self.write_paragraph(
            "",
            "This page lists every command of huller with all its options. The program printed it, \
             so no option is missing. `huller COMMAND --help` shows the same text in a terminal.",
        );
        self.0.push_str("\n```console\n$ huller man --markdown | head -n 1\n");
        self.0.push_str("# Commands and options\n```\n");
        for (heading, commands) in groups(huller) {
            let _ = write!(self.0, "\n{heading}:\n\n");
            for command in commands {
                let (name, about) = (command.get_name(), plain_text(command.get_about()));
                self.write_paragraph("* ", &format!("[`{name}`](#huller-{name}): {about}"));
            }
        }
    }

    /// Writes the section of a command. Commands below it follow.
    fn write_command(&mut self, command: &Command, parents: &str) {
        let name = format!("{parents} {}", command.get_name());
        let _ = write!(self.0, "\n## `{name}`\n\n");
        for paragraph in plain_text(command.get_long_about().or(command.get_about())).split("\n\n")
        {
            self.write_paragraph("", &as_sentence(paragraph));
            self.0.push('\n');
        }
        let usage = command.clone().render_usage().to_string();
        let _ = write!(self.0, "```text\n{}\n```\n", usage.trim_start_matches("Usage: "));
        let mut headings: Vec<&str> = Vec::new();
        for argument in shown_arguments(command) {
            let heading = heading_of(argument);
            if !headings.contains(&heading) {
                headings.push(heading);
            }
        }
        for wanted in headings {
            let _ = write!(self.0, "\n{wanted}:\n\n");
            for argument in
                shown_arguments(command).filter(|argument| heading_of(argument) == wanted)
            {
                self.write_argument(argument);
            }
        }
        if let Some(help_after) = command.get_after_long_help() {
            let _ = write!(self.0, "\n```text\n{help_after}\n```\n");
        }
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            self.write_command(command, &name);
        }
    }

    /// Writes an option with its value, meaning, possible values and default.
    fn write_argument(&mut self, argument: &Arg) {
        let help =
            plain_text(argument.get_long_help().or(argument.get_help())).replace("\n\n", " ");
        let mut meaning = format!("`{}`: {}", argument_signature(argument), as_sentence(&help));
        let takes_values = argument.get_action().takes_values();
        let values = if takes_values { argument.get_possible_values() } else { Vec::new() };
        let (explained, plain): (Vec<_>, Vec<_>) = values
            .iter()
            .filter(|value| !value.is_hide_set())
            .partition(|value| value.get_help().is_some());
        if !plain.is_empty() {
            let names: Vec<_> =
                plain.iter().map(|value| format!("`{}`", value.get_name())).collect();
            let _ = write!(meaning, " Values: {}.", names.join(", "));
        }
        let defaults = argument.get_default_values();
        if takes_values && !defaults.is_empty() {
            let joined: Vec<_> = defaults.iter().map(|value| value.to_string_lossy()).collect();
            let _ = write!(meaning, " Default: `{}`.", joined.join(","));
        }
        self.write_paragraph("* ", &meaning);
        for value in explained {
            let help = as_sentence(&plain_text(value.get_help()));
            self.write_paragraph("  * ", &format!("`{}`: {help}", value.get_name()));
        }
    }

    /// Writes a paragraph in lines of at most [`MAX_COLUMNS`] columns, the first after `start`.
    fn write_paragraph(&mut self, start: &str, text: &str) {
        self.0.push_str(start);
        let mut columns = start.chars().count();
        let mut is_first = true;
        for word in text.split_whitespace() {
            let width = word.chars().count();
            if !is_first && columns + 1 + width > MAX_COLUMNS {
                let _ = write!(self.0, "\n{:1$}", "", start.chars().count());
                columns = start.chars().count();
            } else if !is_first {
                self.0.push(' ');
                columns += 1;
            }
            self.0.push_str(word);
            columns += width;
            is_first = false;
        }
        self.0.push('\n');
    }
}

/// Returns the arguments of a command that its help shows, without `--help` and `--version`.
fn shown_arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_general = |argument: &&Arg| matches!(argument.get_id().as_str(), "help" | "version");
    command.get_arguments().filter(move |argument| !argument.is_hide_set() && !is_general(argument))
}

/// Returns the heading below which the help shows an argument.
fn heading_of(argument: &Arg) -> &str {
    let general = if argument.is_positional() { "Arguments" } else { "Options" };
    argument.get_help_heading().unwrap_or(general)
}

/// Returns an argument as it is typed, such as `-j, --threads <N>`.
fn argument_signature(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    if argument.is_positional() {
        return argument.to_string();
    }
    if !argument.get_action().takes_values() {
        return flags.join(", ");
    }
    let names = argument.get_value_names().unwrap_or_default();
    let values: Vec<String> = names.iter().map(|name| format!("<{name}>")).collect();
    format!("{} {}", flags.join(", "), values.join(" "))
}

/// Returns the words of a help text without styles.
fn plain_text(help: Option<&clap::builder::StyledStr>) -> String {
    help.map(ToString::to_string).unwrap_or_default()
}

/// Returns a text that ends like a sentence. Summaries in the program's help have no full stop.
fn as_sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', ':']) { text.to_owned() } else { format!("{text}.") }
}
