//! The inputs and the list at the start of a case.

use super::inputs::InputForm;

/// An input of a case.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) path: String,
    pub(super) form: InputForm,
    pub(super) seed: u32,
    /// Whether its records are so long that it needs several batches.
    pub(super) is_large: bool,
    pub(super) is_foreign: bool,
}

/// A place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListEntry {
    Input(usize),
    /// A path that never existed.
    Nothing(usize),
}
