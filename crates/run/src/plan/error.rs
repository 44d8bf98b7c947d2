//! Errors of planning a run.

use std::fmt;
use std::path::PathBuf;

/// An output that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Collision {
    /// Two inputs would have the same output.
    SameOutput {
        /// Name of one input.
        first: String,
        /// Name of the other input.
        second: String,
        /// Path of the output of both inputs.
        output: PathBuf,
    },
    /// One input is given twice.
    GivenTwice {
        /// Path of the input.
        input: String,
    },
    /// An output would overwrite an input.
    OverwritesInput {
        /// Name of the input whose output it is.
        input: String,
        /// Path of the output, which is an input.
        output: PathBuf,
    },
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Collision::SameOutput { first, second, output } => {
                let output = output.display();
                write!(f, "'{first}' and '{second}' would both be written to '{output}'")
            }
            Collision::GivenTwice { input } => {
                write!(f, "'{input}' is given twice: give it once")
            }
            Collision::OverwritesInput { input, output } => {
                write!(
                    f,
                    "the output for '{input}' would overwrite the input '{}'",
                    output.display()
                )
            }
        }
    }
}

/// Number of collisions that a message names. A folder full of them would fill the terminal.
const MAX_NAMED: usize = 3;

fn describe_collisions(collisions: &[Collision]) -> String {
    let named = collisions.iter().take(MAX_NAMED).map(Collision::to_string);
    let more = collisions.len().saturating_sub(MAX_NAMED);
    let more = (more > 0).then(|| format!("and {more} more like these"));
    named.chain(more).collect::<Vec<_>>().join("; ")
}

/// The reason why no plan could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Several outputs cannot be written.
    #[error("{}", describe_collisions(collisions))]
    Collisions {
        /// All collisions.
        collisions: Vec<Collision>,
    },
    /// Object storage does not accept the name of an output.
    #[error("cannot write '{output}': {reason}; rename the input")]
    ObjectName {
        /// Name of the output.
        output: String,
        /// Why it fails.
        reason: String,
    },
    /// Dropped rows would lie in the output folder.
    #[error(
        "the folder for dropped rows must not be inside the output, where they would be read as \
         rows: choose another --dropped than '{}'",
        path.display()
    )]
    DroppedInOutput {
        /// Path of the folder for dropped rows.
        path: PathBuf,
    },
    /// The parent of the folder of dropped rows does not exist.
    #[error("the folder '{}' for the dropped rows does not exist: create it, or choose another \
    --dropped", path.display())]
    DroppedFolder {
        /// Path of the folder.
        path: PathBuf,
    },
    /// The dropped rows would overwrite an input.
    #[error("the dropped rows would overwrite the input '{}'", path.display())]
    DroppedIsInput {
        /// Path of the file.
        path: PathBuf,
    },
    /// The folder of the rejects file does not exist.
    #[error("the folder '{}' for the rejects does not exist", path.display())]
    RejectsFolder {
        /// Path of the folder.
        path: PathBuf,
    },
    /// The rejects file exists and is something else.
    #[error("the rejects would overwrite '{}'", path.display())]
    RejectsOverwrite {
        /// Path of the file.
        path: PathBuf,
    },
    /// A file that an option names must not be overwritten.
    #[error("{option} would overwrite '{}': {reason}", path.display())]
    SideFile {
        /// Path of the file.
        path: PathBuf,
        /// The option that names the file.
        option: &'static str,
        /// Why it fails.
        reason: &'static str,
    },
    /// A file that an option names exists and cannot be read. The run does not overwrite it, since
    /// another program may have made it.
    #[error("cannot read '{}', which {option} names: {reason}", path.display())]
    SideFileUnread {
        /// Path of the file.
        path: PathBuf,
        /// The option that names the file.
        option: &'static str,
        /// Why it fails.
        reason: String,
    },
    /// A manifest could not be read.
    #[error("cannot read the manifest '{}': {reason}", path.display())]
    Manifest {
        /// Path of the file.
        path: PathBuf,
        /// Why it fails.
        reason: String,
    },
    /// An index could not be read.
    #[error("cannot use the index '{}': {reason}", path.display())]
    Index {
        /// Path of the file.
        path: PathBuf,
        /// Why it fails.
        reason: String,
    },
    /// Standard input was given twice.
    #[error("standard input ('-') can be read only once")]
    StdinTwice,
    /// The plan has no input.
    #[error("no inputs: {0}")]
    NoInputs(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_collisions_are_counted() {
        let collision = |at: usize| {
            let output = PathBuf::from(format!("o/{at}"));
            Collision::OverwritesInput { input: at.to_string(), output }
        };
        let message = |count: usize| {
            let collisions = (0..count).map(collision).collect();
            PlanError::Collisions { collisions }.to_string()
        };
        assert_eq!(message(MAX_NAMED).matches("would overwrite").count(), MAX_NAMED);
        assert!(!message(MAX_NAMED).contains("more"));
        let many = message(MAX_NAMED + 3);
        assert_eq!(many.matches("would overwrite").count(), MAX_NAMED);
        assert!(many.ends_with("; and 3 more like these"), "{many}");
    }
}
