//! The text fields of a row that stages read besides its text and URL.

use std::borrow::Cow;
use std::fmt;

/// The text fields of a row besides its text and URL, by name. The run knows how its rows hold
/// them.
pub trait RowFields {
    /// Returns the value of the field. `None` if the row lacks it, or if it is no string.
    fn text(&self, name: &str) -> Option<Cow<'_, str>>;
}

impl fmt::Debug for dyn RowFields + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowFields")
    }
}
