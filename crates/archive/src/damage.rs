//! Continues reading after damage.
//!
//! In the container, [`finder`] finds the next member, and [`salvage`] moves there and reports the
//! skipped bytes. In plain bytes, [`search`] finds the next record, and [`lost_record`] reports the
//! skipped bytes. [`zeros`] recognises holes. [`repairer`] opens the input again where the fast
//! path had to stop.

pub(crate) mod finder;
pub(crate) mod lost_record;
pub(crate) mod repairer;
pub(crate) mod salvage;
pub(crate) mod search;
pub(crate) mod zeros;
