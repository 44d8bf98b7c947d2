//! Reasons that are known by name only: reasons of stages, and reasons that another version of the
//! program wrote.

use crate::rejection_kind::RejectionKind;
use std::sync::{PoisonError, RwLock};

/// A reason known by its name. The same name and kind give the same value for as long as the
/// program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NamedReason(u16);

/// All registered reasons. They are never removed, so their number is limited.
static NAMES: RwLock<Vec<(&str, RejectionKind)>> = RwLock::new(Vec::new());

/// Most names that may be registered. Real statistics have a few dozen; a file with more was not
/// written by this program.
const MAX_NAMES: usize = 4096;

impl NamedReason {
    /// Returns the reason of this name. `None` if the name is new and `MAX_NAMES` names are
    /// registered.
    pub(crate) fn new(name: &str, kind: RejectionKind) -> Option<NamedReason> {
        let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
        let known_index = names.iter().position(|known| *known == (name, kind));
        if known_index.is_none() && names.len() == MAX_NAMES {
            return None;
        }
        let known_index = known_index.unwrap_or_else(|| {
            names.push((Box::leak(name.into()), kind));
            names.len() - 1
        });
        Some(NamedReason(known_index as u16))
    }

    fn entry(self) -> (&'static str, RejectionKind) {
        NAMES.read().unwrap_or_else(PoisonError::into_inner)[usize::from(self.0)]
    }

    pub(crate) fn name(self) -> &'static str {
        self.entry().0
    }

    pub(crate) fn kind(self) -> RejectionKind {
        self.entry().1
    }
}

impl std::fmt::Debug for NamedReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
