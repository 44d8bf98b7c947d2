//! The way on after damage.
//!
//! In the container: [`finder`] looks for the next member, [`salvage`] goes there and reports what was passed over. In plain
//! bytes: [`search`] looks for the next WARC record, [`resync`] reports what was passed over, [`mend`] ends a block whose
//! Content-Length is wrong, [`oversize`] passes over records above the limit; [`zeros`] tells holes. [`repairer`] opens the input anew where the
//! fast path had to stop.

pub(crate) mod finder;
pub(crate) mod mend;
pub(crate) mod oversize;
pub(crate) mod repairer;
pub(crate) mod resync;
pub(crate) mod salvage;
pub(crate) mod search;
pub(crate) mod zeros;
