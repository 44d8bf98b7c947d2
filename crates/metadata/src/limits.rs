//! Largest lengths of fields.

/// Largest lengths in Unicode scalars.
pub(crate) const LONGEST_TITLE: usize = 200;
pub(crate) const LONGEST_AUTHOR: usize = 200;
pub(crate) const LONGEST_SITE_NAME: usize = 200;
pub(crate) const LONGEST_DESCRIPTION: usize = 1000;
