//! All stages, one file each.

mod judge;
mod min_chars;

pub use judge::Judge;
pub use min_chars::MinChars;
