//! The reasons why a model cannot be used.

/// The version of the file format that this program reads.
pub(super) const VERSION: u32 = 1;

/// The reason why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// The bytes are not a model file.
    NotAModel,
    /// The file has another version of the format than this program reads.
    Version(u32),
    /// The model asks for a feature of this name, which this program does not compute.
    UnknownFeature(String),
    /// The model lacks the forest of this name, which hull needs.
    MissingForest(&'static str),
    /// The file is too short or too long, or holds a number out of its range. Holds the reason in
    /// words.
    Damaged(&'static str),
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ModelError::NotAModel => f.write_str("not a model of hull"),
            ModelError::Version(version) => {
                write!(f, "version {version}; this program reads version {VERSION}")
            }
            ModelError::UnknownFeature(name) => write!(f, "unknown feature '{name}'"),
            ModelError::MissingForest(name) => write!(f, "no forest '{name}'"),
            ModelError::Damaged(what) => write!(f, "damaged: {what}"),
        }
    }
}

impl std::error::Error for ModelError {}
