//! From inputs to work items of records.

mod interruptible_reader;
mod lone_page;
pub(crate) mod reader;
