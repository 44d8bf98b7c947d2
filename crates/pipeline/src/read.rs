//! From inputs to parcels of records.

mod lone_page;
mod patient;
pub(crate) mod reader;
