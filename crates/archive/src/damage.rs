//! The way on after damage.
//!
//! In the container: [`finder`] looks for the next member, [`salvage`] goes there and reports what
//! was passed over. In plain bytes: [`search`] looks for the next WARC record, [`lost_record`]
//! reports what was passed over; [`zeros`] tells holes. [`repairer`] opens the input anew where the
//! fast path had to stop.

pub(crate) mod finder;
pub(crate) mod lost_record;
pub(crate) mod repairer;
pub(crate) mod salvage;
pub(crate) mod search;
pub(crate) mod zeros;
