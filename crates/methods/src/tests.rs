//! The worked examples: pages with the value that each step of an extractor must give. The examples
//! in `tests/examples` belong to this crate (its README says how they were made). A folder of
//! shared files, if present, holds more in the same form.

mod ceds;
mod dvps;
mod elements;
mod examples;
mod lines;
mod nb;
mod tokens;
