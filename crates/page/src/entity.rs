//! Decodes character references (`&amp;`, `&#8217;`, `&nbsp`) as in the HTML standard, section
//! 13.2.5.72 and following.
//!
//! The cost is O(n). Each reference is read once: at most 32 bytes of a name, or digits to their
//! end without going back. An unknown name stays as written.

mod decode;
mod names;
mod reference;
mod scalars;

pub use decode::decode;
pub use reference::Context;
pub use scalars::Scalars;
