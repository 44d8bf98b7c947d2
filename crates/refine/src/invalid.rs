//! Errors in the settings of a stage.

/// The reason why a stage cannot be made from its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    /// The name of the setting.
    pub setting: &'static str,
    /// The problem with its value: a lower-case fragment.
    pub problem: String,
}

impl InvalidSettings {
    pub(crate) fn new(setting: &'static str, problem: impl Into<String>) -> InvalidSettings {
        InvalidSettings { setting, problem: problem.into() }
    }
}

impl std::fmt::Display for InvalidSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.setting, self.problem)
    }
}

impl std::error::Error for InvalidSettings {}
