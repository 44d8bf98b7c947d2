//! Largest lengths of fields.

/// Largest lengths in Unicode scalars.
pub(crate) const MAX_TITLE_CHARS: usize = 200;
pub(crate) const MAX_AUTHOR_CHARS: usize = 200;
pub(crate) const MAX_SITE_NAME_CHARS: usize = 200;
pub(crate) const MAX_DESCRIPTION_CHARS: usize = 1000;
