//! The worked examples: pages with the value that each step of a method must give. The examples in
//! `tests/examples` are this crate's (its README says how they were made); a folder of shared
//! files, if present, holds more in the same form.

mod ceds;
mod dvps;
mod elements;
mod examples;
mod lines;
mod nb;
mod tokens;
