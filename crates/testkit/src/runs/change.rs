//! Changes between runs, or during a run.

use super::inputs::Edit;

/// A change of the files around a run. Inputs are named by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileChange {
    /// The input gets other bytes.
    Edit(usize, Edit),
    /// The input keeps its bytes under another inode: it is written elsewhere, and renamed.
    Replace(usize),
    /// The input is removed until it is written again.
    Remove(usize),
    /// The input is moved away, and may come back unchanged.
    Hide(usize),
    /// A hidden or removed input is there again.
    Back(usize),
    /// The list gets a further input at its front, or at its end.
    ListGrows { at_front: bool },
    /// The list loses an input.
    ListShrinks(usize),
    /// The list gets another order.
    ListTurns(usize),
    /// An output loses its second half, or is removed.
    Output { nth: usize, is_cut: bool },
}
