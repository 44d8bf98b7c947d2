//! The commands that the trials run.

/// A command of the program that writes a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Turns pages into rows.
    Extract,
    /// Filters and changes rows in stages.
    Refine,
    /// Removes duplicate rows.
    Dedup,
    /// Writes rows into a full-text index.
    Index,
}

impl Command {
    /// All commands.
    pub const ALL: [Command; 4] =
        [Command::Extract, Command::Refine, Command::Dedup, Command::Index];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Command::Extract => "extract",
            Command::Refine => "refine",
            Command::Dedup => "dedup",
            Command::Index => "index",
        }
    }

    /// Returns the command with this name.
    pub fn named(name: &str) -> Option<Command> {
        Command::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Returns whether the command handles each input independently. Such a command has the options
    /// for shards, `--base`, rejects, `--limit`, standard output and dry runs.
    pub(super) fn is_by_input(self) -> bool {
        matches!(self, Command::Extract | Command::Refine)
    }
}
