//! What changes between runs, or during one.

use super::inputs::Edit;

/// A change of the world that runs are made in. Inputs are told by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Other bytes in the place of an input.
    Edit(usize, Edit),
    /// The same under another inode: written elsewhere, and renamed.
    Replace(usize),
    /// The input is gone for good, until it is written anew.
    Remove(usize),
    /// The input is away, and may come back as it was.
    Hide(usize),
    /// What was hidden or removed is there again.
    Back(usize),
    /// The list gets a further input at its front, or at its end.
    ListGrows { at_front: bool },
    /// The list loses an input.
    ListShrinks(usize),
    /// The list is in another order.
    ListTurns(usize),
    /// An output is gone, or its second half.
    Output { nth: usize, is_cut: bool },
}
