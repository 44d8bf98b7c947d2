//! Errors in files of language tables.

/// The version of the file format that this program reads and writes.
pub(super) const VERSION: u32 = 1;

/// The reason why tables cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanguageModelError {
    /// The bytes are not a file of language tables.
    NotAModel,
    /// The file has a version of the format that this program does not read.
    Version(u32),
    /// The file has a wrong size, or a digest that does not match its bytes.
    Damaged(&'static str),
    /// The file is whole, but breaks this rule of the format.
    Invalid(&'static str),
}

impl std::fmt::Display for LanguageModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LanguageModelError::NotAModel => f.write_str("not a file of language tables"),
            LanguageModelError::Version(version) => {
                write!(f, "version {version} of language tables; this program reads {VERSION}")
            }
            LanguageModelError::Damaged(what) => write!(f, "damaged language tables: {what}"),
            LanguageModelError::Invalid(what) => write!(f, "invalid language tables: {what}"),
        }
    }
}

impl std::error::Error for LanguageModelError {}
