//! From inputs to parcels of records.

mod lone_page;
mod interruptible_reader;
pub(crate) mod reader;
