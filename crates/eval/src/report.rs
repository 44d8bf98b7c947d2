//! Reports for readers.

pub mod html;
