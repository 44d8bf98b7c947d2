//! The commands whose runs are tried.

/// A command of the program that writes a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Pages become rows.
    Extract,
    /// Rows go through stages.
    Refine,
    /// Rows lose their duplicates.
    Dedup,
    /// Rows go into a full-text index.
    Index,
}

impl Command {
    /// All of them.
    pub const ALL: [Command; 4] =
        [Command::Extract, Command::Refine, Command::Dedup, Command::Index];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Command::Extract => "extract",
            Command::Refine => "refine",
            Command::Dedup => "dedup",
            Command::Index => "index",
        }
    }

    /// The command with this name.
    pub fn named(name: &str) -> Option<Command> {
        Command::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Whether the command has the options of runs over inputs that do not depend on each other:
    /// shares, `--base`, rejects, `--limit`, standard output, dry runs.
    pub(super) fn is_by_input(self) -> bool {
        matches!(self, Command::Extract | Command::Refine)
    }
}
